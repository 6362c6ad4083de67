"""Computes the league over all finished games; each game's stored result is read once."""

from __future__ import annotations

import time

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.history.league import LeagueRow, league
from companion.history.renamed_and_hidden import People
from companion.history.results import GameResult
from companion.history.selection import Selection, counted, select

from .database import Connection

FRESH = 5.0  # seconds until it is looked whether results have changed
MOST_KEPT = 100  # leagues that are kept until then

_VERSIONS = "SELECT game, lines, program FROM summary WHERE result IS NOT NULL"
_RESULTS = "SELECT game, lines, program, result FROM summary WHERE result IS NOT NULL AND game = ANY(%s)"


class ClubLeague(Struct, frozen=True):
    """The league of some games."""

    rows: tuple[LeagueRow, ...]
    count: int  # how many games they are
    kinds: list[str]  # the names of the games that are played in the club


class ClubLeagues:
    """Computes leagues; for one thread."""

    def __init__(self) -> None:
        self._looked = -FRESH
        self._results: dict[tuple[int, int, str], GameResult] = {}  # by game, and what the result is computed from
        self._standings: dict[Selection, ClubLeague] = {}

    def standing(self, connection: Connection, chosen: Selection) -> ClubLeague:
        """Return the league of the games that are chosen, as of a few seconds ago."""
        if time.monotonic() - self._looked >= FRESH:
            self._look(connection)
        if chosen not in self._standings:
            if len(self._standings) >= MOST_KEPT:
                self._standings.clear()
            found = select(counted(self._results.values()), chosen, People())
            kinds = sorted({result.game for result in self._results.values()})
            self._standings[chosen] = ClubLeague(league(found, People()), len(found), kinds)
        return self._standings[chosen]

    def _look(self, connection: Connection) -> None:
        """Read the results that have changed."""
        with connection.transaction():
            versions = {*connection.execute(_VERSIONS)}
            new = [game for game, _lines, _program in versions - self._results.keys()]
            rows = connection.execute(_RESULTS, [new]).fetchall() if new else []
        self._looked = time.monotonic()
        if rows or versions != self._results.keys():
            results = {version: result for version, result in self._results.items() if version in versions}
            for game, lines, program, written in rows:
                result = msgspec.json.decode(written, type=GameResult)
                # a league needs neither rounds nor counts, which are most of the memory
                results[game, lines, program] = replace(
                    result, rounds=(), course=(), counts={}, declarers=(), earlier=()
                )
            self._results = dict(sorted(results.items(), key=lambda kept: kept[1].ended))
            self._standings.clear()
