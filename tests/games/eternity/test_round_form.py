"""Eternity: form of a whole round: tricks and trees by seat, and the winner of the last trick if needed."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.prompt import ChooseSeat, Skip, TakeAlternative
from companion.core.text import tell
from companion.games.eternity.asks import answers
from tests.games.reports import NAMES
from tests.games.table import ROUND, asked, figures, made, numbers, question, seats_of

from .tables import Table, dealt, table, whole


@pytest.mark.parametrize(
    "at",
    [table(), table().starts(2), dealt(leader=2), dealt(leader=2).lays("sky4 +sky5")],
    ids=["start", "deal", "play", "running trick"],
)
def test_a_round_is_asked_for_wherever_it_stands(at: Table) -> None:
    prompt = asked(at, ROUND)
    assert tell(prompt.text, NAMES) == "Tricks: Aki"
    assert prompt.seat == 0
    assert prompt.sheet is not None
    assert tell(prompt.sheet.title) == "Round 1"
    assert [tell(head) for head in prompt.sheet.columns] == ["tricks", "trees"]


def test_each_seat_is_asked_for_tricks_then_trees() -> None:
    at = table(3)
    rows = []
    said = "3 5 3 4 0"
    asks = ["Tricks: Aki", "Trees: Aki", "Tricks: Bea", "Trees: Bea", "Trees: Cyr"]
    cells = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 1)]
    for count, (ask, cell) in enumerate(zip(asks, cells, strict=True)):
        given = numbers(" ".join(said.split()[:count]))
        prompt = asked(at, ROUND, *given)
        assert tell(prompt.text, NAMES) == ask
        assert prompt.alternative is None
        assert prompt.sheet is not None
        assert prompt.sheet.cell == cell
        assert prompt.seat == cell[0]
        rows.append(prompt.sheet.rows)
    assert rows[-2:] == [
        ((3, 5), (3, None), (None, None)),
        ((3, 5), (3, 4), (4, None)),  # the last seat's tricks follow from the others
    ]


def test_the_whole_sheet_is_shown_before_it_counts() -> None:
    at = table(edition="fr")
    said = numbers("5 1 0 0 5 0 2")
    prompt = asked(at, ROUND, *said)
    assert tell(prompt.text) == "Same on the table?"
    assert (tell(prompt.skip), tell(prompt.alternative)) == ("yes", "change")
    assert prompt.sheet is not None
    assert (prompt.sheet.cell, prompt.sheet.rows) == (None, ((5, 1), (0, 0), (5, 0), (0, 2)))
    assert made(at, ROUND, *said, Skip()) == whole("5 0 5 0", "1 0 0 2")


def test_a_row_can_be_entered_again_before_it_counts() -> None:
    at = table(edition="fr")
    said = (*numbers("5 1 0 0 5 0 2"), TakeAlternative(), ChooseSeat(0))
    assert question(at, ROUND, *said) == "Tricks: Aki"
    assert figures(asked(at, ROUND, *said)) == list(range(11))
    wrong = asked(at, ROUND, *said, *numbers("4 1"))
    assert (tell(wrong.text), seats_of(wrong), wrong.skip) == ("Which row is wrong?", [0, 1, 2, 3], None)
    assert tell(wrong.note) == "the tricks add up to 9, but a round has 10"
    right = (*said, *numbers("4 1"), ChooseSeat(1), *numbers("1 0"))
    assert made(at, ROUND, *right, Skip()) == whole("4 1 5 0", "1 0 0 2")


def test_a_figure_of_a_row_that_is_entered_again_can_stand() -> None:
    at = table(edition="fr")
    said = (*numbers("5 1 0 0 5 0 2"), TakeAlternative(), ChooseSeat(0))
    prompt = asked(at, ROUND, *said)
    assert tell(prompt.skip) == "keep 5"
    assert prompt.sheet is not None
    assert prompt.sheet.rows == ((5, 1), (0, 0), (5, 0), (0, 2))
    assert prompt.likely(figures(prompt)) == 5
    second = asked(at, ROUND, *said, Skip())
    assert (tell(second.text), tell(second.skip)) == ("Trees: seat 1", "keep 1")
    assert made(at, ROUND, *said, Skip(), *numbers("2"), Skip()) == whole("5 0 5 0", "2 0 0 2")
    assert made(at, ROUND, *said, Skip(), Skip(), Skip()) == whole("5 0 5 0", "1 0 0 2")


def test_a_figure_that_cannot_be_any_more_cannot_stand() -> None:
    said = (*numbers("0 5 5 1 5 0 0"), TakeAlternative(), ChooseSeat(0))
    assert tell(asked(table(), ROUND, *said, Skip()).skip) == "keep 5"
    assert asked(table(), ROUND, *said, *numbers("9")).skip is None


def test_no_more_tricks_are_offered_than_are_left() -> None:
    at = table()
    assert figures(asked(at, ROUND)) == list(range(11))
    assert figures(asked(at, ROUND, *numbers("3 0"))) == list(range(8))
    assert figures(asked(at, ROUND, *numbers("3 0 5 0"))) == [0, 1, 2]


def test_tricks_that_follow_are_not_asked() -> None:
    assert question(table(), ROUND, *numbers("4 1 6")) == "Trees: Bea"
    assert question(table(), ROUND, *numbers("4 1 6 1")) == "Trees: Cyr"
    assert made(table(), ROUND, *numbers("0 1 10 3 4"), Skip()) == whole("0 10 0 0", "1 0 3 4")
    assert made(table(), ROUND, *numbers("0 1 0 2 0 3"), Skip()) == whole("0 0 0 10", "1 2 3 0")
    assert made(table(5), ROUND, *numbers("8 1 0 0 0"), Skip()) == whole("8 0 0 0 0", "0 1 0 0 0")
    assert made(table(2), ROUND, *numbers("7 1 0"), Skip()) == whole("7 0", "1 0")


@pytest.mark.parametrize(("rules", "most"), [({}, 20), ({"tokens": "limited"}, 18)])
def test_no_more_trees_are_offered_than_can_be(rules: dict[str, Any], most: int) -> None:
    at = table(4, **rules)
    assert figures(asked(at, ROUND, *numbers("0"))) == list(range(most + 1))
    assert figures(asked(at, ROUND, *numbers("0 11 0"))) == list(range(most - 10))
    said = (*numbers(f"0 {most} 10"), Skip())
    assert made(at, ROUND, *said) == whole("0 10 0 0", f"{most} 0 0 0")


def test_no_more_trees_are_offered_than_two_for_each_trick_not_won() -> None:
    at = table()
    assert figures(asked(at, ROUND, *numbers("5"))) == list(range(11))
    assert figures(asked(at, ROUND, *numbers("5 9 3"))) == list(range(12))
    assert figures(asked(at, ROUND, *numbers("3"))) == list(range(15))
    assert figures(asked(table(5), ROUND, *numbers("5"))) == list(range(7))


def test_who_won_every_trick_is_not_asked_for_trees() -> None:
    prompt = asked(table(), ROUND, *numbers("10"))
    assert tell(prompt.text, NAMES) == "Trees: Bea"
    assert prompt.sheet is not None
    assert prompt.sheet.cell == (1, 1)
    assert prompt.sheet.rows == ((10, 0), (0, None), (None, None), (None, None))
    assert made(table(), ROUND, *numbers("0 3 0 0 0 1"), Skip()) == whole("0 0 0 10", "3 0 1 0")


def test_one_key_says_that_somebody_has_nothing() -> None:
    at = table()
    assert tell(asked(at, ROUND).skip) == "rest 0"
    assert Skip() not in asked(at, ROUND, *numbers("3")).answers
    assert made(at, ROUND, Skip(), Skip(), Skip(), Skip()) == whole("0 0 0 10", "0 0 0 0")


@pytest.mark.parametrize(("said", "most"), [("7", 14), ("0", 14), ("3", 14), ("3 5", 9)])
def test_with_two_players_no_figure_of_trees_depends_on_the_tricks(said: str, most: int) -> None:
    assert figures(asked(table(2), ROUND, *numbers(said))) == list(range(most + 1))


def test_who_won_the_last_trick_is_asked_where_it_matters() -> None:
    at, said = table(), numbers("5 1 0 0 5 0 2")
    prompt = asked(at, ROUND, *said)
    assert tell(prompt.text) == "Who won last?"
    assert prompt.answers == (ChooseSeat(0), ChooseSeat(2), TakeAlternative(), Skip())
    assert (tell(prompt.skip), tell(prompt.alternative)) == ("unknown", "change")
    assert prompt.sheet is not None
    assert (prompt.sheet.cell, prompt.sheet.rows) == (None, ((5, 1), (0, 0), (5, 0), (0, 2)))
    assert made(at, ROUND, *said, ChooseSeat(2)) == whole("5 0 5 0", "1 0 0 2", last=2)
    assert made(at, ROUND, *said, Skip()) == whole("5 0 5 0", "1 0 0 2")


@pytest.mark.parametrize(
    "at",
    [table(edition="fr"), table().round("10 0 0 0", "0 0 0 0").round("10 0 0 0", "0 0 0 0")],
    ids=["French", "last round"],
)
def test_and_can_be_said_where_it_does_not(at: Table) -> None:
    said = (*numbers("5 1 0 0 5 0 2"), TakeAlternative(), TakeAlternative())
    assert seats_of(asked(at, ROUND, *said)) == [0, 2]
    assert made(at, ROUND, *said, ChooseSeat(2), Skip()) == whole("5 0 5 0", "1 0 0 2", last=2)
    spelled = (*numbers("5 1"), Skip(), *numbers("5 0 2"))
    asks_who = (TakeAlternative(), TakeAlternative(), ChooseSeat(2))
    assert answers(at.state, whole("5 0 5 0", "1 0 0 2", last=2)) == (*spelled, *asks_who, Skip())
    assert answers(at.state, whole("5 0 5 0", "1 0 0 2")) == (*spelled, Skip())
