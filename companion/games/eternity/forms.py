"""Form of a whole round of Eternity: tricks and trees by seat, and the winner of the last trick if needed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec import UNSET

from companion.core.events import Event
from companion.core.prompt import Answer, ChooseSeat, Prompt, SecondOffer, Skip
from companion.core.text import N_, Seat, Text
from companion.games.kit.forms import Form, numbers

from .cards import most_trees, most_trees_of_seat, tricks_in_round
from .events import Round
from .rules import apply
from .state import State

TRICKS, TREES = range(2)
HEADS = (Text(N_("tricks")), Text(N_("trees")))
LAST = Text(N_("last trick"))


def _form(state: State, answers: tuple[Answer, ...] = ()) -> Form:
    title = Text(N_("Round {round}"), round=state.round)
    return Form(title, HEADS, state.seats, partial(_possible_values, state)).after(answers)


def _possible_values(state: State, form: Form) -> Sequence[int]:
    seat, column = form.cell
    if column == TREES:
        left = most_trees(state.seats, state.rules.tokens == "limited") - sum(form.column(TREES))
        return range(min(left, most_trees_of_seat(state.seats, form.column(TRICKS)[seat])) + 1)
    left = tricks_in_round(state.seats) - sum(form.figures)
    if seat == state.seats - 1:
        return range(left, left + 1)
    later = isinstance(form.who, int) and form.who > seat  # the winner of the last trick has at least one
    return range(int(seat == form.who), left - later + 1)


def ask_round(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    form = _form(state, answers)
    tricks, last = form.column(TRICKS), form.who
    if form.complete:
        event = Round(tricks, form.column(TREES), last if isinstance(last, int) else UNSET)
        if last is UNSET and _starter_unknown(state, event):
            winners = [seat for seat, won in enumerate(tricks) if won]
            return form.ask_who(Text(N_("Who won last?")), winners, Text(N_("unknown")))
        return event
    if form.asks_who:
        able = [seat for seat in range(state.seats) if seat >= len(tricks) or tricks[seat]]
        return form.ask_who(Text(N_("Who won last?")), able)
    seat, column = form.cell
    question = N_("Trees: {player}") if column == TREES else N_("Tricks: {player}")
    return form.ask(Text(question, player=Seat(seat)), extra=LAST if last is UNSET else None)


def _starter_unknown(state: State, event: Round) -> bool:
    """Return whether the next starter stays unknown unless the winner of the last trick is given."""
    return state.rules.edition == "jp" and apply(state, event).phase == "start"


def round_answers(state: State, event: Round) -> tuple[Answer, ...]:
    figures = event.tricks + event.trees
    asked = _starter_unknown(state, Round(event.tricks, event.trees))
    if not isinstance(event.last, int):
        return (*numbers(_form(state), figures), *(Skip(),) * asked)
    winner = ChooseSeat(event.last)
    if asked:
        return (*numbers(_form(state), figures), winner)
    said = (SecondOffer(), winner)
    return (*said, *numbers(_form(state, said), figures))
