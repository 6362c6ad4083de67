"""Form of a whole round of Hipparchus: cards captured by seat and suit, and the tie-break if needed."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from companion.core.game import Event
from companion.core.prompt import Answer, ChooseSeat, Prompt
from companion.core.text import N_, Seat, Text
from companion.games.kit.rounds import Form, agreement, numbers

from .cards import DEALT, IN_SUIT, SUITS, Counts
from .events import Round, RoundPile
from .rules import apply, tied
from .state import State

SECOND = Text(N_("laid second"))
HEADS = tuple(Text("{suit}", suit=suit.sign) for suit in SUITS)


def _form(state: State, answers: tuple[Answer, ...] = ()) -> Form:
    title = Text(N_("Round {round}"), round=state.round)
    return Form(
        title,
        HEADS,
        2,
        _possible_values,
        needs_who=lambda form: tied(_piles(form)),
        check=lambda form: apply(state, _event(form, 0 if form.who is UNSET and tied(_piles(form)) else form.who)),
    ).after(answers)


def _event(form: Form, second: object) -> Round:
    ours, theirs = _piles(form)
    return Round((RoundPile(*ours), RoundPile(*theirs)), second if isinstance(second, int) else UNSET)


def _possible_values(form: Form) -> Sequence[int]:
    _seat, suit = form.cell
    dealt = DEALT if form.again else DEALT - sum(sum(form.column(column)) for column in range(len(SUITS)))
    return range(min(form.left(suit, IN_SUIT), dealt) + 1)


def ask_round(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    form = _form(state, answers)
    if form.agreed:
        return _event(form, form.who)
    if form.complete:
        return form.ask_whole(Text(N_("2nd in the last?")), (0, 1), extra=SECOND)
    seat, suit = form.cell
    return form.ask(Text(N_("{suit}: {player}"), suit=SUITS[suit], player=Seat(seat)))


def _piles(form: Form) -> tuple[Counts, Counts]:
    (our_sun, their_sun), (our_moon, their_moon), (our_earth, their_earth) = (
        form.column(column) for column in range(len(SUITS))
    )
    return (our_sun, our_moon, our_earth), (their_sun, their_moon, their_earth)


def as_whole_round(before: State, _event: Event, after: State) -> Round:
    """Return the round that a card has ended, as one event."""
    ours, theirs = after.sheets[-1]
    stuck_later = after.sheets[-1] == before.captured
    assert before.leader is not None  # a round that is entered card by card has one
    second = before.second if stuck_later and before.second is not None else 1 - before.leader
    return Round((RoundPile(*ours), RoundPile(*theirs)), second)


def round_answers(state: State, event: Round) -> tuple[Answer, ...]:
    ours, theirs = (pile.counts for pile in event.captured)
    said = numbers(_form(state), ours + theirs)
    second = ChooseSeat(event.second) if isinstance(event.second, int) else None
    return (*said, *agreement(_form(state, said), second))
