"""What a start tells of a roll-back until a key is pressed, and once of an update."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest

from companion.cli.start_notices import marking_as_read, roll_back_notice, update_notice
from companion.installation.places import InstallationPaths
from companion.journal import Journal
from tests.app.boxes import new_box
from tests.line_tables import Row, cases, given, says

WRITTEN = "0.3.0 0.2.0 exit-code 1790000000\n"
COMPARED = "companion.cli.start_notices._is_newer"


def roll_back_notes(note: str | bytes) -> str:
    """Return what is said of a note of a roll-back, which stays as it is."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "went-back")
        file.write_text(str(note))
        said = roll_back_notice(file, Path(folder, "read"))
        assert file.read_text() == note
    return "nothing" if said is None else str(said)


def last_versions(before: str | bytes) -> str:
    """Return what version 0.3.0 says where this is the file with the version that ran last; it is written anew."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "version")
        file.write_bytes(before if isinstance(before, bytes) else before.encode())
        if shutil.which("dpkg"):
            said = update_notice(file, "0.3.0")
        else:
            with patch(COMPARED, lambda version, than: version > than):
                said = update_notice(file, "0.3.0")
        assert file.read_text() == "0.3.0\n"
    return "nothing" if said is None else str(said)


@pytest.mark.parametrize(("name", "rows"), cases("roll-back-notes", "last-versions"))
def test_of_each_file_is_said_what_was_accepted(name: str, rows: list[Row]) -> None:
    assert [(row.given, says(name)(given(row.given))) for row in rows] == rows


@pytest.fixture
def note(tmp_path: Path) -> Path:
    file = tmp_path / "went-back"
    file.write_text(WRITTEN)
    return file


@pytest.fixture
def read(tmp_path: Path) -> Path:
    """Return the file in the folder of the service."""
    return tmp_path / "went-back-read"


def test_what_cannot_be_read_or_written_is_no_fault(tmp_path: Path, read: Path) -> None:
    assert roll_back_notice(tmp_path / "none", read) is None
    assert roll_back_notice(tmp_path, read) is None
    assert update_notice(tmp_path, "0.3.0") is None
    assert update_notice(tmp_path / "missing" / "version", "0.3.0") is None


def test_after_the_first_key_a_note_counts_as_read_and_a_later_one_does_not(note: Path, read: Path) -> None:
    passed: list[str] = []
    put = marking_as_read(note, read, passed.append)
    put("1")
    assert roll_back_notice(note, read) is None
    note.write_text("0.3.0 0.2.0 exit-code 1790000999\n")  # the same version again
    put("2")
    assert passed == ["1", "2"]
    assert str(roll_back_notice(note, read)) == "0.3.0 failed: back to 0.2.0"


def test_a_note_that_was_read_is_on_the_disk_before_the_key_counts(
    note: Path, read: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.readlink(f"/proc/self/fd/{descriptor}")))
    marking_as_read(note, read, lambda _: synced.append("key"))("1")
    assert synced == [str(read.with_name(f".{read.name}.new")), str(read.parent), "key"]


def test_what_was_read_is_a_file_of_the_service_alone_even_where_a_link_was_put(
    note: Path, read: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.write_text("as it was")
    read.symlink_to(other)
    marking_as_read(note, read, lambda _: None)("1")
    assert (other.read_text(), read.is_symlink()) == ("as it was", False)


def test_it_is_the_file_that_the_roll_back_writes() -> None:
    script = (Path(__file__).parents[2] / "systemd/roll-back.sh").read_text()
    assert '"$home/went-back.new" "$home/went-back"\n' in script
    assert "home=$root/opt/companion\n" in script
    assert str(InstallationPaths().roll_back_note) == "/opt/companion/went-back"


def test_the_box_shows_it_once_at_its_start(note: Path, read: Path) -> None:
    journal = Journal()
    told = roll_back_notice(note, read)
    assert told is not None
    journal.notices.append(told)
    assert str(new_box(journal).state.panel.message) == "0.3.0 failed: back to 0.2.0"
