"""Refits the entries after a corrected one: where the turn has moved, each goes to the player whose turn it is.

A sheet of the same round that asks for one more figure now, as for the bonus of an exact bid, is entered again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from .errors import IllegalEventError
from .event_from_answers import event_from_answers, tracking_of
from .events import Event
from .game import Game
from .prompt import Answer, EnterNumber, Prompt, Skip
from .text import N_, Seat, Text

NOTHING = EnterNumber(0)


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
        IllegalEventError: It does not fit in any of these ways, or a figure more is asked for now.
    """
    try:
        after = game.apply(state, event)
    except IllegalEventError as refused:
        why = refused
    else:
        _check_asked(game, before, state, event)
        return event, after
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


def _check_asked(game: Game[Any], before: Any, state: Any, event: Event) -> None:
    """Raise if a sheet of the same round asks for a figure that was not asked for before the correction."""
    if state is before or isinstance(event, game.optional.by_turn):
        return
    if game.progress(before).round != game.progress(state).round:
        return
    try:
        was, now = _cells_asked(game, before, event), _cells_asked(game, state, event)
    except LookupError:  # only a log has such an entry: no questions lead to it
        return
    for column, row in now:
        if was and (column, row) not in was:
            raise IllegalEventError("asked", N_("{label} of {player} is asked for now"), label=column, player=Seat(row))


def _cells_asked(game: Game[Any], state: Any, event: Event) -> list[tuple[Text, int]]:
    """Return the cells of a sheet, column and row, that people are asked for to enter an event.

    Where all the rest is said to be 0, each figure of the rest is asked for here.
    """
    tracking = tracking_of(game, next(iter(game.trackings)), state, event)
    given = list(game.answers(state, event))
    cells: list[tuple[Text, int]] = []
    said: list[Answer] = []
    rest: Text | None = None  # the column whose other figures are 0
    while isinstance(prompt := game.ask(state, tracking, tuple(said)), Prompt):
        column = None
        if prompt.sheet is not None and prompt.sheet.cell is not None:
            row, place = prompt.sheet.cell
            column = prompt.sheet.columns[place]
            cells.append((column, row))
        if column is not None and column == rest:
            said.append(NOTHING)
        elif given:
            answer = given.pop(0)
            if column is not None and isinstance(answer, Skip) and NOTHING in prompt.answers:
                rest, answer = column, NOTHING
            said.append(answer)
        else:  # the question whether the sheet is right
            break
    return cells
