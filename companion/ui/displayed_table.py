"""Translates a game's view into the table that panel, pages, wall and screen readers show."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.game_view import GameView, Table
from companion.core.text import Seat, Text

from .translations import Translator
from .view import LargeSymbol, OpenGame, PileColumn, SeatRow, TableBody

if TYPE_CHECKING:
    from companion.history.chart import Course


def open_game(
    words: Translator, title: str, view: GameView, asked: int | None = None, offered: Collection[int] = ()
) -> OpenGame:
    """Return the table without its scores.

    Args:
        asked: The seat that is asked, if it is one.
        offered: The seats that can be chosen.
    """
    headline = view.headline
    return OpenGame(
        words(Text(title)),
        words(view.status),
        None
        if headline is None
        else LargeSymbol(headline.picture, words(headline.word), colour_code(headline.colour), headline.figure),
        tuple(PileColumn(words(column.sign), column.count, column.more) for column in view.columns),
        () if view.piles is None else tuple(map(words, view.piles.signs)),
        tuple(seat_rows(words, view, asked, offered)),
        "" if view.result is None else words(view.result),
        suits=tuple((words(suit.sign), colour_code(suit.colour)) for suit in view.suits),
    )


def seat_rows(
    words: Translator, view: GameView, asked: int | None = None, offered: Collection[int] = ()
) -> Iterator[SeatRow]:
    """Yield the seats of the table, as `open_game` shows them."""
    for seat, line in enumerate(view.seats):
        yield SeatRow(
            words(Seat(seat)),
            words(line.laid),
            words(line.figures),
            piles=() if view.piles is None else view.piles.counts[seat],
            leads=line.leads,
            turn=seat == asked,
            won=line.won,
            sits_out=line.sits_out,
            key=str(seat + 1) if seat in offered else "",
        )


def with_scores(words: Translator, table: OpenGame, sheet: Table, over: bool, course: Course | None = None) -> OpenGame:
    """Return the table with scores and totals; the course is left out where no chart is wanted."""
    scores = table_body(words, sheet)
    seats = (
        replace(seat, total=row[-1] if row else "", won=place in scores.marked if over else seat.won)
        for place, (seat, row) in enumerate(zip(table.seats, scores.rows or [()] * len(table.seats), strict=True))
    )
    outcome = "" if over else table.outcome  # the marks are those of the game then, not of its last trick
    return replace(table, seats=tuple(seats), outcome=outcome, scores=scores, over=over, course=course)


def table_body(words: Translator, table: Table) -> TableBody:
    return TableBody(
        words(table.title),
        tuple(map(words, table.columns)),
        tuple(map(words, table.names)) or words.players,
        tuple(tuple(map(words, row)) for row in table.rows),
        table.marked,
    )


def colour_code(colour: tuple[int, int, int]) -> str:
    """Return a lamp's colour as a page writes it.

    >>> colour_code((0, 70, 255))
    '#0046ff'
    """
    return "#{:02x}{:02x}{:02x}".format(*colour)
