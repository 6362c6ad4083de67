"""Prompts: the question asked next, and every possible answer."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

from .cards import Card, Suit
from .text import Glyph, Text


class DetailLevel(Enum):
    """Level of detail recorded: every card, each trick, or round ends."""

    FULL = "full"  # every card
    QUICK = "quick"  # the cards that decide a trick, and its winner
    ROUND = "round"  # the end of each round only


class LayCard(Struct, frozen=True):
    """The answer that lays a card, normally or in the alternate mode (a pledge)."""

    card: Card
    alternate: bool = False


class LayPair(Struct, frozen=True):
    """The answer that lays two cards together."""

    first: Card
    second: Card


class ChooseItem(Struct, frozen=True):
    """The answer that chooses one item, identified by a number that never changes."""

    value: int
    label: Text


class ChooseSeat(Struct, frozen=True):
    """The answer that chooses a seat."""

    seat: int


class EnterNumber(Struct, frozen=True):
    """The answer that gives a number."""

    value: int


class Skip(Struct, frozen=True):
    """The answer that skips the question."""


class SecondOffer(Struct, frozen=True):
    """The answer that takes the prompt's second offer, ``Prompt.alternative``."""


Answer = LayCard | LayPair | ChooseItem | ChooseSeat | EnterNumber | Skip | SecondOffer


class TallySheet(Struct, frozen=True):
    """A table being filled in, a row for each seat and a column for each figure.

    Attributes:
        rows: The figures so far, by seat and column; None where no figure is entered yet.
        cell: The row and column asked for now; None if another question is asked.
    """

    title: Text
    columns: tuple[Text, ...]
    rows: tuple[tuple[int | None, ...], ...]
    cell: tuple[int, int] | None


class AlternateLay(Struct, frozen=True):
    """A second way to lay a card, as Eternity's pledge: its name and its sign."""

    label: Text
    sign: Glyph


class Prompt(Struct, frozen=True):
    """A question and every possible answer to it.

    Attributes:
        answers: Every possible answer, legal or not.
        seat: The seat whose card or decision is asked for, if it is one seat's.
        deck: All cards of the game if a card is asked for, so that an impossible one can be typed and refused.
        picks: All items if an item is asked for, so that an impossible one can be refused like a card.
        suits: The suits of the deck, in the order they lie on the table.
        bare: The suits to try for a rank typed without a suit; the first with that rank among the answers is meant.
        highest: Whether a suit typed without a rank can mean its highest card.
        combination: The suits of the two cards, if one typed rank can mean a pair.
        alternate: The alternate mode of laying a card, if there is one.
        alternative: The label of the prompt's alternative, if there is one.
        skip: The label of skipping the question, if it can be skipped.
        sheet: The tally sheet, if the question is one of its cells.
        legend: The meanings of keys, short, where they are neither suits nor ranks.
    """

    text: Text
    answers: tuple[Answer, ...]
    seat: int | None = None
    deck: tuple[Card, ...] = ()
    picks: tuple[ChooseItem, ...] = ()
    suits: tuple[Suit, ...] = ()
    bare: tuple[Suit, ...] = ()
    highest: bool = False
    combination: tuple[Suit, Suit] | None = None
    alternate: AlternateLay | None = None
    alternative: Text | None = None
    skip: Text | None = None
    sheet: TallySheet | None = None
    legend: Text | None = None

    def likely(self, numbers: Sequence[int]) -> int:
        """Return the likeliest number: in a tally sheet an equal share of the rest for an open cell, else the least."""
        if self.sheet is None or self.sheet.cell is None:
            return min(numbers)
        cells = sum(row[self.sheet.cell[1]] is None for row in self.sheet.rows)
        wanted = max(numbers) // max(1, cells)
        return min(numbers, key=lambda number: abs(number - wanted))
