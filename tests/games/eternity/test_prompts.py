"""Eternity: prompts, the answers they offer, and the events they produce."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game import Event, Start
from companion.core.prompt import Answer, ChooseSeat, DetailLevel, LayCard, Prompt, Skip, TakeAlternative
from companion.core.text import IllegalEventError, tell
from companion.games.eternity.asks import PLEDGE, answers, ask
from companion.games.eternity.rules import DECK, SUITS, Deal, Play, Pledge, Reveal, Round
from companion.ui.keys import AnswerCodes
from tests.example_counts import examples
from tests.games.reports import NAMES
from tests.games.seeds import Dealt, games
from tests.games.table import FULL, QUICK, ROUND, asked, made, numbers, question, seats_of

from .tables import Table, card, cards, dealt, lays, pair, table, trick, unseen, whole

TEN = "earth1 earth2 earth3 earth4 earth5 earth6 earth7 earth8 earth9 earth10"


# Who starts, and the deal


@pytest.mark.parametrize("tracking", [FULL, QUICK])
def test_who_starts_is_asked_among_those_who_may(tracking: DetailLevel) -> None:
    at = table().round("5 0 5 0", "0 0 0 0")
    assert question(at, tracking) == "Who starts?"
    assert asked(at, tracking).answers == (ChooseSeat(0), ChooseSeat(2))
    assert made(at, tracking, ChooseSeat(2)) == Start(2)


def test_two_cards_begin_the_columns() -> None:
    at = table().starts(0)
    assert question(at, FULL) == "Column card 1:"
    assert len(asked(at, FULL).answers) == 42
    assert question(at, FULL, *lays("sea1")) == "Column card 2:"
    assert "sea-1" not in unseen(asked(at, FULL, *lays("sea1")))
    assert len(asked(at, FULL, *lays("sea1")).answers) == 41
    assert made(at, FULL, *lays("sea1 sky1")) == Deal(pair("sea1 sky1"))


def test_three_players_are_asked_for_the_open_cards_and_need_not_say() -> None:
    at = table(3).starts(0)
    first = asked(at, FULL, *lays("sea1 sky1"))
    assert tell(first.text) == "Open 1/10:"
    assert first.answers[-1] == Skip()
    assert str(first.skip) == "none"
    assert made(at, FULL, *lays("sea1 sky1"), Skip()) == Deal(pair("sea1 sky1"))
    words = TEN.split()
    for count in range(1, 10):
        prompt = asked(at, FULL, *lays("sea1 sky1"), *lays(" ".join(words[:count])))
        assert tell(prompt.text) == f"Open {count + 1}/10:"
        assert len(prompt.answers) == 40 - count
        assert (prompt.skip, Skip() in prompt.answers) == (None, False)
    assert made(at, FULL, *lays("sea1 sky1"), *lays(TEN)) == Deal(pair("sea1 sky1"), cards(TEN))


@pytest.mark.parametrize("tracking", [FULL, QUICK])
@pytest.mark.parametrize("at", [table().starts(0), table(2).starts(0), dealt(), dealt().lays("sky4")])
def test_the_highest_card_of_a_suit_can_always_be_meant_without_its_rank(at: Table, tracking: DetailLevel) -> None:
    assert asked(at, tracking).highest


def test_the_refusal_of_a_card_that_was_seen_names_it() -> None:
    with pytest.raises(IllegalEventError) as caught:
        ask(dealt().state, FULL, lays("sea1"))
    assert (caught.value.reason, tell(caught.value.text)) == ("seen", "Sea 1 was already seen in this round")


def test_the_neutral_pair_is_asked_for_where_it_must_come() -> None:
    at = table(2).starts(0)
    assert question(at, QUICK) == "Neutral 1:"
    assert question(at, QUICK, *lays("sea1")) == "Neutral 2:"
    assert made(at, QUICK, *lays("sea1 sky1")) == Reveal(pair("sea1 sky1"))


@pytest.mark.parametrize("tracking", [FULL, QUICK])
def test_and_offered_where_it_may_come(tracking: DetailLevel) -> None:
    at = dealt(2).trick(0)
    assert asked(at, tracking).answers[-1] == TakeAlternative()
    assert tell(asked(at, tracking).alternative) == "neutral"
    assert question(at, tracking, TakeAlternative()) == "Neutral 1:"
    assert unseen(asked(at, tracking, TakeAlternative(), *lays("sea5"))) == {seen.name for seen in DECK} - {
        "sea-1",
        "sea-2",
        "sea-5",
    }
    assert made(at, tracking, TakeAlternative(), *lays("sea5 sky5")) == Reveal(pair("sea5 sky5"))


@pytest.mark.parametrize("tracking", [FULL, QUICK])
@pytest.mark.parametrize(
    "at",
    [dealt(2), dealt(2).trick(0).turns_up("sky1 sky2"), dealt(2).trick(0).lays("sky4"), dealt(3).trick(0)],
    ids=["turned in the first trick", "turned before", "trick begun", "three players"],
)
def test_but_nowhere_else(at: Table, tracking: DetailLevel) -> None:
    prompt = asked(at, tracking)
    assert TakeAlternative() not in prompt.answers
    assert prompt.alternative is None


# A card


def test_every_unseen_card_can_be_answered_those_of_the_led_suit_first() -> None:
    at = dealt().lays("sky4")
    prompt = asked(at, FULL)
    assert tell(prompt.text, NAMES) == "Bea:"
    assert (prompt.seat, prompt.bare[0], prompt.deck, prompt.suits) == (1, SUITS[1], DECK.cards, SUITS)
    assert unseen(prompt) == unseen(prompt, aside=True) == {each.name for each in DECK} - {"sea-1", "sea-2", "sky-4"}
    first = [answer.card.suit.name for answer in prompt.answers[:13] if isinstance(answer, LayCard)]
    assert first == ["sky"] * 13
    assert prompt.alternate == PLEDGE


def test_a_leader_is_offered_no_pledge() -> None:
    prompt = asked(dealt(), FULL)
    assert unseen(prompt, aside=True) == set()
    assert prompt.answers[:2] == lays("sea3 sea4")


SEA_TRUMP, EARTH_TRUMP = dealt(), dealt(board="earth1 earth2")


@pytest.mark.parametrize(
    ("at", "suits"),
    [
        pytest.param(SEA_TRUMP, "sea sky earth", id="a leader's is the trump's"),
        pytest.param(EARTH_TRUMP, "earth sea sky", id="whichever that is"),
        pytest.param(EARTH_TRUMP.lays("sky4"), "sky earth sea", id="then the led suit's, the trump's, the third"),
        pytest.param(SEA_TRUMP.lays("sea4"), "sea sky earth", id="trump led"),
        pytest.param(
            EARTH_TRUMP.lays("sky4 sea3 sky5 sky6 sky7"), "sky earth sea", id="who holds the led suit for all we know"
        ),
        pytest.param(
            EARTH_TRUMP.lays("sky4 earth3 sky5 sky6"), "earth sea sky", id="who ruffed lacks only the led suit"
        ),
        pytest.param(
            EARTH_TRUMP.lays("sky4 sea3 sky5 sky6 sky7 sky8"),
            "sea sky earth",
            id="who neither followed nor ruffed lacks both",
        ),
    ],
)
def test_a_rank_means_led_suit_trump_third_and_last_what_the_hand_is_known_to_lack(at: Table, suits: str) -> None:
    assert [suit.name for suit in asked(at, FULL).bare] == suits.split()


def test_a_hand_that_was_wrongly_thought_to_lack_a_suit_is_asked_for_it_as_before() -> None:
    at = EARTH_TRUMP.lays("sky4 sea3 sky5 sky6 sky7 sky8 sky9 sky10")  # the revoke is proved
    assert [suit.name for suit in asked(at.lays("sky11 sky12 sky13"), FULL).bare] == ["sky", "earth", "sea"]


@settings(max_examples=examples(40))
@given(games("eternity", coarse=0.0), st.integers(0, 10**6))
def test_a_rank_is_the_led_suits_as_long_as_the_hand_may_follow_and_that_card_was_not_seen(
    dealt: Dealt, place: int
) -> None:
    state = dealt.session(place % (len(dealt.lines) + 1)).state
    prompt = ask(state, FULL, ())
    if not isinstance(prompt, Prompt) or not prompt.bare or not state.table:
        return
    led = state.table[0].card.suit
    lacking = {suit for doubt in state.doubts[state.turn] for suit in doubt.suits}
    assert (prompt.bare[0] is led) == (led not in lacking or lacking == set(SUITS))
    book = AnswerCodes(prompt)
    for answer in prompt.answers:
        if isinstance(answer, LayCard) and answer.card.suit is led and led not in lacking:
            code = f"{'D' * answer.alternate}{answer.card.rank}"
            assert book.press(code, "#") == answer


@pytest.mark.parametrize("seats", range(2, 6))
def test_every_card_that_was_not_seen_can_be_typed_by_its_suit_and_rank(seats: int) -> None:
    at = dealt(seats, board="earth1 earth2").lays("sky4 sea3")
    prompt = asked(at, FULL)
    book = AnswerCodes(prompt)
    for answer in prompt.answers:
        assert isinstance(answer, LayCard)
        letter = "ABC"[SUITS.index(answer.card.suit)]
        code = f"{'D' * answer.alternate}{letter}{answer.card.rank}"
        assert book.codes[code] == answer


def test_a_pledge_is_offered_until_there_were_enough() -> None:
    assert unseen(asked(dealt(5).lays("sky4 +sky5"), FULL), aside=True)
    prompt = asked(dealt(5).lays("sky4 +sky5 +sky6"), FULL)
    assert unseen(prompt, aside=True) == set()


def test_a_card_is_an_event_at_once() -> None:
    at = dealt().lays("sky4")
    assert made(at, FULL, *lays("sky5")) == Play(1, card("sky5"))
    assert made(at, FULL, *lays("sky5", aside=True)) == Pledge(1, card("sky5"))


# Whole tricks


def test_quick_tracking_asks_for_the_winner_and_takes_pledges_before() -> None:
    at = dealt(5)
    prompt = asked(at, QUICK)
    assert tell(prompt.text) == "Trick 1: who?"
    assert seats_of(prompt) == [0, 1, 2, 3, 4]
    assert unseen(prompt) == set()
    assert len(unseen(prompt, aside=True)) == 40
    assert (prompt.deck, prompt.suits, prompt.alternate) == (DECK.cards, SUITS, PLEDGE)
    assert made(at, QUICK, ChooseSeat(3)) == trick(3)


def test_who_pledged_is_asked_among_those_who_can_have() -> None:
    at = dealt(5, leader=1)
    first = lays("sky4", aside=True)
    assert question(at, QUICK, *first) == "<pledge><sky>4: who?"
    assert seats_of(asked(at, QUICK, *first)) == [0, 2, 3, 4]
    again = asked(at, QUICK, *first, ChooseSeat(2))
    assert tell(again.text) == "Trick 1: who?"
    assert seats_of(again) == [0, 1, 3, 4]
    assert len(unseen(again, aside=True)) == 39
    second = (*first, ChooseSeat(2), *lays("sky5", aside=True))
    assert seats_of(asked(at, QUICK, *second)) == [0, 3, 4]
    last = asked(at, QUICK, *second, ChooseSeat(0))
    assert (seats_of(last), unseen(last, aside=True)) == ([1, 3, 4], set())
    with pytest.raises(IllegalEventError, match="no more pledges") as caught:
        asked(at, QUICK, *second, ChooseSeat(0), *lays("sky6", aside=True))
    assert caught.value.reason == "no-pledge-left"


def test_a_card_that_was_seen_is_refused_before_more_is_asked_about_it() -> None:
    at = dealt(5, leader=1)
    with pytest.raises(IllegalEventError, match="seen"):
        asked(at, QUICK, *lays("sea1", aside=True))
    with pytest.raises(IllegalEventError, match="seen"):
        asked(table(3).starts(0), FULL, *lays("sea3 sky9 sky9"))
    with pytest.raises(IllegalEventError, match="seen"):
        asked(table(3).starts(0), FULL, *lays("sea3 sky9 sea3"))


def test_pledges_of_a_whole_trick_come_before_its_winner() -> None:
    at = dealt(5, leader=1)
    second = (*lays("sky4", aside=True), ChooseSeat(2), *lays("sky5", aside=True))
    assert made(at, QUICK, *second, ChooseSeat(0), ChooseSeat(4)) == trick(4, "2 sky4", "0 sky5")


def test_with_two_players_both_can_have_pledged_and_won() -> None:
    at = dealt(2)
    pledge = lays("sky4", aside=True)
    assert seats_of(asked(at, QUICK, *pledge)) == [0, 1]
    assert seats_of(asked(at, QUICK, *pledge, ChooseSeat(0))) == [0, 1]
    assert made(at, QUICK, *pledge, ChooseSeat(0), ChooseSeat(0)) == trick(0, "0 sky4")


def test_the_neutral_pair_comes_before_the_pledges() -> None:
    at = dealt(2).trick(0)
    assert TakeAlternative() in asked(at, QUICK).answers
    after = asked(at, QUICK, *lays("sky4", aside=True), ChooseSeat(0))
    assert (TakeAlternative() in after.answers, after.alternative) == (False, None)


def test_a_trick_begun_by_cards_goes_on_by_cards() -> None:
    assert asked(dealt().lays("sky4"), QUICK) == asked(dealt().lays("sky4"), FULL)


@pytest.mark.parametrize("tracking", DetailLevel)
def test_nothing_is_asked_after_the_end(tracking: DetailLevel) -> None:
    over = table().round("10 0 0 0", "0 0 0 0").round("10 0 0 0", "0 0 0 0").round("10 0 0 0", "0 0 0 0")
    assert ask(over.state, tracking, ()) is None


# Answers for events

LAST = (TakeAlternative(), TakeAlternative())
"""What leads from a whole sheet to the question who won last: D to change, D again for the last trick."""


@pytest.mark.parametrize(
    ("at", "event", "given"),
    [
        (table(), Start(3), (ChooseSeat(3),)),
        (table().starts(0), Deal(pair("sea1 sky1")), lays("sea1 sky1")),
        (table(3).starts(0), Deal(pair("sea1 sky1")), (*lays("sea1 sky1"), Skip())),
        (table(3).starts(0), Deal(pair("sea1 sky1"), cards(TEN)), lays(f"sea1 sky1 {TEN}")),
        (table(2).starts(0), Reveal(pair("sea1 sky1")), lays("sea1 sky1")),
        (dealt(2).trick(0), Reveal(pair("sea3 sky1")), (TakeAlternative(), *lays("sea3 sky1"))),
        (dealt().lays("sky4"), Pledge(1, card("sky5")), lays("sky5", aside=True)),
        (dealt(), trick(2, "1 sky5"), (*lays("sky5", aside=True), ChooseSeat(1), ChooseSeat(2))),
        (table(), whole("5 5 0 0", "1 0 0 2"), (*numbers("5 1 5 0 0 2"), Skip())),
        (table(), whole("5 5 0 0", "1 0 0 2", last=1), (*numbers("5 1 5 0 0 2"), ChooseSeat(1))),
        (table(), whole("0 0 0 10", "1 0 2 0"), (*numbers("0 1"), Skip(), *numbers("0 2"), Skip())),
        (table(), whole("10 0 0 0", "0 1 0 2", last=0), (*numbers("10 1 0 2"), *LAST, ChooseSeat(0), Skip())),
        (table(), whole("5 4 1 0", "0 0 1 2", last=2), (*numbers("5 0 4 0 1 1 2"), ChooseSeat(2))),
        (table(), whole("10 0 0 0", "0 20 0 0"), (*numbers("10 20"), Skip())),
        (
            table(5, edition="fr"),
            whole("0 7 1 0 0", "1 2 3 4 5", last=2),
            (*numbers("0 1 7 2 1 3 4 5"), *LAST, ChooseSeat(2), Skip()),
        ),
        (table(edition="fr"), whole("5 5 0 0", "1 0 0 2"), (*numbers("5 1 5 0 0 2"), Skip())),
        (
            table(edition="fr"),
            whole("5 5 0 0", "1 0 0 2", last=1),
            (*numbers("5 1 5 0 0 2"), *LAST, ChooseSeat(1), Skip()),
        ),
    ],
)
def test_an_event_is_turned_back_into_its_answers(at: Table, event: Event, given: tuple[Answer, ...]) -> None:
    assert answers(at.state, event) == given
    tracking = QUICK if event == trick(2, "1 sky5") else ROUND if isinstance(event, Round) else FULL
    assert ask(at.state, tracking, given) == event
