"""Gear: forms for auction prices and round figures; figures that follow from others are not asked."""

from __future__ import annotations

import pytest

from companion.core.prompt import Answer, ChooseItem, ChooseSeat, EnterNumber, Prompt, SecondOffer, Skip
from companion.core.text import tell
from companion.games.gear.events import Prices, Round
from companion.games.gear.prompts import answers
from tests.games.reports import NAMES
from tests.games.table import QUICK, ROUND, asked, counts, figures, made, numbers, question

from .tables import THREE_LOTS, Table, easy, lots, paid, sold, table, whole


def picks(prompt: Prompt) -> dict[int, ChooseItem]:
    """Return the numbers of the `ChooseItem` answers a prompt offers."""
    return {answer.value: answer for answer in prompt.answers if isinstance(answer, ChooseItem)}


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
    assert Skip() not in asked(at, QUICK, SecondOffer()).answers
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


def test_a_sheet_asks_prices_then_tricks_then_aces_then_the_last_trick() -> None:
    at = table(3)
    assert question(at, ROUND) == "Price: Aki"
    assert rows(asked(at, ROUND)) == [(None, None, None)] * 3
    assert question(at, ROUND, *numbers("1 0 2")) == "Tricks: Aki"
    second = asked(at, ROUND, *numbers("1 0 2 3"))
    assert (tell(second.text, NAMES), second.seat) == ("Tricks: Bea", 1)
    assert rows(second) == [(1, 3, None), (0, None, None), (2, None, None)]
    prompt = asked(at, ROUND, *numbers("1 0 2 3 3"))
    assert (tell(prompt.text, NAMES), prompt.seat) == ("Aces: Aki", 0)
    assert (tell(prompt.legend), tell(prompt.skip)) == ("+5: last trick", "rest 0")
    assert rows(prompt) == [(1, 3, None), (0, 3, None), (2, 2, None)]
    assert prompt.sheet is not None
    assert (prompt.sheet.cell, tell(prompt.sheet.title)) == ((0, 2), "Round 1")
    assert [tell(head) for head in prompt.sheet.columns] == ["<coin>", "tricks", "<ace>"]
    given = numbers("1 0 2 3 3 1 2 0")
    assert question(at, ROUND, *given) == "Who won last?"
    assert asked(at, ROUND, *given).answers == (ChooseSeat(0), ChooseSeat(1), ChooseSeat(2))
    assert rows(asked(at, ROUND, *given)) == [(1, 3, 1), (0, 3, 2), (2, 2, 0)]
    assert made(at, ROUND, *given, ChooseSeat(1)) == whole("3 3 2", "1 2 0", 1, "1 0 2")


@pytest.mark.parametrize("at", [easy(3), table(3, auction=False), sold(3), sold(3).lays("r2")])
def test_prices_are_not_asked_where_they_are_known_or_nobody_pays(at: Table) -> None:
    prompt = asked(at, ROUND, *numbers("3"))
    assert tell(prompt.text, NAMES) == "Tricks: Bea"
    assert figures(prompt) == [0, 1, 2, 3, 4, 5]
    assert prompt.sheet is not None
    assert prompt.sheet.cell == (1, 0)
    assert made(at, ROUND, *numbers("3 3 0 0 0"), ChooseSeat(0)) == whole("3 3 2", "0 0 0", 0)


def test_prices_are_asked_anew_where_the_auction_had_only_begun() -> None:
    assert question(table(3).starts(0).bids("0=3"), ROUND) == "Price: Aki"


@pytest.mark.parametrize(
    ("seats", "said", "event"),
    [
        (3, "3 3 0 0 0", None),  # the last seat's tricks are what is left, the last trick is asked
        (3, "8 4", whole("8 0 0", "4 0 0", 0)),  # nobody else can have anything
        (3, "0 8 2", whole("0 8 0", "0 2 0", 1)),
        (3, "0 0 0", whole("0 0 8", "0 0 0", 2)),
        (5, "8", whole("8 0 0 0 0", "4 0 0 0 0", 0)),  # with five players all aces are taken
        (5, "0 0 0 0", whole("0 0 0 0 8", "0 0 0 0 4", 4)),
        (5, "4 0 4 1", None),
        (4, "4 0 4 4", None),  # no aces are left
    ],
)
def test_what_is_decided_is_filled_in(seats: int, said: str, event: Round | None) -> None:
    at = easy(seats)
    if event is None:
        assert question(at, ROUND, *numbers(said)) == "Who won last?"
    else:
        assert made(at, ROUND, *numbers(said)) == event
        assert answers(at.state, event) == numbers(said)


def test_nobody_is_offered_more_aces_than_cards_taken() -> None:
    assert figures(asked(easy(2), ROUND, *numbers("1"))) == [0, 1, 2]
    assert figures(asked(easy(3), ROUND, *numbers("1 1"))) == [0, 1, 2, 3]
    assert figures(asked(easy(3), ROUND, *numbers("2 1 3"))) == [0, 1]


def test_aces_and_five_say_that_the_last_trick_was_theirs_too() -> None:
    at = easy(3)
    prompt = asked(at, ROUND, *numbers("3 3"))
    assert sorted(picks(prompt)) == [5, 6, 7, 8, 9]
    assert tell(picks(prompt)[6].label) == "1 + last"
    given = (*numbers("3 3"), picks(prompt)[6])
    after = asked(at, ROUND, *given)
    assert tell(after.text, NAMES) == "Aces: Bea"
    assert picks(after) == {}
    assert made(at, ROUND, *given, *numbers("0 2")) == whole("3 3 2", "1 0 2", 0)


def test_where_one_has_all_tricks_the_last_is_not_asked_for() -> None:
    assert picks(asked(easy(3), ROUND, *numbers("8"))) == {}


def test_ok_says_that_no_more_aces_were_taken_but_not_with_five() -> None:
    at = easy(3)
    assert tell(asked(at, ROUND, *numbers("3 3")).skip) == "rest 0"
    assert made(at, ROUND, *numbers("3 3"), Skip(), ChooseSeat(2)) == whole("3 3 2", "0 0 0", 2)
    assert asked(easy(5), ROUND, *numbers("3 3 2")).skip is None


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (whole("3 3 2", "1 0 0", 0), "3 3 6 #"),
        (whole("3 3 2", "1 0 0", 1), "3 3 1 5 0"),
        (whole("3 3 2", "0 0 0", 2), "3 3 # s3"),
        (whole("3 3 2", "0 0 0", 0), "3 3 5 #"),
        (whole("3 3 2", "2 2 0", 2), "3 3 2 2 s3"),
        (whole("3 3 2", "2 2 0", 1), "3 3 2 7"),
        (whole("0 3 5", "0 0 4", 2), "0 3 0 9"),
        (whole("8 0 0", "0 0 0", 0), "8 0"),
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
        case EnterNumber(value) | ChooseItem(value):
            return str(value)
    raise AssertionError(answer)


def test_a_sheet_with_prices_is_turned_into_answers_as_well() -> None:
    event = Round(counts("2 2 2 2"), counts("1 1 1 0"), 3, counts("2 0 10 1"))
    given = answers(table(4).state, event)
    assert len(given) == 4 + 2 + 3 + 4
    assert made(table(4), ROUND, *given) == event
