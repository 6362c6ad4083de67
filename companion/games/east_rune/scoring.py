"""Scoring of East Rune: who leads, who wins, and how ties are broken."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.kit.per_seat import best

from .state import State


def ended(state: State, last: int | None) -> State:
    """End the game; who captured the last card of the deck comes first among equals."""
    return replace(state, phase="over", turn=None, winners=winners(state, last))


def leaders(state: State) -> tuple[int, ...]:
    """Return the seats with the most points."""
    return best(state.totals)


def winners(state: State, last: int | None) -> tuple[int, ...]:
    """Return who wins, the ties broken as far as they can be (East Rune, score)."""
    tied = leaders(state)
    if last in tied:
        return (last,)
    first = best([(taken(state)[seat], -state.hand[seat]) for seat in tied])
    return tuple(tied[place] for place in first)


def taken(state: State) -> tuple[int, ...]:
    """Return the captured cards of the deck by seat: chairs, with 2 players monarchs."""
    return state.monarchs if state.seats == 2 else state.chairs
