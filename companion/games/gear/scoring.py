"""Scoring of Gear: writes a finished round down, then opens the next one or ends the game."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.kit.per_seat import added, best

from .cards import HAND
from .state import RoundFigures, State, opened


def points(tricks: int, aces: int, last: bool) -> int:
    """Return what a seat earns in a round, before its price (Gear, round score)."""
    return tricks + tricks // 3 + aces + 3 * last + 3 * (tricks == HAND)


def ended(state: State, last: int) -> State:
    """Write the round down, and open the next one or end the game.

    Args:
        state: The round, its tricks and aces complete, its prices paid.
        last: Who won the last trick.
    """
    earned = tuple(points(state.tricks[seat], state.aces[seat], seat == last) for seat in range(state.seats))
    tally = RoundFigures(state.tricks, state.aces, state.prices)
    state = replace(
        state,
        rounds=(*state.rounds, added(earned, [-(price or 0) for price in state.prices])),
        tallies=(*state.tallies, tally),
        totals=added(state.totals, earned),
    )
    if state.rules.ending.reached(state.round, state.totals):
        return replace(state, phase="over", leader=None, winners=_winners(state))
    return opened(replace(state, round=state.round + 1), last)


def _winners(state: State) -> tuple[int, ...]:
    """Return the seats with the highest total; in the game of pairs those of the better pair."""
    return best(state.totals if state.teams is None else state.teams * 2)
