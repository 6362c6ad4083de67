"""Eternity: form of a whole round: tricks and trees by seat, and the winner of the last trick if needed."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.prompt import ChooseSeat, EnterNumber, SecondOffer, Skip
from companion.core.text import tell
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


def test_tricks_are_asked_seat_by_seat_then_trees() -> None:
    at = table(3)
    rows = []
    said = "3 3 5 4 0"
    asks = ["Tricks: Aki", "Tricks: Bea", "Trees: Aki", "Trees: Bea", "Trees: Cyr"]
    cells = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1)]
    for count, (ask, cell) in enumerate(zip(asks, cells, strict=True)):
        given = numbers(" ".join(said.split()[:count]))
        prompt = asked(at, ROUND, *given)
        assert tell(prompt.text, NAMES) == ask
        assert prompt.sheet is not None
        assert prompt.sheet.cell == cell
        assert prompt.seat == cell[0]
        rows.append(prompt.sheet.rows)
    assert rows == [
        ((None, None), (None, None), (None, None)),
        ((3, None), (None, None), (None, None)),
        ((3, None), (3, None), (4, None)),  # the last seat's tricks follow from the others
        ((3, 5), (3, None), (4, None)),
        ((3, 5), (3, 4), (4, None)),
    ]


def test_no_more_tricks_are_offered_than_are_left() -> None:
    at = table()
    assert figures(asked(at, ROUND)) == list(range(11))
    assert figures(asked(at, ROUND, *numbers("3"))) == list(range(8))
    assert figures(asked(at, ROUND, *numbers("3 5"))) == [0, 1, 2]


def test_tricks_that_follow_are_not_asked() -> None:
    assert question(table(), ROUND, *numbers("9 1")) == "Trees: Aki"
    assert question(table(), ROUND, *numbers("4 6")) == "Trees: Aki"
    assert question(table(), ROUND, *numbers("4 4 1")) == "Trees: Aki"
    assert made(table(), ROUND, *numbers("0 10 1 3 4")) == whole("0 10 0 0", "1 0 3 4")
    assert made(table(), ROUND, *numbers("0 0 0 1 2 3")) == whole("0 0 0 10", "1 2 3 0")
    assert made(table(5), ROUND, *numbers("8 1 0 0 0")) == whole("8 0 0 0 0", "0 1 0 0 0")  # all the tricks of five
    assert made(table(2), ROUND, *numbers("7 1 0")) == whole("7 0", "1 0")


@pytest.mark.parametrize(("rules", "most"), [({}, 20), ({"tokens": "limited"}, 18)])
def test_no_more_trees_are_offered_than_can_be(rules: dict[str, Any], most: int) -> None:
    at = table(4, **rules)
    assert figures(asked(at, ROUND, *numbers("0 9 1"))) == list(range(most + 1))
    assert figures(asked(at, ROUND, *numbers("0 9 1 11 1"))) == list(range(most - 11))
    assert made(at, ROUND, *numbers(f"0 9 1 {most}"), Skip()) == whole("0 9 1 0", f"{most} 0 0 0")


def test_no_more_trees_are_offered_than_two_for_each_trick_not_won() -> None:
    at = table()
    assert figures(asked(at, ROUND, *numbers("5 3 2"))) == list(range(11))
    assert figures(asked(at, ROUND, *numbers("5 3 2 1"))) == list(range(15))
    assert figures(asked(at, ROUND, *numbers("5 3 2 1 0"))) == list(range(17))
    assert figures(asked(at, ROUND, *numbers("5 3 2 9 8"))) == [0, 1, 2, 3]
    assert figures(asked(table(5), ROUND, *numbers("5 3"))) == list(range(7))
    assert figures(asked(table(5), ROUND, *numbers("5 3 0"))) == list(range(11))


def test_who_won_every_trick_is_not_asked_for_trees() -> None:
    prompt = asked(table(), ROUND, *numbers("10"))
    assert tell(prompt.text, NAMES) == "Trees: Bea"
    assert prompt.sheet is not None
    assert prompt.sheet.cell == (1, 1)
    assert prompt.sheet.rows == ((10, 0), (0, None), (0, None), (0, None))
    assert question(table(), ROUND, *numbers("0 0 0 3 0")) == "Trees: Cyr"
    assert made(table(), ROUND, *numbers("0 0 0 3 0 1")) == whole("0 0 0 10", "3 0 1 0")


@pytest.mark.parametrize(("said", "most"), [("7", 14), ("0", 14), ("3", 14), ("3 5", 9)])
def test_with_two_players_no_figure_of_trees_depends_on_the_tricks(said: str, most: int) -> None:
    assert figures(asked(table(2), ROUND, *numbers(said))) == list(range(most + 1))


def test_who_won_the_last_trick_is_asked_where_it_matters() -> None:
    at = table()
    prompt = asked(at, ROUND, *numbers("5 0 5 1 0 0 2"))
    assert tell(prompt.text) == "Who won last?"
    assert prompt.answers == (ChooseSeat(0), ChooseSeat(2), Skip())
    assert tell(prompt.skip) == "unknown"
    assert prompt.sheet is not None
    assert prompt.sheet.cell is None
    assert prompt.sheet.rows == ((5, 1), (0, 0), (5, 0), (0, 2))
    assert made(at, ROUND, *numbers("5 0 5 1 0 0 2"), ChooseSeat(2)) == whole("5 0 5 0", "1 0 0 2", last=2)
    assert made(at, ROUND, *numbers("5 0 5 1 0 0 2"), Skip()) == whole("5 0 5 0", "1 0 0 2")


@pytest.mark.parametrize(
    "at",
    [table(edition="fr"), table().round("10 0 0 0", "0 0 0 0").round("10 0 0 0", "0 0 0 0")],
    ids=["French", "last round"],
)
def test_and_not_where_it_does_not(at: Table) -> None:
    assert made(at, ROUND, *numbers("5 0 5 1 0 0 2")) == whole("5 0 5 0", "1 0 0 2")


@pytest.mark.parametrize(
    ("said", "sitting"),
    [("", [0, 1, 2, 3]), ("0 4", [1, 2, 3]), ("0 10", [1]), ("0 4 6 1 1", [1, 2]), ("0 4 1", [1, 2, 3])],
)
def test_it_can_be_said_at_any_time_once(said: str, sitting: list[int]) -> None:
    at = table()
    prompt = asked(at, ROUND, *numbers(said))
    assert prompt.answers[-1] == SecondOffer()
    assert tell(prompt.alternative) == "last trick"
    named = asked(at, ROUND, *numbers(said), SecondOffer())
    assert tell(named.text) == "Who won last?"
    assert named.answers == tuple(ChooseSeat(seat) for seat in sitting)
    assert named.sheet is not None
    assert named.sheet.cell is None
    after = asked(at, ROUND, *numbers(said), SecondOffer(), ChooseSeat(sitting[-1]))
    assert (SecondOffer() in after.answers, after.alternative, seats_of(after)) == (False, None, [])
    assert after.sheet is not None
    assert after.sheet.cell == (prompt.sheet.cell if prompt.sheet else None)


def test_who_won_the_last_trick_has_at_least_one() -> None:
    at = table()
    assert figures(asked(at, ROUND, SecondOffer(), ChooseSeat(0))) == list(range(1, 11))
    assert figures(asked(at, ROUND, SecondOffer(), ChooseSeat(1))) == list(range(10))
    assert figures(asked(at, ROUND, SecondOffer(), ChooseSeat(1), *numbers("4"))) == list(range(1, 7))
    assert figures(asked(at, ROUND, SecondOffer(), ChooseSeat(1), *numbers("4 3"))) == list(range(4))
    assert figures(asked(at, ROUND, SecondOffer(), ChooseSeat(3), *numbers("4 3"))) == list(range(3))
    assert figures(asked(at, ROUND, SecondOffer(), ChooseSeat(1), *numbers("4 3 2"))) == list(range(13))


def test_tricks_that_follow_from_who_won_the_last_one_are_not_asked() -> None:
    at = table()
    assert question(at, ROUND, SecondOffer(), ChooseSeat(3), *numbers("4 3 2")) == "Trees: Aki"
    assert (
        asked(at, ROUND, SecondOffer(), ChooseSeat(3), *numbers("4 5")).sheet
        == asked(at, ROUND, *numbers("4 5 0")).sheet
    )
    assert question(at, ROUND, SecondOffer(), ChooseSeat(3), *numbers("9")) == "Trees: Aki"
    assert question(at, ROUND, *numbers("9"), SecondOffer(), ChooseSeat(1)) == "Trees: Aki"
    assert (
        asked(at, ROUND, SecondOffer(), ChooseSeat(1), *numbers("9")).sheet == asked(at, ROUND, *numbers("9 1")).sheet
    )


def test_a_figure_said_before_who_won_the_last_trick_keeps_its_place() -> None:
    said = numbers("9 0 1 0 0 1 2")
    assert made(table(), ROUND, *said, ChooseSeat(2)) == whole("9 0 1 0", "0 0 1 2", last=2)


def test_said_before_or_after_it_makes_the_same_event() -> None:
    event = whole("5 0 5 0", "1 0 0 2", last=2)
    at, said = table(), numbers("5 0 5 1 0 0 2")
    for place in range(len(said)):
        assert made(at, ROUND, *said[:place], SecondOffer(), ChooseSeat(2), *said[place:]) == event
    assert EnterNumber(0) in asked(at, ROUND, *said[:-1]).answers
