"""East Rune: result form: figures asked, figures filled in, and who captured the last chair."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from companion.core.prompt import Answer, ChooseSeat, SecondOffer, Skip
from companion.games.east_rune.events import Result
from companion.games.east_rune.prompts import answers, ask
from companion.ui.key_grammar import AnswerCodes
from tests.games.reports import heads, told
from tests.games.table import ROUND, asked, figures, made, numbers, seats_of

from .tables import Table, claimed, pair, result, table

FOUR = table(4).starts(0)


def keys(at: Table, event: Result) -> str:
    given = answers(at.state, event)
    return "".join(AnswerCodes(asked(at, ROUND, *given[:count])).spell(answer) for count, answer in enumerate(given))


def test_chairs_are_said_by_seat_then_monarchs_then_hands() -> None:
    first = asked(FOUR, ROUND)
    assert (told(first.text), first.seat, figures(first), told(first.alternative)) == (
        "<chair>: Aki",
        0,
        [0, 1, 2, 3, 4, 5, 6],
        "not all",
    )
    assert first.sheet is not None
    assert (told(first.sheet.title), heads(first.sheet)) == ("The end", ["<chair>", "<crown>", "hand"])
    assert first.sheet.cell == (0, 0)
    assert figures(asked(FOUR, ROUND, *numbers("2"))) == [0, 1, 2, 3, 4]
    later = asked(FOUR, ROUND, *numbers("2 1 1"))
    assert told(later.text) == "<crown>: Aki"
    assert later.sheet is not None
    assert later.sheet.rows == ((2, None, None), (1, None, None), (1, None, None), (2, None, None))
    assert later.sheet.cell == (0, 1)
    hand = asked(FOUR, ROUND, *numbers("2 1 1 3 3"))
    assert (told(hand.text), figures(hand), told(hand.alternative)) == (
        "In hand: Aki",
        [0, 1, 2, 3, 4, 5, 6],
        "last <chair>",
    )


def test_what_is_left_went_to_the_last_seat_and_nothing_is_asked_once_nothing_is_left() -> None:
    assert made(FOUR, ROUND, *numbers("2 1 1  1 2 0  1 2 3 4")) == result("2 1 1 2", "1 2 0 3", "1 2 3 4")
    assert made(FOUR, ROUND, *numbers("6  0 6  1 2 3 4")) == result("6 0 0 0", "0 6 0 0", "1 2 3 4")


def test_one_key_says_that_all_hands_that_are_left_are_empty() -> None:
    said = numbers("2 1 1  1 2 0")
    prompt = asked(FOUR, ROUND, *said)
    assert (told(prompt.skip), prompt.answers[-1]) == ("rest 0", Skip())
    assert made(FOUR, ROUND, *said, Skip()) == result("2 1 1 2", "1 2 0 3", "0 0 0 0")
    assert made(FOUR, ROUND, *said, *numbers("4"), Skip()) == result("2 1 1 2", "1 2 0 3", "4 0 0 0")
    last = asked(FOUR, ROUND, *said, *numbers("1 2 3"))
    assert (last.skip, Skip() in last.answers) == (None, False)
    assert Skip() not in asked(FOUR, ROUND, *numbers("2 1 1")).answers
    assert keys(FOUR, result("2 1 1 2", "1 2 0 3", "0 0 0 0")) == "211120#"
    assert keys(FOUR, result("2 1 1 2", "1 2 0 3", "0 4 0 0")) == "21112004#"


def test_empty_hands_leave_the_tie_to_be_asked_for() -> None:
    said: tuple[Answer, ...] = (*numbers("2 2 1  1 1 2"), Skip())
    assert told(asked(FOUR, ROUND, *said).text) == "Last <chair>: who?"
    assert made(FOUR, ROUND, *said, Skip()) == result("2 2 1 1", "1 1 2 2", "0 0 0 0", None)
    assert answers(FOUR.state, result("2 2 1 1", "1 1 2 2", "0 0 0 0", 1)) == (*said, ChooseSeat(1))


def test_unless_something_was_left_over() -> None:
    prompt = asked(FOUR, ROUND, SecondOffer())
    assert (prompt.alternative, figures(prompt)) == (None, [0, 1, 2, 3, 4, 5, 6])
    assert made(FOUR, ROUND, SecondOffer(), *numbers("2 1 1 0  1 2 0 1  1 2 3 4")) == result(
        "2 1 1 0", "1 2 0 1", "1 2 3 4"
    )
    assert made(FOUR, ROUND, *numbers("2 1 1"), SecondOffer(), *numbers("1 2 0 1  1 2 3 4")) == result(
        "2 1 1 2", "1 2 0 1", "1 2 3 4"
    )


def test_the_last_chair_is_asked_for_when_it_breaks_a_tie() -> None:
    said = numbers("2 2 1  1 1 2  1 1 3 4")
    prompt = asked(FOUR, ROUND, *said)
    assert (told(prompt.text), told(prompt.skip), prompt.answers) == (
        "Last <chair>: who?",
        "nobody",
        (ChooseSeat(0), ChooseSeat(1), ChooseSeat(2), ChooseSeat(3), Skip()),
    )
    assert prompt.sheet is not None
    assert prompt.sheet.cell is None
    assert made(FOUR, ROUND, *said, ChooseSeat(1)) == result("2 2 1 1", "1 1 2 2", "1 1 3 4", 1)
    assert made(FOUR, ROUND, *said, Skip()) == result("2 2 1 1", "1 1 2 2", "1 1 3 4", None)


def test_it_is_nobodys_when_chairs_were_left_over() -> None:
    event = made(FOUR, ROUND, SecondOffer(), *numbers("2 2 0 0  1 1 2 2  1 1 3 4"))
    assert event == result("2 2 0 0", "1 1 2 2", "1 1 3 4", None)


def test_and_can_be_said_though_nobody_needs_it() -> None:
    said = numbers("3 2 1  1 1 2")
    assert seats_of(asked(FOUR, ROUND, *said, SecondOffer())) == [0, 1, 2]
    after = asked(FOUR, ROUND, *said, SecondOffer(), ChooseSeat(2))
    assert (told(after.text), after.alternative) == ("In hand: Aki", None)
    event = made(FOUR, ROUND, *said, SecondOffer(), ChooseSeat(2), *numbers("1 1 3 4"))
    assert event == result("3 2 1 0", "1 1 2 2", "1 1 3 4", 2)


def test_two_players_have_no_chairs() -> None:
    at = pair()
    first = asked(at, ROUND)
    assert (told(first.text), figures(first)) == ("<crown>: Aki", [0, 1, 2, 3, 4, 5, 6])
    assert first.sheet is not None
    assert (len(first.sheet.columns), first.sheet.cell, first.sheet.rows) == (2, (0, 0), ((None, None), (None, None)))
    assert figures(asked(at, ROUND, *numbers("4"))) == list(range(13))
    assert figures(asked(at, ROUND, *numbers("4 11"))) == list(range(8))
    assert made(at, ROUND, *numbers("4 1 2")) == result("0 0", "4 2", "1 2")
    tie = asked(at, ROUND, *numbers("4 5 1"))
    assert (told(tie.text), seats_of(tie)) == ("Last <crown>: who?", [0, 1])
    assert told(asked(at, ROUND, *numbers("4")).alternative) == "last <crown>"


def test_a_hand_can_be_as_large_as_it_was_dealt() -> None:
    at = table(blank_character=True).starts(1)
    assert figures(asked(at, ROUND, *numbers("3 3 3 3")))[-1] == 8
    assert figures(asked(at, ROUND, *numbers("3 3 3 3 0")))[-1] == 9


@pytest.mark.parametrize(
    ("at", "event", "given"),
    [
        (FOUR, result("2 1 1 2", "1 2 0 3", "1 2 3 4"), numbers("2 1 1 1 2 0 1 2 3 4")),
        (FOUR, result("0 0 0 6", "0 0 6 0", "1 2 3 4"), numbers("0 0 0 0 0 6 1 2 3 4")),
        (FOUR, result("2 1 1 0", "1 2 0 1", "1 2 3 4"), (SecondOffer(), *numbers("2 1 1 0 1 2 0 1 1 2 3 4"))),
        (FOUR, result("2 1 1 0", "1 2 0 3", "1 2 3 4"), (SecondOffer(), *numbers("2 1 1 0 1 2 0 3 1 2 3 4"))),
        (
            FOUR,
            result("2 1 1 2", "1 0 0 0", "1 2 3 4"),
            (*numbers("2 1 1"), SecondOffer(), *numbers("1 0 0 0 1 2 3 4")),
        ),
        (FOUR, result("2 2 1 1", "1 1 2 2", "1 1 3 4", 1), (*numbers("2 2 1 1 1 2 1 1 3 4"), ChooseSeat(1))),
        (FOUR, result("2 2 1 1", "1 1 2 2", "1 1 3 4", None), (*numbers("2 2 1 1 1 2 1 1 3 4"), Skip())),
        (FOUR, result("2 2 0 0", "1 1 2 2", "1 1 3 4", None), (SecondOffer(), *numbers("2 2 0 0 1 1 2 2 1 1 3 4"))),
        (
            FOUR,
            result("2 2 0 0", "1 1 2 2", "1 1 3 4", 0),
            (SecondOffer(), *numbers("2 2 0 0 1 1 2 2"), SecondOffer(), ChooseSeat(0), *numbers("1 1 3 4")),
        ),
        (
            FOUR,
            result("3 2 1 0", "1 1 2 2", "1 1 3 4", None),
            (*numbers("3 2 1 1 1 2"), SecondOffer(), Skip(), *numbers("1 1 3 4")),
        ),
        (pair(), result("0 0", "4 2", "1 2"), numbers("4 1 2")),
        (
            pair(),
            result("0 0", "3 2", "3 1", 1),
            (SecondOffer(), *numbers("3 2"), SecondOffer(), ChooseSeat(1), *numbers("3 1")),
        ),
        (pair(), result("0 0", "3 3", "1 1", 1), (*numbers("3 1 1"), ChooseSeat(1))),
    ],
)
def test_a_whole_end_is_turned_back_into_its_answers(at: Table, event: Result, given: tuple[Answer, ...]) -> None:
    assert answers(at.state, event) == given
    assert ask(at.state, ROUND, given) == event


def test_four_players_are_ten_keys() -> None:
    assert keys(FOUR, result("2 1 1 2", "1 2 0 3", "1 2 3 4")) == "2111201234"
    assert keys(claimed(), Result((3, 2, 1), (2, 2, 2), (4, 0, 8), UNSET)) == "3222408"
