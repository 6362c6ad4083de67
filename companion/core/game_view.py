"""What a game shows while it runs: headline, columns, seats, score tables; plain data."""

from __future__ import annotations

from msgspec import Struct

from .text import Glyph, Text


class PileColumn(Struct, frozen=True):
    """A counted pile: its suit, its height, and how many more would make it decide."""

    sign: Glyph
    count: int
    more: int = 0


class SeatLine(Struct, frozen=True):
    """What is shown for one seat: cards laid, figures, leader and winner marks.

    Attributes:
        laid: The cards it laid in this trick, short.
        figures: The figures in words, short.
        leads: Whether this seat leads.
        won: Whether it won the trick, where that has just ended.
    """

    laid: Text
    figures: Text
    leads: bool
    won: bool = False


class Headline(Struct, frozen=True):
    """The large central symbol, its word, and the lamp's colour.

    Attributes:
        picture: The large drawing's name; where nobody has drawn it, the word is seen in large letters.
        word: What it means.
        colour: What the lamp shows, red, green, blue, each 0-255.
        figure: A number drawn over it: a rank to beat.
    """

    picture: str
    word: Text
    colour: tuple[int, int, int]
    figure: str = ""


class Piles(Struct, frozen=True):
    """What each seat has captured, in large figures in place of the headline.

    Attributes:
        signs: What each column counts.
        counts: The figures by seat and column.
    """

    signs: tuple[Glyph, ...]
    counts: tuple[tuple[int, ...], ...]


class GameView(Struct, frozen=True):
    """Everything a game shows: headline, columns and a line for each seat.

    Attributes:
        sign: What is readable from two metres; None before there is any.
        status: Where the game stands, short.
        columns: The piles, in the order they lie on the table.
        places: One a seat.
        piles: Large figures in the place of sign and columns.
        outcome: How the trick or turn ended that has just ended, in the place of status and columns.
    """

    sign: Headline | None
    status: Text
    columns: tuple[PileColumn, ...]
    places: tuple[SeatLine, ...]
    piles: Piles | None = None
    outcome: Text | None = None


class Table(Struct, frozen=True):
    """A table of figures: the score sheet, a round's result, a page of the rules card.

    Attributes:
        title: What the figures are.
        columns: The heads.
        rows: One a seat, in words; as many as there are heads.
        marked: The seats to point out (winners, the best of a round).
        names: What the rows are, where they are not the seats.
    """

    title: Text
    columns: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]
    marked: tuple[int, ...] = ()
    names: tuple[Text, ...] = ()


class Notes(Struct, frozen=True):
    """A page of sentences: a page of the rules card.

    Attributes:
        title: What they are about.
        lines: One below the other, a line of the panel each where that is possible.
    """

    title: Text
    lines: tuple[Text, ...]
