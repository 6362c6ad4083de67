"""The end of a round of Gear: points, who has won, and whether there is a next one."""

from __future__ import annotations

from msgspec.structs import replace

from .cards import HAND
from .state import State, Tally, opened


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
    written = tuple(point - (price or 0) for point, price in zip(earned, state.prices, strict=True))
    tally = Tally(state.tricks, state.aces, state.prices)
    totals = tuple(before + point for before, point in zip(state.totals, earned, strict=True))
    state = replace(state, rounds=(*state.rounds, written), tallies=(*state.tallies, tally), totals=totals)
    if _is_over(state):
        return replace(state, phase="over", leader=None, winners=_winners(state))
    return opened(replace(state, round=state.round + 1), last)


def _is_over(state: State) -> bool:
    ending = state.rules.ending
    if isinstance(ending.target, int):
        return max(state.totals) >= ending.target
    return state.round == ending.rounds


def _winners(state: State) -> tuple[int, ...]:
    """Return the seats with the highest total; in the game of pairs those of the better pair."""
    teams = state.teams
    scores = state.totals if teams is None else tuple(teams[seat % 2] for seat in range(state.seats))
    return tuple(seat for seat, score in enumerate(scores) if score == max(scores))
