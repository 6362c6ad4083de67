"""The figures of a round as one event, as people enter them at its end."""

from __future__ import annotations

from typing import Any

from companion.core.events import Event
from companion.games.east_rune.events import Result
from companion.games.eternity.events import Round as EternityRound
from companion.games.gear.events import Round as GearRound
from companion.games.hipparchus.events import Round as HipparchusRound
from companion.games.hipparchus.events import RoundPile


def whole_round(game: str, before: Any, after: Any) -> Event:
    """Return the round, or in East Rune the game, that an entry ended, as one event.

    Args:
        game: The game's name.
        before: The state before the entry.
        after: The state after it.
    """
    if game == "eternity":
        tricks, trees = after.sheets[-1]
        return EternityRound(tricks, trees, gainer(before.tricks, tricks))
    if game == "gear":
        tally = after.tallies[-1]
        return GearRound(tally.tricks, tally.aces, gainer(before.tricks, tally.tricks))
    if game == "hipparchus":
        one, other = after.sheets[-1]
        stuck_later = after.sheets[-1] == before.captured and before.second is not None
        second = before.second if stuck_later else 1 - before.leader
        return HipparchusRound((RoundPile(*one), RoundPile(*other)), second)
    return Result(after.chairs, after.monarchs, after.hand, None if after.chairs_up else after.last)


def gainer(before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """Return the seat that has won another trick."""
    return next(seat for seat, tricks in enumerate(after) if tricks > before[seat])
