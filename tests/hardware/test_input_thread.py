"""The input thread: how it waits, and whether it is alive."""

from __future__ import annotations

import errno
import logging
import os
import select
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from queue import Queue
from threading import Event, Thread, current_thread
from threading import enumerate as threads
from typing import Any

import pytest

from hardware import input_thread
from hardware.buttons import ButtonKeys
from hardware.gpio_key_source import CombinedKeys
from hardware.input_thread import Edge, EdgePoller, InputThread
from tests.hardware.chip_rigs import simulated
from tests.waiting import LAST_RESORT

_EPOLL = select.epoll


class Wire:
    """A line whose edges come from the test."""

    def __init__(self) -> None:
        self.fd, self._end = os.pipe()
        self.told: Queue[Edge] = Queue()
        self.failure: OSError | None = None
        self.taken = Event()
        self.hold: Event | None = None
        self.held = Event()
        self.heard: Callable[[int], object] = lambda stamp: None
        self.before: list[Callable[[], None]] = []  # called one by one, each before edges are collected
        self.meanwhile: list[Callable[[], None]] = []  # called one by one, each while edges are collected

    def send(self, *stamps: int) -> None:
        os.write(self._end, bytes(stamps))

    def collect(self) -> Sequence[Edge]:
        self.taken.set()
        if self.failure is not None:
            raise self.failure
        if not select.select([self.fd], [], [], 0)[0]:
            return []
        with suppress(IndexError):
            self.before.pop()()
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


class Threaded:
    """A running input thread.

    Args:
        clock: A monotonic clock in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.poll = EdgePoller()
        self.inputs = InputThread(self.poll, clock)
        self.watch, self.ignore = self.poll.watch, self.poll.ignore
        self.alive, self.close = self.inputs.alive, self.inputs.close


class Polls:
    """A select.epoll that records its time-outs."""

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
    made = Wire(), Wire()
    try:
        yield made
    finally:
        for wire in made:
            wire.close()


@pytest.fixture
def now() -> list[float]:
    """Return the time, for the test to change."""
    return [100.0]


@pytest.fixture
def thread(now: list[float], wires: tuple[Wire, Wire]) -> Iterator[Threaded]:
    """Return a thread that waits for both lines."""
    made = Threaded(lambda: now[0])
    try:
        for wire in wires:
            made.watch(wire.fd, wire)
        yield made
    finally:
        for wire in wires:
            if wire.hold is not None:
                wire.hold.set()
        made.close()


def answered(thread: Threaded, wire: Wire) -> None:
    """Wait until the thread has handled an edge sent now, stamped later than all others."""
    wire.send(255)
    while wire.told.get(timeout=LAST_RESORT).stamp != 255:
        pass


def test_it_waits_without_a_time_out_and_wakes_only_for_a_reason(
    monkeypatch: pytest.MonkeyPatch, wires: tuple[Wire, Wire]
) -> None:
    polls = Polls()
    monkeypatch.setattr(select, "epoll", lambda: polls)
    wire, _ = wires
    thread = Threaded()
    try:
        thread.watch(wire.fd, wire)
        for count in range(1, 6):
            answered(thread, wire)
            assert (len(polls.timeouts), thread.poll.wakes) == (count, count)
    finally:
        thread.close()
    assert polls.timeouts == [()] * 6  # every wait had no time-out; the last one is for the end
    assert polls.looks == 6


def test_edges_of_several_lines_come_in_the_order_of_their_stamps(thread: Threaded, wires: tuple[Wire, Wire]) -> None:
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


def test_even_those_that_come_while_others_are_collected(thread: Threaded, wires: tuple[Wire, Wire]) -> None:
    one, other = wires
    told: list[int] = []
    for wire in wires:
        wire.heard = told.append
    one.meanwhile = [lambda: other.send(11, 12)]
    one.send(10, 13)
    answered(thread, one)
    assert told == [10, 11, 12, 13, 255]


def test_even_those_that_come_after_the_last_look_at_the_queues(wires: tuple[Wire, Wire]) -> None:
    one, other = wires
    told: list[int] = []
    poll = EdgePoller()
    for wire in wires:
        wire.heard = told.append
        poll.watch(wire.fd, wire)

    def two_edges(first: Wire, then: Wire, stamp: int) -> Callable[[], None]:
        def send() -> None:
            first.send(stamp)
            then.send(stamp + 1)

        return send

    # The queue that is being emptied has an edge that is younger than one in the queue that was looked at before.
    one.before = [two_edges(other, one, stamp) for stamp in range(98, 1, -4)]
    other.before = [two_edges(one, other, stamp) for stamp in range(100, 1, -4)]
    one.send(1)
    for _ in range(10):
        poll.wait(0)
    poll.close()
    assert told == list(range(1, 102))


def test_an_input_gone_wild_does_not_keep_others_from_being_heard(thread: Threaded, wires: tuple[Wire, Wire]) -> None:
    wild, other = wires

    def again() -> None:
        wild.send(2)
        wild.meanwhile.append(again)

    again()
    try:
        answered(thread, other)
    finally:
        wild.meanwhile.clear()


def test_a_thread_that_answers_is_alive(thread: Threaded, wires: tuple[Wire, Wire], now: list[float]) -> None:
    for _ in range(5):
        assert thread.alive()
        answered(thread, wires[0])
        now[0] += 10


def test_asking_twice_at_once_finds_no_fault(thread: Threaded) -> None:
    assert [thread.alive() for _ in range(20)] == [True] * 20


def test_a_thread_that_is_stuck_is_not_alive_until_it_goes_on(
    thread: Threaded, wires: tuple[Wire, Wire], now: list[float]
) -> None:
    wire, other = wires
    wire.hold = Event()
    wire.send(1)
    assert wire.held.wait(LAST_RESORT)
    assert thread.alive()  # no ping has been due yet
    now[0] += input_thread.PATIENCE - 0.1
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
    thread: Threaded, wires: tuple[Wire, Wire], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(input_thread, "PATIENCE", 0.01)
    wire, _ = wires
    wire.hold = Event()
    wire.send(1)
    assert wire.held.wait(LAST_RESORT)
    thread.close()
    assert not thread.alive()
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


def test_a_line_that_is_ignored_tells_nothing_and_wakes_nobody(thread: Threaded, wires: tuple[Wire, Wire]) -> None:
    wire, other = wires
    thread.ignore(wire.fd)
    thread.ignore(wire.fd)
    wire.send(1, 2, 3)
    before = thread.poll.wakes
    answered(thread, other)
    assert thread.poll.wakes == before + 1
    assert wire.told.empty()


def test_a_line_that_is_lost_is_logged_once_and_ends_being_alive(
    thread: Threaded, wires: tuple[Wire, Wire], caplog: pytest.LogCaptureFixture
) -> None:
    wire, other = wires
    wire.failure = OSError(errno.ENODEV, "No such device")
    wire.send(1)
    assert wire.taken.wait(LAST_RESORT)
    answered(thread, other)
    before = thread.poll.wakes
    answered(thread, other)
    assert thread.poll.wakes == before + 1  # the lost line causes no more wake-ups
    assert len(caplog.records) == 1
    assert thread.poll.lost


def test_a_closed_thread_is_not_alive_and_everything_may_still_be_said_to_it(wires: tuple[Wire, Wire]) -> None:
    thread = Threaded()
    thread.close()
    thread.close()
    assert not thread.alive()
    thread.watch(wires[0].fd, wires[0])
    thread.ignore(wires[0].fd)


class Turns:
    """A task that records its turns, and has a due time."""

    def __init__(self, *dues: float | None) -> None:
        self.turns: Queue[float] = Queue()
        self._dues = list(dues)

    def turn(self, now: float) -> float | None:
        self.turns.put(now)
        return self._dues.pop(0) if self._dues else None


def test_a_task_has_its_turn_when_it_is_due_when_it_is_rung_for_and_then_rests() -> None:
    thread, task = Threaded(), Turns(0.0, time.monotonic() + 0.002)
    try:
        thread.inputs.add(task)
        for _ in range(3):  # the first turn, its time-out, which is over already, and the second time-out
            task.turns.get(timeout=LAST_RESORT)
        thread.poll.wake()
        task.turns.get(timeout=LAST_RESORT)
        thread.inputs.remove(task)
        thread.poll.wake()
    finally:
        thread.close()
    assert task.turns.empty()


def test_a_task_that_rings_in_its_turn_has_another_without_waking_anybody() -> None:
    thread, rung = Threaded(), Turns()

    class Rings(Turns):
        def turn(self, now: float) -> float | None:
            if self.turns.empty():
                thread.poll.wake()
            return super().turn(now)

    task = Rings()
    try:
        thread.inputs.add(task)
        for _ in range(2):
            task.turns.get(timeout=LAST_RESORT)
        thread.inputs.add(rung)
        rung.turns.get(timeout=LAST_RESORT)
    finally:
        thread.close()


def test_one_thread_serves_the_lines_and_every_key_source_on_them_with_two_wake_ups_a_press() -> None:
    with simulated() as rig:
        source = CombinedKeys(ButtonKeys(rig.factory, {"1": 5}), ButtonKeys(rig.factory, {"2": 6}))
        before = threads()
        came: Queue[tuple[str, Thread]] = Queue()
        source.start(lambda key: came.put((key.name, current_thread())))
        try:
            rig.drive(5, False)
            found = dict([came.get(timeout=LAST_RESORT)])
            wakes = rig.factory.edges.wakes
            rig.drive(6, False)
            found |= dict([came.get(timeout=LAST_RESORT)])
            assert rig.factory.edges.wakes - wakes <= 2  # one for the edge, one after it is stable
            assert threads() == before
        finally:
            source.close()
    assert set(found) == {"1", "2"}
    assert len(set(found.values())) == 1


def test_a_wake_up_that_comes_between_two_waits_ends_the_next_one_even_if_edges_are_served_before() -> None:
    poll = EdgePoller()
    poll.wake()
    poll.serve()
    waits = Thread(target=poll.wait, args=(None,), daemon=True)
    waits.start()
    waits.join(LAST_RESORT)
    assert not waits.is_alive()
    poll.close()
