"""The USB drive that the device and the simulator back up to."""

from __future__ import annotations

import errno
from datetime import date
from pathlib import Path

import pytest

from companion.journal import Journal, JournalError, backup
from hardware import mounted_drives
from hardware.machine.usb_drive import UsbBackupDrive
from tests.fakes.clock import FixedClock
from tests.journal.backups import games_in
from tests.scenes.past_games import PAST, play


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a journal with games."""
    folder = tmp_path / "journal"
    journal = Journal(folder)
    play(journal)
    journal.close()
    return folder


@pytest.fixture
def stick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a drive that is plugged in."""
    stick = tmp_path / "STICK"
    stick.mkdir()
    monkeypatch.setattr(mounted_drives, "drives", lambda: [stick])
    return stick


def test_a_backup_is_written_to_the_first_drive(folder: Path, stick: Path) -> None:
    device = UsbBackupDrive(folder, FixedClock())
    assert device.drive() == "STICK"
    assert device.back_up(date(2026, 11, 22)) == ("STICK/companion-backup-2026-11-22.zip", 0)
    (file,) = stick.iterdir()
    assert len(games_in(file)) == len(PAST)


def test_a_drive_that_was_pulled_out_is_told_about(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mounted_drives, "drives", list)
    assert UsbBackupDrive(folder, FixedClock()).drive() == ""
    with pytest.raises(JournalError, match="no USB drive is plugged in"):
        UsbBackupDrive(folder, FixedClock()).back_up(None)


def test_a_full_drive_is_told_about(folder: Path, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_given: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(backup, "backup_to_drive", full)
    with pytest.raises(JournalError, match="the disk is full"):
        UsbBackupDrive(folder, FixedClock()).back_up(None)


def test_a_journal_on_the_drive_itself_is_not_backed_up_into_itself(stick: Path) -> None:
    with pytest.raises(JournalError, match="in the journal's own folder"):
        UsbBackupDrive(stick, FixedClock()).back_up(None)
