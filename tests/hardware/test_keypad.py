"""The matrix keypad, through gpiozero, on simulated lines."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import partial
from itertools import combinations, cycle
from queue import SimpleQueue
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.app.ports import DeviceError
from companion.ui.keys import HOLDABLE, MISSED, Key
from hardware import input_thread
from hardware.contact_reader import SETTLE
from hardware.edge_inputs import EdgeInputs
from hardware.gpio_key_source import BROKEN, RETRY
from hardware.keypad import FORGOTTEN, HELD, MatrixKeypad
from tests.example_counts import examples
from tests.fakes.matrix import Board
from tests.hardware.key_rigs import COLUMNS, KEYPAD, ROWS, VirtualRig, matrix_wires, virtual_keypad
from tests.hardware.random_presses import Press, must_match, perform, presses
from tests.hardware.virtual_time import VirtualTime
from tests.waiting import LAST_RESORT

ORDINARY = [name for name in "".join(KEYPAD) if name not in HOLDABLE]
OPERATION = 0.00003
"""Seconds that reading or driving a line takes; a scan takes most of a millisecond."""

LATE = st.lists(st.floats(0, 0.0015), min_size=1, max_size=20)
"""Seconds by which the thread is late, for each wake-up."""

LOADED = st.lists(st.floats(0, 0.07), min_size=1, max_size=20)
"""The same while other programs want the processor."""

SLOW = st.sampled_from([OPERATION, 0.0004])
"""Seconds of an operation on a line; the longer one while another thread of the program is busy, too."""


@pytest.fixture
def rig() -> Iterator[VirtualRig]:
    with virtual_keypad() as made:
        made.start()
        yield made


def play(
    found: list[Press], late: list[float], cost: float = OPERATION
) -> tuple[list[tuple[Key, float]], float, Board]:
    """Perform presses on a keypad. Return the reported keys with their times, the start time, and the board."""
    lateness = cycle(late)
    virtual = VirtualTime(lambda: next(lateness), cost)
    with virtual_keypad(virtual) as rig:
        got: list[tuple[Key, float]] = []
        rig.start(lambda key: got.append((key, virtual.now)))
        begin = virtual.now + 0.01
        wires = matrix_wires()
        over = perform(
            found,
            virtual.at,
            begin,
            lambda name: virtual.board.join(*wires[name]),
            lambda name: virtual.board.part(*wires[name]),
        )
        virtual.until(over + 0.1)
        wakes = virtual.wakes
        virtual.wait(3600)
        assert virtual.wakes == wakes  # idle again
        return got, begin, virtual.board


@settings(max_examples=examples(15, 1200))
@given(presses(ORDINARY, fingers=2), LATE)
def test_no_press_of_two_fingers_is_lost_invented_or_doubled(found: list[Press], late: list[float]) -> None:
    got, begin, board = play(found, late)
    must_match(found, got, begin, latest=0.02 + 0.002)
    assert board.shorts == 0


@settings(max_examples=examples(15, 1200))
@given(presses(ORDINARY, fingers=4, most=3), LATE)
def test_nothing_is_invented_or_doubled_whatever_many_fingers_do(found: list[Press], late: list[float]) -> None:
    got, begin, board = play(found, late)
    for name in ORDINARY:
        starts = [begin + press.start for press in found if press.name == name]
        ends = [begin + press.moves[-1] + 0.01 for press in found if press.name == name]
        times = [moment for key, moment in got if key.name == name]
        assert len(times) <= len(starts)
        for moment in times:
            # A press hidden by ghosting may be reported late, but only while the key is down.
            assert any(start <= moment <= end for start, end in zip(starts, ends, strict=True))
    assert board.shorts == 0


def test_a_ghost_that_is_gone_at_the_next_scan_does_not_count() -> None:
    found = [
        Press("C", 0.02, 0.04772, (0.02, 0.04772)),
        Press("2", 0.036226, 0.056226, (0.036226, 0.036227, 0.038179, 0.056226)),
        Press("A", 0.044689, 0.064689, (0.044689, 0.04469, 0.04736, 0.064689)),
    ]
    got, _, _ = play(found, [0.001])
    assert [key.name for key, _ in got] == ["C", "2", "A"]


@settings(max_examples=examples(40, 3000), deadline=None)
@given(presses(ORDINARY, fingers=1, most=6), LOADED, SLOW)
def test_under_load_a_press_is_entered_or_told_as_missed(found: list[Press], late: list[float], cost: float) -> None:
    got, _, board = play(found, late, cost)
    assert len(got) == len(found)
    for press, (key, _) in zip(found, got, strict=True):
        assert key in (Key(press.name), MISSED)
    assert board.shorts == 0


@settings(max_examples=examples(40, 3000), deadline=None)
@given(presses(ORDINARY, fingers=2), LOADED, SLOW)
def test_under_load_two_fingers_enter_nothing_they_did_not_press(
    found: list[Press], late: list[float], cost: float
) -> None:
    got, _, _ = play(found, late, cost)
    for name in ORDINARY:
        assert sum(key.name == name for key, _ in got) <= sum(press.name == name for press in found)


def press_late(rig: VirtualRig, name: str, seconds: float, late: float) -> list[Key]:
    with patch.object(rig.virtual, "_late", lambda: late):
        rig.press(name)
    rig.wait(seconds)
    rig.release(name)
    rig.wait(0.1)
    return rig.take()


def test_a_short_press_that_is_scanned_once_counts_from_its_edge(rig: VirtualRig) -> None:
    assert press_late(rig, "5", 0.05, late=0.049) == [Key("5")]


def test_a_press_that_ended_before_any_scan_is_told_as_missed(rig: VirtualRig) -> None:
    assert press_late(rig, "5", 0.05, late=0.051) == [MISSED]
    rig.press("6")
    assert rig.take() == [Key("6")]


def test_a_press_that_is_read_seconds_late_is_still_told_as_missed(rig: VirtualRig) -> None:
    with patch.object(rig.virtual, "_late", lambda: 3.0):
        rig.press("5")
    rig.wait(0.05)
    rig.release("5")
    rig.wait(4)
    assert rig.take() == [MISSED]


def test_an_edge_that_is_read_after_the_levels_keeps_its_time() -> None:
    with Board() as board:
        inputs = EdgeInputs(board.factory, COLUMNS, "up", board.clock, lambda: None)
        inputs.open()
        inputs._pins[0].when_changed = None  # this one changes unnoticed, as during a scan
        board.join(COLUMNS[0], "gnd")
        ((_, read),) = inputs.compare()
        inputs._note(1, read - 0.06, 0)
        inputs._note(1, read - 0.01, 1)
        (_, fell), (_, rose) = inputs.states()
        assert rose - fell == pytest.approx(0.05, abs=0.01)
        inputs.close()


def test_edges_of_a_pause_are_not_recorded_even_if_they_are_told_after_it(rig: VirtualRig) -> None:
    clock = rig.virtual.clock
    inputs = EdgeInputs(rig.virtual.board.factory, COLUMNS, "up", clock, lambda: None)
    before = clock()
    rig.wait(0.001)
    with inputs.pause():
        meanwhile = clock()
        inputs._note(0, meanwhile, 0)
        inputs._note(1, before, 0)
        rig.wait(0.001)
    rig.wait(0.001)
    inputs._note(0, meanwhile, 0)
    inputs._note(1, clock(), 1)
    assert inputs.states() == [(0b10, pytest.approx(before)), (0, clock())]


def test_an_edge_of_a_pause_is_not_recorded_even_if_it_is_told_in_or_after_a_later_pause(rig: VirtualRig) -> None:
    clock = rig.virtual.clock
    inputs = EdgeInputs(rig.virtual.board.factory, COLUMNS, "up", clock, lambda: None)
    with inputs.pause():
        rig.wait(0.001)
        meanwhile = clock()
        rig.wait(0.001)
    rig.wait(0.001)
    between = clock()
    rig.wait(0.001)
    with inputs.pause():
        rig.wait(0.001)
        inputs._note(0, meanwhile, 0)
    rig.wait(0.001)
    inputs._note(0, meanwhile, 0)
    inputs._note(1, between, 0)
    ((low, since),) = inputs.states()
    assert low == 0b10
    assert since == pytest.approx(between)


class Unread(list[tuple[Any, float, bool]]):
    """Edges that nobody has read yet."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[tuple[Any, float, bool]] = []

    def append(self, edge: tuple[Any, float, bool]) -> None:
        self._kept.append(edge)

    def read(self) -> None:
        kept, self._kept = self._kept, []
        for pin, since, level in kept:
            pin.call(since, level)


def test_a_press_whose_edges_are_read_after_a_scan_that_came_after_it_is_told(rig: VirtualRig) -> None:
    unread = Unread()
    with patch.object(rig.virtual, "_late", lambda: 0.3):
        rig.press("5")
    columns = rig.source._columns  # type: ignore[union-attr]
    with patch.object(rig.virtual.board, "_calls", unread), patch.object(columns, "gather", unread.read, create=True):
        rig.wait(0.05)
        rig.release("5")
        rig.wait(0.05)
        rig.press("6")
        rig.wait(0.05)
        rig.release("6")
        rig.wait(0.05)
        rig.press("6")
        rig.wait(0.15)
    unread.read()
    assert rig.take() == [MISSED, MISSED, Key("6")]


def test_a_crackle_that_ended_before_any_scan_is_no_missed_press(rig: VirtualRig) -> None:
    assert press_late(rig, "5", SETTLE / 2, late=0.051) == []


def test_a_press_that_a_ghost_hides_from_first_to_last_is_told_as_missed(rig: VirtualRig) -> None:
    for name in "14":
        rig.press(name)
        rig.wait(0.05)
    rig.take()
    rig.press("2")
    rig.wait(0.05)
    rig.release("2")
    assert rig.take() == [MISSED]


@pytest.mark.parametrize("corners", [("1", "2", "4"), ("1", "C", "*"), ("D", "0", "5"), ("3", "A", "C")])
def test_three_keys_in_the_corners_of_a_rectangle_show_no_fourth(rig: VirtualRig, corners: tuple[str, ...]) -> None:
    for name in corners:
        rig.press(name)
        rig.wait(0.05)
    assert [key.name for key in rig.take()] == list(corners[:2])


def test_a_key_hidden_by_a_ghost_counts_once_it_can_be_told_from_it(rig: VirtualRig) -> None:
    for name in "124":
        rig.press(name)
        rig.wait(0.05)
    rig.take()
    rig.release("1")
    assert rig.take() == [Key("4")]
    rig.release("2")
    rig.release("4")
    assert rig.take() == []


def test_keys_that_are_down_stay_down_while_a_ghost_hides_them(rig: VirtualRig) -> None:
    for name in "12":
        rig.press(name)
        rig.wait(0.05)
    rig.take()
    for _ in range(3):
        rig.press("4")
        rig.wait(0.05)
        rig.release("4")
        rig.wait(0.05)
    assert rig.take() == []


def test_keys_beside_a_ghost_still_count(rig: VirtualRig) -> None:
    for name in "124":
        rig.press(name)
        rig.wait(0.05)
    rig.take()
    rig.press("D")
    assert rig.take() == [Key("D")]


def test_all_keys_of_a_row_count_and_all_of_a_column(rig: VirtualRig) -> None:
    for names in ("456B", "2580", "ABCD"):
        for name in names:
            rig.press(name)
            rig.wait(0.03)
        assert rig.take() == [Key(name) for name in names]
        for name in names:
            rig.release(name)
        assert rig.take() == []


def test_keys_in_a_column_pressed_together_never_join_rows_that_differ(rig: VirtualRig) -> None:
    for first, second in combinations("147*", 2):
        rig.press(first)
        rig.press(second)
        rig.wait(0.05)
        rig.release(first)
        rig.release(second)
        rig.wait(0.05)
    assert rig.virtual.board.shorts == 0


def test_two_crackles_that_lie_as_far_apart_as_settling_takes_are_no_press(rig: VirtualRig) -> None:
    begin, wire = rig.virtual.now, matrix_wires()["5"]
    for moment, act in ((0.0, "join"), (0.001, "part"), (0.0049, "join"), (0.0052, "part")):
        rig.virtual.at(begin + moment, partial(getattr(rig.virtual.board, act), *wire))
    assert rig.take() == []


def test_a_key_held_down_is_looked_at_seldom_and_a_card_that_lies_on_it_more_seldom(
    rig: VirtualRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.keypad.LEFT", 2.0)

    def looks(seconds: float) -> float:
        before = rig.virtual.wakes
        rig.wait(seconds)
        return (rig.virtual.wakes - before) / seconds

    rig.press("5")
    rig.wait(0.1)
    assert looks(1) == pytest.approx(1 / HELD, rel=0.02)
    rig.wait(2)
    assert looks(1) == pytest.approx(1 / FORGOTTEN, rel=0.02)
    rig.press("6")
    rig.wait(0.1)
    assert looks(1) == pytest.approx(1 / HELD, rel=0.02)


def test_a_clean_press_is_put_as_soon_as_it_has_settled(rig: VirtualRig) -> None:
    states: list[float] = []
    rig.source.close()
    rig.start(lambda _: states.append(rig.virtual.now))
    began = rig.virtual.now
    rig.press("5")
    rig.wait(0.05)
    assert [moment - began for moment in states] == [pytest.approx(SETTLE)]


def test_no_scan_comes_so_shortly_before_the_one_that_is_due_that_it_would_make_it_late(rig: VirtualRig) -> None:
    before = rig.virtual.wakes
    rig.press("5")
    rig.wait(SETTLE)
    assert rig.virtual.wakes - before == 3  # touched, bouncing, stable


@pytest.mark.parametrize("step", range(20))
def test_a_key_that_comes_just_when_it_is_going_to_rest_counts(step: int) -> None:
    first = Press("1", 0.0, 0.03, (0.0, 0.03))
    start = 0.0345 + step * 0.00016
    second = Press("5", start, 0.08, (start, 0.08))
    got, _, _ = play([first, second], [0.0])
    assert [key.name for key, _ in got] == ["1", "5"]


def test_a_line_that_cannot_be_had_is_a_fault_and_can_be_tried_again() -> None:
    with Board() as board:
        keypad = MatrixKeypad(board.factory, ROWS, COLUMNS, KEYPAD)
        board.lose(COLUMNS[2])
        with pytest.raises(DeviceError, match=r"^The keypad cannot be used: Input/output error\.$"):
            keypad.start(lambda _: None)
        assert not keypad.alive()
        board.restore()
        keypad.start(lambda _: None)
        try:
            assert keypad.alive()
        finally:
            keypad.close()


def test_a_line_that_the_pi_does_not_have_is_a_fault() -> None:
    with Board() as board, pytest.raises(DeviceError, match="99 is not a valid pin name"):
        MatrixKeypad(board.factory, (5, 6, 13, 99), COLUMNS, KEYPAD).start(lambda _: None)


def test_a_line_that_another_source_has_is_a_fault_until_that_one_is_closed() -> None:
    with Board() as board:
        first = MatrixKeypad(board.factory, ROWS, COLUMNS, KEYPAD)
        second = MatrixKeypad(board.factory, (22, 23), (21, 27), ("12", "34"))
        try:
            first.start(lambda _: None)
            with pytest.raises(DeviceError, match="GPIO21 is already in use by the keypad"):
                second.start(lambda _: None)
            first.close()
            second.start(lambda _: None)
        finally:
            first.close()
            second.close()


def test_names_that_do_not_fit_the_lines_are_refused() -> None:
    with Board() as board, pytest.raises(ValueError, match="4 rows"):
        MatrixKeypad(board.factory, ROWS, COLUMNS, ("123", "456", "789", "*0#"))


def test_lines_are_let_go_of_when_it_is_closed(rig: VirtualRig) -> None:
    rig.source.close()
    for number in (*ROWS, *COLUMNS):
        pin = rig.virtual.board.factory.pin(number)
        assert (pin.function, pin.pull, pin.when_changed) == ("input", "floating", None)


@pytest.mark.parametrize("line", [ROWS[1], COLUMNS[3]])
def test_a_line_that_fails_for_a_while_is_said_once_and_works_again(
    rig: VirtualRig, caplog: pytest.LogCaptureFixture, line: int
) -> None:
    rig.virtual.board.lose(line)
    rig.press("5")
    rig.wait(5 * RETRY)
    rig.release("5")
    assert rig.take() == []
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "Input/output error" in caplog.messages[0]
    rig.virtual.board.restore()
    rig.wait(RETRY)
    assert caplog.messages[1:] == ["The keypad works again."]
    rig.press("B")  # on both of the lines
    assert rig.take() == [Key("B")]


def test_it_is_not_alive_once_its_lines_have_failed_for_long(rig: VirtualRig) -> None:
    rig.virtual.board.lose(*COLUMNS)
    rig.press("5")
    rig.wait(BROKEN - RETRY)
    assert rig.source.alive()
    rig.wait(2 * RETRY)
    assert not rig.source.alive()
    rig.virtual.board.restore()
    rig.wait(RETRY)
    assert rig.source.alive()


def test_trying_again_is_no_polling(rig: VirtualRig) -> None:
    rig.virtual.board.lose(*COLUMNS)
    rig.press("5")
    wakes = rig.virtual.wakes
    rig.wait(20)
    assert rig.virtual.wakes - wakes <= 21


def test_it_is_not_alive_while_a_taker_keeps_its_thread(rig: VirtualRig) -> None:
    now = [0.0]
    answers: list[bool] = []
    keypad = rig.source

    def ask_later(_: Key) -> None:
        answers.append(keypad.alive())  # on the thread itself, so that no ping is answered meanwhile
        now[0] += input_thread.PATIENCE + 1
        answers.append(keypad.alive())

    keypad.close()
    with patch.object(keypad, "_clock", lambda: rig.virtual.now + now[0]):
        rig.start(ask_later)
        rig.press("5")
        rig.wait(0.05)
        assert answers == [True, False]
        assert keypad.alive()


def test_it_is_not_alive_when_its_thread_has_died_of_a_mistake(rig: VirtualRig) -> None:
    def mistake(_: float) -> None:
        raise TypeError("a mistake")

    died: list[object] = []
    with patch("threading.excepthook", died.append), patch.object(rig.source, "_read", mistake):
        rig.virtual.board.join(ROWS[0], COLUMNS[0])
        rig.source._thread._thread.join(LAST_RESORT)  # type: ignore[union-attr]
    assert len(died) == 1
    assert not rig.source.alive()


@pytest.mark.parametrize("answer", [True, False])
def test_it_is_as_alive_as_its_pin_factory(rig: VirtualRig, answer: bool) -> None:
    with patch.object(rig.virtual.board.factory, "alive", lambda: answer, create=True):
        assert rig.source.alive() is answer


def test_starting_it_twice_is_a_mistake(rig: VirtualRig) -> None:
    with pytest.raises(RuntimeError):
        rig.source.start(lambda _: None)


def test_it_can_be_closed_from_its_own_thread() -> None:
    with Board() as board:
        keypad = MatrixKeypad(board.factory, ROWS, COLUMNS, KEYPAD)
        keypad.start(lambda _: keypad.close())
        assert keypad._thread is not None
        thread = keypad._thread._thread
        board.join(ROWS[0], COLUMNS[0])
        thread.join(LAST_RESORT)
        assert not thread.is_alive()
        assert not keypad.alive()


def test_it_works_in_real_time() -> None:
    came = SimpleQueue[Key]()
    with Board() as board:
        keypad = MatrixKeypad(board.factory, ROWS, COLUMNS, KEYPAD)
        try:
            keypad.start(came.put)
            for name in ORDINARY:
                wire = matrix_wires()[name]
                board.join(*wire)
                assert came.get(timeout=LAST_RESORT) == Key(name)
                board.part(*wire)
            assert keypad.alive()
        finally:
            keypad.close()
