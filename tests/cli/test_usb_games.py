"""Games from a USB drive: offered where one is plugged in, looked over, and added."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.games.toml_games import beginning
from companion.journal import Journal, added_game_files
from hardware import mounted_drives
from hardware.machine.usb_drive import UsbGames
from tests.app.boxes import key_of, press, says
from tests.fakes.clock import FixedClock


@pytest.fixture
def stick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a drive that is plugged in."""
    stick = tmp_path / "STICK"
    (stick / "games").mkdir(parents=True)
    monkeypatch.setattr(mounted_drives, "drives", lambda writable: [stick] if stick.exists() else [])
    return stick


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "journal"


@pytest.fixture
def box(data: Path) -> Box:
    clock = FixedClock()
    return Box(Journal(), Outputs(MemoryPanel(), clock), clock, language="en", machine=(UsbGames(data),))


def put(stick: Path, name: str, text: str | None = None, folder: str = ".") -> None:
    file = stick / folder / f"{name}.toml"
    file.write_text(beginning(name, name.capitalize()) if text is None else text, encoding="utf-8")


def chosen(box: Box, *rows: str) -> str:
    """Open the settings and then each row, and return what the panel says."""
    for row in ("Settings", "Games from USB", *rows):
        press(box, key_of(box, row))
    return says(box)


def test_the_row_is_there_only_while_a_drive_is_plugged_in(box: Box, stick: Path) -> None:
    press(box, key_of(box, "Settings"))
    assert "Games from USB" in says(box)
    (stick / "games").rmdir()
    stick.rmdir()
    press(box, "*")
    press(box, key_of(box, "Settings"))
    assert "Games from USB" not in says(box)


def test_a_game_is_looked_over_before_it_is_added(box: Box, stick: Path, data: Path) -> None:
    put(stick, "ours", folder="games")
    put(stick, "golf")
    assert "golf | ours" in chosen(box)
    press(box, "2")
    assert "Ours" in says(box)
    assert "2 players or more, 1 question a round" in says(box)
    assert "Add it?" in says(box)
    assert not data.exists()
    press(box, "#")
    assert "Added: Ours" in says(box)
    assert added_game_files.read(data / added_game_files.FOLDER / "ours.toml") == beginning("ours", "Ours")
    press(box, "2")
    assert "It takes the place of the game of this name" in says(box)
    assert "> ours" in says(press(box, "*"))


def test_what_is_wrong_with_a_file_is_said_and_nothing_is_added(box: Box, stick: Path, data: Path) -> None:
    put(stick, "broken", beginning("broken", "Broken").replace('points = "points"', 'points = "pints"'))
    put(stick, "skat", beginning("skat", "Skat"))
    assert "pints" in chosen(box, "broken")
    assert "add" not in box.frame.labels.values()
    press(box, "*2")
    assert "the program has a game called skat" in says(box)
    assert not data.exists()


def test_a_drive_without_games_and_one_that_is_gone_are_said(box: Box, stick: Path, data: Path) -> None:
    assert "No game's file is on the drive" in chosen(box)
    put(stick, "ours")
    press(box, "**")
    chosen(box, "ours")
    (stick / "ours.toml").unlink()
    press(box, "#")
    assert "The drive has no file of this game any more" in says(box)
    assert not data.exists()


def test_a_full_disk_is_said(box: Box, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_given: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    put(stick, "ours")
    monkeypatch.setattr(added_game_files, "write", full)
    chosen(box, "ours")
    assert "The disk is full" in says(press(box, "#"))


def test_many_games_stand_on_pages(box: Box, stick: Path) -> None:
    for number in range(12):
        put(stick, f"game-{number:02}")
    assert "More games" in chosen(box)
    press(box, "0")
    assert "game-11" in says(box)
    press(box, "1*")
    assert "game-11" in says(box)
