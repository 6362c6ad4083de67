"""Games that people add: looked over, listed, played, removed; a file that cannot be used stops nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest

from companion.app import games
from companion.app.box import Box
from companion.app.games import GameFinder, find_added_games
from companion.cli import main
from companion.core.game_guard import GameFaultError, TooSlowError
from companion.games import GAMES, shipped
from companion.history.history import History
from companion.journal import Journal
from hardware.journal_checks import journal as journal_findings
from hardware.system_probes import SystemProbes
from tests.app.boxes import begin, new_box, press, says
from tests.fakes.clock import FixedClock
from tests.raised_errors import expected

OURS = """\
name = "ours"
title = "Ours"
seats = "3-8"
best = "lowest"
[[ask]]
name = "bid"
[[ask]]
name = "tricks"
[score]
points = "bid + tricks"
"""
HEADER = {"format": 1, "game": "ours", "players": ["Aki", "Bea", "Cyr"], "rules": {}}


@pytest.fixture(autouse=True)
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", StringIO())
    monkeypatch.setattr(games, "SYSTEM", tmp_path / "system")
    monkeypatch.setattr(GameFinder.__init__, "__defaults__", (tmp_path / "system",))
    find_added_games(lambda: tmp_path / "data")
    yield
    GAMES.use(shipped)


def laid(name: str = "ours", text: str = OURS, folder: str = "data/added-games") -> Path:
    Path(folder).mkdir(parents=True, exist_ok=True)
    file = Path(folder, f"{name}.toml")
    file.write_text(text)
    return file


def said(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert main([*words, *([] if "new" in words else ["--data", "data"])]) == status
    return "".join(capsys.readouterr())


def test_a_game_is_looked_over_added_listed_and_removed(capsys: pytest.CaptureFixture[str]) -> None:
    laid(folder=".")
    assert said(capsys, "game", "add", "ours.toml") == (
        "Ours: 3 players or more, 2 questions a round, the fewest points win\n"
        "Add this game? [y/N] \nnot added; --yes does it\n"
    )
    assert not Path("data").exists()
    assert said(capsys, "game", "add", "ours.toml", "--yes").endswith("added as ours\n")
    assert "ours        Ours                      data/added-games/ours.toml\n" in said(capsys, "game", "list")
    assert "it replaces the file that is there\n" in said(capsys, "game", "add", "ours.toml", "--yes")
    assert said(capsys, "game", "remove", "ours") == "removed: ours\n"
    assert "ours" not in said(capsys, "game", "list")


@pytest.mark.parametrize(
    ("change", "brief"),
    [
        (('"3-8"', "4"), "4 players, 2 questions a round, the fewest points win"),
        (('"3-8"', '"3-6"'), "3 to 6 players, 2 questions a round, the fewest points win"),
        (("lowest", "highest"), "3 players or more, 2 questions a round"),
        (
            ('[[ask]]\nname = "bid"', 'dealer = true\n[tricks]\n[[ask]]\nname = "bid"'),
            "3 players or more, 2 questions a round, card by card, the fewest points win",
        ),
    ],
)
def test_a_game_is_described_in_one_line(
    change: tuple[str, str], brief: str, capsys: pytest.CaptureFixture[str]
) -> None:
    laid(text=OURS.replace(*change), folder=".")
    assert said(capsys, "game", "add", "ours.toml").startswith(f"Ours: {brief}\n")


def test_somebody_at_the_terminal_is_asked(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    laid(folder=".")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    for answer, is_added in (("n", False), ("y", True)):
        monkeypatch.setattr("sys.stdin.readline", lambda answer=answer: answer, raising=False)
        assert "Add this game? [y/N] " in said(capsys, "game", "add", "ours.toml")
        assert Path("data/added-games/ours.toml").exists() == is_added


@pytest.mark.parametrize(
    ("piped", "is_added"), [("y\n", True), ("yes\n", True), ("n\n", False), ("\n", False), ("", False)]
)
def test_a_piped_answer_counts(
    piped: str, is_added: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    laid(folder=".")
    monkeypatch.setattr("sys.stdin", StringIO(piped))
    shown = said(capsys, "game", "add", "ours.toml")
    assert ("added as ours\n" in shown, "--yes does it" in shown) == (is_added, not piped)
    assert Path("data/added-games/ours.toml").exists() == is_added
    monkeypatch.setattr("sys.stdin", None)
    assert "not added; --yes does it" in said(capsys, "game", "add", "ours.toml")


def test_a_new_file_can_be_played_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "game", "new", "our-first-game")
    assert said(capsys, "game", "add", "our-first-game.toml").startswith(
        "Our first game: 2 players or more, 1 question"
    )
    assert "file exists" in said(capsys, "game", "new", "our-first-game", status=1)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("add hearts.toml", "hearts.toml:1:8: the program has a game called hearts; give yours another name"),
        ("add gear.toml", "the program has a game called gear; give yours another name"),
        ("add wrong.toml", "wrong.toml:3:9: expected a text or a whole number"),
        ("add nothing.toml", "nothing.toml: no such file or directory"),
        ("add latin.toml", "latin.toml: it is no text in UTF-8"),
        ("add one-seat.toml", "one-seat.toml:12:8: this is worked out for one seat, and total differs by seat"),
        ("new hearts", "the program has a game called hearts; give yours another name"),
        ("new ../ours", "a game's name has up to 40 small letters, digits and hyphens, a letter first"),
        ("remove hearts", "hearts comes with the program, and cannot be removed"),
        ("remove ../wrong", "no game called ../wrong was added in data"),
        ("remove theirs", "theirs was added for the whole machine: remove "),
    ],
)
def test_what_cannot_be_done_is_said(words: str, fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("hearts", "gear"):
        laid(name, OURS.replace('"ours"', f'"{name}"'), ".")
    laid("wrong", OURS.replace('"3-8"', "[3]"), ".")
    laid("one-seat", f'{OURS}[end]\nwhen = "total >= 100"\n', ".")
    Path("latin.toml").write_bytes(b"\xff")
    laid("wrong", OURS, "data")
    laid("theirs", OURS.replace('"ours"', '"theirs"'), "system")
    assert fault in said(capsys, "game", *words.split(), status=1)
    assert Path("data/wrong.toml").exists()


def test_names_of_the_program_are_never_overridden(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("hearts", "gear"):
        laid(name, OURS.replace('"ours"', f'"{name}"'))
    assert GAMES["hearts"].title == "Hearts"
    assert GAMES["gear"].title == "Gear"
    listed = said(capsys, "game", "list", status=1)
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
    assert fault in said(capsys, "game", "list", status=1)
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


PACKAGE = """\
INTERFACE = {interface}
from msgspec.structs import replace
from tests.games.golf import GOLF
OURS = replace(GOLF, name="packed", title="Packed")
OTHER = replace(GOLF, name="packed-too")
NOTHING = 3
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that installs a package with games."""

    def install(interface: object = 1, **points: str) -> None:
        (tmp_path / "packed_games.py").write_text(PACKAGE.format(interface=interface))
        (tmp_path / "packed_raises.py").write_text("raise ZeroDivisionError('at import')")
        about = tmp_path / "packed_games-2.1.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: packed-games\nVersion: 2.1\n")
        lines = [f"{name.replace('_', '-')} = {value}" for name, value in points.items()]
        (about / "entry_points.txt").write_text("\n".join(["[tabletop_companion.games]", *lines]))
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "packed_games", raising=False)

    return install


def test_a_game_of_a_package_is_listed_guarded_and_played(package: Callable[..., None]) -> None:
    package(packed="packed_games:OURS")
    assert GAMES.titles()["packed"] == "Packed"
    assert GameFinder(Path).place("packed") == "packed (packed-games 2.1)"
    assert GAMES["packed"].start is not GAMES.found.game("packed").start  # type: ignore[union-attr]  # it is guarded
    assert "Packed" in says(press(new_box(Journal()), "1 5 B B B B B B B B B # B B B B B B"))


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
    package: Callable[..., None], capsys: pytest.CaptureFixture[str], interface: object, point: str, fault: str
) -> None:
    package(interface, packed=point, hearts="packed_games:OURS")
    laid()
    assert GAMES.titles()["packed"] == "packed"
    assert "packed" not in GAMES
    listed = said(capsys, "game", "list", status=1)
    assert f"packed (packed-games 2.1) cannot be shown: {fault}" in listed
    assert "hearts (packed-games 2.1) is passed over: another game has this name" in listed
    assert (GAMES["hearts"].title, GAMES["ours"].title) == ("Hearts", "Ours")


@pytest.mark.parametrize(
    ("interface", "named", "status", "sentence"),
    [
        (1, "packed", 0, "packed: nothing is wrong in 1 random games"),
        (1, "packed_games", 0, "packed: nothing is wrong in 1 random games"),
        (None, "packed", 1, "packed (packed-games 2.1) cannot be shown: it does not say INTERFACE = 1"),
        (None, "packed_games", 1, "packed (packed-games 2.1) cannot be shown: it does not say INTERFACE = 1"),
    ],
)
def test_a_game_of_a_package_is_tried_by_its_name_and_by_that_of_the_package(
    package: Callable[..., None],
    interface: object,
    named: str,
    status: int,
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    package(interface, packed="packed_games:OURS")
    monkeypatch.setattr("sys.path", [*sys.path])
    assert main(["check-game", named, "--games", "1"]) == status
    assert sentence in "".join(capsys.readouterr())


def test_a_package_is_not_tried_in_place_of_the_program_s_game_of_its_name(
    package: Callable[..., None], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    package(hearts="packed_games:OURS")
    Path("packed_games.py").write_text(PACKAGE.format(interface=1).replace('"packed"', '"hearts"'))
    monkeypatch.setattr("sys.path", [*sys.path])
    assert main(["check-game", "packed_games", "--games", "1"]) == 1
    assert "hearts: another game has this name" in "".join(capsys.readouterr())


def test_the_doctor_names_games_that_cannot_be_used(package: Callable[..., None]) -> None:
    package(2, packed="packed_games:OURS")
    laid()
    laid("broken", "x")
    found = [str(each) for each in journal_findings(SystemProbes(), Path("data")) if "Added games: " in str(each)]
    assert len(found) == 2
    assert "Added games: data/added-games/broken.toml cannot be shown: line 1: this is not TOML" in found[0]
    assert "Added games: packed (packed-games 2.1) cannot be shown: it is for interface 2" in found[1]


def test_the_doctor_names_a_package_that_cannot_be_used_before_the_first_game(package: Callable[..., None]) -> None:
    package(2, packed="packed_games:OURS")
    found = [str(each) for each in journal_findings(SystemProbes(), Path("data"))]
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
    box = press(new_box(Journal()), "1 5")
    assert "Aaa" in says(box)
    assert "Aab.toml cannot be shown: line 1: the key title is missing" in says(press(box, "2"))
    assert "Seat 1: who?" in says(press(box, "1"))


def test_a_journal_whose_game_is_gone_is_listed_exported_and_backed_up(capsys: pytest.CaptureFixture[str]) -> None:
    file = laid()
    Path("header.json").write_text(json.dumps(HEADER))
    said(capsys, "press", "--new", "header.json", "1")
    log = said(capsys, "export")
    assert "1 game of it stay" in said(capsys, "game", "remove", "ours")
    assert "may read differently" in said(capsys, "game", "add", str(file))
    said(capsys, "game", "remove", "ours", "--yes")
    assert not file.exists()
    assert said(capsys, "export") == log
    assert "(the rules of 'ours' are not installed)" in said(capsys, "export", "--list")
    with closing(Journal(Path("data"), writes=False)) as journal:
        assert "The rules of ours are not installed; the game is kept as it is" in says(press(new_box(journal), "2 1"))
    assert said(capsys, "backup", "all.zip") == "1 game in all.zip\n"
    laid()
    assert "(the rules of 'ours'" not in said(capsys, "export", "--list")
    assert said(capsys, "backup", "all.zip") == "1 game in all.zip\nadded games: ours\n"
    laid(text=OURS + "# changed\n")
    assert "ours has other rules here: they were kept" in said(capsys, "restore", "all.zip")
    file.unlink()
    assert "added games: ours\n" in said(capsys, "restore", "all.zip")
    laid(text="x")
    assert "ours.toml cannot be shown: line 1" in said(capsys, "export", "--list")
    os.unlink(file)
    file.symlink_to("/etc/hostname")
    assert "ours.toml cannot be read, and is not in the backup" in said(capsys, "backup", "all.zip", status=1)


@pytest.mark.parametrize("command", ["replay", "keys", "suggest", "rescore"])
def test_a_log_of_an_added_game_is_read_with_the_rules_of_a_folder(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    laid()
    Path("header.json").write_text(json.dumps(HEADER))
    words = (command, *(["--rules", "{}"] if command == "rescore" else []), "header.json")
    said(capsys, *words)
    assert main([*words, "--data", "elsewhere"]) == 1
    refused = capsys.readouterr().err
    assert "header.json:1: the rules of 'ours' are not installed" in refused
    assert "are looked for in elsewhere/added-games (--data DIR: another folder)\n" in refused


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
        "assert not {'companion.games.toml_games.load', 'importlib.metadata'} & {*sys.modules}\n"
        "print('asked')\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]
    )
    assert "added-games" not in run.stdout
    assert run.stdout.endswith("asked\n")
