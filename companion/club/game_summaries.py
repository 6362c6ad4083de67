"""Computes each game whose lines have changed, stores its summary, and keeps the overview in memory."""

from __future__ import annotations

import select
import socket
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import accumulate
from operator import is_not
from typing import Any

import psycopg
from msgspec.structs import replace

from companion.bridge.table_state import seat_states
from companion.core.text import Text

from .database import Connection, connect
from .game_score import BoxStatus, ScoredGame, TableRow, as_values, difference, rules_fingerprint
from .store_game_lines import CHANGED, DEVICES

AT_ONCE = 200  # games that are computed before the overview shows them, at most
LINES_AT_ONCE = 1000  # lines after which no further game is computed before
MOST_KEPT = 3000  # games whose state stays in memory, so that a new line costs no replay
AGAIN = 2.0  # seconds until the database is tried again

_STALE = """
SELECT game.id FROM game LEFT JOIN summary ON summary.game = game.id
WHERE summary.game IS NULL OR summary.lines <> game.lines OR summary.program <> %s ORDER BY game.last_at DESC
"""
_LATEST = "SELECT DISTINCT ON (device) id FROM game ORDER BY device, last_at DESC, id DESC"
_GAMES = "SELECT id, device, name, lines, differs, first_at, last_at FROM game WHERE id = ANY(%s)"
# a part for each game: a plan made while the table was small would read the whole table each time
_LINES = """
SELECT id, content FROM unnest(%s::bigint[], %s::integer[], %s::integer[]) AS wanted (id, first, beyond),
    LATERAL (SELECT content FROM line WHERE game = id AND number >= first AND number < beyond ORDER BY number) AS new
"""
_KEEP = """
INSERT INTO summary (game, lines, program, kind, title, players, totals, over, fault, result)
VALUES (%(game)s, %(lines)s, %(program)s, %(kind)s, %(title)s, %(players)s, %(totals)s, %(over)s, %(fault)s, %(result)s)
ON CONFLICT (game) DO UPDATE SET lines = excluded.lines, program = excluded.program, kind = excluded.kind,
    title = excluded.title, players = excluded.players, totals = excluded.totals, over = excluded.over,
    fault = excluded.fault, result = excluded.result
"""
_DEVICES = "SELECT device, number, name, online, status_at, called_at FROM device WHERE NOT removed"


class GameSummaries:
    """Computes games in a thread of its own; `tables` may be read by any thread.

    Args:
        database: The address of the database.
        changed: Is called after each change of `tables`.
        said: Is called with sentences for the log.
    """

    def __init__(self, database: str, changed: Callable[[], None], said: Callable[[str], None]) -> None:
        self.tables: tuple[TableRow, ...] = ()  # in order; replaced as a whole
        self.by_device: dict[str, TableRow] = {}  # the same; replaced as a whole, too
        self._notes: dict[str, BoxStatus] = {}  # of each box, in the order of the tables
        self._database, self._changed, self._said = database, changed, said
        self._games: dict[int, ScoredGame] = {}
        self._program = rules_fingerprint()
        self._stopping, self._stop = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="scorer")

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the thread, and wait for it."""
        self._stop.send(b"x")
        self._thread.join()
        self._stop.close()
        self._stopping.close()

    def game(self, id: int) -> ScoredGame | None:
        """Return a game that is in memory; None for another one."""
        return self._games.get(id)

    def _run(self) -> None:
        silent = False
        while True:
            try:
                with connect(self._database) as connection:
                    connection.autocommit = True
                    if silent:
                        self._said("games are computed again")
                    silent = False
                    self._follow(connection)
                    return
            except psycopg.Error as error:
                if not silent:
                    self._said(f"games are not computed: {str(error).splitlines()[0]}; it is tried again")
                silent = True
            if select.select([self._stopping], [], [], AGAIN)[0]:
                return

    def _follow(self, connection: Connection) -> None:
        """Compute what has changed, until told to stop."""
        connection.execute(f"LISTEN {CHANGED}".encode())
        self._read_notes(connection)
        shown = [row[0] for row in connection.execute(_LATEST)]
        wanted = dict.fromkeys([*shown, *self._stale(connection)])
        if not wanted:  # nothing is computed that would show the boxes
            self._show({})
        while True:
            # notices that came with the answer to a statement are no longer in the socket, so they are taken first
            told = {notice.payload for notice in connection.notifies(timeout=0)}
            if "" in told:
                wanted |= dict.fromkeys(self._stale(connection))
            if DEVICES in told:
                self._read_notes(connection)
                self._show({})
            # what is played now comes before what waits, as after an update or from a box that was away
            new = [int(id) for ids in told - {"", DEVICES} for id in ids.split(",")]
            wanted = dict.fromkeys(new) | wanted
            ids = [*wanted][:AT_ONCE]
            for id in ids:
                del wanted[id]
            if ids:
                later = dict.fromkeys(self._compute(connection, ids))
                wanted = later | wanted
            patience = 0.0 if told or wanted else None
            reading: list[Any] = [self._stopping, connection.fileno()]
            if self._stopping in select.select(reading, [], [], patience)[0]:
                return

    def _stale(self, connection: Connection) -> list[int]:
        """Return the games whose summary is missing or out of date, the latest first."""
        return [row[0] for row in connection.execute(_STALE, [self._program])]

    def _read_notes(self, connection: Connection) -> None:
        rows = [
            TableRow(device, BoxStatus(number, name, online, _seconds(status), called and called.timestamp()))
            for device, number, name, online, status, called in connection.execute(_DEVICES)
        ]
        names = Counter(row.note.name for row in rows if row.note.name)
        self._notes = {
            row.device: replace(row.note, twin=names[row.note.name] > 1) for row in sorted(rows, key=TableRow.place)
        }

    def _compute(self, connection: Connection, ids: Sequence[int]) -> list[int]:
        """Read the new lines of games, show them, and keep their summaries; return the games that were too many.

        Games with few new lines are first: they are played now, while others may come from a box that was away.
        """
        found = connection.execute(_GAMES, [[*ids]]).fetchall()
        if any(row[1] not in self._notes for row in found):
            self._read_notes(connection)
        sizes = {id: lines - self._read(id, lines) for id, _device, _name, lines, *_rest in found}
        found.sort(key=lambda row: (sizes[row[0]], ids.index(row[0])))
        together = accumulate(sizes[row[0]] for row in found)
        count = max(1, sum(lines <= LINES_AT_ONCE for lines in together))
        later = [row[0] for row in found[count:]]
        found = found[:count]
        games = {id: self._kept(id, lines) for id, _device, _name, lines, *_rest in found}
        wanted = [[row[0] for row in found], [games[row[0]].read for row in found], [row[3] for row in found]]
        new: dict[int, list[bytes]] = {row[0]: [] for row in found}
        for id, content in connection.execute(_LINES, wanted):
            new[id].append(content)
        rows, summaries = dict[str, TableRow](), []
        for id, device, name, _lines, differs, first_at, last_at in found:
            game = games[id]
            game.add(new[id])
            values = as_values(game, f"{device}/{name}", id, (first_at.timestamp(), last_at.timestamp()))
            fault = difference(differs) or game.fault  # the cause first
            values["fault"] = "" if fault is None else str(fault)
            summaries.append({"game": id, "lines": game.read, "program": self._program, **values})
            if device not in self._notes:
                continue  # the box was removed; its games stay in the archive
            before = rows.get(device) or self.by_device.get(device)
            if before is None or (before.last_at, before.id) <= (last_at.timestamp(), id):
                rows[device] = self._row(device, id, game, fault, last_at.timestamp())
        self._show(rows)
        with connection.transaction():
            connection.cursor().executemany(_KEEP, summaries)
        for id in [*self._games][: max(0, len(self._games) - MOST_KEPT)]:
            del self._games[id]
        return later

    def _read(self, id: int, lines: int) -> int:
        """Return how many lines of a game were read; 0 if it has fewer by now: an older database was restored."""
        game = self._games.get(id)
        return 0 if game is None or game.read > lines else game.read

    def _kept(self, id: int, lines: int) -> ScoredGame:
        """Return a game as far as it was read; the latest that were asked for stay in memory."""
        game = self._games.pop(id, None)
        if game is None or game.read > lines:
            game = ScoredGame()
        self._games[id] = game
        return game

    def _row(self, device: str, id: int, game: ScoredGame, fault: Text | None, last_at: float) -> TableRow:
        session, progress, alerts, before = game.session, game.progress, game.alerts, self.by_device.get(device)
        turn = None if progress is None else progress.turn
        known = before is not None and before.id == id and before.alerts >= len(alerts)
        return TableRow(
            device=device,
            note=self._notes[device],
            id=id,
            game=game.title,
            round=None if progress is None else progress.round,
            turn=None if turn is None else game.players[turn],
            seats=() if session is None else seat_states(session),
            over=game.over,
            last_at=last_at,
            alert=alerts[-1] if alerts else None,
            alerts=len(alerts),
            alert_at=before.alert_at if known and before is not None else last_at,
            fault=fault,
        )

    def _show(self, new: dict[str, TableRow]) -> None:
        """Show new rows beside the others, with what is known of their boxes; a box without a game has a row, too."""
        rows, shown = self.by_device | new, dict[str, TableRow]()
        for device, note in self._notes.items():
            row = rows.get(device) or TableRow(device, note)
            shown[device] = row if row.note == note else replace(row, note=note)
        before, self.by_device, self.tables = self.tables, shown, tuple(shown.values())
        if len(before) != len(shown) or any(map(is_not, before, self.tables)):
            self._changed()


def _seconds(moment: datetime | None) -> float:
    return 0.0 if moment is None else moment.timestamp()
