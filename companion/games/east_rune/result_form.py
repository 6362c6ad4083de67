"""Result form of East Rune: final figures by seat, and who captured the last chair if that breaks a tie.

It asks for each seat's chairs, monarchs and cards in hand; with 2 players there are no chairs. The last seat's
captures are filled in as the remainder, unless the table says that something was left over.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain

from msgspec import UNSET
from msgspec.structs import replace

from companion.core.game import Event
from companion.core.prompt import Answer, ChooseSeat, Prompt, Skip, TakeAlternative
from companion.core.text import N_, Glyph, Seat, Text
from companion.games.kit.rounds import Form, agreement, numbers

from .cards import MONARCHS_IN_ALL, VASSALS_IN_ALL
from .events import Result
from .rules import apply, most_in_hand
from .state import State
from .winners import leaders

CHAIR, CROWN = Glyph("chair"), Glyph("crown")
CHAIRS, MONARCHS, HAND = Text("{chair}", chair=CHAIR), Text("{crown}", crown=CROWN), Text(N_("hand"))
HEADS = (CHAIRS, MONARCHS, HAND)
_LAST = {CHAIRS: Text(N_("last {chair}"), chair=CHAIR), MONARCHS: Text(N_("last {crown}"), crown=CROWN)}
_WHO_LAST = {CHAIRS: Text(N_("Last {chair}: who?"), chair=CHAIR), MONARCHS: Text(N_("Last {crown}: who?"), crown=CROWN)}
NOBODY = Text(N_("nobody"))


def _form(state: State, answers: tuple[Answer, ...] = ()) -> Form:
    heads, title = HEADS[1:] if state.seats == 2 else HEADS, Text(N_("The end"))
    needs_last, check = partial(_needs_last, state), partial(_check, state)
    return Form(title, heads, state.seats, partial(_possible_values, state), needs_last, check).after(answers)


def _check(state: State, form: Form) -> None:
    """Raise if the figures cannot be; a tie that is still to be broken can."""
    result = _result(state, form)
    apply(state, replace(result, last_chair=None) if result.last_chair is UNSET else result)


def _possible_values(state: State, form: Form) -> Sequence[int]:
    """Return the possible values of the next figure; the last seat has the rest, unless something was left over."""
    seat, column = form.cell
    if form.heads[column] is HAND:
        most = most_in_hand(state, seat)
        return range((min(most, form.left(column, VASSALS_IN_ALL)) if state.seats == 2 else most) + 1)
    left = form.left(column, _in_all(state, form, column))
    return range(left if form.last_row else 0, left + 1)


def _in_all(state: State, form: Form, column: int) -> int:
    """Return how many chairs or monarchs the game has, for the column that counts them."""
    return state.rounds if form.heads[column] is CHAIRS else MONARCHS_IN_ALL


def _needs_last(state: State, form: Form) -> bool:
    """Return whether a tie is broken by whoever captured the last one; if one was left over, nobody did."""
    return sum(form.column(0)) == _in_all(state, form, 0) and _tied(state, _result(state, form))


def _result(state: State, form: Form) -> Result:
    *chairs, monarchs, hand = (form.column(column) for column in range(len(form.heads)))
    result = Result(chairs[0] if chairs else (0, 0), monarchs, hand, form.who)
    left_over = sum(form.column(0)) < _in_all(state, form, 0)
    follows = form.who is UNSET and left_over and _tied(state, result)
    return replace(result, last_chair=None) if follows else result


def ask_result(state: State, answers: tuple[Answer, ...]) -> Prompt | Result:
    form = _form(state, answers)
    if form.agreed:
        return _result(state, form)
    if form.complete:
        captured = [seat for seat, count in enumerate(form.column(0)) if count]
        return form.ask_whole(_WHO_LAST[form.heads[0]], captured, NOBODY, _LAST[form.heads[0]])
    seat, column = form.cell
    if form.heads[column] is HAND:
        return form.ask(Text(N_("In hand: {player}"), player=Seat(seat)))
    text = Text(N_("{sign}: {player}"), sign=form.heads[column], player=Seat(seat))
    return form.ask(text, extra=None if form.rest_open else Text(N_("not all")))


def _tied(state: State, result: Result) -> bool:
    figures = replace(state, chairs=result.chairs, monarchs=result.monarchs, hand=result.hand)
    return len(leaders(figures)) > 1


def as_result(_before: State, _event: Event, after: State) -> Result:
    """Return the result of a game that ended with a card, as the event that a table enters without cards."""
    return Result(after.chairs, after.monarchs, after.hand, None if after.chairs_up else after.last)


def result_answers(state: State, event: Result) -> tuple[Answer, ...]:
    form = _form(state)
    columns = {CHAIRS: event.chairs, MONARCHS: event.monarchs, HAND: event.hand}
    figures = tuple(chain.from_iterable(zip(*(columns[head] for head in form.heads), strict=True)))
    captured = {column: sum(columns[head]) for column, head in enumerate(form.heads) if head is not HAND}
    given: tuple[Answer, ...] = ()
    if any(count < _in_all(state, form, column) for column, count in captured.items()):
        given = (TakeAlternative(),)
    given += numbers(_form(state, given), figures)
    form = _form(state, given)
    last = None if event.last_chair is UNSET else Skip() if event.last_chair is None else ChooseSeat(event.last_chair)
    if isinstance(last, Skip) and captured[0] < _in_all(state, form, 0) and _tied(state, event):
        last = None  # it follows from the figures
    return (*given, *agreement(form, last))
