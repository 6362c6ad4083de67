"""Reading a journal in whose folder nothing can be written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from companion.core.text import Text
from companion.journal import DiskFault, JournalFault, LaterVersion, NoJournal, apart
from companion.journal.apart import read_what_there_is
from companion.journal.opening import open_journal
from tests.journal.test_sqlite import NOBODY, pull_the_plug


@pytest.fixture
def protected() -> Iterator[Path]:
    """A folder that may be read and entered by anybody, and written by nobody but root."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "box"
        with closing(open_journal(Path(name) / "before", 0.0)[0]) as journal:
            journal.begin("header", "full", 1.0)
            journal.append_all(1, 1, ("one", "two"), False, 2.0)
            journal.keep_setting("language", "fr")
            journal.leave_in(1)
            pull_the_plug(Path(name) / "before", folder)
        (folder / "journal.db-shm").unlink()  # the plug takes it
        Path(name).chmod(0o755)
        folder.chmod(0o555)
        for file in folder.iterdir():
            file.chmod(0o444)
        yield folder
        folder.chmod(0o755)


@contextmanager
def without_rights() -> Iterator[None]:
    """Let permissions bind, also where the tests are run by root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_the_last_evening_is_read_too_where_no_file_can_be_made_beside_it(protected: Path) -> None:
    with without_rights(), closing(read_what_there_is(protected)) as journal:
        assert journal.lines(1) == ["one", "two"]
        assert (journal.open_game(), journal.setting("language")) == (1, "fr")
        with pytest.raises(JournalFault, match="opened for reading only"):
            journal.append(1, 3, "three", False, 3.0)


def test_where_none_was_ever_begun_it_is_an_empty_one(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "journal.db").touch()
    for folder in (tmp_path / "nowhere", tmp_path / "empty"):
        assert read_what_there_is(folder).games() == []


def test_a_journal_that_is_closed_is_not_read_into_memory(tmp_path: Path) -> None:
    journal, _notice = open_journal(tmp_path, 0.0)
    journal.close()
    with pytest.raises(JournalFault, match="closed"):
        journal.in_memory()


def test_what_cannot_be_read_either_way_is_said(protected: Path) -> None:
    (protected / "journal.db").chmod(0o000)
    with without_rights(), pytest.raises(JournalFault, match="cannot be read"):
        read_what_there_is(protected)


def test_a_journal_that_was_cut_off_before_anything_was_in_it_is_an_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "journal.db").touch()

    def refusing(folder: Path) -> object:
        if folder == tmp_path:
            raise DiskFault("no room for SQLite's files", Text("the disk is full"))
        raise NoJournal("there is no journal")

    monkeypatch.setattr(apart, "read_journal", refusing)
    assert read_what_there_is(tmp_path).games() == []


def test_a_damaged_journal_is_read_as_it_will_be_once_it_can_be_mended(protected: Path) -> None:
    content = bytearray((protected / "journal.db").read_bytes())
    content[:100] = bytes(100)
    (protected / "journal.db").chmod(0o644)
    (protected / "journal.db").write_bytes(content)
    with without_rights(), closing(read_what_there_is(protected)) as journal:
        assert journal.lines(1) == ["one", "two"]


def test_a_journal_that_is_gone_is_read_from_its_backup(tmp_path: Path) -> None:
    with closing(open_journal(tmp_path, 0.0)[0]) as journal:
        journal.begin("header", "full", 1.0)
        journal.append_all(1, 1, ("one", "two"), False, 2.0)
        journal.back_up()
    (tmp_path / "journal.db").unlink()
    with closing(read_what_there_is(tmp_path)) as there:
        assert there.lines(1) == ["one", "two"]


def test_a_damaged_journal_takes_nothing_from_a_backup_of_another_one(tmp_path: Path) -> None:
    for name in ("mine", "other"):
        with closing(open_journal(tmp_path / name, 0.0)[0]) as journal:
            journal.begin(f"header of {name}", "full", 1.0)
            journal.append_all(1, 1, ("one", "two"), False, 2.0)
            journal.back_up()
    (tmp_path / "mine" / "journal-backup.db").write_bytes((tmp_path / "other" / "journal-backup.db").read_bytes())
    content = (tmp_path / "mine" / "journal.db").read_bytes()
    (tmp_path / "mine" / "journal.db").write_bytes(bytes(100) + content[100:])
    with closing(read_what_there_is(tmp_path / "mine")) as there:
        assert [saved.header for saved in there.games()] == ["header of mine"]


def test_a_journal_of_a_later_version_is_left_to_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def later(_: Path) -> object:
        raise LaterVersion("it has format 9, this one knows up to 2")

    monkeypatch.setattr(apart, "read_journal", later)
    with pytest.raises(LaterVersion):
        read_what_there_is(tmp_path)
