"""Gear: prompts, the answers they offer, and the events they produce."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.game import Event, Start
from companion.core.prompt import Answer, ChooseItem, ChooseSeat, DetailLevel, TakeAlternative
from companion.core.text import IllegalEventError, tell
from companion.games.gear.asks import ACE, answers, ask
from companion.games.gear.rules import BLACK, DECK, RED, SUITS, Bid, Play, Trick
from companion.ui.keys import AnswerCodes
from tests.games.reports import NAMES
from tests.games.table import FULL, QUICK, ROUND, asked, figures, made, numbers, question

from .tables import THREE_LOTS, Table, cards, easy, laid, lots, offered, open_hands, pairs, sold, table


def lot(at: Table, number: int) -> Answer:
    """Return the answer that chooses a lot, numbered from 1."""
    return next(
        answer for answer in asked(at, FULL).answers if isinstance(answer, ChooseItem) and answer.value == number
    )


@pytest.mark.parametrize("tracking", [FULL, QUICK])
def test_who_starts_is_asked_first(tracking: DetailLevel) -> None:
    at = table(3)
    assert question(at, tracking) == "Who starts?"
    assert asked(at, tracking).answers == (ChooseSeat(0), ChooseSeat(1), ChooseSeat(2))
    assert made(at, tracking, ChooseSeat(2)) == Start(2)


@pytest.mark.parametrize("tracking", [FULL, QUICK, ROUND])
def test_when_the_game_is_over_nothing_is_asked(tracking: DetailLevel) -> None:
    at = table(2, rounds=1).round("8 0", "0 0", 0, "0 0")
    assert ask(at.state, tracking, ()) is None


# Bids


def test_a_bid_is_a_lot_and_a_price() -> None:
    at = table(3).starts(0).bids("1=2")
    assert question(at, FULL) == "Lot: Cyr"
    prompt = asked(at, FULL)
    assert prompt.seat == 2
    assert [tell(answer.label, NAMES) for answer in prompt.answers if isinstance(answer, ChooseItem)] == [
        "lot 1",
        "lot 2: 2<coin>",
        "lot 3",
    ]
    assert question(at, FULL, lot(at, 1)) == "Price: Cyr"
    assert figures(asked(at, FULL, lot(at, 1))) == list(range(10))
    assert asked(at, FULL, lot(at, 1)).seat == 2
    assert made(at, FULL, lot(at, 1), *numbers("3")) == Bid(2, 0, 3)


def test_only_higher_prices_are_offered_on_a_lot_that_is_held() -> None:
    at = table(3).starts(0).bids("1=2")
    assert figures(asked(at, FULL, lot(at, 2))) == list(range(3, 20))


@pytest.mark.parametrize(
    ("held", "said", "shown", "digits"),
    [
        (0, "", "Price: Cyr", "1 2 3 4 5 6 7 8 9"),
        (1, "", "Price: Cyr", "2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19"),
        (2, "+", "Price __: Cyr", "1 2 3 4 5 6 7 8 9"),
        (2, "+ 1", "Price 1_: Cyr", "0 1 2 3 4 5 6 7 8 9"),
        (2, "+ + 1", "Price 1__: Cyr", "0 1 2 3 4 5 6 7 8 9"),
        (9, "", "Price __: Cyr", "1 2 3 4 5 6 7 8 9"),
        (25, "", "Price __: Cyr", "2 3 4 5 6 7 8 9"),
        (25, "2", "Price 2_: Cyr", "6 7 8 9"),
        (25, "3", "Price 3_: Cyr", "0 1 2 3 4 5 6 7 8 9"),
        (25, "+", "Price ___: Cyr", "1 2 3 4 5 6 7 8 9"),
        (29, "", "Price __: Cyr", "3 4 5 6 7 8 9"),
        (99, "", "Price ___: Cyr", "1 2 3 4 5 6 7 8 9"),
    ],
)
def test_a_price_of_more_digits_is_asked_for_digit_by_digit(held: int, said: str, shown: str, digits: str) -> None:
    at = table(3).starts(0).bids(f"1={held}")
    given = (lot(at, 2), *numbers(said))
    assert question(at, FULL, *given) == shown
    prompt = asked(at, FULL, *given)
    assert figures(prompt) == list(map(int, digits.split()))
    assert (TakeAlternative() in prompt.answers) == (not any(character.isdigit() for character in said))


@pytest.mark.parametrize("price", [3, 9, 10, 12, 99, 100, 12345])
def test_every_price_can_be_said(price: int) -> None:
    at = table(3).starts(0).bids("1=2")
    event = Bid(2, 1, price)
    assert made(at, FULL, *answers(at.state, event)) == event
    assert tell(asked(at, FULL, lot(at, 1)).alternative) == "10+"
    assert tell(asked(at, FULL, lot(at, 2)).alternative) == "20+"


def typed(at: Table, event: Bid) -> str:
    given = answers(at.state, event)
    return "".join(AnswerCodes(asked(at, FULL, *given[:count])).spell(answer) for count, answer in enumerate(given))


@pytest.mark.parametrize(
    ("points", "held", "price", "keys"),
    [
        (5, 2, 12, "212"),  # a 1 would be too low
        (5, None, 1, "21"),
        (5, None, 12, "2D12"),  # more than the bidder's points
        (14, None, 1, "21#"),
        (14, None, 12, "212"),
        (14, None, 15, "2D15"),
        (30, None, 2, "22"),
        (30, None, 19, "219"),
        (30, None, 20, "2D20"),
        (5, 9, 12, "212"),
        (5, 8, 9, "29"),
        (5, 8, 12, "212"),
    ],
)
def test_a_price_of_ten_or_more_is_typed_as_it_is_unless_a_one_would_have_to_wait_for_nothing(
    points: int, held: int | None, price: int, keys: str
) -> None:
    at = table(3).starts(0).bids("0=0" if held is None else f"1={held}")
    at = Table(replace(at.state, totals=(5, 5, points)))
    assert typed(at, Bid(2, 1, price)) == keys


# The lots


def test_the_lots_are_the_other_thing_that_can_be_said_before_the_first_bid() -> None:
    at = table(3).starts(0)
    assert asked(at, FULL).answers[-1] == TakeAlternative()
    assert tell(asked(at, FULL).alternative) == "lots"
    assert question(at, FULL, TakeAlternative()) == "Lot 1, card 1:"
    assert asked(at, FULL, TakeAlternative()).deck == DECK.cards
    given = (TakeAlternative(), *laid("r2 r3 r4 b5 b5 rA r2"))
    assert question(at, FULL, *given) == "Lot 2, card 2:"
    assert {"red-2", "black-5"} & offered(asked(at, FULL, *given)) == set()
    assert len(offered(asked(at, FULL, *given))) == 18
    assert asked(at, FULL, *given).bare == (RED,)  # like the card before
    assert asked(at, FULL, TakeAlternative()).bare == ()
    assert made(at, FULL, TakeAlternative(), *laid(" ".join(THREE_LOTS))) == lots(*THREE_LOTS)
    assert TakeAlternative() not in asked(at.bids("0=0"), FULL).answers
    assert TakeAlternative() not in asked(at.enters(lots(*THREE_LOTS)), FULL).answers


def test_in_the_easy_game_they_are_the_open_hands_before_the_first_card() -> None:
    at = easy(3)
    assert asked(at, FULL).answers[-1] == TakeAlternative()
    assert tell(asked(at, FULL).alternative) == "open hands"
    assert question(at, FULL, TakeAlternative(), *laid("r2 r3 r4 b5 b5 rA r2")) == "Card 2: Bea"
    assert made(at, FULL, TakeAlternative(), *laid(" ".join(THREE_LOTS))) == lots(*THREE_LOTS)
    assert TakeAlternative() not in asked(at.lays("r2"), FULL).answers


def test_a_third_copy_is_refused_as_soon_as_it_is_named() -> None:
    with pytest.raises(IllegalEventError) as caught:
        ask(table(3).starts(0).state, FULL, (TakeAlternative(), *laid("r2 r2 r2")))
    assert (caught.value.reason, str(caught.value)) == ("seen", "Red 2 is there twice, not more often")


# Cards


def test_a_lead_is_any_card_or_any_two_of_a_number_that_can_be() -> None:
    at = sold(4)
    prompt = asked(at, FULL)
    assert question(at, FULL) == "Leads: Aki"
    assert (prompt.seat, prompt.bare, prompt.combination, prompt.deck, prompt.suits) == (0, (), None, DECK.cards, SUITS)
    assert len(offered(prompt)) == 20
    assert len(pairs(prompt)) == 40
    assert made(at, FULL, *laid("r7")) == Play(0, cards("r7"))
    assert made(at, FULL, *laid("b7+r7")) == Play(0, cards("b7 r7"))


def test_a_card_seen_twice_is_not_offered_nor_two_of_one_seen_once() -> None:
    prompt = asked(sold(3).lays("r7 r8 r7").lays("r9 r9 b2"), FULL)
    assert {"red-7", "red-9"} & offered(prompt) == set()
    assert not any({"red-7", "red-9"} & set(pair) for pair in pairs(prompt))
    assert ("red-8", "red-8") not in pairs(prompt)
    assert ("red-8", "black-8") in pairs(prompt)


def test_who_has_one_card_left_is_not_asked_for_two() -> None:
    assert pairs(asked(sold(3).tricks(0, 0, 0, 0, 0, 0, 0), FULL)) == set()


def test_who_follows_one_card_is_asked_for_one_and_a_bare_rank_means_the_led_colour() -> None:
    at = sold().lays("b7")
    prompt = asked(at, FULL)
    assert question(at, FULL) == "Card: Bea"
    assert prompt.bare == (BLACK,)
    assert len(prompt.answers) == 20
    assert made(at, FULL, *laid("r7")) == Play(1, cards("r7"))


def test_who_follows_two_is_asked_for_a_pair_or_for_one_card_after_the_other() -> None:
    at = sold().lays("b7+r7")
    prompt = asked(at, FULL)
    assert question(at, FULL) == "2 cards: Bea"
    assert (prompt.bare, prompt.combination) == ((), (BLACK, RED))
    assert made(at, FULL, *laid("r8+b8")) == Play(1, cards("r8 b8"))
    assert question(at, FULL, *laid("r8")) == "2nd card: Bea"
    second = asked(at, FULL, *laid("r8"))
    assert (second.seat, second.deck, second.suits) == (1, DECK.cards, (RED, BLACK))
    assert len(offered(asked(at, FULL, *laid("r8")))) == 20
    assert made(at, FULL, *laid("r8 b2")) == Play(1, cards("r8 b2"))
    assert made(at, FULL, *laid("r8 b8")) == Play(1, cards("r8 b8"))  # entered card by card, also gives a pair


def test_of_two_cards_the_second_may_be_named_by_its_rank_where_one_colour_was_led() -> None:
    assert asked(sold().lays("b7+b7"), FULL, *laid("r8")).bare == (BLACK,)
    assert asked(sold().lays("b7+r7"), FULL, *laid("r8")).bare == ()


def test_the_first_of_two_is_refused_at_once_where_it_cannot_be() -> None:
    at = sold().lays("b7+b7")
    with pytest.raises(IllegalEventError) as caught:
        ask(at.state, FULL, laid("b7"))
    assert caught.value.reason == "seen"
    assert "black-7" not in offered(asked(at, FULL, *laid("r8")))
    last = open_hands().lays("r10+r10 r9+b6 b9+r5")
    assert "black-A" not in offered(asked(last, FULL))


def test_with_the_open_hands_known_only_what_can_be_there_is_offered() -> None:
    names = offered(asked(open_hands(1), FULL))
    assert "black-5" not in names  # both lie in another's open hand
    assert "black-10" in names
    spent = open_hands().lays("r10+r10 r9+b6 b9+r5")
    assert offered(asked(spent, FULL)) == {"red-2", "red-3", "red-4", "black-5", "red-A"}
    assert pairs(asked(spent, FULL)) == {("black-5", "black-5")}


def test_five_players_are_asked_for_the_aces_that_must_come() -> None:
    at = easy(5).trick(0, 1, 2).tricks(0, 0, 0, 0, 0, 0).lays("r2 r3 r4")
    assert offered(asked(at, FULL)) == {"red-A", "black-A"}


# Whole tricks


def test_a_trick_of_one_card_without_an_ace_is_its_winner() -> None:
    at = sold(3)
    assert question(at, QUICK) == "Who won?"
    assert asked(at, QUICK).answers == (ChooseSeat(0), ChooseSeat(1), ChooseSeat(2), ACE, TakeAlternative())
    assert asked(at, QUICK).picks == (ACE,)
    assert tell(asked(at, QUICK).alternative) == "two cards"
    assert made(at, QUICK, ChooseSeat(1)) == Trick(1, 1, 0)


@pytest.mark.parametrize(
    ("given", "words", "event"),
    [
        ((ACE,), "Who won 1 A?", Trick(2, 1, 1)),
        ((ACE, ACE, ACE), "Who won 3 A?", Trick(2, 1, 3)),
        ((TakeAlternative(),), "Two each: who?", Trick(2, 2, 0)),
        ((TakeAlternative(), ACE), "Two each, 1 A?", Trick(2, 2, 1)),
    ],
)
def test_aces_and_two_cards_are_said_before_it(given: tuple[Answer, ...], words: str, event: Trick) -> None:
    at = sold(3)
    assert question(at, QUICK, *given) == words
    assert TakeAlternative() not in asked(at, QUICK, *given).answers
    assert made(at, QUICK, *given, ChooseSeat(2)) == event


def test_no_more_aces_are_offered_than_there_can_be() -> None:
    two = sold(2)
    assert ACE not in asked(two, QUICK, ACE, ACE).answers
    assert ACE in asked(two, QUICK, TakeAlternative(), ACE, ACE, ACE).answers
    assert ACE not in asked(two, QUICK, TakeAlternative(), ACE, ACE, ACE, ACE).answers
    assert ACE not in asked(two.trick(0, 2, 4), QUICK).answers
    assert ACE in asked(two.trick(0, 2, 3), QUICK).answers
    with pytest.raises(IllegalEventError) as caught:
        ask(two.state, QUICK, (ACE, ACE, ACE))
    assert (caught.value.reason, str(caught.value)) == ("aces", "there are not so many aces left")


def test_the_last_two_cards_can_be_laid_together() -> None:
    at = sold(3).tricks(0, 0, 0, 0, 0, 0)
    assert TakeAlternative() in asked(at, QUICK).answers
    assert made(at, QUICK, TakeAlternative(), ChooseSeat(1)) == Trick(1, 2, 0)


def test_the_last_trick_is_of_one_card() -> None:
    assert TakeAlternative() not in asked(sold(3).tricks(0, 0, 0, 0, 0, 0, 0), QUICK).answers


def test_with_five_players_the_aces_of_the_last_trick_are_known() -> None:
    at = sold(5).trick(0, 1, 1).tricks(0, 0, 0, 0, 0, 0)
    assert ACE not in asked(at, QUICK).answers
    assert made(at, QUICK, ChooseSeat(2)) == Trick(2, 1, 3)
    earlier = sold(5).trick(0, 1, 1).tricks(0, 0, 0, 0, 0)
    assert ACE in asked(earlier, QUICK).answers
    assert question(earlier, QUICK) == "Who won?"
    assert made(earlier, QUICK, TakeAlternative(), ChooseSeat(2)) == Trick(2, 2, 3)


def test_the_question_says_how_many_aces_the_last_trick_must_have() -> None:
    left = sold(5).trick(0, 1, 1).tricks(0, 0, 0, 0, 0)
    assert question(left.tricks(0), QUICK) == "Last 3 A: who?"
    assert question(left, QUICK, TakeAlternative()) == "Two each, 3 A?"
    assert question(left.trick(0, 1, 3), QUICK) == "Who won?"


def test_a_trick_that_has_begun_is_gone_on_with_card_by_card() -> None:
    assert question(sold(3).lays("r7"), QUICK) == "Card: Bea"


def test_so_is_an_auction() -> None:
    assert question(table(3).starts(0).bids("0=0"), QUICK) == "Lot: Cyr"


# From an event back to its answers


@pytest.mark.parametrize(
    ("at", "event", "given"),
    [
        (table(3), Start(1), (ChooseSeat(1),)),
        (table(3).starts(0), lots(*THREE_LOTS), (TakeAlternative(), *laid(" ".join(THREE_LOTS)))),
        (sold(3), Play(0, cards("r7")), laid("r7")),
        (sold(3), Play(0, cards("b7 r7")), laid("b7+r7")),
        (sold(3).lays("r7+r7"), Play(1, cards("b8 r9")), laid("b8 r9")),
        (sold(3), Trick(1, 1, 0), (ChooseSeat(1),)),
        (sold(3), Trick(1, 2, 2), (TakeAlternative(), ACE, ACE, ChooseSeat(1))),
        (sold(5).tricks(0, 0, 0, 0, 0, 0, 0), Trick(1, 1, 4), (ChooseSeat(1),)),
    ],
)
def test_an_event_is_turned_into_answers(at: Table, event: Event, given: tuple[Answer, ...]) -> None:
    assert answers(at.state, event) == given
