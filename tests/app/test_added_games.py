"""Games that people add: found, played, changed; a file that cannot be used stops nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.app import games
from companion.app.box import Box
from companion.app.games import GameFinder
from companion.app.inputs import Look, SetUpGame
from companion.cli import main
from companion.core.games import GameFaultError, TooSlowError
from companion.games import GAMES, shipped
from companion.history.history import History
from companion.journal import Journal
from companion.ui.screens.context import Screen, ScreenContext
from companion.ui.screens.game_choice import OtherGamesScreen
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.phones import THIS_COMPUTER
from companion.ui.screens.set_up import SetUp
from companion.ui.translations import Translator
from companion.ui.view import ListBody
from hardware.doctor import added_games
from tests.app.added_games import OURS, installed, laid, looked_for_in
from tests.app.boxes import begin, new_box, press, says
from tests.fakes.clock import FixedClock
from tests.raised_errors import expected

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from looked_for_in(tmp_path, monkeypatch)


def listed_with_a_fault(capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["game", "list", "--data", "data"]) == 1
    return "".join(capsys.readouterr())


def test_names_of_the_program_are_never_overridden(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("hearts", "gear"):
        laid(name, OURS.replace('"ours"', f'"{name}"'))
    assert GAMES["hearts"].title == "Hearts"
    assert GAMES["gear"].title == "Gear"
    listed = listed_with_a_fault(capsys)
    assert listed.count("is passed over: a game of the program has this name") == 2


def test_the_journals_file_counts_before_the_systems() -> None:
    laid(text=OURS.replace('"Ours"', '"Theirs"'), folder="system")
    assert GAMES.titles()["ours"] == "Theirs"
    laid()
    assert GAMES.titles()["ours"] == "Ours"
    assert GAMES["ours"].title == "Ours"


def test_results_are_computed_anew_once_rules_have_changed() -> None:
    before = GAMES.fingerprint
    assert before == shipped.fingerprint()
    file = laid()
    added = GAMES.fingerprint
    file.write_text(OURS + "# changed\n")
    assert len({before, added, GAMES.fingerprint}) == 3


def test_results_are_computed_anew_once_a_figure_in_a_rule_of_the_program_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    monkeypatch.setattr(shipped, "names", lambda: ("ours",))
    seen = set()
    for rule in ("10 + bid", "20 + bid"):
        (tmp_path / "ours.toml").write_text(rule)
        shipped.fingerprint.cache_clear()
        seen.add(shipped.fingerprint())
    shipped.fingerprint.cache_clear()
    assert len(seen) == 2


def test_two_games_with_one_title_are_both_listed() -> None:
    laid("mine", OURS.replace('"ours"', '"mine"').replace('"Ours"', '"Hearts"'))
    assert GAMES.titles()["mine"] == "Hearts (mine)"


def titles_of_lists(screen: Screen, context: ScreenContext) -> tuple[object, list[str], list[str]]:
    """Return the title of a list, its rows and their headings."""
    body = screen.show(context).view.body
    assert isinstance(body, ListBody)
    return body.title, [str(text) for text, _value in body.rows], [str(heading) for heading in body.headings]


@pytest.mark.parametrize("on_page", [False, True])
def test_games_that_people_added_stand_first_among_the_other_games(on_page: bool) -> None:
    laid()
    context = ScreenContext(Translator("en"), on_page=on_page)
    _title, rows, headings = titles_of_lists(OtherGamesScreen(HomeScreen()), context)
    first = rows[1:] if on_page else rows
    assert first[0] == ("Ours" if on_page else "Your own games")
    assert first.count(first[0]) == 1
    if on_page:
        assert (rows[0], headings[1]) == ("Make a game of your own", "Your own games")


def test_a_page_opens_the_set_up_of_a_game_and_takes_no_running_one_from_others() -> None:
    laid()
    box = press(begin(new_box()), "1")
    assert box.take(0, Look("en", THIS_COMPUTER)) is None
    assert box.take(0, SetUpGame("ours")) is None
    viewer = box.state.viewers[0]
    assert isinstance(viewer.screen, SetUp)
    assert (viewer.screen.game, viewer.away, box.game is not None) == ("ours", True, True)
    laid(text="x")
    assert box.take(0, SetUpGame("ours")) is None
    viewer = box.state.viewers[0]
    assert viewer.refused
    assert "this is not TOML" in str(viewer.message)


def test_a_page_leaves_no_game_for_one_that_cannot_be_played() -> None:
    laid(text="x")
    box = press(begin(new_box()), "1")
    assert box.take(0, Look("en", THIS_COMPUTER)) is None
    assert box.take(0, SetUpGame("ours")) is None
    viewer = box.state.viewers[0]
    assert (viewer.refused, viewer.away, viewer.at_rest) == (True, False, True)
    assert "this is not TOML" in str(viewer.message)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("x", "line 1: this is not TOML"),
        (OURS.replace('"ours"', '"other"'), "it declares another game: its name must be other.toml"),
        (OURS.replace('"bid + tricks"', '"().__class__"'), "line 10: "),
        ("#" * 240_001, "it is larger than 240000 bytes"),
        (OURS.replace('"Ours"', f'"{"x" * 40}"'), "line 2: "),
    ],
)
def test_a_file_that_cannot_be_used_is_named_and_stops_nothing(
    text: str, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    laid(text=text)
    assert "ours" in GAMES.found_titles
    assert "ours" not in GAMES
    assert GAMES.get("ours") is None
    for _again in range(2):
        with pytest.raises(GameFaultError) as refused:
            GAMES["ours"]
        assert str(refused.value).startswith(f"ours.toml cannot be shown: {fault}")
    assert fault in listed_with_a_fault(capsys)
    laid()
    assert GAMES["ours"].title == "Ours"


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (ZeroDivisionError("0"), "ZeroDivisionError: 0"),
        (SystemExit(3), "SystemExit: 3"),
        (TooSlowError(), "it takes too"),
    ],
)
def test_a_game_that_fails_while_it_is_loaded_is_refused(error: BaseException, fault: str) -> None:
    def load() -> None:
        raise error

    with pytest.raises(GameFaultError, match=f"ours cannot be shown: {fault}"):
        games.opened("ours", load)  # type: ignore[arg-type]


def test_a_game_of_a_package_is_listed_guarded_and_played(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, packed="packed_games:OURS")
    assert GAMES.titles()["packed"] == "Packed"
    assert GameFinder(Path).place("packed") == "packed (packed-games 2.1)"
    assert GAMES["packed"].start is not GAMES.found.game("packed").start  # type: ignore[union-attr]  # it is guarded
    assert "Packed" in says(press(new_box(Journal()), "1 5 1"))


@pytest.mark.parametrize(
    ("interface", "point", "fault"),
    [
        (2, "packed_games:OURS", "it is for interface 2, and this program has 1"),
        (None, "packed_games:OURS", "it does not say INTERFACE = 1"),
        (1, "packed_games:NOTHING", "it is no game"),
        (1, "packed_games:OTHER", "it is another game: packed-too"),
        (1, "packed_games:GONE", "AttributeError: "),
        (1, "packed_raises:OURS", "ZeroDivisionError: at import"),
        (1, "packed_nowhere:OURS", "ModuleNotFoundError: "),
    ],
)
def test_a_package_that_cannot_be_used_is_named_and_stops_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], interface: object, point: str, fault: str
) -> None:
    installed(monkeypatch, interface, packed=point, hearts="packed_games:OURS")
    laid()
    assert GAMES.titles()["packed"] == "packed"
    assert "packed" not in GAMES
    listed = listed_with_a_fault(capsys)
    assert f"packed (packed-games 2.1) cannot be shown: {fault}" in listed
    assert "hearts (packed-games 2.1) is passed over: another game has this name" in listed
    assert (GAMES["hearts"].title, GAMES["ours"].title) == ("Hearts", "Ours")


def test_the_doctor_names_games_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, 2, packed="packed_games:OURS")
    laid()
    laid("broken", "x")
    found = [*map(str, added_games(Path("data")))]
    assert len(found) == 2
    assert "Added games: data/added-games/broken.toml cannot be shown: line 1: this is not TOML" in found[0]
    assert "Added games: packed (packed-games 2.1) cannot be shown: it is for interface 2" in found[1]


def test_the_doctor_names_a_package_that_cannot_be_used_before_the_first_game(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, 2, packed="packed_games:OURS")
    found = [*map(str, added_games(Path("data")))]
    assert [each for each in found if "packed (packed-games 2.1) cannot be shown: it is for interface 2" in each]


def test_packages_that_cannot_be_looked_for_stop_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_group: 1 / 0)
    with expected() as logged:
        assert "chess" not in GAMES
        assert GAMES.titles()["hearts"] == "Hearts"
    assert [type(error) for error in logged] == [ZeroDivisionError]


def test_a_box_lists_added_games_and_says_why_one_cannot_be_used() -> None:
    laid("aaa", OURS.replace('"ours"', '"aaa"').replace('"Ours"', '"Aaa"'))
    laid("aab", 'name = "aab"')
    box = press(new_box(Journal()), "1 5 1")
    assert "Your own games | > Aaa | aab" in says(box)
    assert "Aab.toml cannot be shown: line 1: the key title is missing" in says(press(box, "2"))
    assert "Seat 1: who?" in says(press(box, "1"))


def test_an_added_game_is_listed_in_its_family_and_under_others_if_there_is_no_such_family() -> None:
    laid("aaa", 'name = "aaa"\ntitle = "Aaa"\nfamily = "points"\n')
    laid("aab", 'family = "mine"')
    assert (GAMES.found_families["aaa"], GAMES.found_families["aab"]) == ("points", "others")
    laid("aaa", 'name = "aaa"\ntitle = "Aaa"\nfamily = "rummy"\n')
    assert GAMES.found_families["aaa"] == "rummy"


def test_a_listed_game_whose_file_is_removed_leaves_the_list() -> None:
    file = laid()
    box = press(new_box(Journal()), "1 5 1")
    assert "Your own games | > Ours" in says(box)
    file.unlink()
    assert "Ours" not in says(press(box, "B"))


RACE = """\
name = "race"
title = "Race"
seats = 2
[[ask]]
name = "points"
[score]
points = "points"
[end]
when = "max(total) >= 50"
"""


def changed(file: Path, old: str, new: str, when: float) -> None:
    """Change a game's file at a time."""
    file.write_text(file.read_text().replace(old, new))
    os.utime(file, (when, when))


def race(folder: Path) -> tuple[Path, FixedClock, Journal, Box]:
    """Begin a race; return its file, the clock, the journal and the box."""
    file, clock, journal = laid("race", RACE), FixedClock(), Journal(folder / "journal")
    clock.let_pass(1.8e9)  # a clock that is set
    return file, clock, journal, press(begin(new_box(journal, clock), ("Aki", "Bea"), game="race"), "30# 7# #")


def test_a_changed_file_counts_for_new_games_and_a_game_that_is_on_keeps_its_rules(tmp_path: Path) -> None:
    file, clock, journal, box = race(tmp_path)
    changed(file, "50", "20", clock.now() + 60)
    assert box.game is not None
    assert not box.game.over  # by the rules that it began with
    other = press(begin(new_box(Journal(), clock), ("Aki", "Bea"), game="race"), "30# 7# #")
    assert other.game is not None
    assert other.game.over

    journal.close()
    with closing(Journal(tmp_path / "journal")) as journal:
        again = new_box(journal, clock)
        assert "The rules of Race were changed after this game began." in says(again)
        press(again, "# h# 0 1")
        assert not again.state.panel.refused  # a game that is opened again is no refusal
        assert again.game is not None
        assert again.game.over
        assert [result.scores for result in History(journal, None).results()] == [(30, 7)]


def test_a_game_that_goes_on_longer_than_new_rules_allow_is_kept_and_that_is_said(tmp_path: Path) -> None:
    file, clock, journal, box = race(tmp_path)
    changed(file, "50", "20", clock.now() + 60)
    assert "Aki: 10, +10, 40" in says(press(box, "10# 7# #"))
    journal.close()
    with closing(Journal(tmp_path / "journal")) as journal:
        said = "Game 1 cannot be read by its rules, which were changed after it began: line 3: the game is over"
        assert said in says(new_box(journal, clock))
        changed(file, "20", "50", clock.now() + 90)
        assert new_box(journal, clock).game is not None


def test_a_changed_file_that_cannot_be_used_is_said_and_the_game_that_is_on_goes_on() -> None:
    file = laid("race", RACE)
    box = press(begin(new_box(), ("Aki", "Bea"), game="race"), "30# 7# #")
    changed(file, "max(total)", "best(total)", 2e9)
    assert "race" not in GAMES
    with pytest.raises(GameFaultError, match="best"):
        GAMES["race"]
    assert box.game is not None
    assert press(box, "30# 7# #").game.over  # type: ignore[union-attr]  # there is one


def test_results_are_computed_anew_while_the_program_runs(tmp_path: Path) -> None:
    file = laid("race", RACE)
    with closing(Journal(tmp_path / "journal")) as journal:
        press(begin(new_box(journal), ("Aki", "Bea"), game="race"), "60# 7# #")
        history = History(journal, journal.path, writes=True)
        assert [result.scores for result in history.results()] == [(60, 7)]
        changed(file, 'points = "points"\n[end]', 'points = "2*points"\n[end]', 2e9)
        assert [result.scores for result in history.results()] == [(120, 14)]


def test_nothing_is_looked_for_before_a_game_is_asked_for() -> None:
    program = (
        "import os, sys\n"
        "sys.addaudithook(lambda event, of: print(of[0]) if event in ('os.scandir', 'os.listdir') else None)\n"
        "from companion.app.games import find_added_games\n"
        "from companion.games import GAMES\n"
        "find_added_games(lambda: 1 / 0)\n"
        "assert GAMES['gear'].title\n"
        "assert not {'companion.games.toml_games', 'importlib.metadata'} & {*sys.modules}\n"
        "print('asked')\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert "added-games" not in run.stdout
    assert run.stdout.endswith("asked\n")


def test_the_first_question_waits_for_no_game_s_rules() -> None:
    program = (
        "import sys\n"
        "from tests.app.boxes import new_box, press, says\n"
        "from companion.games import GAMES\n"
        "assert 'Which game?' in says(press(new_box(), '1'))\n"
        "games = [name.replace('-', '_') for name in GAMES]\n"
        "print([name for name in sys.modules if name.rpartition('.')[2] in games or 'toml_games' in name])"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert said.stdout == "[]\n"
