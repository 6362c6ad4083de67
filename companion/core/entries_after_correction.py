"""Refits the entries after a corrected one: where the turn has moved, each goes to the player whose turn it is.

A sheet that asks for one more figure now, as for the bonus of a bid that is exact now, is entered again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from .errors import IllegalEventError
from .event_from_answers import cells_of, event_from_answers
from .events import Event
from .game import Game
from .text import N_, Seat


def player_by_turn(game: Game[Any], event: Event) -> int | None:
    """Return the player of an event that the player to act makes; None for any other event."""
    player: int | None = getattr(event, "player", None) if isinstance(event, game.optional.by_turn) else None
    return player


def reseated(game: Game[Any], state: Any, event: Event) -> Event:
    """Return an event as made by the player whose turn it is; unchanged if its player does not follow from the turn."""
    player = player_by_turn(game, event)
    turn = None if player is None else game.progress(state).turn
    if turn in (None, player):
        return event
    moved: Event = replace(event, player=turn)
    return moved


def refitted(game: Game[Any], before: Any, state: Any, event: Event) -> tuple[Event, Any]:
    """Return an event as it fits in a corrected state, and the state after it.

    An event that no longer fits is given to the player whose turn it is. If that does not fit either, the same answers
    are given again: the key that ended a turn may now be a pass.

    Raises:
        IllegalEventError: It does not fit in any of these ways.
    """
    try:
        return event, game.apply(state, event)
    except IllegalEventError as refused:
        why = refused
    moved = reseated(game, state, event)
    if moved is not event:
        try:
            return moved, game.apply(state, moved)
        except IllegalEventError as refused:
            why = refused
    for again in _typed_again(game, before, state, event):
        with suppress(IllegalEventError):
            return again, game.apply(state, again)
    raise why


def _typed_again(game: Game[Any], before: Any, state: Any, event: Event) -> Iterator[Event]:
    """Yield the events of the player to act that the same answers make in another state."""
    if not isinstance(event, game.optional.by_turn):
        return
    answers = game.answers(before, event)
    for tracking in game.trackings:
        with suppress(IllegalEventError):
            made = event_from_answers(game, state, tracking, answers)
            if isinstance(made, game.optional.by_turn) and type(made) is not type(event):
                yield made


def check_asked(game: Game[Any], before: Any, state: Any, event: Event) -> None:
    """Raise if a sheet that was entered before a correction asks for a figure more after it.

    Args:
        before: The state before the correction.
        state: The state after it.
    """
    tracking = next(iter(game.trackings))
    try:
        was, now = (cells_of(game, tracking, each, event) for each in (before, state))
    except LookupError:  # only a log has such an entry: no questions lead to it
        return
    for column, row in now:
        if (column, row) not in was:
            raise IllegalEventError("asked", N_("{label} of {player} is asked for now"), label=column, player=Seat(row))
