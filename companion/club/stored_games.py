"""Reads stored games for pages: the latest, the results since a time, one game with its lines."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from companion.history.results import GameResult

from .database import Connection
from .game_score import ScoredGame, scored

ON_A_PAGE = 50

_LATEST = """
SELECT game.id, title, coalesce(nullif(device.name, ''), game.device), extract(epoch FROM last_at)::float,
    over, players, totals, fault
FROM game JOIN device USING (device) JOIN summary ON summary.game = game.id
WHERE last_at < to_timestamp(%s) ORDER BY last_at DESC, game.id DESC LIMIT %s
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
    """A game in the list of all games."""

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


def latest(connection: Connection, before: float) -> list[ListedGame]:
    """Return a page of the games whose last entry came before a time, the latest first."""
    with connection.transaction():
        return [ListedGame(*row) for row in connection.execute(_LATEST, [before, ON_A_PAGE])]


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
