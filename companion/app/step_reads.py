"""Reads what a step needs beside the state: saved games, the lists made of them, the machine. Changes nothing."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from companion.core.errors import IllegalEventError
from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.core.text import N_, Text
from companion.gamelog import InvalidLineError, read
from companion.games import GAMES
from companion.history import renamed_and_hidden
from companion.history.days import known_time
from companion.journal import Journal
from companion.ui.saved_games import GameList
from companion.ui.screens.context import CurrentGame, Screen, ScreenContents, ScreenContext

from .app_state import AppState
from .game_list_reader import GameListReader, chosen_at_set_up, followed
from .history_reading import HistoryReading
from .machine import Machine

LEFT_GAME = "left game"
"""The setting that holds the name of the game that was left last."""
RULES_CHANGED = N_("The rules of {game} were changed after this game began. Its points are those of the new rules")
UNREADABLE_BY_NEW_RULES = N_(
    "Game {number} cannot be read by its rules, which were changed after it began: line {line}: {why}"
)


class SavedGame(Struct, frozen=True):
    """A game read from the journal."""

    session: Session  # the entries
    tracking: DetailLevel  # the level of detail recorded
    set_up_tracking: DetailLevel  # the level of detail chosen at its set-up
    lines: int  # the number of lines in the log, without the header
    draft: object  # the unfinished entry; empty if there is none
    told: Text | None = None  # that its rules were changed, if they were


class Known:
    """Reads the journal and the machine for steps, and keeps the contents of the latest screen."""

    def __init__(self, journal: Journal, history: HistoryReading, machine: Machine) -> None:
        """Use a journal."""
        self.history = history  # reads finished games for screens
        self.machine = machine  # the features of the machine around the box
        self._journal = journal
        self._lists = GameListReader(journal)
        self._contents: tuple[Screen, ScreenContext, ScreenContents] | None = None

    def contents(self, state: AppState) -> ScreenContents:
        """Return the contents of a state's screen, kept until screen or context changes."""
        known = self._contents
        if known is None or known[0] is not state.screen or known[1] is not state.context:
            self._contents = known = state.screen, state.context, state.screen.show(state.context)
        return known[2]

    def read_lists(self, context: ScreenContext) -> ScreenContext:
        """Return a context with the games and people that the journal contains, and the machine as it is."""
        return replace(
            context,
            game_list=self.game_list(),
            people=renamed_and_hidden.read(self._journal.setting("roster")),
            history=self.history,
            machine=self.machine.status,
            left_game=self._journal.setting(LEFT_GAME) or "",
        )

    def game_list(self) -> GameList:
        """Return the list of games. The journal is read when a screen first uses it."""
        return self._lists.game_list()

    def new_name(self, game: str) -> str:
        """Return the name in the journal of a new game."""
        return self._journal.name_for(game)

    def draft(self, name: str | None) -> object:
        """Return the draft of a game, or of a set-up (None); empty if there is none."""
        return self._journal.draft(name)

    def saved_game(self, name: str) -> SavedGame:
        """Read a game of the journal.

        Raises:
            IllegalEventError: The game's log is invalid.
            JournalError: There is no such game, or the disk cannot be read.
        """
        journal = self._journal
        draft = journal.draft(name)  # from here on the journal caches the game, so its files are read once
        saved, lines = journal.saved(name), journal.lines(name)
        game = saved.name.partition("-")[2].rpartition("-")[0]
        begun = known_time(saved.begun)
        changed = bool(lines) and GAMES.changed(game) > begun > 0
        try:
            session = read("\n".join((saved.header, *lines)).encode(), journal.keys(name))
        except InvalidLineError as error:
            raise IllegalEventError(
                "unreadable",
                UNREADABLE_BY_NEW_RULES if changed else N_("Game {number} cannot be read: line {line}: {why}"),
                number=saved.number,
                line=error.number,
                why=error.text,
            ) from error
        told = Text(RULES_CHANGED, game=Text(session.header.game.title)) if changed else None
        return SavedGame(session, followed(saved), chosen_at_set_up(saved), len(lines), draft, told)

    def saved_lines(self, game: CurrentGame) -> int:
        """Return how many lines of a game are saved, without the header."""
        return max(0, game.lines - self._journal.unsaved(game.name))  # the header may be unsaved, too

    def forget(self, name: str) -> None:
        """Forget what depends on a game that has a new line; it is read again when asked for."""
        self._lists.changed(name)
        self.history.changed()
