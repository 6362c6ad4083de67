"""Declared games card by card: trump, leaders, winners of tricks, revokes, jokers, points of cards."""

from __future__ import annotations

from math import comb, log
from typing import Any

import pytest

from companion.core.game import CardSound
from companion.core.prompt import ChooseItem, ChooseSeat, EnterNumber, LayCard, Prompt
from companion.games.kit.tricks import IMPOSSIBLE
from companion.games.toml_games.state import Lead, Play, Trick, Trump

from .files import FULL, QUICK, ROUND, entered, game, refusal

PLAIN = """
name = "plain"
title = "Plain"
seats = "3-4"
dealer = true
[[ask]]
name = "tricks"
sum = 2
[tricks]
hand = 2
trump = "TRUMP"
deck.ranks = "9 10 J Q K A"
[score]
points = "tricks"
"""
WORTH = """
name = "worth"
title = "Worth"
seats = "3-4"
dealer = true
[[ask]]
name = "caller"
kind = "seat"
[[ask]]
name = "points"
[[ask]]
name = "last"
kind = "seat"
[[ask]]
name = "bonus"
most = 5
[tricks]
hand = 2
lead = "caller"
trump = "asked"
last = 10
values = { A = 11, 10 = 10, trump-J = 20, fool = -1, spades-Q = 3 }
deck.ranks = "9 10 J Q K A"
deck.trump_ranks = "Q K 10 A 9 J"
deck.without = { 3 = "spades-9" }
deck.jokers.mage = { label = "Mage", number = 2, wins = true }
deck.jokers.fool = { label = "Fool", number = 2, wins = false, key = "16" }
[score]
points = "points + bonus + 100*last"
"""
CARD = PLAIN.replace("TRUMP", "none").replace("[tricks]", '[tricks]\nlead = "clubs-9"')


def begun(trump: str, seats: int = 3, text: str = PLAIN) -> tuple[Any, Any]:
    """Return a game and its state once the last seat deals, so that the first one leads."""
    made = game(text.replace("TRUMP", trump))
    return made, entered(made, made.start(seats, made.rules()), FULL, ChooseSeat(seats - 1))


def laid(of: Any, state: Any, cards: str) -> Any:
    """Return the state after cards are laid in turn."""
    for card in cards.split():
        state = entered(of, state, FULL, LayCard(of.cards[card]))
    return state


@pytest.mark.parametrize(
    ("trump", "cards", "winner"),
    [
        ("none", "clubs-9 clubs-A spades-A", 1),
        ("none", "clubs-9 hearts-A spades-A", 0),
        ("spades", "clubs-9 clubs-A spades-9", 2),
        ("spades", "spades-9 clubs-A hearts-A", 0),
        ("led", "hearts-9 clubs-A hearts-10", 2),
    ],
)
def test_the_highest_trump_or_else_the_highest_card_of_the_led_suit_wins(trump: str, cards: str, winner: int) -> None:
    made, state = begun(trump)
    state = laid(made, state, cards)
    assert state.play.tricks == tuple(int(seat == winner) for seat in range(3))
    assert made.progress(state).turn == winner


def test_the_first_card_led_in_a_round_stays_trump_where_the_lead_makes_it() -> None:
    made, state = begun("led")
    state = laid(made, state, "hearts-9 clubs-9 clubs-10 clubs-K hearts-10 spades-A")
    assert state.rounds == ((1, 1, 0),)


def test_a_card_by_card_round_ends_by_itself_and_tells_each_trick() -> None:
    made, state = begun("spades")
    last = laid(made, state, "clubs-9 clubs-A spades-9 hearts-9 hearts-10")
    assert str(made.view(last).status) == "R1 T2"
    assert str(made.moment(last)) == "trick 2"
    event = made.ask(last, FULL, (LayCard(made.cards["hearts-J"]),))
    over = made.apply(last, event)
    outcome = made.outcome(last, event, over)
    assert outcome.table is not None
    assert str(outcome.table.title) == "R1 over"
    assert outcome.finished is not None
    assert [line.won for line in outcome.finished.seats] == [False, True, False]
    assert over.rounds == ((0, 1, 1),)
    assert over.dealer == 0
    assert str(made.describe(event)) == "Hearts J, seat 2"
    first = made.apply(state, Play(0, made.cards["clubs-9"]))
    assert made.outcome(state, Play(0, made.cards["clubs-9"]), first).laid_as is CardSound.LEAD


def test_a_revoke_is_reported_when_a_later_card_shows_it() -> None:
    made, state = begun("none", text=PLAIN.replace("hand = 2", "hand = 3").replace("sum = 2", "sum = 3"))
    before = laid(made, state, "clubs-9 hearts-9 clubs-10 clubs-J spades-9")
    event = Play(1, made.cards["clubs-A"])
    state = made.apply(before, event)
    assert [str(text) for text in made.optional.alerts(state)] == ["R1 T1: seat 2 may have revoked, then Clubs A"]
    assert made.outcome(before, event, state).alert
    assert made.optional.log_likelihood is not None
    assert made.optional.log_likelihood(before, event) == IMPOSSIBLE
    assert made.optional.counted_actions(before, event, state)[0].what == "revokes"
    free = PLAIN.replace("hand = 2", "hand = 3\nfollow = false").replace("sum = 2", "sum = 3")
    made, state = begun("none", text=free)
    assert laid(made, state, "clubs-9 hearts-9 clubs-10 clubs-J spades-9 clubs-A").alerts == ()


def test_cards_are_likelier_where_they_follow() -> None:
    made, state = begun("none")
    log_likelihood = made.optional.log_likelihood
    first = log_likelihood(state, Play(0, made.cards["clubs-9"]))
    state = laid(made, state, "clubs-9")
    follows, discards = (log_likelihood(state, Play(1, made.cards[card])) for card in ("clubs-10", "spades-9"))
    assert first < 0
    assert follows > discards > IMPOSSIBLE
    assert log_likelihood(state, Trick(1)) == 0


def test_the_odds_of_a_card_are_those_of_hands_dealt_at_random() -> None:
    made, state = begun("none")
    state = laid(made, state, "clubs-9")
    unseen, clubs, hand = 23, 5, 2
    void = comb(unseen - clubs, hand) / comb(unseen, hand)  # that a hand of two has none of the five clubs left
    for card, chance in (("clubs-10", (1 - void) / clubs), ("spades-9", void / (unseen - clubs))):
        assert made.optional.log_likelihood(state, Play(1, made.cards[card])) == pytest.approx(log(chance))
    assert made.optional.log_likelihood(begun("none")[1], Play(0, made.cards["clubs-9"])) == pytest.approx(-log(24))
    shown = laid(made, state, "hearts-9 clubs-K")  # the second hand has no clubs
    assert made.optional.log_likelihood(shown, Play(2, made.cards["clubs-A"])) == pytest.approx(-log(21))
    free, begun_free = begun("none", text=PLAIN.replace("[tricks]", "[tricks]\nfollow = false"))
    assert free.optional.log_likelihood(
        laid(free, begun_free, "clubs-9"), Play(1, free.cards["spades-9"])
    ) == pytest.approx(-log(23))


def test_impossible_cards_are_refused_in_a_sentence() -> None:
    made, state = begun("none")
    state = laid(made, state, "clubs-9")
    for event, reason, said in (
        (Play(1, made.cards["clubs-9"]), "seen", "Clubs 9 was already seen in this round"),
        (Play(0, made.cards["clubs-A"]), "turn", "it is seat 2's turn, not seat 1's"),
        (Trick(1), "table", "a whole trick is entered where a trick begins"),
        (Trump("spades"), "phase", "the cards of a trick come next"),
    ):
        assert refusal(made, state, event) == (reason, said)


def test_the_holder_of_a_card_leads_it() -> None:
    made, state = begun("none", text=CARD)
    asked = made.ask(state, FULL, ())
    assert isinstance(asked, Prompt)
    assert str(asked.text) == "Who has <clubs>9?"
    assert refusal(made, state, Lead(7)) == ("seat", "seat 8 does not play this round")
    assert refusal(made, state, Play(0, made.cards["clubs-A"])) == ("phase", "first say who leads")
    assert entered(made, state, FULL, ChooseSeat(1)) == made.apply(state, Play(1, made.cards["clubs-9"]))
    assert made.ask(state, QUICK, (ChooseSeat(1),)) == Lead(1)
    state = made.apply(state, Lead(1))
    assert str(made.describe(Lead(1))) == "seat 2 leads"
    assert refusal(made, state, Play(1, made.cards["clubs-A"])) == ("lead", "Clubs 9 leads to the first trick")
    assert [answer.card.name for answer in made.ask(state, FULL, ()).answers] == ["clubs-9"]


def test_the_dealer_leads_where_the_file_says_so() -> None:
    numbered = PLAIN.replace('"9 10 J Q K A"', '"1 2 3"').replace("[tricks]", '[tricks]\nlead = "dealer"')
    made, state = begun("none", text=numbered)
    assert made.progress(state).turn == 2
    assert [str(line) for line in made.optional.keys(4, made.rules())] == [
        "A=<clubs> B=<diamonds> C=<hearts> D=<spades>",
        "Figures: digits, then # if more could follow",
        "By a name: Tricks, or the total",
    ]


def test_a_table_can_stop_entering_cards_and_go_on_by_tricks_or_by_rounds() -> None:
    made, state = begun("none")
    assert list(made.trackings) == [FULL, QUICK, ROUND]
    state = entered(made, state, QUICK, ChooseSeat(2))
    assert state.play.tricks == (0, 0, 1)
    assert str(made.describe(Trick(2))) == "Trick: seat 3"
    assert str(made.outcome(begun("none")[1], Trick(2), state).lines[0]) == "seat 3 wins trick 1"
    half = laid(made, state, "clubs-9 clubs-A")
    whole = entered(made, half, ROUND, EnterNumber(2))  # of two tricks, so the others have none
    assert whole.rounds == ((2, 0, 0),)
    assert state.play.last_trick is None  # its cards are not known
    assert refusal(made, state, Trick(5)) == ("seat", "seat 6 does not play this round")


def test_the_trump_is_turned_up_before_the_bids_and_asked_after_them() -> None:
    bids = PLAIN.replace("[[ask]]", '[[ask]]\nname = "bid"\nmost = 2\n[[ask]]', 1)
    made, state = begun("turned", text=bids)
    assert state.phase == "trump"
    assert refusal(made, state, Play(0, made.cards["clubs-9"])) == ("phase", "first enter the trump")
    prompt = made.ask(state, FULL, ())
    assert str(prompt.legend) == "A<clubs>B<diamonds>C<hearts>D<spades> 0 none"
    state = entered(made, state, FULL, prompt.answers[3])
    assert str(made.view(state).headline.word) == "Spades"
    assert made.outcome(begun("turned", text=bids)[1], Trump("spades"), state).new_trump == 3
    assert made.progress(state).phase == "bid"
    assert str(made.describe(Trump("spades"))) == "Trump: Spades"
    assert str(made.describe(Trump(None))) == "No trump"
    state = entered(made, state, FULL, EnterNumber(1), EnterNumber(1), EnterNumber(0))
    assert state.phase == "play"
    made, state = begun("asked", text=bids)
    assert made.progress(state).phase == "bid"
    state = entered(made, state, FULL, EnterNumber(1), EnterNumber(1), EnterNumber(0))
    assert state.phase == "trump"
    assert refusal(made, state, Trump("stars")) == ("suit", "there is no suit stars")
    state = entered(made, state, FULL, ChooseItem(0, made.ask(state, FULL, ()).answers[4].label))
    assert made.view(state).headline is None


def test_cards_are_worth_points_and_jokers_win_or_lose() -> None:
    made, state = begun("", text=WORTH)
    assert list(made.trackings) == [FULL, ROUND]
    state = entered(made, state, FULL, ChooseSeat(1))
    state = entered(made, state, FULL, made.ask(state, FULL, ()).answers[2])  # hearts
    offered = {answer.card.name for answer in made.ask(state, FULL, ()).answers}
    assert {"mage-1", "fool-1"} <= offered  # of equal jokers one is offered
    assert not {"mage-2", "spades-9"} & offered
    assert refusal(made, state, Play(1, made.cards["spades-9"])) == (
        "aside",
        "Spades 9 is not in the deck at this table",
    )
    assert refusal(made, state, Trick(1)) == ("points", "the cards of this trick have points: enter them")
    state = laid(made, state, "fool-1 hearts-A hearts-J")  # the fool's leader has led nothing; the trump's jack wins
    assert state.play.points == (30, 0, 0)
    state = laid(made, state, "clubs-10 mage-1 spades-Q")
    assert made.progress(state).phase == "bonus"
    assert [*state.given.values()] == [(1,), (30, 23, 0), (1,)]
    state = entered(made, state, FULL, EnterNumber(5), EnterNumber(0), EnterNumber(0))
    assert state.rounds == ((35, 123, 0),)


def test_the_led_suit_is_marked_in_the_question_for_a_card() -> None:
    made, state = begun("none")
    assert made.ask(state, FULL, ()).led is None
    asked = made.ask(laid(made, state, "hearts-9"), FULL, ())
    assert asked.led.name == "hearts"


def test_the_question_says_how_many_jokers_of_each_kind_are_left() -> None:
    made, state = begun("", text=WORTH)
    state = entered(made, state, FULL, ChooseSeat(1))
    state = entered(made, state, FULL, made.ask(state, FULL, ()).answers[2])
    for cards, left in (("", [2, 2]), ("mage-1 fool-1", [1, 1]), ("mage-1 fool-1 fool-2 mage-2", [0, 0])):
        assert [number for _kind, number in made.ask(laid(made, state, cards), FULL, ()).alike] == left


def test_a_trick_of_losing_jokers_goes_to_its_leader_and_a_mage_asks_no_suit() -> None:
    made, state = begun("", text=WORTH.replace("number = 2, wins = false", "number = 3, wins = false"))
    state = entered(made, state, FULL, ChooseSeat(1))
    state = entered(made, state, FULL, made.ask(state, FULL, ()).answers[2])
    assert laid(made, state, "fool-1 fool-2 fool-3").play.leader == 1
    led = laid(made, state, "mage-1 clubs-9 hearts-9")
    assert led.play.leader == 1
    assert led.play.doubts == ((), (), ())
    event = Play(1, made.cards["mage-1"])
    assert made.outcome(state, event, made.apply(state, event)).laid_as is CardSound.LEAD


def test_the_picture_is_the_trump_or_else_the_suit_that_was_led() -> None:
    for trump, word in (("none", "Clubs"), ("spades", "Spades")):
        made, state = begun(trump)
        assert str(made.view(laid(made, state, "clubs-9")).headline.word) == word
    assert str(made.view(state).headline.word) == "Spades"
    made, state = begun("none")
    assert made.view(state).headline is None


@pytest.mark.parametrize(("card", "sound"), [("clubs-J", CardSound.FOLLOW), ("hearts-J", CardSound.OFF_SUIT)])
def test_a_card_sounds_as_it_was_laid(card: str, sound: CardSound) -> None:
    made, state = begun("none")
    state, event = laid(made, state, "clubs-9"), Play(1, made.cards[card])
    assert made.outcome(state, event, made.apply(state, event)).laid_as is sound


@pytest.mark.parametrize(
    ("before", "card", "winner"), [("hearts-9 clubs-9", "clubs-10", 0), ("hearts-9 clubs-9", "hearts-A", 2)]
)
def test_a_finished_trick_is_shown_with_its_winner_where_the_lead_makes_trump(
    before: str, card: str, winner: int
) -> None:
    made, state = begun("led")
    state, event = laid(made, state, before), Play(2, made.cards[card])
    outcome = made.outcome(state, event, made.apply(state, event))
    assert outcome.finished is not None
    assert [line.won for line in outcome.finished.seats] == [seat == winner for seat in range(3)]
    assert str(outcome.finished.result) == f"Trick: seat {winner + 1}"
    assert made.apply(state, event).play.last_trick.winner == winner
