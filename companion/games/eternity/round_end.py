"""Ends a round of Eternity: records its scores, then opens the next or ends the game."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.kit import added, best

from .options import Rules
from .state import State, fresh


def opened(state: State, starter: int) -> State:
    """Return the state at the start of a round whose starter is known."""
    return replace(fresh(state, starter), phase="reveal" if state.seats == 2 else "deal")


def bonus(rules: Rules, number: int) -> int:
    """Return the harmony bonus of a round: the extra points for as many tricks as trees (Eternity, round score)."""
    return 3 if rules.target is not None else (2, 4, 7)[number - 1]


def points(rules: Rules, number: int, tricks: tuple[int, ...], trees: tuple[int, ...]) -> tuple[int, ...]:
    """Return the points of each seat in a round (Eternity, round score).

    In a game to a target, only the highest of them are recorded; see `ended`.
    """
    return tuple(
        0 if won < pledged else pledged + bonus(rules, number) * (won == pledged)
        for won, pledged in zip(tricks, trees, strict=True)
    )


def winners(state: State) -> tuple[int, ...]:
    """Return who wins with the finished rounds: of equal totals, the better last round counts (Eternity, end)."""
    last = state.rounds[-1] if state.rounds else state.totals
    return best(tuple(zip(state.totals, last, strict=True)))


def ended(state: State, last: int | None) -> State:
    """Return the state after a round: points recorded, next round opened or game over.

    Args:
        last: Seat that won the last trick, if known.
    """
    earned = points(state.rules, state.round, state.tricks, state.trees)
    written = earned
    if state.rules.target is not None:
        written = tuple(point if point == max(earned) else 0 for point in earned)
    sheets = (*state.sheets, (state.tricks, state.trees))
    totals = added(state.totals, written)
    state = replace(state, rounds=(*state.rounds, written), sheets=sheets, totals=totals)
    if state.rules.ending.reached(state.round, totals):
        return replace(state, phase="over", leader=None, winners=winners(state))
    if state.rules.edition == "fr":
        candidates = tuple(seat for seat, point in enumerate(earned) if point == min(earned))
    elif last is not None:
        candidates = (last,)
    else:
        candidates = tuple(seat for seat, won in enumerate(state.tricks) if won)
    state = fresh(replace(state, round=state.round + 1), None)
    if len(candidates) == 1:  # the table has no choice
        return opened(state, candidates[0])
    return replace(state, phase="start", may_start=candidates)
