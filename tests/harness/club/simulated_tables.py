"""Tables that play random games: each writes a journal of its own, which a real bridge follows.

Run as ``python -m tests.harness.club.simulated_tables FOLDER TABLES PORT``; it ends with its standard input.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

from companion.app.random_play import NoEntryError, random_game, random_header
from companion.bridge.acknowledged import Acknowledged
from companion.bridge.bridge import Bridge, Destination
from companion.bridge.broker import Access
from companion.core.game_guard import GameFaultError
from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.gamelog import encode_line
from companion.games import GAMES
from companion.journal import Journal
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


def games(chance: Random) -> Iterator[tuple[str, str, Iterator[Session]]]:
    """Yield games without end: the kind, the header, and the session after each entry."""
    while True:
        game = GAMES[chance.choice([*GAMES.titles()])]
        seats = chance.choice(game.seats)
        header = json.loads(random_header(game, seats, chance))
        header = json.dumps({**header, "players": chance.sample(PEOPLE, seats)})
        tracking = chance.choice([*game.trackings]) if chance.random() < 0.5 else next(iter(game.trackings))
        yield game.name, header, random_game(header, chance, tracking)


class SimulatedTable:
    """A table whose players make an entry every few seconds, and the bridge of its box.

    Args:
        folder: The folder of its journal.
        number: Its number, also the seed of its games.
        pace: The usual seconds between two entries.
    """

    def __init__(self, folder: Path, number: int, access: Access, pace: float) -> None:
        self._chance, self._pace, self._stopping = Random(number), pace, threading.Event()
        self._journal = Journal(folder / "journal")
        for part in ("bridge", "journal/games"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        destination = Destination(access, f"Table {number}", home_assistant="", club=True)
        marks = Acknowledged(folder / "bridge" / "arrived.json")
        self._bridge = Bridge(folder / "journal", marks, destination, Translator("en"), lambda _sentence: None)
        self._threads = [threading.Thread(target=each) for each in (self._play, self._bridge.run)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End the players and the bridge."""
        self._stopping.set()
        self._bridge.stop()
        for thread in self._threads:
            thread.join()
        self._journal.close()

    def _play(self) -> None:
        for kind, header, sessions in games(self._chance):
            with suppress(NoEntryError, GameFaultError):  # a random game may come to an end that is none
                self._play_game(kind, header, sessions)
            if self._stopping.is_set():
                return

    def _play_game(self, kind: str, header: str, sessions: Iterator[Session]) -> None:
        name, tracking = self._journal.name_for(kind), DetailLevel.FULL.value
        self._journal.begin(name, header, tracking, time.time())
        for session in sessions:
            if session.head.event is not None:
                line, over = encode_line(session.head.event), session.progress.over
                self._journal.append(name, line, now=time.time(), tracking=tracking, over=over)
            if self._stopping.wait(self._pace * self._chance.uniform(0.3, 1.7)):
                return


def main(folder: str, tables: str, port: str, pace: str = "2") -> None:
    access = Access("127.0.0.1", int(port))
    running = []
    for number in range(1, int(tables) + 1):
        place = Path(folder) / f"table-{number}"
        place.mkdir(parents=True, exist_ok=True)
        running.append(SimulatedTable(place, number, access, float(pace)))
        running[-1].start()
    with suppress(KeyboardInterrupt):
        sys.stdin.read()
    for table in running:
        table.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
