"""Form of a whole round of Eternity: tricks and trees by seat, and the winner of the last trick if needed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain

from msgspec import UNSET
from msgspec.structs import replace

from companion.core.game import Event
from companion.core.prompt import Answer, ChooseSeat, Prompt, Skip
from companion.core.text import N_, Seat, Text
from companion.games.kit.rounds import Form, agreement, numbers
from companion.games.kit.tricks import gainer

from .cards import most_trees, most_trees_of_seat, tricks_in_round
from .events import Round
from .rules import apply
from .state import State

TRICKS, TREES = range(2)
HEADS = (Text(N_("tricks")), Text(N_("trees")))
LAST = Text(N_("last trick"))


def _form(state: State, answers: tuple[Answer, ...] = ()) -> Form:
    def ended(form: Form) -> State:
        return apply(state, _event(form))

    def starter_unknown(form: Form) -> bool:
        """Return whether the next starter stays unknown unless the winner of the last trick is given."""
        return state.rules.edition == "jp" and ended(replace(form, who=UNSET)).phase == "start"

    title = Text(N_("Round {round}"), round=state.round)
    return Form(title, HEADS, state.seats, partial(_possible_values, state), starter_unknown, ended).after(answers)


def _possible_values(state: State, form: Form) -> Sequence[int]:
    seat, column = form.cell
    if column == TREES:
        left = form.left(TREES, most_trees(state.seats, state.rules.tokens == "limited"))
        return range(min(left, most_trees_of_seat(state.seats, form.column(TRICKS)[seat])) + 1)
    left = form.left(TRICKS, tricks_in_round(state.seats))
    return range(left if form.last_row else 0, left + 1)


def ask_round(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    form = _form(state, answers)
    if form.agreed:
        return _event(form)
    if form.complete:
        winners = [seat for seat, won in enumerate(form.column(TRICKS)) if won]
        return form.ask_whole(Text(N_("Who won last?")), winners, Text(N_("unknown")), LAST)
    seat, column = form.cell
    question = N_("Trees: {player}") if column == TREES else N_("Tricks: {player}")
    return form.ask(Text(question, player=Seat(seat)))


def _event(form: Form) -> Round:
    return Round(form.column(TRICKS), form.column(TREES), form.who if isinstance(form.who, int) else UNSET)


def as_whole_round(before: State, _event: Event, after: State) -> Round:
    """Return the round that a card has ended, as one event."""
    tricks, trees = after.sheets[-1]
    return Round(tricks, trees, int(gainer(before.tricks, tricks)))


def round_answers(state: State, event: Round) -> tuple[Answer, ...]:
    said = numbers(_form(state), tuple(chain.from_iterable(zip(event.tricks, event.trees, strict=True))))
    form = _form(state, said)
    unknown = Skip() if form.asks else None
    return (*said, *agreement(form, ChooseSeat(event.last) if isinstance(event.last, int) else unknown))
