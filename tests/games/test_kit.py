"""Unit tests of `companion.games.kit`: forms, per-seat tuples, endings. The games' tests cover the rest."""

from __future__ import annotations

import doctest
from importlib import import_module
from pkgutil import iter_modules

import pytest
from msgspec import UNSET

from companion.core.errors import IllegalEventError
from companion.core.prompt import Answer, ChooseSeat, EnterNumber, SecondOffer, Skip
from companion.core.text import Text
from companion.games import kit
from companion.games.kit.forms import Form, numbers
from companion.games.kit.options import Ending
from companion.games.kit.per_seat import from_left

HEADS = (Text("tricks"), Text("trees"))


def form(*answers: Answer, by_seat: bool = False) -> Form:
    """Return a form with two columns for three seats; each column adds up to 2."""

    def able(form: Form) -> range:
        seat, column = form.cell
        left = 2 - sum(form.column(column))
        return range(left, left + 1) if seat == 2 else range(left + 1)

    return Form(Text("Round"), HEADS, 3, able, by_seat).after(answers)


def test_a_figure_that_can_only_be_one_number_is_filled_in() -> None:
    assert form(EnterNumber(2)).figures == (2, 0, 0)
    assert form(EnterNumber(0), EnterNumber(1), EnterNumber(2)).complete


def test_columns_can_be_filled_in_seat_by_seat() -> None:
    half = form(EnterNumber(1), EnterNumber(2), by_seat=True)
    assert (half.column(0), half.column(1), half.cell) == ((1,), (2,), (1, 0))
    assert half.sheet().rows == ((1, 2), (None, None), (None, None))


def test_the_rest_of_a_column_can_be_said_to_be_zero() -> None:
    assert form(EnterNumber(0), Skip()).figures[:3] == (0, 0, 0)
    assert form().rests_at_zero((0, 0, 0))
    assert not form().rests_at_zero((0, 1, 0))
    assert not form(EnterNumber(0)).rests_at_zero((0, 0, 0))  # the figure after the next is filled in, not asked


def test_a_seat_is_named_apart_from_the_figures() -> None:
    asking = form(SecondOffer())
    assert asking.asks_who
    assert asking.sheet().cell is None
    assert asking.take(ChooseSeat(1)).who == 1
    assert asking.take(Skip()).who is None
    assert form().who is UNSET


def test_a_form_asks_from_the_left_of_the_dealer_and_leaves_out_who_sits_out() -> None:
    def able(form: Form) -> range:
        return range(3)

    for by_seat in (False, True):
        asking = Form(Text("Round"), HEADS, 4, able, by_seat, order=from_left(2, 4, out=(2,)))
        filled = asking.after((EnterNumber(1), EnterNumber(2)))
        assert asking.cell == (3, 0)
        assert filled.cell == ((0, 0) if by_seat else (1, 0))
        assert filled.of_seats(0) == ((None, None, None, 1) if by_seat else (2, None, None, 1))
        assert filled.sheet().rows[2] == (None, None)
        assert filled.after([EnterNumber(0)] * 4).complete
    assert Form(Text("Round"), HEADS, 4, able, order=(3, 0, 1)).after((EnterNumber(1), Skip())).column(0) == (1, 0, 0)


def test_the_answers_to_a_form_fill_it_in_again() -> None:
    figures = (0, 1, 1, 2, 0, 0)
    given = numbers(form(), figures)
    assert given == (EnterNumber(0), EnterNumber(1), EnterNumber(2))
    assert form(*given).figures == figures


@pytest.mark.parametrize("ending", [Ending(), Ending(rounds=3, target=20), Ending(target=0)])
def test_an_ending_is_rounds_or_a_target_above_zero(ending: Ending) -> None:
    with pytest.raises(IllegalEventError) as refused:
        ending.check()
    assert refused.value.reason == "ending"


def test_a_game_ends_after_its_rounds_or_at_its_target() -> None:
    assert [Ending(rounds=3).reached(finished, (50, 0)) for finished in (2, 3)] == [False, True]
    assert [Ending(target=20).reached(3, totals) for totals in ((19, 0), (0, 20))] == [False, True]


@pytest.mark.parametrize("module", [module.name for module in iter_modules(kit.__path__)])
def test_examples_in_docstrings_are_true(module: str) -> None:
    assert not doctest.testmod(import_module(f"{kit.__name__}.{module}")).failed
