"""The examples of the documents work: a game, a screen, a board, a language."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.cli import main
from companion.core.game import EventOutcome, Start
from companion.core.text import NC_, IllegalEventError, Seat, Text
from companion.gamelog import read
from companion.games import GAMES
from companion.journal import Journal
from companion.ui import translations
from companion.ui.keys import HOME, Key, parse
from companion.ui.panel import draw
from companion.ui.screens.context import LeaveGame, ScreenContext
from companion.ui.screens.home import HomeScreen
from companion.ui.translations import CATALOGUES, Translator, languages
from companion.ui.view import TextBody
from docs.examples.race import RACE, Rules, Score
from docs.examples.space_feature import HOUR, SpaceFeature
from docs.examples.table_order_screen import TableOrderScreen
from hardware import board
from tests.app.boxes import key_of, new_box, press, run_due, says, view_of
from tests.fakes.clock import FixedClock
from tests.scenes.scenes import SCENES
from tests.scenes.screenshots import box_at
from tools.catalogues import compile_all
from tools.catalogues import read as read_catalogue
from tools.draw_wiring import files
from tools.extract_words import templates

from .pages import EXAMPLES

# The game


@pytest.fixture
def _race(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, RACE.name, RACE)


@pytest.mark.usefixtures("_race")
def test_the_example_of_a_game_is_set_up_and_played_on_a_box() -> None:
    journal = Journal()
    box = press(new_box(journal), f"1 {list(GAMES).index('race') + 1} 1 1 #")
    assert "20 points" in says(box)
    press(box, "2 #")
    assert json.loads(journal.games()[0].header)["rules"] == {"target": 50}
    press(box, "2 9 7 9 * 8")
    assert box.view().question == "P1 scores"
    press(box, "9 9 9 9 9 9 9 9")
    assert "P2, winner" in says(box)


def test_a_game_without_rounds_may_show_a_score_table_after_every_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    told = replace(RACE, outcome=lambda _before, _event, after: EventOutcome(table=RACE.score_sheet(after)))
    monkeypatch.setitem(GAMES, RACE.name, told)
    box = press(new_box(Journal()), f"1 {list(GAMES).index('race') + 1} 1 1 # # 2 9")
    assert "Scores" in says(box)
    assert box.view().question == "P1 scores"


@pytest.mark.usefixtures("_race")
def test_the_log_of_the_example_leads_to_its_winner() -> None:
    session = read((EXAMPLES / "race.jsonl").read_bytes())
    assert RACE.snapshot(session.state) == {"totals": (16, 20), "turn": None, "winners": (1,)}
    assert RACE.ask(session.state, next(iter(RACE.trackings)), ()) is None


def test_the_example_of_a_game_refuses_what_cannot_be() -> None:
    state = RACE.start(2, Rules())
    begun = RACE.apply(state, Start(0))
    for before, event, reason in (
        (state, Start(2), "impossible"),
        (state, Score(0, 1), "impossible"),
        (begun, Score(1, 1), "turn"),
        (begun, Score(0, 10), "impossible"),
    ):
        with pytest.raises(IllegalEventError) as refused:
            RACE.apply(before, event)
        assert refused.value.reason == reason
    with pytest.raises(IllegalEventError):
        RACE.start(2, Rules(target=0))


# The screen


def _context() -> ScreenContext:
    return box_at(next(scene for scene in SCENES if scene.name == "play-lead")).state.table


def test_the_example_of_a_screen_shows_the_seats_and_turns_the_table() -> None:
    context, before = _context(), HomeScreen()
    screen = TableOrderScreen(before)
    view = view_of(screen, context)
    assert isinstance(view.body, TextBody)
    assert view.body.sentences == ("1: Aki", "2: Béatrice", "3: Cyr", "4: はるな")
    assert draw(view).getbbox() is not None
    turned = screen
    for _turn in range(3):
        move = turned.show(context).press(Key("B"))
        assert isinstance(move.screen, TableOrderScreen)
        turned = move.screen
    assert view_of(turned, context).body == replace(
        view.body, sentences=("4: はるな", "1: Aki", "2: Béatrice", "3: Cyr")
    )
    press = screen.show(context).press
    assert press(Key("*")).screen == before
    assert isinstance(press(HOME).command, LeaveGame)
    assert press(Key("7")).refused


def test_each_labelled_key_of_the_example_screen_does_something_also_where_keys_are_few() -> None:
    contents = TableOrderScreen(HomeScreen()).show(_context())
    assert [contents.press(key).refused for key in parse("".join(contents.labels))] == [False] * 3
    assert [str(group.label) for group in contents.ring.groups] == ["turn", "back", "home"]


# The feature of the machine


def test_the_example_of_a_machine_feature_has_a_row_and_tells_when_the_card_is_full() -> None:
    clock, free = FixedClock(), [12]
    feature = SpaceFeature(lambda: free[0], clock.passed)
    box = Box(Journal(), Outputs(MemoryPanel(), clock), clock, machine=(feature,))
    press(box, key_of(box, "Settings"))
    assert "Free space 12 GB" in says(box)
    free[0] = 0
    press(box, key_of(box, "Free space"))
    assert "Free space 0 GB" in says(box)
    run_due(box, clock)
    clock.let_pass(HOUR)
    run_due(box, clock)
    assert "The card is nearly full" in says(box)
    free[0] = 3
    assert feature.tick() is None


# The board


@pytest.fixture
def _boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, "BOARDS", EXAMPLES / "boards")


@pytest.mark.usefixtures("_boards")
def test_the_example_of_a_board_can_be_used(tmp_path: Path) -> None:
    loaded = board.load("four-buttons")
    assert loaded.key_names() == ("<", "o", ">", "*")
    assert not [*board.remarks(loaded)]
    picture = tmp_path / "panel.png"
    data = str(tmp_path / "data")
    assert main(["press", "--board", "four-buttons", "--data", data, "--png", str(picture), "> o"]) == 0
    assert picture.is_file()


@pytest.mark.usefixtures("_boards")
def test_the_wiring_of_the_example_board_is_drawn() -> None:
    assert "| GPIO16 |" in files()["README.md"]
    assert "four-buttons.svg" in files()


# The language


def forget() -> None:
    """Have languages and catalogues looked up anew."""
    translations.catalogue.cache_clear()
    languages.cache_clear()


def test_the_example_of_a_language_is_spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogues = tmp_path / "words"
    shutil.copytree(CATALOGUES, catalogues, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    shutil.copytree(EXAMPLES / "de", catalogues / "de")
    compile_all(catalogues)
    monkeypatch.setattr(translations, "CATALOGUES", catalogues)
    forget()
    assert languages() == ("en", "de", "fr", "ja")
    german = Translator("de", ("Aki",))
    assert german(Text("{player} starts", player=Seat(0))) == "Aki beginnt"
    assert german(Text(NC_("planet", "Earth"))) == "Erde"
    assert german(Text("Rules card")) == "Rules card", "what nobody has translated stays English"
    forget()


def test_the_example_of_a_language_translates_texts_that_exist() -> None:
    catalogue = read_catalogue(EXAMPLES / "de/LC_MESSAGES/companion.po")
    assert set(catalogue) - {""} <= set(templates())
