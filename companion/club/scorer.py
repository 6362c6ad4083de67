"""Follows the database: computes each game that has changed, keeps its summary there, and the overview in memory."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import psycopg
from msgspec.structs import replace

from .database import Connection, connect
from .line_store import CHANGED, DEVICES
from .overview import DeviceNote, TableRow
from .scoring import ScoredGame, as_values, difference, rules_fingerprint

AT_ONCE = 200  # games that are computed before the overview shows them
MOST_KEPT = 3000  # games whose state stays in memory, so that a new line costs no replay
AGAIN = 2.0  # seconds until the database is tried again

_STALE = """
SELECT game.id FROM game LEFT JOIN summary ON summary.game = game.id
WHERE summary.game IS NULL OR summary.lines <> game.lines OR summary.program <> %s ORDER BY game.last_at DESC
"""
_LATEST = "SELECT DISTINCT ON (device) id FROM game ORDER BY device, last_at DESC, id DESC"
_GAMES = "SELECT id, device, name, lines, differs, first_at, last_at FROM game WHERE id = ANY(%s)"
_LINES = """
SELECT game, content FROM line JOIN unnest(%s::bigint[], %s::integer[], %s::integer[]) AS wanted (game, first, beyond)
USING (game) WHERE number >= first AND number < beyond ORDER BY game, number
"""
_KEEP = """
INSERT INTO summary (game, lines, program, kind, title, players, totals, over, fault, result)
VALUES (%(game)s, %(lines)s, %(program)s, %(kind)s, %(title)s, %(players)s, %(totals)s, %(over)s, %(fault)s, %(result)s)
ON CONFLICT (game) DO UPDATE SET lines = excluded.lines, program = excluded.program, kind = excluded.kind,
    title = excluded.title, players = excluded.players, totals = excluded.totals, over = excluded.over,
    fault = excluded.fault, result = excluded.result
"""
_DEVICES = "SELECT device, number, name, online, status_at, called_at FROM device"


class Scorer:
    """Computes games in a thread of its own; `tables` may be read by any thread.

    Args:
        database: The address of the database.
        changed: Is called after each change of `tables`.
        said: Is called with sentences for the log.
    """

    def __init__(self, database: str, changed: Callable[[], None], said: Callable[[str], None]) -> None:
        self.tables: tuple[TableRow, ...] = ()  # in order; replaced as a whole
        self.by_device: dict[str, TableRow] = {}  # the same; replaced as a whole, too
        self._rows: dict[str, TableRow] = {}  # of each box with a game
        self._notes: dict[str, DeviceNote] = {}  # of each box
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
        while True:
            # notices that came with the answer to a statement are no longer in the socket, so they are taken first
            told = {notice.payload for notice in connection.notifies(timeout=0)}
            if "" in told:
                wanted |= dict.fromkeys(self._stale(connection))
            if DEVICES in told:
                self._read_notes(connection)
                self._show(self._rows)
            new = dict.fromkeys(int(id) for ids in told - {"", DEVICES} for id in ids.split(","))
            wanted = new | wanted  # what is played now comes before what waits since an update
            ids = [*wanted][:AT_ONCE]
            for id in ids:
                del wanted[id]
            if ids:
                self._compute(connection, ids)
            patience = 0.0 if told or ids else None
            reading: list[Any] = [self._stopping, connection.fileno()]
            if self._stopping in select.select(reading, [], [], patience)[0]:
                return

    def _stale(self, connection: Connection) -> list[int]:
        """Return the games whose summary is missing or out of date, the latest first."""
        return [row[0] for row in connection.execute(_STALE, [self._program])]

    def _read_notes(self, connection: Connection) -> None:
        self._notes = {
            device: DeviceNote(number, name, online, _seconds(status), None if called is None else _seconds(called))
            for device, number, name, online, status, called in connection.execute(_DEVICES)
        }

    def _compute(self, connection: Connection, ids: Sequence[int]) -> None:
        """Read the new lines of games, keep their summaries, and show them."""
        found = connection.execute(_GAMES, [[*ids]]).fetchall()
        if any(row[1] not in self._notes for row in found):
            self._read_notes(connection)
        games = {id: self._kept(id, lines) for id, _device, _name, lines, *_rest in found}
        wanted = [[*games], [game.read for game in games.values()], [row[3] for row in found]]
        new: dict[int, list[bytes]] = {id: [] for id in games}
        for id, content in connection.execute(_LINES, wanted):
            new[id].append(content)
        rows, summaries = dict(self._rows), []
        for id, device, name, _lines, differs, first_at, last_at in found:
            game = games[id]
            game.add(new[id])
            values = as_values(game, f"{device}/{name}", id, (first_at.timestamp(), last_at.timestamp()))
            values["fault"] = values["fault"] or difference(differs)
            summaries.append({"game": id, "lines": game.read, "program": self._program, **values})
            before = rows.get(device)
            if before is None or (before.last_at, before.id) <= (last_at.timestamp(), id):
                rows[device] = self._row(device, id, game, values["fault"], last_at.timestamp())
        with connection.transaction():
            connection.cursor().executemany(_KEEP, summaries)
        self._show(rows)
        for id in [*self._games][: max(0, len(self._games) - MOST_KEPT)]:
            del self._games[id]

    def _kept(self, id: int, lines: int) -> ScoredGame:
        """Return a game as far as it was read; the latest that were asked for stay in memory."""
        game = self._games.pop(id, None)
        if game is None or game.read > lines:  # an older database may have been restored
            game = ScoredGame()
        self._games[id] = game
        return game

    def _row(self, device: str, id: int, game: ScoredGame, fault: str, last_at: float) -> TableRow:
        state, before = game.state(), self._rows.get(device)
        alerts = 0 if state is None else state.alerts
        known = before is not None and before.id == id and before.alerts >= alerts
        return TableRow(
            device=device,
            note=self._notes[device],
            id=id,
            game=game.title,
            round=None if state is None else state.round,
            turn=None if state is None else state.turn,
            seats=() if state is None else state.seats,
            over=game.over,
            last_at=last_at,
            alert="" if state is None else state.latest_alert or "",
            alerts=alerts,
            alert_at=before.alert_at if known and before is not None else last_at,
            fault=fault,
        )

    def _show(self, rows: dict[str, TableRow]) -> None:
        """Show rows, with what is known of their boxes; a box without a game has a row, too."""
        self._rows = rows
        shown = [
            replace(rows[device], note=note) if device in rows else TableRow(device, note)
            for device, note in self._notes.items()
        ]
        self.tables = tuple(sorted(shown, key=TableRow.place))
        self.by_device = {table.device: table for table in shown}
        self._changed()


def _seconds(moment: datetime | None) -> float:
    return 0.0 if moment is None else moment.timestamp()
