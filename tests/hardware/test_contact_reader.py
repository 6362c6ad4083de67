"""Debounce, ghosting and quadrature decoding, tested on random presses."""

from __future__ import annotations

from itertools import accumulate
from operator import xor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.ui.keys import Key
from hardware.keys.contacts import SETTLE, ContactReader, Debounce, QuadratureDecoder, ambiguous, bits
from tests.hardware.random_presses import Press, must_match, presses

COLUMNS = 4
EVERY_KEY = st.integers(0, 2 ** (COLUMNS * COLUMNS) - 1)
STEPS = {1: 0b01, 2: 0b11, 3: 0b10, 0: 0b00}


def electrically(closed: int) -> int:
    """Return what a matrix without diodes shows while these keys are down."""
    rows = {bit // COLUMNS: 0 for bit in bits(closed)}
    for row in rows:
        reached = closed >> row * COLUMNS & 0b1111
        for _ in range(COLUMNS):
            for other in rows:
                line = closed >> other * COLUMNS & 0b1111
                reached |= line if line & reached else 0
        rows[row] = reached
    return sum(columns << row * COLUMNS for row, columns in rows.items())


def at_times(closed: list[tuple[float, int]], moment: float) -> int:
    """Return the contacts at a time in a list of changes."""
    return next((picture for since, picture in reversed(closed) if since <= moment), 0)


def changes(found: list[Press], names: str) -> list[tuple[float, int]]:
    """Return every change of the contacts during the presses."""
    moves = sorted((move, names.index(press.name)) for press in found for move in press.moves)
    pictures = accumulate((1 << bit for _, bit in moves), xor)
    return [(move, picture) for (move, _), picture in zip(moves, pictures, strict=True)]


@given(presses("12", fingers=2), st.lists(st.floats(0.0001, 0.0045), min_size=1, max_size=20))
def test_every_press_counts_once_however_it_bounces_and_whenever_it_is_looked_at(
    found: list[Press], gaps: list[float]
) -> None:
    moves = changes(found, "12")
    contacts = ContactReader("12")
    got: list[tuple[Key, float]] = []
    now, looks = 0.0, 0
    while now < (moves[-1][0] if moves else 0) + 0.02:
        now += gaps[looks % len(gaps)]
        looks += 1
        got += [(key, now) for key in contacts.update(at_times(moves, now), now)]
    must_match(found, got, 0.0, 0.02)
    assert contacts.due() is None


@given(presses("12", fingers=2))
def test_every_press_counts_once_where_all_edges_are_told_at_the_end(found: list[Press]) -> None:
    contacts = ContactReader("12")
    got = [key for moment, picture in changes(found, "12") for key in contacts.follow(picture, moment)]
    got += contacts.update(contacts.closed, 10.0)
    assert sorted(got) == sorted(Key(press.name) for press in found)


@given(st.lists(st.floats(0.0001, SETTLE * 0.99), max_size=30))
def test_a_touch_shorter_than_it_takes_to_settle_never_counts(touches: list[float]) -> None:
    contacts = ContactReader("1")
    now = 0.0
    for touch in touches:
        assert contacts.follow(1, now) == []
        assert contacts.follow(0, now + touch) == []
        now += touch + 0.0001
    assert contacts.update(0, now + 1) == []


def test_a_contact_is_believed_once_it_has_read_the_same_for_long_enough() -> None:
    debounce = Debounce(0.005)
    assert debounce.update(1, 1.0, 1.0) == 0
    assert debounce.due() == 1.005
    assert debounce.update(1, 1.004, 1.004) == 0
    assert debounce.update(1, 1.005, 1.005) == 1
    assert debounce.due() is None
    assert debounce.update(0, 2.0, 2.0) == 1
    assert debounce.update(0, 2.005, 2.005) == 0


@pytest.mark.parametrize(("name", "late"), [("#", 1.0), ("#", 6.0), ("^", 1.0)])
def test_a_key_that_came_up_while_nobody_looked_was_not_held(name: str, late: float) -> None:
    contacts = ContactReader([name])
    got = [
        *contacts.update(1, 0.0),
        *contacts.update(1, 0.01),
        *contacts.update(0, late),
        *contacts.update(0, late + 0.01),
    ]
    assert got == [Key(name)]
    assert contacts.due() is None


def test_a_reading_that_takes_long_counts_from_its_end_and_until_its_beginning() -> None:
    debounce = Debounce(0.005)
    debounce.update(1, 1.0, 1.003)
    assert debounce.update(1, 1.007, 1.010) == 0
    assert debounce.update(1, 1.008, 1.011) == 1


def test_what_a_reading_is_unsure_of_stays_and_its_waiting_begins_anew() -> None:
    debounce = Debounce(0.005)
    debounce.update(0b01, 1.0, 1.0)
    debounce.update(0b01, 1.01, 1.01)
    assert debounce.update(0b10, 2.0, 2.0, unsure=0b01) == 0b01
    assert debounce.update(0b10, 2.004, 2.004, unsure=0b11) == 0b01
    assert debounce.update(0b10, 2.006, 2.006) == 0b01
    assert debounce.update(0b10, 2.011, 2.011) == 0b10


@given(EVERY_KEY)
def test_what_is_not_ambiguous_is_just_what_is_pressed(pressed: int) -> None:
    shown = electrically(pressed)
    unsure = ambiguous(shown, COLUMNS)
    assert unsure & ~shown == 0
    assert shown & ~unsure == pressed & ~unsure
    assert unsure or shown == pressed


@given(EVERY_KEY)
def test_a_picture_that_shows_more_than_is_pressed_is_ambiguous_there(pressed: int) -> None:
    shown = electrically(pressed)
    assert shown & ~pressed & ~ambiguous(shown, COLUMNS) == 0


def test_a_whole_row_and_a_whole_column_are_clear_and_a_rectangle_is_not() -> None:
    assert ambiguous(0b1111_0000, COLUMNS) == 0
    assert ambiguous(0b0010_0010_0010_0010, COLUMNS) == 0
    assert ambiguous(0b1000_0011_0000_0011, COLUMNS) == 0b0011_0000_0011


@given(st.lists(st.sampled_from([-1, 1]), max_size=200))
def test_a_detent_counts_when_the_knob_comes_home_all_the_way_around(walk: list[int]) -> None:
    winding = QuadratureDecoder()
    place = home = 0
    for step in walk:
        place += step
        expected = 0
        if place % 4 == 0:
            expected, home = (place - home) // 4, place
        assert winding.update(STEPS[place % 4]) == expected


@given(
    st.lists(st.sampled_from([-1, 1]), max_size=20),
    st.lists(st.integers(0, 4), min_size=1, max_size=20),
)
def test_a_detent_counts_once_however_its_contacts_bounce(turns: list[int], bounces: list[int]) -> None:
    winding = QuadratureDecoder()
    got: list[int] = []
    place = moves = 0
    for turn in turns:
        for _ in range(4):
            before, place = place, place + turn
            for _ in range(bounces[moves % len(bounces)]):
                got += [winding.update(STEPS[place % 4]), winding.update(STEPS[before % 4])]
            got.append(winding.update(STEPS[place % 4]))
            moves += 1
    assert [turn for turn in got if turn] == turns


@given(st.lists(st.integers(-3, 3), max_size=30))
def test_to_and_fro_counts_nothing(swings: list[int]) -> None:
    winding = QuadratureDecoder()
    for swing in swings:
        way = [*range(0, swing, 1 if swing > 0 else -1), swing]
        for place in [*way, *reversed(way)]:
            assert winding.update(STEPS[place % 4]) == 0


@pytest.mark.parametrize("turn", [1, -1])
@pytest.mark.parametrize("missed", [1, 2, 3])
def test_a_detent_of_which_one_edge_was_missed_still_counts(turn: int, missed: int) -> None:
    winding = QuadratureDecoder()
    assert sum(winding.update(STEPS[turn * place % 4]) for place in range(1, 5) if place != missed) == turn
