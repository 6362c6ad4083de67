"""Tables that play random games: each writes a journal of its own, which a real bridge follows.

A table that the hub calls together plays a game of the called people next, with few entries, so its result comes soon.

Run as ``python -m tests.harness.club.simulated_tables FOLDER TABLES PORT``; it ends with its standard input.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from companion.bridge.bridge import Bridge, MqttDestination
from companion.bridge.log_line_sender import Acknowledged
from companion.bridge.mqtt import Access
from companion.cli.random_play import StuckGameError, random_game, random_header
from companion.core.game import Game
from companion.core.games import GameFaultError
from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.gamelog import encode_line
from companion.games import GAMES
from companion.journal import Journal
from companion.ui.club import HubMessage, SeatCall
from companion.ui.translations import Translator

PEOPLE = [
    "Aki",
    "Bea",
    "Cyr",
    "Dai",
    "Eve",
    "Fay",
    "Gus",
    "Hal",
    "Ida",
    "Jon",
    "Kai",
    "Lea",
    "Mia",
    "Noa",
    "Ola",
    "Pia",
]


RandomGame = tuple[str, str, Iterator[Session]]  # the kind, the header, and the session after each entry


def any_game(chance: Random) -> RandomGame:
    """Return a game of random people, at a random level of detail."""
    game = GAMES[chance.choice([*GAMES.titles()])]
    people = chance.sample(PEOPLE, chance.choice(game.seats))
    tracking = chance.choice([*game.trackings]) if chance.random() < 0.5 else next(iter(game.trackings))
    return _game(game, people, tracking, chance)


def called_game(people: Sequence[str], chance: Random) -> RandomGame:
    """Return a game of the people that the hub has called, with the fewest entries."""
    fitting = [GAMES[name] for name in GAMES.titles() if len(people) in GAMES[name].seats]
    game = chance.choice(fitting)
    return _game(game, people, [*game.trackings][-1], chance)


def _game(game: Game[Any], people: Sequence[str], tracking: DetailLevel, chance: Random) -> RandomGame:
    header = json.loads(random_header(game, len(people), chance))
    header = json.dumps({**header, "players": people})
    return game.name, header, random_game(header, chance, tracking)


class TablePages:
    """The pages of all tables on this computer, through which their bridges pass on what the hub tells."""

    def __init__(self) -> None:
        self.told: dict[str, Callable[[HubMessage], None]] = {}  # what takes the messages for each path
        pages = self

        class Page(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                content = self.rfile.read(int(self.headers["Content-Length"]))
                table, _slash, route = self.path.strip("/").partition("/")
                if route == "hub":
                    pages.told[table](msgspec.json.decode(content, type=HubMessage))
                answer = b'{"why":""}' if route == "hub" else b'{"why":"Nobody plays at a simulated table."}'
                self.send_response(200)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None:
                """Print nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class SimulatedTable:
    """A table whose players make an entry every few seconds, and the bridge of its box.

    Args:
        folder: The folder of its journal.
        number: Its number, also the seed of its games.
        pace: The usual seconds between two entries.
        pages: Where its bridge finds its page.
    """

    def __init__(self, folder: Path, number: int, access: Access, pace: float, pages: TablePages) -> None:
        self._chance, self._pace = Random(number), pace
        self._stopping, self._disturbed = False, threading.Event()  # a call or the end disturbs a game
        self._called: SeatCall | None = None  # who is called and has not begun yet
        self._latest: SeatCall | None = None  # the call as it stands at the hub
        pages.told[str(number)] = self._hear
        self._journal = Journal(folder / "journal")
        for part in ("bridge", "journal/games"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        page = f"{pages.address}/{number}"
        destination = MqttDestination(access, f"Table {number}", home_assistant="", club=True, page=page, secret="none")
        marks = Acknowledged(folder / "bridge" / "arrived.json")
        self._bridge = Bridge(folder / "journal", marks, destination, Translator("en"), lambda _sentence: None)
        self._threads = [threading.Thread(target=each) for each in (self._play, self._bridge.run)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def rest(self) -> None:
        """End the players; the bridge goes on."""
        self._stopping = True
        self._disturbed.set()
        self._threads[0].join()

    def stop(self) -> None:
        """End the players and the bridge."""
        self.rest()
        self._bridge.stop()
        self._threads[1].join()
        self._journal.close()

    def _hear(self, message: HubMessage) -> None:
        """Take a call that is new; the game that is played is left for it."""
        if message.seats is not None and (self._latest is None or message.seats.call != self._latest.call):
            self._called = message.seats
            self._disturbed.set()
        self._latest = message.seats

    def _play(self) -> None:
        while not self._stopping:
            self._disturbed.clear()
            called, self._called = self._called, None
            game = any_game(self._chance) if called is None else called_game(called.names, self._chance)
            with suppress(StuckGameError, GameFaultError):  # a random game may come to an end that is none
                self._play_game(*game)

    def _play_game(self, kind: str, header: str, sessions: Iterator[Session]) -> None:
        name, tracking = self._journal.name_for(kind), DetailLevel.FULL.value
        self._journal.begin(name, header, tracking, time.time())
        for session in sessions:
            if session.head.event is not None:
                line, over = encode_line(session.head.event), session.progress.over
                self._journal.append(name, line, now=time.time(), tracking=tracking, over=over)
            if self._disturbed.wait(self._pace * self._chance.uniform(0.3, 1.7)):
                return


def main(folder: str, tables: str, port: str, pace: str = "2") -> None:
    access = Access("127.0.0.1", int(port))
    running, pages = list[SimulatedTable](), TablePages()
    for number in range(1, int(tables) + 1):
        place = Path(folder) / f"table-{number}"
        place.mkdir(parents=True, exist_ok=True)
        running.append(SimulatedTable(place, number, access, float(pace), pages))
        running[-1].start()
    with suppress(KeyboardInterrupt):
        sys.stdin.read()
    for table in running:
        table.stop()
    pages.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
