"""Stores the lines of games in batches. Each line is stored once, in any order, also if it is sent again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import count, repeat
from struct import Struct as Packed
from typing import LiteralString

from msgspec import Struct

from companion.bridge.records import NewLines

from .database import Connection

CHANGED = "club_changed"
"""The channel on which each batch tells which games have changed: their ids, or nothing if they are too many."""

DEVICES = "devices"
"""The notice where a name, a connection or a call of a box has changed."""

MOST_REFUSED, LONGEST_REFUSED = 100, 65_536
"""How many refused messages of a box are kept, the latest, and how many bytes of each."""

MOST_TOLD = 7000  # bytes of a notice; PostgreSQL takes 8000

Row = tuple[int, int, bytes]  # the game's id, the line's number, its content

_ROW = Packed(">hiqiii").pack
_BEGIN, _END = b"PGCOPY\n\xff\r\n\0" + bytes(8), b"\xff\xff"

_INCOMING = """
CREATE TEMPORARY TABLE IF NOT EXISTS incoming (game bigint, number integer, content bytea) ON COMMIT DELETE ROWS
"""
_NEW_DEVICES = "INSERT INTO device (device) SELECT unnest(%s::text[]) ORDER BY 1 ON CONFLICT DO NOTHING"
_NEW_GAMES = """
INSERT INTO game (device, name) SELECT * FROM unnest(%s::text[], %s::text[]) ORDER BY 1, 2 ON CONFLICT DO NOTHING
"""
_IDS = (
    "SELECT device, name, id FROM game JOIN unnest(%s::text[], %s::text[]) AS asked (device, name) USING (device, name)"
)
# a new summary of a game need not wait for this lock
_LOCKED = "SELECT id, lines, most FROM game WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE"
_COPY_LINES = "COPY line FROM STDIN (FORMAT BINARY)"
_COPY_INCOMING = "COPY incoming FROM STDIN (FORMAT BINARY)"
_TAKE_NEW = "INSERT INTO line SELECT game, number, content FROM incoming ORDER BY 1, 2 ON CONFLICT DO NOTHING"
_NOTE_DIFFERENT = """
UPDATE game SET differs = least(differs, found.number)
FROM (SELECT game, min(number) AS number FROM incoming JOIN line USING (game, number)
      WHERE incoming.content <> line.content GROUP BY game) AS found
WHERE id = found.game
"""
_NOTE_SHORTER = "UPDATE game SET differs = least(differs, %(whole)s) WHERE id = %(game)s AND most > %(whole)s"
_WITHOUT_GAP = """
SELECT id, lines + (
    SELECT count(*) FROM (
        SELECT number, game.lines + row_number() OVER (ORDER BY number) - 1 AS place
        FROM line WHERE game = game.id AND number >= game.lines
    ) AS beyond WHERE number = place
), (SELECT max(number) + 1 FROM line WHERE game = game.id) FROM game WHERE id = ANY(%s)
"""
_NOTE_COUNTS = """
UPDATE game SET lines = new.lines, most = new.most,
    last_at = CASE WHEN new.most > game.most OR new.lines > game.lines THEN now() ELSE last_at END
FROM unnest(%s::bigint[], %s::integer[], %s::integer[]) AS new (id, lines, most) WHERE game.id = new.id
"""
_REFUSE = """
INSERT INTO refused (device, digest, content, why) VALUES (%s, %s, %s, %s)
ON CONFLICT (device, digest) DO UPDATE SET times = refused.times + 1, last_at = now()
"""
_FORGET_REFUSED = """
DELETE FROM refused WHERE device = %(device)s AND digest NOT IN (
    SELECT digest FROM refused WHERE device = %(device)s ORDER BY last_at DESC LIMIT %(most)s
)
"""
_NOTE_DEVICE = """
INSERT INTO device (device, online, status_at)
SELECT device, online, now() FROM unnest(%s::text[], %s::boolean[]) AS said (device, online) ORDER BY device
ON CONFLICT (device) DO UPDATE SET online = excluded.online, status_at = now()
WHERE device.online IS DISTINCT FROM excluded.online
"""
_NAME_DEVICE = """
INSERT INTO device (device, name) VALUES (%s, %s)
ON CONFLICT (device) DO UPDATE SET name = excluded.name WHERE device.name = ''
"""
# numbers are seconds: a little smaller, it comes from a consumer that lags; days smaller, from a new memory card
_CALLED = """
INSERT INTO device (device, called_at, call) VALUES (%(device)s, now(), %(call)s)
ON CONFLICT (device) DO UPDATE SET called_at = now(), call = excluded.call
WHERE excluded.call > abs(device.call) OR excluded.call < abs(device.call) - 86400
"""
_CALL_ENDED = "UPDATE device SET called_at = NULL, call = %(call)s WHERE device = %(device)s AND call = -%(call)s"


class StoredLineCount(Struct, frozen=True):
    """The number of lines that are stored of a game."""

    device: str
    game: str
    lines: int  # how many lines are stored without a gap, the header included


class LineStore:
    """Stores lines through one connection. Any number of stores may work at once, on the same games, too.

    While a store holds the lock of a game's row, no other one adds lines to the game. Lines that follow the stored ones
    are copied straight into their table; what comes again or ahead of a gap goes through a temporary table.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._ids: dict[tuple[str, str], int] = {}
        connection.execute(_INCOMING)
        connection.commit()

    def store(self, messages: Iterable[NewLines]) -> list[StoredLineCount]:
        """Store the lines of messages, all or none; return how far each of their games is stored now.

        Raises:
            psycopg.Error: The database does not take them; nothing is stored.
        """
        by_game: dict[tuple[str, str], list[NewLines]] = {}
        for message in messages:
            by_game.setdefault((message.device, message.game), []).append(message)
        with self.connection.transaction():
            ids = self._ids_of([*by_game])
            locked = {row[0]: row[1:] for row in self.connection.execute(_LOCKED, [[*ids.values()]])}
            following: list[Row] = []
            others: list[Row] = []
            counts: dict[int, tuple[int, int]] = {}
            unsure = []
            for name, parts in by_game.items():
                game = ids[name]
                lines, most = locked[game]
                new, rest = _following(game, parts, lines, gap=most > lines)
                following += new
                others += rest
                counts[game] = lines + len(new), max(most, lines + len(new))
                if rest:
                    unsure.append(game)
            self._copy(_COPY_LINES, following)
            if others:
                self._copy(_COPY_INCOMING, others)
                if self.connection.execute(_TAKE_NEW).rowcount < len(others):
                    self.connection.execute(_NOTE_DIFFERENT)
                self._note(counts)
                rows = self.connection.execute(_WITHOUT_GAP, [unsure]).fetchall()
                counts |= {game: (lines, most) for game, lines, most in rows}
            self._note(counts)
            for name, parts in by_game.items():
                for part in parts:
                    if part.whole is not None:
                        self.connection.execute(_NOTE_SHORTER, {"whole": part.whole, "game": ids[name]})
            told = ",".join(map(str, counts))
            self.connection.execute("SELECT pg_notify(%s, %s)", [CHANGED, told if len(told) <= MOST_TOLD else ""])
        self._ids = {**self._ids, **ids}  # known to be there, now that it is committed
        return [StoredLineCount(device, game, counts[ids[device, game]][0]) for device, game in by_game]

    def refuse(self, device: str, content: bytes, why: str) -> None:
        """Keep a message that cannot be used, or its beginning; older ones of the box go."""
        with self.connection.transaction():
            digest = hashlib.sha256(content).digest()
            self.connection.execute(_REFUSE, [device, digest, content[:LONGEST_REFUSED], why])
            self.connection.execute(_FORGET_REFUSED, {"device": device, "most": MOST_REFUSED})

    def note_online(self, online: Mapping[str, bool]) -> None:
        """Note which boxes are connected, and which are not any more."""
        with self.connection.transaction():
            if self.connection.execute(_NOTE_DEVICE, [[*online], [*online.values()]]).rowcount:
                self.connection.execute("SELECT pg_notify(%s, %s)", [CHANGED, DEVICES])

    def note_name(self, device: str, name: str) -> None:
        """Note the name that a box gives to its table, unless it has one."""
        with self.connection.transaction():
            if self.connection.execute(_NAME_DEVICE, [device, name]).rowcount:
                self.connection.execute("SELECT pg_notify(%s, %s)", [CHANGED, DEVICES])

    def note_call(self, device: str, call: int) -> None:
        """Note that a box calls the director, or has ended its call, whose number is negative then."""
        asked = _CALLED if call > 0 else _CALL_ENDED
        with self.connection.transaction():
            if call and self.connection.execute(asked, {"device": device, "call": call}).rowcount:
                self.connection.execute("SELECT pg_notify(%s, %s)", [CHANGED, DEVICES])

    def _ids_of(self, games: Sequence[tuple[str, str]]) -> dict[tuple[str, str], int]:
        """Return the ids of games; those that are not there yet are added."""
        unknown = [game for game in games if game not in self._ids]
        found = {game: self._ids[game] for game in games if game in self._ids}
        if unknown:
            devices, names = map(list, zip(*unknown, strict=True))
            self.connection.execute(_NEW_DEVICES, [sorted(set(devices))])
            self.connection.execute(_NEW_GAMES, [devices, names])
            found |= {(device, name): id for device, name, id in self.connection.execute(_IDS, [devices, names])}
        return found

    def _copy(self, statement: LiteralString, rows: Sequence[Row]) -> None:
        """Copy rows into a table, in PostgreSQL's binary format."""
        if rows:
            with self.connection.cursor().copy(statement) as copy:
                packed = [_ROW(3, 8, game, 4, number, len(line)) + line for game, number, line in rows]
                copy.write(b"".join((_BEGIN, *packed, _END)))

    def _note(self, counts: dict[int, tuple[int, int]]) -> None:
        lines, most = zip(*counts.values(), strict=True)
        self.connection.execute(_NOTE_COUNTS, [[*counts], [*lines], [*most]])


def _following(game: int, messages: Sequence[NewLines], stored: int, *, gap: bool) -> tuple[list[Row], list[Row]]:
    """Return the lines that follow those that are stored, and all others.

    Args:
        stored: How many lines are stored without a gap.
        gap: Whether there are lines beyond a gap.
    """
    new: list[Row] = []
    others: list[Row] = []
    for message in sorted(messages, key=lambda message: message.first):
        if message.first == stored + len(new) and not gap:  # nearly always
            new += zip(repeat(game), count(message.first), message.lines, strict=False)
            continue
        for number, line in enumerate(message.lines, message.first):
            if number == stored + len(new) and not gap:
                new.append((game, number, line))
            else:
                others.append((game, number, line))
    return new, others
