"""An evening of a club on this computer, until Ctrl-C: `make club`.

Starts the program of a club in a folder of its own, begins an evening, draws its first round, and lets phones at the
tables tell results; prints what to look at. With ``--tables`` boxes play at the tables, with Debian's Mosquitto and
PostgreSQL on free ports. Nothing is kept.
"""

from __future__ import annotations

import argparse
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from time import time
from typing import Any

from tests.bridge.mosquitto import PROGRAM, free_port
from tests.harness.club.database_server import DatabaseServer, programs
from tests.harness.club.simulated_tables import PEOPLE
from tests.waiting import until

MOSQUITTO = "listener {port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\nmax_inflight_messages 1000\n"


def missing() -> str:
    """Return what to install, as a sentence; empty if nothing is missing."""
    packages = []
    if not Path(PROGRAM).exists():
        packages.append("mosquitto")
    try:
        programs()
    except FileNotFoundError:
        packages.append("postgresql")
    return f"The club needs {' and '.join(packages)}: sudo apt install {' '.join(packages)}" if packages else ""


@contextmanager
def running(*command: str, log: Path, feeds: bool = False) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program during the block; one that is fed ends with its standard input."""
    with log.open("ab") as out:
        stdin = subprocess.PIPE if feeds else subprocess.DEVNULL
        process = subprocess.Popen(command, stdin=stdin, stdout=out, stderr=out, start_new_session=True)
        try:
            yield process
        finally:
            if process.stdin is not None:
                process.stdin.close()
            else:
                process.terminate()
            process.wait()


def main() -> int:
    """Run the club until Ctrl-C, or until one of its programs ends."""
    parser = argparse.ArgumentParser(prog="make club", description="An evening of a club on this computer.")
    parser.add_argument("--tables", type=int, default=0, help="with so many boxes (default: phones alone)")
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between two entries of a table (default: 2)")
    parser.add_argument("--port", type=int, default=0, help="the port of the pages (default: 8090, else a free one)")
    arguments = parser.parse_args()
    if arguments.tables and (sentence := missing()):
        print(sentence, file=sys.stderr)
        return 1
    on_signals(signal.default_int_handler)
    with ExitStack() as club:
        try:
            print("The club starts …", flush=True)
            folder = Path(club.enter_context(tempfile.TemporaryDirectory(prefix="tabletop-club-")))
            return start(arguments, folder, club)
        except KeyboardInterrupt:
            on_signals(signal.SIG_IGN)  # while it ends
    print("\nThe club has ended; nothing is kept.")
    return 0


def on_signals(handler: Any) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handler)


def start(arguments: argparse.Namespace, folder: Path, club: ExitStack) -> int:
    """Start everything, and wait until one of the programs ends."""
    pages, log, config = arguments.port or usual_port(8090), folder / "log", folder / "club.toml"
    config.write_text(f'host = "127.0.0.1"\nport = {pages}\n', encoding="utf-8")
    programs = with_boxes(arguments, folder, club) if arguments.tables else []
    command = (sys.executable, "-m", "companion", "club", "--data", str(folder), "--config", str(config))
    programs.append(club.enter_context(running(*command, log=log)))
    url = f"http://127.0.0.1:{pages}"
    until(lambda: answers(f"{url}/") or any(program.poll() is not None for program in programs), "the page")
    evening = Evening(url, arguments.tables or 6, arguments.pace)
    print(f"An evening of {len(evening.people)} people runs, and you direct it: {url}/evening", flush=True)
    print("  Results arrive at their tables: press Take. Then draw the next round, and the tables play on.")
    print(f"  Beside it look at {url}/projector, {url}/season, and the table cards and score slips to print.")
    if arguments.tables:
        print(f"  The boxes of {arguments.tables} tables play what they were called for: {url}/tables, {url}/games")
    else:
        print("  Phones at the tables tell the results here. With boxes at 8 tables: make club TABLES=8")
    print(f"Ctrl-C ends everything; what the programs say is in {log}", flush=True)
    while all(program.poll() is None for program in programs):
        with suppress(subprocess.TimeoutExpired):
            programs[0].wait(1)
        if not arguments.tables:
            evening.tell()
    shutil.copyfile(log, "club.log")
    print("A program has ended; club.log says why.", file=sys.stderr)
    return 1


def with_boxes(arguments: argparse.Namespace, folder: Path, club: ExitStack) -> list[subprocess.Popen[bytes]]:
    """Start a database, a broker and simulated tables, and name them in the settings; return the programs."""
    database = DatabaseServer()
    club.callback(database.close)
    address, broker, log = database.create("club"), free_port(), folder / "log"
    (folder / "mosquitto.conf").write_text(MOSQUITTO.format(port=broker), encoding="utf-8")
    with (folder / "club.toml").open("a", encoding="utf-8") as settings:
        settings.write(f'database = "{address}"\nbroker = "mqtt://127.0.0.1:{broker}"\n')
    tables = (sys.executable, "-m", "tests.harness.club.simulated_tables")
    amount, pace = str(arguments.tables), str(arguments.pace)
    return [
        club.enter_context(running(PROGRAM, "-c", str(folder / "mosquitto.conf"), log=log)),
        club.enter_context(running(*tables, str(folder / "tables"), amount, str(broker), pace, log=log, feeds=True)),
    ]


class Evening:
    """The evening that is begun on the pages, and phones that tell its results.

    Args:
        url: The address of the pages.
        tables: How many tables there are.
        pace: The usual seconds between two deals; a phone tells its table's result after four.
    """

    def __init__(self, url: str, tables: int, pace: float) -> None:
        self._url, self._chance, self._pace = url, Random(1), pace
        self._due: dict[tuple[str, str], float] = {}  # when the phone of a round's table tells
        names = [f"{name} {letter}." for letter in "ABCDEFGH" for name in PEOPLE]
        self.people = names[: 4 * tables]
        begun = {"name": "Friday club", "table": "4", "smallest": "3", "largest": "5", "game": "Whist", "deals": "4"}
        self._send("new", begun)
        own = {"evening": re.findall('name="evening" value="([^"]*)"', self._page())[0]}
        self._send("players", own | {"list": "\n".join(self.people)})
        self._send("round", own | {"round": "0", "minutes": "20"})

    def tell(self) -> None:
        """Let each phone tell that is due: the deals of its table are played."""
        page = self._page()
        forms = re.findall(r'action="/evening/result" method="post">(.*?)</form>', page, re.DOTALL)
        for fields in forms:
            own = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', fields))
            place = own["round"], own["table"]
            if (
                "correct" in own
                or self._due.setdefault(place, time() + self._pace * self._chance.uniform(1, 10)) > time()
            ):
                continue
            self._due[place] = float("inf")
            seats = re.findall(r'name="(p[0-9])"', fields)
            with suppress(urllib.error.HTTPError):  # somebody was quicker
                self._send("tell", own | {seat: str(self._chance.randint(0, 40)) for seat in seats})

    def _page(self) -> str:
        with urllib.request.urlopen(f"{self._url}/evening", timeout=30) as answer:
            return str(answer.read().decode())

    def _send(self, action: str, form: dict[str, str]) -> None:
        urllib.request.urlopen(
            f"{self._url}/evening/{action}", urllib.parse.urlencode(form).encode(), timeout=30
        ).close()


def usual_port(wanted: int) -> int:
    """Return a port if it is free, else another one."""
    with socket.socket() as one, suppress(OSError):
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.bind(("127.0.0.1", wanted))
        return wanted
    return free_port()


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except (urllib.error.URLError, OSError):
        return False


if __name__ == "__main__":
    sys.exit(main())
