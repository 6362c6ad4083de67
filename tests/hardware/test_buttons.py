"""Single buttons and joysticks, through gpiozero, on simulated lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from queue import SimpleQueue
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.app.ports import DeviceError
from companion.ui.keys import Key
from hardware.buttons import ButtonKeys
from hardware.gpio_key_source import RETRY, CombinedKeys
from tests.example_counts import examples
from tests.fakes.matrix import Board, Buttons
from tests.hardware.key_rigs import JOYSTICK, VirtualRig, virtual_buttons
from tests.hardware.random_presses import Press, perform, presses
from tests.hardware.virtual_time import VirtualTime
from tests.waiting import LAST_RESORT

FIVE = {"1": 17, "2": 22, "3": 27, "4": 23, "5": 4}


@pytest.fixture
def rig() -> Iterator[VirtualRig]:
    with virtual_buttons() as made:
        made.start()
        yield made


@settings(max_examples=examples(40, 2000))
@given(
    presses("".join(FIVE), fingers=3),
    st.lists(st.sampled_from([0, 0, 0.0003, 0.004, 0.02, 0.3]), min_size=1, max_size=10),
)
def test_no_press_is_lost_invented_or_doubled_however_late_the_thread_comes(
    found: list[Press], late: list[float]
) -> None:
    lateness = cycle(late)
    virtual = VirtualTime(lambda: next(lateness))
    with virtual.board as board:
        got: list[Key] = []
        source = ButtonKeys(board.factory, FIVE, clock=virtual.clock, waker=virtual.waker())
        try:
            source.start(got.append)
            virtual.begin()
            buttons = Buttons(board, FIVE)
            virtual.until(perform(found, virtual.at, virtual.now + 0.01, buttons.press, buttons.release) + 1)
            assert sorted(key.name for key in got) == sorted(press.name for press in found)
        finally:
            virtual.hurry()
            source.close()


def test_buttons_to_the_supply_count_where_lines_are_pulled_down() -> None:
    came = SimpleQueue[Key]()
    with Board() as board:
        source = ButtonKeys(board.factory, {"1": 17}, pull="down")
        try:
            source.start(came.put)
            Buttons(board, {"1": 17}, "vcc").press("1")
            assert came.get(timeout=LAST_RESORT) == Key("1")
            assert came.empty()
        finally:
            source.close()


def test_nothing_wakes_it_while_nobody_touches_it_or_holds_an_ordinary_key(rig: VirtualRig) -> None:
    rig.press("*")
    rig.wait(2)
    wakes, operations = rig.virtual.wakes, rig.virtual.board.operations
    rig.wait(24 * 3600)
    assert (rig.virtual.wakes, rig.virtual.board.operations) == (wakes, operations)


def test_a_jammed_joystick_falls_silent(rig: VirtualRig) -> None:
    rig.press("<")
    rig.wait(100)
    rig.take()
    wakes = rig.virtual.wakes
    rig.wait(1000)
    assert rig.take() == []
    assert rig.virtual.wakes == wakes


def test_an_edge_that_was_lost_is_noticed_when_it_is_next_asked_whether_it_is_alive(rig: VirtualRig) -> None:
    with patch.object(rig.virtual.board, "_calls", _Nothing()):
        rig.press("*")
    rig.wait(1)
    assert rig.got == []
    assert rig.source.alive()
    rig.wait(1)
    assert rig.take() == [Key("*", held=True)]


class _Nothing(list[object]):
    """A list that drops every item."""

    def append(self, _: object) -> None:
        pass


def test_edges_that_are_told_late_count_by_their_stamps(rig: VirtualRig) -> None:
    line = rig.virtual.board.factory.pin(JOYSTICK["*"])
    line.call(rig.virtual.now - 0.03, False)
    line.call(rig.virtual.now - 0.005, True)
    assert rig.take() == [Key("*")]


def test_stamps_of_another_clock_are_not_believed(rig: VirtualRig) -> None:
    with patch.object(rig.virtual.board.factory, "ticks", lambda: -12345.0):
        rig.press("*")
        rig.wait(0.1)
        rig.release("*")
        assert rig.take() == [Key("*")]


def test_a_pull_that_the_board_forbids_is_a_fault() -> None:
    with Board() as board, pytest.raises(DeviceError, match="physical pull-up"):
        ButtonKeys(board.factory, {"o": 2}, pull="down").start(lambda _: None)


def test_its_lines_that_fail_are_tried_again(rig: VirtualRig, caplog: pytest.LogCaptureFixture) -> None:
    rig.virtual.board.lose(JOYSTICK["o"])
    assert rig.source.alive()  # the call makes the thread read the levels
    rig.wait(3 * RETRY)
    rig.virtual.board.restore()
    rig.wait(RETRY)
    assert len(caplog.messages) == 2
    rig.press("o")
    rig.wait(0.1)
    rig.release("o")
    assert rig.take() == [Key("o")]


def test_several_sources_start_all_or_none_and_are_alive_only_together() -> None:
    with Board() as board:
        first = ButtonKeys(board.factory, {"1": 17})
        second = ButtonKeys(board.factory, {"2": 22})
        both = CombinedKeys(first, second)
        board.lose(22)
        with pytest.raises(DeviceError):
            both.start(lambda _: None)
        assert not first.alive()
        board.restore()
        try:
            both.start(lambda _: None)
            assert both.alive()
            second.close()
            assert not both.alive()
        finally:
            both.close()
        assert not first.alive()
