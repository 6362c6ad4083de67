"""What is kept of a journal that is damaged, what is said of it, and what its backup is good for."""

from __future__ import annotations

import fcntl
import os
import random
import shutil
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.journal import DiskFault, JournalFault, backup, connecting, examining, pages, salvage, schema, wal
from companion.journal.opening import Notice, open_journal, read_journal
from companion.journal.sqlite import SqliteJournal

NOW = datetime(2024, 5, 17, 21, 3, 9).timestamp()
ASIDE = "journal-2024-05-17-210309.db"
PAGE = 4096


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "box"


def opened(folder: Path) -> SqliteJournal:
    """Open a journal of which there must be nothing to say."""
    journal, notice = open_journal(folder, NOW)
    assert notice is None, notice
    return journal


def mended(folder: Path) -> tuple[SqliteJournal, Notice]:
    """Open a journal of which there must be something to say."""
    journal, notice = open_journal(folder, NOW)
    assert notice is not None
    return journal, notice


def play(journal: SqliteJournal, games: int, lines: int, text: str = "line") -> None:
    for _ in range(games):
        number = journal.begin(f"header {len(journal.games()) + 1}", "full", 1.0)
        for sequence in range(1, lines + 1):
            journal.append(number, sequence, f"{text} {number}.{sequence}", False, 2.0)


def pull_the_plug(folder: Path, to: Path) -> Path:
    """Copy a journal's files as they are while it is open: what a disk holds when the power goes."""
    to.mkdir()
    for file in folder.glob("journal*.db*"):
        if not file.name.endswith("-shm"):
            shutil.copyfile(file, to / file.name)
    return to


def overwrite(file: Path, place: int, content: bytes) -> None:
    with file.open("r+b") as handle:
        handle.seek(place)
        handle.write(content)


def frame(number: int) -> int:
    """Return where a frame of a log begins."""
    return 32 + number * (24 + PAGE)


# --- the log -----------------------------------------------------------------------------------------------


@pytest.fixture
def cut(folder: Path, tmp_path: Path) -> Path:
    """A journal as it stood when the power went: one line in the main file, eight more in the log, a frame each."""
    with closing(opened(folder)) as journal:
        play(journal, 1, 1)
    with closing(opened(folder)) as journal:
        for sequence in range(2, 10):
            journal.append(1, sequence, f"line 1.{sequence}", False, 0.0)
        return pull_the_plug(folder, tmp_path / "cut")


def test_a_damaged_frame_in_the_log_costs_nothing_where_later_ones_have_the_same_page(cut: Path) -> None:
    log = (cut / "journal.db-wal").read_bytes()
    overwrite(cut / "journal.db-wal", frame(2) + 500, b"damaged")
    damaged = (cut / "journal.db-wal").read_bytes()
    journal, notice = mended(cut)
    with closing(journal):
        assert journal.lines(1) == [f"line 1.{number}" for number in range(1, 10)]
    assert "(entries are missing from its log)" in notice.details
    assert (cut / f"{ASIDE}-wal").read_bytes() == damaged != log
    opened(cut).close()


def test_what_a_power_cut_tore_off_the_end_of_the_log_is_no_damage(cut: Path) -> None:
    overwrite(cut / "journal.db-wal", frame(7) + 500, b"torn")
    with closing(opened(cut)) as journal:
        assert len(journal.lines(1)) == 8


def test_a_flipped_end_of_a_transaction_is_seen_without_what_sqlite_noted(cut: Path) -> None:
    log = (cut / "journal.db-wal").read_bytes()
    overwrite(cut / "journal.db-wal", frame(3) + 4, bytes(4))
    assert wal.lost_transactions(cut / "journal.db") == 4
    (cut / "journal.db-wal").write_bytes(log)
    assert wal.lost_transactions(cut / "journal.db") == 0


def test_a_transaction_of_several_frames_ends_with_the_last(cut: Path) -> None:
    journal, _ = open_journal(cut, NOW)
    with closing(journal):
        journal.append(1, 10, "long " * 5000, False, 0.0)
        size = (len((cut / "journal.db-wal").read_bytes()) - 32) // (24 + PAGE)
        (cut / "journal.db-wal").with_suffix(".copy").write_bytes((cut / "journal.db-wal").read_bytes())
    log = (cut / "journal.db-wal").with_suffix(".copy").read_bytes()
    (cut / "journal.db-shm").unlink(missing_ok=True)
    (cut / "journal.db-wal").write_bytes(log)
    assert size > 2
    assert wal.lost_transactions(cut / "journal.db") == 0


def test_the_log_can_be_judged_without_what_sqlite_noted_of_it(cut: Path) -> None:
    overwrite(cut / "journal.db-wal", frame(4) + 500, b"damaged")
    assert wal.lost_transactions(cut / "journal.db") == 4
    (cut / "journal.db-shm").write_bytes(bytes(32768))
    assert wal.lost_transactions(cut / "journal.db") == 4
    (cut / "journal.db-shm").write_bytes(bytes(10))
    assert wal.lost_transactions(cut / "journal.db") == 4


def test_sqlite_notes_the_same_as_is_counted(cut: Path) -> None:
    overwrite(cut / "journal.db-wal", frame(4) + 500, b"damaged")
    with closing(read_journal(cut)) as journal:
        assert len(journal.lines(1)) == 5
    assert (cut / "journal.db-shm").exists()
    assert wal.lost_transactions(cut / "journal.db") == 4


@pytest.mark.parametrize("place", [0, 5, 16, 20, 24, 31])
def test_a_log_whose_head_is_damaged_is_not_dropped_in_silence(cut: Path, place: int) -> None:
    overwrite(cut / "journal.db-wal", place, b"\x99")
    journal, notice = mended(cut)
    with closing(journal):
        assert len(journal.lines(1)) == 9
    assert "(its log cannot be read)" in notice.details


def test_a_log_of_one_frame_whose_head_is_damaged_gives_back_what_is_in_it(folder: Path, tmp_path: Path) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 1, 1)
    with closing(opened(folder)) as journal:
        journal.append(1, 2, "line 1.2", False, 0.0)
        cut = pull_the_plug(folder, tmp_path / "cut")
    os.truncate(cut / "journal.db-wal", frame(1))
    overwrite(cut / "journal.db-wal", 0, b"damaged")
    journal, _ = mended(cut)
    with closing(journal):
        assert len(journal.lines(1)) == 2


def test_a_log_that_is_nothing_but_noise_is_said(cut: Path) -> None:
    (cut / "journal.db-wal").write_bytes(random.Random(1).randbytes(40_000))
    journal, _ = mended(cut)
    with closing(journal):
        assert len(journal.lines(1)) == 1


def test_a_torn_head_of_a_log_that_is_all_in_the_main_file_is_no_damage(cut: Path, tmp_path: Path) -> None:
    with closing(opened(cut)):
        torn = pull_the_plug(cut, tmp_path / "torn")  # the opening has gathered everything in the main file
    overwrite(torn / "journal.db-wal", 12, b"torn")
    with closing(opened(torn)) as journal:
        assert len(journal.lines(1)) == 9


def test_a_log_alone_still_gives_what_is_in_it(cut: Path) -> None:
    (cut / "journal.db").unlink()
    journal, notice = mended(cut)
    with closing(journal):
        assert journal.games() == []  # no header was in the log
    assert str(notice.text) == "Journal damaged: nothing could be read."


# --- mending -----------------------------------------------------------------------------------------------


def test_a_journal_that_another_program_holds_is_not_taken_for_damaged(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 1, 1)
    monkeypatch.setattr(connecting, "PATIENCE", 0.0)
    with closing(sqlite3.connect(folder / "journal.db", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(JournalFault, match=r"another program holds it$"):
            open_journal(folder, NOW)
    opened(folder).close()


def test_a_disk_that_knows_no_locks_is_a_sentence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(lock: int, operation: int) -> None:
        raise OSError(95, "Operation not supported")

    with monkeypatch.context() as patch:
        patch.setattr(fcntl, "flock", failing)
        with pytest.raises(JournalFault, match=r"Operation not supported$"):
            open_journal(folder, NOW)
    opened(folder).close()


def test_a_disk_that_fails_while_it_is_looked_at_is_no_damage(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(database: Path, mode: str) -> sqlite3.Connection:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR
        raise error

    with closing(opened(folder)) as journal:
        play(journal, 1, 2)
    with monkeypatch.context() as patch:
        patch.setattr(examining, "connect", failing)
        with pytest.raises(DiskFault, match=r"the disk is full or failing$"):
            open_journal(folder, NOW)
    with closing(opened(folder)) as journal:
        assert len(journal.lines(1)) == 2


def test_games_keep_their_numbers_and_the_settings_stay(folder: Path) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 3, 2)
        journal.track(2, "score only")
        journal.append(3, 3, "the last", True, 0.0)
        journal.keep_setting("language", "fr")
        journal.leave_in(2)
        before = journal.games()
    overwrite(folder / "journal.db", 0, bytes(PAGE))
    journal, notice = mended(folder)
    with closing(journal):
        assert journal.games() == before
        assert journal.setting("language") == "fr"
        assert journal.open_game() == 2
        assert journal.begin("fourth", "full", 0.0) == 4
    assert str(notice.text) == "Journal damaged: 3 of 3 games kept."


def test_a_game_without_its_header_is_said_to_be_missing(folder: Path) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 2, 2)
    data = (folder / "journal.db").read_bytes()
    overwrite(folder / "journal.db", data.index(b"header 1"), b"h\xff")
    journal, notice = mended(folder)
    with closing(journal):
        assert [saved.number for saved in journal.games()] == [2]
    assert str(notice.text) == "Journal damaged: 1 of 2 games kept."


def test_a_line_longer_than_a_page_is_kept_and_one_whose_end_is_damaged_is_not(folder: Path) -> None:
    long = ["x" * 3000 + "é", "y" * 20_000, "z" * 20_000]
    with closing(opened(folder)) as journal:
        journal.begin("h" * 9000, "full", 1.0)
        journal.append_all(1, 1, long, False, 2.0)
    data = (folder / "journal.db").read_bytes()
    overwrite(folder / "journal.db", 0, bytes(PAGE))
    overwrite(folder / "journal.db", data.index(b"z" * 4000), b"!")
    journal, _ = mended(folder)
    with closing(journal):
        assert journal.games()[0].header == "h" * 9000
        assert journal.lines(1) == long[:2]


def test_what_was_chosen_is_kept_but_for_what_is_damaged(folder: Path) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 1, 1)
        journal.keep_setting("language", "fr")
        journal.keep_setting("roster", "Aki and Bea")
    data = (folder / "journal.db").read_bytes()
    overwrite(folder / "journal.db", data.index(b"Aki and"), b"Eki")
    journal, _ = mended(folder)
    with closing(journal):
        assert journal.setting("language") == "fr"
        assert journal.setting("roster") is None


def test_chains_of_pages_that_lead_nowhere_end(folder: Path) -> None:
    with closing(opened(folder)) as journal:
        journal.begin("header", "full", 1.0)
        journal.append(1, 1, "y" * 20_000, False, 2.0)
    data = (folder / "journal.db").read_bytes()
    overwrite(folder / "journal.db", data.index(b"y" * 4000) - 4, struct.pack(">I", 999))
    journal, _ = mended(folder)
    with closing(journal):
        assert journal.lines(1) == []


def test_where_the_box_was_left_is_not_taken_from_an_older_page(folder: Path, tmp_path: Path) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 1, 1)
        journal.leave_in(1)
        journal.leave_in(None)
        cut = pull_the_plug(folder, tmp_path / "cut")
    overwrite(cut / "journal.db-wal", 0, b"damaged")
    journal, _ = mended(cut)
    with closing(journal):
        assert journal.open_game() is None


def test_whatever_byte_of_the_head_is_damaged_nothing_is_lost(folder: Path, tmp_path: Path) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 1, 2)
    data = (folder / "journal.db").read_bytes()
    for place in range(100):
        damaged = tmp_path / f"{place}"
        damaged.mkdir()
        (damaged / "journal.db").write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        journal, _ = open_journal(damaged, NOW)
        with closing(journal):
            assert journal.lines(1) == ["line 1.1", "line 1.2"], place
            journal.append(1, 3, "line 1.3", False, 0.0)


@pytest.mark.parametrize("instead", [b"CHECK (ove\xf2", b"CHECK (oves", b"CHECK (2ver"])
@pytest.mark.parametrize("seen", ["before it is opened", "while it is opened"])
def test_a_damaged_condition_is_damage_though_reading_does_not_mind(
    folder: Path, monkeypatch: pytest.MonkeyPatch, instead: bytes, seen: str
) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 1, 2)
    data = (folder / "journal.db").read_bytes()
    assert data.count(b"CHECK (over") == 1
    (folder / "journal.db").write_bytes(data.replace(b"CHECK (over", instead))
    with monkeypatch.context() as patch:
        if seen == "while it is opened":
            patch.setattr(schema, "has_its_tables", lambda connection: True)
        journal, _ = mended(folder)
    with closing(journal):
        assert len(journal.lines(1)) == 2
    opened(folder).close()


def test_a_mending_that_the_plug_was_pulled_in_is_finished_and_said(folder: Path, tmp_path: Path) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 2, 3)
        good = salvage.gather(folder / "journal.db")
        cut = pull_the_plug(folder, tmp_path / "cut")
    overwrite(cut / "journal.db", 0, bytes(PAGE))
    salvage.write(salvage.gather(cut / "journal.db"), cut / f"{ASIDE}-mended")
    (cut / "journal.db").rename(cut / ASIDE)
    log = (cut / "journal.db-wal").read_bytes()
    journal, notice = mended(cut)
    with closing(journal):
        assert {saved.number for saved in journal.games()} == set(good.games)
        assert len(journal.lines(2)) == 3
    assert (cut / f"{ASIDE}-wal").read_bytes() == log
    assert str(notice.text) == "Journal damaged: what could be read was kept."
    assert not (cut / f"{ASIDE}-mended").exists()
    opened(cut).close()


NOTICES = (
    "Journal damaged: nothing could be read.",
    "Journal damaged: {here} of {all} games kept.",
    "Journal damaged: {here} of {all} games kept, {cut} cut short.",
    "Journal damaged: what could be read was kept.",
    "The journal was gone. Its backup is here: {here} games.",
    "The backup was damaged. The journal is not: nothing is lost.",
    "the journal is damaged: switch off and on, and it is mended",
)


# --- the backup --------------------------------------------------------------------------------------------


def test_where_the_journal_is_gone_the_backup_takes_its_place(folder: Path) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 2, 3)
        journal.keep_setting("language", "fr")
        journal.leave_in(2)
        journal.back_up()
        games = journal.games()
        journal.append(2, 4, "after the backup", False, 0.0)
    for end in ("", "-wal", "-shm"):
        (folder / f"journal.db{end}").unlink(missing_ok=True)
    journal, notice = mended(folder)
    with closing(journal):
        assert journal.games() == games
        assert len(journal.lines(2)) == 3
        assert journal.setting("language") == "fr"
        assert journal.open_game() == 2
    assert str(notice.text) == "The journal was gone. Its backup is here: 2 games."
    opened(folder).close()


def test_lines_that_only_the_backup_has_are_taken_from_it(folder: Path, tmp_path: Path) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 1, 3)
    older = pull_the_plug(folder, tmp_path / "older")
    with closing(opened(folder)) as journal:
        journal.append(1, 4, "line 1.4", False, 2.0)
        play(journal, 1, 2)
        journal.back_up()
    shutil.copyfile(folder / "journal-backup.db", older / "journal-backup.db")
    journal, notice = mended(older)
    with closing(journal):
        assert [len(journal.lines(game)) for game in (1, 2)] == [4, 2]
    assert "(entries are missing from it)" in notice.details


def test_the_backup_of_another_journal_is_left_alone(folder: Path, tmp_path: Path) -> None:
    with closing(opened(tmp_path / "other")) as journal:
        play(journal, 3, 5, "another's")
        journal.back_up()
    with closing(opened(folder)) as journal:
        journal.begin("ours", "full", 0.0)
    shutil.copyfile(tmp_path / "other" / "journal-backup.db", folder / "journal-backup.db")
    opened(folder).close()
    overwrite(folder / "journal.db", 0, bytes(PAGE))
    journal, _ = mended(folder)
    with closing(journal):
        assert [saved.header for saved in journal.games()] == ["ours"]
    assert (folder / "journal-2024-05-17-210309-backup.db").exists()


@pytest.mark.parametrize("kind", ["noise", "empty", "folder"])
def test_a_damaged_backup_is_set_aside_and_said_and_made_anew(folder: Path, kind: str) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 1, 3)
    copy = folder / "journal-backup.db"
    if kind == "folder":
        copy.mkdir()
    else:
        copy.write_bytes(b"noise" * 1000 if kind == "noise" else b"")
    journal, notice = mended(folder)
    with closing(journal):
        assert len(journal.lines(1)) == 3
    assert str(notice.text) == "The backup was damaged. The journal is not: nothing is lost."
    assert (folder / "journal-2024-05-17-210309-backup.db").exists()
    copy.unlink()  # a new one was made at once
    opened(folder).close()


def test_where_both_are_damaged_both_are_set_aside_and_what_either_has_is_kept(folder: Path) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 1, 3)
        journal.back_up()
    overwrite(folder / "journal.db", 0, bytes(PAGE))
    overwrite(folder / "journal-backup.db", 0, bytes(PAGE))
    journal, _ = mended(folder)
    with closing(journal):
        assert len(journal.lines(1)) == 3
    assert (folder / ASIDE).exists()
    assert (folder / "journal-2024-05-17-210309-backup.db").exists()
    opened(folder).close()


def test_the_backup_holds_the_latest_games_and_the_one_on_the_table(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "KEPT", 2500)
    with closing(opened(folder)) as journal:
        play(journal, 10, 20, "x" * 20)
        journal.leave_in(2)
        journal.back_up()
        size = (folder / "journal-backup.db").stat().st_size
    assert size < 30_000
    assert sorted(salvage.gather(folder / "journal-backup.db").games) == [2, 10]


def test_nothing_is_written_where_nothing_was_entered_since_the_last_backup(folder: Path) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 1, 3)
        journal.back_up()
        (folder / "journal-backup.db").unlink()
        journal.back_up()
        assert not (folder / "journal-backup.db").exists()
        journal.append(1, 4, "line", False, 0.0)
        journal.back_up()
        assert (folder / "journal-backup.db").exists()
    with pytest.raises(JournalFault, match=r"^the journal is closed$"):
        journal.back_up()


def rot(file: Path, text: str) -> None:
    """Let the first letter of a text in a file become another one."""
    content = file.read_bytes()
    place = content.index(text.encode())
    file.write_bytes(content[:place] + b"X" + content[place + 1 :])


def test_a_sound_backup_is_not_written_over_with_what_has_rotten_since(folder: Path) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 3, 5)
        journal.leave_in(3)
        journal.back_up()
    rot(folder / "journal.db", "line 1.4")
    with closing(opened(folder)) as journal:
        for _ in range(2):  # the second time it is known
            with suppress(JournalFault):
                journal.back_up()
            journal.append(3, len(journal.lines(3)) + 1, "more", False, 0.0)
    journal, notice = mended(folder)
    with closing(journal):
        assert str(notice.text) == "Journal damaged: 3 of 3 games kept."
        assert [saved.lines for saved in journal.games()] == [7, 5, 5]


def test_of_a_journal_that_is_gone_a_damaged_backup_still_gives_what_can_be_read(folder: Path) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 3, 2)
        journal.back_up()
    (folder / "journal.db").unlink()
    rot(folder / "journal-backup.db", "header 2")
    journal, notice = mended(folder)
    with closing(journal):
        assert str(notice.text) == "The journal was gone. Its backup is here: 2 games."
        assert [saved.number for saved in journal.games()] == [3, 1]


def test_a_damaged_journal_beside_a_damaged_backup_of_another_one_starts_at_once(folder: Path, tmp_path: Path) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 3, 2)
    with closing(opened(tmp_path / "other")) as journal:
        play(journal, 3, 2, "other line")
        journal.back_up()
    shutil.copyfile(tmp_path / "other" / "journal-backup.db", folder / "journal-backup.db")
    for name in ("journal.db", "journal-backup.db"):
        rot(folder / name, "header 2")
    journal, _notice = mended(folder)
    with closing(journal):
        assert [saved.number for saved in journal.games()] == [3, 1]


def test_a_backup_of_a_journal_with_other_games_is_not_missed_in_it(folder: Path, tmp_path: Path) -> None:
    with closing(opened(tmp_path / "other")) as journal:
        journal.begin("old", "full", 1.0, 7)
        journal.back_up()
    with closing(opened(folder)) as journal:
        play(journal, 1, 1)
    shutil.copyfile(tmp_path / "other" / "journal-backup.db", folder / "journal-backup.db")
    with closing(opened(folder)) as journal:
        assert len(journal.games()) == 1


def test_where_no_new_backup_can_be_made_a_mended_journal_is_mended_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 2, 4)
        journal.back_up()
    for name in ("journal.db", "journal-backup.db"):
        rot(folder / name, "line 1.3")
    rot(folder / "journal.db", "header 2")

    def full(_: Path) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(backup, "write", full)
        mended(folder)[0].close()
        opened(folder).close()


def test_a_disk_without_room_for_a_new_journal_is_left_without_half_of_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 2, 4)
    rot(folder / "journal.db", "header 1")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(DiskFault, match="the disk is full"):
            open_journal(folder, NOW)
    assert not list(folder.glob("*mended*"))
    mended(folder)[0].close()


def test_a_row_with_a_value_of_another_kind_is_damaged() -> None:
    assert schema.all_sound(
        [(1, "header", "full", 0, 1.0, schema.of_game(1, "header", "full", 0, 1.0))], schema.of_game
    )
    assert not schema.all_sound([(1, "header", "full", 0, "noon", 7)], schema.of_game)


def test_a_reader_makes_no_backup(folder: Path) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 1, 1)
    with closing(read_journal(folder)) as reader:
        reader.back_up()
    assert not (folder / "journal-backup.db").exists()


def test_a_backup_that_cannot_be_written_is_a_sentence_and_the_one_before_stays(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(opened(folder)) as journal:
        play(journal, 1, 1)
        journal.back_up()
        before = (folder / "journal-backup.db").read_bytes()
        journal.append(1, 2, "line", False, 0.0)

        def full(descriptor: int) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(JournalFault, match=r"^no backup: the disk is full$"):
                journal.back_up()
        assert (folder / "journal-backup.db").read_bytes() == before
        journal.back_up()
        assert (folder / "journal-backup.db").read_bytes() != before


# --- the first version -------------------------------------------------------------------------------------


def first(folder: Path) -> None:
    """Lay down a journal as the first version of the program left it."""
    folder.mkdir()
    with closing(sqlite3.connect(folder / "journal.db")) as connection:
        connection.executescript((Path(__file__).parent / "version_1.sql").read_text("utf-8"))
        connection.execute("PRAGMA journal_mode = WAL")


def check_first(journal: SqliteJournal) -> None:
    games = {saved.number: (saved.tracking, saved.over, saved.lines, saved.begun) for saved in journal.games()}
    assert games == {1: ("full", True, 3, 1715979789.25), 2: ("score only", False, 2, 0.0)}
    assert journal.lines(1) == ['{"play":"♥7"}', '{"play":"♣A"}', '{"undo":1}']
    assert journal.lines(2)[0] == '{"note":"' + "x" * 1500 + '"}'
    assert (journal.setting("language"), journal.setting("roster")) == ("fr", "Aki\nBea")
    assert (journal.open_game(), journal.draft(2)) == (2, "12")


def test_a_journal_of_the_first_version_is_migrated_with_everything_kept(folder: Path) -> None:
    first(folder)
    for _ in range(2):
        with closing(opened(folder)) as journal:
            check_first(journal)


def test_a_damaged_journal_of_the_first_version_is_mended_too(folder: Path) -> None:
    first(folder)
    overwrite(folder / "journal.db", 0, bytes(PAGE))
    journal, _ = mended(folder)
    with closing(journal):
        check_first(journal)
    opened(folder).close()


def test_a_line_of_the_first_version_that_is_no_text_is_damage(folder: Path) -> None:
    first(folder)
    data = (folder / "journal.db").read_bytes()
    overwrite(folder / "journal.db", data.index(b'{"undo":1}'), b"\xf5")
    journal, notice = mended(folder)
    with closing(journal):
        assert len(journal.lines(1)) == 2
        assert len(journal.lines(2)) == 2
    assert "2 of 2 games kept" in notice.details


# --- pages -------------------------------------------------------------------------------------------------


@given(st.binary(max_size=200), st.integers(0, 4000), st.sampled_from([2, 10, 13]))
def test_whatever_is_in_a_page_reading_it_ends(noise: bytes, place: int, kind: int) -> None:
    page = bytearray(PAGE)
    page[place : place + len(noise)] = noise
    page[0] = kind
    list(pages.rows(bytes(page[:PAGE]), lambda number: bytes(PAGE) if number % 2 else b""))


@given(
    st.lists(
        st.tuples(
            st.integers(-(2**63), 2**63 - 1),
            st.text(st.characters(exclude_categories=["Cs"])),
            st.floats(allow_nan=False),
            st.none() | st.binary(),
            st.booleans(),
        ),
        max_size=20,
    )
)
def test_every_kind_of_value_is_read_as_sqlite_wrote_it(rows: list[tuple[int, str, float, bytes | None, bool]]) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE}")
        connection.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, a INTEGER, b TEXT, c REAL, d BLOB, e INTEGER)")
        connection.executemany("INSERT INTO t (a, b, c, d, e) VALUES (?, ?, ?, ?, ?)", rows)
        connection.commit()
        content = connection.serialize()

    def page(number: int) -> bytes:
        return content[(number - 1) * PAGE : number * PAGE]

    found = [row for number in range(2, len(content) // PAGE + 1) for _, row in pages.rows(page(number), page)]
    assert sorted(found) == [(number, *row) for number, row in enumerate(rows, start=1)]


def test_a_number_that_is_none_is_no_value() -> None:
    record = bytes([3, 7, 7]) + struct.pack(">dd", 1.5, float("nan"))
    page = bytearray(PAGE)
    page[0], page[3:5], page[8:10] = 10, struct.pack(">H", 1), struct.pack(">H", 1000)
    page[1000 : 1001 + len(record)] = bytes([len(record)]) + record
    assert list(pages.rows(bytes(page), lambda number: b"")) == []
    page[1000 : 1001 + len(record)] = bytes([len(record)]) + bytes([3, 7, 7]) + struct.pack(">dd", 1.5, 2.5)
    assert list(pages.rows(bytes(page), lambda number: b"")) == [(pages.Tree.KEYED, (1.5, 2.5))]


@pytest.mark.parametrize(
    "change",
    [
        lambda: schema.of_line(1, 2, "line", 3.0),
        lambda: schema.of_line(1, 1, "lime", 3.0),
        lambda: schema.of_line(2, 1, "line", 3.0),
        lambda: schema.of_line(1, 1, "line", 3.5),
    ],
)
def test_a_checksum_covers_everything_in_a_row(change: Callable[[], int]) -> None:
    assert change() != schema.of_line(1, 1, "line", 3.0)


def test_a_checksum_is_the_same_for_what_sqlite_keeps_in_the_same_way() -> None:
    assert schema.of_line(1, 1, "line", -0.0) == schema.of_line(1, 1, "line", 0)


@pytest.mark.parametrize("notice", NOTICES)
def test_what_is_said_of_a_journal_fits_the_panel(notice: str) -> None:
    assert len(notice.format(here=100, all=100, cut=10)) <= 4 * 21
