"""After a roll-back the panel says so, until a key is pressed."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli.went_back import forgetting, notice
from companion.installation.places import Places
from companion.journal import Journal
from tests.app.controllers import new_controller


@pytest.fixture
def note(tmp_path: Path) -> Path:
    return tmp_path / "went-back"


def test_the_sentence_names_both_versions(note: Path) -> None:
    note.write_text("0.3.0 0.2.0\n")
    assert str(notice(note)) == "0.3.0 did not start: back to 0.2.0"
    assert note.exists()


def test_without_a_roll_back_nothing_is_said(note: Path) -> None:
    assert notice(note) is None


@pytest.mark.parametrize(
    "written", ["", "0.3.0", "0.3.0 \n", "a b c\n", "\0" * 50, "0.3.0 " + "9" * 500 + "\n", "{} {}\n"]
)
def test_a_damaged_note_says_nothing_and_is_removed(note: Path, written: str) -> None:
    note.write_text(written)
    assert notice(note) is None
    assert not note.exists()


def test_a_note_that_is_no_file_is_no_fault(note: Path) -> None:
    note.mkdir()
    assert notice(note) is None


def test_the_note_is_removed_with_the_first_key_alone(note: Path) -> None:
    note.write_text("0.3.0 0.2.0\n")
    passed: list[str] = []
    put = forgetting(note, passed.append)
    put("1")
    note.write_text("of a later roll-back")
    put("2")
    assert passed == ["1", "2"]
    assert note.exists()


def test_it_is_the_file_that_the_roll_back_writes() -> None:
    script = (Path(__file__).parents[2] / "systemd/roll-back.sh").read_text()
    assert f"$root{Places().went_back}\n" in script
    assert Places().went_back.name == "went-back"


def test_the_box_shows_it_once_at_its_start(note: Path) -> None:
    note.write_text("0.3.0 0.2.0\n")
    journal = Journal()
    told = notice(note)
    assert told is not None
    journal.notices.append(told)
    box = new_controller(journal)
    assert str(box.message) == "0.3.0 did not start: back to 0.2.0"
