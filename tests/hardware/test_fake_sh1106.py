"""The simulated SH1106, compared with its datasheet."""

from __future__ import annotations

import pytest
from luma.oled.device import sh1106

from tests.fakes.i2c import FakeI2c
from tests.fakes.oled import MisuseError
from tests.fakes.sh1106 import Sh1106
from tests.hardware.pictures import blank, noise


def chip(*codes: int) -> Sh1106:
    """Return a controller that received these command bytes."""
    made = Sh1106()
    made.write(bytes([0x00, *codes]))
    return made


def upright(*codes: int) -> Sh1106:
    """Return a lit controller, upright, with a black RAM and the pointer at the first visible byte."""
    made = chip(0xA1, 0xC8, 0xAF)
    for page in range(8):
        made.write(bytes([0x00, 0xB0 | page, 0x00, 0x10]))
        made.write(b"\x40" + bytes(132))
    made.write(bytes([0x00, 0xB0, 0x02, 0x10, *codes]))
    return made


def test_nothing_is_seen_before_the_display_is_on_or_without_the_converter() -> None:
    assert chip().glass() == blank()
    assert chip(0xAF).glass() != blank()
    assert chip(0xAD, 0x8A, 0xAF).glass() == blank()
    assert chip(0xAD, 0x8A, 0xAD, 0x8B, 0xAF).glass() != blank()


def test_more_picture_than_the_page_has_room_for_is_an_error() -> None:
    made = upright()
    made.write(b"\x40" + bytes(130))
    with pytest.raises(MisuseError):
        made.write(b"\x40\x01")


@pytest.mark.parametrize(
    "codes", [(0x21,), (0x22,), (0x2E,), (0xA3,), (0xB8,), (0xD0,), (0xFF,), (0xAD, 0x14), (0xAF, 0xAD, 0x8B)]
)
def test_what_the_datasheet_does_not_know_is_an_error(codes: tuple[int, ...]) -> None:
    with pytest.raises(MisuseError):
        chip(*codes)


# luma's display(), the reference here, uses a function that Pillow deprecates
@pytest.mark.filterwarnings("ignore:.*getdata:DeprecationWarning")
def test_lumas_own_driver_puts_its_picture_on_the_glass(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Sh1106()
    monkeypatch.setattr("smbus2.SMBus", FakeI2c({0x3C: made}).smbus)
    sh1106().display(noise(1))
    assert made.glass() == noise(1)
    assert made.contrast == 0x7F
