"""Prompts of Gear: the next question, and conversion of answers to events and back."""

from __future__ import annotations

from companion.core.cards import Card
from companion.core.game import Event, Start
from companion.core.prompt import Answer, ChooseItem, ChooseSeat, DetailLevel, LayCard, LayPair, Prompt, TakeAlternative
from companion.core.text import N_, IllegalEventError, Seat, Text
from companion.games.kit.rounds import ask_start, cards_of, lays, sits, with_others

from .auction import least_bid
from .cards import DECK, OPEN, SUITS
from .events import Bid, DealLots, Lot, Play, Prices, Round, Trick
from .forms import ask_prices, ask_round, prices_answers, round_answers
from .legal_plays import with_cards
from .presentation import standing_bid
from .price_entry import amount, amount_answers
from .rules import aces_in_trick, why_not
from .state import State

LOTS = Text(N_("lots"))
HANDS = Text(N_("open hands"))
TWO = Text(N_("two cards"))
ACE = ChooseItem(0, Text(N_("ace")))
PAIRS = tuple(LayPair(one, other) for one in DECK for other in DECK if one.rank == other.rank)


def ask(state: State, tracking: DetailLevel, answers: tuple[Answer, ...]) -> Prompt | Event | None:
    if state.phase == "over":
        return None
    if tracking is DetailLevel.ROUND:
        return ask_round(state, answers)
    if state.phase == "start":
        return ask_start(state.may_start, answers)
    quick = tracking is DetailLevel.QUICK and not state.table
    if state.phase == "auction":
        if quick and not state.bids:
            return ask_prices(state, answers)
        if answers and isinstance(answers[0], TakeAlternative):
            return _ask_lots(state, answers[1:])
        return _ask_bid(state, answers)
    if quick:
        return _ask_trick(state, answers)
    if answers and isinstance(answers[0], TakeAlternative):
        return _ask_lots(state, answers[1:])
    return _ask_cards(state, answers)


# Lots and bids


def _ask_lots(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    cards = cards_of(answers)
    seen = with_cards(0, cards)
    if isinstance(seen, Card):
        raise IllegalEventError("seen", N_("{card} is there twice, not more often"), card=seen)
    number, place = divmod(len(cards), OPEN)
    if number == state.seats:
        return DealLots(tuple(_lot(*cards[first : first + OPEN]) for first in range(0, len(cards), OPEN)))
    text = Text(N_("Lot {lot}, card {number}:"), lot=number + 1, number=place + 1)
    if state.phase == "play":
        text = Text(N_("Card {number}: {player}"), player=Seat(number), number=place + 1)
    offered = lays(DECK.outside(seen >> 1))  # the upper of a card's two bits: both copies are seen
    bare = (cards[-1].suit,) if cards else ()  # most people read a lot out colour by colour
    return Prompt(text, offered, deck=DECK.cards, suits=SUITS, bare=bare)


def _lot(*cards: Card) -> Lot:
    first, second, third, fourth, fifth, sixth = cards
    return first, second, third, fourth, fifth, sixth


def _ask_bid(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    bidder = state.turn
    assert bidder is not None  # this phase always has a player to act
    player = Seat(bidder)
    match answers:
        case (ChooseItem(number), *said):
            rest = list(said)
            price = amount(rest, least_bid(state, number - 1), state.totals[bidder])
            if price.value is not None:
                return Bid(bidder, number - 1, price.value)
            return with_others(Prompt(price.question(player), price.offered, seat=bidder, alternative=price.extra))
    lots = tuple(_lot_pick(state, lot) for lot in range(state.seats))
    extra = LOTS if state.awaits_lots else None
    return with_others(Prompt(Text(N_("Lot: {player}"), player=player), lots, seat=bidder, alternative=extra))


def _lot_pick(state: State, lot: int) -> ChooseItem:
    if state.lots[lot] is None:
        return ChooseItem(lot + 1, Text(N_("lot {lot}"), lot=lot + 1))
    return ChooseItem(lot + 1, standing_bid(lot, least_bid(state, lot) - 1))


# Cards. Two cards of the same number are one answer; two of different numbers, after a pair was led, are two answers.


def _ask_cards(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    turn = state.turn
    assert turn is not None  # this phase always has a player to act
    led = state.table[0].cards if state.table else ()
    match answers:
        case (LayPair(first, second),):
            return Play(turn, (first, second))
        case (LayCard(first), LayCard(second)):
            return Play(turn, (first, second))
        case (LayCard(card),):
            if len(led) < 2:
                return Play(turn, (card,))
            return _ask_second(state, turn, card)
    player = Seat(turn)
    together = () if len(led) == 1 else PAIRS
    pairs = tuple(pair for pair in together if why_not(state, turn, (pair.first, pair.second)) is None)
    if len(led) == 2:
        return Prompt(
            Text(N_("2 cards: {player}"), player=player),
            pairs + lays(card for card in DECK if any(why_not(state, turn, (card, other)) is None for other in DECK)),
            seat=turn,
            deck=DECK.cards,
            suits=SUITS,
            combination=(led[0].suit, led[1].suit),
        )
    cards = lays(card for card in DECK if why_not(state, turn, (card,)) is None)
    return with_others(
        Prompt(
            Text(N_("Card: {player}"), player=player) if led else Text(N_("Leads: {player}"), player=player),
            cards + pairs,
            seat=turn,
            deck=DECK.cards,
            suits=SUITS,
            bare=(led[0].suit,) if led else (),
            led=led[0].suit if led else None,
            alternative=HANDS if state.awaits_lots else None,
        )
    )


def _ask_second(state: State, turn: int, first: Card) -> Prompt:
    offered = lays(card for card in DECK if why_not(state, turn, (first, card)) is None)
    if not offered:
        wrong = why_not(state, turn, (first, first))
        assert wrong is not None  # else the card would be in `offered`
        raise wrong
    led = state.table[0].cards
    return Prompt(
        Text(N_("2nd card: {player}"), player=Seat(turn)),
        offered,
        seat=turn,
        deck=DECK.cards,
        suits=SUITS,
        bare=(led[0].suit,) if led[0].suit is led[1].suit else (),
    )


# A whole trick: first D if it was of two cards each, then 0 for each ace, then the winner's seat


def _ask_trick(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    cards = 2 if answers and isinstance(answers[0], TakeAlternative) else 1
    able = aces_in_trick(state, cards)
    left_over = able[0]  # the aces that only this trick can still have; the question names them
    said = max(answers.count(ACE), left_over)
    match answers:
        case (*_, ChooseSeat(winner)):
            return Trick(winner, cards, said)
    if said > able[-1]:
        raise IllegalEventError("aces", N_("there are not so many aces left"))
    aces = (ACE,) if said < able[-1] and len(able) > 1 else ()
    extra = TWO if not answers and state.left[0] > 1 else None
    asked = Text(N_("Last {aces} A: who?"), aces=said) if left_over and cards == 1 else _question(cards, said)
    return with_others(Prompt(asked, sits(range(state.seats)) + aces, picks=(ACE,), alternative=extra))


def _question(cards: int, aces: int) -> Text:
    if cards == 2:
        return Text(N_("Two each, {aces} A?"), aces=aces) if aces else Text(N_("Two each: who?"))
    return Text(N_("Who won {aces} A?"), aces=aces) if aces else Text(N_("Who won?"))


# From an event back to its answers


def answers(state: State, event: Event) -> tuple[Answer, ...]:
    """Return the answers that people give for an event: the opposite of `ask`."""
    match event:
        case Start(player):
            return (ChooseSeat(player),)
        case DealLots(lots):
            return (TakeAlternative(), *lays(card for lot in lots for card in lot))
        case Bid(player, lot, price):
            return (_lot_pick(state, lot), *amount_answers(price, least_bid(state, lot), state.totals[player]))
        case Prices():
            return prices_answers(state, event)
        case Play(_, (card,)):
            return (LayCard(card),)
        case Play(_, (first, second)) if first.rank == second.rank:
            return (LayPair(first, second),)
        case Play(_, (first, second)):
            return (LayCard(first), LayCard(second))
        case Trick(winner, cards, aces):
            known = len(aces_in_trick(state, cards)) == 1
            return (*(TakeAlternative(),) * (cards - 1), *(ACE,) * (0 if known else aces), ChooseSeat(winner))
        case Round():
            return round_answers(state, event)
    raise TypeError(f"not an event of Gear: {event!r}")
