"""Reads stored games for pages: a search, the results since a time, one game with its lines."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from companion.history.results import GameResult

from .database import Connection
from .game_score import ScoredGame, scored

ON_A_PAGE = 25

_SEARCH = """
SELECT game.id, title, coalesce(nullif(device.name, ''), game.device), extract(epoch FROM last_at)::float,
    over, players, totals, fault
FROM game JOIN device USING (device) JOIN summary ON summary.game = game.id
WHERE lower(concat_ws(' ', title, array_to_string(players, ' '), device.name, game.device, game.name)) LIKE ALL (%s)
ORDER BY last_at DESC, game.id DESC LIMIT %s OFFSET %s
"""
_GAME = """
SELECT game.id, game.device, game.name, lines, differs, coalesce(nullif(device.name, ''), game.device)
FROM game JOIN device USING (device) WHERE game.id = %s
"""
_RESULTS = """
SELECT extract(epoch FROM first_at)::float, result FROM summary JOIN game ON game.id = summary.game
WHERE result IS NOT NULL AND first_at >= to_timestamp(%s) ORDER BY last_at
"""


class ListedGame(Struct, frozen=True):
    """A game in the archive."""

    id: int
    title: str
    table: str
    last_at: float  # in seconds since 1970
    over: bool
    players: list[str]
    totals: list[int]
    fault: str

    @property
    def scores(self) -> list[tuple[str, int | None]]:
        points: list[int | None] = (
            [*self.totals] if len(self.totals) == len(self.players) else [None] * len(self.players)
        )
        return [*zip(self.players, points, strict=True)]


class StoredGame(Struct, frozen=True):
    """A game as it is stored."""

    id: int
    device: str
    name: str  # in the journal of its box
    lines: int  # how many are stored without a gap
    differs: int | None  # the first line that came again with another content
    table: str  # the table's name


def search(connection: Connection, words: str, page: int) -> tuple[list[ListedGame], bool]:
    """Return a page of the games that have all words, the latest first, and whether there are more."""
    escaped = words.lower().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    patterns = [f"%{word}%" for word in escaped.split()]
    with connection.transaction():
        rows = connection.execute(_SEARCH, [patterns, ON_A_PAGE + 1, page * ON_A_PAGE]).fetchall()
    return [ListedGame(*row) for row in rows[:ON_A_PAGE]], len(rows) > ON_A_PAGE


def results(connection: Connection, since: float) -> list[tuple[float, GameResult]]:
    """Return when each finished game that began since a time began, and its result; that with the last entry last."""
    decoder = msgspec.json.Decoder(GameResult)
    with connection.transaction():
        return [(began, decoder.decode(result)) for began, result in connection.execute(_RESULTS, [since])]


def stored_game(connection: Connection, id: int) -> StoredGame | None:
    with connection.transaction():
        found = connection.execute(_GAME, [id]).fetchone()
    return None if found is None else StoredGame(*found)


def lines_of(connection: Connection, game: StoredGame) -> list[bytes]:
    """Return the lines of a game up to the first gap."""
    asked = "SELECT content FROM line WHERE game = %s AND number < %s ORDER BY number"
    with connection.transaction():
        return [row[0] for row in connection.execute(asked, [game.id, game.lines])]


def scored_game(connection: Connection, game: StoredGame) -> ScoredGame:
    return scored(lines_of(connection, game))
