"""Buttons, joysticks and the knob, on simulated lines and in virtual time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import cycle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.ui.keys import Key
from hardware.keys.contacts import MOST, DetentCounter
from tests.example_counts import examples
from tests.hardware.key_rigs import JOYSTICK, KNOB, VirtualRig, ground_wires, virtual_keys
from tests.hardware.random_presses import Press, perform, presses
from tests.hardware.virtual_time import VirtualTime

A, B, PUSH = KNOB


@pytest.fixture
def joystick() -> Iterator[VirtualRig]:
    with virtual_keys("buttons") as made:
        made.start()
        yield made


@pytest.fixture
def knob() -> Iterator[VirtualRig]:
    with virtual_keys("knob") as made:
        made.start()
        yield made


@settings(max_examples=examples(40, 2000))
@given(
    presses("#*o", fingers=3),
    st.lists(st.sampled_from([0, 0, 0.0003, 0.004, 0.02, 0.3]), min_size=1, max_size=10),
)
def test_no_press_is_lost_invented_or_doubled_however_late_the_thread_comes(
    found: list[Press], late: list[float]
) -> None:
    lateness = cycle(late)
    virtual, wires = VirtualTime(lambda: next(lateness)), ground_wires(JOYSTICK)
    with virtual_keys("buttons", virtual) as rig:
        rig.start()
        over = perform(
            found,
            virtual.at,
            virtual.now + 0.01,
            lambda name: virtual.gpio.join(*wires[name]),
            lambda name: virtual.gpio.part(*wires[name]),
        )
        virtual.until(over + 1)
        assert sorted(key.name for key in rig.got) == sorted(press.name for press in found)


def test_nothing_wakes_it_while_somebody_holds_an_ordinary_key(joystick: VirtualRig) -> None:
    joystick.press("*")
    joystick.wait(2)
    wakes, operations = joystick.virtual.wakes, joystick.virtual.gpio.operations
    joystick.wait(24 * 3600)
    assert (joystick.virtual.wakes, joystick.virtual.gpio.operations) == (wakes, operations)


def test_a_jammed_joystick_falls_silent(joystick: VirtualRig) -> None:
    joystick.press("<")
    joystick.wait(100)
    joystick.take()
    wakes = joystick.virtual.wakes
    joystick.wait(1000)
    assert joystick.take() == []
    assert joystick.virtual.wakes == wakes


def test_an_edge_that_comes_after_the_levels_were_read_keeps_its_time(joystick: VirtualRig) -> None:
    gpio = joystick.virtual.gpio
    with gpio.late(JOYSTICK["o"]):
        joystick.press("o")
        joystick.wait(0.02)
        joystick.release("o")
        with gpio.deaf():
            joystick.press("*")
        joystick.virtual.ring()
        joystick.wait(0)
    joystick.wait(0.02)
    joystick.release("*")
    assert sorted(joystick.take()) == sorted([Key("o"), Key("*")])


def quarters(right: bool) -> list[tuple[int, bool]]:
    """Return the contacts that change in a detent, in order."""
    first, second = (A, B) if right else (B, A)
    return [(first, True), (second, True), (first, False), (second, False)]


def touching(virtual: VirtualTime, line: int, closed: bool) -> Callable[[], object]:
    """Return an action that closes or opens a contact to ground."""
    return lambda: (virtual.gpio.join if closed else virtual.gpio.part)(line, "gnd")


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
    with virtual_keys("knob", virtual) as rig:
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


@pytest.mark.parametrize("later", [A, B])
@pytest.mark.parametrize("right", [True, False])
def test_a_detent_counts_whose_contacts_the_kernel_tells_in_the_wrong_order(
    knob: VirtualRig, right: bool, later: int
) -> None:
    for _ in range(3):
        with knob.virtual.gpio.late(later):
            for line, closed in quarters(right)[:2]:
                touching(knob.virtual, line, closed)()
                knob.wait(0.001)
        for line, closed in quarters(right)[2:]:
            touching(knob.virtual, line, closed)()
            knob.wait(0.001)
    assert knob.take() == [Key(">" if right else "<")] * 3


def turned(right: bool, count: int) -> list[tuple[float, int, bool]]:
    """Return the edges of some detents, as a counter is told them."""
    edges = quarters(right) * count
    return [(moment / 100, int(line == B), closed) for moment, (line, closed) in enumerate(edges)]


def counted(edges: Iterable[tuple[float, int, bool]]) -> list[int]:
    counter = DetentCounter()
    return [detent for edge in edges for detent in counter.follow(*edge)]


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("missing", range(2, 10))
def test_detents_count_although_the_kernel_tells_the_second_of_two_edges_alone(right: bool, missing: int) -> None:
    edges = turned(right, 3)
    assert counted(edges[:missing] + edges[missing + 1 :]) == [1 if right else -1] * 3


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("late", [0, 1])
def test_detents_count_although_one_contact_is_told_after_the_other_was_open_again(right: bool, late: int) -> None:
    edges = turned(right, 3)
    told = edges[:4] + sorted(edges[4:8], key=lambda edge: edge[1] == late) + edges[8:]
    assert counted(told) == [1 if right else -1] * 3


def test_a_knob_that_trembles_between_two_detents_is_not_remembered_without_end() -> None:
    counter = DetentCounter()
    moves = [(0, True), *[(1, number % 2 == 0) for number in range(1001)], (0, False), (1, False)]
    detents = []
    for moment, (contact, closed) in enumerate(moves):
        detents += counter.follow(moment, contact, closed)
        assert len(counter._edges) < MOST
    assert detents == [1]


def test_turning_it_halfway_and_back_counts_nothing(knob: VirtualRig) -> None:
    for right in (True, False):
        for line, closed in quarters(right)[:3]:
            touching(knob.virtual, line, closed)()
            knob.wait(0.01)
        for line, closed in reversed(quarters(right)[:3]):
            touching(knob.virtual, line, not closed)()
            knob.wait(0.01)
    assert knob.take() == []


def test_resting_between_two_detents_wakes_nothing_and_is_believed_later(knob: VirtualRig) -> None:
    knob.press(">")
    wakes = knob.virtual.wakes
    knob.wait(3600)
    assert knob.virtual.wakes == wakes
    knob.release(">")
    assert knob.take() == [Key(">")]
