"""The view of a game under way: headline, columns, seats, score tables; plain data."""

from __future__ import annotations

from msgspec import Struct

from .cards import Suit
from .text import Glyph, Text


class PileColumn(Struct, frozen=True):
    """A counted pile: its suit, its height, and how many more cards would make it trump."""

    sign: Glyph
    count: int
    more: int = 0


class SeatLine(Struct, frozen=True):
    """The line of one seat: cards laid, figures, leader and winner marks."""

    laid: Text  # the cards it laid in this trick, short
    figures: Text  # its figures with short words
    leads: bool  # whether this seat leads
    won: bool = False  # whether it won the trick that has just ended
    sits_out: bool = False  # whether it does not play this round; its name is then in brackets


class Headline(Struct, frozen=True):
    """The large central symbol, its word, and the lamp's colour."""

    picture: str  # the name of its large drawing; without a drawing, the word is shown in large letters
    word: Text  # its meaning
    colour: tuple[int, int, int]  # the lamp's colour: red, green, blue, each 0-255
    figure: str = ""  # a number drawn over it: the rank to beat
    trump: bool = False  # whether it is the trump; its picture is then the name of the suit


class Piles(Struct, frozen=True):
    """Counts of captured cards by seat and column, shown in large figures where other games have a headline."""

    signs: tuple[Glyph, ...]
    counts: tuple[tuple[int, ...], ...]


class GameView(Struct, frozen=True):
    """Everything a game shows: headline, columns and a line for each seat."""

    headline: Headline | None  # the headline; None if there is none yet
    status: Text  # the state of play, short
    columns: tuple[PileColumn, ...]  # the piles, in the order they lie on the table
    seats: tuple[SeatLine, ...]
    piles: Piles | None = None  # large figures in place of headline and columns
    result: Text | None = None  # how the last trick or turn ended, just after it, in place of status and columns
    suits: tuple[Suit, ...] = ()  # the suits of laid cards, whose signs pages draw in their colours


class Table(Struct, frozen=True):
    """A table of figures: the score sheet, a round's result, a page of the rules card."""

    title: Text
    columns: tuple[Text, ...]
    # the cells of each row, in words, one for each column; a row for each seat unless ``names`` is given
    rows: tuple[tuple[Text, ...], ...]
    marked: tuple[int, ...] = ()  # the seats to mark: winners, the best of a round
    names: tuple[Text, ...] = ()  # the names of the rows, if they are not the seats


class TextPage(Struct, frozen=True):
    """A page of sentences, as of the rules card; each fits one line of the panel where possible."""

    title: Text
    lines: tuple[Text, ...]
