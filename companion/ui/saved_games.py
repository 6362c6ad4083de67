"""What is saved, for screens: the games of the list, their dates, and the history of finished ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from companion.core.game import LogHeader, Standing
from companion.core.prompt import DetailLevel
from companion.core.text import Text
from companion.decoding import from_json
from companion.gamelog import LogError, check_names, name_key
from companion.games import GAMES
from companion.history.renamed_and_hidden import People
from companion.ui.faces import places_of
from companion.ui.translations import _

if TYPE_CHECKING:
    from companion.history.reports import PersonReport
    from companion.history.results import GameResult
    from companion.history.statistics import LeagueRow


LONGEST_NAME = 40
"""The most characters that are shown of the name of a game that is not installed."""


class _Played(msgspec.Struct, frozen=True):
    """The fields of a header that lists of people need."""

    game: str
    players: tuple[str, ...]


def played(written: str, players: tuple[str, ...]) -> tuple[str, tuple[str, ...]] | None:
    """Return the name of the game in the first line of a log, and the players: those that a later line has, else its.

    None if the line cannot be decoded; the rules are not.
    """
    with suppress(msgspec.DecodeError, RecursionError):
        header = from_json(written, _Played)
        return header.game, players or header.players
    return None


class ListedGame(Struct, frozen=True, dict=True):
    """What a list shows of a stored game."""

    name: str  # its name in the journal
    number: int
    written: str  # the first line of its log
    tracking: DetailLevel  # the level of detail chosen at its set-up
    over: bool
    read: Callable[[str], LogHeader | None]  # decodes the first line; returns None if it cannot be decoded
    begun: datetime | None = None  # when it began, in local time; None if the box's clock was not set
    players: tuple[str, ...] = ()  # the names by seat, if a line of the log changed those of the first
    has_entries: bool = True

    @cached_property
    def header(self) -> LogHeader | None:
        """Return the header, with the names that count; None if it cannot be decoded."""
        header = self.read(self.written)
        return header.with_players(self.players) if header is not None and self.players else header

    @cached_property
    def played(self) -> tuple[str, tuple[str, ...]] | None:
        """Return the game's name and the players; None if they cannot be decoded."""
        return played(self.written, self.players)

    @property
    def why_unreadable(self) -> Text:
        """Return the sentence on a game whose header cannot be decoded."""
        if self.played is not None and self.played[0] not in GAMES:
            name = "".join(filter(str.isprintable, self.played[0]))[:LONGEST_NAME]
            return _("The rules of {game} are not installed; the game is kept as it is", game=name)
        return _("This game cannot be read; it is kept as it is")

    @property
    def title(self) -> Text:
        """Return the game's title, or its number if the header cannot be decoded."""
        return _("Game {number}", number=self.number) if self.header is None else Text(self.header.game.title)


class PlayerGroup(Struct, frozen=True):
    """People who played a game together, by their current names, and their latest game."""

    game: str
    players: tuple[str, ...]
    latest: ListedGame

    def is_of(self, players: tuple[str, ...]) -> bool:
        """Return whether the group consists of these people, in this order."""
        return [*map(name_key, self.players)] == [*map(name_key, players)]


class GameList:
    """All games of the journal, read on first use. ``standing`` returns None for a game that cannot be read."""

    def __init__(
        self,
        read: Callable[[], tuple[ListedGame, ...]] = tuple,
        standing: Callable[[ListedGame], Standing | None] = lambda _game: None,
        removed: Callable[[], tuple[ListedGame, ...]] = tuple,
        hidden: frozenset[str] = frozenset(),
    ) -> None:
        """Use functions that read; ``hidden`` has the names of games that no set-up offers."""
        self._read = read
        self.hidden = hidden
        self._read_removed = removed
        self.standing = standing
        self._parties: tuple[People, tuple[PlayerGroup, ...]] | None = None
        self._places: tuple[People, dict[str, int]] | None = None

    @cached_property
    def games(self) -> tuple[ListedGame, ...]:
        return self._read()

    @cached_property
    def removed(self) -> tuple[ListedGame, ...]:
        """Return the games that were removed, the latest first."""
        return self._read_removed()

    @cached_property
    def lately(self) -> tuple[str, ...]:
        """Return the names of the games that the journal has, those played last first."""
        return tuple(dict.fromkeys(each.played[0] for each in self.games if each.played is not None))

    def places(self, people: People) -> dict[str, int]:
        """Return the places that people's colours come from; cached until people change."""
        if self._places is None or self._places[0] != people:
            played = ((each.number, each.played) for each in reversed(self.games))
            self._places = people, places_of(((number, by[1]) for number, by in played if by is not None), people)
        return self._places[1]

    def parties(self, people: People) -> tuple[PlayerGroup, ...]:
        """Return the groups of players by their current names, latest first, each once; cached until people change."""
        if self._parties is None or self._parties[0] != people:
            self._parties = people, self._find_parties(people)
        return self._parties[1]

    def _find_parties(self, people: People) -> tuple[PlayerGroup, ...]:
        seen = set()
        parties: dict[tuple[str, ...], PlayerGroup] = {}
        for listed_game in self.games:
            written = listed_game.played, people.renamed_since(listed_game.number)
            if listed_game.played is None or written in seen:
                continue
            seen.add(written)
            game, names = listed_game.played
            with suppress(LogError):  # names that are not valid, written by another program
                players = tuple(people.now(name, listed_game.number) for name in check_names([*names]))
                if game in GAMES:
                    parties.setdefault((game, *map(name_key, players)), PlayerGroup(game, players, listed_game))
        return tuple(parties.values())


class StillReading(Struct, frozen=True):
    """The games are still being read; the screen is shown again later."""

    remaining: int = 0  # how many games are left to read
    failed: bool = False  # whether they cannot be read at all


class HistoryReader:
    """Answers the questions of screens: those of a program that keeps no games. Answers stay until a game changes."""

    @property
    def unreadable(self) -> int:
        """Return how many games could not be read; the league and the statistics leave them out."""
        return 0

    def unlisted(self) -> StillReading | None:
        """Return how many games are missing from the list of games; None if it is complete."""
        return None

    def results(self, _names: Sequence[str]) -> Mapping[str, GameResult]:
        """Return the results of some finished games, by their names in the journal; unreadable ones are missing."""
        return {}

    def league(self) -> tuple[LeagueRow, ...] | StillReading:
        """Return the league table over all games."""
        return ()

    def person(self, _name: str) -> PersonReport | StillReading | None:
        """Return what is known of a person, by the current name; None if the person played no finished game."""
        return None
