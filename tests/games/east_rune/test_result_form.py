"""East Rune: result form: figures asked, figures filled in, and who captured the last chair."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from companion.core.prompt import Answer, ChooseSeat, Skip, TakeAlternative
from companion.games.east_rune.asks import answers, ask
from companion.games.east_rune.rules import Result
from companion.ui.keys import AnswerCodes
from companion.ui.screens.questions import explained
from tests.games.reports import heads, told
from tests.games.table import ROUND, asked, figures, made, numbers, seats_of

from .tables import Table, claimed, pair, result, table

FOUR = table(4).starts(0)


def keys(at: Table, event: Result) -> str:
    given = answers(at.state, event)
    return "".join(AnswerCodes(asked(at, ROUND, *given[:count])).spell(answer) for count, answer in enumerate(given))


def test_each_seat_is_asked_for_chairs_monarchs_and_its_hand() -> None:
    first = asked(FOUR, ROUND)
    assert (told(first.text), first.seat, figures(first), told(first.alternative), told(first.skip)) == (
        "<chair>: Aki",
        0,
        [0, 1, 2, 3, 4, 5, 6],
        "not all",
        "rest 0",
    )
    assert first.sheet is not None
    assert (told(first.sheet.title), heads(first.sheet)) == ("The end", ["<chair>", "<crown>", "hand"])
    assert first.sheet.cell == (0, 0)
    assert told(asked(FOUR, ROUND, *numbers("2")).text) == "<crown>: Aki"
    hand = asked(FOUR, ROUND, *numbers("2 3"))
    assert (told(hand.text), figures(hand), hand.alternative) == ("In hand: Aki", [0, 1, 2, 3, 4, 5, 6], None)
    assert figures(asked(FOUR, ROUND, *numbers("2 3 1"))) == [0, 1, 2, 3, 4]


def test_a_key_that_answers_nothing_is_told_the_numbers_and_what_else_there_is() -> None:
    assert told(explained(asked(FOUR, ROUND), "", "B", None)) == "From 0 to 6, or D for: not all"


def test_what_is_left_went_to_the_last_seat_and_nothing_is_asked_once_nothing_is_left() -> None:
    last = asked(FOUR, ROUND, *numbers("2 1 1  1 2 2  1 0 3"))
    assert last.sheet is not None
    assert (told(last.text), last.sheet.rows[3]) == ("In hand: Dai", (2, 3, None))
    assert made(FOUR, ROUND, *numbers("2 1 1  1 2 2  1 0 3  4"), Skip()) == result("2 1 1 2", "1 2 0 3", "1 2 3 4")
    assert made(FOUR, ROUND, *numbers("6 0 1  6 2  3 4"), Skip()) == result("6 0 0 0", "0 6 0 0", "1 2 3 4")


def test_one_key_says_that_the_rest_of_a_seat_is_nothing() -> None:
    assert made(FOUR, ROUND, Skip(), *numbers("4 6 1"), Skip(), *numbers("0"), Skip()) == result(
        "0 4 0 2", "0 6 0 0", "0 1 0 0"
    )
    assert keys(FOUR, result("0 4 0 2", "0 6 0 0", "0 1 0 0")) == "#461#0#"


def test_unless_something_was_left_over() -> None:
    prompt = asked(FOUR, ROUND, TakeAlternative())
    assert (prompt.alternative, figures(prompt)) == (None, [0, 1, 2, 3, 4, 5, 6])
    figures_said = numbers("2 1 1  1 2 2  1 0 3  0 1 4")
    assert made(FOUR, ROUND, TakeAlternative(), *figures_said, Skip()) == result("2 1 1 0", "1 2 0 1", "1 2 3 4")


def test_the_last_chair_is_asked_for_when_it_breaks_a_tie() -> None:
    said = numbers("2 1 1  2 1 1  1 2 3  4")
    prompt = asked(FOUR, ROUND, *said)
    assert (told(prompt.text), told(prompt.skip), prompt.answers) == (
        "Last <chair>: who?",
        "nobody",
        (ChooseSeat(0), ChooseSeat(1), ChooseSeat(2), ChooseSeat(3), TakeAlternative(), Skip()),
    )
    assert prompt.sheet is not None
    assert prompt.sheet.cell is None
    assert made(FOUR, ROUND, *said, ChooseSeat(1)) == result("2 2 1 1", "1 1 2 2", "1 1 3 4", 1)
    assert made(FOUR, ROUND, *said, Skip()) == result("2 2 1 1", "1 1 2 2", "1 1 3 4", None)


def test_it_is_nobodys_when_chairs_were_left_over() -> None:
    event = made(FOUR, ROUND, TakeAlternative(), *numbers("2 1 1  2 1 1  0 2 3  0 2 4"), Skip())
    assert event == result("2 2 0 0", "1 1 2 2", "1 1 3 4", None)


def test_and_can_be_said_though_nobody_needs_it() -> None:
    said: tuple[Answer, ...] = (*numbers("3 1 1  2 1 1  1 2 3  4"), TakeAlternative(), TakeAlternative())
    assert seats_of(asked(FOUR, ROUND, *said)) == [0, 1, 2]
    event = made(FOUR, ROUND, *said, ChooseSeat(2), Skip())
    assert event == result("3 2 1 0", "1 1 2 2", "1 1 3 4", 2)


def test_a_row_can_be_entered_again_before_it_counts() -> None:
    said = (*numbers("3 1 1  2 1 1  1 2 3  4"), TakeAlternative(), ChooseSeat(0))
    wrong = asked(FOUR, ROUND, *said, *numbers("4 1 1"))
    assert (told(wrong.text), told(wrong.note)) == ("Which row is wrong?", "7 chairs in all, but there are 6")
    right = made(FOUR, ROUND, *said, *numbers("4 1 1"), ChooseSeat(2), *numbers("0 2 3"), Skip())
    assert right == result("4 2 0 0", "1 1 2 2", "1 1 3 4")
    tie = asked(FOUR, ROUND, *said, *numbers("2 1 1"), ChooseSeat(2), *numbers("2 1 3"))
    assert told(tie.text) == "Last <chair>: who?"


def test_two_players_have_no_chairs() -> None:
    at = pair()
    first = asked(at, ROUND)
    assert (told(first.text), figures(first)) == ("<crown>: Aki", [0, 1, 2, 3, 4, 5, 6])
    assert first.sheet is not None
    assert (len(first.sheet.columns), first.sheet.cell, first.sheet.rows) == (2, (0, 0), ((None, None), (None, None)))
    assert figures(asked(at, ROUND, *numbers("4"))) == list(range(13))
    assert figures(asked(at, ROUND, *numbers("4 11"))) == list(range(8))
    assert made(at, ROUND, *numbers("4 1 2"), Skip()) == result("0 0", "4 2", "1 2")
    tie = asked(at, ROUND, *numbers("4 5 1"))
    assert (told(tie.text), seats_of(tie)) == ("Last <crown>: who?", [0, 1])


def test_a_hand_can_be_as_large_as_it_was_dealt() -> None:
    at = table(blank_character=True).starts(1)
    assert figures(asked(at, ROUND, *numbers("3 3")))[-1] == 8
    assert figures(asked(at, ROUND, *numbers("3 3 0 3 3")))[-1] == 9


@pytest.mark.parametrize(
    ("at", "event", "given"),
    [
        (FOUR, result("2 1 1 2", "1 2 0 3", "1 2 3 4"), "211 122 103 4 #"),
        (FOUR, result("0 0 0 6", "0 0 6 0", "1 2 3 4"), "001 002 063 4 #"),
        (FOUR, result("2 1 1 0", "1 2 0 1", "1 2 3 4"), "D 211 122 103 014 #"),
        (FOUR, result("2 1 1 2", "1 0 0 0", "1 2 3 4"), "D 211 102 103 204 #"),
        (FOUR, result("2 2 1 1", "1 1 2 2", "1 1 3 4", 1), "211 211 123 4 2"),
        (FOUR, result("2 2 1 1", "1 1 2 2", "1 1 3 4", None), "211 211 123 4 #"),
        (FOUR, result("2 2 0 0", "1 1 2 2", "1 1 3 4", None), "D 211 211 023 024 #"),
        (FOUR, result("2 2 0 0", "1 1 2 2", "1 1 3 4", 0), "D 211 211 023 024 DD1 #"),
        (FOUR, result("3 2 1 0", "1 1 2 2", "1 1 3 4", None), "311 211 123 4 DD# #"),
        (pair(), result("0 0", "4 2", "1 2"), "41# 2#"),
        (pair(), result("0 0", "3 2", "3 1", 1), "D 33 21# DD2 #"),
        (pair(), result("0 0", "3 3", "1 1", 1), "31# 1# 2"),
        (claimed(), Result((3, 2, 1), (2, 2, 2), (4, 0, 8), UNSET), "324 220 8 #"),
    ],
)
def test_a_whole_end_is_turned_back_into_its_answers(at: Table, event: Result, given: str) -> None:
    assert keys(at, event) == given.replace(" ", "")
    assert ask(at.state, ROUND, answers(at.state, event)) == event
