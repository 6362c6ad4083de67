"""The wiring page and its pictures: in step with the boards, and nothing on one pin twice."""

from __future__ import annotations

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.board import BOARDS, load, names
from tools.draw_wiring import PHYSICAL, boxes, files
from tools.gpio_header_drawing import HEADER

EVERY = names()


@pytest.mark.parametrize("name", files())
def test_page_and_pictures_are_in_step_with_the_boards(name: str) -> None:
    assert (BOARDS / name).read_text("utf-8") == files()[name], "write them anew: python -m tools.draw_wiring"


def test_there_is_nothing_in_the_folder_but_boards_and_what_is_made_of_them() -> None:
    assert {file.name for file in BOARDS.iterdir()} == {*files(), *(f"{name}.toml" for name in EVERY)}


def test_the_header_is_the_one_gpiozero_knows() -> None:
    factory = MockFactory()
    try:
        known = factory.board_info.headers["J8"].pins
        assert {pin.number: pin.name for pin in known.values()} == HEADER
    finally:
        factory.close()
    assert sorted(PHYSICAL) == list(range(28))


@pytest.mark.parametrize("name", EVERY)
def test_every_line_of_a_board_is_on_its_pin_of_the_header(name: str) -> None:
    board = load(name)
    taken = {wire.pin for box in boxes(board) for wire in box.wires}
    assert {PHYSICAL[line] for line in board.used().values()} <= taken
    assert {PHYSICAL[line] for line in board.bus_lines() if board.panel.bus == "i2c"} <= taken


@pytest.mark.parametrize("name", EVERY)
def test_no_pin_of_the_header_has_two_wires_and_none_has_5v(name: str) -> None:
    pins = [wire.pin for box in boxes(load(name)) for wire in box.wires]
    assert len(set(pins)) == len(pins)
    assert "5V" not in {HEADER[pin] for pin in pins}


@pytest.mark.parametrize("name", EVERY)
def test_red_wires_are_3v3_and_black_ones_ground_and_no_others_are(name: str) -> None:
    for box in boxes(load(name)):
        for wire in box.wires:
            power = {"red": "3V3", "black": "GND"}.get(wire.colour, "GPIO")
            assert HEADER[wire.pin].startswith(power), wire


def test_what_is_wired_by_hand_has_its_power_and_its_ground() -> None:
    wires = {(box.title, wire.label): HEADER[wire.pin] for box in boxes(load("rotary")) for wire in box.wires}
    assert wires["Panel (SSD1306)", "VCC"] == wires["Encoder", "+"] == "3V3"
    for end in (
        ("Panel (SSD1306)", "GND"),
        ("Encoder", "GND"),
        ("Button", "other leg"),
        ("RGB LED, if fitted", "long leg"),
    ):
        assert wires[end] == "GND"
