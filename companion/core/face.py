"""What a game wants seen while it runs: plain data that any panel can draw."""

from __future__ import annotations

from msgspec import Struct

from .cards import Card, Suit
from .text import Text


class Column(Struct, frozen=True):
    """A pile that counts: how high it is, and how many more would make it decide."""

    suit: Suit
    count: int
    more: int


class Place(Struct, frozen=True):
    """What a seat shows: the cards it laid in this trick, and its figures of this round.

    Attributes:
        laid: Cards with whether they were laid aside.
        figures: The figures in words, short.
        leads: Whether this seat leads.
    """

    laid: tuple[tuple[Card, bool], ...]
    figures: Text
    leads: bool


class Face(Struct, frozen=True):
    """The stage of the panel.

    Attributes:
        suit: What is readable from two metres; None before there is any.
        status: Where the game stands, short.
        columns: The piles, in the order they lie on the table.
        places: One a seat.
    """

    suit: Suit | None
    status: Text
    columns: tuple[Column, ...]
    places: tuple[Place, ...]


class Table(Struct, frozen=True):
    """Figures in rows and columns: the score sheet, the result of a round.

    Attributes:
        title: What the figures are.
        columns: The heads.
        rows: One a seat, in words; as many as there are heads.
        marked: The seats to point out (winners, the best of a round).
    """

    title: Text
    columns: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]
    marked: tuple[int, ...] = ()
