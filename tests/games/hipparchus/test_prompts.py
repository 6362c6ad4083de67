"""Hipparchus: prompts, the answers they offer, and the events they produce."""

from __future__ import annotations

import pytest

from companion.core.game import Event, Start
from companion.core.prompt import Answer, ChooseSeat, DetailLevel, Skip, TakeAlternative
from companion.core.text import IllegalEventError
from companion.games.hipparchus.asks import PICKS, answers, ask
from companion.games.hipparchus.rules import CannotPlay, EndRound
from companion.ui.keys import AnswerCodes
from tests.games.reports import heads, told
from tests.games.table import FULL, QUICK, ROUND, asked, figures, made, numbers, question, seats_of

from .tables import LEFT_2_5, NEARLY, Table, led, offered, picks, play, table, trick, whole

EVERY = "123456789"


@pytest.mark.parametrize("tracking", [FULL, QUICK])
def test_who_starts_is_asked_once(tracking: DetailLevel) -> None:
    assert question(table(), tracking) == "Who starts?"
    assert asked(table(), tracking).answers == (ChooseSeat(0), ChooseSeat(1))
    assert made(table(), tracking, ChooseSeat(1)) == Start(1)
    assert question(table().round("3 3 3", "2 2 2"), FULL) == "Aki:"


@pytest.mark.parametrize("tracking", DetailLevel)
def test_nothing_is_asked_after_the_end(tracking: DetailLevel) -> None:
    assert ask(table().round("3 3 3", "2 2 2").round("3 3 3", "2 2 2").state, tracking, ()) is None


# Play by play


def test_nine_digits_are_the_plays() -> None:
    words = ["1 sun", "2 suns", "3 suns", "1 moon", "2 moons", "3 moons", "1 earth", "2 earths", "3 earths"]
    assert [(each.value, told(each.label)) for each in PICKS] == list(enumerate(words, 1))
    assert told(asked(led(), FULL).legend) == "1<sun> 4<moon> 7<globe>"
    book = AnswerCodes(asked(led(), FULL))
    assert book.press("", "5") == picks("moon2")[0]
    assert made(led(), FULL, *picks("moon2")) == play(0, "moon2")


def test_a_lead_can_be_anything_and_nobody_is_stuck() -> None:
    prompt = asked(led(1), FULL)
    assert (prompt.seat, told(prompt.text), offered(prompt), prompt.alternative) == (1, "Bea:", EVERY, None)
    assert TakeAlternative() not in prompt.answers


@pytest.mark.parametrize("tracking", [FULL, QUICK])
def test_a_reply_can_be_anything_but_the_same_again_or_none(tracking: DetailLevel) -> None:
    at = led(1).lays("moon2")
    prompt = asked(at, tracking)
    assert (prompt.seat, told(prompt.text), offered(prompt)) == (0, "Aki:", "12346789")
    assert prompt.answers[-1] == TakeAlternative()
    assert told(prompt.alternative) == "stuck"
    assert made(at, tracking, TakeAlternative()) == CannotPlay(0)
    assert made(at, tracking, *picks("sun2")) == play(0, "sun2")


def test_no_more_is_offered_than_the_hand_and_the_suits_have() -> None:
    at = led().lays("sun3 sun2 moon3 moon2 earth3 earth2 sun3 sun1")
    assert offered(asked(at, FULL)) == "14578"  # one more sun, and two cards in the hand
    assert offered(asked(at.lays("sun1"), FULL)) == "456789"


def test_what_cannot_be_may_be_typed_to_hear_why() -> None:
    at = led().lays("moon2")
    book = AnswerCodes(asked(at, FULL))
    assert book.press("", "5") == picks("moon2")[0]
    assert at.refuses(made(at, FULL, *picks("moon2"))) == "same"
    assert book.press("", "0") is None
    assert AnswerCodes(asked(led(), FULL)).press("", "D") is None


# Trick by trick


def test_the_lead_is_asked_then_the_reply() -> None:
    at = led(1)
    prompt = asked(at, QUICK)
    assert (told(prompt.text), offered(prompt), told(prompt.alternative)) == ("Bea leads:", EVERY, "lead only")
    reply = asked(at, QUICK, *picks("moon2"))
    assert (told(reply.text), offered(reply), reply.alternative) == ("Aki replies:", "12346789", None)


@pytest.mark.parametrize(
    ("at", "laid", "event"),
    [
        (led(0), "moon2 moon3", trick(1, "moon5")),
        (led(1), "moon2 moon3", trick(0, "moon5")),
        (led(0), "moon3 moon1", trick(0, "moon4")),
        (led(0), "moon2 sun3", trick(1, "sun3 moon2")),  # nobody has captured any: the second player wins
        (led(0).trick(1, "sun5").trick(0, "moon3"), "earth1 sun3", trick(0, "sun3 earth1")),  # fewer earths than suns
        (led(0).trick(1, "sun5"), "sun1 moon1", trick(0, "sun1 moon1")),
    ],
)
def test_who_has_won_follows_from_lead_and_reply(at: Table, laid: str, event: Event) -> None:
    assert made(at, QUICK, *picks(laid)) == event


def test_a_trick_takes_two_keys() -> None:
    given = answers(led().state, trick(1, "moon4"))
    keys = [AnswerCodes(asked(led(), QUICK, *given[:count])).spell(answer) for count, answer in enumerate(given)]
    assert keys == ["4", "6"]


def test_another_winner_can_be_said_and_then_both_plays_in_any_order() -> None:
    fresh, later = led(), led().trick(1, "moon3")
    first = asked(fresh, QUICK, TakeAlternative())
    assert (told(first.text), offered(first), told(first.alternative)) == ("Aki:", EVERY, "winner")
    assert question(fresh, QUICK, TakeAlternative(), TakeAlternative()) == "Who won?"
    assert asked(fresh, QUICK, TakeAlternative(), TakeAlternative()).answers == (ChooseSeat(0), ChooseSeat(1))
    asks = asked(later, QUICK, TakeAlternative())
    assert (told(asks.text), asks.answers[:2]) == ("Winner or:", (ChooseSeat(0), ChooseSeat(1)))
    for at, before in ((fresh, (TakeAlternative(), TakeAlternative())), (later, (TakeAlternative(),))):
        second = 1 - (at.state.leader or 0)
        given = (*before, ChooseSeat(second))
        assert question(at, QUICK, *given) == "One play:"
        assert offered(asked(at, QUICK, *given)) == EVERY
        assert question(at, QUICK, *given, *picks("sun1")) == "The other:"
        for laid in ("sun1 earth2", "earth2 sun1"):
            assert made(at, QUICK, *given, *picks(laid)) == trick(second, "sun1 earth2")


def test_plays_that_would_have_had_another_winner_are_not_offered_but_may_be_typed_to_hear_why() -> None:
    at = led()
    given: tuple[Answer, ...] = (TakeAlternative(), TakeAlternative(), ChooseSeat(0), *picks("sun1"))
    prompt = asked(at, QUICK, *given)
    assert offered(prompt) == "23"  # of two suits the second would have won
    assert offered(asked(at, QUICK, TakeAlternative(), TakeAlternative(), ChooseSeat(1), *picks("sun1"))) == "23456789"
    assert AnswerCodes(prompt).press("", "4") == picks("moon1")[0]
    assert at.refuses(made(at, QUICK, *given, *picks("moon1"))) == "winner"


def test_a_play_that_no_other_makes_a_trick_of_for_its_winner_is_refused_at_once() -> None:
    at = led().trick(0, "sun5").trick(0, "sun3")
    assert offered(asked(at, QUICK, TakeAlternative(), ChooseSeat(0))) == "456789"
    with pytest.raises(IllegalEventError) as caught:
        ask(at.state, QUICK, (TakeAlternative(), ChooseSeat(0), *picks("sun1")))
    assert caught.value.reason == "winner"


@pytest.mark.parametrize(
    ("tracking", "given"),
    [
        (FULL, ()),
        (QUICK, ()),
        (QUICK, picks("sun1")),
        (QUICK, (TakeAlternative(), TakeAlternative(), ChooseSeat(0))),
        (QUICK, (TakeAlternative(), TakeAlternative(), ChooseSeat(0), *picks("sun1"))),
    ],
)
def test_wherever_a_play_is_asked_for_one_that_cannot_be_is_known_by_its_number(
    tracking: DetailLevel, given: tuple[Answer, ...]
) -> None:
    assert asked(led(), tracking, *given).picks == PICKS


def test_what_cannot_be_laid_in_a_trick_is_refused_at_once() -> None:
    at = led().trick(0, "sun5").trick(0, "sun3")
    assert offered(asked(at, QUICK)) == "12456789"
    assert offered(asked(at, QUICK, *picks("sun2"))) == "456789"
    assert offered(asked(at, QUICK, TakeAlternative(), ChooseSeat(1))) == "12456789"
    for before in ((), (TakeAlternative(), ChooseSeat(0)), (TakeAlternative(), ChooseSeat(1))):
        for given, reason in (("sun3", "suit"), ("moon2 moon2", "same")):
            with pytest.raises(IllegalEventError) as caught:
                ask(at.state, QUICK, (*before, *picks(given)))
            assert caught.value.reason == reason
            if reason == "same":
                assert told(caught.value.text) == "not 2 moons twice in a trick"
    assert at.refuses(made(at, QUICK, TakeAlternative(), ChooseSeat(0), *picks("sun2 sun1"))) == "suit"


def test_nobody_can_have_won_where_no_trick_is_left() -> None:
    at = led()
    for winner, words in NEARLY:
        at = at.trick(winner, words)
    at = at.lays("earth2")
    assert offered(asked(at, FULL)) == ""
    assert asked(at, FULL).answers == (TakeAlternative(),)
    full = led().trick(0, "sun5").trick(0, "sun5").trick(0, "moon5").trick(0, "moon5").trick(0, "earth5")
    assert asked(full, QUICK, TakeAlternative()).answers == (ChooseSeat(0), ChooseSeat(1), Skip(), TakeAlternative())
    over = full.trick(0, "earth3")
    assert asked(over, QUICK).answers == (TakeAlternative(),)
    assert asked(over, QUICK, TakeAlternative()).answers == (Skip(), TakeAlternative())


def test_a_lead_that_nobody_can_follow_is_entered_by_itself() -> None:
    assert told(asked(led(), QUICK).alternative) == "lead only"
    assert made(led(), QUICK, TakeAlternative(), *picks("moon3")) == play(0, "moon3")
    assert made(led().lays("moon3"), QUICK, TakeAlternative()) == CannotPlay(1)


@pytest.mark.parametrize("tracking", [FULL, QUICK])
@pytest.mark.parametrize("words", ["", "moon3"], ids=["before the lead", "after the lead"])
def test_after_whole_tricks_it_is_asked_how_the_round_ended(tracking: DetailLevel, words: str) -> None:
    at = led().trick(1, "sun3 earth1").lays(words)
    assert told(asked(at, tracking).alternative) == "round over"
    prompt = asked(at, tracking, TakeAlternative())
    if tracking is FULL or words:
        assert told(prompt.text) == "It ended:"
    assert prompt.answers[-2:] == (Skip(), TakeAlternative())
    assert (told(prompt.skip), told(prompt.alternative)) == ("hand empty", "stuck")
    assert made(at, tracking, TakeAlternative(), Skip()) == EndRound()
    assert made(at, tracking, TakeAlternative(), TakeAlternative()) == CannotPlay(0)
    assert at.stuck() == at.ends()


# Whole rounds


@pytest.mark.parametrize(
    "at", [table(), led(), led().lays("moon3"), led().trick(0, "moon3")], ids=["start", "lead", "reply", "coarse"]
)
def test_a_round_is_asked_for_wherever_it_stands(at: Table) -> None:
    prompt = asked(at, ROUND)
    assert (told(prompt.text), prompt.seat, prompt.alternative) == ("Sun: Aki", 0, None)
    assert prompt.sheet is not None
    assert told(prompt.sheet.title) == "Round 1"
    assert heads(prompt.sheet) == ["<sun>", "<moon>", "<globe>"]


def test_the_piles_are_asked_for_suit_by_suit_one_player_after_the_other() -> None:
    said = "2 1 6 7 5 4"
    asks = ["Sun: Aki", "Moon: Aki", "Earth: Aki", "Sun: Bea", "Moon: Bea", "Earth: Bea"]
    for count, text in enumerate(asks):
        prompt = asked(table(), ROUND, *numbers(" ".join(said.split()[:count])))
        assert told(prompt.text) == text
        assert prompt.sheet is not None
        assert prompt.sheet.cell == divmod(count, 3)
    assert question(table(), ROUND, *numbers(said)) == "Same on the table?"
    assert made(table(), ROUND, *numbers(said), Skip()) == whole("2 1 6", "7 5 4")


@pytest.mark.parametrize(
    ("said", "most"),
    [("", 10), ("4", 10), ("10 10", 8), ("2 1 6", 8), ("2 1 6 8", 9), ("2 1 6 8 9", 2), ("10 7 6 3", 2)],
)
def test_no_more_is_offered_than_a_suit_and_the_hands_have(said: str, most: int) -> None:
    assert figures(asked(table(), ROUND, *numbers(said))) == list(range(most + 1))


def test_where_nothing_is_left_nothing_is_asked() -> None:
    assert question(table(), ROUND, *numbers("10 2 3")) == "Moon: Bea"
    assert made(table(), ROUND, *numbers("10 2 10 3"), Skip()) == whole("10 2 10", "0 3 0")
    assert made(table(), ROUND, *numbers("10 9 3 1 5"), Skip()) == whole("10 9 3", "0 1 5")
    assert made(table(), ROUND, *numbers("10 10 3 5"), Skip()) == whole("10 10 3", "0 0 5")
    assert made(table(), ROUND, *numbers("10 9 9"), ChooseSeat(0)) == whole("10 9 9", "0 0 0", 0)
    prompt = asked(table(), ROUND, *numbers("10 2 3"))
    assert prompt.sheet is not None
    assert prompt.sheet.rows == ((10, 2, 3), (0, None, None))


def test_who_laid_second_is_asked_where_the_points_tie() -> None:
    tie = numbers("3 0 0 0 3 0")
    prompt = asked(table(), ROUND, *tie)
    assert (told(prompt.text), seats_of(prompt), told(prompt.alternative)) == ("2nd in the last?", [0, 1], "change")
    assert prompt.sheet is not None
    assert (prompt.sheet.cell, prompt.sheet.rows) == (None, ((3, 0, 0), (0, 3, 0)))
    assert made(table(), ROUND, *tie, ChooseSeat(1)) == whole("3 0 0", "0 3 0", 1)


def test_and_can_be_said_where_they_do_not() -> None:
    said = (*numbers("2 1 6 7 5 4"), TakeAlternative())
    assert told(asked(table(), ROUND, *said).alternative) == "laid second"
    assert made(table(), ROUND, *said, TakeAlternative(), ChooseSeat(0), Skip()) == whole("2 1 6", "7 5 4", 0)


def test_a_row_can_be_entered_again_before_it_counts() -> None:
    said = (*numbers("2 1 6 7 5 4"), TakeAlternative(), ChooseSeat(0))
    wrong = asked(table(), ROUND, *said, *numbers("4 1 6"))
    assert (told(wrong.text), told(wrong.note)) == ("Which row is wrong?", "11 Sun in all, but there are 10")
    assert made(table(), ROUND, *said, *numbers("3 1 6"), Skip()) == whole("3 1 6", "7 5 4")


# From an event back to its answers


@pytest.mark.parametrize(
    ("at", "event", "reason"),
    [
        (table(), trick(0, "sun2 earth3"), "phase"),
        (led(), trick(0, "sun9"), "captured"),
        (led(), trick(0, "sun4 earth1"), "captured"),
        (led(), trick(1, "sun2 moon1 earth1"), "captured"),
        (led(), trick(0, ""), "captured"),
        (led(), trick(0, "sun2 earth3"), "winner"),
        (led().lays(LEFT_2_5), trick(0, "sun2 earth3"), "hand"),
    ],
)
def test_a_trick_that_cannot_be_has_no_answers(at: Table, event: Event, reason: str) -> None:
    with pytest.raises(IllegalEventError) as caught:
        answers(at.state, event)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("at", "tracking", "event", "given"),
    [
        (table(), FULL, Start(1), (ChooseSeat(1),)),
        (led(), FULL, play(0, "earth3"), picks("earth3")),
        (led().lays("moon1"), QUICK, play(1, "moon3"), picks("moon3")),
        (led().lays("moon1"), FULL, CannotPlay(1), (TakeAlternative(),)),
        (led().trick(0, "moon3"), QUICK, CannotPlay(1), (TakeAlternative(), TakeAlternative())),
        (led().trick(0, "moon3").lays("sun1"), FULL, CannotPlay(1), (TakeAlternative(), TakeAlternative())),
        (led().trick(0, "moon3"), FULL, EndRound(), (TakeAlternative(), Skip())),
        (led(), QUICK, trick(0, "moon3"), picks("moon2 moon1")),
        (led(), QUICK, trick(1, "earth4"), picks("earth1 earth3")),
        (led(), QUICK, trick(0, "sun5"), picks("sun3 sun2")),
        (led(), QUICK, trick(1, "sun2 earth3"), picks("sun2 earth3")),
        (led().lays(LEFT_2_5), QUICK, trick(0, "sun3 earth2"), picks("earth2 sun3")),
        (led().lays(LEFT_2_5), QUICK, trick(1, "sun2 earth3"), picks("sun2 earth3")),
        (led().trick(1, "sun5").trick(0, "moon3"), QUICK, trick(0, "sun2 earth3"), picks("earth3 sun2")),
        (led(), ROUND, whole("2 1 6", "7 5 4"), (*numbers("2 1 6 7 5 4"), Skip())),
        (
            led(),
            ROUND,
            whole("2 1 6", "7 5 4", 1),
            (*numbers("2 1 6 7 5 4"), TakeAlternative(), TakeAlternative(), ChooseSeat(1), Skip()),
        ),
        (led(), ROUND, whole("3 0 0", "0 3 0", 0), (*numbers("3"), Skip(), *numbers("0 3 0"), ChooseSeat(0))),
        (led(), ROUND, whole("10 0 10", "0 1 0", 0), (*numbers("10 0 10 1"), ChooseSeat(0))),
    ],
)
def test_an_event_is_turned_back_into_its_answers(
    at: Table, tracking: DetailLevel, event: Event, given: tuple[Answer, ...]
) -> None:
    assert answers(at.state, event) == given
    assert ask(at.state, tracking, given) == event
