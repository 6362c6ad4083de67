"""`companion game`: added games are looked over, listed and removed; other commands know their rules."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from companion.app.inputs import TypedAnswer
from companion.app.state import PANEL
from companion.cli import main
from companion.journal import Journal
from tests.app.added_games import PACKAGE, installed, laid, looked_for_in
from tests.app.boxes import begin, new_box, press, says
from tests.fakes.clock import FixedClock

HEADER = {"format": 1, "game": "ours", "players": ["Aki", "Bea", "Cyr"], "rules": {}}


@pytest.fixture(autouse=True)
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from looked_for_in(tmp_path, monkeypatch)


def said(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert main([*words, *([] if "new" in words else ["--data", "data"])]) == status
    return "".join(capsys.readouterr())


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


def test_a_hidden_game_is_offered_by_no_set_up_until_it_is_shown_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def offered() -> str:
        with closing(Journal(tmp_path)) as journal:
            box = press(new_box(journal), "h* h* h* 1")  # the start leads back to the list that was open
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
