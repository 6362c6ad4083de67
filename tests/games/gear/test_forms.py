"""Gear: forms for auction prices and round figures; figures that follow from others are not asked."""

from __future__ import annotations

import pytest

from companion.core.prompt import Answer, ChooseSeat, EnterNumber, Prompt, Skip, TakeAlternative
from companion.core.text import tell
from companion.games.gear.asks import answers
from companion.games.gear.rules import Prices, Round
from tests.games.reports import NAMES
from tests.games.table import QUICK, ROUND, asked, counts, figures, made, numbers, question, seats_of

from .tables import THREE_LOTS, Table, easy, lots, paid, sold, table, whole


def rows(prompt: Prompt) -> list[tuple[int | None, ...]]:
    assert prompt.sheet is not None
    return list(prompt.sheet.rows)


# The prices of an auction


def test_prices_are_asked_seat_by_seat() -> None:
    at = table(3).starts(0)
    assert question(at, QUICK) == "Price: Aki"
    assert figures(asked(at, QUICK)) == list(range(10))
    prompt = asked(at, QUICK, *numbers("2 0"))
    assert prompt.seat == 2
    assert rows(prompt) == [(2,), (0,), (None,)]
    assert prompt.sheet is not None
    assert (prompt.sheet.cell, tell(prompt.sheet.title)) == ((2, 0), "Prices")
    assert made(at, QUICK, *numbers("2 0 1")) == paid("2 0 1")


def test_ok_says_that_nobody_else_paid() -> None:
    at = table(4).starts(0)
    assert tell(asked(at, QUICK, *numbers("2")).skip) == "rest 0"
    assert made(at, QUICK, *numbers("2"), Skip()) == paid("2 0 0 0")
    assert made(at, QUICK, Skip()) == paid("0 0 0 0")


def test_a_price_above_nine_is_asked_for_digit_by_digit() -> None:
    at = table(2).starts(0)
    assert question(at, QUICK, *numbers("+")) == "Price __: Aki"
    assert tell(asked(at, QUICK, *numbers("+")).alternative) == "100+"
    prompt = asked(at, QUICK, *numbers("+ 1"))
    assert tell(prompt.text, NAMES) == "Price 1_: Aki"
    assert (prompt.skip, prompt.alternative) == (None, None)
    assert Skip() not in asked(at, QUICK, TakeAlternative()).answers
    assert made(at, QUICK, *numbers("+ 1 2 0")) == paid("12 0")


def test_with_the_lots_entered_it_is_asked_who_gets_which_but_for_the_last() -> None:
    at = table(3).starts(0).enters(lots(*THREE_LOTS))
    assert question(at, QUICK, Skip()) == "Who gets lot 1?"
    prompt = asked(at, QUICK, Skip(), ChooseSeat(1))
    assert tell(prompt.text) == "Who gets lot 2?"
    assert prompt.answers == (ChooseSeat(0), ChooseSeat(2))
    assert rows(prompt) == [(0,), (0,), (0,)]
    assert made(at, QUICK, Skip(), ChooseSeat(1), ChooseSeat(2)) == paid("0 0 0", "1 2 0")


@pytest.mark.parametrize(
    ("event", "given"),
    [
        (paid("1 0 2"), numbers("1 0 2")),
        (paid("1 2 0"), numbers("1 2 0")),
        (paid("1 0 0"), (EnterNumber(1), Skip())),
        (paid("0 12 0"), numbers("0 + 1 2 0")),
    ],
)
def test_a_whole_auction_is_turned_into_answers(event: Prices, given: tuple[Answer, ...]) -> None:
    at = table(3).starts(0)
    assert answers(at.state, event) == given
    assert made(at, QUICK, *given) == event


# The figures of a round


def test_a_sheet_asks_each_seat_for_price_tricks_and_aces_then_for_the_last_trick() -> None:
    at = table(3)
    assert question(at, ROUND) == "Price: Aki"
    assert rows(asked(at, ROUND)) == [(None, None, None)] * 3
    assert [question(at, ROUND, *numbers(said)) for said in ("1", "1 3", "1 3 1")] == [
        "Tricks: Aki",
        "Aces: Aki",
        "Price: Bea",
    ]
    prompt = asked(at, ROUND, *numbers("1 3 1 0 3 2 2"))
    assert (tell(prompt.text, NAMES), prompt.seat, prompt.skip) == ("Aces: Cyr", 2, None)
    assert rows(prompt) == [(1, 3, 1), (0, 3, 2), (2, 2, None)]
    assert prompt.sheet is not None
    assert (prompt.sheet.cell, tell(prompt.sheet.title)) == ((2, 2), "Round 1")
    assert [tell(head) for head in prompt.sheet.columns] == ["<coin>", "tricks", "<ace>"]
    given = numbers("1 3 1 0 3 2 2 0")
    assert question(at, ROUND, *given) == "Who won last?"
    assert seats_of(asked(at, ROUND, *given)) == [0, 1, 2]
    assert rows(asked(at, ROUND, *given)) == [(1, 3, 1), (0, 3, 2), (2, 2, 0)]
    assert made(at, ROUND, *given, ChooseSeat(1)) == whole("3 3 2", "1 2 0", 1, "1 0 2")


def test_a_row_with_a_price_can_be_entered_again_before_it_counts() -> None:
    given = (*numbers("1 3 1 0 3 2 2 0"), TakeAlternative(), ChooseSeat(0))
    assert question(table(3), ROUND, *given) == "Price: Aki"
    assert made(table(3), ROUND, *given, *numbers("+ 1 2 3 1"), ChooseSeat(1)) == whole("3 3 2", "1 2 0", 1, "12 0 2")
    again = (*given, *numbers("+ 1 2 3 1"), TakeAlternative(), ChooseSeat(0))
    assert tell(asked(table(3), ROUND, *again).skip) == "keep 12"
    assert made(table(3), ROUND, *again, Skip(), Skip(), Skip(), ChooseSeat(1)) == whole("3 3 2", "1 2 0", 1, "12 0 2")
    wrong = asked(table(3), ROUND, *given, *numbers("1 2 1"))
    assert (tell(wrong.text), tell(wrong.note)) == ("Which row is wrong?", "the tricks add up to 7, but there are 8")


@pytest.mark.parametrize("at", [easy(3), table(3, auction=False), sold(3), sold(3).lays("r2")])
def test_prices_are_not_asked_where_they_are_known_or_nobody_pays(at: Table) -> None:
    prompt = asked(at, ROUND, *numbers("3 0"))
    assert tell(prompt.text, NAMES) == "Tricks: Bea"
    assert figures(prompt) == [0, 1, 2, 3, 4, 5]
    assert prompt.sheet is not None
    assert prompt.sheet.cell == (1, 0)
    assert made(at, ROUND, *numbers("3 0 3 0 0"), ChooseSeat(0)) == whole("3 3 2", "0 0 0", 0)


def test_prices_are_asked_anew_where_the_auction_had_only_begun() -> None:
    assert question(table(3).starts(0).bids("0=3"), ROUND) == "Price: Aki"


@pytest.mark.parametrize(
    ("seats", "said", "event"),
    [
        (3, "3 0 3 0 0", None),  # the last seat's tricks are what is left, the last trick is asked
        (3, "8 4", whole("8 0 0", "4 0 0", 0)),  # nobody else can have anything
        (3, "0 8 2", whole("0 8 0", "0 2 0", 1)),
        (3, "0 0 0", whole("0 0 8", "0 0 0", 2)),
        (5, "8", whole("8 0 0 0 0", "4 0 0 0 0", 0)),  # with five players all aces are taken
        (5, "# # # #", whole("0 0 0 0 8", "0 0 0 0 4", 4)),
        (5, "4 1 0 4", None),
        (4, "4 4 0 4", None),  # no aces are left
    ],
)
def test_what_is_decided_is_filled_in(seats: int, said: str, event: Round | None) -> None:
    at = easy(seats)
    given = tuple(Skip() if word == "#" else EnterNumber(int(word)) for word in said.split())
    if event is None:
        assert question(at, ROUND, *given) == "Who won last?"
    else:
        assert question(at, ROUND, *given) == "Same on the table?"
        assert made(at, ROUND, *given, Skip()) == event


def test_nobody_is_offered_more_aces_than_cards_taken() -> None:
    assert figures(asked(easy(2), ROUND, *numbers("1"))) == [0, 1, 2]
    assert figures(asked(easy(3), ROUND, *numbers("1"))) == [0, 1, 2, 3]
    assert figures(asked(easy(3), ROUND, *numbers("2 3 1"))) == [0, 1]


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (whole("3 3 2", "1 0 0", 0), "3 1 3 0 0 s1"),
        (whole("3 3 2", "2 2 0", 2), "3 2 3 2 s3"),
        (whole("0 3 5", "0 0 4", 2), "0 3 0 4 s3"),
        (whole("8 0 0", "0 0 0", 0), "8 0 #"),
    ],
)
def test_a_whole_round_is_turned_into_few_answers(event: Round, said: str) -> None:
    at = easy(3)
    given = answers(at.state, event)
    assert [_short(answer) for answer in given] == said.split()
    assert made(at, ROUND, *given) == event


def _short(answer: Answer) -> str:
    match answer:
        case ChooseSeat(seat):
            return f"s{seat + 1}"
        case Skip():
            return "#"
        case EnterNumber(value):
            return str(value)
    raise AssertionError(answer)


def test_a_sheet_with_prices_is_turned_into_answers_as_well() -> None:
    event = Round(counts("2 2 2 2"), counts("1 1 1 0"), 3, counts("2 0 10 1"))
    given = answers(table(4).state, event)
    assert len(given) == 4 + 2 + 3 + 4 + 1
    assert made(table(4), ROUND, *given) == event


def test_a_nought_for_all_that_a_seat_has_is_one_answer() -> None:
    event = Round(counts("4 0 4"), counts("1 0 1"), 0, counts("2 0 1"))
    given = answers(table(3).state, event)
    assert given[3] == Skip()
    assert made(table(3), ROUND, *given) == event


def test_prices_that_were_entered_before_cannot_be_entered_again() -> None:
    assert answers(sold(3).state, whole("3 3 2", "1 0 0", 0, "1 0 2")) == ()
