"""Unit tests of `companion.games.kit`: forms, per-seat tuples, endings. The games' tests cover the rest."""

from __future__ import annotations

import doctest
from importlib import import_module
from itertools import product
from pkgutil import iter_modules

import pytest
from msgspec import UNSET

from companion.core.prompt import Answer, ChooseSeat, EnterNumber, Skip, TakeAlternative
from companion.core.text import IllegalEventError, Text
from companion.games import kit
from companion.games.kit import Ending, from_left
from companion.games.kit.rounds import Form, agreement, numbers

HEADS = (Text("tricks"), Text("trees"))


def form(*answers: Answer, heads: int = 2, needs_who: bool = False) -> Form:
    """Return a form with columns for three seats; each column adds up to 2."""

    def able(form: Form) -> range:
        left = form.left(form.cell[1], 2)
        return range(left if form.last_row else 0, left + 1)

    def check(form: Form) -> None:
        if any(sum(form.column(column)) != 2 for column in range(heads)):
            raise IllegalEventError("sum", "not 2")

    return Form(Text("Round"), HEADS[:heads], 3, able, lambda _form: needs_who, check).after(answers)


def entered(figures: str) -> tuple[Answer, ...]:
    return tuple(EnterNumber(int(figure)) for figure in figures)


def test_a_form_is_asked_row_by_row_and_a_figure_that_can_only_be_one_number_is_filled_in() -> None:
    begun = form(*entered("12"))
    assert (begun.column(0), begun.column(1), begun.cell) == ((1, 0, 0), (2, 0, 0), (1, 0))
    assert begun.sheet().rows == ((1, 2), (None, None), (None, None))
    assert form(*entered("120")).figures == (1, 2, 0, 0, 1, 0)


def test_a_form_asks_from_the_left_of_the_dealer_and_leaves_out_who_sits_out() -> None:
    asking = Form(Text("Round"), HEADS, 4, lambda _form: range(3), order=from_left(2, 4, out=(2,)))
    filled = asking.after(entered("12"))
    assert (asking.cell, filled.cell) == ((3, 0), (0, 0))
    assert (filled.of_seats(0), filled.column(0)) == ((None, None, None, 1), (0, 0, 0, 1))
    assert filled.sheet().rows[2] == (None, None)
    whole = filled.after(entered("0000"))
    assert whole.complete
    assert whole.take(TakeAlternative()).ask_whole(Text("Who?")).answers[:3] == (
        ChooseSeat(3),
        ChooseSeat(0),
        ChooseSeat(1),
    )


def test_the_rest_of_a_row_or_of_the_only_column_can_be_said_to_be_zero() -> None:
    assert form(Skip()).figures == (0, 0)
    assert form(*entered("1"), Skip()).figures == (1, 0)
    assert form(Skip(), Skip()).figures == (0, 0, 0, 0, 2, 2)
    assert form().rests_at_zero((0, 0, 0, 0, 2, 2))
    assert not form().rests_at_zero((0, 1, 0, 0, 2, 1))
    assert not form(*entered("1")).rests_at_zero((1, 0, 0, 0, 1, 2))  # one key saves nothing there
    assert form(Skip(), heads=1).figures == (0, 0, 2)


def test_a_whole_form_counts_once_it_is_agreed_to() -> None:
    whole = form(*entered("1201"))
    assert whole.complete
    assert not whole.agreed
    assert whole.take(Skip()).agreed


def test_a_row_can_be_entered_again_and_figures_that_cannot_be_ask_for_another() -> None:
    again = form(*entered("1101"), TakeAlternative(), ChooseSeat(0))
    assert again.sheet().rows == ((1, 1), (0, 1), (1, 0))
    wrong = again.after(entered("01"))
    assert str(wrong.ask_whole(Text("Who?")).note) == "not 2"
    assert wrong.ask_whole(Text("Who?")).answers == tuple(map(ChooseSeat, range(3)))
    right = wrong.after((ChooseSeat(1), *entered("11")))
    assert (right.figures, right.problem, right.take(Skip()).agreed) == ((0, 1, 1, 1, 1, 0), None, True)


def test_after_all_no_row_is_wrong() -> None:
    assert form(*entered("1101"), TakeAlternative(), Skip()).agreed


def test_who_won_last_is_asked_over_the_whole_form_if_it_is_needed() -> None:
    whole = form(*entered("1101"), needs_who=True)
    asked = whole.ask_whole(Text("Who?"), (0, 2), Text("nobody"))
    assert asked.answers == (ChooseSeat(0), ChooseSeat(2), TakeAlternative(), Skip())
    assert (whole.take(ChooseSeat(2)).who, whole.take(ChooseSeat(2)).agreed) == (2, True)
    assert (whole.take(Skip()).who, whole.take(Skip()).agreed) == (None, True)
    changed = whole.after((TakeAlternative(), Skip()))  # no row is wrong: it is still needed
    assert (changed.asks, changed.agreed) == (whole.asks, False)


def test_it_can_be_given_though_nobody_needs_it() -> None:
    given = form(*entered("1101"), TakeAlternative(), TakeAlternative(), ChooseSeat(1))
    assert (given.who, given.agreed, given.take(Skip()).agreed) == (1, False, True)


@pytest.mark.parametrize(("needed", "who"), [*product((False, True), (None, ChooseSeat(1)))])
def test_the_answers_to_a_form_fill_it_in_again(needed: bool, who: Answer | None) -> None:
    figures = (0, 1, 1, 0, 1, 1)
    given = numbers(form(needs_who=needed), figures)
    assert given == entered("0110")
    whole = form(*given, needs_who=needed)
    again = whole.after(agreement(whole, who))
    assert (again.figures, again.agreed, again.who) == (figures, who is not None or not needed, 1 if who else UNSET)


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
