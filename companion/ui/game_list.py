"""The journal's games as lists show them. A header is read only when its game is shown."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

import msgspec

from companion.core.game import Header
from companion.core.prompt import Tracking
from companion.core.text import Text
from companion.gamelog import LogError, check_names, name_key
from companion.games import GAMES
from companion.ui.people import People
from companion.ui.translations import _


class _Played(msgspec.Struct, frozen=True):
    """As much of a header as lists of people need."""

    game: str
    players: tuple[str, ...]


@dataclass(frozen=True)
class ListedGame:
    """A game as lists show it.

    Attributes:
        name: Its name in the journal.
        number: Its number in the journal.
        written: The first line of its log.
        tracking: How closely it is followed.
        over: Whether it is finished.
        read: Reads the first line; None where that cannot be read.
        begun: When it was begun, by the clocks of the house; None where the box did not know.
    """

    name: str
    number: int
    written: str
    tracking: Tracking
    over: bool
    read: Callable[[str], Header | None] = field(compare=False, repr=False)
    begun: datetime | None = None

    @cached_property
    def header(self) -> Header | None:
        """Return who plays what; None where it cannot be read any more."""
        return self.read(self.written)

    @cached_property
    def played(self) -> tuple[str, tuple[str, ...]] | None:
        """Return the name of the game, and who plays; None where that cannot be read. The rules are not looked at."""
        with suppress(msgspec.DecodeError, RecursionError):
            played = msgspec.json.decode(self.written, type=_Played)
            return played.game, played.players
        return None

    @property
    def title(self) -> Text:
        """Return the game's title; of one that cannot be read, its number."""
        return _("Game {number}", number=self.number) if self.header is None else Text(self.header.game.title)


@dataclass(frozen=True, slots=True)
class PlayerGroup:
    """People who played a game together, and their latest game.

    Attributes:
        game: The name of the game.
        players: The people, as they are called now.
        latest: The latest game.
    """

    game: str
    players: tuple[str, ...]
    latest: ListedGame

    def is_of(self, players: tuple[str, ...]) -> bool:
        """Return whether it is these people, in this order."""
        return [*map(name_key, self.players)] == [*map(name_key, players)]


class GameList:
    """All games of the journal, read when needed."""

    def __init__(self, read: Callable[[], tuple[ListedGame, ...]] = tuple) -> None:
        """Name what reads the games, the latest first."""
        self._read = read
        self._parties: tuple[People, tuple[PlayerGroup, ...]] | None = None

    @cached_property
    def games(self) -> tuple[ListedGame, ...]:
        """Return every game, the latest first."""
        return self._read()

    def parties(self, people: People) -> tuple[PlayerGroup, ...]:
        """Return who played what together, the latest first, each party once.

        Args:
            people: Who was renamed.
        """
        if self._parties is None or self._parties[0] != people:
            self._parties = people, self._find_parties(people)
        return self._parties[1]

    def _find_parties(self, people: People) -> tuple[PlayerGroup, ...]:
        seen = set()
        parties: dict[tuple[str, ...], PlayerGroup] = {}
        for shelved in self.games:
            written = shelved.played, people.renamed_since(shelved.number)
            if shelved.played is None or written in seen:
                continue
            seen.add(written)
            game, names = shelved.played
            with suppress(LogError):  # another program has written it
                players = tuple(people.now(name, shelved.number) for name in check_names([*names]))
                if game in GAMES:
                    parties.setdefault((game, *map(name_key, players)), PlayerGroup(game, players, shelved))
        return tuple(parties.values())
