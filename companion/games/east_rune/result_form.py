"""Result form of East Rune: final figures by seat, and who captured the last chair if that breaks a tie.

It asks for chairs by seat, then monarchs, then cards in hand; with 2 players there are no chairs. The last seat's
captures are filled in as the remainder, unless the table says that something was left over.
``#`` sets all remaining hands to 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from msgspec import UNSET
from msgspec.structs import replace

from companion.core.prompt import Answer, ChooseSeat, EnterNumber, Prompt, SecondOffer, Skip
from companion.core.text import N_, Glyph, Seat, Text
from companion.games.kit.forms import Form

from .cards import MONARCHS_IN_ALL, VASSALS_IN_ALL
from .events import Result
from .rules import most_in_hand
from .scoring import leaders
from .state import State

CHAIR, CROWN = Glyph("chair"), Glyph("crown")
CHAIRS, MONARCHS, HAND = Text("{chair}", chair=CHAIR), Text("{crown}", crown=CROWN), Text(N_("hand"))
HEADS = (CHAIRS, MONARCHS, HAND)
_LAST = {CHAIRS: Text(N_("last {chair}"), chair=CHAIR), MONARCHS: Text(N_("last {crown}"), crown=CROWN)}
_WHO_LAST = {CHAIRS: Text(N_("Last {chair}: who?"), chair=CHAIR), MONARCHS: Text(N_("Last {crown}: who?"), crown=CROWN)}
REST = Text(N_("rest 0"))


def _form(state: State, left_over: bool) -> Form:
    heads = HEADS[1:] if state.seats == 2 else HEADS
    return Form(Text(N_("The end")), heads, state.seats, partial(_possible_values, state, left_over))


def _possible_values(state: State, left_over: bool, form: Form) -> Sequence[int]:
    """Return the possible values of the next figure; the last seat has the rest, unless something was left over."""
    seat, column = form.cell
    if form.heads[column] is HAND:
        most = most_in_hand(state, seat)
        return range((min(most, VASSALS_IN_ALL - sum(form.column(column))) if state.seats == 2 else most) + 1)
    left = _in_all(state, form, column) - sum(form.column(column))
    return range(left if seat == state.seats - 1 and not left_over else 0, left + 1)


def _in_all(state: State, form: Form, column: int) -> int:
    """Return how many chairs or monarchs the game has, for the column that counts them."""
    return state.rounds if form.heads[column] is CHAIRS else MONARCHS_IN_ALL


def _filled(state: State, answers: Iterable[Answer]) -> tuple[Form, bool]:
    """Return the form after some answers, and whether something was left over that nobody captured."""
    form, left_over = _form(state, False).settled(), False
    for answer in answers:
        if isinstance(answer, SecondOffer) and form.heads[form.cell[1]] is not HAND:  # not the question "who last?"
            form, left_over = replace(form, able=partial(_possible_values, state, True)), True
        else:
            form = form.take(answer)
    return form, left_over


def ask_result(state: State, answers: tuple[Answer, ...]) -> Prompt | Result:
    form, left_over = _filled(state, answers)
    if form.asks_who:
        return _ask_last(form)
    if form.complete:
        *chairs, monarchs, hand = (form.column(column) for column in range(len(form.heads)))
        result = Result(chairs[0] if chairs else (0, 0), monarchs, hand, form.who)
        if form.who is not UNSET or not _tied(state, result):
            return result
        if sum(form.column(0)) < _in_all(state, form, 0):  # nobody captured the last one
            return replace(result, last_chair=None)
        return _ask_last(form)
    seat, column = form.cell
    if form.heads[column] is not HAND:
        text = Text(N_("{sign}: {player}"), sign=form.heads[column], player=Seat(seat))
        return form.ask(text, extra=None if left_over else Text(N_("not all")))
    return form.ask(
        Text(N_("In hand: {player}"), player=Seat(seat)),
        extra=_LAST[form.heads[0]] if form.who is UNSET else None,
        skip=REST if seat < state.seats - 1 else None,
    )


def _ask_last(form: Form) -> Prompt:
    captured = [seat for seat, count in enumerate(form.column(0)) if count]
    return form.ask_who(_WHO_LAST[form.heads[0]], captured, Text(N_("nobody")))


def _tied(state: State, result: Result) -> bool:
    figures = replace(state, chairs=result.chairs, monarchs=result.monarchs, hand=result.hand)
    return len(leaders(figures)) > 1


def result_answers(state: State, event: Result) -> tuple[Answer, ...]:
    figures = {CHAIRS: event.chairs, MONARCHS: event.monarchs, HAND: event.hand}
    form, left_over = _filled(state, ())
    last = () if event.last_chair is UNSET else (Skip() if event.last_chair is None else ChooseSeat(event.last_chair),)
    tied = _tied(state, event)
    asked = tied and _in_all(state, form, 0) == sum(figures[form.heads[0]])
    follows = tied and event.last_chair is None  # implied; if asked, the answer is the same
    given: tuple[Answer, ...] = ()
    while not form.complete:
        seat, column = form.cell
        head = form.heads[column]
        if head is not HAND and not left_over and sum(figures[head]) < _in_all(state, form, column):
            given = (*given, SecondOffer())
        elif head is HAND and seat == 0 and last and not asked and not follows:
            given = (*given, SecondOffer(), *last)
        rest = head is HAND and form.rests_at_zero(event.hand)
        given = (*given, Skip() if rest else EnterNumber(figures[head][seat]))
        form, left_over = _filled(state, given)
    return (*given, *last) if asked else given
