"""Replay of a whole log: every fault is named with its line."""

from __future__ import annotations

import gc

import pytest

from companion.core.game import Start
from companion.gamelog import InvalidLineError, read, replay

HEADER = b'{"format":1,"game":"eternity","players":["Aki","Bea","Cyr","Dai"]}'
START = b'{"type":"start","player":1}'
DEAL = b'{"type":"deal","board":["sea-3","sky-9"]}'
UNDO = b'{"type":"undo"}'


def log(*lines: bytes) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def misread(data: bytes) -> InvalidLineError:
    with pytest.raises(InvalidLineError) as caught:
        read(data)
    return caught.value


def test_a_header_alone_is_a_new_game() -> None:
    session = read(log(HEADER))
    assert session.state is session.header.first
    assert session.latest is None


def test_every_line_gives_a_reading() -> None:
    readings = list(replay(log(HEADER, START, DEAL, UNDO)))
    assert [(reading.number, reading.session.state.phase) for reading in readings] == [
        (1, "start"),
        (2, "deal"),
        (3, "play"),
        (4, "deal"),
    ]
    assert readings[0].line is None
    assert readings[1].line == Start(1)
    assert read(log(HEADER, START, DEAL, UNDO)).state == readings[-1].session.state


def test_a_missing_last_newline_is_no_fault() -> None:
    assert read(log(HEADER, START)[:-1]).state == read(log(HEADER, START)).state
    assert read(HEADER).state == read(log(HEADER)).state


def test_lines_may_end_as_they_do_elsewhere() -> None:
    assert read(log(HEADER, START).replace(b"\n", b"\r\n")).state.phase == "deal"


@pytest.mark.parametrize("end", [b"", b"\n"])
@pytest.mark.parametrize("zeros", [1, 16384])
def test_zeros_behind_the_last_line_are_ignored(zeros: int, end: bytes) -> None:
    assert len(list(replay(log(HEADER, START) + bytes(zeros) + end))) == 2


@pytest.mark.parametrize(
    ("data", "number", "says"),
    [
        (b"", 1, "a line is blank"),
        (b"\n", 1, "a line is blank"),
        (log(b"", HEADER), 1, "a line is blank"),
        (log(HEADER, b"", START), 2, "a line is blank"),
        (log(HEADER, START, b""), 3, "a line is blank"),
        (log(HEADER, START, b" \t"), 3, "a line is blank"),
        (log(HEADER, START) + b" ", 3, "a line is blank"),
        (log(HEADER, START, b"\r"), 3, "a line is blank"),
        (log(HEADER, START, b"", b"\0"), 3, "a line is blank"),
        (log(HEADER, START, b"\0", b""), 3, "this is not JSON: column 1"),
        (log(HEADER, START, b"\0", b"\0"), 3, "this is not JSON: column 1"),
        (log(HEADER, START) + b"\0 ", 3, "this is not JSON: column 1"),
        (b"\0", 1, "a line is blank"),
        (b"\xef\xbb\xbf" + log(HEADER), 1, "this is not JSON: column 1"),
        (log(START), 1, "there is no key 'type' here"),
        (log(HEADER, HEADER), 2, "the key 'type' is missing"),
        (log(HEADER, START, b"\xff"), 3, "this is not UTF-8"),
        (log(HEADER, UNDO), 2, "there is nothing to take back"),
        (log(HEADER, START, UNDO, UNDO), 4, "there is nothing to take back"),
        (log(HEADER, START, b'{"type":"redo"}'), 3, "there is nothing to bring back"),
        (log(HEADER, DEAL), 2, "first say who starts"),
        (log(HEADER, START, START), 3, "first enter the two cards that begin the columns"),
        (log(HEADER, START, DEAL, START, b"x"), 4, "the cards of a trick come next"),
    ],
)
def test_the_first_fault_is_named_with_its_line(data: bytes, number: int, says: str) -> None:
    fault = misread(data)
    assert fault.number == number
    assert str(fault) == f"{number}: {says}"


def test_a_seat_is_named_by_who_sits_there() -> None:
    fault = misread(log(HEADER, START, DEAL, b'{"type":"play","player":3,"card":"sea-4"}'))
    assert str(fault) == "4: it is Bea's turn, not Dai's"


def test_an_amend_names_the_entry_that_no_longer_fits() -> None:
    lay = b'{"type":"play","player":1,"card":"sea-4"}'
    amend = b'{"type":"amend","event":2,"to":{"type":"deal","board":["sea-4","sky-9"]}}'
    fault = misread(log(HEADER, START, DEAL, lay, amend))
    assert str(fault) == "5: then entry 3 no longer fits: Sea 4 was already seen in this round"


@pytest.mark.parametrize(
    ("event", "drop", "put", "says"),
    [
        (2, 1, b'{"type":"deal","board":["sea-4","sky-9"]}', "then entry 3 no longer fits: Sea 4 was already seen"),
        (
            4,
            0,
            b'{"type":"play","player":3,"card":"sea-9"}',
            "the new entry 4 does not fit: it is Cyr's turn, not Dai's",
        ),
        (2, 1, b"", "then entry 3 no longer fits: first enter the two cards that begin the columns"),
        (2, -1, b"", "−1 entries cannot be dropped"),
        (2, 0, b"", "nothing is dropped and nothing is put"),
        (4, 1, b"", "there is no entry 4; 3 stand"),
    ],
)
def test_a_splice_names_the_entry_that_does_not_fit(event: int, drop: int, put: bytes, says: str) -> None:
    lay = b'{"type":"play","player":1,"card":"sea-4"}'
    splice = b'{"type":"splice","event":%d,"drop":%d,"put":[%s]}' % (event, drop, put)
    fault = misread(log(HEADER, START, DEAL, lay, splice, START))
    assert str(fault).startswith(f"5: {says}")


def test_what_comes_before_a_fault_has_been_read() -> None:
    readings = replay(log(HEADER, START, b"x", DEAL))
    assert [next(readings).number, next(readings).number] == [1, 2]
    with pytest.raises(InvalidLineError):
        next(readings)


@pytest.mark.parametrize("collecting", [True, False])
def test_reading_leaves_the_garbage_collector_as_it_was(collecting: bool) -> None:
    (gc.enable if collecting else gc.disable)()
    try:
        read(log(HEADER, START))
        misread(log(HEADER, b"x"))
        assert gc.isenabled() is collecting
    finally:
        gc.enable()


def test_a_comma_too_many_is_refused_at_whichever_column_this_python_says() -> None:
    with pytest.raises(InvalidLineError, match=r"2: this is not JSON: column 1[56]"):
        list(replay(log(HEADER, b'{"type":"undo",}')))
