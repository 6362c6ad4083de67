"""Prompts of Gear: the next question, whole rounds as forms, the conversion of answers to events and back."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from typing import TypeVar

from msgspec import UNSET, Struct
from msgspec.structs import replace

from companion.core.cards import Card
from companion.core.game import Event, Start
from companion.core.prompt import (
    Answer,
    ChooseItem,
    ChooseSeat,
    DetailLevel,
    EnterNumber,
    LayCard,
    LayPair,
    Prompt,
    TakeAlternative,
    TallySheet,
)
from companion.core.text import N_, Glyph, IllegalEventError, Seat, Text
from companion.games.kit.rounds import (
    Cell,
    Figures,
    Form,
    Known,
    Last,
    Walk,
    ask_start,
    cards_of,
    lays,
    sits,
    with_others,
)
from companion.games.kit.tricks import gainer

from .rules import (
    ACES,
    DECK,
    HAND,
    OPEN,
    SUITS,
    Bid,
    Lot,
    Lots,
    Play,
    Prices,
    Round,
    State,
    Trick,
    aces_in_trick,
    apply,
    least_bid,
    why_not,
    with_cards,
)
from .shown import standing_bid

MOST_AT_ONCE = 19
"""Highest price entered as one answer, so that a typed 2 never waits for a second digit."""

# A bid is one answer up to the bidder's points, or up to 19 if 1 is too low to be a bid. On a form, where a cell
# follows at once, only a single digit is one answer. Prices are unlimited: one `TakeAlternative` answer for each digit
# above the fewest possible, then the digits one by one.


class PriceInput(Struct, frozen=True):
    """A price as far as it is entered."""

    value: int | None  # the price once complete; else None
    shown: str = ""  # the digits so far, with ``_`` for each missing one
    offered: tuple[Answer, ...] = ()  # possible next answers, without the alternative
    extra: Text | None = None  # label of the alternative answer, if there is one

    def question(self, player: Seat) -> Text:
        if self.shown:
            return Text(N_("Price {digits}: {player}"), digits=self.shown, player=player)
        return Text(N_("Price: {player}"), player=player)


def _at_once(least: int, points: int) -> range:
    """Return the prices that are entered as one answer; empty if all prices have two digits or more.

    Args:
        points: The bidder's points; 0 on a form.
    """
    if least > 9:
        return range(0)
    return range(least, MOST_AT_ONCE + 1 if least > 1 else max(9, min(points, MOST_AT_ONCE)) + 1)


def amount(answers: list[Answer], least: int, points: int = 0) -> PriceInput:
    """Read a price from the front of a list of answers, and remove the answers read; see ``_at_once``."""
    length = len(str(least))
    whole = _at_once(least, points)
    if whole and not (answers and isinstance(answers[0], TakeAlternative)):
        match answers:
            case [EnterNumber(value), *_]:
                answers.pop(0)
                return PriceInput(value)
        return PriceInput(None, offered=tuple(map(EnterNumber, whole)), extra=_or_more(whole[-1] + 1))
    while answers and isinstance(answers[0], TakeAlternative):
        answers.pop(0)
        length += 1
    digits = ""
    while len(digits) < length and answers and isinstance(answers[0], EnterNumber):
        digits += str(answers[0].value)
        answers.pop(0)
    if len(digits) == length:
        return PriceInput(int(digits))
    lowest = max(least, 10 ** (length - 1))
    able = (digit for digit in range(10) if int(f"{digits}{digit}".ljust(length, "9")) >= lowest)
    shown = digits + "_" * (length - len(digits))
    figures = tuple(EnterNumber(digit) for digit in able)
    return PriceInput(None, shown, figures, None if digits else _or_more(10**length))


def _or_more(least: int) -> Text:
    return Text(N_("{least}+"), least=least)


def amount_answers(value: int, least: int, points: int = 0) -> tuple[Answer, ...]:
    if value in _at_once(least, points):
        return (EnterNumber(value),)
    digits = str(value)
    more = len(digits) - len(str(least))
    return (*(TakeAlternative(),) * more, *(EnterNumber(int(digit)) for digit in digits))


# Whole auctions and rounds


PRICES, TRICKS, ACES_TAKEN, HOLDERS = range(4)
"""The columns of a sheet: the price, the tricks, the aces; and who gets a lot."""
HEADS = {
    PRICES: Text("{coin}", coin=Glyph("coin")),
    TRICKS: Text(N_("tricks")),
    ACES_TAKEN: Text("{ace}", ace=Glyph("ace")),
}
ANY_PRICE = range(sys.maxsize)


T = TypeVar("T")


class AuctionForm(Form[Cell, T], frozen=True):
    """Figures by seat, row by row; a price is typed digit by digit."""

    def read(self, cell: Cell, answers: list[Answer]) -> int | None:
        if cell.column != PRICES:
            return super().read(cell, answers)
        left = list(answers)
        price = amount(left, 0)
        if price.value is not None:
            answers[:] = left
        return price.value

    def spelled(self, cell: Cell, value: int) -> tuple[Answer, ...]:
        return amount_answers(value, 0) if cell.column == PRICES else super().spelled(cell, value)

    def sheet(self, known: Known, cell: Cell | None) -> TallySheet:
        return replace(super().sheet(known, cell), by_digits=PRICES in self.heads)

    def prompt(self, cell: Cell, known: Known, typed: Sequence[Answer]) -> Prompt:
        if cell.column != PRICES:
            return super().prompt(cell, known, typed)
        price, seat, sheet = amount(list(typed), 0), cell.row, self.sheet(known, cell)
        return Prompt(price.question(Seat(seat)), price.offered, seat=seat, alternative=price.extra, sheet=sheet)


def _text(cell: Cell) -> Text:
    if cell.column == HOLDERS:
        return Text(N_("Who gets lot {lot}?"), lot=cell.row + 1)
    return Text(N_("Tricks: {player}") if cell.column == TRICKS else N_("Aces: {player}"), player=Seat(cell.row))


def _auction(state: State) -> Form[Cell, Prices]:
    """Return the form of a whole auction: the prices, and who gets which lot if the lots were entered."""

    def walk(_figures: Figures) -> Walk[Cell, Prices]:
        prices, holders = list[int](), list[int]()
        for seat in range(state.seats):
            prices.append((yield Cell(PRICES, seat, ANY_PRICE)))
        if state.dealt is None:
            return Prices(tuple(prices))
        for lot in range(state.seats):
            free = [seat for seat in range(state.seats) if seat not in holders]
            holders.append((yield Cell(HOLDERS, lot, free, names_seat=True)))
        return Prices(tuple(prices), tuple(holders))

    title, heads = Text(N_("Prices")), {PRICES: HEADS[PRICES]}
    return AuctionForm(title, heads, state.seats, walk, _text, shown=lambda _made: False)


def _round(state: State) -> Form[Cell, Round]:
    """Return the form of a whole round: by seat prices, unless they are known, tricks and aces."""
    columns = (PRICES, TRICKS, ACES_TAKEN) if state.rules.auction and state.phase != "play" else (TRICKS, ACES_TAKEN)

    def walk(figures: Figures) -> Walk[Cell, Round]:
        prices, tricks, taken = list[int](), list[int](), list[int]()
        for seat in range(state.seats):
            if PRICES in columns:
                prices.append((yield Cell(PRICES, seat, ANY_PRICE)))
            able = figures.able(figures.left(HAND, tricks), last=seat == state.seats - 1)
            tricks.append((yield Cell(TRICKS, seat, able)))
            left = figures.left(ACES, taken)
            all_played = state.seats == 5 and tricks[seat] and sum(tricks) == HAND and not figures.free
            able = range(left, left + 1) if all_played else range(min(left, tricks[seat] * state.seats) + 1)
            taken.append((yield Cell(ACES_TAKEN, seat, able)))
        last = figures.last if isinstance(figures.last, int) else next(iter(_winners(tricks)), 0)
        return Round(tuple(tricks), tuple(taken), last, tuple(prices) if PRICES in columns else UNSET)

    heads = {column: HEADS[column] for column in columns}
    last = Last(Text(N_("Who won last?")), lambda made: _winners(made.tricks), _several_won)
    return AuctionForm(
        Text(N_("Round {round}"), round=state.round), heads, state.seats, walk, _text, partial(apply, state), last
    )


def _winners(tricks: Sequence[int]) -> list[int]:
    return [seat for seat, won in enumerate(tricks) if won]


def _several_won(event: Round) -> bool:
    return len(_winners(event.tricks)) > 1


def as_whole_round(before: State, _event: Event, after: State) -> Round:
    """Return the round that a card has ended, as one event."""
    tally = after.tallies[-1]
    return Round(tally.tricks, tally.aces, int(gainer(before.tricks, tally.tricks)))


def _round_answers(state: State, event: Round) -> tuple[Answer, ...]:
    form = _round(state)
    prices = event.prices if isinstance(event.prices, tuple) else ()
    if (PRICES in form.heads) != bool(prices):
        return ()  # it cannot be entered here
    figures = {PRICES: prices, TRICKS: event.tricks, ACES_TAKEN: event.aces}
    return form.answers(figures, event.last if _several_won(event) else UNSET)


# Prompts


LOTS = Text(N_("lots"))
HANDS = Text(N_("open hands"))
TWO = Text(N_("two cards"))
ACE = ChooseItem(0, Text(N_("ace")))
CARDS = partial(Prompt, deck=DECK.cards, suits=SUITS)
"""The question for cards."""
PAIRS = tuple(LayPair(one, other) for one in DECK for other in DECK if one.rank == other.rank)


def ask(state: State, tracking: DetailLevel, answers: tuple[Answer, ...]) -> Prompt | Event | None:
    if state.phase == "over":
        return None
    if tracking is DetailLevel.ROUND:
        return _round(state).ask(answers)
    if state.phase == "start":
        return ask_start(state.may_start, answers)
    quick = tracking is DetailLevel.QUICK and not state.table
    if state.phase == "auction":
        if quick and not state.bids:
            return _auction(state).ask(answers)
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
        return Lots(tuple(_lot(*cards[first : first + OPEN]) for first in range(0, len(cards), OPEN)))
    text = Text(N_("Lot {lot}, card {number}:"), lot=number + 1, number=place + 1)
    if state.phase == "play":
        text = Text(N_("Card {number}: {player}"), player=Seat(number), number=place + 1)
    offered = lays(DECK.outside(seen >> 1))  # the upper of a card's two bits: both copies are seen
    bare = (cards[-1].suit,) if cards else ()  # most people read a lot out colour by colour
    return CARDS(text, offered, bare=bare)


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
        return CARDS(
            Text(N_("2 cards: {player}"), player=player),
            pairs + lays(card for card in DECK if any(why_not(state, turn, (card, other)) is None for other in DECK)),
            seat=turn,
            combination=(led[0].suit, led[1].suit),
        )
    cards = lays(card for card in DECK if why_not(state, turn, (card,)) is None)
    return with_others(
        CARDS(
            Text(N_("Card: {player}"), player=player) if led else Text(N_("Leads: {player}"), player=player),
            cards + pairs,
            seat=turn,
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
    return CARDS(
        Text(N_("2nd card: {player}"), player=Seat(turn)),
        offered,
        seat=turn,
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
        case Lots(lots):
            return (TakeAlternative(), *lays(card for lot in lots for card in lot))
        case Bid(player, lot, price):
            return (_lot_pick(state, lot), *amount_answers(price, least_bid(state, lot), state.totals[player]))
        case Prices():
            holders = event.lots if isinstance(event.lots, tuple) else ()
            return _auction(state).answers({PRICES: event.prices, HOLDERS: holders})
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
            return _round_answers(state, event)
    raise TypeError(f"not an event of Gear: {event!r}")
