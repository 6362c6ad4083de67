"""The thread of the keys: how it waits, whether it is alive, and what it does when lines or receivers fail."""

from __future__ import annotations

import logging
import os
import select
import sys
import time
from collections.abc import Callable, Iterator
from queue import Queue, SimpleQueue
from threading import Event, Thread, current_thread
from threading import enumerate as threads
from typing import Any
from unittest.mock import patch

import pytest

from companion.app.ports import DeviceError
from companion.ui.keys import Key
from hardware.keys import lines as key_lines
from hardware.keys import source
from hardware.keys.contacts import ButtonKeys
from hardware.keys.lines import KeyLines
from hardware.keys.matrix import MatrixKeys
from hardware.keys.source import BROKEN, RETRY, BoardKeys, KeyReader
from tests.fakes.chip import FakeGpio
from tests.hardware.key_rigs import COLUMNS, KEYPAD, ROWS, VirtualRig, matrix_wires, virtual_keys
from tests.waiting import LAST_RESORT

ONE, TWO = 5, 6


@pytest.fixture
def gpio() -> Iterator[FakeGpio]:
    with FakeGpio().found() as made:
        yield made


@pytest.fixture
def keys(gpio: FakeGpio) -> Iterator[BoardKeys]:
    """Return two buttons, 1 and 2."""
    made = BoardKeys([ButtonKeys({"1": ONE, "2": TWO})])
    yield made
    made.close()


class Keypad:
    """A keypad in real time, with the keys that came."""

    def __init__(self, gpio: FakeGpio) -> None:
        self.came: Queue[Key] = Queue()
        self.source = BoardKeys([MatrixKeys(ROWS, COLUMNS, KEYPAD)])
        self._gpio = gpio

    def press(self, name: str) -> None:
        self._gpio.join(*matrix_wires()[name])

    def release(self, name: str) -> None:
        self._gpio.part(*matrix_wires()[name])


@pytest.fixture
def keypad(gpio: FakeGpio) -> Iterator[Keypad]:
    made = Keypad(gpio)
    made.source.start(made.came.put)
    yield made
    made.source.close()


@pytest.fixture
def rig() -> Iterator[VirtualRig]:
    with virtual_keys("keypad") as made:
        made.start()
        yield made


def nothing(_key: Key) -> None:
    """Take a key."""


# Waiting


def test_it_works_in_real_time(keypad: Keypad) -> None:
    for name in "147C":
        keypad.press(name)
        assert keypad.came.get(timeout=LAST_RESORT) == Key(name)
        keypad.release(name)
    assert keypad.source.alive()


def test_it_waits_without_a_time_limit_and_wakes_for_a_ping_alone(keys: BoardKeys) -> None:
    waits: SimpleQueue[Any] = SimpleQueue()
    wait = select.select

    def waited(reading: list[int], *rest: Any) -> Any:
        waits.put((len(reading), rest[-1]))
        return wait(reading, *rest)

    with patch("select.select", waited):
        keys.start(nothing)
        for _ in range(4):
            assert waits.get(timeout=LAST_RESORT) == (2, None)  # the lines and the ping
            assert keys.alive()
        keys.close()
    assert waits.qsize() <= 1  # after the last ping, if the keys were not closed before


def test_one_thread_reads_all_lines_and_ends_with_them(gpio: FakeGpio) -> None:
    before = set(threads())
    descriptors = len(os.listdir("/proc/self/fd"))
    keys = BoardKeys([ButtonKeys({"1": ONE}), ButtonKeys({"2": TWO}, "down"), MatrixKeys((17,), (27,), ("3",))])
    came: Queue[tuple[str, Thread]] = Queue()
    for _ in range(3):
        keys.start(lambda key: came.put((key.name, current_thread())))
        (thread,) = set(threads()) - before
        assert gpio.requests == 1
        for name, wire in (("1", (ONE, "gnd")), ("2", (TWO, "vcc")), ("3", (17, 27))):
            gpio.join(*wire)
            assert came.get(timeout=LAST_RESORT) == (name, thread)
            gpio.part(*wire)
        keys.close()
        assert (set(threads()), gpio.requests, gpio.handles) == (before, 0, 0)
        assert len(os.listdir("/proc/self/fd")) == descriptors


def test_a_call_to_the_kernel_lets_no_other_thread_run(gpio: FakeGpio) -> None:
    begin, ran = Event(), Event()
    lines = KeyLines({ONE: "up"})

    def run() -> None:
        begin.wait()
        ran.set()

    other = Thread(target=run)
    other.start()
    before = sys.getswitchinterval()
    sys.setswitchinterval(100)  # so only a thread that gives the interpreter up is interrupted
    try:
        with patch.object(key_lines, "ioctl", _IOCTL), patch.object(key_lines, "read", _READ):
            begin.set()
            for _ in range(1000):
                with pytest.raises(OSError, match="Inappropriate ioctl for device"):  # the fake's queue is a pipe
                    lines.closed()
                with pytest.raises(OSError, match="Inappropriate ioctl for device"):
                    lines.drive(0)
                assert lines.edges() == []
        assert not ran.is_set()
    finally:
        sys.setswitchinterval(before)
        other.join()
        lines.close()


_IOCTL, _READ = key_lines.ioctl, key_lines.read


def test_while_keys_are_read_a_busy_thread_soon_passes_the_interpreter_on(keys: BoardKeys) -> None:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1)
    try:
        keys.start(nothing)
        assert sys.getswitchinterval() == pytest.approx(source.SHARE)
    finally:
        sys.setswitchinterval(before)


def test_a_line_gone_wild_does_not_keep_the_thread_reading(gpio: FakeGpio) -> None:
    lines = KeyLines({ONE: "up"})
    reads = 0

    def wild(_fd: int, buffer: Any, size: int) -> int:
        nonlocal reads
        reads += 1
        assert reads <= key_lines.ROOM, "it reads without end"
        buffer[:size] = key_lines.EVENT.pack(reads, key_lines.RISING, ONE) * (size // key_lines.EVENT.size)
        return size

    try:
        with patch.object(key_lines, "read", wild):
            assert len(lines.edges()) == key_lines.ROOM
    finally:
        lines.close()


def test_edges_of_several_lines_come_in_the_order_of_their_times(gpio: FakeGpio) -> None:
    lines = KeyLines({ONE: "up", TWO: "up"})
    with gpio.late(ONE):
        gpio.join(ONE, "gnd")
        gpio.join(TWO, "gnd")
    assert [edge.contact for edge in lines.edges()] == [0, 1]
    lines.close()


def test_an_edge_that_a_scan_caused_is_dropped_though_the_kernel_tells_it_some_scans_later(gpio: FakeGpio) -> None:
    lines = KeyLines({ONE: "up"})
    with gpio.late(ONE):
        for _ in range(3):
            began = time.monotonic()
            gpio.join(ONE, "gnd")
            gpio.part(ONE, "gnd")
            lines.ignore(0b1, began, time.monotonic())
        gpio.join(ONE, "gnd")
    assert [edge.closed for edge in lines.edges()] == [True]
    lines.close()


# Being alive


def test_it_is_alive_from_start_to_close_however_often_it_is_asked(keys: BoardKeys) -> None:
    assert not keys.alive()
    keys.start(nothing)
    assert [keys.alive() for _ in range(20)] == [True] * 20
    keys.close()
    assert not keys.alive()


def test_it_is_not_alive_while_a_receiver_keeps_its_thread(gpio: FakeGpio) -> None:
    answers: SimpleQueue[bool] = SimpleQueue()
    ahead = 0.0

    def ask(_: Key) -> None:
        nonlocal ahead
        answers.put(asked.alive())  # on the thread itself, so that no ping is answered meanwhile
        answers.put(asked.alive())
        ahead += source.PATIENCE
        answers.put(asked.alive())

    asked = BoardKeys([ButtonKeys({"1": ONE, "2": TWO})], lambda: time.monotonic() + ahead)
    asked.start(ask)
    try:
        for line in (ONE, TWO):  # it goes on in between
            gpio.join(line, "gnd")
            assert [answers.get(timeout=LAST_RESORT) for _ in range(3)] == [True, True, False]
    finally:
        asked.close()


def test_it_is_not_alive_when_its_thread_has_died_of_a_mistake(keys: BoardKeys) -> None:
    died: SimpleQueue[object] = SimpleQueue()
    with patch("threading.excepthook", died.put), patch.object(KeyReader, "turn", side_effect=TypeError("a mistake")):
        keys.start(nothing)
        assert died.get(timeout=LAST_RESORT)
    keys._thread.join(LAST_RESORT)  # type: ignore[union-attr]
    assert not keys.alive()


# Receivers


def test_a_receiver_that_fails_does_not_end_input(keypad: Keypad, caplog: pytest.LogCaptureFixture) -> None:
    def take(key: Key) -> None:
        keypad.came.put(key)
        raise ValueError("not this one")

    keypad.source.close()
    keypad.source.start(take)
    for name in "12":
        keypad.press(name)
        assert keypad.came.get(timeout=LAST_RESORT) == Key(name)
    keypad.source.close()
    assert [record.exc_info is not None for record in caplog.records] == [True, True]


def test_it_can_be_closed_by_its_receiver(gpio: FakeGpio) -> None:
    keys = BoardKeys([MatrixKeys(ROWS, COLUMNS, KEYPAD)])
    keys.start(lambda _: keys.close())
    thread = keys._thread
    assert thread is not None
    gpio.join(ROWS[0], COLUMNS[0])
    thread.join(LAST_RESORT)
    assert not thread.is_alive()
    assert gpio.requests == 0


def test_closing_leaves_a_receiver_behind_that_does_not_return_with_a_warning(
    keypad: Keypad, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    began, go_on = Event(), Event()

    def take(_: Key) -> None:
        began.set()
        assert go_on.wait(LAST_RESORT)

    keypad.source.close()
    keypad.source.start(take)
    thread = keypad.source._thread
    keypad.press("1")
    assert began.wait(LAST_RESORT)
    monkeypatch.setattr(source, "PATIENCE", 0.01)
    keypad.source.close()
    assert not keypad.source.alive()
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    go_on.set()
    thread.join(LAST_RESORT)  # type: ignore[union-attr]


def test_starting_it_twice_is_a_mistake(keypad: Keypad) -> None:
    with pytest.raises(RuntimeError):
        keypad.source.start(nothing)


# Lines


@pytest.mark.parametrize(
    ("fail", "said"),
    [
        (lambda gpio: gpio.lose(COLUMNS[2]), "Input/output error"),
        (lambda gpio: gpio.occupy(ROWS[1], "spi0"), f"GPIO{ROWS[1]} is in use by spi0"),
    ],
)
def test_a_line_that_cannot_be_had_is_a_fault_and_can_be_tried_again(
    gpio: FakeGpio, fail: Callable[[FakeGpio], None], said: str
) -> None:
    keys = BoardKeys([MatrixKeys(ROWS, COLUMNS, KEYPAD)])
    fail(gpio)
    with pytest.raises(DeviceError, match=rf"^The keys cannot be used: {said}\.$"):
        keys.start(nothing)
    assert not keys.alive()
    assert gpio.handles == gpio.requests == 0
    gpio.restore()
    gpio.occupy(ROWS[1], "")
    keys.start(nothing)
    assert keys.alive()
    keys.close()


def test_names_that_do_not_fit_the_lines_are_refused() -> None:
    with pytest.raises(ValueError, match="4 rows"):
        MatrixKeys(ROWS, COLUMNS, ("123", "456", "789", "*0#"))


@pytest.mark.parametrize("line", [ROWS[1], COLUMNS[3]])
def test_a_line_that_fails_for_a_while_is_said_once_and_works_again(
    rig: VirtualRig, caplog: pytest.LogCaptureFixture, line: int
) -> None:
    rig.virtual.gpio.lose(line)
    rig.press("5")
    rig.wait(5 * RETRY)
    rig.release("5")
    assert rig.take() == []
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "Input/output error" in caplog.messages[0]
    rig.virtual.gpio.restore()
    rig.wait(RETRY)
    assert caplog.messages[1:] == ["The keys work again."]
    rig.press("B")  # on both of the lines
    assert rig.take() == [Key("B")]


def test_it_is_not_alive_once_its_lines_have_failed_for_long(rig: VirtualRig) -> None:
    rig.virtual.gpio.lose(*COLUMNS)
    rig.press("5")
    rig.wait(BROKEN - RETRY)
    assert rig.source.alive()
    rig.wait(2 * RETRY)
    assert not rig.source.alive()
    rig.virtual.gpio.restore()
    rig.wait(RETRY)
    assert rig.source.alive()


def test_trying_again_is_no_polling(rig: VirtualRig) -> None:
    rig.virtual.gpio.lose(*COLUMNS)
    rig.press("5")
    wakes = rig.virtual.wakes
    rig.wait(20)
    assert rig.virtual.wakes - wakes <= 21


def test_a_chip_that_vanishes_is_noticed_at_once_and_its_return_too(
    rig: VirtualRig, caplog: pytest.LogCaptureFixture
) -> None:
    rig.virtual.gpio.vanish()
    rig.wait(0)
    assert [message.partition(":")[0] for message in caplog.messages] == ["The keys fail, and are tried again"]
    rig.virtual.gpio.come_back()
    rig.wait(RETRY)
    rig.press("5")
    assert rig.take() == [Key("5")]
