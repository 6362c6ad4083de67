"""The simulated lines: levels, pulls, ghosts, shorts and edges."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from queue import Empty, SimpleQueue
from threading import current_thread
from typing import Any

import pytest
from gpiozero import LED, Button
from gpiozero.exc import PinFixedPull, PinInvalidPull, PinSetInput

from tests.fakes.matrix import Board, Buttons, Matrix
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


def test_a_line_has_the_level_of_its_pull_and_keeps_the_last_where_nothing_draws_it(board: Board) -> None:
    line = pin(board, 5)
    line.input_with_pull("up")
    assert line.state
    line.input_with_pull("floating")
    assert line.state
    line.input_with_pull("down")
    assert not line.state
    line.input_with_pull("floating")
    assert not line.state
    board.join(5, "vcc")
    assert line.state


def test_edges_come_on_another_thread_in_their_order(board: Board) -> None:
    came: SimpleQueue[tuple[int, str]] = SimpleQueue()

    def take(_: float, state: int) -> None:
        came.put((state, current_thread().name))

    line = pin(board, 17)
    line.input_with_pull("up")
    line.when_changed = take
    buttons = Buttons(board, {"o": 17})
    for _ in range(3):
        buttons.press("o")
        buttons.release("o")
    assert [came.get(timeout=LAST_RESORT) for _ in range(6)] == [(0, "fake edges"), (1, "fake edges")] * 3


def test_only_the_edges_that_are_waited_for_come(board: Board) -> None:
    came: SimpleQueue[int] = SimpleQueue()

    def take(_: float, state: int) -> None:
        came.put(state)

    line = pin(board, 17)
    line.input_with_pull("up")
    line.edges = "falling"
    line.when_changed = take
    board.join(17, "gnd")
    board.part(17, "gnd")
    board.join(17, "gnd")
    board.settle()
    assert [came.get(timeout=LAST_RESORT) for _ in range(2)] == [0, 0]
    line.when_changed = None
    board.part(17, "gnd")
    board.join(17, "gnd")
    board.settle()
    with pytest.raises(Empty):
        came.get_nowait()


def test_a_callback_that_fails_does_not_end_the_next_ones(board: Board, caplog: pytest.LogCaptureFixture) -> None:
    came: SimpleQueue[int] = SimpleQueue()

    def take(_: float, state: int) -> None:
        came.put(state)
        raise ValueError("not this one")

    line = pin(board, 17)
    line.input_with_pull("up")
    line.when_changed = take
    with caplog.at_level(logging.CRITICAL):
        board.join(17, "gnd")
        board.part(17, "gnd")
        assert [came.get(timeout=LAST_RESORT), came.get(timeout=LAST_RESORT)] == [0, 1]
        board.settle()


def test_lines_that_are_lost_fail_until_they_are_restored(board: Board) -> None:
    line = pin(board, 17)
    board.lose(17)
    with pytest.raises(OSError, match="Input/output error"):
        line.input_with_pull("up")
    with pytest.raises(OSError, match="Input/output error"):
        _ = line.state
    board.restore()
    line.input_with_pull("up")
    assert line.state


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
