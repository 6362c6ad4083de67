"""Compares two sheets of figures, and says in which they differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.core.event_from_answers import tracking_of
from companion.core.events import Event
from companion.core.game import Game
from companion.core.prompt import DetailLevel, Prompt, TallySheet
from companion.core.text import Seat, Text, listed
from companion.ui.translations import _


def whole_sheet(game: Game[Any], state: object, event: Event) -> TallySheet | None:
    """Return the sheet that is shown whole before an event counts; None if none is.

    Args:
        state: The game before that event.
    """
    try:
        tracking = tracking_of(game, DetailLevel.FULL, state, event)
    except LookupError:
        return None
    prompt = game.ask(state, tracking, game.answers(state, event)[:-1])
    if not isinstance(prompt, Prompt) or not prompt.whole:
        return None
    return prompt.sheet


def differing(before: TallySheet, sheet: TallySheet) -> tuple[tuple[int, int], ...]:
    """Return the cells, by seat and column, whose figure is known and differs from the one before."""
    return tuple(
        (seat, column)
        for seat, row in enumerate(sheet.rows)
        for column, figure in enumerate(row)
        if figure is not None and figure != before.rows[seat][column]
    )


def sentences(before: TallySheet, sheet: TallySheet) -> Iterator[Text]:
    """Yield how the figures of a sheet differ from those before."""
    for seat, column in differing(before, sheet):
        yield _(
            "{player}: {what} {figure}, not {before}",
            player=Seat(seat),
            figure=sheet.rows[seat][column],
            what=sheet.columns[column],
            before=before.rows[seat][column],
        )


def figures(sheet: TallySheet, cells: tuple[tuple[int, int], ...]) -> Text:
    """Return some figures of a sheet, with whose and which they are."""
    return listed(
        _("{player}: {what} {figure}", player=Seat(seat), what=sheet.columns[column], figure=sheet.rows[seat][column])
        for seat, column in cells
    )
