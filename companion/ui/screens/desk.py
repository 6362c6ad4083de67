"""What every screen knows, and what a key on it can lead to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from companion.core.events import Amend, Event, Line
from companion.core.face import Table
from companion.core.game import Header
from companion.core.prompt import Tracking
from companion.core.session import Session
from companion.core.text import Text
from companion.ui.keys import Key
from companion.ui.view import Grid, View
from companion.ui.words import Words, _


@dataclass(frozen=True, slots=True)
class Shelved:
    """A game in the journal, as the lists show it.

    Attributes:
        number: Its number in the journal.
        header: Who plays what; None where it cannot be read any more.
        tracking: How closely it is followed.
        over: Whether it is finished.
    """

    number: int
    header: Header | None
    tracking: Tracking
    over: bool


@dataclass(frozen=True, slots=True)
class OpenGame:
    """The game on the table."""

    number: int
    session: Session
    tracking: Tracking

    @property
    def over(self) -> bool:
        """Tell whether it is finished."""
        return self.session.header.game.ask(self.session.state, self.tracking, ()) is None


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything the screens know.

    Attributes:
        words: The language, and the names at the table.
        shelf: Every game in the journal, latest first.
        game: The one on the table.
        news: Whether what the last entry brought about is still to be shown.
        loud: Whether the box makes itself heard; None where it has nothing to do it with.
    """

    words: Words
    shelf: tuple[Shelved, ...] = ()
    game: OpenGame | None = None
    news: bool = False
    loud: bool | None = None

    @property
    def roster(self) -> tuple[str, ...]:
        """Return everybody who ever played, most recent first."""
        names = [name for shelved in self.shelf if shelved.header for name in shelved.header.players]
        return tuple(dict.fromkeys(names))

    def at_the_table(self) -> OpenGame:
        """Return the game on the table, where there must be one."""
        assert self.game is not None  # only screens of a game ask
        return self.game


# What can be asked of the box


@dataclass(frozen=True, slots=True)
class Enter:
    """Write a line down in the game on the table."""

    line: Line


@dataclass(frozen=True, slots=True)
class Begin:
    """Begin a new game."""

    header: Header
    tracking: Tracking


@dataclass(frozen=True, slots=True)
class Resume:
    """Put a game from the journal on the table."""

    number: int


@dataclass(frozen=True, slots=True)
class Follow:
    """Follow the game on the table in another way."""

    tracking: Tracking


@dataclass(frozen=True, slots=True)
class Leave:
    """Put the game on the table away."""


@dataclass(frozen=True, slots=True)
class Loud:
    """Have the box make itself heard, or not."""

    loud: bool


Act = Enter | Begin | Resume | Follow | Leave | Loud


@dataclass(frozen=True, slots=True)
class Move:
    """What a key leads to.

    Attributes:
        screen: The screen to go on with.
        act: What the box is to do first.
        message: A sentence to show until the next key.
        refused: Whether the message says no.
        otherwise: The screen to go on with if the act is refused; None is the old one as it was.
    """

    screen: Screen
    act: Act | None = None
    message: Text | None = None
    refused: bool = False
    otherwise: Screen | None = None


Labels = Mapping[str, str]


class Screen(Protocol):
    """One screen."""

    def press(self, key: Key, desk: Desk) -> Move:
        """Return what a key leads to."""

    def view(self, desk: Desk) -> View:
        """Return what is on the panel."""

    def labels(self, desk: Desk) -> Labels:
        """Return what each key does now, by the key's name; short words."""


class AtTable(Screen, Protocol):
    """The screen the menu and the list of entries were opened from, and lead back to."""

    @property
    def amending(self) -> int | None:
        """Return the number of the entry being corrected, if one is."""

    def fresh(self) -> Screen:
        """Return the table with nothing half entered."""

    def following(self, tracking: Tracking) -> Screen:
        """Return the correction under way, entered in another way."""

    def correcting(self, game: OpenGame, number: int) -> Screen:
        """Return the screen on which another event is entered in the place of one that stands."""


def grid(words: Words, table: Table) -> Grid:
    """Word a table of figures."""
    return Grid(
        words(table.title),
        tuple(words(head) for head in table.columns),
        words.players,
        tuple(tuple(words(figure) for figure in row) for row in table.rows),
        table.marked,
    )


def taken_back(game: OpenGame) -> Text | None:
    """Say what undoing takes back, before it is done."""
    line = game.session.latest
    return None if line is None else _("Took back: {entry}", entry=_described(game, line))


def brought_back(game: OpenGame) -> Text | None:
    """Say what redoing brings back, before it is done."""
    line = game.session.undone
    return None if line is None else _("Brought back: {entry}", entry=_described(game, line))


def _described(game: OpenGame, line: Event | Amend) -> Text:
    if isinstance(line, Amend):
        return _("the correction of entry {number}", number=line.event)
    return game.session.header.game.describe(line)


CHOOSE = _("Choose by number; * goes back")


def no(screen: Screen, message: Text) -> Move:
    """Stay on a screen and say why."""
    return Move(screen, message=message, refused=True)
