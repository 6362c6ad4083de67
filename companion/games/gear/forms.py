"""Forms of Gear: prices of a whole auction, and figures of a whole round, asked one by one.

A figure that follows from those before it is filled in, not asked; ``#`` sets the rest of a column to 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec import UNSET

from companion.core.events import Event
from companion.core.prompt import Answer, ChooseItem, ChooseSeat, EnterNumber, Prompt, Skip
from companion.core.text import N_, Glyph, Seat, Text
from companion.games.kit.forms import Form

from .cards import ACES, HAND
from .events import Prices, Round
from .price_entry import PriceInput, amount, amount_answers
from .state import State

COIN = Text("{coin}", coin=Glyph("coin"))
TRICKS = Text(N_("tricks"))
TAKEN = Text("{ace}", ace=Glyph("ace"))
LAST = 5
"""Added to a seat's aces to enter that it also won the last trick."""
WITH_LAST = Text(N_("+{more}: last trick"), more=LAST)
REST = Text(N_("rest 0"))


def _form(state: State, title: Text, *heads: Text) -> Form:
    return Form(title, heads, state.seats, partial(_possible_values, state)).settled()


def _column_headed(form: Form, head: Text) -> tuple[int, ...]:
    """Return the known figures of the column with this head; empty if there is no such column."""
    return form.column(form.heads.index(head)) if head in form.heads else ()


def _possible_values(state: State, form: Form) -> Sequence[int]:
    """Return the possible values of the next figure; for a price the ten digits, so that it is always asked."""
    seat, column = form.cell
    head, tricks = form.heads[column], _column_headed(form, TRICKS)
    if head is COIN:
        return range(10)
    if head is TRICKS:
        left = HAND - sum(tricks)
        return range(left, left + 1) if seat == state.seats - 1 else range(left + 1)
    left = ACES - sum(_column_headed(form, TAKEN))
    if state.seats == 5 and left and tricks[seat] and not any(tricks[seat + 1 :]):  # all forty cards are played
        return range(left, left + 1)
    return range(min(left, tricks[seat] * state.seats) + 1)


def _filled(form: Form, answers: tuple[Answer, ...]) -> tuple[Form, list[Answer], PriceInput]:
    """Return the form after the answers, the answers left over, and the price being typed."""
    rest = list(answers)
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
            match rest.pop(0):
                case ChooseItem(value):  # aces of the seat that also won the last trick
                    form = form.take(ChooseSeat(form.cell[0])).put(value - LAST)
                case answer:
                    form = form.take(answer)
    return form, rest, price


def _ask_price(form: Form, price: PriceInput) -> Prompt:
    text = price.question(Seat(form.cell[0]))
    return form.ask(text, price.offered, extra=price.extra, skip=None if price.shown else REST)


def _price_answers(prices: Sequence[int]) -> tuple[Answer, ...]:
    given: tuple[Answer, ...] = ()
    for seat, price in enumerate(prices):
        if seat < len(prices) - 1 and not any(prices[seat:]):
            return (*given, Skip())
        given = (*given, *amount_answers(price, 0))
    return given


# A whole auction


def ask_prices(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    """Return the next prompt of a whole auction, or its event; if the lots were entered, it asks who gets which."""
    form, rest, price = _filled(_form(state, Text(N_("Prices")), COIN), answers)
    if not form.complete:
        return _ask_price(form, price)
    if state.dealt is None:
        return Prices(form.figures)
    holders = [answer.seat for answer in rest if isinstance(answer, ChooseSeat)]
    free = [seat for seat in range(state.seats) if seat not in holders]
    if len(free) > 1:
        return form.ask_who(Text(N_("Who gets lot {lot}?"), lot=len(holders) + 1), free)
    return Prices(form.figures, (*holders, *free))


def prices_answers(event: Prices) -> tuple[Answer, ...]:
    holders = event.lots[:-1] if isinstance(event.lots, tuple) else ()
    return (*_price_answers(event.prices), *map(ChooseSeat, holders))


# A whole round


def _round_form(state: State) -> Form:
    priced = state.rules.auction and state.phase != "play"  # in phase play the prices are known
    return _form(state, Text(N_("Round {round}"), round=state.round), *(COIN,) * priced, TRICKS, TAKEN)


def ask_round(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    """Return the next prompt of a whole round, or its event: prices, tricks, aces, winner of the last trick."""
    form, rest, price = _filled(_round_form(state), answers)
    tricks = _column_headed(form, TRICKS)
    able = [seat for seat, won in enumerate(tricks) if won]
    if form.complete:
        for answer in rest:
            form = form.take(answer)
        if form.who is UNSET and len(able) > 1:
            return form.ask_who(Text(N_("Who won last?")), able)
        last = form.who if isinstance(form.who, int) else able[0]
        return Round(
            tricks, _column_headed(form, TAKEN), last, _column_headed(form, COIN) if COIN in form.heads else UNSET
        )
    seat, column = form.cell
    if form.heads[column] is COIN:
        return _ask_price(form, price)
    if form.heads[column] is TRICKS:
        return form.ask(Text(N_("Tricks: {player}"), player=Seat(seat)))
    figures = form.able(form)
    asks_last = form.who is UNSET and len(able) > 1
    return form.ask(
        Text(N_("Aces: {player}"), player=Seat(seat)),
        (*map(EnterNumber, figures), *(_with_last(value) for value in figures if asks_last)),
        skip=None if state.seats == 5 else REST,
        legend=WITH_LAST if asks_last else None,
    )


def _with_last(aces: int) -> ChooseItem:
    return ChooseItem(aces + LAST, Text(N_("{aces} + last"), aces=aces))


def round_answers(state: State, event: Round) -> tuple[Answer, ...]:
    form = _round_form(state)
    given: tuple[Answer, ...] = ()
    if isinstance(event.prices, tuple):
        form, given = form.put(*event.prices), _price_answers(event.prices)
    last = event.last if sum(map(bool, event.tricks)) > 1 else None
    while not form.complete:
        seat, column = form.cell
        answer: Answer = EnterNumber((event.tricks if form.heads[column] is TRICKS else event.aces)[seat])
        if form.heads[column] is TAKEN and seat == last:
            answer, last = _with_last(event.aces[seat]), None
        elif form.heads[column] is TAKEN and form.rests_at_zero(event.aces):
            answer = Skip()
        given = (*given, answer)
        form = form.put(event.aces[seat]) if isinstance(answer, ChooseItem) else form.take(answer)
    return given if last is None else (*given, ChooseSeat(last))
