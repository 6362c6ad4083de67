"""A director runs an evening on the hub's pages; boxes are told, and their finished games are proposed as results."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import httpx
import pytest

from companion.bridge.mqtt import Access
from companion.bridge.records import NewLines
from companion.club import accounts
from companion.club.database import Connection
from companion.club.evening import evening_actions
from companion.club.evening.evening_state import EveningError
from companion.club.evening.log_file import read_log
from companion.club.page_context import ClubData
from companion.club.store_game_lines import LineStore
from companion.gamelog import read
from tests.bridge.mosquitto import Mosquitto, Onlooker
from tests.cli.finished_games import random_log
from tests.club.running import consumer, serving
from tests.waiting import until

pytestmark = pytest.mark.needs("mosquitto", "postgresql")

NAMES = ("Aki", "Bea", "Cyr", "Dai", "Eve", "Fay", "Gus", "Hal", "Ida")
BEGUN = {"name": "Friday club", "table": "4", "smallest": "3", "largest": "5"}

LEFT, END = "\ue012", "\ue010"
"""Keys of a browser: the arrow to the left, and End."""


class Evening:
    """The pages of a hub, for a director."""

    def __init__(self, client: httpx.Client, folder: Path) -> None:
        self.client, self.file = client, folder / "evening/evening.jsonl"

    def does(self, action: str, **form: str) -> None:
        answer = self.client.post(f"/evening/{action}", data=self.own(form))
        back = f"/evening#t{form['table']}" if action == "result" else "/evening"
        earlier = f"?round={form.get('round')}"  # the page of the last round needs no number
        assert answer.status_code == 303, answer.text
        assert answer.headers["location"].replace(earlier, "") == back

    def own(self, form: dict[str, str]) -> dict[str, str]:
        """Return a form with what each form of the page hides: the evening, and the last round."""
        if not self.file.exists():
            return form
        try:
            evening = read_log(self.file).evening
        except EveningError:
            return form
        return {"evening": str(evening.seed), "round": str(len(evening.rounds))} | form

    def undo(self) -> None:
        """Take back what the page shows."""
        self.does("undo", seen=self.seen)

    @property
    def seen(self) -> str:
        """Return the length of the evening's file that the page knows."""
        found = re.search('action="/evening/undo".*?name="seen" value="([0-9]+)"', self.client.get("/evening").text)
        return "" if found is None else found[1]

    def refused(self, action: str, **form: str) -> str:
        answer = self.client.post(f"/evening/{action}", data=self.own(form))
        assert answer.status_code >= 400
        return unescape(re.findall(r'role="alert">(.*)</p>', answer.text)[0])

    def csv(self, what: str) -> list[dict[str, str]]:
        return [*csv.DictReader(io.StringIO(self.client.get(f"/evening/{what}.csv").content.decode("utf-8-sig")))]

    @property
    def tables(self) -> dict[int, list[str]]:
        """Return the names at each table of the last round, by seat."""
        evening = read_log(self.file).evening
        return {each.number: [evening.names[player] for player in each.players] for each in evening.rounds[-1].tables}


@contextmanager
def hub(database: str, connection: Connection, access: Access, folder: Path) -> Iterator[Evening]:
    for name, role in (("Dora", "director"), ("Pat", "player")):
        accounts.set_person(connection, name, role, "correct horse")
    store = LineStore(connection)
    for number in (2, 1, 3):
        store.note_name(f"box-{number}", f"Corner {number}")
    store.note_online({f"box-{number}": number < 3 for number in (1, 2, 3)})
    store.note_name("box-0", "Corner 0")  # it was enrolled, and never online: no table gets it
    club = ClubData(database, access, "tabletop", lambda _sentence: None, folder / "evening")
    with serving(club) as client:
        until(lambda: len(club.scorer.tables) == 4)
        client.post("/sign-in", data={"name": "Dora", "password": "correct horse"})
        yield Evening(client, folder)


@pytest.fixture
def evening(database: str, connection: Connection, broker: Mosquitto, tmp_path: Path) -> Iterator[Evening]:
    with hub(database, connection, broker.access, tmp_path) as one:
        yield one


@pytest.fixture
def seen(broker: Mosquitto) -> Iterator[Onlooker]:
    one = Onlooker(broker)
    yield one
    one.close()


def played(connection: Connection, players: list[str], *, box: str = "box-3") -> tuple[int, ...]:
    """Let a box send a finished game of these people; return their points."""
    seed = next(seed for seed in range(99) if len(read(random_log("eternity", seed)).header.players) == len(players))
    header, *lines = random_log("eternity", seed).splitlines()
    header = json.dumps({**json.loads(header), "players": players}).encode()
    name = f"{connection.info.backend_pid:06}-eternity-0123abcd"
    LineStore(connection).store([NewLines(box, f"{name[:-2]}{len(players)}{seed % 10}", 0, [header, *lines])])
    return read(b"\n".join([header, *lines])).progress.totals


def test_the_round_is_drawn_played_and_ranked_and_every_box_knows_its_table(evening: Evening, seen: Onlooker) -> None:
    evening.does("new", **BEGUN)
    evening.does("players", list="number;name\n" + "\n".join(f";{name}" for name in NAMES))
    evening.does("players", list="Jan", late="yes")
    evening.does("round", minutes="45")
    tables = evening.tables
    assert sorted(map(len, tables.values())) == [4, 5]
    for table in (1, 2):  # by default, boxes stand at the tables in the order of their names
        told = seen.latest(f"box-{table}/hub", lambda told: told["seats"])["seats"]
        assert (told["round"], told["table"], told["names"]) == (1, table, tables[table])
        assert told["ends"] > 0
    assert seen.latest("box-3/hub") == {"seats": None, "attended": 0}
    page = evening.client.get("/evening").text
    assert "penalty 0: 0 pairs meet again" in page
    assert "Tables that still play: 2 of 2; the round ends at" in page
    assert evening.refused("round", minutes="45") == "Round 1 still plays at table 1, 2."
    evening.does("result", round="1", table="1", points="20, −5 13 2 7")
    seen.latest("box-1/hub", lambda told: told["seats"] is None)
    evening.does("result", round="1", table="1", points="20 -5 13 2 0", correct="yes")
    assert "5 points are wanted" in evening.refused("result", round="1", table="1", points="20", correct="yes")
    assert "Points are numbers" in evening.refused("result", round="1", table="2", points="x")
    evening.does("drop", player=tables[2][0])
    seen.latest("box-2/hub", lambda told: told["seats"] is not None and told["seats"]["names"] == tables[2][1:])
    evening.undo()
    seen.latest("box-2/hub", lambda told: told["seats"] is not None and told["seats"]["names"] == tables[2])
    evening.does("result", round="1", table="2", points="7 30 7 -4")
    evening.does("late", player="Jan")
    evening.does("round", minutes="0")
    assert sorted(map(len, evening.tables.values())) == [3, 3, 4]
    assert seen.latest("box-1/hub", lambda told: told["seats"] is not None and told["seats"]["round"] == 2)
    ranked = evening.csv("ranking")
    assert {row["player"] for row in ranked} == {*NAMES, "Jan"}
    assert ranked[0]["rank share"] == "1.000"
    assert [row["points"] for row in evening.csv("results")][:5] == ["20", "-5", "13", "2", "0"]
    assert len(evening.csv("seats")) == 10
    for what in ("seats?round=1", "names", "ranking", "results"):
        assert tables[1][0] in evening.client.get(f"/evening/print/{what}").text
    assert evening.client.get("/evening?round=1").text.count(">Correct<") == 2


def test_the_command_line_goes_on_with_the_same_file(evening: Evening) -> None:
    evening.does("new", **BEGUN)
    evening.does("players", list="Aki\nBea\nCyr\nDai")
    evening_actions.draw_round(evening.file, None)
    assert "Drawn with penalty 0" in evening.client.get("/evening").text


def test_finished_games_are_proposed_as_results_and_count_once_the_director_takes_them(
    evening: Evening, connection: Connection
) -> None:
    played(connection, ["Eve", "Fay", "Gus", "Hal"])  # before the evening: it does not count
    evening.does("new", **BEGUN)
    evening.does("players", list="\n".join(NAMES[:8]))
    evening.does("round", minutes="0")
    names = evening.tables[1]
    points = played(connection, names[::-1], box="box-1")[::-1]  # they sat the other way round
    until(lambda: "Take all results of finished games: 1" in evening.client.get("/evening").text)
    page = evening.client.get("/evening").text
    (seen,) = {unescape(value) for value in re.findall('name="seen" value="([0-9]+ [^"]*)"', page)}
    assert evening.refused("take", seen=seen.replace(str(points[0]), "77", 1)) == "A game has another result by now."
    assert evening.refused("take", seen="") == "A game has another result by now."
    assert not evening.csv("results")
    evening.does("take", seen=seen)
    assert [int(row["points"]) for row in evening.csv("results")] == [*points]
    assert "Take all" not in evening.client.get("/evening").text
    assert evening.refused("take", seen=seen) == "A game has another result by now."
    evening.does("result", table="1", points="1 2 3 4", correct="yes")
    page = evening.client.get("/evening").text
    assert "the game ended otherwise" in page
    assert "Take all" not in page
    (seen,) = {unescape(value) for value in re.findall('name="seen" value="([0-9]+ [^"]*)"', page)}
    evening.does("take", seen=seen)
    assert [int(row["points"]) for row in evening.csv("results")] == [*points]
    assert "the game ended otherwise" not in evening.client.get("/evening").text


def test_boxes_and_clock_are_set_and_tables_merged_by_the_director(evening: Evening, seen: Onlooker) -> None:
    evening.does("new", **{**BEGUN, "smallest": "2", "table": "2"}, lowest="yes")
    evening.does("players", list="\n".join(NAMES[:4]))
    assert "Offline: Corner 3</p>" in evening.client.get("/evening").text  # before the draw
    evening.does("round", minutes="0")
    evening.does("boxes", **{"round": "1", "1": "box-3", "2": "gone"})
    told = seen.latest("box-3/hub", lambda told: told["seats"] is not None)["seats"]
    assert (told["table"], told["ends"]) == (1, 0)
    page = evening.client.get("/evening").text
    assert '>Corner 3</a> <span class="why">offline</span>' in page
    evening.does("boxes", **{"round": "1", "1": "box-3", "2": "-"})
    seen.latest("box-1/hub", lambda told: told["seats"] is None)
    assert '<option value="-" selected="selected">no box here' in evening.client.get("/evening").text
    evening.does("boxes", **{"round": "1", "1": "box-3", "2": ""})
    evening.does("clock", minutes="10")
    assert seen.latest("box-3/hub", lambda told: told["seats"] and told["seats"]["ends"])
    evening.does("merge", round="1", table="1", into="2")
    seen.latest("box-3/hub", lambda told: told["seats"] is None)
    everybody = sorted(NAMES[:4])
    seen.latest("box-1/hub", lambda told: told["seats"] and sorted(told["seats"]["names"]) == everybody)
    assert evening.refused("merge", round="1", table="1", into="2").startswith("There is no table 1")
    assert evening.refused("merge", round="1", table="one", into="2") == "Table is a number."
    assert evening.refused("merge", round="2", table="1", into="2") == "Another round is drawn by now."
    assert evening.refused("dance", x="") == "There is no such action."


def test_what_is_taken_back_is_what_the_director_saw(evening: Evening) -> None:
    evening.does("new", **BEGUN)
    evening.does("players", list="Aki\nBea\nCyr")
    seen = evening.seen
    evening.does("players", list="Dai")
    assert evening.refused("undo", seen=seen) == "Something has happened since: look again."
    evening.undo()
    assert evening.seen > seen
    assert "Players: 3," in evening.client.get("/evening").text


def test_another_evening_is_begun_once_the_one_before_has_ended_and_what_was_typed_stays(evening: Evening) -> None:
    evening.does("new", **BEGUN)
    assert evening.refused("new", **{**BEGUN, "name": "Saturday"}) == "The evening before has not ended."
    refused = evening.client.post("/evening/players", data=evening.own({"list": "Aki\nAki", "late": "yes"}))
    assert ">Aki\nAki</textarea>" in refused.text
    assert 'name="late" value="yes" checked' in refused.text
    evening.does("new", **{**BEGUN, "name": "Saturday"}, ended="yes")
    assert "Saturday has ended" in evening.client.get("/evening").text


def test_lists_on_paper_name_their_round_and_a_page_for_directors_leads_to_signing_in(evening: Evening) -> None:
    evening.does("new", **BEGUN)
    evening.does("players", list="\n".join(NAMES[:4]))
    evening.does("round", minutes="1")
    for what, heading in {
        "seats": "Friday club: seats, round 1",
        "names": "Friday club: names, round 1",
        "ranking": "Friday club: ranking, after round 1",
        "results": "Friday club: results, after round 1",
    }.items():
        assert f"<h1>{heading}</h1>" in evening.client.get(f"/evening/print/{what}").text
    evening.client.post("/sign-out", data={"": ""})
    assert 'href="/sign-in"' not in evening.client.get("/evening/print/seats").text
    assert evening.client.post("/evening/undo", data={"seen": "1"}).text.count('href="/sign-in"') == 1
    assert 'href="/sign-in"' not in evening.client.get("/nothing").text


def test_the_page_follows_what_happens_also_on_the_command_line(evening: Evening) -> None:
    evening.does("new", **BEGUN)
    evening.does("players", list="\n".join(NAMES[:8]))
    evening.does("round", minutes="0")
    (live,) = re.findall('data-live="([^"]*)"', evening.client.get("/evening").text)
    with evening.client.stream("GET", unescape(live)) as stream:
        events = (json.loads(line[6:])["parts"] for line in stream.iter_lines() if line.startswith("data: {"))
        assert {"state", "round", "ranking", "places"} <= next(events).keys()  # the page may be older
        evening.does("result", round="1", table="1", points="1 2 3 4")
        parts = next(events)
        assert {"t1", "state", "ranking", "actions"} <= parts.keys()
        assert "t2" not in parts
        evening_actions.enter_result(evening.file, 2, [4, 3, 2, 1], None, correct=False)
        parts = next(events)
        assert "t2" in parts
        assert "Draw round 2" in parts["actions"]
        evening_actions.draw_round(evening.file, None)
        parts = next(events)
        assert "round" in parts
        assert "round 2" in parts["heading"]


def test_a_refused_correction_of_an_earlier_round_shows_that_round_with_what_was_typed(evening: Evening) -> None:
    evening.does("new", **BEGUN)
    evening.does("players", list="\n".join(NAMES[:4]))
    for _round in (1, 2):
        evening.does("round", minutes="0")
        evening.does("result", table="1", points="1 2 3 4")
    form = evening.own({"round": "1", "table": "1", "points": "9 8 7", "correct": "yes"})
    page = evening.client.post("/evening/result", data=form).text
    assert "Friday club, round 1</h2>" in page
    assert 'name="points" value="9 8 7"' in page


def test_a_form_of_another_evening_or_round_is_refused(evening: Evening) -> None:
    evening.does("new", **BEGUN)
    evening.does("players", list="\n".join(NAMES[:4]))
    thursday = evening.own({})["evening"]
    evening.does("new", **{**BEGUN, "name": "Friday"}, ended="yes")
    for action, form in {"new": BEGUN | {"ended": "yes"}, "players": {"list": "Aki"}, "undo": {"seen": "1"}}.items():
        sentence = "Another evening has begun since: look again."
        assert evening.refused(action, **{**form, "evening": thursday}) == sentence
    evening.does("players", list="\n".join(NAMES[:4]))
    evening.does("round", minutes="0")
    for action in ("round", "clock", "boxes"):
        assert evening.refused(action, minutes="5", round="0") == "Another round is drawn by now."


def test_a_page_without_an_evening_is_told_once_one_begins(evening: Evening) -> None:
    (live,) = re.findall('data-live="([^"]*)"', evening.client.get("/evening").text)
    with evening.client.stream("GET", unescape(live)) as stream:
        events = (json.loads(line[6:])["parts"] for line in stream.iter_lines() if line.startswith("data: {"))
        evening.does("new", **BEGUN)
        assert "Friday club" in next(events)["heading"]


@pytest.mark.browser
@pytest.mark.needs("browser")
def test_what_somebody_types_survives_what_others_do(evening: Evening) -> None:
    from tests.web.browser import started

    evening.does("new", **BEGUN)
    evening.does("players", list="\n".join(NAMES[:8]))
    evening.does("round", minutes="0")
    url = str(evening.client.base_url)
    with started() as browser:
        browser.go(f"{url}/sign-in")
        browser.find("input[name=name]").send_keys("Dora")
        browser.find("input[name=password]").send_keys("correct horse\n")
        browser.go(f"{url}/evening")
        field = "#t1 input[name=points]"
        browser.find(field).send_keys("5 6" + LEFT)
        evening_actions.drop(evening.file, evening.tables[1][3])  # on the command line: the row is another one now
        evening.does("result", round="1", table="2", points="1 2 3 4")
        browser.until(lambda: "Correct" in browser.run("return document.querySelector('#t2').innerText"), "the result")
        browser.until(
            lambda: len(browser.run("return document.querySelectorAll('#t1 .names span')")) == 3, "who has gone"
        )
        assert browser.run(f"return document.activeElement === document.querySelector('{field}')")
        assert browser.run("return document.activeElement.selectionStart") == 2  # where the next key is typed
        browser.find(field).send_keys(END + " 7\n")
        browser.until(lambda: browser.run("return document.querySelector('#t1 b') !== null"), "the points")
        assert read_log(evening.file).evening.rounds[-1].table(1).points == (5, 6, 7)
        browser.run(f"document.querySelector('{field}').value = '5 6 8'")  # a correction that is not sent
        evening_actions.draw_round(evening.file, None)
        browser.until(
            lambda: "round 2" in browser.run("return document.querySelector('#heading').innerText"), "the next round"
        )
        assert browser.run(f"return document.querySelector('{field}').value") == ""


@pytest.mark.browser
@pytest.mark.needs("browser")
def test_a_page_that_was_not_looked_at_shows_a_row_that_is_again_as_it_was(evening: Evening) -> None:
    from tests.web.browser import started

    def look(hidden: str) -> None:
        browser.run(f"Object.defineProperty(document, 'hidden', {{value: {hidden}, configurable: true}})")
        browser.run("document.dispatchEvent(new Event('visibilitychange'))")

    def shows(points: str) -> None:
        browser.until(lambda: browser.run("return document.querySelector('#t1 .names').innerText") == points, points)

    evening.does("new", **{**BEGUN, "smallest": "2", "table": "2"})
    evening.does("players", list="Aki\nBea")
    evening.does("round", minutes="0")
    first, second = evening.tables[1]
    with started() as browser:
        browser.go(f"{evening.client.base_url}/evening")
        before = browser.run("return document.querySelector('#t1 .names').innerText")
        evening.does("result", round="1", table="1", points="1 2")
        after = before.replace(first, f"{first} 1").replace(second, f"{second} 2")
        shows(after)
        look("true")
        evening.undo()
        look("false")
        shows(before)
        evening.does("result", round="1", table="1", points="1 2")
        shows(after)


def test_only_directors_run_the_evening_and_everybody_sees_it(evening: Evening, connection: Connection) -> None:
    assert "No evening is begun" in evening.client.get("/evening").text
    assert evening.client.get("/evening/ranking.csv").status_code == 404
    evening.does("new", **BEGUN)
    assert evening.client.get("/evening/seats.csv").status_code == 404  # no round is drawn
    evening.does("players", list="\n".join(NAMES))
    evening.does("round", minutes="0")
    evening.client.post("/sign-out", data={"": ""})
    page = evening.client.get("/evening").text
    assert all(name in page for name in NAMES)
    assert not re.findall('action="/evening', page)
    for password in (None, "correct horse"):
        if password:
            evening.client.post("/sign-in", data={"name": "Pat", "password": password})
        for action in ("undo", "take", "new"):
            assert evening.refused(action, name="x") == "Only a director may do this."
    with connection.transaction():
        changes = connection.execute("SELECT who, what FROM change ORDER BY id").fetchall()
    assert [who for who, _what in changes] == ["Dora"] * 3
    assert changes[1][1] == "registered: 9; players: 9, present: 9"


def test_a_damaged_file_is_told_and_stops_no_other_page(evening: Evening) -> None:
    evening.does("new", **BEGUN)
    evening.file.write_bytes(b"nonsense\n")
    answer = evening.client.get("/evening")
    assert answer.status_code == 500
    assert "line 1: this is no event of an evening" in unescape(answer.text)
    assert evening.client.get("/").status_code == 200


def test_without_a_broker_the_evening_goes_on_and_boxes_are_told_once_it_is_back(
    evening: Evening, broker: Mosquitto
) -> None:
    evening.does("new", **BEGUN)
    evening.does("players", list="\n".join(NAMES[:4]))
    broker.stop()
    evening.does("round", minutes="0")
    until(lambda: "The boxes do not know the latest yet: [Errno 111]" in evening.client.get("/evening").text)
    broker.start()
    later = Onlooker(broker)
    assert later.latest("box-1/hub", lambda told: told["seats"])["seats"]["round"] == 1
    until(lambda: "The boxes do not know" not in evening.client.get("/evening").text)
    later.close()


def test_a_box_calls_the_director_until_the_director_ticks_it_off_or_the_table_takes_it_back(
    evening: Evening, broker: Mosquitto, database: str, seen: Onlooker
) -> None:
    topic = "tabletop/box-2/call"

    def calls() -> bool:
        return "The table calls the director" in evening.client.get("/").text

    until(lambda: "Corner 2" in evening.client.get("/").text)
    number = re.findall(r'/tables/([0-9]+)">Corner 2', evening.client.get("/").text)[0]
    with consumer(broker, database):
        seen.publish(topic, 17, retain=True)  # the consumer may listen later
        until(calls)
        seen.publish(topic, -17)
        until(lambda: not calls())
        seen.publish(topic, 18)
        until(calls)
        evening.client.post(f"/tables/{number}/call", data={"calls": "no"})
        until(lambda: not calls())
        assert seen.latest("box-2/hub") == {"seats": None, "attended": 18}
        seen.publish(topic, 18)  # it comes again, as after a restart
        seen.publish("tabletop/box-2/call", "nonsense")
        seen.publish("tabletop/box-1/call", 5)
        until(calls)
        assert evening.client.get("/").text.count("The table calls the director") == 2  # in the list and above it
        evening.client.post(f"/tables/{number}/call", data={"calls": "yes"})  # a player calls on the page
        seen.publish(topic, -18)
        seen.publish("tabletop/box-1/call", -5)
        until(lambda: evening.client.get("/").text.count("The table calls the director") == 2)
