"""The encoder, through gpiozero, on simulated lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.ui.keys import Key
from tests.example_counts import examples
from tests.hardware.key_rigs import KNOB, VirtualRig, virtual_knob
from tests.hardware.virtual_time import VirtualTime

A, B, PUSH = KNOB


@pytest.fixture
def rig() -> Iterator[VirtualRig]:
    with virtual_knob() as made:
        made.start()
        yield made


def quarters(right: bool) -> list[tuple[int, bool]]:
    """Return the contacts that change in a detent, in order."""
    first, second = (A, B) if right else (B, A)
    return [(first, True), (second, True), (first, False), (second, False)]


@settings(max_examples=examples(40, 1600))
@given(
    st.lists(st.booleans(), max_size=12),
    st.lists(st.integers(0, 5), min_size=1, max_size=20),
    st.floats(0.0002, 0.02),
    st.lists(st.sampled_from([0, 0, 0.001, 0.03]), min_size=1, max_size=10),
)
def test_every_detent_counts_once_however_it_bounces_and_however_late_the_thread_comes(
    turns: list[bool], bounces: list[int], quarter: float, late: list[float]
) -> None:
    lateness, bouncing = cycle(late), cycle(bounces)
    virtual = VirtualTime(lambda: next(lateness))
    with virtual_knob(virtual) as rig:
        rig.start()
        moment = virtual.now
        for right in turns:
            for line, closed in quarters(right):
                moment += quarter
                moves = 2 * next(bouncing) + 1
                for number in range(moves):
                    touch = closed is (number % 2 == 0)
                    virtual.at(moment + number * quarter / (2 * moves), touching(virtual, line, touch))
        virtual.until(moment + 1)
        assert rig.got == [Key(">" if right else "<") for right in turns]


def touching(virtual: VirtualTime, line: int, closed: bool) -> Callable[[], object]:
    """Return an action that closes or opens a contact to ground."""
    return lambda: (virtual.board.join if closed else virtual.board.part)(line, "gnd")


def test_turning_it_halfway_and_back_counts_nothing(rig: VirtualRig) -> None:
    for right in (True, False):
        for line, closed in quarters(right)[:3]:
            touching(rig.virtual, line, closed)()
            rig.wait(0.01)
        for line, closed in reversed(quarters(right)[:3]):
            touching(rig.virtual, line, not closed)()
            rig.wait(0.01)
    assert rig.take() == []


def test_turning_it_while_it_is_pushed_counts_after_the_push(rig: VirtualRig) -> None:
    rig.press("o")
    rig.wait(0.1)
    rig.press(">")
    rig.release(">")
    rig.release("o")
    assert rig.take() == [Key("o"), Key(">")]


def test_resting_between_two_detents_wakes_nothing_and_is_believed_later(rig: VirtualRig) -> None:
    rig.press(">")
    wakes = rig.virtual.wakes
    rig.wait(3600)
    assert rig.virtual.wakes == wakes
    rig.release(">")
    assert rig.take() == [Key(">")]
