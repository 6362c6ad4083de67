"""Ends a round of Gear: records its scores, then opens the next or ends the game."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.kit import added, best

from .cards import HAND
from .state import RoundFigures, State, opened


def points(tricks: int, aces: int, last: bool) -> int:
    """Return a seat's points in a round, before its price is deducted (Gear, round score)."""
    return tricks + tricks // 3 + aces + 3 * last + 3 * (tricks == HAND)


def winners(state: State) -> tuple[int, ...]:
    """Return who has the most points: players, or both of a team."""
    return best(state.teams * 2 if state.teams else state.totals)


def ended(state: State, last: int) -> State:
    """Return the state after a round: points recorded, next round opened or game over.

    Args:
        state: State with the round's tricks and aces complete and its prices paid.
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
        return replace(state, phase="over", leader=None, winners=winners(state))
    return opened(replace(state, round=state.round + 1), last)
