"""The event loop: keys in order, timed tasks on time, no needless wake-ups; in virtual time."""

from __future__ import annotations

from collections.abc import Sequence
from queue import Empty

from companion.app.box import Box
from companion.app.inputs import TypedAnswer
from companion.app.loop import Inbox, Stop, run
from companion.app.outputs import MemoryPanel, Outputs, PanelTimeouts
from companion.journal import Journal
from companion.ui.keys import Key, parse
from tests import raised_errors
from tests.app.boxes import begin, new_box
from tests.fakes.clock import FixedClock


class Evening(Inbox):
    """A queue on which keys arrive at given seconds; waiting for them advances the clock."""

    def __init__(self, clock: FixedClock, keys: Sequence[tuple[float, Key | TypedAnswer]], end: float) -> None:
        self.clock = clock
        self.coming: list[tuple[float, Key | TypedAnswer | Stop]] = [*keys, (end, Stop())]
        self.wakes = 0

    def get(self, block: bool = True, timeout: float | None = None) -> Key | TypedAnswer | Stop:
        self.wakes += 1
        timeout = timeout if block else 0
        moment, came = self.coming[0]
        if timeout is not None and self.clock.run + timeout < moment:
            self.clock.let_pass(timeout)
            raise Empty
        self.clock.let_pass(max(0, moment - self.clock.run))
        self.coming.pop(0)
        return came


class Heartbeat:
    """A periodic task."""

    def __init__(self, clock: FixedClock, period: float) -> None:
        self.clock, self.period, self.beats = clock, period, list[float]()
        self.due: float | None = period

    def tick(self) -> None:
        self.beats.append(self.clock.run)
        self.due = self.clock.run + self.period


def test_keys_are_pressed_in_order_and_stop_ends_the_loop() -> None:
    clock = FixedClock()
    box = begin(new_box(clock=clock))
    run(box, Evening(clock, [(second, key) for second, key in enumerate(parse("1 A3 A5"))], end=10), clock)
    assert box.lines == 2


def test_what_stood_in_the_queue_before_stop_is_pressed_first() -> None:
    clock = FixedClock()
    box = begin(new_box(clock=clock))
    inbox = Inbox()
    for key in parse("1 A3 A5"):
        inbox.put(key)
    inbox.put(Stop())
    run(box, inbox, clock)
    assert box.lines == 2


def test_what_is_due_is_done_on_time_with_keys_and_without() -> None:
    clock = FixedClock()
    heart = Heartbeat(clock, 10)
    keys = [(second * 1.0, Key("1")) for second in range(0, 40, 3)]
    run(new_box(clock=clock), Evening(clock, keys, end=101), clock, [heart])
    assert heart.beats == [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]


def test_the_loop_does_not_wake_for_nothing() -> None:
    clock = FixedClock()
    evening = Evening(clock, [], end=3600)
    run(new_box(clock=clock), evening, clock)
    assert evening.wakes == 2  # one wake-up is for the check of old games


def test_an_idle_box_wakes_rarely_until_it_sleeps_and_then_no_more() -> None:
    clock = FixedClock()
    panel = MemoryPanel()
    box = Box(Journal(), Outputs(panel, clock, timeouts=PanelTimeouts()), clock)
    evening = Evening(clock, [], end=36_000)
    run(box, evening, clock)
    assert evening.wakes <= 300 / 45 + 300 / 240 + 4
    assert panel.level == 0


def test_nothing_due_is_lost_when_the_queue_is_never_empty() -> None:
    clock = FixedClock()
    heart = Heartbeat(clock, 1)
    keys = [(second / 10, Key("1")) for second in range(100)]
    run(new_box(clock=clock), Evening(clock, keys, end=10.5), clock, [heart])
    assert len(heart.beats) == 10


def test_an_attendant_that_cannot_say_when_it_is_due_does_not_end_the_loop() -> None:
    class Confused:
        @property
        def due(self) -> float | None:
            raise RuntimeError

        def tick(self) -> None: ...

    clock = FixedClock()
    box = begin(new_box(clock=clock))
    keys = [(second, key) for second, key in enumerate(parse("1 A3 A5"))]
    with raised_errors.expected() as logged:
        run(box, Evening(clock, keys, end=10), clock, [Confused()])
    assert logged
    assert box.lines == 2
