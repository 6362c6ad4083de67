"""Scoring of East Rune: leaders, winners and tie-breaks."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.kit import best

from .state import State


def ended(state: State, last: int | None) -> State:
    """Return the state at the end of the game; ``last``, who captured the last chair, wins a tie."""
    return replace(state, phase="over", turn=None, winners=winners(state, last))


def leaders(state: State) -> tuple[int, ...]:
    """Return the seats with the most points, before tie-breaks."""
    return best(state.totals)


def winners(state: State, last: int | None) -> tuple[int, ...]:
    """Return the winning seats after tie-breaks; several if they are still level (East Rune, score)."""
    tied = leaders(state)
    if last in tied:
        return (last,)
    first = best([(taken(state)[seat], -state.hand[seat]) for seat in tied])
    return tuple(tied[place] for place in first)


def taken(state: State) -> tuple[int, ...]:
    """Return the captured chairs by seat; with 2 players, monarchs."""
    return state.monarchs if state.seats == 2 else state.chairs
