"""Requirements on pins, on the simulated chip and on the kernel's own."""

from __future__ import annotations

import gc
import logging
import time
from collections.abc import Iterator
from threading import Event, Thread
from threading import enumerate as threads

import pytest
from gpiozero import LED, PWMLED, Button, Device, RotaryEncoder
from gpiozero.exc import (
    DeviceClosed,
    GPIOPinInUse,
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinPWMUnsupported,
    PinSetInput,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardware.gpio_chips import CONSUMER, busy
from tests.hardware.chip_rigs import KEY, LAB, LAMP, OTHER, PAST, RIGS, TURN, Ear, Rig, descriptors, watched
from tests.waiting import LAST_RESORT

LEVELS = st.lists(st.booleans(), max_size=12)
FEW = settings(
    max_examples=10 if LAB else 60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(params=RIGS)
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    """Return every kind of chip in turn."""
    with RIGS[request.param]() as made:
        yield made


@FEW
@given(levels=LEVELS)
def test_an_input_reads_what_is_driven(rig: Rig, levels: list[bool]) -> None:
    pin = rig.factory.pin(KEY)
    pin.input_with_pull("up")
    for high in levels:
        rig.drive(KEY, high)
        assert pin.state == high
    rig.let_go(KEY)


@pytest.mark.parametrize(("pull", "high"), [("up", 1), ("down", 0)])
def test_an_input_nobody_drives_reads_its_pull(rig: Rig, pull: str, high: int) -> None:
    pin = rig.factory.pin(KEY)
    pin.input_with_pull({"up": "down", "down": "up"}[pull])
    pin.pull = pull
    assert (pin.pull, pin.function, pin.state) == (pull, "input", high)


@FEW
@given(orders=st.lists(st.sampled_from(["low", "high", "up", "down", "toggle"]), max_size=15))
def test_a_line_is_as_the_last_order_says(rig: Rig, orders: list[str]) -> None:
    pin = rig.factory.pin(KEY)
    pin.input_with_pull("down")
    high = False
    for order in orders:
        if order in {"up", "down"}:
            pin.input_with_pull(order)
            high = order == "up"
        elif order == "toggle":
            pin.function = "output"  # keeps the current level
            assert rig.level(KEY) == high
            pin.state = high = not high
        else:
            pin.output_with_state(order == "high")
            high = order == "high"
        assert (bool(pin.state), rig.level(KEY)) == (high, high)
        assert pin.function == ("input" if order in {"up", "down"} else "output")


@FEW
@given(levels=LEVELS)
def test_every_edge_is_reported_once_and_in_order(rig: Rig, levels: list[bool]) -> None:
    ear = Ear(rig)
    rig.drive(KEY, True)
    pin = watched(rig, KEY, ear)
    for high in levels:
        rig.drive(KEY, high)
    changes = [int(now) for before, now in zip([True, *levels], levels, strict=False) if before != now]
    assert ear.states() == changes
    pin.close()
    rig.let_go(KEY)


def test_an_edge_carries_the_time_the_kernel_saw_it(rig: Rig) -> None:
    ear = Ear(rig)
    watched(rig, KEY, ear)
    before = rig.factory.ticks()
    rig.drive(KEY, False)
    rig.drive(KEY, True)
    after = rig.factory.ticks()
    stamps = [ticks for ticks, _ in ear.all()]
    assert [before, *stamps] == sorted([before, *stamps])
    # The kernel may register an edge shortly after the write that caused it has returned.
    assert rig.factory.ticks_diff(stamps[-1], after) < 0.1
    assert len(stamps) == 2


@pytest.mark.parametrize(("edges", "states"), [("both", [0, 1]), ("rising", [1]), ("falling", [0]), ("none", [])])
def test_only_the_edges_asked_for_are_reported(rig: Rig, edges: str, states: list[int]) -> None:
    ear = Ear(rig)
    pin = watched(rig, KEY, ear, edges)
    assert pin.edges == edges
    rig.drive(KEY, False)
    rig.let_go(KEY)
    assert ear.states() == states


def test_the_edges_asked_for_can_be_changed_while_they_are_waited_for(rig: Rig) -> None:
    ear = Ear(rig)
    pin = watched(rig, KEY, ear, "none")
    for edges, states in (("falling", [0]), ("rising", [1]), ("both", [0, 1])):
        pin.edges = edges
        rig.drive(KEY, False)
        rig.let_go(KEY)
        assert ear.states() == states


def test_edges_of_a_line_that_was_an_output_meanwhile_are_still_waited_for(rig: Rig) -> None:
    ear = Ear(rig)
    pin = watched(rig, KEY, ear, "falling")
    pin.output_with_state(False)
    pin.input_with_pull("up")
    ear.all()
    rig.drive(KEY, False)
    assert ear.states() == [0]


def test_what_happened_while_nobody_listened_is_not_reported_later(rig: Rig) -> None:
    ear = Ear(rig)
    pin = watched(rig, KEY, ear)
    rig.drive(KEY, False)
    assert ear.states() == [0]
    pin.when_changed = None
    rig.let_go(KEY)
    assert ear.states() == []
    pin.when_changed = ear.hear
    assert ear.states() == []
    rig.drive(KEY, False)
    assert ear.states() == [0]


def test_an_edge_still_in_the_queue_when_its_handler_went_is_never_reported(rig: Rig) -> None:
    ear = Ear(rig)
    blocked, go_on = Event(), Event()

    def block(ticks: float, state: int) -> None:
        blocked.set()
        assert go_on.wait(LAST_RESORT)

    stuck = rig.factory.pin(OTHER)
    stuck.input_with_pull("up")
    stuck.edges = "falling"
    stuck.when_changed = block
    pin = watched(rig, KEY, ear)
    try:
        rig.drive(OTHER, False)
        assert blocked.wait(LAST_RESORT)
        rig.drive(KEY, False)  # while the thread is blocked
        pin.when_changed = None
        pin.when_changed = ear.hear
        rig.let_go(KEY)
    finally:
        go_on.set()
    assert ear.states() == [1]


def test_a_handler_that_fails_is_logged_and_no_later_edge_is_lost(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    ear = Ear(rig)

    def fail(ticks: float, state: int) -> None:
        ear.hear(ticks, state)
        raise RuntimeError("a mistake in a handler")

    watched(rig, OTHER, ear)
    pin = watched(rig, KEY, ear, "falling")
    pin.when_changed = None
    pin.when_changed = fail
    for _ in range(3):
        rig.drive(KEY, False)
        rig.drive(OTHER, False)
        rig.let_go(KEY)
        rig.let_go(OTHER)
    assert ear.states() == [0, 0, 1] * 3
    failures = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert [record.exc_info is not None for record in failures] == [True] * 3
    assert "GPIO17" in failures[0].getMessage()
    assert rig.factory.alive()


def test_a_handler_that_is_gone_is_not_called_and_nothing_fails(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    ear = Ear(rig)
    pin = rig.factory.pin(KEY)
    pin.input_with_pull("up")

    class Owner:
        def hear(self, ticks: float, state: int) -> None:
            ear.hear(ticks, state)

    owner = Owner()
    pin.when_changed = owner.hear
    rig.drive(KEY, False)
    assert ear.states() == [0]
    del owner
    gc.collect()
    rig.let_go(KEY)
    assert ear.states() == []
    assert pin.when_changed is None
    assert not caplog.records


def test_lines_come_and_go_while_edges_are_waited_for(rig: Rig) -> None:
    ear = Ear(rig)
    watched(rig, KEY, ear)
    for _ in range(5):
        other = watched(rig, OTHER, ear)
        rig.drive(OTHER, False)
        rig.drive(KEY, False)
        rig.let_go(KEY)
        assert ear.states() == [0, 0, 1]
        other.close()
        rig.let_go(OTHER)
        rig.drive(OTHER, False)
        rig.let_go(OTHER)
        assert ear.states() == []


def test_a_line_can_be_closed_by_its_own_handler(rig: Rig) -> None:
    ear = Ear(rig)
    pin = rig.factory.pin(KEY)
    pin.input_with_pull("up")

    def close(ticks: float, state: int) -> None:
        pin.close()
        ear.hear(ticks, state)

    pin.when_changed = close
    rig.drive(KEY, False)
    rig.let_go(KEY)
    assert ear.states() == [0]
    assert KEY not in busy([KEY])


def test_pins_may_be_used_from_several_threads_at_once(rig: Rig) -> None:
    ear = Ear(rig)
    watched(rig, KEY, ear)
    failures: list[BaseException] = []

    def use(line: int) -> None:
        try:
            pin = rig.factory.pin(line)
            for _ in range(50):
                pin.output_with_state(False)
                pin.input_with_pull("up")
                pin.when_changed = ear.hear
                assert pin.state in {0, 1}
                pin.close()
        except BaseException as error:  # any error is passed to the test
            failures.append(error)

    users = [Thread(target=use, args=(line,)) for line in (OTHER, LAMP, OTHER, LAMP)]
    for user in users:
        user.start()
    for user in users:
        user.join(LAST_RESORT)
        assert not user.is_alive()
    assert not failures
    ear.all()
    rig.drive(KEY, False)
    assert ear.states() == [0]


def test_gpiozeros_button_works(rig: Rig) -> None:
    pressed, released = Event(), Event()
    with Button(KEY, pin_factory=rig.factory) as button:
        button.when_pressed = pressed.set
        button.when_released = released.set
        assert not button.is_pressed
        rig.drive(KEY, False)
        assert pressed.wait(LAST_RESORT)
        assert button.is_pressed
        assert not released.is_set()
        rig.let_go(KEY)
        assert released.wait(LAST_RESORT)
        assert not button.is_pressed


def test_gpiozeros_led_works(rig: Rig) -> None:
    with LED(LAMP, pin_factory=rig.factory) as led:
        assert not rig.level(LAMP)
        led.on()
        assert rig.level(LAMP)
        led.off()
        assert not rig.level(LAMP)
        assert led.value == 0


@FEW
@given(turns=st.lists(st.sampled_from([1, -1]), max_size=6))
def test_gpiozeros_rotary_encoder_counts_every_detent(rig: Rig, turns: list[int]) -> None:
    ear = Ear(rig)
    for line in (KEY, TURN):
        rig.let_go(line)
    with RotaryEncoder(KEY, TURN, max_steps=0, pin_factory=rig.factory) as encoder:
        for turn in turns:
            first, second = (KEY, TURN) if turn > 0 else (TURN, KEY)
            rig.drive(first, False)
            rig.drive(second, False)
            rig.let_go(first)
            rig.let_go(second)
        ear.all()
        assert encoder.steps == sum(turns)


def test_no_device_makes_gpiozeros_default_factory(rig: Rig) -> None:
    with Button(KEY, pin_factory=rig.factory), LED(LAMP, pin_factory=rig.factory):
        assert Device.pin_factory is None


def test_pwm_is_refused_and_the_line_is_free_again(rig: Rig) -> None:
    with pytest.raises(PinPWMUnsupported):
        PWMLED(LAMP, pin_factory=rig.factory)
    assert busy([LAMP]) == {}
    assert rig.factory.pin(LAMP).frequency is None


def test_a_line_that_somebody_has_is_in_use_and_the_error_says_by_whom(rig: Rig) -> None:
    with rig.occupied(KEY, "blinker"):
        with pytest.raises(GPIOPinInUse, match=r"GPIO17.*blinker"):
            Button(KEY, pin_factory=rig.factory)
        assert busy([KEY, OTHER]) == {KEY: "blinker"}
    with Button(KEY, pin_factory=rig.factory):
        assert busy([KEY, OTHER]) == {KEY: CONSUMER}
    assert busy([KEY, OTHER]) == {}


def test_a_line_cannot_have_two_devices(rig: Rig) -> None:
    with Button(KEY, pin_factory=rig.factory), pytest.raises(GPIOPinInUse):
        LED(KEY, pin_factory=rig.factory)


def test_a_closed_pin_is_free_and_can_be_used_again(rig: Rig) -> None:
    ear = Ear(rig)
    for _ in range(3):
        pin = watched(rig, KEY, ear)
        pin.close()
        assert busy([KEY]) == {}
        assert (pin.function, pin.edges, pin.when_changed) == ("input", "both", None)


def test_what_makes_no_sense_is_refused_and_changes_nothing(rig: Rig) -> None:
    pin = rig.factory.pin(KEY)
    pin.input_with_pull("up")
    with pytest.raises(PinInvalidFunction):
        pin.function = "alt0"
    with pytest.raises(PinInvalidPull):
        pin.pull = "sideways"
    with pytest.raises(PinInvalidEdges):
        pin.edges = "sharp"
    with pytest.raises(PinInvalidBounce):
        pin.bounce = -1
    with pytest.raises(PinSetInput):
        pin.state = 1
    assert (pin.function, pin.pull, pin.edges, pin.bounce) == ("input", "up", "both", None)
    pin.function = "output"
    with pytest.raises(PinFixedPull):
        pin.pull = "down"


def test_a_pull_that_is_soldered_on_cannot_be_changed(rig: Rig) -> None:
    pin = rig.factory.pin(2)  # I2C data, with a pull-up resistor on the board
    pin.input_with_pull("up")
    for change in (lambda: pin.input_with_pull("floating"), lambda: setattr(pin, "pull", "down")):
        with pytest.raises(PinFixedPull):
            change()
    assert pin.pull == "up"


def test_a_press_shorter_than_the_bounce_time_is_dropped_and_a_longer_one_is_not(rig: Rig) -> None:
    if not rig.debounces:
        pytest.skip("this chip does not debounce")
    ear = Ear(rig)
    pin = watched(rig, KEY, ear)
    pin.bounce = 0.5
    assert pin.bounce == 0.5
    before = time.monotonic()
    rig.drive(KEY, False)
    rig.let_go(KEY)
    rig.drive(KEY, False)
    report = ear.next()
    assert report is not None
    assert report[1] == 0
    assert before <= report[0] <= time.monotonic()
    pin.bounce = None
    assert ear.states() == []


def test_closing_gives_all_lines_back_and_ends_the_thread(rig: Rig) -> None:
    ear = Ear(rig)
    watched(rig, KEY, ear)
    led = LED(LAMP, pin_factory=rig.factory)
    assert sorted(busy([KEY, LAMP, OTHER, PAST])) == sorted([KEY, LAMP, PAST])
    rig.factory.close()
    led.close()
    assert busy([KEY, LAMP, OTHER, PAST]) == {}
    assert "inputs" not in {thread.name for thread in threads()}
    assert not rig.factory.alive()
    rig.factory.close()


def test_a_pin_of_a_closed_factory_says_so(rig: Rig) -> None:
    pin = rig.factory.pin(KEY)
    rig.factory.close()
    with pytest.raises(DeviceClosed):
        pin.input_with_pull("up")


def test_closing_by_a_handler_ends_the_thread_too(rig: Rig) -> None:
    pin = rig.factory.pin(KEY)
    pin.input_with_pull("up")
    closed = Event()

    def close(ticks: float, state: int) -> None:
        rig.factory.close()
        closed.set()

    pin.when_changed = close
    rig.drive(KEY, False)
    assert closed.wait(LAST_RESORT)
    for thread in threads():
        if thread.name == "inputs":
            thread.join(LAST_RESORT)
            assert not thread.is_alive()


def test_nothing_is_left_open_by_many_openings(rig: Rig) -> None:
    rig.factory.close()
    before = descriptors()
    for _ in range(20):
        with type(rig.factory)(0) as factory:
            pin = factory.pin(KEY)
            pin.input_with_pull("up")
            pin.when_changed = print
            factory.pin(LAMP).output_with_state(True)
            assert descriptors() > before
    assert descriptors() == before
