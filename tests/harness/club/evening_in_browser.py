"""An evening with many tables, run by a director in a browser: ``python -m tests.harness.club.evening_in_browser``.

Random people come, come late and leave; finished games come from the boxes, other results are typed, some wrong and
then corrected. After each step every box at the broker has the seat call that the evening's file says.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any

from companion.bridge.records import NewLines
from companion.club.database import connect, migrate
from companion.club.evening.boxes_at_tables import seat_calls
from companion.club.evening.evening_state import ClubEvening
from companion.club.evening.ranking import ranking
from companion.club.store_game_lines import LineStore
from tests.bridge.mosquitto import Mosquitto, Onlooker
from tests.cli.finished_games import random_log
from tests.club.running import club_in, serving
from tests.harness.club.database_server import QUICK, DatabaseServer
from tests.waiting import until
from tests.web.test_accessibility import faults

if TYPE_CHECKING:
    from tests.web.browser import Browser

CLUB = "allow_anonymous true\nmax_queued_messages 0\nmax_inflight_messages 1000\n"  # settings of its broker
SEND = """
const form = document.querySelector(arguments[0]);
for (const [name, value] of Object.entries(arguments[1])) form.elements[name].value = value;
document.body.dataset.left = 'yes';
form.querySelector(arguments[2]).click();
"""


class EveningInBrowser:
    """The director's browser, and the tables.

    Args:
        browser: The browser of the director.
        database: The address of the hub's database.
        broker: The broker of the hub.
        folder: A folder for the evening.
        tables: How many boxes there are.
        seed: Makes people, results and mishaps.
        shots: A folder for pictures of the pages; None for none.
    """

    def __init__(
        self,
        browser: Browser,
        database: str,
        broker: Mosquitto,
        folder: Path,
        tables: int,
        seed: int = 1,
        shots: Path | None = None,
    ) -> None:
        self._browser, self._tables, self._random, self._shots = browser, tables, Random(seed), shots
        self._club, self._connection = club_in(folder, database, broker.access), connect(database)
        self._store, self._seen = LineStore(self._connection), Onlooker(broker)
        self._games = 0
        self.slowest = 0.0  # seconds of the slowest action, until the page was there again
        for number in range(1, tables + 1):
            self._store.note_name(f"box-{number}", f"Table {number}")
            self._store.note_online({f"box-{number}": True})

    def run(self, rounds: int) -> ClubEvening:
        """Run the evening; return it at its end."""
        with serving(self._club) as client:
            self._url = str(client.base_url)
            until(lambda: self._club.hub is not None and len(self._club.hub.boxes) == self._tables, "every box")
            self._browser.go(f"{self._url}/evening")
            self._send("form[action='/evening/new']", name="Friday club")
            names = [self._random.choice(("Aki", "Béatrice", "はるな", "O’Neil")) for _seat in range(4 * self._tables)]
            people = [f"{name} {number}" for number, name in enumerate(names, 1)]
            self._send("form[action='/evening/players']", list="\n".join(people[:-3]))
            for number in range(1, rounds + 1):
                self._play(number, people)
            self._browser.go(f"{self._url}/evening")
            self._picture("end")
            ranked = [row.entrant.name for row in ranking(self.evening)]
            shown = self._browser.run("return [...document.querySelectorAll('tbody tr')].map((row) => row.innerText)")
            assert [name for name, row in zip(ranked, shown[-len(ranked) :], strict=True) if name not in row] == []
            for what in ("seats", "names", "cards", "slips", "ranking", "results"):
                self._browser.go(f"{self._url}/evening/print/{what}")
                self._picture(f"print-{what}")
            assert self._browser.console() == []
        self._seen.close()
        self._connection.close()
        return self.evening

    @property
    def evening(self) -> ClubEvening:
        state = self._club.evenings.state()
        assert state is not None
        return state.moment.evening

    def _play(self, number: int, people: list[str]) -> None:
        """Play a round: draw it, take the results of games, type the others, with mishaps on the way."""
        if number > 1:
            self._send("form[action='/evening/players']", list=people[-number])
        self._send("form[action='/evening/round']", minutes="45")
        self._boxes_know()
        self._picture(f"round-{number}")
        calls = seat_calls(self.evening)
        gone = self._random.choice(calls[0].names)
        self._send("form[action='/evening/late']", "button[formaction]", player=gone)
        assert gone not in {name for call in seat_calls(self.evening) for name in call.names}
        games = [call for call in seat_calls(self.evening) if self._random.random() < 0.6]
        for call in games:
            self._finish(f"box-{call.table}", [*call.names])
        if games:
            self._browser.until(lambda: self._proposed(len(games)), "the results of games")
            self._picture(f"round-{number}-results")
            self._send("form[action='/evening/take']")
        for table in self.evening.rounds[-1].open_tables:
            points = [self._random.randint(-20, 150) for _player in self.evening.rounds[-1].table(table).players]
            if self._random.random() < 0.2:
                self._result(table, [points[0] + 1, *points[1:]])
                if self._random.random() < 0.5:
                    self._send("form[action='/evening/undo']")
            self._result(table, points)
            assert self.evening.rounds[-1].table(table).points == (*points,)
        self._boxes_know()

    def _proposed(self, games: int) -> bool:
        self._browser.go(f"{self._url}/evening")
        return f"Take all results that were told: {games}" in str(self._browser.run("return document.body.innerText"))

    def _result(self, table: int, points: list[int]) -> None:
        row = f"form[action='/evening/result']:has(input[name=table][value='{table}'])"
        self._send(row, **{f"p{seat}": str(each) for seat, each in enumerate(points)})

    def _finish(self, box: str, players: list[str]) -> None:
        """Let a box send a finished game of these people, who sit in another order."""
        self._games += 1
        seed = next(seed for seed in range(99) if _players(seed) == len(players))
        header, *lines = random_log("eternity", seed).splitlines()
        players = self._random.sample(players, len(players))
        header = json.dumps({**json.loads(header), "players": players}).encode()
        self._store.store([NewLines(box, f"{self._games:06}-eternity-0123abcd", 0, [header, *lines])])

    def _boxes_know(self) -> None:
        """Wait until each box has the call of its table, and no other."""
        calls = {f"tabletop/box-{call.table}/hub": call for call in seat_calls(self.evening)}

        def told(messages: list[tuple[str, Any]]) -> bool:
            latest = {topic: content["seats"] for topic, content in messages}
            seats = {
                topic: (seats["round"], seats["table"], *seats["names"]) for topic, seats in latest.items() if seats
            }
            return seats == {topic: (call.round, call.table, *call.names) for topic, call in calls.items()}

        self._seen.wait_for(told)

    def _send(self, form: str, button: str = "button", **fields: str) -> None:
        """Fill in a form as the director does, and wait for the next page."""
        began = perf_counter()
        self._browser.run(SEND, form, fields, button)
        arrived = "return document.readyState === 'complete' && !document.body.dataset.left"
        self._browser.until(lambda: bool(self._browser.run(arrived)), form)
        refused = self._browser.run("return document.querySelector('[role=alert]')?.innerText")
        assert not refused, (form, fields, refused)
        self.slowest = max(self.slowest, perf_counter() - began)

    def _picture(self, name: str) -> None:
        """Take a picture of a page, and check that everybody can read it."""
        assert faults(self._browser) == "", name
        if self._shots is not None:
            self._browser.screenshot(self._shots / f"{name}.png", 1200, 1400)


@cache
def _players(seed: int) -> int:
    return len(json.loads(random_log("eternity", seed).splitlines()[0])["players"])


def main() -> None:
    from tests.web.browser import started

    parser = argparse.ArgumentParser(prog="python -m tests.harness.club.evening_in_browser", description=__doc__)
    parser.add_argument("--tables", type=int, default=40, help="how many tables play (default: 40)")
    parser.add_argument("--rounds", type=int, default=3, help="how many rounds (default: 3)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pictures", type=Path, help="a folder for pictures of the pages")
    wanted = parser.parse_args()
    server, folder = DatabaseServer(QUICK), Path(tempfile.mkdtemp(prefix="tabletop-club-evening-"))
    broker = Mosquitto(folder, CLUB)
    try:
        database = server.create("evening")
        migrate(database)
        with started() as browser:
            it = EveningInBrowser(browser, database, broker, folder, wanted.tables, wanted.seed, wanted.pictures)
            began = perf_counter()
            evening = it.run(wanted.rounds)
        results = sum(1 for _table in evening.finished_tables())
        print(
            f"{wanted.tables} boxes, {len(evening.entrants)} people, {wanted.rounds} rounds, {results} results: ",
            end="",
        )
        print(f"{perf_counter() - began:.0f} s, slowest action {it.slowest:.1f} s")
    finally:
        broker.stop()
        server.close()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
