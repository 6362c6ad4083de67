"""Formulas of declared games."""

from __future__ import annotations

import pytest

from companion.core.text import Text
from companion.games.toml_games.formulas import Formula, Scope

FIGURES = {"bid": (3, 0, 2), "tricks": (3, 1, 1), "round": (4, 4, 4)}
KNOWN = {**dict.fromkeys(FIGURES), "later": Text("later is not known yet here"), "double": None}


def scope() -> Scope:
    """Return three seats, the first and the third on a side."""
    return Scope(3, (0, 1, 0), FIGURES).define({"double": Formula("2*tricks")})


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("7", (7, 7, 7)),
        ("-bid + 1", (-2, 1, -1)),
        ("bid*2 - tricks", (3, -1, 3)),
        ("(bid + tricks)//2", (3, 0, 1)),
        ("bid % 2", (1, 0, 0)),
        ("7 // bid", (2, 0, 3)),
        ("7 % (bid - bid)", (0, 0, 0)),
        ("bid == tricks", (1, 0, 0)),
        ("bid != tricks", (0, 1, 1)),
        ("0 < bid <= 2", (0, 0, 1)),
        ("bid >= 3 or tricks > 2 or not bid", (1, 1, 0)),
        ("bid > 0 and tricks < 3", (0, 0, 1)),
        ("10 if bid == tricks else -10", (10, -10, -10)),
        ("abs(bid - tricks)", (0, 1, 1)),
        ("min(bid, tricks, 2)", (2, 0, 1)),
        ("max(bid, 1)", (3, 1, 2)),
        ("sum(bid)", (5, 5, 5)),
        ("max(tricks)", (3, 3, 3)),
        ("min(bid)", (0, 0, 0)),
        ("any(bid == 0)", (1, 1, 1)),
        ("all(bid == 0)", (0, 0, 0)),
        ("count(bid > 0)", (2, 2, 2)),
        ("ours(bid)", (5, 0, 5)),
        ("theirs(bid)", (0, 5, 0)),
        ("double + sum(double)", (16, 12, 12)),
        ("count(tricks == max(tricks))", (1, 1, 1)),
        ("1 + count(bid > my(bid))", (1, 3, 2)),
        ("sum(tricks*(bid == my(double - bid)))", (3, 1, 1)),
        ("ours(my(bid))", (6, 0, 4)),
        ("count(bid > 2*my(count(tricks > my(tricks))))", (2, 1, 1)),
        ("sum(count(bid > my(bid)))", (0, 6, 3)),
        ("pick(bid, 10, 20*tricks, 30)", (30, 0, 20)),
        ("pick(bid + 1, 5, 6)", (0, 5, 0)),
        ("999999999 * 999999999", (10**9, 10**9, 10**9)),
        ("-999999999 * 999999999 - 5", (-(10**9), -(10**9), -(10**9))),
    ],
)
def test_a_formula_is_worked_out_for_each_seat(text: str, values: tuple[int, ...]) -> None:
    formula, figures = Formula(text), scope()
    assert tuple(formula.value(figures, seat) for seat in range(3)) == values


@pytest.mark.parametrize(
    ("text", "column", "sentence"),
    [
        ("bidd", 0, "there is no name bidd; do you mean bid?"),
        ("1 + xyzzy", 4, "there is no name xyzzy; there are bid, tricks, round, double"),
        ("1 + later", 4, "later is not known yet here"),
        ("1 +", 3, "a number or a name is missing at the end"),
        ("", 0, "a number or a name is missing at the end"),
        ("(5*tricks", 0, "the bracket is not closed"),
        ("5*tricks)", 8, "no bracket is open here"),
        ("(5 + )", 5, "a number or a name is missing before )"),
        ("10 if bid", 3, "if needs else: write a if b else c"),
        ("bid ? 1 : 0", 4, "the sign ? cannot stand in a formula: write a if b else c"),
        ("bid && tricks", 4, "the sign && cannot stand in a formula: write and"),
        ("bid != 3 || !tricks", 9, "the sign || cannot stand in a formula: write or"),
        ("10 − bid", 3, "the sign − cannot stand in a formula: write -"),
        ("10 if bid tricks else", 10, "an operator is missing before tricks"),
        ("bid * / 2", 6, "a number or a name is missing before /"),
        ("bid:2", 0, "this is no complete formula"),
        ("1 if bid = tricks else 0", 9, "equal is written ==, not ="),
        ("sum(bid=1)", 7, "equal is written ==, not ="),
        ("bid => 1", 4, "the sign => cannot stand in a formula: write >="),
        ("bid.real", 0, "only numbers, names"),
        ("bid[0]", 0, "only numbers, names"),
        ("[bid for x in 3]", 0, "only numbers, names"),
        ("lambda: 3", 0, "only numbers, names"),
        ("2 ** 3", 0, "only numbers, names"),
        ("bid is 3", 0, "only numbers, names"),
        ("True", 0, "only numbers, names"),
        ("'a' * 3", 0, "only numbers, names"),
        ("1.5", 0, "only whole numbers: use // for division"),
        ("bid / 2", 0, "use // for division, which gives whole numbers"),
        ("print(bid)", 0, "print() cannot be used; there are sum(), min()"),
        ("1 + my(bid)", 4, "my() stands in a function over all seats: count(bid > my(bid))"),
        ("sum(my(bid, 2))", 4, "my() takes one figure"),
        ("sum(my(bidd))", 7, "there is no name bidd; do you mean bid?"),
        ("sum(my(sum(max(bid))))", 11, "max() stands in two functions over all seats already"),
        ("pick(bid, 2)", 0, "pick() takes a number and two figures or more: pick(n, 10, 20)"),
        ("sum()", 0, "sum() takes one figure"),
        ("sum(bid, tricks)", 0, "sum() takes one figure"),
        ("abs(bid, 2)", 0, "abs() takes one figure"),
        ("sum(max(count(bid)))", 8, "count() stands in two functions over all seats already"),
        ("2000000000", 0, "a number is at most 1000000000"),
        ("bid × 2", 4, "the sign × cannot stand in a formula: write *"),
        ("-" * 40 + "1", 31, "a formula is nested too deeply"),
        ("(" * 250 + "1" + ")" * 250, 0, "a formula has at most 300 characters"),
    ],
)
def test_what_is_wrong_with_a_formula_is_said_with_its_place(text: str, column: int, sentence: str) -> None:
    (wrong,) = Formula(text).wrong(KNOWN)
    assert str(wrong.text).startswith(sentence)
    assert wrong.column == column


def test_a_long_unknown_name_is_shortened() -> None:
    (wrong,) = Formula("a" * 100).wrong({})
    assert str(wrong.text) == "there is no name " + "a" * 23 + "…; there are "


@pytest.mark.parametrize("text", ["1if 2 else 3", "0or 1", "(1)(2)"])
def test_python_s_parser_warns_of_nothing(text: str, recwarn: pytest.WarningsRecorder) -> None:
    Formula(text)
    assert not recwarn.list
