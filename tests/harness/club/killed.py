"""Are lines lost or doubled while programs of a club's hub are killed? ``python -m tests.harness.club.killed``.

Simulated tables play, each with a journal and a real bridge. Every few seconds the broker or a consumer is killed, and
started again a second later. At the end the database holds every line of every journal once, in order.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median

import psycopg

from companion.bridge.mqtt import Access
from companion.club.database import migrate
from companion.journal import Journal
from tests.bridge.mosquitto import PROGRAM, free_port
from tests.harness.club.__main__ import MOSQUITTO, answers, missing
from tests.harness.club.database_server import DatabaseServer
from tests.harness.club.simulated_tables import SimulatedTable, TablePages
from tests.waiting import until

EVERY = 8.0  # seconds between two kills
KILLED = ("broker", "consumer 1", "consumer 2")
GIVE_UP = 150.0  # seconds after the last entry until lines that have not arrived count as lost
STORED = """
    SELECT name, string_agg(convert_from(content, 'UTF8'), E'\\n' ORDER BY number)
    FROM game JOIN line ON line.game = game.id GROUP BY device, name
"""


class Hub:
    """Broker, database, two consumers and the pages, each a process.

    Attributes:
        kills: The names of those that were killed.
    """

    def __init__(self, folder: Path) -> None:
        self.server, self.broker, self.pages = DatabaseServer(), free_port(), free_port()
        self.database = self.server.create("club")
        (folder / "mosquitto.conf").write_text(MOSQUITTO.format(port=self.broker), encoding="utf-8")
        settings = f'database = "{self.database}"\nbroker = "mqtt://127.0.0.1:{self.broker}"\nport = {self.pages}\n'
        (folder / "club.toml").write_text(settings, encoding="utf-8")
        migrate(self.database)
        command, where = (sys.executable, "-m", "companion", "club"), ("--config", str(folder / "club.toml"))
        self._commands = {
            "broker": (PROGRAM, "-c", str(folder / "mosquitto.conf")),
            "consumer 1": (*command, "consume", *where),
            "consumer 2": (*command, "consume", *where),
            "pages": (*command, "--data", str(folder), *where),
        }
        self._log = (folder / "log").open("wb")
        self._running = {name: self._start(name) for name in self._commands}
        self.kills: list[str] = []
        until(lambda: answers(f"http://127.0.0.1:{self.pages}/"), "the page")

    def _start(self, name: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(self._commands[name], stdout=self._log, stderr=self._log, start_new_session=True)

    def kill(self, name: str) -> None:
        """Kill one of the programs, and start it again a second later."""
        self._running[name].send_signal(signal.SIGKILL)
        self._running[name].wait()
        self.kills.append(name)
        time.sleep(1)
        self._running[name] = self._start(name)

    def stored(self) -> list[tuple[str, list[str]]]:
        """Return each game's name and lines, in order, as the database has them."""
        with psycopg.connect(self.database) as connection:
            return [(name, text.split("\n")) for name, text in connection.execute(STORED)]

    def close(self) -> None:
        for process in self._running.values():
            process.terminate()
        for process in self._running.values():
            process.wait()
        self._log.close()
        self.server.close()


def kept(folder: Path) -> list[tuple[str, list[str]]]:
    """Return each game's name and lines, header first, as a table's journal has them."""
    journal = Journal(folder, writes=False)
    try:
        return [(game.name, [game.header, *journal.lines(game.name)]) for game in journal.games()]
    finally:
        journal.close()


def until_newer(hub: Hub, places: Sequence[Path]) -> float:
    """Return after how many seconds the database has all lines that tables have now."""
    began = time.monotonic()
    wanted = {name: len(lines) for place in places for name, lines in kept(place / "journal")}
    stored: dict[str, list[str]] = {}
    while any(len(stored.get(name, ())) < count for name, count in wanted.items()):
        if time.monotonic() - began > GIVE_UP:
            return GIVE_UP
        time.sleep(0.1)
        stored = dict(hub.stored())
    return time.monotonic() - began


def measure(tables: int, seconds: float, pace: float) -> int:
    """Let tables play while programs are killed, print what became of their lines; return how many are wrong."""
    chance = random.Random(1)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tabletop-club-killed-")))
        hub, pages = Hub(folder), TablePages()
        stack.callback(hub.close)
        stack.callback(pages.close)
        places = [folder / f"table-{number}" for number in range(1, tables + 1)]
        playing = []
        for number, place in enumerate(places, 1):
            place.mkdir()
            playing.append(SimulatedTable(place, number, Access("127.0.0.1", hub.broker), pace, pages))
            playing[-1].start()
            stack.callback(playing[-1].stop)
        end, newer = time.monotonic() + seconds, list[float]()
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(EVERY - 1, left))
            hub.kill(chance.choice(KILLED))
            newer.append(until_newer(hub, places))
        for table in playing:
            table.rest()
        meant = sorted(game for place in places for game in kept(place / "journal"))
        count, over = sum(len(lines) for _name, lines in meant), time.monotonic() + GIVE_UP
        while (found := sorted(hub.stored())) != meant and time.monotonic() < over:
            time.sleep(0.5)
        wrong = sum(game not in found for game in meant) + abs(len(found) - len(meant))
    print(f"{tables} tables played {seconds:.0f} s: {count:,} lines of {len(meant)} games")
    print(f"killed: {', '.join(f'{hub.kills.count(name)} × {name}' for name in KILLED)}")
    print(f"the rows were newer {median(newer):.1f} s after a program was back, at worst {max(newer):.1f} s")
    print(f"games with lines that are lost, doubled or out of order: {wrong}", flush=True)
    return wrong


def main() -> int:
    """Measure, and return 1 if a line was lost, doubled or out of order."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.harness.club.killed", description="Kills programs of a club's hub."
    )
    parser.add_argument("--tables", type=int, default=20, help="how many tables play (default: 20)")
    parser.add_argument("--seconds", type=float, default=60, help="how long they play (default: 60)")
    parser.add_argument("--pace", type=float, default=0.5, help="seconds between two entries of a table (default: 0.5)")
    given = parser.parse_args()
    if sentence := missing():
        print(sentence, file=sys.stderr)
        return 1
    return int(measure(given.tables, given.seconds, given.pace) > 0)


if __name__ == "__main__":
    sys.exit(main())
