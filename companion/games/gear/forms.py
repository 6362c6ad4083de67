"""Gear's sheets: the prices of an auction and the figures of a round, asked one by one.

What the figures before it decide is filled in, not asked; ``#`` says that all that are left are 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from msgspec import UNSET, Struct

from companion.core.events import Event
from companion.core.prompt import Alternative, Answer, ChooseItem, ChooseSeat, EnterNumber, Prompt, Skip, TallySheet
from companion.core.text import N_, Glyph, Seat, Text

from .cards import ACES, HAND
from .events import Prices, Round
from .state import State

COIN = Text("{coin}", coin=Glyph("coin"))
TRICKS = Text(N_("tricks"))
LAST = 5
"""What is added to a seat's aces to say that it won the last trick as well."""
WITH_LAST = Text(N_("+{more}: last trick"), more=LAST)
REST = Text(N_("rest 0"))
MOST_AT_ONCE = 19
"""The highest price that is typed as it is: a 2 shall never wait for another digit."""
ACES_TAKEN = Text("{ace}", ace=Glyph("ace"))


# A bid up to the bidder's points is typed as it is, and any up to 19 where 1 is too low to be meant; on a sheet, whose
# cells follow each other, that is only what has one digit. A price may be of any height: an Extra for every digit above
# the fewest, then its digits are asked one by one.


class Amount(Struct, frozen=True):
    """A price being said.

    Attributes:
        value: The price, once it is complete.
        shown: Its digits so far.
        offered: What can be answered next.
        extra: What the extra answer is called, where there is one.
    """

    value: int | None
    shown: str = ""
    offered: tuple[Answer, ...] = ()
    extra: Text | None = None

    def question(self, player: Seat) -> Text:
        """Return what is asked next."""
        if self.shown:
            return Text(N_("Price {digits}: {player}"), digits=self.shown, player=player)
        return Text(N_("Price: {player}"), player=player)


def _at_once(least: int, points: int) -> range:
    """Return the prices that are one answer; none where all have two digits or more.

    Args:
        least: The lowest price that can be said.
        points: What the bidder has; 0 on a sheet.
    """
    if least > 9:
        return range(0)
    return range(least, MOST_AT_ONCE + 1 if least > 1 else max(9, min(points, MOST_AT_ONCE)) + 1)


def amount(rest: list[Answer], least: int, points: int = 0) -> Amount:
    """Take the answers that say a price from the front of some answers; see ``_at_once``."""
    length = len(str(least))
    whole = _at_once(least, points)
    if whole and not (rest and isinstance(rest[0], Alternative)):
        if rest and isinstance(rest[0], EnterNumber):
            return Amount(_figure(rest.pop(0)))
        return Amount(None, offered=(*map(EnterNumber, whole), Alternative()), extra=_or_more(whole[-1] + 1))
    while rest and isinstance(rest[0], Alternative):
        rest.pop(0)
        length += 1
    digits = ""
    while len(digits) < length and rest and isinstance(rest[0], EnterNumber):
        digits += str(rest[0].value)
        rest.pop(0)
    if len(digits) == length:
        return Amount(int(digits))
    lowest = max(least, 10 ** (length - 1))
    able = (digit for digit in range(10) if int(f"{digits}{digit}".ljust(length, "9")) >= lowest)
    shown = digits + "_" * (length - len(digits))
    figures = tuple(EnterNumber(digit) for digit in able)
    if digits:
        return Amount(None, shown, figures)
    return Amount(None, shown, (*figures, Alternative()), _or_more(10**length))


def _or_more(least: int) -> Text:
    return Text(N_("{least}+"), least=least)


def amount_answers(value: int, least: int, points: int = 0) -> tuple[Answer, ...]:
    """Return the answers that say a price; see ``_at_once``."""
    if value in _at_once(least, points):
        return (EnterNumber(value),)
    digits = str(value)
    more = len(digits) - len(str(least))
    return (*(Alternative(),) * more, *(EnterNumber(int(digit)) for digit in digits))


# Figures by seat


@dataclass(slots=True)
class Columns:
    """The figures of a round said so far, by seat."""

    prices: list[int] = field(default_factory=list)
    tricks: list[int] = field(default_factory=list)
    aces: list[int] = field(default_factory=list)
    last: int | None = None

    def sheet(self, state: State, priced: bool, counted: bool, cell: tuple[int, int] | None) -> TallySheet:
        """Return the tally as far as it goes.

        Args:
            state: The round it is of.
            priced: Whether the prices are part of it.
            counted: Whether tricks and aces are.
            cell: The seat and column that is asked for.
        """
        columns = ((COIN, self.prices),) * priced + ((TRICKS, self.tricks), (ACES_TAKEN, self.aces)) * counted
        rows = tuple(
            tuple(figures[seat] if seat < len(figures) else None for _head, figures in columns)
            for seat in range(state.seats)
        )
        title = Text(N_("Round {round}"), round=state.round) if counted else Text(N_("Prices"))
        return TallySheet(title, tuple(head for head, _figures in columns), rows, cell)


def _said_prices(state: State, rest: list[Answer], said: Columns, counted: bool) -> Prompt | None:
    """Take the prices from the front of some answers; ask for the next one if they do not reach."""
    while len(said.prices) < state.seats:
        if rest and isinstance(rest[0], Skip):
            rest.pop(0)
            said.prices += [0] * (state.seats - len(said.prices))
            break
        price = amount(rest, 0)
        if price.value is None:
            seat = len(said.prices)
            return Prompt(
                price.question(Seat(seat)),
                (*price.offered, Skip()) if not price.shown else price.offered,
                seat=seat,
                extra=price.extra,
                skip=None if price.shown else REST,
                sheet=said.sheet(state, True, counted, (seat, 0)),
            )
        said.prices.append(price.value)
    return None


def _price_answers(prices: Sequence[int]) -> Iterator[Answer]:
    for seat, price in enumerate(prices):
        if len(prices) - seat > 1 and not any(prices[seat:]):
            yield Skip()
            return
        yield from amount_answers(price, 0)


# A whole auction


def ask_prices(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    """Ask for the prices of a whole auction, and who gets which lot where the lots were entered."""
    said = Columns()
    rest = list(answers)
    asked = _said_prices(state, rest, said, False)
    if asked is not None:
        return asked
    if state.dealt is None:
        return Prices(tuple(said.prices))
    holders = [answer.seat for answer in rest if isinstance(answer, ChooseSeat)]
    free = [seat for seat in range(state.seats) if seat not in holders]
    if len(free) > 1:
        text = Text(N_("Who gets lot {lot}?"), lot=len(holders) + 1)
        return Prompt(text, tuple(ChooseSeat(seat) for seat in free), sheet=said.sheet(state, True, False, None))
    return Prices(tuple(said.prices), (*holders, *free))


def prices_answers(event: Prices) -> tuple[Answer, ...]:
    """Return the answers that make a whole auction."""
    holders = event.lots[:-1] if isinstance(event.lots, tuple) else ()
    return (*_price_answers(event.prices), *(ChooseSeat(seat) for seat in holders))


# A whole round


def priced(state: State) -> bool:
    """Tell whether the prices of this round are still to be said."""
    return state.rules.auction and state.phase != "play"


def ask_round(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    """Ask for the figures of a round: prices, tricks, aces, and who won the last trick."""
    said = Columns()
    rest = list(answers)
    paid = priced(state)
    asked = _said_prices(state, rest, said, True) if paid else None
    asked = asked or _said_tricks(state, rest, said) or _said_aces(state, rest, said)
    if asked is not None:
        return asked
    able = _able(said.tricks)
    match rest:
        case [ChooseSeat(seat)]:
            said.last = seat
    if said.last is None and len(able) > 1:
        text = Text(N_("Who won last?"))
        return Prompt(text, tuple(ChooseSeat(seat) for seat in able), sheet=said.sheet(state, paid, True, None))
    last = able[0] if said.last is None else said.last
    return Round(tuple(said.tricks), tuple(said.aces), last, tuple(said.prices) if paid else UNSET)


def _said_tricks(state: State, rest: list[Answer], said: Columns) -> Prompt | None:
    """Take the tricks from the front of some answers; ask for the next figure if they do not reach."""
    while len(said.tricks) < state.seats:
        won = _decided_tricks(said.tricks, state.seats)
        if won is None and not rest:
            seat, paid = len(said.tricks), priced(state)
            return Prompt(
                Text(N_("Tricks: {player}"), player=Seat(seat)),
                tuple(EnterNumber(value) for value in range(HAND - sum(said.tricks) + 1)),
                seat=seat,
                sheet=said.sheet(state, paid, True, (seat, int(paid))),
            )
        said.tricks.append(_figure(rest.pop(0)) if won is None else won)
    return None


def _said_aces(state: State, rest: list[Answer], said: Columns) -> Prompt | None:
    """Take the aces, and perhaps the last trick, from the front of some answers; ask for the next figure if need be."""
    while len(said.aces) < state.seats:
        seat = len(said.aces)
        taken = _decided_aces(said.tricks, said.aces)
        if taken is not None:
            said.aces.append(taken)
            continue
        if not rest:
            return _ask_aces(state, said, seat)
        match rest.pop(0):
            case Skip():
                said.aces += [0] * (state.seats - seat)
            case ChooseItem(value):
                said.aces.append(value - LAST)
                said.last = seat
            case answer:
                said.aces.append(_figure(answer))
    return None


def _ask_aces(state: State, said: Columns, seat: int) -> Prompt:
    paid = priced(state)
    able = range(min(ACES - sum(said.aces), said.tricks[seat] * state.seats) + 1)
    figures: tuple[Answer, ...] = tuple(EnterNumber(value) for value in able)
    asks_last = said.last is None and len(_able(said.tricks)) > 1
    if asks_last:
        figures += tuple(_with_last(value) for value in able)
    skip = None if state.seats == 5 else REST
    return Prompt(
        Text(N_("Aces: {player}"), player=Seat(seat)),
        figures if skip is None else (*figures, Skip()),
        seat=seat,
        skip=skip,
        sheet=said.sheet(state, paid, True, (seat, 1 + paid)),
        legend=WITH_LAST if asks_last else None,
    )


def _with_last(aces: int) -> ChooseItem:
    """Return the answer that says a seat's aces, and that it won the last trick."""
    return ChooseItem(aces + LAST, Text(N_("{aces} + last"), aces=aces))


def _able(tricks: Sequence[int]) -> list[int]:
    """Return the seats that can have won the last trick."""
    return [seat for seat, won in enumerate(tricks) if won]


def _figure(answer: Answer) -> int:
    assert isinstance(answer, EnterNumber)  # nothing else is offered there
    return answer.value


def _decided_tricks(before: Sequence[int], seats: int) -> int | None:
    """Return the tricks of the next seat if those of the seats before it decide them."""
    left = HAND - sum(before)
    return left if not left or len(before) == seats - 1 else None


def _decided_aces(tricks: Sequence[int], before: Sequence[int]) -> int | None:
    """Return the aces of the next seat if tricks and the aces of the seats before it decide them."""
    seat, left = len(before), ACES - sum(before)
    if not tricks[seat] or not left:
        return 0
    return left if len(tricks) == 5 and not any(tricks[seat + 1 :]) else None


def round_answers(state: State, event: Round) -> tuple[Answer, ...]:
    """Return the answers that make a whole round."""
    given: list[Answer] = list(_price_answers(event.prices)) if isinstance(event.prices, tuple) else []
    for seat, won in enumerate(event.tricks):
        if _decided_tricks(event.tricks[:seat], state.seats) is None:
            given.append(EnterNumber(won))
    last = event.last if len(_able(event.tricks)) > 1 else None
    for seat, taken in enumerate(event.aces):
        if _decided_aces(event.tricks, event.aces[:seat]) is not None:
            continue
        if seat == last:
            given.append(_with_last(taken))
            last = None
        elif not any(event.aces[seat:]) and any(event.tricks[seat + 1 :]):
            given.append(Skip())
            break
        else:
            given.append(EnterNumber(taken))
    return tuple(given) if last is None else (*given, ChooseSeat(last))
