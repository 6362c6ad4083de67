"""Requirements on the lines of outputs, on the simulated chip and on the kernel's own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gpiozero import LED, PWMLED, Device
from gpiozero.exc import GPIOPinInUse, PinInvalidFunction, PinPWMUnsupported, PinSetInput

from hardware.gpio_chips import CONSUMER, busy
from hardware.output_pins import KernelFactory
from tests.hardware.chip_rigs import RIGS, Rig

LAMP, OTHER = 27, 22


@pytest.fixture(params=RIGS)
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    """Return every kind of chip in turn."""
    with RIGS[request.param]() as made:
        yield made


def test_a_line_has_the_level_it_was_told(rig: Rig) -> None:
    with LED(LAMP, pin_factory=rig.factory) as led:
        assert not rig.level(LAMP)
        for on in (True, False, True, True, False):
            led.value = on
            assert (rig.level(LAMP), bool(led.value)) == (on, on)


def test_a_line_is_driven_at_its_first_level_from_the_start(rig: Rig) -> None:
    assert busy([LAMP]) == {}
    with LED(LAMP, initial_value=True, pin_factory=rig.factory):
        assert rig.level(LAMP)


def test_no_device_makes_gpiozeros_default_factory(rig: Rig) -> None:
    with LED(LAMP, pin_factory=rig.factory):
        assert Device.pin_factory is None


def test_pwm_is_refused_and_the_line_is_free_again(rig: Rig) -> None:
    with pytest.raises(PinPWMUnsupported):
        PWMLED(LAMP, pin_factory=rig.factory)
    assert busy([LAMP]) == {}


def test_a_line_that_somebody_has_is_in_use_and_the_error_says_by_whom(rig: Rig) -> None:
    with rig.occupied(LAMP, "blinker"):
        with pytest.raises(OSError, match=r"GPIO27 is in use by blinker"):
            LED(LAMP, pin_factory=rig.factory)
        assert busy([LAMP, OTHER]) == {LAMP: "blinker"}
    with LED(LAMP, pin_factory=rig.factory):
        assert busy([LAMP, OTHER]) == {LAMP: CONSUMER}
    assert busy([LAMP, OTHER]) == {}


def test_a_line_cannot_have_two_devices(rig: Rig) -> None:
    with LED(LAMP, pin_factory=rig.factory), pytest.raises(GPIOPinInUse):
        LED(LAMP, pin_factory=rig.factory)


def test_what_makes_no_sense_is_refused(rig: Rig) -> None:
    pin = rig.factory.pin(LAMP)
    with pytest.raises(PinInvalidFunction):
        pin.function = "input"
    with pytest.raises(PinSetInput):
        pin.state = 1
    assert (pin.function, busy([LAMP])) == ("input", {})


def test_closing_a_factory_gives_its_lines_back_and_no_others(rig: Rig) -> None:
    with LED(LAMP, initial_value=True, pin_factory=rig.factory):
        with KernelFactory() as other:
            other.pin(OTHER).function = "output"
            assert sorted(busy([LAMP, OTHER])) == sorted([LAMP, OTHER])
        assert busy([LAMP, OTHER]) == {LAMP: CONSUMER}
        assert rig.level(LAMP)
        rig.factory.close()
        assert busy([LAMP, OTHER]) == {}
