"""After a roll-back the panel says so, until a key is pressed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.cli.start_notices import marking_as_read, roll_back_notice
from companion.installation.places import InstallationPaths
from companion.journal import Journal
from tests.app.boxes import new_box

WRITTEN = "0.3.0 0.2.0 exit-code 1790000000\n"


@pytest.fixture
def note(tmp_path: Path) -> Path:
    return tmp_path / "went-back"


@pytest.fixture
def read(tmp_path: Path) -> Path:
    """Return the file in the folder of the service."""
    return tmp_path / "went-back-read"


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("timeout", "0.3.0 did not start: back to 0.2.0"),
        ("watchdog", "0.3.0 hung: back to 0.2.0"),
        ("exit-code", "0.3.0 failed: back to 0.2.0"),
        ("success", "0.3.0 failed: back to 0.2.0"),
    ],
)
def test_the_sentence_names_both_versions_and_what_happened(note: Path, read: Path, result: str, said: str) -> None:
    note.write_text(f"0.3.0 0.2.0 {result} 1790000000\n")
    assert str(roll_back_notice(note, read)) == said
    assert note.exists()


def test_versions_as_long_as_any_that_is_installed_are_named(note: Path, read: Path) -> None:
    new, old = f"0.3.0~rc1+git20261130.{'1' * 39}", f"0.2.0~rc1+git20261101.{'2' * 39}"
    note.write_text(f"{new} {old} exit-code 1790000000\n")
    assert str(roll_back_notice(note, read)) == f"{new} failed: back to {old}"


def test_without_a_roll_back_nothing_is_said(note: Path, read: Path) -> None:
    assert roll_back_notice(note, read) is None


@pytest.mark.parametrize(
    "written", ["", "0.3.0", "0.3.0 \n", "a b c\n", "\0" * 50, "0.3.0 " + "9" * 500 + "\n", "{} {} timeout 1\n"]
)
def test_a_damaged_note_says_nothing_and_stays_as_it_is_root_s(note: Path, read: Path, written: str) -> None:
    note.write_text(written)
    assert roll_back_notice(note, read) is None
    assert note.exists()


def test_a_note_that_is_no_file_is_no_fault(note: Path, read: Path) -> None:
    note.mkdir()
    assert roll_back_notice(note, read) is None


def test_after_the_first_key_a_note_counts_as_read_and_a_later_one_does_not(note: Path, read: Path) -> None:
    note.write_text(WRITTEN)
    passed: list[str] = []
    put = marking_as_read(note, read, passed.append)
    put("1")
    assert roll_back_notice(note, read) is None
    note.write_text("0.4.0 0.2.0 exit-code 1790000001\n")
    put("2")
    assert passed == ["1", "2"]
    assert str(roll_back_notice(note, read)) == "0.4.0 failed: back to 0.2.0"


def test_a_note_that_was_read_is_on_the_disk_before_the_key_counts(
    note: Path, read: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.readlink(f"/proc/self/fd/{descriptor}")))
    note.write_text(WRITTEN)
    marking_as_read(note, read, lambda _: synced.append("key"))("1")
    assert synced == [str(read.with_name(f".{read.name}.new")), str(read.parent), "key"]


def test_the_same_version_that_fails_again_is_said_again(note: Path, read: Path) -> None:
    note.write_text(WRITTEN)
    marking_as_read(note, read, lambda _: None)("1")
    note.write_text("0.3.0 0.2.0 exit-code 1790000999\n")
    assert roll_back_notice(note, read) is not None


def test_what_was_read_is_a_file_of_the_service_alone_even_where_a_link_was_put(note: Path, tmp_path: Path) -> None:
    note.write_text(WRITTEN)
    other = tmp_path / "other"
    other.write_text("as it was")
    read = tmp_path / "went-back-read"
    read.symlink_to(other)
    marking_as_read(note, read, lambda _: None)("1")
    assert (other.read_text(), read.is_symlink()) == ("as it was", False)


def test_it_is_the_file_that_the_roll_back_writes() -> None:
    script = (Path(__file__).parents[2] / "systemd/roll-back.sh").read_text()
    assert '"$home/went-back.new" "$home/went-back"\n' in script
    assert "home=$root/opt/companion\n" in script
    assert str(InstallationPaths().roll_back_note) == "/opt/companion/went-back"


def test_the_box_shows_it_once_at_its_start(note: Path, read: Path) -> None:
    note.write_text(WRITTEN)
    journal = Journal()
    told = roll_back_notice(note, read)
    assert told is not None
    journal.notices.append(told)
    box = new_box(journal)
    assert str(box.state.panel.message) == "0.3.0 failed: back to 0.2.0"
