"""Boxes at the tables of an evening: they are told who sits there, and their finished games are proposed as results."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from companion.bridge.records import NewLines
from companion.club.database import Connection
from companion.club.store_game_lines import LineStore
from companion.gamelog import read
from tests.bridge.mosquitto import Mosquitto, Onlooker
from tests.cli.finished_games import random_log
from tests.club.running import club_in, consumer, serving
from tests.club.test_evening_pages import NAMES, Evening, points
from tests.waiting import until

pytestmark = pytest.mark.needs("mosquitto", "postgresql")


@pytest.fixture
def evening(database: str, connection: Connection, broker: Mosquitto, tmp_path: Path) -> Iterator[Evening]:
    store = LineStore(connection)
    for number in (2, 1, 3):
        store.note_name(f"box-{number}", f"Corner {number}")
    store.note_online({f"box-{number}": number < 3 for number in (1, 2, 3)})
    store.note_name("box-0", "Corner 0")  # it was enrolled, and never online: no table gets it
    club = club_in(tmp_path, database, broker.access)
    with serving(club) as client:
        until(lambda: club.hub is not None and len(club.hub.scorer.tables) == 4)
        yield Evening(client, club)


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


def test_every_box_knows_its_table_and_no_box_more(evening: Evening, seen: Onlooker) -> None:
    evening.begin(*NAMES)
    evening.does("round", minutes="45")
    tables = evening.tables
    for table in (1, 2):  # by default, boxes stand at the tables in the order of their names
        told = seen.latest(f"box-{table}/hub", lambda told: told["seats"])["seats"]
        assert (told["round"], told["table"], told["names"]) == (1, table, tables[table])
        assert told["ends"] > 0
    assert seen.latest("box-3/hub") == {"seats": None, "attended": 0}
    evening.does("result", table="1", **points(*range(len(tables[1]))))
    seen.latest("box-1/hub", lambda told: told["seats"] is None)
    evening.does("drop", player=tables[2][0])
    seen.latest("box-2/hub", lambda told: told["seats"] is not None and told["seats"]["names"] == tables[2][1:])
    evening.undo()
    seen.latest("box-2/hub", lambda told: told["seats"] is not None and told["seats"]["names"] == tables[2])


def test_finished_games_are_proposed_as_results_and_count_once_the_director_takes_them(
    evening: Evening, connection: Connection
) -> None:
    played(connection, ["Eve", "Fay", "Gus", "Hal"])  # before the evening: it does not count
    evening.begin(*NAMES[:8])
    evening.does("round", minutes="0")
    names = evening.tables[1]
    own = played(connection, names[::-1], box="box-1")[::-1]  # they sat the other way round
    until(lambda: "Take all results that were told: 1" in evening.page())
    (seen,) = {unescape(value) for value in re.findall('name="seen" value="([0-9]+ [^"]*)"', evening.page())}
    assert evening.refused("take", seen=seen.replace(str(own[0]), "77", 1)) == "A game has another result by now."
    assert evening.refused("take", seen="") == "A game has another result by now."
    evening.does("take", seen=seen)
    assert [int(row["points"]) for row in evening.csv("results")] == [*own]
    assert "Take all" not in evening.page()
    evening.does("result", table="1", correct="yes", **points(1, 2, 3, 4))
    page = evening.page()
    assert "the game ended otherwise" in page
    assert "Take all" not in page
    (seen,) = {unescape(value) for value in re.findall('name="seen" value="([0-9]+ [^"]*)"', page)}
    evening.does("take", seen=seen)
    assert [int(row["points"]) for row in evening.csv("results")] == [*own]


def test_a_game_with_a_misspelt_name_is_told_at_its_table(evening: Evening, connection: Connection) -> None:
    evening.begin(*NAMES[:8])
    evening.does("round", minutes="0")
    played(connection, [*evening.tables[1][:3], "Hans Peter"], box="box-1")
    until(lambda: "A game with other names has ended: Hans Peter." in evening.page())


def test_offline_boxes_are_marked_and_warned_of_at_the_draw_and_stand_where_the_director_says(
    evening: Evening, seen: Onlooker
) -> None:
    evening.begin(*NAMES[:4], smallest="2", table="2")
    assert "Offline: Corner 3</p>" in evening.page()  # before the draw
    evening.does("round", minutes="0")
    evening.does("boxes", **{"1": "box-3", "2": "gone"})
    told = seen.latest("box-3/hub", lambda told: told["seats"] is not None)["seats"]
    assert (told["table"], told["ends"]) == (1, 0)
    assert '>Corner 3</a> <span class="why">offline</span>' in evening.page()
    evening.does("boxes", **{"1": "box-3", "2": "-"})
    seen.latest("box-1/hub", lambda told: told["seats"] is None)
    assert '<option value="-" selected="selected">no box here' in evening.page()
    evening.does("boxes", **{"1": "box-3", "2": ""})
    evening.does("clock", minutes="10")
    assert seen.latest("box-3/hub", lambda told: told["seats"] and told["seats"]["ends"])
    evening.does("merge", table="1", into="2")
    seen.latest("box-3/hub", lambda told: told["seats"] is None)
    everybody = sorted(NAMES[:4])
    seen.latest("box-1/hub", lambda told: told["seats"] and sorted(told["seats"]["names"]) == everybody)


def test_without_a_broker_the_evening_goes_on_and_boxes_are_told_once_it_is_back(
    evening: Evening, broker: Mosquitto
) -> None:
    evening.begin(*NAMES[:4])
    broker.stop()
    evening.does("round", minutes="0")
    until(lambda: "The boxes do not know the latest yet; it is tried again." in evening.page())
    broker.start()
    later = Onlooker(broker)
    assert later.latest("box-1/hub", lambda told: told["seats"])["seats"]["round"] == 1
    until(lambda: "The boxes do not know" not in evening.page())
    later.close()


def test_a_box_calls_the_director_until_the_director_ticks_it_off_or_the_table_takes_it_back(
    evening: Evening, broker: Mosquitto, database: str, seen: Onlooker
) -> None:
    evening.begin(*NAMES[:4])
    topic = "tabletop/box-2/call"

    def calls() -> bool:
        return 'data-calls="1"' in evening.client.get("/evening").text

    number = re.findall(r'/tables/([0-9]+)">Corner 2', evening.client.get("/tables").text)[0]
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
        seen.publish(topic, "nonsense")
        seen.publish("tabletop/box-1/call", 5)
        until(calls)
        assert evening.client.get("/tables").text.count("The table calls the director") == 2  # in the list, above it
