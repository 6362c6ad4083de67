"""The view of a game under way: headline, columns, seats, score tables; plain data."""

from __future__ import annotations

from msgspec import Struct

from .text import Glyph, Text


class PileColumn(Struct, frozen=True):
    """A counted pile: its suit, its height, and how many more cards would make it trump."""

    sign: Glyph
    count: int
    more: int = 0


class SeatLine(Struct, frozen=True):
    """The line of one seat: cards laid, figures, leader and winner marks.

    Attributes:
        laid: The cards it laid in this trick, short.
        figures: Its figures with short words.
        leads: Whether this seat leads.
        won: Whether it won the trick that has just ended.
    """

    laid: Text
    figures: Text
    leads: bool
    won: bool = False


class Headline(Struct, frozen=True):
    """The large central symbol, its word, and the lamp's colour.

    Attributes:
        picture: The name of its large drawing; without a drawing, the word is shown in large letters.
        word: Its meaning.
        colour: The lamp's colour: red, green, blue, each 0-255.
        figure: A number drawn over it: the rank to beat.
    """

    picture: str
    word: Text
    colour: tuple[int, int, int]
    figure: str = ""


class Piles(Struct, frozen=True):
    """The counts of captured cards, by seat and column, in large figures in place of the headline."""

    signs: tuple[Glyph, ...]
    counts: tuple[tuple[int, ...], ...]


class GameView(Struct, frozen=True):
    """Everything a game shows: headline, columns and a line for each seat.

    Attributes:
        headline: The headline; None if there is none yet.
        status: The state of play, short.
        columns: The piles, in the order they lie on the table.
        piles: Large figures in place of headline and columns.
        result: How the last trick or turn ended, just after it, in place of status and columns.
    """

    headline: Headline | None
    status: Text
    columns: tuple[PileColumn, ...]
    seats: tuple[SeatLine, ...]
    piles: Piles | None = None
    result: Text | None = None


class Table(Struct, frozen=True):
    """A table of figures: the score sheet, a round's result, a page of the rules card.

    Attributes:
        rows: The cells of each row, in words, one for each column; a row for each seat unless ``names`` is given.
        marked: The seats to mark: winners, the best of a round.
        names: The names of the rows, if they are not the seats.
    """

    title: Text
    columns: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]
    marked: tuple[int, ...] = ()
    names: tuple[Text, ...] = ()


class TextPage(Struct, frozen=True):
    """A page of sentences, as of the rules card; each fits one line of the panel where possible."""

    title: Text
    lines: tuple[Text, ...]
