"""The planned windows, applied to a RAM."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hardware.frame_diff import Window, WindowPlanner
from hardware.panel_controllers import controller
from hardware.panel_spec import Chip

ROWS, STRIDE = 8, 32
FRESH = 8


def price(window: Window, sent: Window | None) -> int:
    """Return the cost of a window; less if the one before has the same rows or columns, as on an SSD1306."""
    same = 0
    if sent is not None:
        same += (window.top, window.bottom) == (sent.top, sent.bottom)
        same += (window.left, window.right) == (sent.left, sent.right)
    return 10 - 3 * same + window.size


PLANNERS = {
    "tall": WindowPlanner(ROWS, STRIDE, FRESH, price),
    "flat": WindowPlanner(ROWS, STRIDE, FRESH, price, tall=False),
    "pairs": WindowPlanner(ROWS, STRIDE, FRESH, price, cell=2),
}


def rams() -> st.SearchStrategy[bytes]:
    """Draw whole RAMs, mostly noise."""
    return st.binary(min_size=ROWS * STRIDE, max_size=ROWS * STRIDE)


@st.composite
def changes(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """Draw a RAM before and after changes of bytes, runs and rectangles."""
    old = draw(st.just(bytes(ROWS * STRIDE)) | rams())
    new = bytearray(old)
    for _box in range(draw(st.integers(0, 6))):
        top, left = draw(st.integers(0, ROWS - 1)), draw(st.integers(0, STRIDE - 1))
        height, width = draw(st.integers(1, 4)), draw(st.integers(1, 12))
        flip = draw(st.integers(1, 255))
        for row in range(top, min(top + height, ROWS)):
            for place in range(left, min(left + width, STRIDE)):
                new[row * STRIDE + place] ^= flip
    return old, bytes(new)


def applied(ram: bytes, windows: list[Window], new: bytes) -> bytes:
    """Return a RAM after windows of another one were written into it."""
    held = bytearray(ram)
    for window in windows:
        payload = iter(window.cut(new, STRIDE))
        for row in range(window.top, window.bottom):
            for place in range(window.left, window.right):
                held[row * STRIDE + place] = next(payload)
        assert next(payload, None) is None
    return bytes(held)


@pytest.mark.parametrize("kind", PLANNERS)
@given(change=changes() | st.tuples(rams(), rams()))
def test_the_plan_makes_the_old_ram_the_new_one(kind: str, change: tuple[bytes, bytes]) -> None:
    old, new = change
    assert applied(old, PLANNERS[kind].plan(old, new), new) == new


@pytest.mark.parametrize("kind", PLANNERS)
@given(change=changes() | st.tuples(rams(), rams()))
def test_the_plan_never_costs_more_than_the_whole_frame(kind: str, change: tuple[bytes, bytes]) -> None:
    planner = PLANNERS[kind]
    assert planner.price(planner.plan(*change)) <= planner.price(planner.whole())


@pytest.mark.parametrize("kind", PLANNERS)
@given(change=changes())
def test_the_plan_never_costs_more_than_every_stretch_on_its_own(kind: str, change: tuple[bytes, bytes]) -> None:
    old, new = change
    planner = PLANNERS[kind]
    cell = 2 if kind == "pairs" else 1
    alone: list[Window] = []
    for place in range(0, ROWS * STRIDE, cell):
        if old[place : place + cell] == new[place : place + cell]:
            continue
        row, left = divmod(place, STRIDE)
        if alone and alone[-1].top == row and alone[-1].right == left:
            alone[-1] = replace(alone[-1], right=left + cell)
        else:
            alone.append(Window(row, row + 1, left, left + cell))
    assert planner.price(planner.plan(old, new)) <= planner.price(alone) + 3 * len(alone)


@pytest.mark.parametrize("kind", PLANNERS)
@given(ram=rams())
def test_nothing_is_sent_for_nothing(kind: str, ram: bytes) -> None:
    assert PLANNERS[kind].plan(ram, ram) == []


@given(change=changes())
def test_windows_begin_and_end_where_the_controller_can(change: tuple[bytes, bytes]) -> None:
    for window in PLANNERS["pairs"].plan(*change):
        assert window.left % 2 == 0 == window.right % 2
    for window in PLANNERS["flat"].plan(*change):
        assert window.bottom == window.top + 1


def at(*places: tuple[int, int]) -> bytes:
    """Return a RAM with bytes at given rows and positions."""
    ram = bytearray(ROWS * STRIDE)
    for row, place in places:
        ram[row * STRIDE + place] = 0xFF
    return bytes(ram)


@pytest.mark.parametrize(("gap", "windows"), [(FRESH - 1, 1), (FRESH, 2)])
def test_a_gap_is_sent_where_it_costs_less_than_another_window(gap: int, windows: int) -> None:
    for planner in PLANNERS["tall"], PLANNERS["flat"]:
        assert len(planner.plan(at(), at((2, 4), (2, 4 + gap + 1)))) == windows


def test_changes_below_each_other_are_one_window_where_there_may_be_one() -> None:
    new = at(*((row, place) for row in (3, 4, 5) for place in range(10, 15)))
    assert PLANNERS["tall"].plan(at(), new) == [Window(3, 6, 10, 15)]
    assert PLANNERS["flat"].plan(at(), new) == [Window(row, row + 1, 10, 15) for row in (3, 4, 5)]


def test_a_picture_quite_different_is_sent_whole() -> None:
    new = bytes(range(1, 256)) + b"\x01"
    assert PLANNERS["tall"].plan(at(), new) == [Window(0, ROWS, 0, STRIDE)]


def test_a_window_is_charged_for_after_the_one_before_it() -> None:
    planner = PLANNERS["flat"]
    assert planner.price(planner.whole()) == 10 + 7 * 7 + ROWS * STRIDE
    assert planner.price(planner.whole(), Window(5, 6, 0, STRIDE)) == 8 * 7 + ROWS * STRIDE


def test_windows_that_cost_more_than_was_thought_give_way_to_the_whole_frame() -> None:
    hopeful = WindowPlanner(ROWS, STRIDE, 1, price, tall=False)
    new = at(*((row, place) for row in range(ROWS) for place in range(0, STRIDE, 3)))
    assert hopeful.plan(at(), new) == hopeful.whole()


def test_many_scattered_changes_are_planned_without_weighing_every_pair() -> None:
    wide = WindowPlanner(64, 128, 4, price)
    new = bytearray(64 * 128)
    for place in range(0, len(new), 11):
        new[place] = 1
    assert wide.price(wide.plan(bytes(len(new)), bytes(new))) <= wide.price(wide.whole())


@pytest.mark.parametrize("chip", ["ssd1306", "sh1106"])
def test_what_a_window_costs_is_what_goes_over_the_wire(chip: Chip) -> None:
    kind = controller(chip, "i2c", (128, 64))
    planner = kind.planner
    sent = None
    for window in [*planner.whole(), Window(2, 3, 5, 9), Window(2, 3, 20, 30), Window(3, 4, 20, 30)]:
        commands = kind.address(window, sent)
        wire = sum(2 + len(codes) for codes in commands) + 2 + window.size  # address and control byte of each message
        assert planner.price([window], sent) == wire
        sent = window
