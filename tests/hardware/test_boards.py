"""The boards that come with the program, and what settings can spoil of a board."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.ui.keys import FEW, NAMES
from hardware import board as boards
from hardware.board import BOARDS, BUZZER, DC, LAMP, LINES, RESET, Board, BoardError, Buttons, Matrix, load, names
from tests.docs.pages import EXAMPLES
from tests.waiting import LAST_RESORT

EVERY = names()
FILES = [*sorted(BOARDS.glob("*.toml")), *sorted((EXAMPLES / "boards").glob("*.toml"))]


def _moved(name: str = "three-buttons", **pins: int) -> Board:
    return load(name).with_pins(pins)


def _with_panel(board: Board, **panel: Any) -> Board:
    return msgspec.structs.replace(board, panel=msgspec.structs.replace(board.panel, **panel))


def _fault(board: Board, **fitted: bool) -> str:
    with pytest.raises(BoardError) as caught:
        boards.check(board, **fitted)
    return str(caught.value)


# Every board's file


@pytest.fixture(params=FILES, ids=lambda file: file.stem)
def board(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Board:
    """Return every board, and the example of the documentation."""
    monkeypatch.setattr(boards, "BOARDS", request.param.parent)
    return load(request.param.stem)


def test_there_are_boards_and_an_example() -> None:
    assert len(EVERY) >= 5
    assert len(FILES) == len(EVERY) + 1


def test_a_board_can_work_with_lamp_and_buzzer_and_cites_where_its_pins_come_from(board: Board) -> None:
    boards.check(board)
    assert board.title
    assert board.about
    assert board.source
    assert all(source.startswith("https://") for source in board.source)
    assert not [*boards.remarks(board)]


def test_a_board_names_each_pin_that_it_uses_and_uses_each_pin_that_it_names(board: Board) -> None:
    keys = Counter(pin for source in board.keys for pin in source.pins())
    assert set(keys.values()) == {1}, "a pin of two keys"
    assert set(board.pins) - {DC, RESET} == {*keys, *LAMP, BUZZER}
    assert (DC in board.pins) or (RESET not in board.pins and board.panel.bus == "i2c")
    assert set(board.pins.values()) <= set(LINES)


def test_a_board_has_the_whole_keypad_or_left_choose_and_right_and_no_key_twice(board: Board) -> None:
    keys = board.key_names()
    assert set(keys) <= set(NAMES + FEW)
    assert len(set(keys)) == len(keys)
    assert set(NAMES) <= set(keys) or {"<", "o", ">"} <= set(keys)


def test_a_matrix_has_a_key_at_each_crossing(board: Board) -> None:
    for matrix in board.keys:
        if isinstance(matrix, Matrix):
            assert [len(row) for row in matrix.keys] == [len(matrix.columns)] * len(matrix.rows)


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
    assert board.lines((DC, RESET)) == (24, 25)


# What settings can spoil; the sentences for it are those of the settings file


def test_a_lamp_and_a_buzzer_that_are_not_fitted_are_in_nobodys_way() -> None:
    boards.check(_moved(red=5, buzzer=2), lamp=False, buzzer=False)
    assert "pins.red" in _fault(_moved(red=5), buzzer=False)
    assert "pins.buzzer" in _fault(_moved(buzzer=2), lamp=False)


def test_pins_of_an_spi_panel_are_in_nobodys_way_on_i2c() -> None:
    boards.check(_moved(dc=5))
    assert _fault(_with_panel(_moved(dc=5), bus="spi")) == "pins.left and pins.dc are both GPIO 5"
    assert "pins.dc is GPIO 7, which SPI bus 0" in _fault(_with_panel(_moved(dc=7), bus="spi"))


def test_lines_that_the_console_or_a_hats_memory_may_hold_are_remarked_on_but_can_be_used() -> None:
    board = _moved(left=14, right=0)
    boards.check(board)
    assert [*boards.remarks(board)] == [
        "pins.left is GPIO 14, which the serial console uses where it is switched on",
        "pins.right is GPIO 0, where the Pi looks for a HAT while it starts",
    ]


def test_a_name_does_not_lead_out_of_the_folder_of_boards() -> None:
    with pytest.raises(BoardError):
        load(f"../{BOARDS.name}/rotary")


@pytest.fixture
def fault_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], str]:
    """Return what tells the fault of an owner's board that is like the rotary one, but for a part of its file."""

    def fault(written: str, instead: str) -> str:
        whole = (BOARDS / "rotary.toml").read_text("utf-8")
        assert whole.count(written) == 1
        (tmp_path / "own.toml").write_text(whole.replace(written, instead))
        monkeypatch.setattr(boards, "BOARDS", tmp_path)
        with pytest.raises(BoardError) as caught:
            load("own")
        return str(caught.value)

    return fault


@pytest.mark.parametrize(
    ("written", "instead", "said"),
    [
        ('push = "push"', 'push = "pus"', "board own: pus is not in [pins] (did you mean push?)"),
        ("red = ", "rot = ", "board own: red is not in [pins]"),
        ("push = 13", "push = 35", "pins.push has to be a GPIO from 0 to 27"),
        ('a = "a"\n', "", "own.toml: Object missing required field `a` - at `$.keys[0]`"),
        ('push = "push"', "push = 13", "own.toml: Expected `str`, got `int` - at `$.keys[0].push`"),
        ("[panel]", "[panle]", "own.toml: Object contains unknown field `panle`"),
        ('title = "', 'title = ""', "at line 1"),
    ],
)
def test_what_is_spoilt_in_a_boards_file_is_said(
    written: str, instead: str, said: str, fault_of: Callable[[str, str], str]
) -> None:
    assert said in fault_of(written, instead)


@given(st.dictionaries(st.sampled_from(sorted(load("keypad-4x4").pins)), st.integers(0, 27)))
def test_a_board_that_passes_has_no_line_for_two_things(pins: dict[str, int]) -> None:
    board = load("keypad-4x4").with_pins(pins)
    try:
        boards.check(board)
    except BoardError:
        return
    lines = [*board.used().values()]
    assert len(set(lines)) == len(lines)
    assert set(lines).isdisjoint({2, 3})


def test_reading_boards_brings_neither_panel_nor_pins_along() -> None:
    heavy = "{'PIL', 'luma', 'gpiozero', 'gpiod', 'lgpio', 'difflib'}"
    code = f"import sys, hardware.owner_settings; sys.exit(not {heavy}.isdisjoint(sys.modules))"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=LAST_RESORT, cwd=Path(__file__).parents[2])
