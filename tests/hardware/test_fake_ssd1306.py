"""The simulated SSD1306, compared with its datasheet."""

from __future__ import annotations

import pytest

from tests.fakes.oled import MisuseError
from tests.fakes.ssd1306 import Ssd1306
from tests.hardware.pictures import blank, dots


def chip(*codes: int) -> Ssd1306:
    """Return a controller that received these command bytes."""
    made = Ssd1306()
    made.write(bytes([0x00, *codes]))
    return made


def upright(*codes: int) -> Ssd1306:
    """Return a lit controller, upright, with a black RAM and the pointer at the first byte."""
    made = chip(0x8D, 0x14, 0x20, 0x00, 0xA1, 0xC8, 0xAF)
    paint(made, bytes(1024))
    made.write(bytes([0x00, *codes]))
    return made


def paint(made: Ssd1306, data: bytes) -> None:
    made.write(b"\x40" + data)


# Power


def test_a_power_cut_forgets_everything_and_leaves_other_noise() -> None:
    made = upright(0x81, 0x10, 0xA7, 0x21, 3, 9, 0x22, 1)  # the last command is incomplete
    noise_before = Ssd1306().ram
    made.power_cut()
    assert not made.lit
    assert made.ram != noise_before
    assert (made.mode, made.contrast, made.inverse, made.columns) == (2, 0x7F, False, (0, 127))
    made.write(bytes([0x00, 0xAF]))
    assert made.lit


def test_nothing_is_seen_before_the_display_is_on_and_the_charge_pump_runs() -> None:
    assert chip().glass() == blank()
    assert chip(0xAF).glass() == blank()
    assert chip(0x8D, 0x14).glass() == blank()
    assert chip(0x8D, 0x10, 0xAF).glass() == blank()
    assert chip(0x8D, 0x14, 0xAF).glass() != blank()


@pytest.mark.parametrize("control", [0x01, 0x20, 0x41, 0x90, 0xFF])
def test_a_control_byte_with_other_bits_is_an_error(control: int) -> None:
    with pytest.raises(MisuseError):
        Ssd1306().write(bytes([control, 0xAF]))


def test_a_picture_in_the_middle_of_a_command_is_an_error() -> None:
    made = chip(0x81)
    with pytest.raises(MisuseError):
        paint(made, b"\x01")


@pytest.mark.parametrize(
    "codes",
    [
        (0x26,), (0x2F,), (0x30,), (0x80,), (0xA3,), (0xA9,), (0xAC,), (0xB8,), (0xC1,), (0xD0,), (0xFF,),
        (0xA8, 0x0E), (0xD9, 0x0F), (0xD9, 0xF0), (0xAF, 0x21, 0, 127), (0xAF, 0x22, 0, 7),
        (0x20, 0, 0xB0), (0x20, 0, 0x00), (0x20, 0, 0x10),
    ],
    ids=lambda codes: "-".join(f"{code:02X}" for code in codes),
)  # fmt: skip
def test_an_unknown_command_or_an_impossible_parameter_is_an_error(codes: tuple[int, ...]) -> None:
    with pytest.raises(MisuseError):
        chip(*codes)


@pytest.mark.parametrize(
    "codes",
    [(0xAF,), (0x20, 1, 0xAF), (0x20, 2, 0xAF), (0x20, 0xFF, 0xAF), (0x20, 0, 0x21, 9, 5), (0x20, 0, 0x22, 5, 2)],
)
def test_an_impossible_mode_or_window_is_an_error_once_a_picture_comes(codes: tuple[int, ...]) -> None:
    made = chip(*codes)
    with pytest.raises(MisuseError):
        paint(made, bytes(200))


# Addressing


# SPI


# Visible pixels


@pytest.mark.parametrize(
    ("codes", "picture", "lit"),
    [
        pytest.param((), b"\x81" + bytes(1022) + b"\x80", [(0, 0), (0, 7), (127, 63)], id="upright"),
        pytest.param((0xA0, 0xC0), b"\x01", [(127, 63)], id="without mirroring it is upside down"),
        pytest.param((0xA7, 0xA6), b"\x01", [(0, 0)], id="inverse that has ended"),
        pytest.param((0x40 | 5,), b"\x20\x01", [(0, 0), (1, 59)], id="the start line is at the top"),
        pytest.param((0xC0, 0xD3, 8), bytes(128) + b"\x01", [(0, 63)], id="an offset moves rows to the first output"),
        pytest.param((0xA8, 47), b"\x01", [(0, 16)], id="a smaller multiplex ratio begins lower"),
        pytest.param((0xC0, 0xDA, 2), b"\x03" + bytes(511) + b"\x01", [(0, 63), (0, 61), (0, 62)], id="halves mixed"),
        pytest.param((0xDA, 0x32), b"\x01", [(0, 1)], id="swapped sides exchange neighbours"),
        pytest.param((0x81, 0), b"\x01", [(0, 0)], id="the lowest contrast"),
    ],
)  # fmt: skip
def test_what_is_seen_follows_the_registers(codes: tuple[int, ...], picture: bytes, lit: list[tuple[int, int]]) -> None:
    made = upright(*codes)
    paint(made, picture)
    assert made.glass() == dots(*lit)


def test_mirroring_rows_is_seen_at_once_but_mirroring_segments_only_in_what_is_written_after() -> None:
    made = upright()
    paint(made, b"\x01" + bytes(127))
    made.write(b"\x00\xc0")
    assert made.glass() == dots((0, 63))
    made.write(b"\x00\xc8\xa0")
    assert made.glass() == dots((0, 0))
    paint(made, b"\x01")
    assert made.glass() == dots((0, 0), (127, 8))
