"""Carries out the commands of screens: opens and begins games, writes lines, keeps settings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from companion.core.errors import IllegalEventError
from companion.core.events import Event, Line, Redo
from companion.core.game import EventOutcome, LogHeader
from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.core.text import N_
from companion.gamelog import InvalidLineError, encode_line, read
from companion.history import renamed_and_hidden
from companion.history.renamed_and_hidden import People
from companion.journal import Journal
from companion.ui.screens.commands import (
    BeginGame,
    EnterLine,
    HidePerson,
    LeaveGame,
    OnMachine,
    RenamePerson,
    ReopenGame,
    ResumeGame,
    SetLanguage,
    SetSound,
    SetTracking,
)
from companion.ui.screens.context import Command, CurrentGame, Screen, ScreenContext
from companion.ui.translations import Translator

from .game_list_reader import GameListReader, followed
from .machine import Machine
from .ports import Clock

if TYPE_CHECKING:
    from .history_reading import HistoryReading


class PlannedChange(Struct, frozen=True):
    """The new context and the journal writes that a command leads to; nothing is written yet.

    Attributes:
        context: The new context of the screens.
        write: Writes the change to the journal.
        draft: The unfinished entry of a game that is being opened; None if no game is opened.
    """

    context: ScreenContext
    write: Callable[[], object]
    draft: object = None


class CommandHandler:
    """Turns a screen's command into a new context and journal writes."""

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        history: HistoryReading | None = None,
        machine: Machine | None = None,
    ) -> None:
        """Use a journal.

        Args:
            journal: The journal.
            clock: Supplies the time stamps of entries.
            history: Reads finished games for screens; None where no screen asks for them.
            machine: The features of the machine around the box.
        """
        self._journal = journal
        self._clock = clock
        self._history = history
        self._machine = machine or Machine()
        self._shelf = GameListReader(journal)

    def know(self, context: ScreenContext) -> ScreenContext:
        """Return a context with the games and people that the journal contains."""
        known = renamed_and_hidden.read(self._journal.setting("roster"))
        if self._history is not None:
            self._history.changed()
            context = replace(context, history=self._history)
        return replace(
            context,
            game_list=self._shelf.game_list(),
            people=known,
            machine=self._machine.status,
        )

    def lines(self, game: CurrentGame) -> int:
        """Return how many lines of a game are saved, without the header."""
        return max(0, game.lines - self._journal.unsaved(game.name))  # the header may be unsaved, too

    def plan(self, act: Command, context: ScreenContext) -> PlannedChange:
        """Plan the change that a screen's command asks for. Nothing is written yet.

        Args:
            act: The command.
            context: The current context.

        Raises:
            IllegalEventError: The command is not possible, or the machine refused.
            JournalError: The journal cannot be read.
        """
        journal = self._journal
        match act:
            case EnterLine(line, keys):
                return self._entered(context, line, keys)
            case SetTracking(tracking):
                game = replace(context.require_game(), tracking=tracking)
                return PlannedChange(replace(context, game=game), partial(journal.track, game.name, tracking.value))
            case BeginGame(header, tracking):
                return self._begun(context, header, tracking)
            case ResumeGame(name, listed):
                return self.resumed(context, name, listed)
            case ReopenGame():
                game = replace(context.require_game(), listed=None)
                leave_in = partial(journal.set_open_game, game.name)
                return PlannedChange(replace(context, game=game), leave_in, journal.draft(game.name))
            case SetSound(loud):
                return PlannedChange(replace(context, sound_on=loud), self._keep("sounds", "on" if loud else "off"))
            case SetLanguage(language):
                words = Translator(language, context.words.players)
                return PlannedChange(replace(context, words=words), self._keep("language", language))
            case RenamePerson(old, new):
                latest = max((shelved.number for shelved in context.game_list.games), default=0)
                return self._knowing(context, context.people.rename(old, new, latest))
            case HidePerson(name, hidden):
                return self._knowing(context, context.people.hide(name, hidden))
            case LeaveGame():
                if self._history is not None:
                    self._history.try_again()
                return PlannedChange(self.put_away(context), partial(journal.set_open_game, None))
        assert isinstance(act, OnMachine)  # the last kind of command
        self._machine.do(act.do)
        return PlannedChange(replace(context, machine=self._machine.status), _nothing)

    def resumed(self, context: ScreenContext, name: str, listed: Screen | None = None) -> PlannedChange:
        """Plan to open a game from the journal.

        Args:
            context: The current context.
            name: The game.
            listed: The list it is opened from, if any. A finished game is then opened read-only.

        Raises:
            IllegalEventError: The game's log is invalid.
            JournalError: There is no such game, or the disk cannot be read.
        """
        journal = self._journal
        draft = journal.draft(name)  # from here on the journal caches the game, so its files are read once
        saved, lines = journal.saved(name), journal.lines(name)
        try:
            session = read("\n".join((saved.header, *lines)).encode(), journal.keys(name))
        except InvalidLineError as error:
            raise IllegalEventError(
                "unreadable",
                N_("Game {number} cannot be read: line {line}: {why}"),
                number=saved.number,
                line=error.number,
                why=error.text,
            ) from error
        game = CurrentGame(name, session, followed(saved), len(lines), resumed=True)
        if listed is not None and game.over:
            return PlannedChange(_at_the_table(context, replace(game, listed=listed)), _nothing, "")
        return PlannedChange(_at_the_table(context, game), partial(journal.set_open_game, name), draft)

    def put_away(self, context: ScreenContext) -> ScreenContext:
        """Return a context without an open game, and with an up-to-date game list."""
        shelf = context.game_list if context.game is None or context.game.read_only else self._shelf.game_list()
        return replace(context, game=None, report=None, game_list=shelf, words=context.words.at(()))

    def _entered(self, context: ScreenContext, line: Line, keys: str | None) -> PlannedChange:
        """Add a line to the open game. Only an event, new or redone, gets a report."""
        game = context.require_game()
        session = game.session.add(line, keys)
        entered = replace(game, session=session, lines=game.lines + 1, resumed=False)
        told = isinstance(game.session.undone if isinstance(line, Redo) else line, Event)
        written, over, now = encode_line(line), entered.over, self._clock.now()

        def write() -> None:
            tracking = game.tracking.value
            self._journal.append(game.name, written, now=now, tracking=tracking, keys=keys, over=over)
            self._shelf.changed(game.name)
            if self._history is not None:
                self._history.changed()

        return PlannedChange(replace(context, game=entered, report=report(session) if told else None), write)

    def _begun(self, context: ScreenContext, header: LogHeader, tracking: DetailLevel) -> PlannedChange:
        journal = self._journal
        name, now = journal.name_for(header.game.name), self._clock.now()

        def write() -> None:
            journal.begin(name, header.written, tracking.value, now)
            journal.set_open_game(name)
            if journal.draft(None):  # of the set-up
                journal.keep_draft(None, "", sync=True)

        context = replace(context, game_list=self._shelf.game_list())
        return PlannedChange(_at_the_table(context, CurrentGame(name, Session(header), tracking)), write, "")

    def _knowing(self, context: ScreenContext, known: People) -> PlannedChange:
        return PlannedChange(replace(context, people=known), self._keep("roster", renamed_and_hidden.written(known)))

    def _keep(self, name: str, value: str) -> Callable[[], object]:
        return partial(self._journal.keep_setting, name, value)

    def keep_draft(self, game: str | None, given: object, *, sync: bool) -> None:
        """Keep the draft of a game or of a set-up."""
        self._journal.keep_draft(game, given, sync=sync)


def _at_the_table(context: ScreenContext, game: CurrentGame) -> ScreenContext:
    words = context.words.at(game.session.header.players)
    ways = game.session.header.game.trackings
    if game.tracking not in ways:  # the level of another game: use the most detailed one
        game = replace(game, tracking=next(iter(ways)))
    return replace(context, game=game, words=words, report=None)


def report(session: Session) -> EventOutcome | None:
    """Return the outcome of the latest event."""
    head = session.head
    if head.event is None or head.before is None:
        return None
    return session.header.game.outcome(head.before.state, head.event, head.state)


def _nothing() -> None:
    """Write nothing, as for a game that is only viewed: it is not opened again at the next start."""
