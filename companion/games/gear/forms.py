"""Forms of Gear: prices of a whole auction, and figures of a whole round, asked one by one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain

from msgspec import UNSET
from msgspec.structs import replace

from companion.core.game import Event
from companion.core.prompt import Answer, ChooseSeat, EnterNumber, Prompt, Skip
from companion.core.text import N_, Glyph, Seat, Text
from companion.games.kit.rounds import Form, agreement, sits
from companion.games.kit.tricks import gainer

from .cards import ACES, HAND
from .events import Prices, Round
from .price_entry import PriceInput, amount, amount_answers
from .rules import apply
from .state import State

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
