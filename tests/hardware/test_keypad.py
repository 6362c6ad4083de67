"""The matrix keypad, on simulated lines and in virtual time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import cycle
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.ui.keys import HOLDABLE, MISSED, Key
from hardware.keys.contacts import SETTLE
from hardware.keys.matrix import ALONE, FORGOTTEN, HELD
from tests.example_counts import examples
from tests.fakes.chip import FakeGpio
from tests.hardware.key_rigs import COLUMNS, KEYPAD, VirtualRig, matrix_wires, virtual_keys
from tests.hardware.random_presses import Press, must_match, perform, presses
from tests.hardware.virtual_time import VirtualTime

ORDINARY = [name for name in "".join(KEYPAD) if name not in HOLDABLE]
OPERATION = 0.00003
"""Seconds that reading or driving a line takes; a scan takes most of a millisecond."""

LATE = st.lists(st.floats(0, 0.0015), min_size=1, max_size=20)
"""Seconds by which the thread is late, for each wake-up."""

LOADED = st.lists(st.floats(0, 0.07), min_size=1, max_size=20)
"""The same while other programs want the processor."""

SLOW = st.sampled_from([OPERATION, 0.0004])
"""Seconds of an operation on a line; the longer one while another thread of the program is busy, too."""


@pytest.fixture
def rig() -> Iterator[VirtualRig]:
    with virtual_keys("keypad") as made:
        made.start()
        yield made


def play(
    found: list[Press], late: list[float], cost: float = OPERATION
) -> tuple[list[tuple[Key, float]], float, FakeGpio]:
    """Perform presses on a keypad. Return the reported keys with their times, the start time, and the chip."""
    lateness = cycle(late)
    virtual = VirtualTime(lambda: next(lateness), cost)
    with virtual_keys("keypad", virtual) as rig:
        got: list[tuple[Key, float]] = []
        rig.start(lambda key: got.append((key, virtual.now)))
        begin = virtual.now + 0.01
        wires = matrix_wires()
        over = perform(
            found,
            virtual.at,
            begin,
            lambda name: virtual.gpio.join(*wires[name]),
            lambda name: virtual.gpio.part(*wires[name]),
        )
        virtual.until(over + 0.1)
        wakes = virtual.wakes
        virtual.wait(3600)
        assert virtual.wakes == wakes  # idle again
        return got, begin, virtual.gpio


@settings(max_examples=examples(15, 1200))
@given(presses(ORDINARY, fingers=2), LATE)
def test_no_press_of_two_fingers_is_lost_invented_or_doubled(found: list[Press], late: list[float]) -> None:
    got, begin, gpio = play(found, late)
    must_match(found, got, begin, latest=0.02 + 0.002)
    assert gpio.shorts == 0


@settings(max_examples=examples(15, 1200))
@given(presses(ORDINARY, fingers=4, most=3), LATE)
def test_nothing_is_invented_or_doubled_whatever_many_fingers_do(found: list[Press], late: list[float]) -> None:
    got, begin, gpio = play(found, late)
    for name in ORDINARY:
        starts = [begin + press.start for press in found if press.name == name]
        ends = [begin + press.moves[-1] + 0.01 for press in found if press.name == name]
        times = [moment for key, moment in got if key.name == name]
        assert len(times) <= len(starts)
        for moment in times:
            # A press hidden by ghosting may be reported late, but only while the key is down.
            assert any(start <= moment <= end for start, end in zip(starts, ends, strict=True))
    assert gpio.shorts == 0


def test_a_ghost_that_is_gone_at_the_next_scan_does_not_count() -> None:
    found = [
        Press("C", 0.02, 0.04772, (0.02, 0.04772)),
        Press("2", 0.036226, 0.056226, (0.036226, 0.036227, 0.038179, 0.056226)),
        Press("A", 0.044689, 0.064689, (0.044689, 0.04469, 0.04736, 0.064689)),
    ]
    got, _, _ = play(found, [0.001])
    assert [key.name for key, _ in got] == ["C", "2", "A"]


@settings(max_examples=examples(40, 3000), deadline=None)
@given(presses(ORDINARY, fingers=1, most=6), LOADED, SLOW)
def test_under_load_a_press_is_entered_or_told_as_missed(found: list[Press], late: list[float], cost: float) -> None:
    got, _, gpio = play(found, late, cost)
    assert len(got) == len(found)
    for press, (key, _) in zip(found, got, strict=True):
        assert key in (Key(press.name), MISSED)
    assert gpio.shorts == 0


@settings(max_examples=examples(40, 3000), deadline=None)
@given(presses(ORDINARY, fingers=2), LOADED, SLOW)
def test_under_load_two_fingers_enter_nothing_they_did_not_press(
    found: list[Press], late: list[float], cost: float
) -> None:
    got, _, _ = play(found, late, cost)
    for name in ORDINARY:
        assert sum(key.name == name for key, _ in got) <= sum(press.name == name for press in found)


def test_edges_that_come_during_a_scan_but_happened_before_it_count_before_it() -> None:
    virtual = VirtualTime(cost=OPERATION)
    with virtual_keys("keypad", virtual) as rig, ExitStack() as late:
        rig.start()
        with patch.object(virtual, "late", lambda: 0.3):
            rig.press("5")
        scan = virtual.now + 0.3
        late.enter_context(virtual.gpio.late(*COLUMNS))
        virtual.at(scan + OPERATION / 2, late.close)
        rig.wait(0.05)
        rig.release("5")
        rig.wait(0.05)
        rig.press("6")
        rig.wait(0.05)
        rig.release("6")
        rig.wait(0.05)
        rig.press("6")
        assert virtual.now < scan
        virtual.until(scan + 0.15)
        assert rig.take() == [MISSED, MISSED, Key("6")]


def test_a_key_held_down_is_looked_at_seldom_and_a_card_that_lies_on_it_more_seldom(
    rig: VirtualRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.keys.matrix.LEFT", 2.0)

    def looks(seconds: float) -> float:
        before = rig.virtual.wakes
        rig.wait(seconds)
        return (rig.virtual.wakes - before) / seconds

    rig.press("5")
    rig.wait(0.1)
    assert looks(1) == pytest.approx(1 / ALONE, rel=0.02)
    rig.wait(2)
    assert looks(1) == pytest.approx(1 / FORGOTTEN, rel=0.02)
    rig.press("6")
    rig.wait(0.1)
    assert looks(1) == pytest.approx(1 / HELD, rel=0.02)


def test_a_clean_press_is_put_as_soon_as_it_has_settled(rig: VirtualRig) -> None:
    states: list[float] = []
    rig.source.close()
    rig.start(lambda _: states.append(rig.virtual.now))
    began = rig.virtual.now
    rig.press("5")
    rig.wait(0.05)
    assert [moment - began for moment in states] == [pytest.approx(SETTLE)]


def test_no_scan_comes_so_shortly_before_the_one_that_is_due_that_it_would_make_it_late(rig: VirtualRig) -> None:
    before = rig.virtual.wakes
    rig.press("5")
    rig.wait(SETTLE)
    assert rig.virtual.wakes - before == 2  # touched, stable


@pytest.mark.parametrize("step", range(20))
def test_a_key_that_comes_just_when_it_is_going_to_rest_counts(step: int) -> None:
    first = Press("1", 0.0, 0.03, (0.0, 0.03))
    start = 0.0345 + step * 0.00016
    second = Press("5", start, 0.08, (start, 0.08))
    got, _, _ = play([first, second], [0.0])
    assert [key.name for key, _ in got] == ["1", "5"]
