"""The USB drive: backups to it and games from it, offered while one is plugged in, and what is said of them."""

from __future__ import annotations

import errno
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from threading import Event

import pytest

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.games.toml_games import beginning
from companion.journal import Journal, added_game_files, backup
from companion.journal.backup import Backup
from hardware import system
from hardware.machine.usb_drive import LOOK, UsbBackupDrive, UsbGames
from tests.app.boxes import begin, key_of, press, run_due, says
from tests.fakes.clock import FixedClock
from tests.journal.backups import games_in
from tests.raised_errors import expected
from tests.scenes.past_games import PAST, play
from tests.waiting import until


@pytest.fixture
def stick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a drive that is plugged in."""
    stick = tmp_path / "STICK"
    (stick / "games").mkdir(parents=True)
    monkeypatch.setattr(system, "drives", lambda *, writable=True: [stick] if stick.exists() else [])
    return stick


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "journal"


@pytest.fixture
def clock() -> FixedClock:
    clock = FixedClock()
    clock.time = datetime(2026, 11, 22, 20, 15).timestamp()
    return clock


@pytest.fixture
def box(data: Path, clock: FixedClock) -> Box:
    machine = UsbBackupDrive(data, clock), UsbGames(data)
    return Box(Journal(), Outputs(MemoryPanel(), clock), clock, language="en", machine=machine)


def at_settings(box: Box) -> Box:
    """Open the settings."""
    return press(box, key_of(box, "Settings"))


def test_the_rows_are_there_only_while_a_drive_is_plugged_in(box: Box, stick: Path) -> None:
    rows = "Back up to USB", "Games from USB"
    at_settings(box)
    assert [row in says(box) for row in rows] == [True, True]
    (stick / "games").rmdir()
    stick.rmdir()
    at_settings(press(box, "*"))
    assert [row in says(box) for row in rows] == [False, False]


# Backups

Faked = Callable[..., tuple[Path, Backup]]


@pytest.fixture
def fake(stick: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Faked], None]:
    """Return what puts another function in the place of the one that writes a backup to a drive."""
    return lambda function: monkeypatch.setattr(backup, "backup_to_drive", function)


def backed_up(box: Box, clock: FixedClock, times: int = 1) -> str:
    """Choose the backup, let the loop look until it has told what came of it, and return what the panel says."""
    press(at_settings(box), key_of(box, "Back up to USB") * times)
    return ended(box, clock)


def ended(box: Box, clock: FixedClock) -> str:
    def is_over() -> bool:
        clock.let_pass(LOOK)
        run_due(box, clock)
        return box.machine.features[0].due is None

    until(is_over, "the end of the backup")
    return says(box)


def test_a_backup_has_the_day_in_its_name_and_the_games_in_it(
    box: Box, stick: Path, data: Path, clock: FixedClock
) -> None:
    journal = Journal(data)
    play(journal)
    journal.close()
    assert "Backup written: STICK/companion-backup-2026-11-22.zip" in backed_up(box, clock)
    assert len(games_in(stick / "companion-backup-2026-11-22.zip")) == len(PAST)


def test_keys_go_on_while_a_backup_is_written_and_a_second_one_waits(
    box: Box, fake: Callable[[Faked], None], clock: FixedClock
) -> None:
    finish, begun = Event(), list[object]()

    def slow(_folder: Path, drive: Path, day: object) -> tuple[Path, Backup]:
        begun.append(day)
        finish.wait()
        return drive / "backup.zip", Backup()

    fake(slow)
    press(at_settings(box), key_of(box, "Back up to USB") * 3)
    assert "Writing the backup" in says(box)
    assert "New game" in says(press(box, "*"))
    clock.let_pass(LOOK)
    run_due(box, clock)
    assert box.machine.features[0].due == clock.passed() + LOOK
    finish.set()
    assert "Backup written: STICK/backup.zip" in ended(box, clock)
    assert len(begun) == 1


def test_a_clock_that_is_not_set_gives_no_day(box: Box, stick: Path, clock: FixedClock) -> None:
    clock.time = 0.0
    assert "Backup written: STICK/companion-backup.zip" in backed_up(box, clock)
    assert (stick / "companion-backup.zip").exists()


def test_the_panel_says_that_games_are_damaged(box: Box, fake: Callable[[Faked], None], clock: FixedClock) -> None:
    fake(lambda _folder, drive, _day: (drive / "b.zip", Backup(unreadable=["1"], shortened=["2"])))
    assert "Backup written, but games may not be whole: 2. STICK/b.zip" in backed_up(box, clock)


def test_a_full_drive_is_told(box: Box, fake: Callable[[Faked], None], clock: FixedClock) -> None:
    def full(*_given: object) -> tuple[Path, Backup]:
        raise OSError(errno.ENOSPC, "No space left on device")

    fake(full)
    assert "No backup: the disk is full" in backed_up(box, clock)


def test_a_drive_that_was_pulled_out_is_told(box: Box, stick: Path, clock: FixedClock) -> None:
    at_settings(box)
    (stick / "games").rmdir()
    stick.rmdir()
    press(box, key_of(box, "Back up to USB"))
    assert "No backup: no USB drive is plugged in" in ended(box, clock)


def test_a_journal_on_the_drive_itself_is_not_backed_up_into_itself(stick: Path, clock: FixedClock) -> None:
    box = Box(Journal(), Outputs(MemoryPanel(), clock), clock, machine=(UsbBackupDrive(stick, clock),))
    assert "No backup" in backed_up(box, clock)
    assert not list(stick.glob("*.zip"))


def test_a_fault_of_the_program_is_told_and_logged(box: Box, fake: Callable[[Faked], None], clock: FixedClock) -> None:
    def faulty(*_given: object) -> tuple[Path, Backup]:
        raise ValueError("a fault")

    fake(faulty)
    with expected() as logged:
        assert "The backup was not written" in backed_up(box, clock)
    assert len(logged) == 1


@pytest.mark.usefixtures("stick")
def test_a_game_under_way_can_be_backed_up_and_keeps_what_is_half_typed(box: Box, clock: FixedClock) -> None:
    begin(box, tracking="round")
    press(box, "32")
    before = says(box)
    press(box, "h#")
    assert "Backup written" in backed_up(box, clock)
    press(box, "* *")
    assert says(box) == before


# Games


def put(stick: Path, name: str, text: str | None = None, folder: str = ".") -> None:
    file = stick / folder / f"{name}.toml"
    file.write_text(beginning(name, name.capitalize()) if text is None else text, encoding="utf-8")


def chosen(box: Box, *rows: str) -> str:
    """Open the settings and then each row, and return what the panel says."""
    for row in ("Settings", "Games from USB", *rows):
        press(box, key_of(box, row))
    return says(box)


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
