"""Reads the game list and standings from the journal. Unreadable games are listed, too."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from msgspec import MsgspecError, json

from companion.core.game import LogHeader
from companion.core.game_guard import GameFaultError
from companion.core.prompt import DetailLevel
from companion.core.standing import Standing, standing
from companion.gamelog import InvalidLineError, LogError, decode_header, read
from companion.journal import Journal, JournalError, StoredGame
from companion.ui.saved_games import GameList, ListedGame

from .clock import noted
from .survive_errors import LogAndContinue

HIDDEN = "hidden games"
"""The setting that lists the names of games that no set-up offers."""


def hidden_games(kept: str | None) -> frozenset[str]:
    """Return the names in the setting `HIDDEN`; none if it was never chosen or cannot be read."""
    with suppress(MsgspecError):
        return frozenset() if kept is None else json.decode(kept, type=frozenset[str])
    return frozenset()


class GameListReader:
    """Reads the games of a journal for lists."""

    def __init__(self, journal: Journal) -> None:
        """Use a journal."""
        self._journal = journal
        self._known: dict[StoredGame, ListedGame] = {}
        self._standings: dict[str, Standing | None] = {}

    def game_list(self) -> GameList:
        """Return the list of games. The journal is read when a screen first uses the list."""
        hidden = hidden_games(self._journal.setting(HIDDEN))
        return GameList(self._games, self.standing, self._removed, hidden)

    def _games(self) -> tuple[ListedGame, ...]:
        self._known = {saved: self._known.get(saved) or _shelved(saved) for saved in self._journal.games()}
        return tuple(self._known.values())

    def _removed(self) -> tuple[ListedGame, ...]:
        return tuple(map(_shelved, self._journal.removed()))

    def standing(self, shelved: ListedGame) -> Standing | None:
        """Return a game's leader or winner, read when a list first shows it."""
        name = shelved.name
        if name not in self._standings:
            with (
                LogAndContinue(f"reading game {name} for a list"),
                suppress(JournalError),
            ):  # it is read again next time
                self._standings[name] = self._read_standing(shelved)
        return self._standings.get(name)

    def changed(self, name: str) -> None:
        """Drop the cached standing of a game."""
        self._standings.pop(name, None)

    def _read_standing(self, shelved: ListedGame) -> Standing | None:
        if shelved.header is None:
            return None
        lines = self._journal.lines(shelved.name)
        with LogAndContinue(f"finding out who leads game {shelved.name}"), suppress(InvalidLineError, GameFaultError):
            session = read("\n".join((shelved.written, *lines)).encode())
            return standing(session.header.game, session.progress, session.header.best)
        return None


def _shelved(saved: StoredGame) -> ListedGame:
    read_header = partial(_header, saved.name)
    return ListedGame(
        saved.name,
        saved.number,
        saved.header,
        chosen_at_set_up(saved),
        saved.over,
        read_header,
        noted(saved.begun),
        saved.players,
        saved.has_entries,
    )


def _header(name: str, written: str) -> LogHeader | None:
    with LogAndContinue(f"reading the header of game {name}"), suppress(LogError):
        return decode_header(written)
    return None


def followed(saved: StoredGame) -> DetailLevel:
    """Return a game's level of detail; the most detailed one if it cannot be read."""
    return _level(saved.tracking)


def chosen_at_set_up(saved: StoredGame) -> DetailLevel:
    """Return the level of detail chosen at a game's set-up; the most detailed one if it is not known."""
    return _level(saved.first_tracking)


def _level(written: str) -> DetailLevel:
    try:
        return DetailLevel(written)
    except ValueError:
        return DetailLevel.FULL
