"""Translates a game's view into the table that panel, pages, wall and screen readers show."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.game_view import GameView, Table
from companion.core.text import N_, Seat, Text

from .translations import Translator
from .view import LargeSymbol, OpenGame, PileColumn, SeatRow, TableBody

if TYPE_CHECKING:
    from companion.history.chart import Course


IN_FULL = {
    "R{round}": N_("Round {round}"),
    "R{round} T{trick}": N_("Round {round} · Trick {trick}"),
    "R{round} turn {turn}": N_("Round {round} · Turn {turn}"),
    "R{round} {card}/8": N_("Round {round} · Card {card} of 8"),
    "R{round} {player} deals": N_("Round {round} · {player} deals"),
    "R{round} over": N_("Round {round} is over"),
    "Trick: {player}": N_("{player} wins the trick"),
    "Two tricks: {player}": N_("{player} wins two tricks"),
    "{player} wins R{round}": N_("{player} wins round {round}"),
}
"""The short texts of games on rounds and tricks, in full: for pages, and for the panel where there is room."""


def in_full(text: object) -> object:
    """Return a text on a round as it reads where there is room; what is no `Text` is in full.

    >>> str(in_full(Text("R{round} T{trick}", round=2, trick=1)))
    'Round 2 · Trick 1'
    >>> in_full("of a package's game")
    "of a package's game"
    """
    return Text(IN_FULL.get(text.template, text.template), **text.args) if isinstance(text, Text) else text


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
        words(in_full(view.status)),
        None
        if headline is None
        else LargeSymbol(headline.picture, words(headline.word), colour_code(headline.colour), headline.figure),
        tuple(PileColumn(words(column.sign), column.count, column.more) for column in view.columns),
        () if view.piles is None else tuple(map(words, view.piles.signs)),
        tuple(seat_rows(words, view, asked, offered)),
        "" if view.result is None else words(in_full(view.result)),
        suits=tuple((words(suit.sign), colour_code(suit.colour)) for suit in view.suits),
        brief=words(view.status),
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
        full_title=words(in_full(table.title)),
    )


def colour_code(colour: tuple[int, int, int]) -> str:
    """Return a lamp's colour as a page writes it.

    >>> colour_code((0, 70, 255))
    '#0046ff'
    """
    return "#{:02x}{:02x}{:02x}".format(*colour)
