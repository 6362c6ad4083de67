"""The wiring page and its pictures: in step with the boards, and nothing on one pin twice."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.board import BOARDS, load, names
from tools.draw_wiring import PHYSICAL, boxes, files, write
from tools.gpio_header_drawing import HEADER, POWERS, DrawnPart, Wire, draw

EVERY = names()


def _written(svg: str) -> list[str]:
    """Return the words in a picture."""
    return [each.text or "" for each in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("name", files())
def test_page_and_pictures_are_in_step_with_the_boards(name: str) -> None:
    assert (BOARDS / name).read_text("utf-8") == files()[name], "write them anew: python -m tools.draw_wiring"


def test_there_is_nothing_in_the_folder_but_boards_and_what_is_made_of_them() -> None:
    assert {file.name for file in BOARDS.iterdir()} == {*files(), *(f"{name}.toml" for name in EVERY)}


def test_what_is_written_is_what_is_made(tmp_path: Path) -> None:
    write(tmp_path)
    assert {file.name: file.read_text("utf-8") for file in tmp_path.iterdir()} == files()


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
    assert {PHYSICAL[use.line] for use in board.uses()} <= taken
    assert {PHYSICAL[line] for line in board.panel.bus_lines() if board.panel.bus == "i2c"} <= taken


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


def test_what_is_on_a_hat_is_not_wired_by_hand() -> None:
    assert {box.title for box in boxes(load("oled-hat")) if box.wired} == {"RGB LED, if fitted", "Buzzer, if fitted"}
    assert all(box.wired for box in boxes(load("keypad-4x4")))


@pytest.mark.parametrize("name", EVERY)
def test_a_picture_names_every_pin_and_every_end_of_a_wire(name: str) -> None:
    written = _written(files()[f"{name}.svg"])
    assert [text for text in written if text.isdecimal()] == [str(pin) for pin in range(1, 41)]
    assert {wire.label for box in boxes(load(name)) for wire in box.wires} <= set(written)


def test_the_page_has_a_row_for_every_wire_and_shows_every_picture() -> None:
    page = files()["README.md"]
    for name in EVERY:
        assert f"]({name}.svg)" in page
        for box in boxes(load(name)):
            for wire in box.wires:
                colour = wire.colour if box.wired else "–"
                assert f"| {box.title} | {wire.label} | {colour} | {wire.pin} | {HEADER[wire.pin]} |" in page


def test_boxes_of_one_side_do_not_cover_each_other_even_where_all_their_pins_are_neighbours() -> None:
    crowd = tuple(DrawnPart(f"Part {pin}", (Wire("x", pin, "blue"),)) for pin in (33, 35, 37, 39))
    root = ElementTree.fromstring(draw("Crowd", crowd))
    tall = [
        (float(each.attrib["y"]), float(each.attrib["height"]))
        for each in root.iter("{http://www.w3.org/2000/svg}rect")
        if each.attrib.get("stroke") == "#b9b39f"
    ]
    assert len(tall) == 4
    assert all(y + height <= below for (y, height), (below, _) in pairwise(tall))
    assert tall[-1][0] + tall[-1][1] < float(root.attrib["height"])


def test_3v3_comes_from_two_pins_and_ground_from_eight() -> None:
    assert POWERS == {"3V3": (1, 17), "GND": (6, 9, 14, 20, 25, 30, 34, 39)}
