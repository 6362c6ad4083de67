"""Declared games card by card: trump, leaders, winners of tricks, revokes, jokers, points of cards."""

from __future__ import annotations

from math import comb, log
from typing import Any

import pytest

from companion.core.game import CardSound, Start
from companion.core.prompt import Answer, ChooseItem, ChooseSeat, EnterNumber, LayCard, Prompt, Skip
from companion.core.text import Text
from companion.games.kit.tricks import IMPOSSIBLE
from companion.games.toml_games.state import Lead, Play, Trick, Trump
from companion.ui.keys import AnswerCodes

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


BOWERS = """
name = "bowers"
title = "Bowers"
seats = 4
dealer = true
sides = "partners"
[[ask]]
name = "maker"
kind = "seat"
nobody = "passed out"
[[ask]]
name = "alone"
kind = "choice"
per = "round"
when = "any(maker)"
choices = { no = 0, yes = 1 }
[[ask]]
name = "won"
per = "round"
when = "any(maker)"
most = 3
[[ask]]
name = "swept"
kind = "choice"
per = "round"
when = "any(maker)"
choices = { no = 0, yes = 1 }
[tricks]
hand = 3
trump = "asked"
tricks = "won"
all = "swept"
sits_out = "alone and ours(maker) and not maker"
deck.bowers = "J"
deck.ranks = "9 10 J Q K A"
[[tricks.instead]]
named = "Low"
ranks = "A K Q J 10 9"
[score]
points = "won + 10*swept if ours(maker) else 0"
"""


def named(text: str, trump: str, *answers: Answer) -> tuple[Any, Any]:
    """Return a game and its state once the first questions are answered, and the trump, if one is asked."""
    made: Any = game(text)
    state = entered(made, made.start(4, made.rules()), FULL, ChooseSeat(3))
    for answer in answers:
        state = entered(made, state, FULL, answer)
    asked = made.ask(state, FULL, ())
    item = next(each for each in asked.answers if str(each.label) == trump)
    return made, entered(made, state, FULL, item)


def codes(prompt: Prompt) -> dict[str, str]:
    """Return by keys the name of the card that they mean."""
    return {code: each.card.name for code, each in AnswerCodes(prompt).codes.items() if isinstance(each, LayCard)}


NO = ChooseItem(0, Text("no"))


@pytest.mark.parametrize(
    ("trump", "cards", "leader"),
    [
        ("Spades", "spades-A clubs-J spades-9 spades-J", 3),  # the jack of trump, then the other black jack
        ("Spades", "spades-A clubs-J spades-9 spades-K", 1),
        ("Spades", "clubs-J spades-A clubs-A hearts-J", 0),  # it leads trump
        ("Hearts", "clubs-9 clubs-J clubs-A spades-J", 2),
        ("Hearts", "clubs-9 diamonds-J clubs-A hearts-9", 1),
        ("no trump", "clubs-J clubs-Q spades-J clubs-9", 1),  # bowers are jacks like others
        ("Low", "clubs-J clubs-Q spades-9 clubs-9", 3),
    ],
)
def test_the_jack_of_the_other_suit_of_its_colour_belongs_to_the_trump_suit(
    trump: str, cards: str, leader: int
) -> None:
    made, state = named(BOWERS, trump, ChooseSeat(0), NO)
    assert laid(made, state, cards).play.leader == leader


def test_revokes_offers_and_bare_ranks_know_to_which_suit_a_bower_belongs() -> None:
    made, state = named(BOWERS, "Spades", ChooseSeat(0), NO)
    # clubs are led: the jack of clubs does not follow, and is shown to be wrong by a later club
    off = laid(made, state, "clubs-9 clubs-J clubs-10 clubs-Q")
    assert [doubt.suits[0].name for doubt in off.play.doubts[1]] == ["clubs"]
    assert [str(alert) for alert in made.optional.alerts(laid(made, off, "clubs-A"))] == [
        "R1 T1: seat 2 may have revoked, then Clubs A"
    ]
    # whoever has no spades has no jack of clubs either
    void = laid(made, state, "spades-9 hearts-9 spades-10 spades-Q")
    event = Play(1, made.cards["clubs-J"])
    later = laid(made, void, "hearts-10")
    assert made.progress(later).turn == 0
    lead = laid(made, later, "hearts-A")
    assert made.optional.log_likelihood(lead, event) == IMPOSSIBLE
    for lead, meant in (("spades-9", "spades-J"), ("spades-J", "clubs-J")):
        led = laid(made, state, lead)
        assert codes(made.ask(led, FULL, ()))["11"] == meant
    assert made.outcome(led, event, made.apply(led, event)).laid_as is CardSound.FOLLOW


def test_a_partner_may_sit_the_cards_out_and_a_round_may_be_passed_out() -> None:
    made, state = named(BOWERS, "Spades", ChooseSeat(0), ChooseItem(1, Text("yes")))
    assert [line.sits_out for line in made.view(state).seats] == [False, False, True, False]
    state = laid(made, state, "spades-J clubs-9 clubs-10 clubs-J spades-9 hearts-9 spades-A diamonds-9 hearts-10")
    assert state.rounds == ((13, 0, 13, 0),)
    state = entered(made, state, FULL, Skip())
    assert state.rounds[1] == (0, 0, 0, 0)
    assert state.phase == "ask"


def test_a_log_of_questions_is_read_by_a_game_that_is_played_card_by_card_now() -> None:
    made, state = named(BOWERS, "Spades", ChooseSeat(0), NO)
    kinds: dict[str, Any] = {str(kind.__struct_config__.tag): kind for kind in made.events}
    before = made.apply(made.apply(made.start(4, made.rules()), Start(3)), kinds["maker"](0))
    before = made.apply(before, kinds["alone"](0))
    for begun in (before, state):
        answered = made.apply(begun, kinds["won"](2))
        assert made.progress(answered).phase == "swept"
        assert made.apply(answered, kinds["swept"](0)).totals == (2, 0, 2, 0)
    assert refusal(made, before, kinds["maker"](0))[1] == "first enter the trump"


ALWAYS = """
name = "always"
title = "Always"
seats = 4
dealer = true
sides = "declarer"
[[ask]]
name = "declarer"
kind = "seats"
[[ask]]
name = "game"
kind = "choice"
per = "round"
choices = { hearts = 1, bells = 2, grand = 3, jacks = 4, null = 5 }
[[ask]]
name = "points"
per = "round"
most = 120
[tricks]
hand = 2
trump = "game"
rest = true
values = { A = 11, 10 = 10, O = 3, U = 2 }
deck.suits = "acorns leaves hearts bells"
deck.ranks = "9 O U 10 A"
deck.always = "bells-U hearts-U leaves-U acorns-U bells-O hearts-O leaves-O acorns-O"
[[tricks.instead]]
when = "game == 4"
always = "bells-U hearts-U leaves-U acorns-U"
[[tricks.instead]]
when = "game == 5"
always = ""
ranks = "9 10 U O A"
[score]
points = "points if declarer else 0"
"""


@pytest.mark.parametrize(
    ("kind", "cards", "leader", "doubts"),
    [
        (1, "hearts-A bells-U acorns-O leaves-O", 2, 0),  # all of them are hearts
        (2, "hearts-A bells-9 hearts-10 acorns-A", 1, 2),
        (2, "bells-A hearts-O hearts-A acorns-U", 1, 1),
        (3, "acorns-A bells-U acorns-9 bells-A", 1, 2),  # trumps of no suit
        (3, "bells-U acorns-A hearts-O leaves-U", 2, 1),
        (4, "acorns-A acorns-O bells-9 acorns-U", 3, 2),  # the others are cards of their suits again
        (5, "acorns-U acorns-O acorns-10 acorns-9", 1, 0),
    ],
)
def test_permanent_trumps_belong_to_the_trump_suit_or_to_none(kind: int, cards: str, leader: int, doubts: int) -> None:
    made: Any = game(ALWAYS)
    state = entered(made, made.start(4, made.rules()), FULL, ChooseSeat(3))
    state = entered(made, state, FULL, ChooseSeat(0), Skip())
    state = entered(made, state, FULL, ChooseItem(kind, Text("")))
    after = laid(made, state, cards)
    assert after.play.leader == leader
    assert sum(map(bool, after.play.doubts)) == doubts


def test_cards_that_nobody_lays_count_for_the_declarer() -> None:
    made: Any = game(ALWAYS)
    state = entered(made, made.start(4, made.rules()), FULL, ChooseSeat(3))
    state = entered(made, state, FULL, ChooseSeat(1), Skip())
    state = entered(made, state, FULL, ChooseItem(1, Text("")))
    state = laid(made, state, "acorns-A leaves-A bells-A acorns-10 leaves-9 leaves-10 bells-10 acorns-9")
    # of 104 points 43 went to the first seat, 20 to the declarer, and 41 were not laid
    assert state.rounds == ((0, 61, 0, 0),)


COPIES = """
name = "copies"
title = "Copies"
seats = "2-3"
dealer = true
[[ask]]
name = "points"
[tricks]
trump = "hearts"
values = { 10 = 10, A = 11 }
deck.ranks = "9 10 A"
deck.suits = "clubs hearts"
deck.always = "hearts-10"
deck.later = "hearts-10"
deck.copies = 2
[score]
points = "points"
"""


def test_of_two_cards_alike_the_first_wins_unless_the_file_says_the_later() -> None:
    made: Any = game(COPIES)
    state = entered(made, made.start(2, made.rules()), FULL, ChooseSeat(1))
    assert state.play.hand == 6
    assert laid(made, state, "clubs-A clubs-A").play.leader == 0
    assert laid(made, state, "hearts-10 hearts-10").play.leader == 1


def test_a_card_with_a_copy_is_offered_until_both_were_seen() -> None:
    made: Any = game(COPIES)
    state = entered(made, made.start(3, made.rules()), FULL, ChooseSeat(2))
    log_likelihood = made.optional.log_likelihood
    assert log_likelihood(state, Play(0, made.cards["clubs-A"])) == pytest.approx(log(2 / 12))
    state = laid(made, state, "clubs-A clubs-9 clubs-A")
    assert made.cards["clubs-A"] not in [answer.card for answer in made.ask(state, FULL, ()).answers]
    assert made.cards["clubs-9"] in [answer.card for answer in made.ask(state, FULL, ()).answers]
    assert refusal(made, state, Play(0, made.cards["clubs-A"]))[0] == "seen"
    assert laid(made, state, "clubs-9 hearts-9 hearts-9 hearts-A hearts-A clubs-10 clubs-10 hearts-10 hearts-10").rounds


OWN = """
name = "own"
title = "Own"
seats = 3
dealer = true
[[ask]]
name = "tricks"
[tricks]
trump = "asked"
deck.suits = "coins cups swords batons rockets"
deck.ranks = "1 2 3 4 10"
[tricks.deck.own]
rockets = { label = "Rockets", sign = "moon", ranks = "1 2" }
[score]
points = "tricks"
"""


def test_a_fifth_suit_is_typed_with_0_before_its_rank() -> None:
    made: Any = game(OWN)
    state = entered(made, made.start(3, made.rules()), FULL, ChooseSeat(2))
    asked = made.ask(state, FULL, ())
    assert [str(each.label) for each in asked.answers] == ["Coins", "Cups", "Swords", "Batons", "Rockets", "no trump"]
    assert AnswerCodes(asked).codes["5"] == asked.answers[4]
    state = entered(made, state, FULL, asked.answers[4])
    coded = codes(made.ask(state, FULL, ()))
    assert {code: coded[code] for code in ("01", "02", "A1", "B10", "D4")} == {
        "01": "rockets-1",
        "02": "rockets-2",
        "A1": "coins-1",
        "B10": "cups-10",
        "D4": "batons-4",
    }
    assert len(made.cards) == 22
    assert laid(made, state, "coins-10 rockets-1 cups-10").play.leader == 1
    assert str(made.optional.keys(3, made.rules())[0]).endswith("D=<batons> 0=<moon>")


CALLED = """
name = "called"
title = "Called"
seats = 4
dealer = true
sides = "caller partner"
[[ask]]
name = "caller"
kind = "seat"
[[ask]]
name = "called"
kind = "choice"
per = "round"
choices = { alone = 0, clubs = 1, spades = 2 }
[[ask]]
name = "partner"
kind = "seat"
when = "called"
refuse = "caller"
[[ask]]
name = "won"
per = "round"
[[ask]]
name = "kings"
kind = "seats"
[tricks]
hand = 2
tricks = "won"
laid = { partner = "called-A", kings = "hearts-K" }
deck.ranks = "9 K A"
deck.copies = 2
[score]
points = "won if caller or partner else 0"
"""


@pytest.mark.parametrize(
    ("suit", "cards", "points"),
    [
        (2, "clubs-9 spades-A clubs-K clubs-A hearts-K hearts-K hearts-A hearts-9", (1, 1, 0, 0)),
        (2, "clubs-9 spades-A clubs-A clubs-K hearts-9 hearts-K hearts-K hearts-A", (1, 1, 0, 0)),
        (1, "clubs-9 clubs-A spades-K spades-9 hearts-K hearts-K hearts-A hearts-9", (1, 1, 0, 0)),
        (0, "clubs-A clubs-K spades-A spades-9 hearts-K hearts-K hearts-A hearts-9", (1, 0, 0, 0)),
        (1, "clubs-A clubs-K spades-A spades-9 hearts-K hearts-K hearts-A hearts-9", (1, 0, 0, 0)),
    ],
)
def test_who_lays_a_card_is_on_the_side_of_who_called_it(suit: int, cards: str, points: tuple[int, ...]) -> None:
    made: Any = game(CALLED)
    state = entered(made, made.start(4, made.rules()), FULL, ChooseSeat(3))
    state = entered(made, state, FULL, ChooseSeat(0))
    state = entered(made, state, FULL, ChooseItem(suit, Text("")))
    after = laid(made, state, cards)
    assert after.rounds == (points,)
    assert len(after.past[0]["kings"]) == 2
