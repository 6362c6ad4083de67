"""What only a journal on a disk goes through: damage, plugs pulled, full disks, two programs at once."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path

import pytest

from companion.journal import JournalFault, Saved, connecting, examining, opening, schema
from companion.journal.opening import open_journal, read_journal
from companion.journal.sqlite import SqliteJournal

NOW = datetime(2024, 5, 17, 21, 3, 9).timestamp()
ASIDE = "journal-2024-05-17-210309.db"
NOBODY = 65534


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "box"


def opened(folder: Path) -> SqliteJournal:
    """Open a journal that must not have been set aside."""
    journal, aside = open_journal(folder, NOW)
    if aside is not None:
        journal.close()
        raise AssertionError(aside.details)
    return journal


def fill(folder: Path, lines: int = 3) -> None:
    with closing(opened(folder)) as journal:
        journal.begin("header", "full", 1.0)
        for sequence in range(1, lines + 1):
            journal.append(1, sequence, f"line {sequence}", False, 2.0)


def pull_the_plug(folder: Path, to: Path) -> None:
    """Copy a journal's files as they are while it is open: what a disk holds when the power goes."""
    to.mkdir()
    for file in folder.glob("journal.db*"):
        shutil.copyfile(file, to / file.name)


def connection_of(journal: SqliteJournal) -> sqlite3.Connection:
    assert journal._connection is not None
    return journal._connection


def logged_pages(folder: Path) -> set[bytes]:
    """Return what stands in the write-ahead log: after its header of 32 bytes, pages with 24 bytes each."""
    log = (folder / "journal.db-wal").read_bytes()
    return {log[start : start + 24 + 4096] for start in range(32, len(log), 24 + 4096)}


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()}


def python(script: str, *args: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, args)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


# --- keeping -----------------------------------------------------------------------------------------------


def test_a_game_is_there_after_opening_again(folder: Path) -> None:
    with closing(opened(folder)) as journal:
        journal.begin("header", "full", 12.5)
        journal.append(1, 1, "line", True, 13.5)
        journal.track(1, "score only")
        journal.leave_in(1)
    with closing(opened(folder)) as journal:
        assert journal.games() == [Saved(1, "header", "score only", True, 1, 12.5)]
        assert journal.lines(1) == ["line"]
        assert journal.open_game() == 1
        assert journal.begin("another", "full", 1.0) == 2
        journal.append(1, 2, "one more", False, 2.0)


def test_everything_is_there_after_the_plug_was_pulled(folder: Path, tmp_path: Path) -> None:
    with closing(opened(folder)) as journal:
        journal.begin("header", "full", 1.0)
        for sequence in range(1, 6):
            journal.append(1, sequence, f"line {sequence}", False, 0.0)
            pull_the_plug(folder, tmp_path / f"after {sequence}")
    for sequence in range(1, 6):
        with closing(opened(tmp_path / f"after {sequence}")) as journal:
            assert journal.lines(1) == [f"line {number}" for number in range(1, sequence + 1)]


def test_a_power_cut_while_the_last_line_was_written_costs_that_line_at_most(folder: Path, tmp_path: Path) -> None:
    with closing(opened(folder)) as journal:
        journal.begin("header", "full", 1.0)
        journal.append(1, 1, "one", False, 0.0)
        before = (folder / "journal.db-wal").read_bytes()
        journal.append(1, 2, "two", False, 0.0)
        after = (folder / "journal.db-wal").read_bytes()
        assert len(after) == len(before)  # the file is written over, from the start, after each opening
        changed = [place for place in range(len(after)) if after[place] != before[place]]
        for number, written in enumerate([*changed[::10], changed[-1], changed[-1] + 1]):
            cut = tmp_path / str(number)
            pull_the_plug(folder, cut)
            (cut / "journal.db-wal").write_bytes(after[:written] + before[written:])
            with closing(opened(cut)) as again:
                assert again.lines(1) == (["one", "two"] if written > changed[-1] else ["one"])
                again.append(1, len(again.lines(1)) + 1, "goes on", False, 0.0)


WRITER = """
import os, sys
from pathlib import Path
from companion.journal.opening import open_journal

journal, aside = open_journal(Path(sys.argv[1]), 0.0)
assert aside is None
if not journal.games():
    journal.begin("header", "full", 0.0)
sequence = journal.games()[0].lines
while True:
    sequence += 1
    journal.append(1, sequence, f"line {sequence}", sequence % 5 == 0, 0.0)
    os.write(1, f"{sequence}\\n".encode())
"""


def test_a_killed_writer_has_kept_every_line_it_said_it_had(folder: Path) -> None:
    chance = random.Random(20240517)
    told = 0
    for _ in range(10):
        with python(WRITER, folder) as writer:
            assert writer.stdout is not None
            for _ in range(chance.randrange(1, 30)):
                told = int(writer.stdout.readline())
            writer.send_signal(signal.SIGKILL)
            told = max([told, *map(int, writer.stdout.read().split())])
        with closing(opened(folder)) as journal:
            lines = journal.lines(1)
            assert told <= len(lines) <= told + 1
            assert lines == [f"line {number}" for number in range(1, len(lines) + 1)]
            assert journal.games()[0].over is (len(lines) % 5 == 0)


def test_the_disk_is_waited_for_at_every_commit(folder: Path) -> None:
    with closing(opened(folder)) as journal:
        connection = connection_of(journal)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)


@pytest.mark.parametrize("over", [False, True])
def test_a_line_is_one_transaction(folder: Path, over: bool) -> None:
    statements: list[str] = []
    with closing(opened(folder)) as journal:
        journal.begin("header", "full", 1.0)
        connection_of(journal).set_trace_callback(statements.append)
        journal.append(1, 1, "line", over, 0.0)
    assert [each for each in statements if each.split()[0] in {"BEGIN", "COMMIT"}] == [
        "BEGIN IMMEDIATE",
        "COMMIT",
    ]
    writes = [i for i, each in enumerate(statements) if each.split()[0] in {"INSERT", "UPDATE"}]
    assert writes
    assert statements.index("BEGIN IMMEDIATE") < min(writes) <= max(writes) < statements.index("COMMIT")


def test_a_line_costs_the_disk_one_page_and_what_stays_the_same_none(folder: Path) -> None:
    with closing(opened(folder)) as journal:
        journal.begin("header", "full", 1.0)
        writes: list[Callable[[], object]] = [
            lambda: journal.append(1, 1, "line", False, 0.0),
            lambda: journal.append(1, 2, "line", False, 0.0),
            lambda: journal.append(1, 3, "line", True, 0.0),
            lambda: journal.leave_in(1),
            lambda: journal.leave_in(1),
        ]
        pages = []
        for write in writes:
            before = logged_pages(folder)
            write()
            pages.append(len(logged_pages(folder) - before))
    assert pages == [1, 1, 2, 1, 0]


def test_counting_lines_does_not_read_them(folder: Path) -> None:
    def steps(journal: SqliteJournal) -> int:
        count = 0

        def step() -> int:
            nonlocal count
            count += 1
            return 0

        connection_of(journal).set_progress_handler(step, 1)
        journal.games()
        connection_of(journal).set_progress_handler(None, 1)
        return count

    fill(folder)
    with closing(opened(folder)) as journal:
        few = steps(journal)
        with connection_of(journal) as connection:
            connection.execute("BEGIN")
            connection.executemany(
                "INSERT INTO lines VALUES (1, ?, 'line', 0.0, 0)", ((number,) for number in range(4, 3000))
            )
        assert journal.games()[0].lines == 2999
        assert steps(journal) == few


def test_a_journal_may_be_opened_in_one_thread_and_used_in_another(folder: Path) -> None:
    numbers: list[int] = []
    with closing(opened(folder)) as journal:
        thread = threading.Thread(target=lambda: numbers.append(journal.begin("header", "full", 0.0)))
        thread.start()
        thread.join()
    assert numbers == [1]


def test_a_folder_of_any_name_will_do(tmp_path: Path) -> None:
    folder = tmp_path / "a b" / "50% of #1?mode=ro&x" / "日本"
    fill(folder)
    assert (folder / "journal.db").is_file()
    with closing(read_journal(folder)) as journal:
        assert len(journal.lines(1)) == 3


def test_a_folder_may_be_named_from_where_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    fill(Path("box"))
    with closing(read_journal(Path("box"))) as journal:
        assert len(journal.lines(1)) == 3
    assert (tmp_path / "box" / "journal.db").is_file()


def test_opening_gathers_what_the_last_evening_left_in_the_main_file(folder: Path, tmp_path: Path) -> None:
    with closing(opened(folder)) as journal:
        journal.begin("header", "full", 0.0)
        pull_the_plug(folder, tmp_path / "cut")
    with closing(opened(tmp_path / "cut")):
        (tmp_path / "main file alone").mkdir()
        shutil.copyfile(tmp_path / "cut" / "journal.db", tmp_path / "main file alone" / "journal.db")
    with closing(read_journal(tmp_path / "main file alone")) as journal:
        assert [saved.header for saved in journal.games()] == ["header"]


# --- one writer --------------------------------------------------------------------------------------------

HOLDER = """
import sys
from pathlib import Path
from companion.journal.opening import open_journal

journal, _ = open_journal(Path(sys.argv[1]), 0.0)
print("open", flush=True)
sys.stdin.read()
"""


def test_a_second_companion_is_told_so_until_the_first_is_gone(folder: Path) -> None:
    with python(HOLDER, folder) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(JournalFault) as refused:
            open_journal(folder, NOW)
        assert str(refused.value).startswith(f"another companion already uses the journal in {folder}")
        assert (f": process {holder.pid}, " in str(refused.value)) is Path("/proc/locks").exists()
        holder.kill()
        holder.wait()
        opened(folder).close()


def test_a_second_opening_in_the_same_process_is_refused_too_and_does_no_harm(folder: Path) -> None:
    with closing(opened(folder)) as journal:
        for _ in range(2):  # the refused one does not take the lock away
            with pytest.raises(JournalFault, match="another companion already uses"):
                open_journal(folder, NOW)
        journal.begin("header", "full", 0.0)
    with closing(opened(folder)) as journal:
        assert len(journal.games()) == 1


def test_the_lock_is_free_again_when_opening_failed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", (("CREATE nonsense",),))
        with pytest.raises(JournalFault):
            open_journal(folder, NOW)
    opened(folder).close()


def test_another_program_in_the_database_is_waited_for_and_then_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connecting, "PATIENCE", 0.0)
    fill(folder)
    with (
        closing(opened(folder)) as journal,
        closing(sqlite3.connect(folder / "journal.db", isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalFault, match=r"^the journal cannot be written: another program holds it$"):
            journal.append(1, 4, "line", False, 0.0)
        assert len(journal.lines(1)) == 3
        other.execute("ROLLBACK")
        journal.append(1, 4, "line", False, 0.0)


# --- reading beside the writer -----------------------------------------------------------------------------


def test_a_reader_sees_what_is_written_while_it_looks(folder: Path) -> None:
    fill(folder)
    with closing(opened(folder)) as writer, closing(read_journal(folder)) as reader:
        assert len(reader.lines(1)) == 3
        writer.append(1, 4, "line 4", True, 0.0)
        writer.leave_in(1)
        assert reader.lines(1)[3:] == ["line 4"]
        assert reader.games() == writer.games()
        assert reader.open_game() == 1


def test_a_reader_does_not_keep_the_box_from_starting(folder: Path) -> None:
    fill(folder)
    with closing(read_journal(folder)) as reader, closing(opened(folder)) as writer:
        writer.append(1, 4, "line 4", False, 0.0)
        assert len(reader.lines(1)) == 4


@pytest.mark.parametrize(
    "write",
    [
        lambda journal: journal.begin("header", "full", 0.0),
        lambda journal: journal.append(1, 4, "line", False, 0.0),
        lambda journal: journal.track(1, "full"),
        lambda journal: journal.leave_in(1),
    ],
    ids=["begin", "append", "track", "leave_in"],
)
def test_a_reader_cannot_write(folder: Path, write: Callable[[SqliteJournal], object]) -> None:
    fill(folder)
    with (
        closing(read_journal(folder)) as reader,
        pytest.raises(JournalFault, match=r"^the journal cannot be written: it was opened for reading only$"),
    ):
        write(reader)


@pytest.mark.parametrize("there", ["no folder", "an empty folder", "an empty file", "a journal never made"])
def test_where_there_is_no_journal_a_reader_says_so_and_makes_none(folder: Path, there: str) -> None:
    if there != "no folder":
        folder.mkdir()
    if there == "an empty file":
        (folder / "journal.db").touch()
    if there == "a journal never made":
        with closing(sqlite3.connect(folder / "journal.db")) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
    with pytest.raises(JournalFault) as refused:
        read_journal(folder)
    assert str(refused.value) == f"there is no journal in {folder}"
    assert folder.exists() is (there != "no folder")
    assert not (folder / "journal.lock").exists()


def test_a_reader_leaves_an_unreadable_journal_as_it_is(folder: Path) -> None:
    folder.mkdir()
    (folder / "journal.db").write_bytes(b"not a database" * 1000)
    before = contents(folder)
    with pytest.raises(JournalFault) as refused:
        read_journal(folder)
    assert str(refused.value) == f"the journal cannot be read in {folder}: it is not a database"
    assert contents(folder) == before


def test_a_reader_names_what_is_not_a_journal(folder: Path) -> None:
    folder.mkdir()
    with closing(sqlite3.connect(folder / "journal.db")) as connection:
        connection.execute("CREATE TABLE recipes (name)")
    with pytest.raises(JournalFault, match=r"cannot be read: it belongs to another program$"):
        read_journal(folder)
    (folder / "journal.db").unlink()
    (folder / "journal.db").mkdir()
    with pytest.raises(JournalFault, match=r"cannot be read: it is not a file$"):
        read_journal(folder)


# --- set aside ---------------------------------------------------------------------------------------------


def damage_random(file: Path) -> None:
    file.write_bytes(random.Random(1).randbytes(20_000))


def damage_text(file: Path) -> None:
    file.write_bytes(b"hello\n")


def damage_cut_short(file: Path) -> None:
    os.truncate(file, 3 * 4096 - 700)


def damage_cut_in_the_header(file: Path) -> None:
    os.truncate(file, 50)


def damage_zeros(file: Path) -> None:
    file.write_bytes(bytes(file.stat().st_size))


def damage_one_page(file: Path) -> None:
    with file.open("r+b") as handle:
        handle.seek(2 * 4096)
        handle.write(b"\xff" * 4096)


def damage_the_schema(file: Path) -> None:
    data = file.read_bytes()
    assert data.count(b"CREATE TABLE games") == 1
    file.write_bytes(data.replace(b"CREATE TABLE games", b"CREATE TABLE g\xf5mes"))


def damage_a_column(file: Path) -> None:
    data = file.read_bytes()
    assert data.count(b"tracking TEXT") == 1
    file.write_bytes(data.replace(b"tracking TEXT", b"trucking TEXT"))


def damage_a_header(file: Path) -> None:
    data = file.read_bytes()
    assert data.count(b"headerfull") == 1
    file.write_bytes(data.replace(b"headerfull", b"he\xf5derfull"))


def foreign_id(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA application_id = 252006675")


def foreign_and_blank(file: Path) -> None:
    file.unlink()
    foreign_id(file)


def foreign_without_id(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE recipes (name)")


def lost_version(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 0")


def wrong_version(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 7")


def earlier_version(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 1")


def lost_table(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DROP TABLE setting")


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (damage_random, "it is not a database"),
        (damage_text, "it is not a database"),
        (damage_cut_in_the_header, "it is damaged"),
        (damage_zeros, "it is not a database"),
        (foreign_and_blank, "it belongs to another program"),
        (foreign_without_id, "it belongs to another program"),
    ],
)
def test_what_cannot_be_read_is_set_aside_whole_and_a_new_journal_begun(
    folder: Path, damage: Callable[[Path], None], why: str
) -> None:
    fill(folder)
    damage(folder / "journal.db")
    before = (folder / "journal.db").read_bytes()
    journal, aside = open_journal(folder, NOW)
    with closing(journal):
        assert aside is not None
        assert str(aside.text) == "Journal damaged: nothing could be read."
        assert aside.details == (
            f"the journal in {folder} could not be read ({why}): set aside as {ASIDE}, a new one begun"
        )
        assert (folder / ASIDE).read_bytes() == before
        assert journal.games() == []
        assert journal.begin("header", "full", 0.0) == 1
    with closing(opened(folder)) as journal:  # only once
        assert len(journal.games()) == 1


@pytest.mark.parametrize(
    ("damage", "why", "lines"),
    [
        (damage_cut_short, "it is damaged", 0),
        (damage_one_page, "it is damaged", 0),
        (damage_the_schema, "it is damaged", 3),
        (damage_a_column, "it is damaged", 3),
        (foreign_id, "it belongs to another program", 3),
        (lost_version, "it is damaged", 3),
        (wrong_version, "it is damaged", 3),
        (earlier_version, "it is damaged", 3),
        (lost_table, "no such table: setting", 3),
    ],
)
def test_of_a_damaged_journal_what_can_be_read_is_kept(
    folder: Path, damage: Callable[[Path], None], why: str, lines: int
) -> None:
    fill(folder)
    damage(folder / "journal.db")
    before = (folder / "journal.db").read_bytes()
    journal, aside = open_journal(folder, NOW)
    with closing(journal):
        assert aside is not None
        assert str(aside.text) == "Journal damaged: 1 of 1 games kept."
        assert aside.details == (
            f"the journal in {folder} could not be read ({why}): set aside as {ASIDE}, 1 of 1 games kept"
        )
        assert (folder / ASIDE).read_bytes() == before
        assert journal.lines(1) == [f"line {number}" for number in range(1, lines + 1)]
        journal.append(1, lines + 1, "goes on", False, 0.0)
        assert journal.begin("header", "full", 0.0) == 2
    with closing(opened(folder)) as journal:  # only once
        assert len(journal.games()) == 2


def test_what_is_set_aside_never_takes_the_place_of_anything(folder: Path) -> None:
    names = [ASIDE, *(f"journal-2024-05-17-210309-{number}.db" for number in (2, 3, 4))]
    folder.mkdir()
    (folder / (names[1] + "-wal")).write_text("only its -wal is taken")
    (folder / names[2]).symlink_to("nowhere")
    kept = {}
    for name in (names[0], names[3]):
        kept[name] = f"not a database: {name}".encode()
        (folder / "journal.db").write_bytes(kept[name])
        journal, aside = open_journal(folder, NOW)
        journal.close()
        assert aside is not None
        assert f" as {name}," in aside.details
    assert {name: (folder / name).read_bytes() for name in kept} == kept
    assert (folder / (names[1] + "-wal")).read_text() == "only its -wal is taken"
    assert os.readlink(folder / names[2]) == "nowhere"


@pytest.mark.parametrize("now", [-1e12, 253_402_400_000.0, 1e15, 2.0**63])
def test_what_is_set_aside_where_the_clock_is_absurdly_wrong_bears_no_date(folder: Path, now: float) -> None:
    folder.mkdir()
    (folder / "journal.db").write_bytes(b"not a database")
    journal, aside = open_journal(folder, now)
    journal.close()
    assert aside is not None
    assert "set aside as journal-undated.db" in aside.details
    assert (folder / "journal-undated.db").read_bytes() == b"not a database"


def test_what_was_not_in_the_main_file_yet_is_set_aside_with_it(folder: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "journal.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE recipes (name)")
        connection.execute("INSERT INTO recipes VALUES ('soup')")
        pull_the_plug(tmp_path, folder)
    journal, aside = open_journal(folder, NOW)
    with closing(journal):
        assert aside is not None
        assert journal.games() == []
    with closing(sqlite3.connect(folder / ASIDE)) as connection:
        assert connection.execute("SELECT name FROM recipes").fetchall() == [("soup",)]


@pytest.mark.parametrize("main", ["missing", "empty"])
def test_a_log_that_lost_its_main_file_is_kept_too(folder: Path, tmp_path: Path, main: str) -> None:
    with closing(opened(tmp_path / "before")) as journal:
        journal.begin("header", "full", 0.0)
        pull_the_plug(tmp_path / "before", folder)
    log = (folder / "journal.db-wal").read_bytes()
    (folder / "journal.db").unlink()
    if main == "empty":
        (folder / "journal.db").touch()
    journal, aside = open_journal(folder, NOW)
    with closing(journal):
        assert aside is not None
        assert "its main file is empty" in aside.details
        assert (folder / f"{ASIDE}-wal").read_bytes() == log
        assert [saved.header for saved in journal.games()] == ["header"]


def test_an_empty_file_is_simply_a_new_journal(folder: Path) -> None:
    folder.mkdir()
    (folder / "journal.db").touch()
    with closing(opened(folder)) as journal:
        assert journal.begin("header", "full", 0.0) == 1
    assert not (folder / ASIDE).exists()


def test_a_journal_whose_making_was_cut_off_is_simply_a_new_one(folder: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "journal.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN")
        connection.execute("CREATE TABLE games (number)")
        connection.executemany("INSERT INTO games VALUES (?)", (("x" * 3000,) for _ in range(50)))
        pull_the_plug(tmp_path, folder)
    assert (folder / "journal.db").stat().st_size > 0
    assert (folder / "journal.db-journal").stat().st_size > 0
    with closing(opened(folder)) as journal:
        assert journal.begin("header", "full", 0.0) == 1


def test_a_folder_in_the_place_of_the_journal_is_set_aside(folder: Path) -> None:
    (folder / "journal.db").mkdir(parents=True)
    (folder / "journal.db" / "letter").write_text("keep me")
    journal, aside = open_journal(folder, NOW)
    journal.close()
    assert aside is not None
    assert "it is not a file" in aside.details
    assert (folder / ASIDE / "letter").read_text() == "keep me"


def test_a_pipe_in_the_place_of_the_journal_is_set_aside_without_waiting_for_it(folder: Path) -> None:
    folder.mkdir()
    os.mkfifo(folder / "journal.db")
    journal, aside = open_journal(folder, NOW)
    journal.close()
    assert aside is not None
    assert (folder / ASIDE).is_fifo()


def test_a_big_journal_is_not_read_through_at_every_start(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(folder, lines=400)
    data = (folder / "journal.db").read_bytes()
    page = data.index(b"line 50") // 4096 * 4096
    (folder / "journal.db").write_bytes(data[:page] + bytes(4096) + data[page + 4096 :])
    monkeypatch.setattr(examining, "_CHECKED_UP_TO", 1000)
    with closing(opened(folder)) as journal:
        assert len(journal.games()) == 1
        with pytest.raises(JournalFault, match=r"^the journal is damaged: switch off"):
            journal.lines(1)
    journal, notice = open_journal(folder, NOW)  # but once it was met, all of it is looked at
    with closing(journal):
        assert notice is not None
        assert notice.details.endswith("1 of 1 games kept, game 1 up to line " + str(len(journal.lines(1))))
        assert not (folder / "journal.mend").exists()


@pytest.mark.parametrize("instead", [b"lin\xf5 2", b"line 7"], ids=["not text", "other text"])
def test_one_damaged_line_costs_what_follows_it_in_its_game_and_no_other(folder: Path, instead: bytes) -> None:
    fill(folder)
    with closing(opened(folder)) as journal:
        journal.begin("another", "full", 0.0)
        journal.append(2, 1, "sound", False, 0.0)
    data = (folder / "journal.db").read_bytes()
    assert data.count(b"line 2") == 1
    (folder / "journal.db").write_bytes(data.replace(b"line 2", instead))
    with (
        closing(read_journal(folder)) as journal,
        pytest.raises(JournalFault, match=r"^the journal cannot be read: it is damaged$"),
    ):
        journal.lines(1)
    with closing(opened(folder)) as journal:
        assert len(journal.games()) == 2
        with pytest.raises(JournalFault) as met:
            journal.lines(1)
        assert str(met.value) == "the journal is damaged: switch off and on, and it is mended"
        assert journal.lines(2) == ["sound"]
        journal.append(2, 2, "and goes on", False, 0.0)
    journal, notice = open_journal(folder, NOW)
    with closing(journal):
        assert notice is not None
        assert str(notice.text) == "Journal damaged: 2 of 2 games kept, 1 cut short."
        assert notice.details.endswith("2 of 2 games kept, game 1 up to line 1")
        assert journal.lines(1) == ["line 1"]
        assert journal.lines(2) == ["sound", "and goes on"]
    opened(folder).close()


@pytest.mark.parametrize(("damage", "named"), [(b"lin\xf5 2", "line 2"), (b"headerfoll", "headerfull")])
def test_damage_in_the_game_that_was_left_is_found_at_once(folder: Path, damage: bytes, named: str) -> None:
    fill(folder)
    with closing(opened(folder)) as journal:
        journal.leave_in(1)
    data = (folder / "journal.db").read_bytes()
    assert data.count(named.encode()) == 1
    (folder / "journal.db").write_bytes(data.replace(named.encode(), damage))
    journal, notice = open_journal(folder, NOW)
    journal.close()
    assert notice is not None


def test_whatever_became_of_the_files_there_is_a_journal_or_a_sentence(folder: Path, tmp_path: Path) -> None:
    chance = random.Random(4)
    with closing(opened(tmp_path / "whole")) as journal:
        for number in (1, 2):
            journal.begin("header", "full", 0.0)
            for sequence in range(1, 40):
                journal.append(number, sequence, f"line é {sequence}" * 3, False, 0.0)
        pull_the_plug(tmp_path / "whole", tmp_path / "cut")
    for case in range(20):
        place = folder / str(case)
        shutil.copytree(tmp_path / chance.choice(["whole", "cut"]), place)
        file = chance.choice(sorted(place.glob("journal.db*")))
        data = bytearray(file.read_bytes())
        match chance.randrange(4):
            case 0:
                del data[chance.randrange(len(data)) :]
            case 1:
                start = chance.randrange(len(data))
                data[start : start + 4096] = bytes(len(data[start : start + 4096]))
            case 2:
                data[chance.randrange(100)] = chance.randrange(256)
            case 3:
                for _ in range(20):
                    data[chance.randrange(len(data))] = chance.randrange(256)
        file.write_bytes(data)
        with suppress(JournalFault), closing(read_journal(place)) as journal:
            for saved in journal.games():
                with suppress(JournalFault):
                    journal.lines(saved.number)
        with suppress(JournalFault), closing(open_journal(place, NOW)[0]) as journal:
            for saved in journal.games():
                with suppress(JournalFault):
                    journal.lines(saved.number)
            number = journal.begin("header", "full", 0.0)
            journal.append(number, 1, "line", False, 0.0)


# --- versions ----------------------------------------------------------------------------------------------

LATER = ("ALTER TABLE games ADD COLUMN place TEXT NOT NULL DEFAULT 'home'", "CREATE TABLE later (x)")


def later(monkeypatch: pytest.MonkeyPatch, *statements: str) -> AbstractContextManager[None]:
    @contextmanager
    def patched() -> Iterator[None]:
        with monkeypatch.context() as patch:
            patch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, statements))
            yield

    return patched()


def test_a_new_journal_bears_our_name_and_version(folder: Path) -> None:
    fill(folder)
    with closing(sqlite3.connect(folder / "journal.db")) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (0x54626C43,)
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)


def test_a_journal_of_a_later_version_is_refused_and_stays_as_it_is(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with later(monkeypatch, *LATER), closing(opened(tmp_path / "later")) as journal:
        journal.begin("header", "full", 0.0)
        pull_the_plug(tmp_path / "later", folder)
    before = contents(folder)
    assert before["journal.db-wal"]
    for refusing in (lambda: open_journal(folder, NOW), lambda: read_journal(folder)):
        with pytest.raises(JournalFault) as refused:
            refusing()
        assert str(refused.value) == (
            f"the journal in {folder} is of a later version of the companion: it has format 3, this one knows up to 2"
        )
    after = contents(folder)
    for name in ("journal.db", "journal.db-wal"):
        assert after[name] == before[name]
    assert set(after) == set(before) | {"journal.lock"}


def test_a_journal_of_an_earlier_version_is_brought_up_to_date(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(folder)
    with later(monkeypatch, *LATER):
        for _ in range(2):  # done once, not at every opening
            with closing(opened(folder)) as journal:
                assert len(journal.lines(1)) == 3
                connection = connection_of(journal)
                assert connection.execute("PRAGMA user_version").fetchone() == (3,)
                assert connection.execute("SELECT place FROM games").fetchall() == [("home",)]
        with closing(read_journal(folder)) as journal:
            assert len(journal.games()) == 1


def test_a_new_journal_goes_through_every_version(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with later(monkeypatch, *LATER), closing(opened(folder)) as journal:
        connection = connection_of(journal)
        assert connection.execute("PRAGMA user_version").fetchone() == (3,)
        assert connection.execute("SELECT * FROM later").fetchall() == []


def test_a_step_to_a_later_version_that_fails_leaves_the_journal_as_it_was(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(folder)
    with (
        later(monkeypatch, *LATER, "INSERT INTO nowhere VALUES (1)"),
        pytest.raises(JournalFault) as refused,
    ):
        open_journal(folder, NOW)
    assert str(refused.value) == f"the journal cannot be kept in {folder}: no such table: nowhere"
    with closing(opened(folder)) as journal:
        assert len(journal.lines(1)) == 3
        columns = connection_of(journal).execute("SELECT name FROM pragma_table_info('games')").fetchall()
        assert ("place",) not in columns


def test_a_reader_leaves_an_earlier_version_to_the_box(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(folder)
    with later(monkeypatch, *LATER), pytest.raises(JournalFault, match="is of an earlier version"):
        read_journal(folder)
    opened(folder).close()


# --- disks that refuse -------------------------------------------------------------------------------------


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond a size: writing then fails, as on a failing disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_on_a_full_disk_a_line_is_not_saved_and_the_next_try_may_succeed(folder: Path) -> None:
    fill(folder)
    with closing(opened(folder)) as journal:
        connection = connection_of(journal)
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        for _ in range(2):
            with pytest.raises(JournalFault, match=r"^the journal cannot be written: the disk is full$"):
                journal.append(1, 4, "x" * 10_000, True, 0.0)
            assert journal.lines(1) == ["line 1", "line 2", "line 3"]
            assert not journal.games()[0].over
        journal.append(1, 4, "short", False, 0.0)
        connection.execute("PRAGMA max_page_count = 1000")
        journal.append(1, 5, "x" * 10_000, True, 0.0)
        assert len(journal.lines(1)) == 5


def test_what_the_disk_refuses_at_the_very_end_is_taken_back_whole(folder: Path) -> None:
    fill(folder)
    with closing(opened(folder)) as journal:
        journal.append(1, 4, "line 4", False, 0.0)
        with file_size_limit((folder / "journal.db-wal").stat().st_size + 100):
            for _ in range(2):
                with pytest.raises(JournalFault, match=r"^the journal cannot be written: the disk is full or failing$"):
                    journal.append(1, 5, "line 5", True, 0.0)
            assert len(journal.lines(1)) == 4
            assert not journal.games()[0].over
        journal.append(1, 5, "line 5", True, 0.0)
    with closing(opened(folder)) as journal:
        assert journal.lines(1) == [f"line {number}" for number in range(1, 6)]
        assert journal.games()[0].over


def test_a_journal_that_cannot_be_made_is_a_sentence_and_is_made_the_next_time(folder: Path) -> None:
    with file_size_limit(1000), pytest.raises(JournalFault) as refused:
        open_journal(folder, NOW)
    assert str(refused.value) == f"the journal cannot be kept in {folder}: the disk is full or failing"
    with closing(opened(folder)) as journal:
        assert journal.begin("header", "full", 0.0) == 1


def test_a_disk_that_allows_no_write_ahead_log_is_a_sentence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        monkeypatch.setattr(opening, "connect", lambda database, mode: connection)
        with pytest.raises(JournalFault) as refused:
            open_journal(folder, NOW)
    assert str(refused.value) == f"the journal cannot be kept in {folder}: its disk does not allow it"


@pytest.mark.parametrize("below", ["", "box", "box/journal"])
def test_a_file_in_the_place_of_the_folder_is_a_sentence(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("keep me")
    folder = tmp_path / "file" / below if below else tmp_path / "file"
    with pytest.raises(JournalFault) as refused:
        open_journal(folder, NOW)
    assert str(refused.value) == f"the journal cannot be kept in {folder}: that is not a folder"
    with pytest.raises(JournalFault, match=r"^there is no journal in "):
        read_journal(folder)
    assert (tmp_path / "file").read_text() == "keep me"


def test_a_folder_in_the_place_of_the_lock_is_a_sentence(folder: Path) -> None:
    (folder / "journal.lock").mkdir(parents=True)
    with pytest.raises(JournalFault) as refused:
        open_journal(folder, NOW)
    assert str(refused.value) == f"the journal cannot be kept in {folder}: Is a directory"


@pytest.fixture
def protected() -> Iterator[Path]:
    """A journal in a folder that may be read but not written by `nobody_special`."""
    with tempfile.TemporaryDirectory() as name:  # pytest's own folders may be entered by one user only
        folder = Path(name)
        fill(folder)
        (folder / "journal.db").chmod(0o444)
        (folder / "journal.lock").chmod(0o666)
        folder.chmod(0o555)
        yield folder
        folder.chmod(0o755)


@contextmanager
def nobody_special() -> Iterator[None]:
    """Let permissions bind, also where the tests are run by root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_without_permission_opening_is_a_sentence_and_nothing_is_set_aside(protected: Path) -> None:
    before = contents(protected)
    with nobody_special(), pytest.raises(JournalFault) as refused:
        open_journal(protected, NOW)
    assert str(refused.value) == f"the journal cannot be kept in {protected}: the disk can only be read"
    assert contents(protected) == before


def test_without_permission_for_the_file_alone_opening_is_a_sentence(protected: Path) -> None:
    protected.chmod(0o777)
    before = contents(protected)
    with nobody_special(), pytest.raises(JournalFault) as refused:
        open_journal(protected, NOW)
    assert str(refused.value) == f"the journal cannot be kept in {protected}: the disk can only be read"
    assert contents(protected)["journal.db"] == before["journal.db"]
    assert not list(protected.glob("journal-*"))


def test_without_permission_for_the_lock_opening_is_a_sentence(protected: Path) -> None:
    (protected / "journal.lock").chmod(0o444)
    with nobody_special(), pytest.raises(JournalFault) as refused:
        open_journal(protected, NOW)
    assert str(refused.value) == f"the journal cannot be kept in {protected}: there is no permission"


def test_without_permission_an_unreadable_journal_is_not_set_aside(protected: Path) -> None:
    (protected / "journal.db").chmod(0o644)
    (protected / "journal.db").write_bytes(b"not a database" * 100)
    before = contents(protected)
    with nobody_special(), pytest.raises(JournalFault) as refused:
        open_journal(protected, NOW)
    assert str(refused.value) == f"the journal cannot be kept in {protected}: there is no permission"
    assert contents(protected) == before


def test_without_permission_no_folder_is_made(protected: Path) -> None:
    with nobody_special(), pytest.raises(JournalFault, match=r"there is no permission$"):
        open_journal(protected / "deeper" / "still", NOW)
    assert not (protected / "deeper").exists()


def test_a_journal_on_a_protected_disk_can_still_be_read(protected: Path) -> None:
    with nobody_special(), closing(read_journal(protected)) as journal:
        assert len(journal.lines(1)) == 3


def test_a_journal_of_another_user_can_be_read_while_the_box_runs(protected: Path) -> None:
    (protected / "journal.db").chmod(0o644)
    protected.chmod(0o755)
    with closing(opened(protected)) as writer:
        writer.append(1, 4, "line 4", False, 0.0)
        with nobody_special(), closing(read_journal(protected)) as journal:
            assert len(journal.lines(1)) == 4
