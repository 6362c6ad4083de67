"""What the box asks next, and what can be answered; the same for keys, buttons and phones."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from .cards import Card, Suit
from .text import Glyph, Text


class Tracking(Enum):
    """How closely the table wants to be followed."""

    FULL = "full"  # every card
    QUICK = "quick"  # what decides a trick, and its winner
    ROUND = "round"  # the end of each round only


class LayCard(Struct, frozen=True):
    """A card laid, in the usual manner or another (a pledge)."""

    card: Card
    aside: bool = False


class LayPair(Struct, frozen=True):
    """Two cards laid together."""

    first: Card
    second: Card


class ChooseItem(Struct, frozen=True):
    """One of a few things that can be done, by a number that is always its own."""

    value: int
    label: Text


class ChooseSeat(Struct, frozen=True):
    """A seat pointed at."""

    seat: int


class EnterNumber(Struct, frozen=True):
    """A number said."""

    value: int


class Skip(Struct, frozen=True):
    """Nothing to say to this; go on."""


class Alternative(Struct, frozen=True):
    """The other thing that can be said here, named by the prompt."""


Answer = LayCard | LayPair | ChooseItem | ChooseSeat | EnterNumber | Skip | Alternative


class TallySheet(Struct, frozen=True):
    """A tally being filled in: one row a seat, one column a figure.

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
    """A way of laying a card that is not the usual one: what it is called, and its sign."""

    label: Text
    sign: Glyph


class Prompt(Struct, frozen=True):
    """A question with everything that can be answered to it.

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
