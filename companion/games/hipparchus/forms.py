"""Form of a whole round of Hipparchus: cards captured by seat and suit, and the tie-break if needed."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from companion.core.events import Event
from companion.core.prompt import Answer, ChooseSeat, Prompt, SecondOffer
from companion.core.text import N_, Seat, Text
from companion.games.kit.forms import Form, numbers

from .cards import DEALT, IN_SUIT, SUITS, Counts
from .events import Round, RoundPile
from .rules import tied
from .state import State

SECOND = Text(N_("laid second"))
HEADS = tuple(Text("{suit}", suit=suit.sign) for suit in SUITS)


def _form(state: State, answers: tuple[Answer, ...] = ()) -> Form:
    return Form(Text(N_("Round {round}"), round=state.round), HEADS, 2, _possible_values, by_seat=True).after(answers)


def _possible_values(form: Form) -> Sequence[int]:
    _seat, suit = form.cell
    return range(min(IN_SUIT - sum(form.column(suit)), DEALT - sum(form.figures)) + 1)


def ask_round(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    form = _form(state, answers)
    second = form.who if isinstance(form.who, int) else UNSET
    if form.complete and (second is not UNSET or not tied(_piles(form.figures))):
        ours, theirs = _piles(form.figures)
        return Round((RoundPile(*ours), RoundPile(*theirs)), second)
    if form.complete or form.asks_who:
        return form.ask_who(Text(N_("2nd in last trick?")), (0, 1))
    seat, suit = form.cell
    text = Text(N_("{suit}: {player}"), suit=SUITS[suit], player=Seat(seat))
    return form.ask(text, extra=SECOND if second is UNSET else None)


def _piles(figures: Sequence[int]) -> tuple[Counts, Counts]:
    our_sun, our_moon, our_earth, their_sun, their_moon, their_earth = figures
    return (our_sun, our_moon, our_earth), (their_sun, their_moon, their_earth)


def round_answers(state: State, event: Round) -> tuple[Answer, ...]:
    ours, theirs = (pile.counts for pile in event.captured)
    said = numbers(_form(state), ours + theirs)
    if not isinstance(event.second, int):
        return said
    second = ChooseSeat(event.second)
    return (*said, second) if tied((ours, theirs)) else (SecondOffer(), second, *said)
