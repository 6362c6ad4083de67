"""`companion game`: added games are looked over, listed and removed; other commands know their rules."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from io import StringIO
from pathlib import Path

import pytest

from companion.app.inputs import TypedAnswer
from companion.app.state import PANEL
from companion.cli import main
from companion.journal import Journal
from tests.app.added_games import OURS, PACKAGE, installed, laid, looked_for_in
from tests.app.boxes import begin, new_box, press, says
from tests.fakes.clock import FixedClock

HEADER = {"format": 1, "game": "ours", "players": ["Aki", "Bea", "Cyr"], "rules": {}}


@pytest.fixture(autouse=True)
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from looked_for_in(tmp_path, monkeypatch)


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
    assert f"ours  Ours   others{' ' * 15}data/added-games/ours.toml\n" in said(capsys, "game", "list", "ours")
    assert "it replaces the file that is there\n" in said(capsys, "game", "add", "ours.toml", "--yes")
    assert said(capsys, "game", "remove", "ours") == "removed: ours\n"
    assert "ours" not in said(capsys, "game", "list")


@pytest.mark.parametrize(
    ("word", "games"),
    [
        ("dame", ["hearts"]),
        ("ハーツ", ["hearts"]),
        ("tally-low", ["tally-low"]),
        ("GEAR", ["gear"]),
        ("mine", ["ours"]),
    ],
)
def test_the_list_has_the_games_with_a_word_in_title_name_or_family(
    word: str, games: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    laid(text=OURS.replace('"Ours"', '"One of mine"'))
    assert [line.split()[0] for line in said(capsys, "game", "list", word).splitlines()[1:]] == games


def test_the_list_is_by_family_and_says_when_a_game_was_last_played(capsys: pytest.CaptureFixture[str]) -> None:
    laid()
    with closing(Journal(Path("data"))) as journal:
        clock = FixedClock()
        for clock.time in (datetime(2026, 11, 22, 20).timestamp(), datetime(2026, 11, 24, 20).timestamp()):
            press(begin(new_box(journal, clock), game="skat"), "1")
    listed = [line.split("  ") for line in said(capsys, "game", "list").splitlines()]
    names = [words[0] for words in listed]
    assert names[1] == "eternity"
    assert (
        names.index("whist") < names.index("skat") < names.index("hearts") < names.index("tally") < names.index("ours")
    )
    assert [words[-1] for words in listed if words[0] == "skat"] == ["2026-11-24"]


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
        ("list chess", "no game is called chess, and no family of games"),
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
    monkeypatch: pytest.MonkeyPatch,
    interface: object,
    named: str,
    status: int,
    sentence: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    installed(monkeypatch, interface, packed="packed_games:OURS")
    monkeypatch.setattr("sys.path", [*sys.path])
    assert main(["check-game", named, "--games", "1"]) == status
    assert sentence in "".join(capsys.readouterr())


def test_a_package_is_not_tried_in_place_of_the_program_s_game_of_its_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(monkeypatch, hearts="packed_games:OURS")
    Path("packed_games.py").write_text(PACKAGE.format(interface=1).replace('"packed"', '"hearts"'))
    monkeypatch.setattr("sys.path", [*sys.path])
    assert main(["check-game", "packed_games", "--games", "1"]) == 1
    assert "hearts: another game has this name" in "".join(capsys.readouterr())


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


@pytest.mark.parametrize("command", ["replay", "keys", "suggest", "rescore", "press"])
def test_a_log_of_an_added_game_is_read_with_the_rules_of_a_folder(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    laid()
    Path("header.json").write_text(json.dumps(HEADER))
    words = (command, *{"rescore": ["--rules", "{}"], "press": ["--new"]}.get(command, []), "header.json")
    said(capsys, *words)
    assert main([*words, "--data", "elsewhere"]) == 1
    refused = capsys.readouterr().err
    assert re.search(r"header\.json:(1:)? the rules of 'ours' are not installed", refused)
    assert "are looked for in elsewhere/added-games (--data DIR: another folder)\n" in refused


def test_a_hidden_game_is_offered_by_no_set_up_until_it_is_shown_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def offered() -> str:
        with closing(Journal(tmp_path)) as journal:
            box = press(new_box(journal), "h* 1")
            shown = says(box) + says(press(box, "4 1"))
            press(box, "*").take(PANEL, TypedAnswer("b"))
            return shown + says(box)

    assert main(["game", "hide", "gear", "--data", str(tmp_path)]) == 0
    assert main(["game", "hide", "belote", "--data", str(tmp_path)]) == 0
    assert "belote is not offered when a game is set up" in capfd.readouterr().out
    shown = offered()
    assert "Gear" not in shown
    assert "Belote" not in shown
    assert all(title in shown for title in ("Euchre", "Briscola"))
    assert main(["game", "show", "gear", "--data", str(tmp_path)]) == 0
    assert "Gear" in offered()
    assert main(["game", "hide", "chess", "--data", str(tmp_path)]) == 1
    assert "there is no game called chess" in capfd.readouterr().err
