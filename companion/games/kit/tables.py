"""Builds score tables, rule tables, and the sentence that names the winners."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain, repeat
from typing import TypeVar

from companion.core.game import Table, TextPage
from companion.core.text import N_, Seat, Text

A = TypeVar("A")
Columns = Sequence[tuple[object, Sequence[object]]]
"""Columns of a table: each a head and its figures by seat (glyphs, numbers, words or texts)."""


def cell(figure: object) -> Text:
    return figure if isinstance(figure, Text) else Text("{figure}", figure=figure)


def seat_table(title: Text, columns: Columns, marked: tuple[int, ...] | None = None) -> Table:
    rows = zip(*(map(cell, figures) for _head, figures in columns), strict=True)
    return Table(title, tuple(cell(head) for head, _figures in columns), tuple(rows), marked or ())


def gain(points: int) -> str:
    """Return the points of one round with their sign.

    >>> [gain(3), gain(0), gain(-2)]
    ['+3', '0', '−2']
    """
    return f"{points:+}".replace("-", "−") if points else "0"


def named_table(title: Text, rows: Iterable[tuple[Text, object]]) -> Table:
    """Return a table with one named row per figure, for a rules card."""
    names, figures = zip(*rows, strict=True)
    return Table(title, (Text(""),), tuple((cell(figure),) for figure in figures), names=names)


def notes(title: str, *lines: str) -> TextPage:
    """Return a page of text lines for a rules card, from templates without arguments."""
    return TextPage(Text(title), tuple(map(Text, lines)))


def round_columns(
    rounds: Iterable[Sequence[object]], declarers: Iterable[Collection[int]] = ()
) -> list[tuple[object, Sequence[object]]]:
    """Return one column per finished round, from the points of each seat; a star marks the declarer's side.

    >>> [points for _head, points in round_columns([(3, 5), (4, 0)])]
    [(3, 5), (4, 0)]
    >>> [points for _head, points in round_columns([(3, 5), (4, 0)], [(1,), ()])]
    [(3, '5*'), (4, 0)]
    """
    return [
        (
            Text(N_("R{round}"), round=number),
            tuple(f"{own}*" if seat in declared else own for seat, own in enumerate(points)) if declared else points,
        )
        for number, (points, declared) in enumerate(zip(rounds, chain(declarers, repeat(())), strict=False), 1)
    ]


def outcome(winners: tuple[int, ...] | None, running: Text, losers: Sequence[int] = ()) -> Text:
    """Return the sentence that names the winner, or the only loser, or ``running`` while the game goes on.

    >>> str(outcome((0, 1), Text(""), losers=(2,)))
    'seat 3 loses the game'
    """
    if winners is None:
        return running
    if len(losers) == 1:
        return Text(N_("{player} loses the game"), player=Seat(losers[0]))
    if len(winners) == 1:
        return Text(N_("{player} wins the game"), player=Seat(winners[0]))
    return Text(N_("The win is shared"))


def new_alerts(before: tuple[A, ...], after: tuple[A, ...], tell: Callable[[A], Text]) -> tuple[Text, ...]:
    return tuple(tell(alert) for alert in after if alert not in before)


def slashed(*columns: Sequence[int]) -> str:
    """Return several figures per seat in one line.

    >>> slashed((1, 2), (3, 4))
    '1/3 2/4'
    """
    return " ".join("/".join(map(str, row)) for row in zip(*columns, strict=True))
