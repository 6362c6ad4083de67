"""Prompts: what is asked next, and every possible answer."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from .cards import Card, Suit
from .text import Glyph, Text


class Tracking(Enum):
    """Level of detail recorded: every card, each trick, or round ends."""

    FULL = "full"  # every card
    QUICK = "quick"  # what decides a trick, and its winner
    ROUND = "round"  # the end of each round only


class LayCard(Struct, frozen=True):
    """The answer that lays a card, normally or in the alternate mode (a pledge)."""

    card: Card
    aside: bool = False


class LayPair(Struct, frozen=True):
    """The answer that lays two cards together."""

    first: Card
    second: Card


class ChooseItem(Struct, frozen=True):
    """The answer that chooses an item by its fixed number."""

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


class Alternative(Struct, frozen=True):
    """The answer that takes the prompt's alternative."""


Answer = LayCard | LayPair | ChooseItem | ChooseSeat | EnterNumber | Skip | Alternative


class TallySheet(Struct, frozen=True):
    """A table being filled in, a row for each seat and a column for each figure.

    Attributes:
        title: What is counted.
        columns: What each column counts.
        rows: The figures so far, by seat and column; None where nothing was said yet.
        cell: The row and column that is asked for now; None when another question is asked.
    """

    title: Text
    columns: tuple[Text, ...]
    rows: tuple[tuple[int | None, ...], ...]
    cell: tuple[int, int] | None


class AlternateMode(Struct, frozen=True):
    """Another way to lay a card, as a pledge in Eternity: its name and its sign."""

    label: Text
    sign: Glyph


class Prompt(Struct, frozen=True):
    """A question and every possible answer to it.

    Attributes:
        text: The question.
        answers: All that can be answered, never narrowed to what would be legal.
        seat: Whose card or decision it is, if somebody's.
        deck: All cards of the game where a card is asked, so that an impossible one can be named and refused.
        picks: All picks there are where one is asked, so that an impossible one can be refused like a card.
        suits: The suits of the deck, in the order they lie on the table.
        bare: The suits a bare rank means: the first of them of which that rank can be answered.
        highest: Whether the highest card of a suit can be meant without saying its rank.
        combination: The suits a bare rank means where two cards of a number are laid.
        aside: The other manner of laying a card, where that can be done.
        extra: What the extra answer is called, where there is one.
        skip: What going on without an answer is called, where that can be done.
        sheet: The tally this is a cell of.
        legend: Which keys mean what, short, where they are neither suits nor ranks.
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
    aside: AlternateMode | None = None
    extra: Text | None = None
    skip: Text | None = None
    sheet: TallySheet | None = None
    legend: Text | None = None
