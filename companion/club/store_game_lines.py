"""Stores the lines of games in batches. Each line is stored once, in any order, also if it is sent again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from companion.bridge.records import Acknowledgement, NewLines

from .database import Connection

CHANGED = "club_changed"
"""The channel on which each batch tells which games have changed: their ids, or nothing if they are too many."""

DEVICES = "devices"
"""The notice where a name, a connection or a call of a box has changed."""

MOST_REFUSED, LONGEST_REFUSED = 100, 65_536
"""How many refused messages of a box are kept, the latest, and how many bytes of each."""

MOST_TOLD = 7000  # bytes of a notice; PostgreSQL takes 8000

_NEW_DEVICES = "INSERT INTO device (device) SELECT unnest(%s::text[]) ORDER BY 1 ON CONFLICT DO NOTHING"
_NEW_GAMES = """
INSERT INTO game (device, name) SELECT * FROM unnest(%s::text[], %s::text[]) ORDER BY 1, 2 ON CONFLICT DO NOTHING
"""
_IDS = (
    "SELECT device, name, id FROM game JOIN unnest(%s::text[], %s::text[]) AS asked (device, name) USING (device, name)"
)
# a new summary of a game need not wait for this lock
_LOCK = "SELECT id FROM game WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE"
_INCOMING = (
    "unnest(%(games)s::bigint[], %(numbers)s::integer[], %(lines)s::bytea[]) AS incoming (game, number, content)"
)
_TAKE_NEW = f"INSERT INTO line SELECT * FROM {_INCOMING} ORDER BY 1, 2 ON CONFLICT DO NOTHING"
_NOTE_DIFFERENT = f"""
UPDATE game SET differs = least(differs, found.number)
FROM (SELECT game, min(number) AS number FROM {_INCOMING} JOIN line USING (game, number)
      WHERE incoming.content <> line.content GROUP BY game) AS found
WHERE id = found.game
"""
_NOTE_SHORTER = "UPDATE game SET differs = least(differs, %(whole)s) WHERE id = %(game)s AND most > %(whole)s"
_NOTE_COUNTS = """
UPDATE game SET lines = new.lines, most = new.most,
    last_at = CASE WHEN new.most > game.most OR new.lines > game.lines THEN now() ELSE last_at END
FROM (
    SELECT id, lines + (
        SELECT count(*) FROM (
            SELECT number, known.lines + row_number() OVER (ORDER BY number) - 1 AS place
            FROM line WHERE game = known.id AND number >= known.lines
        ) AS beyond WHERE number = place
    ) AS lines, (SELECT max(number) + 1 FROM line WHERE game = known.id) AS most
    FROM game AS known WHERE id = ANY(%s)
) AS new WHERE game.id = new.id RETURNING game.id, game.lines
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


class LineStore:
    """Stores lines through one connection. Any number of stores may work at once, on the same games, too.

    While a store holds the lock of a game's row, no other one adds lines to the game.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def store(self, messages: Iterable[NewLines]) -> list[tuple[str, Acknowledgement]]:
        """Store the lines of messages, all or none; return the answer for each of their games, with its box.

        Raises:
            psycopg.Error: The database does not take them; nothing is stored.
        """
        messages = list(messages)
        with self.connection.transaction():
            ids = self._ids_of(dict.fromkeys((message.device, message.game) for message in messages))
            self.connection.execute(_LOCK, [[*ids.values()]])
            rows = [
                (ids[message.device, message.game], number, line)
                for message in messages
                for number, line in enumerate(message.lines, message.first)
            ]
            games, numbers, lines = map(list, zip(*rows, strict=True))
            incoming = {"games": games, "numbers": numbers, "lines": lines}
            if self.connection.execute(_TAKE_NEW.encode(), incoming).rowcount < len(rows):
                self.connection.execute(_NOTE_DIFFERENT.encode(), incoming)
            counts: dict[int, int] = dict(self.connection.execute(_NOTE_COUNTS, [[*ids.values()]]).fetchall())
            for message in messages:
                if message.whole is not None:
                    shorter = {"whole": message.whole, "game": ids[message.device, message.game]}
                    self.connection.execute(_NOTE_SHORTER, shorter)
            told = ",".join(map(str, counts))
            self.connection.execute("SELECT pg_notify(%s, %s)", [CHANGED, told if len(told) <= MOST_TOLD else ""])
        return [(device, Acknowledgement(game, counts[id])) for (device, game), id in ids.items()]

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

    def _ids_of(self, games: Iterable[tuple[str, str]]) -> dict[tuple[str, str], int]:
        """Return the ids of games; those that are not there yet are added."""
        devices, names = map(list, zip(*games, strict=True))
        found = {(device, name): id for device, name, id in self.connection.execute(_IDS, [devices, names])}
        if len(found) < len(names):
            self.connection.execute(_NEW_DEVICES, [sorted(set(devices))])
            self.connection.execute(_NEW_GAMES, [devices, names])
            found = {(device, name): id for device, name, id in self.connection.execute(_IDS, [devices, names])}
        return found


def tick_off(connection: Connection, device: str) -> bool:
    """Note that the director has been at a table that called; return whether its box has to be told."""
    asked = "UPDATE device SET called_at = NULL, call = -abs(call) WHERE device = %s RETURNING call <> 0"
    with connection.transaction():
        found = connection.execute(asked, [device]).fetchone()
        connection.execute("SELECT pg_notify(%s, %s)", [CHANGED, DEVICES])
    return found == (True,)
