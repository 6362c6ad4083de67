"""Rules of a game that a file declares: its start, what an event does, and the end of a round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import asdict, replace

from companion.core.game import Event, Start, check_seat
from companion.core.text import N_, IllegalEventError, Text
from companion.games.kit import added

from .asked_figures import checked, settled
from .card_play import (
    apply_lead,
    apply_play,
    apply_trick,
    apply_trump,
    begun,
    lead_card,
    next_phase,
    results,
)
from .declaration import Declaration
from .events import EventClasses, GameEnded, Given, Lead, Play, Trick, Trump, given, told
from .state import State, scope, side_numbers


def start(game: Declaration, seats: int, rules: Any) -> State:
    """Return the state of a new game."""
    for name, number in asdict(rules).items():
        if not game.options[name].allows(number):
            raise IllegalEventError("rule", N_("{rule} cannot be {number}"), rule=name, number=number)
    blank = (None,) * len(game.questions)
    state = State(rules=rules, seats=seats, given=blank, totals=(0,) * seats, carry=((0,) * seats,) * len(game.carry))
    return state if game.dealer else advanced(game, state)


def apply(game: Declaration, kinds: EventClasses, state: State, event: Event) -> State:
    """Return the state after an event."""
    place = kinds.place(event)
    if state.phase == "over":
        if place is not None and game.questions[place].stops and not any(state.given[place] or ()):
            return state  # logs may hold figures from after the end of a game: they do not count
        raise IllegalEventError("over", N_("the game is over"))
    if place is not None:
        if state.asked != place:
            raise _not_now(game, state)
        return _answered(game, state, {place: told(game.questions[place], event)})
    if kinds.round is not None and isinstance(event, kinds.round):
        return _apply_round(game, state, event)
    match event:
        case Start(player) if state.phase == "start":
            check_seat(player, state.seats)
            return advanced(game, replace(state, dealer=player))
        case Trump(suit) if state.phase == "trump":
            return advanced(game, apply_trump(game, state, suit))
        case Lead(player) if state.phase == "lead":
            return advanced(game, apply_lead(game, state, player))
        case Play(player, card) if state.phase == "lead" and game.tricks is not None:
            if card is lead_card(game.tricks, state.seats):
                led = replace(apply_lead(game, state, player), phase="play")
                return advanced(game, apply_play(game, led, player, card))
        case Play(player, card) if state.phase == "play":
            return advanced(game, apply_play(game, state, player, card))
        case Trick(winner) if state.phase == "play":
            return advanced(game, apply_trick(game, state, winner))
        case GameEnded() if can_end(game, state):
            return _over(game, state)
    raise _not_now(game, state)


def _not_now(game: Declaration, state: State) -> IllegalEventError:
    if state.asked is not None:
        return IllegalEventError("phase", N_("first enter {label}"), label=Text(game.questions[state.asked].subject))
    sentences = {
        "start": N_("first say who deals"),
        "trump": N_("first enter the trump"),
        "lead": N_("first say who leads"),
    }
    return IllegalEventError("phase", sentences.get(state.phase, N_("the cards of a trick come next")))


def can_end(game: Declaration, state: State) -> bool:
    """Return whether the table can say now that the game is over: between two rounds, if no formula ends it."""
    return game.end is None and bool(state.rounds) and not state.entered and state.phase != "start"


def open_places(state: State) -> list[int]:
    """Return the places of the questions of this round that have no answer yet."""
    return [place for place, answer in enumerate(state.given) if answer is None]


def _apply_round(game: Declaration, state: State, event: Event) -> State:
    if state.phase == "start":
        raise _not_now(game, state)
    answers: dict[int, Given] = {}
    for question in game.questions:
        value = getattr(event, question.name)
        known = state.given[question.place] is not None
        if known and value is not UNSET:
            raise IllegalEventError("known", N_("{label} of this round is known already"), label=Text(question.subject))
        if not known and value is UNSET:
            raise IllegalEventError("missing", N_("{label} of this round is missing"), label=Text(question.subject))
        if not known:
            answers[question.place] = given(question, value)
    alerts = tuple(alert for alert in state.alerts if alert.round != state.round)
    return _answered(game, replace(state, alerts=alerts, play=None), answers)


def _answered(game: Declaration, state: State, answers: dict[int, Given]) -> State:
    now = checked(game, state, answers)
    return advanced(game, replace(state, given=now, entered=True))


def advanced(game: Declaration, state: State) -> State:
    """Return the state in which the next entry is awaited: questions with one possible answer are answered."""
    while state.phase != "over":
        found = results(game, state)
        if any(state.given[place] is None for place in found):
            answers = (found.get(place, answer) for place, answer in enumerate(state.given))
            state = replace(state, given=tuple(answers))
        places = open_places(state)
        if not places:
            state = _ended(game, state)
            continue
        phase = next_phase(game, state, places[0])
        if phase != "ask":
            return replace(begun(game, state, phase), phase=phase, asked=None)
        answer = settled(game, state, places[0])
        if answer is None or (len(places) == 1 and not state.entered):  # a round is never without any entry
            return replace(state, phase="ask", asked=places[0])
        state = replace(state, given=(*state.given[: places[0]], answer, *state.given[places[0] + 1 :]))
    return state


# The end of a round


def _ended(game: Declaration, state: State) -> State:
    """Return the state after a round: its points, what is carried on, and the next round or the end."""
    figures = scope(game, state)
    points = _points(game, state, figures)
    carry = tuple(tuple(formula.value(figures, seat) for seat in range(state.seats)) for formula in game.carry.values())
    totals = added(state.totals, points)
    state = replace(state, carry=carry, totals=totals, rounds=(*state.rounds, points), past=(*state.past, state.given))
    if game.end is not None and game.end.value(scope(game, state), 0):
        return _over(game, state)
    dealer = None if state.dealer is None else (state.dealer + 1) % state.seats
    blank = (None,) * len(game.questions)
    return replace(state, round=state.round + 1, dealer=dealer, given=blank, entered=False, play=None, asked=None)


def _points(game: Declaration, state: State, figures: Any) -> tuple[int, ...]:
    """Return the points of a round by seat; partners have the points of their side's first seat."""
    sides = side_numbers(game, state.seats, state.given)
    points = [game.points.value(figures, seat) for seat in range(state.seats)]
    if game.sides == "partners":
        points = [points[sides.index(side)] for side in sides]
    return tuple(points)


def _over(game: Declaration, state: State) -> State:
    return replace(state, phase="over", asked=None, play=None, winners=winners(game, state))


def winners(game: Declaration, state: State) -> tuple[int, ...]:
    """Return who wins: the best total, of equal ones the higher figure of ``tie``; or all but the loser."""
    figures = scope(game, state)
    seats: Sequence[int] = range(state.seats)

    def strength(seat: int) -> tuple[int, int]:
        tie = 0 if game.tie is None else game.tie.value(figures, seat)
        return -game.best.key(state.totals[seat]), tie

    if game.loser:
        worst = min(map(strength, seats))
        return tuple(seat for seat in seats if strength(seat) != worst) or tuple(seats)
    best = max(map(strength, seats))
    return tuple(seat for seat in seats if strength(seat) == best)


def winners_so_far(game: Declaration, state: State) -> tuple[int, ...]:
    """Return who wins if the game ends with the rounds that are finished, in the state after one of them."""
    if not state.past:
        return winners(game, state)
    dealer = None if state.dealer is None else (state.dealer - 1) % state.seats
    ended = replace(state, round=state.round - 1, dealer=dealer, given=state.past[-1])  # as the last round left it
    return winners(game, ended)
