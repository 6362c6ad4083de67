"""A whole club on this computer, until Ctrl-C: `make club`.

Starts Debian's Mosquitto and PostgreSQL on free ports in a folder of its own, the hub's consumer and pages, and eight
tables that play random games; prints the address of the pages. Nothing is kept.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.bridge.mosquitto import PROGRAM, free_port
from tests.harness.club.database_server import DatabaseServer, programs
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
    parser = argparse.ArgumentParser(prog="make club", description="A whole club on this computer.")
    parser.add_argument("--tables", type=int, default=8, help="how many tables play (default: 8)")
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between two entries of a table (default: 2)")
    parser.add_argument("--port", type=int, default=0, help="the port of the pages (default: 8090, else a free one)")
    arguments = parser.parse_args()
    if sentence := missing():
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
    database = DatabaseServer()
    club.callback(database.close)
    address, broker, pages = database.create("club"), free_port(), arguments.port or usual_port(8090)
    (folder / "mosquitto.conf").write_text(MOSQUITTO.format(port=broker), encoding="utf-8")
    settings = f'database = "{address}"\nbroker = "mqtt://127.0.0.1:{broker}"\nport = {pages}\n'
    settings += f'evening = "{folder / "evening"}"\n'
    (folder / "club.toml").write_text(settings, encoding="utf-8")

    def hub(action: str, *more: str) -> tuple[str, ...]:
        return (sys.executable, "-m", "companion", "club", action, "--config", str(folder / "club.toml"), *more)

    subprocess.run(hub("migrate"), check=True, stdout=subprocess.DEVNULL)
    person = hub("person", "director", "--role", "director", "--draw")
    password = subprocess.run(person, check=True, capture_output=True, text=True).stdout.strip()
    log = folder / "log"
    tables = (sys.executable, "-m", "tests.harness.club.simulated_tables")
    amount, pace = str(arguments.tables), str(arguments.pace)
    programs = [
        club.enter_context(running(PROGRAM, "-c", str(folder / "mosquitto.conf"), log=log)),
        club.enter_context(running(*hub("consume"), log=log)),
        club.enter_context(running(*hub("serve"), log=log)),
        club.enter_context(running(*tables, str(folder / "tables"), amount, str(broker), pace, log=log, feeds=True)),
    ]
    url = f"http://127.0.0.1:{pages}/"
    until(lambda: answers(url) or any(program.poll() is not None for program in programs), "the page")
    print(f"{arguments.tables} tables play: {url}")
    print(f"Sign in as director with the password {password}")
    print(f"Ctrl-C ends everything; what the programs say is in {log}", flush=True)
    while all(program.poll() is None for program in programs):
        with suppress(subprocess.TimeoutExpired):
            programs[0].wait(1)
    shutil.copyfile(log, "club.log")
    print("A program has ended; club.log says why.", file=sys.stderr)
    return 1


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
