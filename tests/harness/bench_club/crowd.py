"""Many boxes in one process, as the hub sees them: each sends its lines as a bridge does, until they are acknowledged.

Run as ``python -m tests.harness.bench_club.crowd PORT FIRST COUNT PACE SECONDS CUTS``. From a table with an odd number
every entry is one more point for the first player, so that a page shows which entry it has come to; the others play
random games. It prints, as JSON, when each entry of the former was made, and all lines of all games.
"""

from __future__ import annotations

import hashlib
import heapq
import itertools
import json
import select
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import msgspec

from companion.bridge.log_line_sender import Acknowledged, LineSender, Mark
from companion.bridge.mqtt import Access, Broker
from companion.bridge.records import Acknowledgement, Lines, again_topic
from tests.cli.finished_games import random_log

COUNTED = '{"format":1,"game":"tally","players":["Ann","Bo"]}'
POINT = '{"type":"points","figures":[1,0]}'
GAMES = ("eternity", "gear", "hipparchus", "east-rune")
AGAIN = again_topic("tabletop")
GIVE_UP = 150.0  # seconds after the last entry until lines that are not acknowledged count as lost


@cache
def logs() -> list[list[str]]:
    return [random_log(game, seed).decode().splitlines() for game in GAMES for seed in range(2)]


class Game:
    """The lines of a game, as a sender asks for them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.whole: list[str] = []

    @property
    def length(self) -> int:
        return len(self.whole)

    def lines(self, first: int, most: int) -> list[str]:
        return self.whole[first : first + most]

    def check(self, _lines: int) -> str:
        """Return nothing: no game here is put back."""
        return ""


class Table:
    """A box: its games, its connection, and what the hub has acknowledged."""

    def __init__(self, number: int, port: int, folder: Path) -> None:
        self.device = f"table-{number}"
        self.made: list[float] = []  # when each entry was made that a page shows
        self.games: dict[str, Game] = {}
        self._chance, self._counts = Random(number), number % 2 == 1
        self._marks = Acknowledged(folder / self.device)
        self.sender = LineSender(self._marks, self._send)
        base = f"tabletop/{self.device}"
        self._topic = f"{base}/lines"
        self.broker = Broker(
            Access("127.0.0.1", port), self.device, f"{base}/status", [f"{base}/ack", AGAIN],
            self._received, self.sender.connected, lambda _sentence: None,
        )  # fmt: skip
        self._next = self._entries()

    def _entries(self) -> Iterator[tuple[str, str]]:
        """Yield the name of a game and its next line, without end."""
        for number in itertools.count(1):
            log = itertools.chain((COUNTED,), itertools.repeat(POINT)) if self._counts else self._chance.choice(logs())
            for line in log:
                yield f"{number:06}-bench-{self.device}", line

    def enter(self) -> None:
        """Make the next entry."""
        name, line = next(self._next)
        self.games.setdefault(name, Game(name)).whole.append(line)
        if line == POINT:
            self.made.append(time.time())

    def send(self, now: float) -> None:
        if self.broker.online:
            waiting = [game for game in self.games.values() if self._marks.of(game.name).lines < game.length]
            self.sender.send(waiting, now)  # type: ignore[arg-type]  # a game that no file holds

    @property
    def arrived(self) -> bool:
        return all(self._marks.of(game.name).lines == game.length for game in self.games.values())

    def _send(self, lines: Lines) -> bool:
        return self.broker.publish(self._topic, lines)

    def _received(self, topic: str, content: bytes) -> None:
        if topic == AGAIN:  # lines may have been on their way to a consumer that ended
            self.sender.connected()
            return
        answer = msgspec.json.decode(content, type=Acknowledgement)
        game = self.games.get(answer.game)
        if game is not None and answer.lines >= self._marks.of(game.name).lines:
            self._marks.note(answer.game, Mark(answer.lines))
            self.sender.take(answer, game)  # type: ignore[arg-type]


def play(tables: list[Table], pace: float, seconds: float, cuts: float) -> None:
    """Let all tables play; from the time of the cuts on, a connection breaks every second."""
    chance, poll = Random(1), select.epoll()
    registered: dict[int, tuple[Table, object]] = {}  # each connection's table and socket, by the socket's number
    begun = time.monotonic()
    due = [(begun + 2 + pace * number / len(tables), number) for number in range(len(tables))]
    heapq.heapify(due)
    looked = cut = 0.0
    while (now := time.monotonic()) < begun + seconds or not all(table.arrived for table in tables):
        if now > begun + seconds + GIVE_UP:
            return
        if now - looked > 0.2:
            looked = now
            for table in tables:
                if table.broker.socket is None and (table.broker.due is None or table.broker.due <= now):
                    table.broker.connect()
                table.broker.work(readable=False, writable=table.broker.wants_to_write)
                socket = table.broker.socket
                if socket is not None and registered.get(socket.fileno()) != (table, socket):
                    registered[socket.fileno()] = table, socket
                    poll.register(socket.fileno(), select.EPOLLIN)
                table.send(now)
        if begun + cuts < now < begun + seconds and now - cut > 1:
            cut, table = now, chance.choice(tables)
            if table.broker.socket is not None:
                table.broker.socket.shutdown(2)
        while due[0][0] <= now < begun + seconds:
            table = tables[due[0][1]]
            heapq.heapreplace(due, (due[0][0] + pace, due[0][1]))
            table.enter()
            table.send(now)
        patience = max(0.001, min(0.2, due[0][0] - now)) if now < begun + seconds else 0.1
        for number, _events in poll.poll(patience):
            table, socket = registered[number]
            if table.broker.socket is socket:
                table.broker.work(readable=True, writable=False)
                table.send(time.monotonic())


def main(port: str, first: str, count: str, pace: str, seconds: str, cuts: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        numbers = range(int(first), int(first) + int(count))
        tables = [Table(number, int(port), Path(folder)) for number in numbers]
        logs()
        play(tables, float(pace), float(seconds), float(cuts))
    made = {table.device: table.made for table in tables}
    games = {
        table.device: {
            name: (game.length, hashlib.sha256("\n".join(game.whole).encode()).hexdigest())
            for name, game in table.games.items()
        }
        for table in tables
    }
    print(json.dumps({"made": made, "games": games}))


if __name__ == "__main__":
    main(*sys.argv[1:])
