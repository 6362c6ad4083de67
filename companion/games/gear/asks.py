"""Prompts of Gear: the next question, whole rounds as forms, the conversion of answers to events and back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain

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
    Skip,
    TakeAlternative,
)
from companion.core.text import N_, Glyph, IllegalEventError, Seat, Text
from companion.games.kit.rounds import Form, agreement, ask_start, cards_of, lays, sits, with_others
from companion.games.kit.tricks import gainer

from .rules import (
    ACES,
    DECK,
    HAND,
    OPEN,
    SUITS,
    Bid,
    DealLots,
    Lot,
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


def amount(rest: list[Answer], least: int, points: int = 0) -> PriceInput:
    """Read a price from the front of a list of answers, and remove the answers read; see ``_at_once``."""
    length = len(str(least))
    whole = _at_once(least, points)
    if whole and not (rest and isinstance(rest[0], TakeAlternative)):
        match rest:
            case [EnterNumber(value), *_]:
                rest.pop(0)
                return PriceInput(value)
        return PriceInput(None, offered=tuple(map(EnterNumber, whole)), extra=_or_more(whole[-1] + 1))
    while rest and isinstance(rest[0], TakeAlternative):
        rest.pop(0)
        length += 1
    digits = ""
    while len(digits) < length and rest and isinstance(rest[0], EnterNumber):
        digits += str(rest[0].value)
        rest.pop(0)
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


COIN = Text("{coin}", coin=Glyph("coin"))
TRICKS = Text(N_("tricks"))
TAKEN = Text("{ace}", ace=Glyph("ace"))


def _form(state: State, title: Text, *heads: Text) -> Form:
    return Form(title, heads, state.seats, partial(_possible_values, state), _last_unknown)


def _last_unknown(form: Form) -> bool:
    """Return whether several seats have tricks, so that the winner of the last one has to be given."""
    return sum(map(bool, _column_headed(form, TRICKS))) > 1


def _column_headed(form: Form, head: Text) -> tuple[int, ...]:
    """Return the known figures of the column with this head; empty if there is no such column."""
    return form.column(form.heads.index(head)) if head in form.heads else ()


def _possible_values(state: State, form: Form) -> Sequence[int]:
    """Return the possible values of the next figure; for a price the digits and what it was, so that it is asked."""
    seat, column = form.cell
    head, tricks = form.heads[column], _column_headed(form, TRICKS)
    if head is COIN:
        return tuple(dict.fromkeys((*range(10), form.was or 0)))
    left = form.left(column, HAND if head is TRICKS else ACES)
    if head is TRICKS:
        return range(left if form.last_row else 0, left + 1)
    if state.seats == 5 and tricks[seat] and sum(tricks) == HAND and not form.rest_open:  # all forty cards are played
        return range(left, left + 1)
    return range(min(left, tricks[seat] * state.seats) + 1)


def _filled(form: Form, answers: tuple[Answer, ...]) -> tuple[Form, list[Answer], PriceInput]:
    """Return the form once its figures are entered, as far as they are, the answers left over, and the price typed."""
    form, rest = form.settled(), list(answers)
    price = PriceInput(None)
    while not form.complete:
        if form.heads[form.cell[1]] is COIN and not (rest and isinstance(rest[0], Skip)):
            price = amount(rest, 0)
            if price.value is None:
                break
            form = form.put(price.value)
        elif not rest:
            break
        else:
            form = form.take(rest.pop(0))
    return form, rest, price


def _ask_price(form: Form, price: PriceInput) -> Prompt:
    return form.ask(price.question(Seat(form.cell[0])), price.offered, extra=price.extra, skips=not price.shown)


def _numbers(form: Form, figures: Sequence[int]) -> tuple[Answer, ...]:
    """Return the answers that fill in a form with these figures, given row by row."""
    form = form.settled()
    given: tuple[Answer, ...] = ()
    while not form.complete:
        figure = figures[len(form.figures)]
        if form.rests_at_zero(figures):
            given, form = (*given, Skip()), form.take(Skip())
        else:
            priced = form.heads[form.cell[1]] is COIN
            given, form = (*given, *(amount_answers(figure, 0) if priced else (EnterNumber(figure),))), form.put(figure)
    return given


# A whole auction


def ask_prices(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    """Return the next prompt of a whole auction, or its event; if the lots were entered, it asks who gets which."""
    form, rest, price = _filled(_prices_form(state), answers)
    if not form.complete:
        return _ask_price(form, price)
    prices = form.column(0)
    if state.dealt is None:
        return Prices(prices)
    holders = [answer.seat for answer in rest if isinstance(answer, ChooseSeat)]
    free = [seat for seat in range(state.seats) if seat not in holders]
    if len(free) > 1:
        return Prompt(Text(N_("Who gets lot {lot}?"), lot=len(holders) + 1), sits(free), sheet=form.sheet())
    return Prices(prices, (*holders, *free))


def _prices_form(state: State) -> Form:
    return _form(state, Text(N_("Prices")), COIN)


def prices_answers(state: State, event: Prices) -> tuple[Answer, ...]:
    holders = event.lots[:-1] if isinstance(event.lots, tuple) else ()
    return (*_numbers(_prices_form(state), event.prices), *map(ChooseSeat, holders))


# A whole round


def _round_form(state: State) -> Form:
    priced = state.rules.auction and state.phase != "play"  # in phase play the prices are known
    form = _form(state, Text(N_("Round {round}"), round=state.round), *(COIN,) * priced, TRICKS, TAKEN)
    return replace(form, check=lambda form: apply(state, _event(form)))


def _event(form: Form) -> Round:
    tricks = _column_headed(form, TRICKS)
    last = form.who if isinstance(form.who, int) else next((seat for seat, won in enumerate(tricks) if won), 0)
    return Round(tricks, _column_headed(form, TAKEN), last, _column_headed(form, COIN) if COIN in form.heads else UNSET)


def _after(state: State, answers: tuple[Answer, ...]) -> tuple[Form, PriceInput]:
    """Return the form of a round after the answers, and the price being typed."""
    form, rest, price = _filled(_round_form(state), answers)
    while rest and not form.agreed:
        form, rest, price = _filled(form.take(rest[0]), tuple(rest[1:]))
    return form, price


def ask_round(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    """Return the next prompt of a whole round, or its event: by seat prices, tricks, aces; winner of the last trick."""
    form, price = _after(state, answers)
    if form.agreed:
        return _event(form)
    if form.complete:
        able = [seat for seat, won in enumerate(_column_headed(form, TRICKS)) if won]
        return form.ask_whole(Text(N_("Who won last?")), able)
    seat, column = form.cell
    if form.heads[column] is COIN:
        return _ask_price(form, price)
    return form.ask(
        Text(N_("Tricks: {player}") if form.heads[column] is TRICKS else N_("Aces: {player}"), player=Seat(seat))
    )


def as_whole_round(before: State, _event: Event, after: State) -> Round:
    """Return the round that a card has ended, as one event."""
    tally = after.tallies[-1]
    return Round(tally.tricks, tally.aces, int(gainer(before.tricks, tally.tricks)))


def round_answers(state: State, event: Round) -> tuple[Answer, ...]:
    columns = {COIN: event.prices, TRICKS: event.tricks, TAKEN: event.aces}
    form = _round_form(state)
    if (COIN in form.heads) != isinstance(event.prices, tuple):
        return ()  # it cannot be entered here
    figures = tuple(chain.from_iterable(zip(*(columns[head] for head in form.heads), strict=True)))
    said = _numbers(form, figures)
    form, _price = _after(state, said)
    return (*said, *agreement(form, ChooseSeat(event.last) if form.asks else None))


# Prompts


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
