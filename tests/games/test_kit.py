"""Unit tests of `companion.games.kit`: forms, per-seat tuples, endings. The games' tests cover the rest."""

from __future__ import annotations

import doctest
from collections.abc import Sequence
from importlib import import_module
from itertools import chain, product
from pkgutil import iter_modules
from typing import Any

import pytest
from msgspec import UNSET, UnsetType

from companion.core.prompt import Answer, ChooseSeat, EnterNumber, Prompt, Skip, TakeAlternative
from companion.core.text import IllegalEventError, Text
from companion.games import kit
from companion.games.kit import Ending
from companion.games.kit.rounds import Cell, Figures, Form, Last, Walk

HEADS = {"tricks": Text("tricks"), "trees": Text("trees")}
Made = tuple[tuple[int, ...], int | UnsetType | None]


def form(heads: int = 2, needs_last: bool = False, order: Sequence[int] = range(3)) -> Form[Cell, Made]:
    """Return a form for seats of three; its columns add up to 2, and it makes its figures and who was last."""
    columns = [*HEADS][:heads]

    def walk(figures: Figures) -> Walk[Cell, Made]:
        said: dict[str, list[int]] = {column: [] for column in columns}
        for seat in order:
            for column in columns:
                left = figures.left(2, said[column])
                said[column].append((yield Cell(column, seat, figures.able(left, seat == order[-1]))))
        return tuple(chain.from_iterable(zip(*said.values(), strict=True))), figures.last

    def check(made: Made) -> None:
        if any(sum(made[0][column::heads]) != 2 for column in range(heads)):
            raise IllegalEventError("sum", "not 2")

    last: Last[Made] = Last(Text("Who?"), lambda _made: (0, 2), lambda _made: needs_last, Text("nobody"), Text("extra"))
    shown = {column: HEADS[column] for column in columns}
    return Form(Text("Round"), shown, 3, walk, lambda cell: Text(f"{cell.column} of {cell.row}"), check, last)


def entered(figures: str) -> tuple[Answer, ...]:
    return tuple(EnterNumber(int(figure)) for figure in figures)


def asked(*answers: Answer, **kind: Any) -> Prompt:
    prompt = form(**kind).ask(answers)
    assert isinstance(prompt, Prompt)
    return prompt


def rows(prompt: Prompt) -> tuple[tuple[int | None, ...], ...]:
    assert prompt.sheet is not None
    return prompt.sheet.rows


CHANGE = TakeAlternative()


def test_a_form_is_asked_row_by_row_and_a_figure_that_can_only_be_one_number_is_filled_in() -> None:
    assert (str(asked(*entered("12")).text), asked(*entered("12")).cell) == ("tricks of 1", (1, 0))
    assert rows(asked(*entered("12"))) == ((1, 2), (None, None), (None, None))
    assert rows(asked(*entered("120"))) == ((1, 2), (0, 0), (1, 0))


def test_a_form_asks_in_the_order_of_its_walk_and_leaves_out_who_sits_out() -> None:
    order = (2, 0)
    assert (asked(order=order).cell, asked(*entered("12"), order=order).cell) == ((2, 0), None)
    assert rows(asked(*entered("12"), order=order)) == ((1, 0), (None, None), (1, 2))
    assert asked(*entered("12"), CHANGE, order=order).answers[:2] == (ChooseSeat(2), ChooseSeat(0))


def test_the_rest_of_a_row_or_of_the_only_column_can_be_said_to_be_zero() -> None:
    assert rows(asked(Skip()))[0] == (0, 0)
    assert rows(asked(Skip(), Skip())) == ((0, 0), (0, 0), (2, 2))
    assert rows(asked(Skip(), heads=1)) == ((0,), (0,), (2,))
    assert Skip() not in asked(*entered("1")).answers  # it saves no key there
    assert form().answers({"tricks": (0, 0, 2), "trees": (0, 0, 2)}) == (Skip(), Skip(), Skip())


def test_a_whole_form_counts_once_it_is_agreed_to() -> None:
    assert asked(*entered("1201")).whole
    assert form().ask((*entered("1201"), Skip())) == ((1, 2, 0, 0, 1, 0), UNSET)


def test_a_row_can_be_entered_again_and_figures_that_cannot_be_ask_for_another() -> None:
    again = (*entered("1101"), CHANGE, ChooseSeat(0))
    assert rows(asked(*again)) == ((1, 1), (0, 1), (1, 0))
    assert str(asked(*again).skip) == "keep 1"
    wrong = asked(*again, *entered("01"))
    assert (str(wrong.note), wrong.answers) == ("not 2", tuple(map(ChooseSeat, range(3))))
    assert form().ask((*again, *entered("01"), ChooseSeat(1), *entered("11"), Skip())) == ((0, 1, 1, 1, 1, 0), UNSET)
    assert form().ask((*again, Skip(), Skip(), Skip())) == ((1, 1, 0, 1, 1, 0), UNSET)


def test_after_all_no_row_is_wrong() -> None:
    assert form().ask((*entered("1101"), CHANGE, Skip())) == ((1, 1, 0, 1, 1, 0), UNSET)


def test_who_won_last_is_asked_over_the_whole_form_if_it_is_needed() -> None:
    prompt = asked(*entered("1101"), needs_last=True)
    assert (str(prompt.text), prompt.answers) == ("Who?", (ChooseSeat(0), ChooseSeat(2), CHANGE, Skip()))
    for said, last in ((ChooseSeat(2), 2), (Skip(), None)):
        assert form(needs_last=True).ask((*entered("1101"), said)) == ((1, 1, 0, 1, 1, 0), last)
    assert str(asked(*entered("1101"), CHANGE, Skip(), needs_last=True).text) == "Who?"  # no row is wrong


def test_it_can_be_given_though_nobody_needs_it() -> None:
    given = (*entered("1101"), CHANGE, CHANGE, ChooseSeat(2))
    assert str(asked(*given).text) == "Same on the table?"
    assert form().ask((*given, Skip())) == ((1, 1, 0, 1, 1, 0), 2)


@pytest.mark.parametrize(("needed", "last"), [*product((False, True), (UNSET, None, 2))])
def test_the_answers_to_a_form_fill_it_in_again(needed: bool, last: int | UnsetType | None) -> None:
    asking = form(needs_last=needed)
    given = asking.answers({"tricks": (0, 1, 1), "trees": (1, 0, 1)}, last)
    assert given[:4] == entered("0110")
    assert asking.ask(given) == ((0, 1, 1, 0, 1, 1), None if needed and last is UNSET else last)


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
