"""Backups to a USB drive: offered where one is plugged in, written in a thread, and told about."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from threading import Event

import pytest

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.journal import Journal, JournalError
from hardware.machine.usb_drive import LOOK, UsbBackupDrive
from tests.app.boxes import begin, key_of, press, run_due, says
from tests.fakes.clock import FixedClock
from tests.raised_errors import expected


class Drive(UsbBackupDrive):
    """A drive that can be plugged in, and that finishes a backup when told."""

    def __init__(self, clock: FixedClock) -> None:
        super().__init__(Path(), clock)
        self.name = "STICK"
        self.fault: Exception | None = None
        self.damaged = 0
        self.finish = Event()
        self.days: list[date | None] = []

    def drive(self) -> str:
        return self.name

    def back_up(self, day: date | None) -> tuple[str, int]:
        self.days.append(day)
        self.finish.wait(10)
        if self.fault is not None:
            raise self.fault
        return f"{self.name}/backup.zip", self.damaged


@pytest.fixture
def drive(clock: FixedClock) -> Drive:
    return Drive(clock)


@pytest.fixture
def clock() -> FixedClock:
    clock = FixedClock()
    clock.time = datetime(2026, 11, 22, 20, 15).timestamp()
    return clock


@pytest.fixture
def box(drive: Drive, clock: FixedClock) -> Box:
    return Box(Journal(), Outputs(MemoryPanel(), clock), clock, machine=(drive,))


def at_settings(box: Box) -> Box:
    """Open the settings."""
    return press(box, key_of(box, "Settings"))


def end(box: Box, drive: Drive, clock: FixedClock) -> None:
    """Let the drive finish, and the loop look until it has told so."""
    drive.finish.set()
    while box.machine.features[0].due is not None:
        clock.let_pass(LOOK)
        run_due(box, clock)


def test_the_row_is_there_only_while_a_drive_is_plugged_in(box: Box, drive: Drive) -> None:
    assert "Back up to USB" in says(at_settings(box))
    drive.name = ""
    assert "Back up to USB" not in says(at_settings(press(box, "*")))


def test_a_program_without_drives_has_no_such_row(clock: FixedClock) -> None:
    box = Box(Journal(), Outputs(MemoryPanel(), clock), clock)
    assert "Back up" not in says(at_settings(box))


def test_a_backup_is_written_while_keys_go_on_and_the_panel_says_where_it_is(
    box: Box, drive: Drive, clock: FixedClock
) -> None:
    press(at_settings(box), key_of(box, "Back up to USB"))
    assert "Writing the backup" in says(box)
    press(box, "*")
    assert "New game" in says(box)
    clock.let_pass(LOOK)
    run_due(box, clock)
    assert drive.due == clock.passed() + LOOK
    end(box, drive, clock)
    assert "Backup written: STICK/backup.zip" in says(box)
    assert drive.days == [date(2026, 11, 22)]


def test_the_panel_says_that_games_are_damaged(box: Box, drive: Drive, clock: FixedClock) -> None:
    drive.damaged = 2
    press(at_settings(box), key_of(box, "Back up to USB"))
    end(box, drive, clock)
    assert "Backup written, but games may not be whole: 2. STICK/backup.zip" in says(box)


def test_only_one_backup_is_written_at_a_time(box: Box, drive: Drive, clock: FixedClock) -> None:
    press(at_settings(box), key_of(box, "Back up to USB") * 3)
    end(box, drive, clock)
    assert len(drive.days) == 1


def test_a_clock_that_is_not_set_gives_no_day(box: Box, drive: Drive, clock: FixedClock) -> None:
    clock.time = 0.0
    press(at_settings(box), key_of(box, "Back up to USB"))
    end(box, drive, clock)
    assert drive.days == [None]


def test_the_panel_says_why_there_is_no_backup(box: Box, drive: Drive, clock: FixedClock) -> None:
    drive.fault = JournalError("the disk is full")
    press(at_settings(box), key_of(box, "Back up to USB"))
    end(box, drive, clock)
    assert "No backup: the disk is full" in says(box)


def test_a_fault_of_the_program_is_told_and_logged(box: Box, drive: Drive, clock: FixedClock) -> None:
    drive.fault = ValueError("a fault")
    with expected() as logged:
        press(at_settings(box), key_of(box, "Back up to USB"))
        end(box, drive, clock)
    assert "The backup was not written" in says(box)
    assert len(logged) == 1


def test_a_game_under_way_can_be_backed_up_and_keeps_what_is_half_typed(
    box: Box, drive: Drive, clock: FixedClock
) -> None:
    begin(box, tracking="round")
    press(box, "32")
    before = says(box)
    press(box, "h#")
    at_settings(box)
    press(box, key_of(box, "Back up to USB"))
    end(box, drive, clock)
    assert "Backup written" in says(box)
    press(box, "* *")
    assert says(box) == before
