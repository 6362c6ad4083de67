"""The thread that waits for edges: how it waits, and what is known of it from outside."""

from __future__ import annotations

import errno
import logging
import os
import select
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from queue import Queue
from threading import Event
from typing import Any

import pytest

from hardware import edge_thread
from hardware.edge_thread import Edge, EdgeThread
from tests.waiting import LAST_RESORT

_EPOLL = select.epoll


class Wire:
    """A line at whose other end the test is."""

    def __init__(self) -> None:
        self.fd, self._end = os.pipe()
        self.told: Queue[Edge] = Queue()
        self.failure: OSError | None = None
        self.taken = Event()
        self.hold: Event | None = None
        self.held = Event()
        self.heard: Callable[[int], object] = lambda stamp: None
        self.meanwhile: list[Callable[[], None]] = []  # done one by one, each while edges are collected

    def send(self, *stamps: int) -> None:
        os.write(self._end, bytes(stamps))

    def collect(self) -> Sequence[Edge]:
        self.taken.set()
        if self.failure is not None:
            raise self.failure
        if not select.select([self.fd], [], [], 0)[0]:
            return []
        found = [Edge(stamp, True) for stamp in os.read(self.fd, 100)]
        with suppress(IndexError):
            self.meanwhile.pop()()
        return found

    def deliver(self, edge: Edge) -> None:
        self.heard(edge.stamp)
        self.told.put(edge)
        if self.hold is not None:
            self.held.set()
            assert self.hold.wait(LAST_RESORT)

    def close(self) -> None:
        os.close(self.fd)
        os.close(self._end)


class Polls:
    """A select.epoll that knows how it was waited with."""

    def __init__(self) -> None:
        self._epoll = _EPOLL()
        self.timeouts: list[tuple[Any, ...]] = []
        self.looks = 0

    def poll(self, *timeout: Any) -> list[tuple[int, int]]:
        found = self._epoll.poll(*timeout)
        if timeout == (0,):
            self.looks += 1
        else:
            self.timeouts.append(timeout)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._epoll, name)


@pytest.fixture
def wires() -> Iterator[tuple[Wire, Wire]]:
    """Give two lines."""
    made = Wire(), Wire()
    try:
        yield made
    finally:
        for wire in made:
            wire.close()


@pytest.fixture
def now() -> list[float]:
    """Give a clock's time, to be moved by the test."""
    return [100.0]


@pytest.fixture
def thread(now: list[float], wires: tuple[Wire, Wire]) -> Iterator[EdgeThread]:
    """Give a thread that waits for both lines."""
    made = EdgeThread(lambda: now[0])
    try:
        for wire in wires:
            made.watch(wire.fd, wire)
        yield made
    finally:
        for wire in wires:
            if wire.hold is not None:
                wire.hold.set()
        made.close()


def answered(thread: EdgeThread, wire: Wire) -> None:
    """Wait until the thread has come to this point: to an edge sent now, and stamped later than all others."""
    wire.send(255)
    while wire.told.get(timeout=LAST_RESORT).stamp != 255:
        pass


def test_it_waits_without_a_time_out_and_wakes_only_for_a_reason(
    monkeypatch: pytest.MonkeyPatch, wires: tuple[Wire, Wire]
) -> None:
    polls = Polls()
    monkeypatch.setattr(select, "epoll", lambda: polls)
    wire, _ = wires
    thread = EdgeThread()
    try:
        thread.watch(wire.fd, wire)
        for count in range(1, 6):
            answered(thread, wire)
            assert (len(polls.timeouts), thread.wakes) == (count, count)
    finally:
        thread.close()
    assert polls.timeouts == [()] * 6  # without a time-out, each of them; once more, to end
    assert polls.looks == 6


def test_edges_of_several_lines_come_in_the_order_of_their_stamps(thread: EdgeThread, wires: tuple[Wire, Wire]) -> None:
    one, other = wires
    told: list[int] = []
    one.hold = Event()
    one.send(1)
    assert one.held.wait(LAST_RESORT)
    for wire in wires:
        wire.heard = told.append
    other.send(11, 12, 14)
    one.send(10, 13)
    one.hold.set()
    answered(thread, other)
    assert told == [10, 11, 12, 13, 14, 255]


def test_even_those_that_come_while_others_are_collected(thread: EdgeThread, wires: tuple[Wire, Wire]) -> None:
    one, other = wires
    told: list[int] = []
    for wire in wires:
        wire.heard = told.append
    one.meanwhile = [lambda: other.send(11, 12)]
    one.send(10, 13)
    answered(thread, one)
    assert told == [10, 11, 12, 13, 255]


def test_an_input_gone_wild_does_not_keep_others_from_being_heard(thread: EdgeThread, wires: tuple[Wire, Wire]) -> None:
    wild, other = wires

    def again() -> None:
        wild.send(2)
        wild.meanwhile.append(again)

    again()
    try:
        answered(thread, other)
    finally:
        wild.meanwhile.clear()


def test_a_thread_that_answers_is_alive(thread: EdgeThread, wires: tuple[Wire, Wire], now: list[float]) -> None:
    for _ in range(5):
        assert thread.alive()
        answered(thread, wires[0])
        now[0] += 10


def test_asking_twice_at_once_finds_no_fault(thread: EdgeThread) -> None:
    assert [thread.alive() for _ in range(20)] == [True] * 20


def test_a_thread_that_is_stuck_is_not_alive_until_it_goes_on(
    thread: EdgeThread, wires: tuple[Wire, Wire], now: list[float]
) -> None:
    wire, other = wires
    wire.hold = Event()
    wire.send(1)
    assert wire.held.wait(LAST_RESORT)
    assert thread.alive()  # nothing is known yet
    now[0] += edge_thread.PATIENCE - 0.1
    assert thread.alive()
    now[0] += 0.2
    assert not thread.alive()
    now[0] += 10
    assert not thread.alive()
    wire.hold.set()
    wire.hold = None
    answered(thread, other)
    assert thread.alive()


def test_closing_leaves_a_stuck_handler_behind_with_a_warning(
    thread: EdgeThread, wires: tuple[Wire, Wire], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(edge_thread, "PATIENCE", 0.01)
    wire, _ = wires
    wire.hold = Event()
    wire.send(1)
    assert wire.held.wait(LAST_RESORT)
    thread.close()
    assert not thread.alive()
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


def test_a_line_that_is_ignored_tells_nothing_and_wakes_nobody(thread: EdgeThread, wires: tuple[Wire, Wire]) -> None:
    wire, other = wires
    thread.ignore(wire.fd)
    thread.ignore(wire.fd)
    wire.send(1, 2, 3)
    before = thread.wakes
    answered(thread, other)
    assert thread.wakes == before + 1
    assert wire.told.empty()


def test_a_line_that_is_lost_is_logged_once_and_ends_being_alive(
    thread: EdgeThread, wires: tuple[Wire, Wire], caplog: pytest.LogCaptureFixture
) -> None:
    wire, other = wires
    wire.failure = OSError(errno.ENODEV, "No such device")
    wire.send(1)
    assert wire.taken.wait(LAST_RESORT)
    answered(thread, other)
    before = thread.wakes
    answered(thread, other)
    assert thread.wakes == before + 1  # the lost line wakes nobody any more
    assert len(caplog.records) == 1
    assert not thread.alive()


def test_a_closed_thread_is_not_alive_and_everything_may_still_be_said_to_it(wires: tuple[Wire, Wire]) -> None:
    thread = EdgeThread()
    thread.close()
    thread.close()
    assert not thread.alive()
    thread.watch(wires[0].fd, wires[0])
    thread.ignore(wires[0].fd)
