"""The boards that come with the program, and every error of a board file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.ui.keys import FEW, NAMES
from hardware.board import (
    BOARDS,
    Board,
    BoardError,
    Buttons,
    BuzzerWiring,
    Encoder,
    LampWiring,
    Matrix,
    PanelWiring,
    check,
    load,
    names,
    remarks,
)
from hardware.strict_toml import TomlError, parse
from tests.waiting import LAST_RESORT

EVERY = names()


def _board(**changes: Any) -> Board:
    """Return a valid board of three buttons, with some changes."""
    plain = Board(
        title="Plain",
        about="Three buttons.",
        source=(),
        pins={
            "left": 5,
            "choose": 6,
            "right": 13,
            "red": 17,
            "green": 27,
            "blue": 22,
            "buzzer": 18,
            "dc": 24,
            "rst": 25,
        },
        keys=(Buttons({"<": "left", "o": "choose", ">": "right"}),),
        panel=PanelWiring("ssd1306", dc="dc", reset="rst"),
        lamp=LampWiring("red", "green", "blue"),
        buzzer=BuzzerWiring("buzzer"),
        name="plain",
    )
    return msgspec.structs.replace(plain, **changes)


def _pins(**changes: int) -> dict[str, int]:
    return {**_board().pins, **changes}


def _fault(board: Board, **fitted: bool) -> str:
    with pytest.raises(BoardError) as caught:
        check(board, **fitted)
    return str(caught.value)


@pytest.mark.parametrize("name", EVERY)
def test_every_board_can_work_with_lamp_and_buzzer_and_cites_where_its_pins_come_from(name: str) -> None:
    board = load(name)
    assert board.name == name
    assert board.source
    assert all(source.startswith("https://") for source in board.source)
    assert not remarks(board)


@pytest.mark.parametrize("name", EVERY)
def test_every_board_has_the_whole_keypad_or_left_choose_and_right(name: str) -> None:
    keys = load(name).key_names()
    assert set(keys) <= set(NAMES + FEW)
    assert set(NAMES) <= set(keys) or {"<", "o", ">"} <= set(keys)


def test_the_keypads_lines_are_those_of_its_matrix() -> None:
    board = load("keypad-4x4")
    (matrix,) = board.keys
    assert isinstance(matrix, Matrix)
    assert board.lines(matrix.rows) == (5, 6, 13, 19)
    assert board.lines(matrix.columns) == (12, 16, 20, 21)
    assert matrix.names() == tuple(NAMES)


# The makers' own tables, as cited in the files


def test_the_bonnet_is_as_adafruit_made_it() -> None:
    board = load("oled-bonnet")
    (buttons,) = board.keys
    assert isinstance(buttons, Buttons)
    lines = {key: board.pins[pin] for key, pin in buttons.keys.items()}
    assert lines == {"<": 27, ">": 23, "^": 17, "v": 22, "o": 4, "#": 5, "*": 6}
    assert (board.panel.chip, board.panel.bus, board.panel.address) == ("ssd1306", "i2c", 0x3C)


def test_the_hat_is_as_waveshare_made_it() -> None:
    board = load("oled-hat")
    (buttons,) = board.keys
    assert isinstance(buttons, Buttons)
    lines = {key: board.pins[pin] for key, pin in buttons.keys.items()}
    assert lines == {"^": 6, "v": 19, "<": 5, ">": 26, "o": 13, "#": 21, "D": 20, "*": 16}
    assert (board.panel.chip, board.panel.bus, board.panel.bus_number, board.panel.device) == ("sh1106", "spi", 0, 0)
    assert board.panel.dc is not None
    assert board.panel.reset is not None
    assert board.lines((board.panel.dc, board.panel.reset)) == (24, 25)


# Errors of a board

MATRIX = Matrix(("r",), ("c",), ("1",))

WRONG: dict[str, tuple[Board, str]] = {
    "a line twice": (_board(pins=_pins(right=5)), "pins.left and pins.right are both GPIO 5"),
    "a line of the lamp too": (_board(pins=_pins(red=13)), "pins.right and pins.red are both GPIO 13"),
    "an encoder with one line": (
        _board(
            keys=(Encoder("a", "a", "push"),),
            pins={"a": 5, "push": 6, **{pin: line for pin, line in _pins().items() if line > 13}},
        ),
        "pins.a cannot be two things, the encoder a and the encoder b",
    ),
    "a line of I2C": (_board(pins=_pins(left=3)), "pins.left is GPIO 3, which I2C bus 1 of the panel needs"),
    "a line of the other I2C": (
        _board(panel=PanelWiring("ssd1306", port=0, dc="dc", reset="rst"), pins=_pins(left=1)),
        "pins.left is GPIO 1, which I2C bus 0 of the panel needs",
    ),
    "a line of SPI": (
        _board(panel=PanelWiring("sh1106", "spi", dc="dc", reset="rst"), pins=_pins(buzzer=7)),
        "pins.buzzer is GPIO 7, which SPI bus 0 of the panel needs",
    ),
    "a line that data and command need": (
        _board(panel=PanelWiring("sh1106", "spi", dc="dc", reset="rst"), pins=_pins(buzzer=24)),
        "pins.dc and pins.buzzer are both GPIO 24",
    ),
    "SPI without its pins": (
        _board(
            panel=PanelWiring("sh1106", "spi"),
            pins={pin: line for pin, line in _pins().items() if pin not in ("dc", "rst")},
        ),
        'panel.bus is "spi", but the board has no pin for the panel\'s data/command',
    ),
    "a large panel on I2C": (
        _board(panel=PanelWiring("ssd1322", dc="dc", reset="rst")),
        'panel.chip is "ssd1322", which speaks SPI alone: it needs panel.bus = "spi"',
    ),
    "an unknown pin": (
        _board(lamp=LampWiring("red", "gren", "blue")),
        'the pin of the lamp\'s green, "gren" (did you mean green?), is not among [pins]',
    ),
    "an unused pin": (_board(pins=_pins(spare=4)), "pins.spare is used for nothing"),
    "an unknown key": (
        _board(keys=(Buttons({"<": "left", "ok": "choose", ">": "right"}),)),
        'there is no key "ok"; there are 1 2 3 A 4 5 6 B 7 8 9 C * 0 # D and < o > ^ v',
    ),
    "a key that cannot be shown": (
        _board(keys=(Buttons({"<": "left", "\x00": "choose", ">": "right"}),)),
        'there is no key "\\u0000"; there are 1 2 3 A 4 5 6 B 7 8 9 C * 0 # D and < o > ^ v',
    ),
    "a row that cannot be shown": (
        _board(keys=(Matrix(("left",), ("choose", "right"), ("1\n",)),)),
        'there is no key "\\u000a"; there are 1 2 3 A 4 5 6 B 7 8 9 C * 0 # D and < o > ^ v',
    ),
    "a long row that cannot be shown": (
        _board(keys=(Matrix(("left",), ("choose", "right"), ("1\n2",)),)),
        'a matrix has 2 columns, but there are 3 keys in its row "1\\u000a2"',
    ),
    "pins that cannot be shown": (
        _board(pins=_pins(**{"\x00": 4})),
        'pins."\\u0000" is used for nothing',
    ),
    "a key twice": (
        _board(keys=(Buttons({"<": "left", "o": "choose"}), Buttons({"o": "right"}))),
        'there are 2 keys "o"',
    ),
    "too few keys": (
        _board(keys=(Buttons({"<": "left", "^": "choose", "v": "right"}),)),
        "nobody could work it: it has neither the whole keypad nor o and >",
    ),
    "a matrix with a row too few": (
        _board(keys=(Matrix(("left", "right"), ("choose",), ("1",)),)),
        "a matrix has 2 rows, but its keys stand in 1",
    ),
    "a matrix with a column too many": (
        _board(keys=(Matrix(("left",), ("choose", "right"), ("123",)),)),
        'a matrix has 2 columns, but there are 3 keys in its row "123"',
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_with_a_board_is_said_in_a_sentence(wrong: str) -> None:
    board, sentence = WRONG[wrong]
    assert _fault(board) == sentence


def test_the_plain_board_of_these_tests_can_work() -> None:
    check(_board())


def test_a_lamp_and_a_buzzer_that_are_not_fitted_are_in_nobodys_way() -> None:
    check(_board(pins=_pins(red=5, buzzer=2)), lamp=False, buzzer=False)
    assert "pins.red" in _fault(_board(pins=_pins(red=5)), buzzer=False)
    assert "pins.buzzer" in _fault(_board(pins=_pins(buzzer=2)), lamp=False)


def test_pins_of_an_spi_panel_are_in_nobodys_way_on_i2c() -> None:
    check(_board(pins=_pins(dc=5)))


def test_lines_that_the_console_or_a_hats_memory_may_hold_are_remarked_on_but_can_be_used() -> None:
    board = _board(pins=_pins(left=14, right=0))
    check(board)
    assert remarks(board) == (
        "pins.left is GPIO 14, which the serial console uses where it is switched on",
        "pins.right is GPIO 0, where the Pi looks for a HAT while it starts",
    )


def test_a_board_that_is_not_there_is_a_fault_that_names_those_that_are() -> None:
    with pytest.raises(BoardError) as caught:
        load("keypad")
    assert str(caught.value) == f'board is "keypad" (did you mean keypad-4x4?), but there are {_listed(EVERY)}'


def test_a_name_does_not_lead_out_of_the_folder_of_boards() -> None:
    with pytest.raises(BoardError):
        load(f"../{BOARDS.name}/rotary")


# Errors of a board file

FILE = (BOARDS / "rotary.toml").read_text("utf-8")

MISWRITTEN = {
    'a = "a"\n': ("", "keys[0].a is missing"),
    'title = "Rotary encoder"': ("", "title is missing"),
    "[buzzer]": (
        "[buzer]",
        "buzer is unknown (did you mean buzzer?); the file can say title, about, source, pins, keys",
    ),
    'kind = "encoder"': ('kind = "knob"', 'keys[0].kind is "knob", but has to be "matrix", "buttons" or "encoder"'),
    'kind = "encoder"\n': (
        "kind = []\n",
        'keys[0].kind is a list of 0, but has to be "matrix", "buttons" or "encoder"',
    ),
    'push = "push"': ("push = 13", 'keys[0].push is 13, but has to be text in quotes ("")'),
    'b = "b"': ('c = "b"', "keys[0].c is unknown; [keys[0]] can say kind, a, b and push"),
    "a = 5": ("a = 28", "pins.a is 28, but has to be a GPIO from 0 to 27"),
    "red = 17": ('red = "17"', 'pins.red is "17", but has to be a GPIO from 0 to 27'),
}


@pytest.mark.parametrize("written", MISWRITTEN)
def test_what_is_wrong_in_a_boards_file_is_said_with_its_key(written: str) -> None:
    instead, sentence = MISWRITTEN[written]
    assert FILE.count(written) == 1
    with pytest.raises(TomlError) as caught:
        parse(FILE.replace(written, instead), Board)
    assert str(caught.value).startswith(sentence)


@given(st.dictionaries(st.sampled_from(sorted(load("keypad-4x4").pins)), st.integers(0, 27)))
def test_a_board_that_passes_has_no_line_for_two_things(pins: dict[str, int]) -> None:
    board = load("keypad-4x4").with_pins(pins)
    try:
        check(board)
    except BoardError:
        return
    lines = [use.line for use in board.uses()]
    assert len(set(lines)) == len(lines)
    assert set(lines).isdisjoint({2, 3})


def test_reading_boards_brings_neither_panel_nor_pins_along() -> None:
    heavy = "{'PIL', 'luma', 'gpiozero', 'gpiod', 'lgpio', 'difflib'}"
    code = f"import sys, hardware.owner_settings; sys.exit(not {heavy}.isdisjoint(sys.modules))"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=LAST_RESORT, cwd=Path(__file__).parents[2])


def _listed(written: tuple[str, ...]) -> str:
    return f"{', '.join(written[:-1])} and {written[-1]}"
