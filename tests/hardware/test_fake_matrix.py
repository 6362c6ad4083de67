"""The simulated lines: levels, pulls, ghosts, shorts and edges."""

from __future__ import annotations

from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any

import pytest
from gpiozero import LED, Button
from gpiozero.exc import PinFixedPull, PinInvalidPull, PinSetInput

from tests.fakes.matrix import Board, Matrix
from tests.waiting import LAST_RESORT

ROWS, COLUMNS = (5, 6), (12, 16)
KEYS = ("12", "45")


@pytest.fixture
def board() -> Iterator[Board]:
    with Board() as made:
        yield made


@pytest.fixture
def matrix(board: Board) -> Matrix:
    """Return a keypad of four keys with pulled-up columns."""
    for column in COLUMNS:
        pin(board, column).input_with_pull("up")
    return Matrix(board, ROWS, COLUMNS, KEYS)


def pin(board: Board, number: int) -> Any:
    return board.factory.pin(number)


def shown(board: Board) -> str:
    """Scan the keypad, and return the keys that read closed."""
    names = ""
    for row, keys in zip(ROWS, KEYS, strict=True):
        pin(board, row).output_with_state(False)
        for column, name in zip(COLUMNS, keys, strict=True):
            names += "" if pin(board, column).state else name
        pin(board, row).input_with_pull("up")
    return names


@pytest.mark.parametrize("names", ["124", "125", "145", "245"])
def test_three_corners_of_a_rectangle_show_the_fourth(board: Board, matrix: Matrix, names: str) -> None:
    for name in names:
        matrix.press(name)
    assert shown(board) == "1245"


def test_outputs_that_differ_and_are_joined_are_counted_once_a_fight_and_low_wins(board: Board) -> None:
    pin(board, 5).output_with_state(False)
    pin(board, 6).output_with_state(True)
    assert board.shorts == 0
    board.join(5, 12)
    board.join(12, 6)
    assert board.shorts == 1
    assert [pin(board, number).state for number in (5, 6, 12)] == [False, False, False]
    pin(board, 6).output_with_state(False)
    pin(board, 6).output_with_state(True)
    assert board.shorts == 2


def test_an_output_that_is_joined_to_the_other_supply_is_counted_too(board: Board) -> None:
    pin(board, 5).output_with_state(True)
    board.join(5, "gnd")
    assert board.shorts == 1


def test_it_is_as_strict_as_a_real_line(board: Board) -> None:
    with pytest.raises(PinSetInput):
        pin(board, 17).state = True
    with pytest.raises(PinFixedPull):
        pin(board, 2).input_with_pull("down")
    with pytest.raises(PinInvalidPull):
        pin(board, 17).input_with_pull("sideways")


def test_the_devices_of_gpiozero_work_on_it(board: Board) -> None:
    pressed: SimpleQueue[str] = SimpleQueue()
    with Button(17, hold_time=0.001, pin_factory=board.factory) as button, LED(18, pin_factory=board.factory) as led:
        button.when_pressed = lambda: pressed.put("pressed")
        board.join(17, "gnd")
        assert pressed.get(timeout=LAST_RESORT) == "pressed"
        assert button.is_pressed
        led.on()
        assert pin(board, 18).state
        board.join(18, 22)
        assert pin(board, 22).state
