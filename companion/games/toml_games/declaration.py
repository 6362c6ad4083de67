"""A declared game, checked and ready: its questions, options and formulas."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from companion.core.game import Best
from companion.core.text import N_, NN_, Phrase, Text, joined

from .formulas import Formula
from .trick_rules import TrickRules

LARGEST = 100_000
"""The largest number that can be entered."""
MOST_LISTED = 2001
"""The most numbers that a question lists as answers; of more it lists those nearest to zero."""
MOST_SEATS = 8

Choices = tuple[tuple[Phrase, int], ...]


def _unmarked(label: str) -> str:
    """Return a label without a question mark at its end: ``Played out?`` is ``Played out``."""
    return label.rstrip("?？ \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}") or label


class DeclaredOption(Struct, frozen=True, eq=False):
    """A rule to choose at set-up."""

    label: Phrase
    values: tuple[tuple[Phrase | None, int], ...]  # each with its word, if it has one; the first is usual
    typed: bool  # whether another number can be typed

    def allows(self, number: int) -> bool:
        return number in [value for _word, value in self.values] or (self.typed and 1 <= number <= 100_000)


class DeclaredCount(Struct, frozen=True, eq=False):
    """Something that statistics count."""

    label: Phrase
    count: Formula


class AskedFor(Struct, frozen=True, eq=False):
    """A question of a declared game."""

    place: int  # its place among the questions
    name: str
    kind: str
    per: str
    label: Phrase
    text: Phrase | None
    least: Formula
    most: Formula
    step: int
    sum: Formula | None
    refuse: Formula | None
    because: Phrase | None
    when: Formula | None
    stops: bool  # whether its own figures can end it: those after are not asked for
    left_first: bool
    choices: Choices
    nobody: Phrase | None
    up_to: int

    @property
    def subject(self) -> Phrase:
        """Return its label for sentences in which more follows: without a question mark."""
        return Phrase(_unmarked(self.label), {word: _unmarked(text) for word, text in self.label.translations.items()})


class Declaration(Struct, frozen=True, eq=False, kw_only=True):
    """A declared game."""

    name: str
    title: Phrase
    about: Phrase | None
    seats: range
    best: Best
    dealer: bool
    sides: str
    sits: Formula | None
    options: Mapping[str, DeclaredOption]
    questions: tuple[AskedFor, ...]
    define: Mapping[str, Formula]
    points: Formula
    carry: Mapping[str, Formula]
    shown: Mapping[str, Phrase]  # the labels of the carried figures that score tables show
    end: Formula | None
    tie: Formula | None
    loser: bool
    counts: Mapping[str, DeclaredCount]
    tricks: TrickRules | None
    card: tuple[Phrase, ...]

    def question(self, name: str) -> AskedFor | None:
        """Return the question of a name."""
        return next((question for question in self.questions if question.name == name), None)


def in_brief(game: Declaration) -> Text:
    """Return what a game declares in one line: ``3 players or more, 2 questions a round``."""
    least, most = game.seats.start, game.seats.stop - 1
    players = Text(N_("{least} to {most} players"), least=least, most=most)
    if least == most:
        players = Text(N_("{count} players"), count=least)
    elif most == MOST_SEATS:
        players = Text(N_("{count} players or more"), count=least)
    parts = [players, Text(NN_("{count} question a round", "{count} questions a round"), count=len(game.questions))]
    if game.tricks is not None:
        parts.append(Text(N_("card by card")))
    if game.best is Best.LOWEST:
        parts.append(Text(N_("the fewest points win")))
    return joined(parts, ", ")
