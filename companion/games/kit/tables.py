"""Tables and sentences of scores and rules: columns by seat, rows by name, who has won."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from companion.core.game_view import Notes, Table
from companion.core.text import N_, Seat, Text

A = TypeVar("A")
Columns = Sequence[tuple[object, Sequence[object]]]
"""Heads, each with the figures below it by seat; glyphs, numbers, words or texts."""


def cell(figure: object) -> Text:
    """Return what stands in a table as a text."""
    return figure if isinstance(figure, Text) else Text("{figure}", figure=figure)


def seat_table(title: Text, columns: Columns, marked: tuple[int, ...] | None = None) -> Table:
    """Return a table with a row for each seat."""
    rows = zip(*(map(cell, figures) for _head, figures in columns), strict=True)
    return Table(title, tuple(cell(head) for head, _figures in columns), tuple(rows), marked or ())


def named_table(title: Text, rows: Iterable[tuple[Text, object]]) -> Table:
    """Return a table of one figure for each name, for a rules card."""
    names, figures = zip(*rows, strict=True)
    return Table(title, (Text(""),), tuple((cell(figure),) for figure in figures), names=names)


def notes(title: str, *lines: str) -> Notes:
    """Return notes of plain templates, for a rules card."""
    return Notes(Text(title), tuple(map(Text, lines)))


def round_columns(rounds: Iterable[Sequence[object]]) -> list[tuple[object, Sequence[object]]]:
    """Return a column for each finished round, from what the seats earned in it."""
    return [(Text(N_("R{round}"), round=number), points) for number, points in enumerate(rounds, 1)]


def outcome(winners: tuple[int, ...] | None, running: Text) -> Text:
    """Return who has won the game; what is said instead while it is running."""
    if winners is None:
        return running
    if len(winners) == 1:
        return Text(N_("{player} wins the game"), player=Seat(winners[0]))
    return Text(N_("The win is shared"))


def new_alerts(before: tuple[A, ...], after: tuple[A, ...], tell: Callable[[A], Text]) -> tuple[Text, ...]:
    """Return the alerts that an event has added, in words."""
    return tuple(tell(alert) for alert in after if alert not in before)


def slashed(*columns: Sequence[int]) -> str:
    """Return figures by seat in one line.

    >>> slashed((1, 2), (3, 4))
    '1/3 2/4'
    """
    return " ".join("/".join(map(str, row)) for row in zip(*columns, strict=True))
