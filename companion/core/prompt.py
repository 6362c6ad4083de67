"""Prompts: the question asked next, and every possible answer."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

from companion.core.text import Glyph, Text

from .cards import Card, Suit


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
    # where the item is some cards of a suit: that suit, and the figure for it in the row of the suit on pages
    suit: Suit | None = None
    figure: str = ""
    letter: str = ""  # what can be typed for it instead of its number, such as the letter of a suit


class ChooseSeat(Struct, frozen=True):
    """The answer that chooses a seat."""

    seat: int


class EnterNumber(Struct, frozen=True):
    """The answer that gives a number; below zero, the minus sign is typed with A on the keypad."""

    value: int


class Skip(Struct, frozen=True):
    """The answer that skips the question."""


class TakeAlternative(Struct, frozen=True):
    """The answer that takes the prompt's alternative."""


Answer = LayCard | LayPair | ChooseItem | ChooseSeat | EnterNumber | Skip | TakeAlternative


NOT_ASKED = "–"
"""What stands in place of a figure that somebody was not asked for."""


class TallySheet(Struct, frozen=True):
    """A table being filled in, a row for each seat and a column for each figure."""

    title: Text
    columns: tuple[Text, ...]
    # the figures so far, by seat and column; None where no figure is entered yet, or, in a whole sheet, none is asked
    # for. In a row that is entered again, what each figure was until it is entered
    rows: tuple[tuple[int | None, ...], ...]
    cell: tuple[int, int] | None  # the row and column asked for now; None if another question is asked
    by_row: bool = False  # whether a row is asked whole before the next; else a column is
    told: tuple[Text, ...] = ()  # what else was answered about the round, in words, once the table is whole
    by_digits: bool = False  # whether a figure can take several answers: its digits, one after the other


class AlternateLay(Struct, frozen=True):
    """A second way to lay a card, such as a pledge: its name and its sign."""

    label: Text
    sign: Glyph


Question = tuple[str, tuple[int, int] | None, int | None]
"""A question's text, its cell of a sheet, and its seat."""


class Prompt(Struct, frozen=True):
    """A question and every possible answer to it."""

    text: Text
    answers: tuple[Answer, ...]  # every possible answer, legal or not, but for numbers that are too many to list
    seat: int | None = None  # the seat whose card or decision is asked for, if it is one seat's
    # all cards of the game if a card is asked for, so that an impossible one can be typed and refused
    deck: tuple[Card, ...] = ()
    # all items if an item is asked for, so that an impossible one can be refused like a card
    picks: tuple[ChooseItem, ...] = ()
    suits: tuple[Suit, ...] = ()  # the suits of the deck, in the order they lie on the table
    # the suits to try for a rank typed without a suit; the first with that rank among the answers is meant
    bare: tuple[Suit, ...] = ()
    # the cards that belong to another suit than the printed one, such as bowers; a bare rank of that suit can mean them
    belongs: tuple[tuple[Card, Suit], ...] = ()
    led: Suit | None = None  # the suit that was led, which pages mark
    # the suits whose cards are all alike, such as jokers, and how many of each are left: one stands for all in answers
    alike: tuple[tuple[Suit, int], ...] = ()
    highest: bool = False  # whether a suit typed without a rank can mean its highest card
    combination: tuple[Suit, Suit] | None = None  # the suits of the two cards, if one typed rank can mean a pair
    alternate: AlternateLay | None = None  # the alternate mode of laying a card, if there is one
    alternative: Text | None = None  # the label of the prompt's alternative, if there is one
    named: tuple[int, ...] = ()  # where seats are named in an order: those named so far, the first one first
    skip: Text | None = None  # the label of skipping the question, if it can be skipped
    skip_short: Text | None = None  # the same in a few signs, for a line in which the label has no room
    # whether C skips instead of #: people also type # after a number that was complete, and must not skip the next one
    skip_apart: bool = False
    stays: Answer | None = None  # in a correction the old answer, which the key that ends a number gives
    sheet: TallySheet | None = None  # the tally sheet, if the question is one of its cells
    legend: Text | None = None  # the meanings of keys, short, where they are neither suits nor ranks
    note: Text | None = None  # a sentence that belongs to the question: why it is asked
    # if there are so many: the numbers that can be entered; the answers list those near zero, and only # ends one
    open_numbers: range = range(0)

    def takes(self, answer: Answer) -> bool:
        """Return whether an answer is possible."""
        return answer in self.answers or (isinstance(answer, EnterNumber) and answer.value in self.open_numbers)

    @property
    def cell(self) -> tuple[int, int] | None:
        """Return the row and the column of the sheet that is asked for; None for any other question."""
        return None if self.sheet is None else self.sheet.cell

    @property
    def question(self) -> Question:
        """Return what tells the question from the others of an entry."""
        return str(self.text), self.cell, self.seat

    @property
    def whole(self) -> bool:
        """Return whether the question shows a whole sheet: it then asks who won last, or whether the sheet is right."""
        return self.sheet is not None and self.sheet.cell is None

    def likely(self, numbers: Sequence[int]) -> int:
        """Return the likeliest number: what a cell has, an equal share of the rest, else the least.

        It is the nearest to zero if there are numbers below zero.
        """
        if self.sheet is None or self.sheet.cell is None:
            return min(numbers, key=abs)
        seat, column = self.sheet.cell
        was = self.sheet.rows[seat][column]
        if was is not None and was in numbers:
            return was
        if min(numbers) < 0:
            return min(numbers, key=abs)
        cells = sum(row[column] is None for row in self.sheet.rows)
        wanted = max(numbers) // max(1, cells)
        return min(numbers, key=lambda number: abs(number - wanted))
