"""What every screen knows, the commands it can give, and the screen protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from companion.core.correction import Correction
from companion.core.errors import IllegalEvent
from companion.core.events import Amend, Entry, Line, Splice
from companion.core.game import Header, Outcome
from companion.core.game_view import Table
from companion.core.prompt import Tracking
from companion.core.session import Session
from companion.core.standing import Standing
from companion.core.text import Text
from companion.gamelog import LogError, name_key
from companion.ui.game_list import GameList, ListedGame
from companion.ui.keys import KEYPAD, Key, KeyLayout
from companion.ui.people import People, with_current_names
from companion.ui.translations import Translator, _
from companion.ui.view import TableBody

from .position import Position

if TYPE_CHECKING:
    from .contents import Contents


@dataclass(frozen=True, slots=True)
class OpenGame:
    """The game that is being played or looked at.

    Attributes:
        name: Its name in the journal.
        session: What was entered.
        tracking: How closely it is followed.
        lines: How many lines were entered, the header not counted.
        listed: The list of games it was opened from, where it is finished and only looked at.
        resumed: Whether nothing was entered since it was put on the table: stepping back first says what it would
            take back, for nobody may have seen that.
        position: The state with what the game says about it.
    """

    name: str
    session: Session
    tracking: Tracking
    lines: int = 0
    listed: Screen | None = None
    resumed: bool = False
    position: Position = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Keep the state; the game is asked nothing yet."""
        header = self.session.header
        object.__setattr__(self, "position", Position(header.game, self.session.state, self.tracking))

    @property
    def read_only(self) -> bool:
        """Tell whether it is looked at and cannot be changed."""
        return self.listed is not None

    @property
    def over(self) -> bool:
        """Tell whether it is finished."""
        return self.position.ask() is None


@dataclass(frozen=True, slots=True)
class RegularGroup:
    """People who played together before, by their names of today.

    Attributes:
        header: What they played, by which rules.
        tracking: How closely it was followed.
        begun: When they began the last time, if that is known.
    """

    header: Header
    tracking: Tracking
    begun: datetime | None = None


def _unknown(_shelved: ListedGame) -> Standing | None:
    return None


@dataclass(frozen=True, slots=True)
class Context:
    """What every screen knows: language, games, the open game, people, key layout.

    Attributes:
        words: The language, and the names at the table.
        game_list: Every game in the journal.
        game: The one on the table.
        report: What the last entry brought about, while that is still news.
        sound_on: Whether the box makes itself heard; None where it has nothing to do it with.
        people: Who was renamed or hidden.
        key_layout: What there is to press.
        standing: Finds out who leads a game in the journal, or has won it; None where it cannot be read.
    """

    words: Translator
    game_list: GameList = field(default_factory=GameList)
    game: OpenGame | None = None
    report: Outcome | None = None
    sound_on: bool | None = None
    people: People = field(default_factory=People)
    key_layout: KeyLayout = KEYPAD
    standing: Callable[[ListedGame], Standing | None] = _unknown

    @property
    def everybody(self) -> tuple[str, ...]:
        """Return everybody who ever played, most recent first; "P2" is nobody."""
        names = {name_key(name): "" for name in placeholder_names(self.words)}
        for party in self.game_list.parties(self.people):
            for name in party.players:
                names.setdefault(name_key(name), name)
        return tuple(filter(None, names.values()))

    @property
    def roster(self) -> tuple[str, ...]:
        """Return those of them who are not hidden."""
        return tuple(name for name in self.everybody if not self.people.hides(name))

    @property
    def regular_groups(self) -> Iterator[RegularGroup]:
        """Yield who played what together, most recent first, each once; without those of whom somebody is hidden."""
        for party in self.game_list.parties(self.people):
            header, players = party.latest.header, party.players
            if header is None or any(map(self.people.hides, players)):
                continue
            with suppress(LogError):  # "P2" has become somebody's name
                yield RegularGroup(with_current_names(header, players), party.latest.tracking, party.latest.begun)

    @property
    def changeable(self) -> OpenGame | None:
        """Return the game on the table, if something can be entered in it."""
        return None if self.game is None or self.game.read_only else self.game

    def require_game(self) -> OpenGame:
        """Return the game on the table, where there must be one."""
        assert self.game is not None  # only screens of a game ask
        return self.game


# What can be asked of the box


@dataclass(frozen=True, slots=True)
class EnterLine:
    """Command: add a line to the open game's log."""

    line: Line


@dataclass(frozen=True, slots=True)
class BeginGame:
    """Command: begin a new game."""

    header: Header
    tracking: Tracking


@dataclass(frozen=True, slots=True)
class ResumeGame:
    """Command: open a game of the journal.

    Attributes:
        name: The game.
        listed: The list of games it is opened from: one that is finished is then only looked at.
    """

    name: str
    listed: Screen | None = None


@dataclass(frozen=True, slots=True)
class ReopenGame:
    """Command: make the finished game changeable."""


@dataclass(frozen=True, slots=True)
class SetTracking:
    """Command: record the open game in another level of detail."""

    tracking: Tracking


@dataclass(frozen=True, slots=True)
class LeaveGame:
    """Command: close the open game.

    Attributes:
        to: The screen to go on with; None is home.
    """

    to: Screen | None = None


@dataclass(frozen=True, slots=True)
class SetSound:
    """Command: switch the sound on or off."""

    loud: bool


@dataclass(frozen=True, slots=True)
class SetLanguage:
    """Command: change the language."""

    language: str


@dataclass(frozen=True, slots=True)
class RenamePerson:
    """Command: rename somebody, from the next game on."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class HidePerson:
    """Command: hide a name from lists, or show it again."""

    name: str
    hidden: bool


Command = (
    EnterLine
    | BeginGame
    | ResumeGame
    | ReopenGame
    | SetTracking
    | LeaveGame
    | SetSound
    | SetLanguage
    | RenamePerson
    | HidePerson
)


@dataclass(frozen=True, slots=True)
class Transition:
    """What a key leads to: the next screen, a command, a message.

    Attributes:
        screen: The screen to go on with.
        command: What the box is to do first.
        message: A sentence to show until the next key.
        refused: Whether the message says no.
        if_refused: The screen to go on with if the act is refused; None is the old one as it was.
        warning: A sentence that is to be seen before anything is done; the same key then does it.
    """

    screen: Screen
    command: Command | None = None
    message: Text | None = None
    refused: bool = False
    if_refused: Screen | None = None
    warning: Text | None = None


Labels = Mapping[str, str]


class Screen(Protocol):
    """The protocol of a screen."""

    __slots__ = ()

    def show(self, context: Context) -> Contents:
        """Return what is on the panel, and what can be done there."""

    @property
    def half(self) -> tuple[object, ...] | None:
        """Return what would be lost without a draft, the answer under way last; None on screens that need none."""
        return None

    def expected_text(self, context: Context) -> str:
        """Say which text can be written as a whole, on a page or wherever there are letters; empty for none."""
        return ""

    def write(self, text: str, context: Context) -> Transition:
        """Return what a text leads to that was written as a whole."""
        return refuse(self, _("No name is asked for now"))

    def refused(self, context: Context, why: IllegalEvent) -> Transition:
        """Return how the refusal of what a move entered is said."""
        return refuse(self, why.text)


class TableScreen(Screen, Protocol):
    """The game's screen, to which menu and entry list lead back."""

    __slots__ = ()

    @property
    def amending(self) -> int | None:
        """Return the number of the entry being corrected, if one is."""

    def reset(self) -> Screen:
        """Return the table with nothing half entered."""

    def with_tracking(self, tracking: Tracking) -> Screen:
        """Return the correction under way, entered in another way."""

    def correct_entry(self, game: OpenGame, number: int) -> Screen:
        """Return the screen on which another event is entered in the place of one that stands."""

    def resolve_misfits(self, game: OpenGame, mending: Correction) -> Screen:
        """Return the screen on which a correction goes on with an entry that no longer fits."""


def placeholder_names(words: Translator) -> tuple[str, ...]:
    """Return the names of those who have none."""
    return tuple(words(_("P{number}", number=number)) for number in range(1, 10))


def table_body(words: Translator, table: Table) -> TableBody:
    """Word a table of figures."""
    return TableBody(
        words(table.title),
        tuple(words(head) for head in table.columns),
        tuple(map(words, table.names)) or words.players,
        tuple(tuple(words(figure) for figure in row) for row in table.rows),
        table.marked,
    )


def undone_text(game: OpenGame) -> Text | None:
    """Say what undoing takes back, before it is done."""
    line = game.session.latest
    return None if line is None else _("Took back: {entry}", entry=_described(game, line))


def undo_warning(context: Context) -> Text | None:
    """Say what undoing would take back, where that is to be seen first."""
    game = context.require_game()
    line = game.session.latest if game.resumed else None
    if line is None:
        return None
    again = _("* again takes back: {entry}") if "*" in context.key_layout.keys else _("● again takes back: {entry}")
    return Text(again.template, entry=_described(game, line))


def redone_text(game: OpenGame) -> Text | None:
    """Say what redoing brings back, before it is done."""
    line = game.session.undone
    return None if line is None else _("Brought back: {entry}", entry=_described(game, line))


def _described(game: OpenGame, line: Entry) -> Text:
    match line:
        case Amend(number, to):
            return _("correction {number}: {entry}", number=number, entry=_described(game, to))
        case Splice(number):
            return _("correction from {number} on", number=number)
    return game.session.header.game.describe(line)


CHOOSE = _("Choose by number; * goes back")

READ_ONLY = _("A finished game. Its menu lets you change it")
"""What is said to a key that would enter something in a game that is only looked at."""

HOME = Key("*", held=True)
"""Back, all the way: the key that leads home from every screen away from the table, where it opens the entries."""


def leave(screen: Screen) -> Transition:
    """Go home; what is on the table is put away as it stands."""
    return Transition(screen, LeaveGame())


def refuse(screen: Screen, message: Text) -> Transition:
    """Stay on a screen and say why."""
    return Transition(screen, message=message, refused=True)
