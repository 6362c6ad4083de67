"""Measures the hub on this computer: ``make bench-club``.

In the first half of the time all is well; in the second broker and consumers are killed at random, and a table's
connection breaks every second. Then lines are drained that the broker has kept, against a plain COPY of the same rows,
and the page with many tables is rendered.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import psycopg
from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion.bridge.log_line_sender import CHUNK
from companion.bridge.records import Lines
from companion.bridge.table_state import SeatState
from companion.club.game_score import BoxStatus, TableRow
from companion.club.table_pages import TablePages
from companion.core.text import Text
from tests.club.running import club_in
from tests.harness.bench_club import box, growth
from tests.harness.bench_club.crowd import logs
from tests.harness.bench_club.hub import Hub
from tests.harness.bench_club.watching import Browsers
from tests.waiting import until

CROWDS = 2  # processes that play the tables


def main() -> int:
    """Measure, print the figures, and return 1 if a line was lost, doubled or out of order."""
    parser = argparse.ArgumentParser(prog="make bench-club", description="Measures a club's hub.")
    parser.add_argument("--tables", type=int, default=200, help="how many tables play (default: 200)")
    parser.add_argument("--seconds", type=float, default=60, help="how long they play (default: 60)")
    parser.add_argument("--pace", type=float, default=3, help="seconds between two entries of a table (default: 3)")
    parser.add_argument("--browsers", type=int, default=50, help="browsers that follow the page (default: 50)")
    parser.add_argument("--backlog", type=int, default=100_000, help="lines to drain (default: 100000)")
    parser.add_argument("--growth", action="store_true", help="measure instead what 10, 100 and 1,000 tables cost")
    parser.add_argument("--box", action="store_true", help="measure instead what a bridge costs the box beside it")
    given = parser.parse_args()
    if given.box:
        box.measure()
        return 0
    if given.growth:
        growth.measure(given.pace, given.seconds)
        return 0
    hub = Hub()
    try:
        wrong = play(hub, given)
        drain(hub, given.backlog)
    finally:
        hub.close()
    render(1000)
    return int(wrong > 0)


def play(hub: Hub, given: argparse.Namespace) -> int:
    """Let tables play, and print what became of their lines; return how many are wrong."""
    browsers = Browsers(hub.pages, given.browsers)
    half, share = given.seconds / 2, given.tables // CROWDS
    command = (sys.executable, "-m", "tests.harness.bench_club.crowd", str(hub.broker))
    crowds = [
        subprocess.Popen(
            (*command, str(number * share), str(share), *map(str, (given.pace, given.seconds, half))),
            stdout=subprocess.PIPE,
        )
        for number in range(CROWDS)
    ]
    well_until = time.time() + half
    killing = hub.kill_at_random(half + 2, half)
    made: dict[str, list[float]] = {}
    games: dict[str, dict[str, tuple[int, str]]] = {}
    for crowd in crowds:
        said = json.loads(crowd.communicate()[0])
        made |= said["made"]
        games |= said["games"]
    killing.join()
    lines = sum(length for of_table in games.values() for length, _digest in of_table.values())
    print(f"{given.tables} tables played {given.seconds:.0f} s, an entry each every {given.pace:.0f} s: {lines} lines")
    print(f"killed: {', '.join(f'{hub.kills.count(name)} × {name}' for name in sorted({*hub.kills}))}")
    wrong = compare(hub.database, games)
    well = {name: [at for at in times if at < well_until - 5] for name, times in made.items()}
    for place, shown in (("the page of all tables", browsers.shown), ("a table's own page", browsers.on_own_page)):
        print(f"shown while all was well on {place}: {delays(well, shown)}")
    print(
        f"{given.browsers} browsers: each got {browsers.updates} updates, {browsers.closest:.2f} s apart or more",
        flush=True,
    )
    browsers.close()
    return wrong


def delays(made: dict[str, list[float]], shown: dict[str, list[float]]) -> str:
    """Return how soon entries were shown, in words. Those that never were count as late."""
    followed = {name: times for name, times in made.items() if name in shown}
    late = float("inf")
    found = sorted(
        shown[name][place] - at if place < len(shown[name]) else late
        for name, times in followed.items()
        for place, at in enumerate(times)
        if place >= len(shown[name]) or shown[name][place]  # 0: it was there when the page was opened
    )
    if not found:
        return "no entry"
    within = ", ".join(
        f"{sum(each <= limit for each in found) / len(found):.1%} within {limit} s" for limit in (1.0, 1.25, 2)
    )
    return f"{within}; median {found[len(found) // 2]:.2f} s ({len(found)} entries)"


def compare(database: str, games: dict[str, dict[str, tuple[int, str]]]) -> int:
    """Compare the stored lines with those that were sent; return how many are lost, doubled or at another place."""
    asked = """
        SELECT device, name, lines, count(*), string_agg(convert_from(content, 'UTF8'), E'\\n' ORDER BY number)
        FROM game JOIN line ON line.game = game.id GROUP BY device, name, lines
    """
    lost = doubled = changed = 0
    with psycopg.connect(database) as connection:
        found = {(device, name): rest for device, name, *rest in connection.execute(asked)}
    for device, of_table in games.items():
        for name, (length, digest) in of_table.items():
            counted, rows, text = found.get((device, name), (0, 0, ""))
            lost += max(0, length - counted)
            doubled += max(0, rows - length)
            changed += rows == length and hashlib.sha256(text.encode()).hexdigest() != digest
    print(f"lost: {lost}, doubled: {doubled}, games with lines out of order or changed: {changed}")
    return lost + doubled + changed


def drain(hub: Hub, count: int) -> None:
    """Print how fast lines are drained that the broker has kept, and how fast a plain COPY of the same rows is."""
    consumers = ("consumer 1", "consumer 2", "pages")  # the pages store lines, too
    for name in consumers:
        hub.signal(name, signal.SIGSTOP)
    publisher = mqtt.Client(CallbackAPIVersion.VERSION2, "backlog", protocol=mqtt.MQTTv311)
    publisher.max_queued_messages_set(0)
    publisher.max_inflight_messages_set(1000)
    publisher.connect("127.0.0.1", hub.broker)
    publisher.loop_start()
    texts = [line for log in logs() for line in log]
    per_game = CHUNK
    for game in range(count // per_game):
        for first in range(0, per_game, CHUNK):
            chosen = [texts[(game + first + place) % len(texts)] for place in range(CHUNK)]
            message = msgspec.json.encode(Lines(f"{game:06}-backlog", first, chosen))
            told = publisher.publish(f"tabletop/backlog-{game % 1000}/lines", message, qos=1)
    told.wait_for_publish()
    publisher.disconnect()
    publisher.loop_stop()
    with psycopg.connect(hub.database, autocommit=True) as connection:
        begun = time.perf_counter()
        for name in consumers:
            hub.signal(name, signal.SIGCONT)
        stored = "SELECT coalesce(sum(lines), 0) FROM game WHERE name LIKE '%-backlog'"
        while connection.execute(stored).fetchall()[0][0] < count:
            time.sleep(0.05)  # asking takes time, too
        drained = count / (time.perf_counter() - begun)
        behind = "SELECT 1 FROM game LEFT JOIN summary ON id = game WHERE summary.lines IS DISTINCT FROM game.lines"
        until(lambda: connection.execute(behind).fetchone() is None)  # so that nothing competes with the COPY
        plain = count / copied(connection)
    print(
        f"backlog of {count} lines: {drained:,.0f} lines/s; plain COPY of the same rows: {plain:,.0f} lines/s; ", end=""
    )
    print(f"{drained / plain:.2f} of it", flush=True)


def copied(connection: psycopg.Connection[tuple[object, ...]]) -> float:
    """Copy the rows of the backlog into a table like theirs; return the seconds."""
    asked = "SELECT line.* FROM line JOIN game ON id = game WHERE name LIKE '%-backlog' ORDER BY game, number"
    rows = connection.execute(asked).fetchall()
    connection.execute("CREATE TABLE plain (LIKE line INCLUDING ALL)")
    begun = time.perf_counter()
    with connection.cursor().copy("COPY plain FROM STDIN (FORMAT BINARY)") as copy:
        copy.set_types(["int8", "int4", "bytea"])
        for row in rows:
            copy.write_row(row)
    return time.perf_counter() - begun


def render(count: int) -> None:
    """Print how long the page with many tables takes, and an update of a third of them."""
    names = ("Aki", "Bea", "Cyr", "Dai")

    def table(number: int, score: int) -> TableRow:
        seats = tuple(SeatState(name, score + place, False) for place, name in enumerate(names))
        note = BoxStatus(number, f"Table {number}", True, 0.0, None)
        return TableRow(f"box-{number}", note, number, Text("Eternity"), 2, "Aki", seats, last_at=time.time())

    tables = [table(number, 0) for number in range(count)]
    with TemporaryDirectory() as folder:
        club = club_in(Path(folder))
        scorer = type("Scorer", (), {"tables": tuple(tables)})()
        club.hub = type("Hub", (), {"scorer": scorer})()
        pages = TablePages(club)
        first = timed(lambda: pages.overview(1.0).since(None))
        again = min(timed(lambda: pages.overview(1.0).since(None)) for _try in range(5))
        tables[::3] = [table(number, 1) for number in range(0, count, 3)]
        scorer.tables = tuple(tables)
        update = timed(lambda: pages.overview(7.0))
        club.evenings.close()
    print(f"page with {count} tables: {first:.0f} ms at first, {again:.0f} ms from then on; ", end="")
    print(f"an update of a third of them, once for all browsers: {update:.0f} ms")


def timed(work: Callable[[], object]) -> float:
    """Return the milliseconds that something takes."""
    begun = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - begun)


if __name__ == "__main__":
    sys.exit(main())
