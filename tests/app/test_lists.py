"""Lists tell games apart: which game, when, who leads or has won, and with how many points."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from companion.app import store
from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.core.game import LogHeader
from companion.core.prompt import DetailLevel
from companion.gamelog import decode_header
from companion.journal import Journal, JournalError, StoredGame
from companion.ui.fonts import LINES
from companion.ui.panel import draw
from companion.ui.saved_games import GameList, ListedGame
from companion.ui.screens.contents import PAGE
from companion.ui.screens.context import ScreenContext
from companion.ui.screens.home import GameListScreen, HomeScreen
from companion.ui.translations import Translator
from companion.ui.view import ListBody, View, spoken
from tests.app.boxes import FOUR, begin, key_of, press, says, view_of, written
from tests.fakes.clock import FixedClock
from tests.scenes.scenes import ROUND_ONE, ROUND_THREE, ROUND_TWO

GAME = (ROUND_ONE, ROUND_TWO, ROUND_THREE)


def at(day: str, journal: Journal, language: str = "en") -> Box:
    """Return an application started at a local time; an empty one means a clock that was never set."""
    clock = FixedClock()
    clock.time = datetime.fromisoformat(day).timestamp() if day else 12 * 3600.0
    return Box(journal, Outputs(MemoryPanel(), clock), clock, language=language)


def evening(day: str, journal: Journal, rounds: tuple[str, ...] = GAME, players: tuple[str, ...] = FOUR) -> None:
    """Play a game of Eternity on a day, round by round."""
    box = begin(at(day, journal), players, "round")
    journal.set_open_game(None)
    assert box.game is not None
    for count, line in enumerate(rounds, 1):
        journal.append(box.game.name, line, now=0.0, tracking="round", over=count == len(GAME))


def entered(box: Box, players: tuple[str, ...] = FOUR) -> Box:
    """Begin a game with an entry; one without is removed when another begins."""
    return press(begin(box, players), "1")


def listed(box: Box) -> list[tuple[str, ...]]:
    """Return the rows of the list of games, each with the line below it."""
    press(box, key_of(box, "All games"))
    body = box.view().body
    assert isinstance(body, ListBody)
    return [(*row, *below) for row, below in zip(body.rows, body.below, strict=False)]


class _Torn(Journal):
    """A journal that counts reads of lines, and cannot read those of game 1."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[int] = []

    def lines(self, game: str) -> list[str]:
        self.read.append(int(game[:6]))
        if game.startswith("000001"):
            raise JournalError("game 1 is damaged")
        return super().lines(game)


def test_only_games_that_are_listed_are_read_and_each_of_them_once() -> None:
    journal = _Torn()
    for _game in range(25):
        entered(at("2026-11-21", journal))
    journal.set_open_game(None)
    journal.read.clear()
    box = at("2026-11-22", journal)
    listed(box)
    press(box, "B B A *")
    listed(box)
    assert journal.read == [*range(25, 25 - PAGE, -1)]


def test_a_game_whose_lines_cannot_be_read_is_listed_with_its_players() -> None:
    journal = _Torn()
    entered(at("2026-11-21", journal))
    journal.set_open_game(None)
    assert listed(at("2026-11-22", journal))[0][2] == "Aki·Bea·Cyr·Dai"


def test_without_a_journal_to_read_a_list_says_who_plays() -> None:
    header = json.dumps({"format": 1, "game": "eternity", "players": FOUR})
    context = ScreenContext(
        Translator(), game_list=GameList(lambda: (ListedGame("", 1, header, DetailLevel.FULL, False, decode_header),))
    )
    body = view_of(GameListScreen(HomeScreen()), context).body
    assert isinstance(body, ListBody)
    assert body.below == (("Aki·Bea·Cyr·Dai", ""),)


# Only visible rows are read


class _Decoded:
    """Counts the headers that are decoded."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        monkeypatch.setattr(store, "decode_header", self._decode)

    def _decode(self, written: str) -> LogHeader:
        self.count += 1
        return decode_header(written)


def test_lists_read_the_headers_of_the_games_they_show_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    journal, decoded = Journal(), _Decoded(monkeypatch)
    for game in range(60):
        header = {"format": 1, "game": "eternity", "players": ["Aki", f"Bea {game}"]}
        written(journal, json.dumps(header), ROUND_ONE, over=True)
    box = at("2026-11-22", journal)
    assert "Play with regulars 10" in says(box)
    assert decoded.count == 10
    press(box, "B A B A")
    assert decoded.count == 10
    press(box, key_of(box, "All games") + "0")
    assert decoded.count == 2 * PAGE


def test_the_games_of_the_same_people_are_read_once_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    journal, decoded = Journal(), _Decoded(monkeypatch)
    header = json.dumps({"format": 1, "game": "eternity", "players": FOUR})
    for _game in range(60):
        written(journal, header, ROUND_ONE, over=True)
    box = at("2026-11-22", journal)
    assert "Play again: Eternity" in says(box)
    press(box, key_of(box, "New game") + "1")
    assert decoded.count == 1


def test_a_box_that_starts_in_a_game_reads_no_list() -> None:
    class Unlisted(Journal):
        listed = True

        def games(self) -> list[StoredGame]:
            assert self.listed
            return super().games()

    journal = Unlisted()
    entered(at("2026-11-22", journal))
    journal.listed = False
    box = press(at("2026-11-22", journal), "1 A3 B9")
    assert box.view().question == "Aki:"


@pytest.mark.parametrize(
    "header",
    [
        '{"format":1,"game":"whist","players":["Eve","Flo"]}',
        '{"format":1,"game":"eternity","players":["Eve",""]}',
        '{"format":1,"game":"eternity","players":["Eve","Flo"],"rules":{"edition":"xx"}}',
        '{"format":1,"game":"eternity","players":7}',
        '{"game":' + "[" * 10_000,
        "",
    ],
)
def test_a_game_that_cannot_be_read_is_listed_and_offered_to_nobody(header: str) -> None:
    journal = Journal()
    written(journal, header)
    evening("2026-11-21", journal)
    written(journal, header)
    box = at("2026-11-22", journal)
    assert "Play again: Eternity Aki·Bea·Cyr·Dai" in says(box)
    assert "All games 3" in says(box)
    rows = [row[0] for row in listed(box)]
    assert rows == ["Game 3", "Eternity", "Game 1"]
    press(box, "h*")
    press(box, key_of(box, "New game") + "1 2 1")
    assert box.game is None
    assert press(box, "# #").game is not None


# Drawing of the lines below rows


def rows(chosen: int, *below: str) -> View:
    texts = tuple((f"row {row}", "") for row in range(6))
    return View(ListBody("Rows", texts, chosen, below=tuple((text, "") for text in below)))


def test_a_row_with_a_line_below_it_is_seen_whole_where_it_is_highlighted() -> None:
    for chosen in range(6):
        picture = draw(rows(chosen, *["below"] * 6))
        lit = [y for y in range(11, 11 + 11 * LINES) if picture.getpixel((1, y))]
        assert len(lit) == 22, chosen


def test_no_line_stands_at_the_top_without_its_row() -> None:
    apart = draw(rows(2, "below", "", "below"))
    other = draw(rows(2, "other", "", "below"))
    assert apart.tobytes() == other.tobytes()  # the line below row 0 is hidden, too


def test_what_stands_below_a_row_is_spoken_with_it() -> None:
    assert spoken(rows(1, "", "below"), str)[1:4] == ("row 0", "> row 1 below", "row 2")
