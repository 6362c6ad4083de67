"""The factory's requests to the kernel; only the simulated chip records them."""

from __future__ import annotations

import errno
import gc
from collections.abc import Iterator
from datetime import timedelta
from queue import SimpleQueue
from threading import Event
from unittest.mock import patch

import pytest
from gpiod.line import Bias, Direction, Edge
from gpiozero.exc import GPIOPinInUse, PinInvalidFunction

from companion.ui.keys import Key
from hardware import input_thread
from hardware.gpiod_factory import KernelFactory
from hardware.keypad import MatrixKeypad
from tests.fakes.chip import FakeRequest
from tests.hardware.chip_rigs import KEY, LAMP, OTHER, PAST, TURN, Ear, Simulated, bench, simulated, watched
from tests.waiting import LAST_RESORT


@pytest.fixture
def rig() -> Iterator[Simulated]:
    with simulated() as made:
        yield made


def test_a_row_of_a_keypad_goes_to_and_fro_with_one_order_each(rig: Simulated) -> None:
    row = rig.factory.pin(KEY)
    for count in range(1, 6):
        row.output_with_state(False)
        row.input_with_pull("up")
        assert rig.gpio.ioctls == 2 * count


def test_one_order_drives_one_row_low_and_releases_the_others(rig: Simulated) -> None:
    rows = rig.factory.open_drain((KEY, OTHER, LAMP))
    try:
        assert [rig.level(line) for line in (KEY, OTHER, LAMP)] == [False] * 3
        before = rig.gpio.ioctls
        rows.drive(0b010)
        assert rig.gpio.ioctls == before + 1
        assert [rig.level(line) for line in (KEY, OTHER, LAMP)] == [True, False, True]
        rig.drive(KEY, False)  # released, so this is no short
        assert not rig.level(KEY)
    finally:
        rows.close()


def test_rows_that_are_in_use_are_refused_with_the_name_of_the_user(rig: Simulated) -> None:
    with (
        rig.occupied(OTHER, "another program"),
        pytest.raises(GPIOPinInUse, match="GPIO22 is in use by another program"),
    ):
        rig.factory.open_drain((KEY, OTHER))


def test_a_press_on_a_matrix_of_the_kernels_is_found_and_its_lines_are_released(rig: Simulated) -> None:
    came = SimpleQueue[Key]()
    keypad = MatrixKeypad(rig.factory, (KEY, OTHER), (PAST, TURN), ("12", "34"))
    keypad.start(came.put)
    try:
        rig.gpio.wire(OTHER, TURN)
        assert came.get(timeout=LAST_RESORT) == Key("4")
    finally:
        keypad.close()
    assert rig.gpio.requests == 0


def test_a_scan_of_a_keypad_changes_no_settings_of_its_lines(rig: Simulated) -> None:
    came = SimpleQueue[Key]()
    keypad = MatrixKeypad(rig.factory, (KEY, OTHER), (PAST, TURN), ("12", "34"))
    keypad.start(came.put)
    try:
        with patch.object(FakeRequest, "reconfigure_lines") as reconfigure:
            rig.gpio.wire(OTHER, TURN)
            assert came.get(timeout=LAST_RESORT) == Key("4")
        reconfigure.assert_not_called()
    finally:
        keypad.close()


def test_what_is_so_already_is_not_ordered_again(rig: Simulated) -> None:
    pin = rig.factory.pin(KEY)
    pin.input_with_pull("up")
    pin.input_with_pull("up")
    pin.function = "input"
    pin.edges = "falling"  # no edges are awaited yet
    pin.bounce = None
    assert rig.gpio.ioctls == 1


def test_a_fresh_line_is_never_driven_before_its_first_order(rig: Simulated) -> None:
    pin = rig.factory.pin(KEY)
    assert rig.gpio.requests == 0
    pin.output_with_state(True)
    assert rig.gpio.settings(KEY).direction is Direction.OUTPUT
    assert rig.gpio.ioctls == 1


def test_bouncing_is_the_kernels_only_while_edges_are_waited_for(rig: Simulated) -> None:
    pin = rig.factory.pin(KEY)
    pin.input_with_pull("up")
    pin.bounce = 0.004
    assert rig.gpio.settings(KEY).debounce_period == timedelta()
    pin.when_changed = print
    assert rig.gpio.settings(KEY).debounce_period == timedelta(milliseconds=4)
    assert rig.gpio.settings(KEY).edge_detection is Edge.BOTH
    pin.when_changed = None
    assert rig.gpio.settings(KEY).debounce_period == timedelta()
    assert rig.gpio.settings(KEY).edge_detection is Edge.NONE


def test_an_output_is_neither_pulled_nor_waited_for(rig: Simulated) -> None:
    pin = watched(rig, KEY, Ear(rig))
    pin.bounce = 0.004
    pin.output_with_state(False)
    held = rig.gpio.settings(KEY)
    assert (held.bias, held.edge_detection, held.debounce_period) == (Bias.AS_IS, Edge.NONE, timedelta())


def test_an_edge_wakes_the_thread_once_and_a_line_nobody_waits_for_never(rig: Simulated) -> None:
    ear = Ear(rig)
    watched(rig, KEY, ear)
    rig.factory.pin(OTHER).input_with_pull("up")
    ear.all()
    before = rig.factory.edges.wakes
    for _ in range(10):
        rig.drive(OTHER, False)
        rig.let_go(OTHER)
    rig.drive(KEY, False)
    assert ear.next() is not None
    assert rig.factory.edges.wakes == before + 1


def test_the_edges_of_a_handler_that_is_gone_are_no_longer_waited_for(rig: Simulated) -> None:
    ear = Ear(rig)
    pin = rig.factory.pin(KEY)
    pin.input_with_pull("up")

    class Owner:
        def hear(self, ticks: float, state: int) -> None:
            ear.hear(ticks, state)

    owner = Owner()
    pin.when_changed = owner.hear
    assert rig.gpio.settings(KEY).edge_detection is Edge.BOTH
    del owner
    gc.collect()
    rig.drive(KEY, False)
    assert ear.states() == []
    assert rig.gpio.settings(KEY).edge_detection is Edge.NONE


def test_a_line_that_was_let_go_of_or_has_nothing_to_tell_is_collected_from_at_once(rig: Simulated) -> None:
    pin = rig.factory.pin(KEY)
    assert pin.collect() == []
    pin.input_with_pull("up")
    assert pin.collect() == []


def test_a_chip_that_vanishes_ends_being_alive_and_can_still_be_closed(rig: Simulated) -> None:
    pin = rig.factory.pin(KEY)
    pin.input_with_pull("up")
    pin.when_changed = print
    assert rig.factory.alive()
    logged = Event()
    with patch.object(input_thread._LOG, "exception", lambda *words: logged.set()):
        rig.gpio.vanish()
        assert logged.wait(LAST_RESORT)
    assert not rig.factory.alive()
    with pytest.raises(OSError, match="No such device"):
        pin.input_with_pull("down")
    rig.factory.close()
    assert rig.gpio.requests == rig.gpio.handles == 0


def test_a_line_the_chip_has_not_is_refused() -> None:
    with bench() as gpio:
        del gpio._lines[KEY:]
        with KernelFactory(0) as factory, pytest.raises(PinInvalidFunction, match="GPIO17"):
            factory.pin(KEY).input_with_pull("up")


def test_a_handler_that_could_not_be_armed_can_be_armed_later(rig: Simulated) -> None:
    ear = Ear(rig)
    pin = rig.factory.pin(KEY)
    pin.input_with_pull("up")
    refused = OSError(errno.EIO, "Input/output error")
    with (
        patch.object(FakeRequest, "reconfigure_lines", side_effect=refused),
        pytest.raises(OSError, match="Input/output"),
    ):
        pin.when_changed = ear.hear
    assert pin.when_changed is None
    pin.when_changed = ear.hear
    rig.drive(KEY, False)
    assert ear.states() == [0]


def test_two_factories_do_not_close_each_others_lines(rig: Simulated) -> None:
    ear = Ear(rig)
    watched(rig, KEY, ear)
    with KernelFactory(0) as other:
        other.pin(OTHER).input_with_pull("up")
    rig.drive(KEY, False)
    assert ear.states() == [0]
