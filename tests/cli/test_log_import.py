"""What a log is when it is looked over, byte by byte; what is taken of which: transcripts/commands/import.txt."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from companion.cli.common import CommandError
from companion.cli.imports import new_logs, read_log, take_log
from companion.journal import Journal
from companion.journal.backup import MOST_LINES
from companion.journal.chain import chained

from .finished_games import EVENING, played, random_log

HEADER = '{"format":1, "game":"hipparchus","players":["Ann","Bo"]}'
FINISHED = random_log("east-rune", 7)


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """Return the file of a game of another box, without the zeros at its end."""
    (name,) = played(tmp_path / "theirs", FINISHED)
    file = tmp_path / "theirs/games" / f"{name}.jsonl"
    file.write_bytes(file.read_bytes().rstrip(b"\0"))
    return file


def test_a_file_of_another_box_keeps_its_id_its_times_and_every_byte(theirs: Path, tmp_path: Path) -> None:
    played(tmp_path / "box", random_log("hipparchus", 1), random_log("hipparchus", 2))
    log = read_log(str(theirs), theirs.read_bytes())
    assert log.begun == EVENING
    with closing(Journal(tmp_path / "box")) as journal:
        name = take_log(journal, log)
        assert name == f"000003{theirs.stem[6:]}"
        assert [at for _line, at in journal.timed_lines(name)[:2]] == [EVENING, EVENING + 30]
    assert (tmp_path / "box/games" / f"{name}.jsonl").read_bytes().rstrip(b"\0") == theirs.read_bytes()


def test_a_log_with_more_entries_extends_its_game_and_one_that_went_on_differently_is_another(
    theirs: Path, tmp_path: Path
) -> None:
    whole = theirs.read_bytes()
    longer = read_log(theirs.name, whole)
    shorter = read_log(theirs.name, b"".join(whole.splitlines(keepends=True)[:-2]))
    for box, undone in (("extended", False), ("beside", True)):
        with closing(Journal(tmp_path / box)) as journal:
            assert new_logs(journal, [shorter, longer]) == [longer]
            name = take_log(journal, shorter)
            if undone:
                journal.append(name, '{"type":"undo"}', now=EVENING, tracking="full")
            assert take_log(journal, longer) == (f"000002{theirs.stem[6:]}" if undone else name)
    assert (tmp_path / "extended/games" / theirs.name).read_bytes().rstrip(b"\0") == whole


def test_a_lost_line_and_one_too_many_are_named(theirs: Path) -> None:
    rows = theirs.read_bytes().splitlines(keepends=True)
    for broken in (rows[:4] + rows[5:], [*rows[:4], b"\n", *rows[4:]]):
        with pytest.raises(CommandError, match=rf"^{theirs.name}, line 5: changed, or a line before it is lost$"):
            read_log(theirs.name, b"".join(broken))


@pytest.mark.parametrize("rest", [b'{"type":', b'{"type":\0\0\n', b""])
def test_a_last_line_that_was_not_written_whole_is_left_out(theirs: Path, rest: bytes) -> None:
    whole = theirs.read_bytes()
    read = read_log(f"/home/ann/{theirs.stem} (1).jsonl", whole + rest + b"\0" * 99)
    assert (read.id, len(read.lines), read.cut) == (theirs.stem[-8:], whole.count(b"\n"), bool(rest))


@pytest.mark.parametrize("note", [{}, [1]])
def test_a_note_in_an_unknown_form_is_no_hindrance(note: dict[str, object]) -> None:
    assert read_log("01234567", chained(b"01234567", HEADER, note)).lines[0][1] == {}


def test_a_log_that_no_backup_would_take_is_refused() -> None:
    with pytest.raises(CommandError, match=r"a\.jsonl: too large for a game's log"):
        read_log("a.jsonl", b"\n" * (MOST_LINES + 1))
