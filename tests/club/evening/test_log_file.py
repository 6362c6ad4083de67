"""An evening's file: a line for each event, only ever appended, and a sentence for each damage."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.club.evening.evening_state import EveningError
from companion.club.evening.events import EntrantLeft, EventTakenBack, encode
from companion.club.evening.log_file import EveningLog, new_log, open_log, read_log
from companion.club.evening.replay import replay

from .evenings import begun, result, seated
from .test_replay import TWO_TABLES


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "friday.jsonl"
    first, *more = begun()
    new_log(path, first)
    with open_log(path) as log:
        for event in more:
            log.add(event)
    return path


def test_what_was_added_is_there_when_the_file_is_opened_again(file: Path) -> None:
    with open_log(file) as log:
        log.add(TWO_TABLES)
        log.add(EntrantLeft(2))
        log.add(EventTakenBack())
    with open_log(file) as log:
        assert log.moment == replay([*begun(), TWO_TABLES])
    assert file.read_bytes() == b"".join(map(encode, [*begun(), TWO_TABLES, EntrantLeft(2), EventTakenBack()]))


def test_an_event_that_cannot_be_is_not_written(file: Path) -> None:
    before = file.read_bytes()
    with open_log(file) as log:
        for event in (result(1, 1, 2, 3, 4), seated([1, 2, 3, 4], [5, 6, 7])):
            with pytest.raises(EveningError):
                log.add(event)
        log.add(TWO_TABLES)
        with pytest.raises(EveningError, match="this is no event of an evening: Expected `int` <= 1000000000"):
            log.add(result(1, 10**9 + 1, 2, 3, 4))
    assert file.read_bytes() == before + encode(TWO_TABLES)


def test_of_several_events_all_are_written_or_none(file: Path) -> None:
    before = file.read_bytes()
    with open_log(file) as log:
        with pytest.raises(EveningError):
            log.add(TWO_TABLES, result(9, 1, 2, 3, 4))
        assert (file.read_bytes(), log.moment) == (before, replay(begun()))
        log.add(TWO_TABLES, EntrantLeft(2))
    assert file.read_bytes() == before + encode(TWO_TABLES) + encode(EntrantLeft(2))


def test_a_line_that_was_cut_off_is_left_out_and_overwritten(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    before = file.read_bytes()
    file.write_bytes(before + encode(TWO_TABLES)[:-9])
    with open_log(file) as log:
        assert log.moment == replay(begun())
        log.add(EntrantLeft(2))
    assert "the last line is cut off, and is left out" in caplog.text
    assert file.read_bytes() == before + encode(EntrantLeft(2))


def test_a_disk_that_takes_half_a_line_loses_only_the_event_it_refused(file: Path) -> None:
    before = file.read_bytes()
    write = os.pwrite

    def half(descriptor: int, data: bytes, offset: int) -> int:
        if len(data) < 20:
            raise OSError(28, "No space left on device")
        return write(descriptor, data[:20], offset)

    with open_log(file) as log, patch("os.pwrite", half), pytest.raises(OSError, match="No space left"):
        log.add(TWO_TABLES)
    assert len(file.read_bytes()) > len(before)
    with open_log(file) as log:
        assert log.moment == replay(begun())
        log.add(TWO_TABLES)
    assert file.read_bytes() == before + encode(TWO_TABLES)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda lines: lines[1:], "line 1: the first event must begin the evening"),
        (lambda lines: [*lines, lines[0]], "line 4: the evening has begun already"),
        (lambda lines: [lines[0], lines[2]], "line 2: a round must seat everybody present once, and nobody else"),
        (lambda lines: [*lines, b"\n"], "line 4: this is no event of an evening: Input data was truncated"),
        (
            lambda lines: [*lines, b'{"event":"dropp"}\n'],
            "line 4: this is no event of an evening: Invalid value 'dropp'",
        ),
        (
            lambda lines: [*lines, b'{"event":"undo","why":"x"}\n'],
            "line 4: this is no event of an evening: Object contains unknown field `why`",
        ),
        (lambda lines: [lines[0].replace(b'"format":1', b'"format":2')], "line 1: this is no event of an evening"),
        (lambda lines: [*lines, b"\xff\n"], "line 4: this is no event of an evening"),
        (lambda lines: [*lines, b"[" * 100_000 + b"\n"], "line 4: this is no event of an evening"),
        (lambda lines: [*lines, b"1" * (1 << 21) + b"\n"], "line 4: the line is longer than 1 MB"),
        (lambda _lines: [], "line 1: this is no event of an evening"),
    ],
)
def test_a_damaged_line_is_refused_with_its_number(file: Path, change: object, sentence: str) -> None:
    with open_log(file) as log:
        log.add(TWO_TABLES)
    assert callable(change)
    file.write_bytes(b"".join(change(file.read_bytes().splitlines(keepends=True))))
    with pytest.raises(EveningError) as refused, open_log(file):
        pass
    assert str(refused.value).startswith(f"{file}, {sentence}")


def test_a_file_that_is_there_is_not_begun_anew(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(FileExistsError):
        new_log(file, begun()[0])
    assert file.read_bytes() == before


def test_a_file_that_could_not_be_begun_is_not_there(tmp_path: Path) -> None:
    with patch("os.pwrite", side_effect=OSError(28, "No space left on device")), pytest.raises(OSError, match="space"):
        new_log(tmp_path / "friday.jsonl", begun()[0])
    assert list(tmp_path.iterdir()) == []


def test_a_write_protected_file_can_be_read(file: Path) -> None:
    opened = os.open

    def protected(path: Path, flags: int, *more: int) -> int:
        if flags & os.O_ACCMODE != os.O_RDONLY:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, flags, *more)

    with patch("os.open", protected):
        assert read_log(file) == replay(begun())
        with pytest.raises(PermissionError), open_log(file):
            pass


def test_what_is_no_evening_s_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b"\n" * ((16 << 20) + 1))
    with pytest.raises(EveningError, match="pipe: this is no file"), open_log(tmp_path / "pipe"):
        pass
    with pytest.raises(EveningError, match="large: too large, more than 16 MB"), open_log(tmp_path / "large"):
        pass


def test_one_program_at_a_time_uses_a_file(file: Path) -> None:
    seen: list[EveningLog] = []

    def other() -> None:
        with open_log(file) as log:
            seen.append(log)

    with open_log(file) as log:
        beside = threading.Thread(target=other)
        beside.start()
        log.add(TWO_TABLES)
        beside.join(0.05)
        assert not seen
    beside.join()
    assert seen[0].moment == log.moment
