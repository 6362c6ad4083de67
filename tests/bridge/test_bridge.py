"""The bridge on a real broker: what it publishes, and what happens when the broker, the network or the box goes."""

from __future__ import annotations

import os
import select
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt import publish

from companion.bridge.bridge import Bridge, MqttDestination
from companion.bridge.log_line_sender import Acknowledged
from companion.bridge.mqtt import Broker
from companion.journal import Journal, chain
from companion.journal.folder import UNSAVED, scratch_file
from companion.ui.translations import Translator
from tests.bridge.growing_journal import GrowingJournal
from tests.bridge.mosquitto import Hub, Mosquitto, Onlooker
from tests.waiting import running, until

pytestmark = pytest.mark.needs("mosquitto")


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path)
    yield broker
    broker.stop()


@contextmanager
def bridge(
    journal: GrowingJournal, broker: Mosquitto, said: list[str], *, club: bool = False, scratch: Path | None = None
) -> Iterator[Bridge]:
    to = MqttDestination(broker.access, "Kitchen table", club=club)
    marks = Acknowledged(journal.folder.with_name("arrived.json"))
    one = Bridge(journal.folder, marks, to, Translator("en"), said.append, scratch)
    with running(one.run, one.stop):
        yield one


@contextmanager
def onlooker(
    broker: Mosquitto, answers: Callable[[str, Any], list[tuple[str, Any]]] | None = None
) -> Iterator[Onlooker]:
    one = Onlooker(broker, *([] if answers is None else [answers]))
    try:
        yield one
    finally:
        one.close()


def test_entries_that_the_disk_refuses_are_told(tmp_path: Path, broker: Mosquitto) -> None:
    journal, scratch = GrowingJournal(tmp_path), tmp_path / "scratch"
    scratch.mkdir()
    journal.write(3)
    file = scratch_file(journal.folder, scratch, UNSAVED)
    assert file is not None
    with onlooker(broker) as seen, bridge(journal, broker, [], scratch=scratch):
        about = seen.latest("/config")
        assert about["components"]["unsaved"]["value_template"] == "{{ value_json.unsaved }}"
        assert seen.latest("/table")["unsaved"] == 0
        file.write_text("2")
        journal.write(4)
        seen.latest("/table", lambda table: table["unsaved"] == 2)
        file.unlink()
        journal.write(5)
        seen.latest("/table", lambda table: table["unsaved"] == 0)


def test_home_assistant_is_told_of_the_table_and_each_entry(tmp_path: Path, broker: Mosquitto) -> None:
    journal = GrowingJournal(tmp_path)
    journal.write(3)
    with onlooker(broker) as seen, bridge(journal, broker, []):
        assert seen.latest("/status") == "online"
        about = seen.latest("/config")
        assert about["device"]["name"] == "Kitchen table"
        shown = seen.latest("/table")
        assert shown["game"] == "Eternity"
        assert not shown["over"]
        journal.write(len(journal.rows))
        last = seen.latest("/table", lambda table: table["over"])
        assert any(seat["won"] for seat in last["seats"])
        seen.latest("/event", lambda event: event["event_type"] == "game_end")
        assert last["trump"] is last["colour"] is None  # a lamp goes out
    with onlooker(broker) as later:
        assert later.latest("/status") == "offline"
        assert later.latest("/table")["over"]


def test_everything_is_told_again_when_home_assistant_starts_or_the_broker_does(
    tmp_path: Path, broker: Mosquitto
) -> None:
    journal = GrowingJournal(tmp_path)
    journal.write(4)
    said: list[str] = []
    with onlooker(broker) as seen, bridge(journal, broker, said):
        seen.latest("/table")
        seen.messages.clear()
        seen.publish("homeassistant/status", "online")
        seen.latest("/config")
        seen.latest("/table")
        broker.stop()
        journal.write(6)  # while there is no broker
        seen.messages.clear()
        broker.start()
        seen.latest("/config")
        seen.latest("/table")
    assert [line.partition(":")[0] for line in said] == ["no connection to 127.0.0.1", "connected to 127.0.0.1 again"]


def test_what_waited_for_the_broker_is_not_told_after_what_is_newer(broker: Mosquitto) -> None:
    connections = count(1)

    def connected() -> None:
        box.publish("box/state", f"connection {next(connections)}", retain=True)

    def work() -> bool:
        if box.due is not None and box.due <= time.monotonic():
            box.connect()
        if box.socket is not None:
            readable, writable, _ = select.select([box.socket], [box.socket], [], 0)
            box.work(readable=bool(readable), writable=bool(writable))
        return box.online

    box = Broker(broker.access, "box", "box/status", [], lambda *_: None, connected, lambda _sentence: None)
    box.connect()
    until(work)
    broker.stop()
    box.publish("box/state", "nobody hears this", retain=True)  # the box has not noticed yet
    until(lambda: not work())
    broker.start()
    until(work)
    box.publish("box/end", "all was told", retain=True)
    with onlooker(broker) as seen:
        until(lambda: work() and ("box/end", "all was told") in seen.messages)
        assert seen.latest("/state") == "connection 2"
    box.close()


def test_a_bridge_that_is_older_than_the_first_game_publishes_it(tmp_path: Path, broker: Mosquitto) -> None:
    journal, said = GrowingJournal(tmp_path), list[str]()
    games = journal.folder / "games"
    shutil.rmtree(games)
    with onlooker(broker) as seen, bridge(journal, broker, said):
        seen.latest("/status", lambda status: status == "online")
        games.mkdir()
        journal.write(3)
        seen.latest("/table", lambda table: table["game"] == "Eternity")
        journal.write(len(journal.rows))
        seen.latest("/table", lambda table: table["over"])
    assert said == []


def test_the_device_is_there_before_any_journal(tmp_path: Path, broker: Mosquitto) -> None:
    journal, said = GrowingJournal(tmp_path), list[str]()
    journal.folder.rename(tmp_path / "later")
    with onlooker(broker) as seen, bridge(journal, broker, said):
        assert "score_1" in seen.latest("/config")["components"]
        assert seen.latest("/table")["game"] is None
        (tmp_path / "later").rename(journal.folder)
        journal.write(3)
        seen.latest("/table", lambda table: table["game"] == "Eternity")
    assert said == []


def test_the_language_chosen_on_the_box_is_followed(tmp_path: Path, broker: Mosquitto) -> None:
    journal = GrowingJournal(tmp_path)
    journal.write(len(journal.rows) // 2)
    with onlooker(broker) as seen, bridge(journal, broker, []), closing(Journal(journal.folder)) as box:
        english = seen.latest("/table", lambda table: table["led"] or table["trump"])
        box.keep_setting("language", "fr")
        french = seen.latest("/table", lambda table: table["trump"] != english["trump"])
        assert french["trump"] in {"Mer", "Ciel", "Terre"}
        assert (french["trump_suit"], french["colour"]) == (english["trump_suit"], english["colour"])


def test_scores_of_seats_that_are_gone_are_removed_after_a_restart_of_either_side(
    tmp_path: Path, broker: Mosquitto
) -> None:
    journal = GrowingJournal(tmp_path)
    journal.write(3)
    with onlooker(broker) as seen, bridge(journal, broker, []):
        seats = len(seen.latest("/table")["seats"])
        configs = [content for topic, content in seen.messages if topic.endswith("/config")]
    described = [
        {name for name, each in config["components"].items() if name.startswith("score") and "name" in each}
        for config in configs
    ]
    everybody = {f"score_{number}" for number in range(1, 9)}
    assert described == [everybody, {f"score_{number}" for number in range(1, seats + 1)}]
    assert everybody <= configs[-1]["components"].keys()  # without a name: they are taken away


def test_each_line_read_at_once_has_its_events_and_a_game_put_back_is_corrected(
    tmp_path: Path, broker: Mosquitto
) -> None:
    journal = GrowingJournal(tmp_path)
    journal.write(3)
    with onlooker(broker) as seen, bridge(journal, broker, []):
        seen.latest("/table")
        journal.write(len(journal.rows) - 1)
        events = seen.wait_for(
            lambda messages: [content for topic, content in messages if topic.endswith("/event")][20:]
        )
        assert all(event["text"] for event in events)
        journal.write(5)
        assert seen.latest("/event", lambda event: event["event_type"] == "corrected")["text"]


def test_a_pipe_among_the_games_stops_nothing(tmp_path: Path, broker: Mosquitto) -> None:
    journal = GrowingJournal(tmp_path)
    os.mkfifo(journal.file.with_name("000099-gear-0badcafe.jsonl"))
    (journal.file.with_name("000098-gear-0badcafe.jsonl")).symlink_to(tmp_path / "nowhere")
    journal.write(3)
    with onlooker(broker) as seen, bridge(journal, broker, []):
        seen.latest("/table", lambda table: table["game"] == "Eternity")
        os.mkfifo(journal.file.with_name("000100-gear-0badcafe.jsonl"))
        journal.write(len(journal.rows))
        seen.latest("/table", lambda table: table["over"])


@pytest.mark.parametrize("content", [b"\xff", b"[" * 100_000, b'{"game":' * 100_000])
def test_no_kept_message_ends_the_bridge(tmp_path: Path, broker: Mosquitto, content: bytes) -> None:
    journal = GrowingJournal(tmp_path)
    device = Acknowledged(journal.folder.with_name("arrived.json")).device
    topics = [f"tabletop/{device}/{each}" for each in ("ack", "correction/1", "hub")] + ["homeassistant/status"]
    for topic in topics:
        publish.single(topic, content, qos=1, retain=True, hostname="127.0.0.1", port=broker.port)
    with onlooker(broker) as seen, bridge(journal, broker, [], club=True):
        seen.latest("/status", lambda status: status == "online")
        journal.write(3)
        seen.latest("/lines")


def test_a_game_that_was_put_back_is_sent_again(tmp_path: Path, broker: Mosquitto) -> None:
    journal, hub = GrowingJournal(tmp_path), Hub()
    journal.write(20)
    with onlooker(broker, hub) as seen, bridge(journal, broker, [], club=True):
        seen.latest("/ack", lambda ack: ack["lines"] == 20)
        journal.write(8)
        assert seen.latest("/lines", lambda lines: lines["first"] == 0 and "whole" in lines)["whole"] == 8
        seen.latest("/ack", lambda ack: ack["lines"] == 8)
        journal.write(12)
        assert "whole" not in seen.latest("/lines", lambda lines: lines["first"] == 8)


def test_two_boxes_with_one_id_are_told_so(tmp_path: Path, broker: Mosquitto) -> None:
    said: list[list[str]] = [[], []]
    journals = [GrowingJournal(tmp_path / name) for name in "ab"]
    first = journals[0].folder.with_name("arrived.json")
    device = Acknowledged(first).device
    shutil.copy(first, journals[1].folder.with_name("arrived.json"))
    with bridge(journals[0], broker, said[0]), bridge(journals[1], broker, said[1]):
        until(lambda: any(device in line and "arrived.json" in line for line in said[0]))


def test_a_bridge_whose_journal_was_replaced_ends_so_that_it_is_started_anew(tmp_path: Path, broker: Mosquitto) -> None:
    journal, said = GrowingJournal(tmp_path), list[str]()
    journal.write(3)
    with onlooker(broker) as seen, bridge(journal, broker, said):
        seen.latest("/table")
        journal.folder.rename(tmp_path / "old")
        seen.latest("/status", lambda status: status == "offline")
    assert said == [f"{journal.folder} is gone or another folder by now"]


def test_a_drawn_id_is_on_the_disk_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[Path] = []
    monkeypatch.setattr("companion.journal.disk.sync_folder", synced.append)
    drawn = Acknowledged(tmp_path / "arrived.json").device
    assert synced == [tmp_path]
    assert Acknowledged(tmp_path / "arrived.json").device == drawn
    assert synced == [tmp_path]


def test_the_last_will_says_that_the_box_is_gone(tmp_path: Path, broker: Mosquitto) -> None:
    journal = GrowingJournal(tmp_path)
    with onlooker(broker) as seen, bridge(journal, broker, []) as one:
        seen.latest("/status", lambda status: status == "online")
        connection = one._broker.socket
        connection.shutdown(2)  # as if the cable were pulled
        seen.latest("/status", lambda status: status == "offline")


def test_every_line_arrives_once_and_in_order(tmp_path: Path, broker: Mosquitto) -> None:
    journal = GrowingJournal(tmp_path)
    journal.write(10)
    hub, said = Hub(), list[str]()
    with onlooker(broker, hub) as seen:
        with bridge(journal, broker, said, club=True):
            seen.latest("/ack", lambda ack: ack["lines"] == 10)
            broker.stop()
            journal.write(60)
            broker.start()
            seen.latest("/ack", lambda ack: ack["lines"] == 60)
            seen.messages.clear()
            seen.publish("homeassistant/status", "online")
            seen.latest("/config")  # the bridge has read what came before, the acknowledgement, too
        before = hub.seen
        journal.write(len(journal.rows))  # while the bridge is off
        with bridge(journal, broker, said, club=True):
            seen.latest("/ack", lambda ack: ack["lines"] == len(journal.rows))
    assert hub.games[journal.name] == [chain.text(row) for row in journal.rows]
    assert {*hub.firsts[before:]} == {60}  # what had arrived is not sent again


def test_lines_that_the_hub_forgot_are_sent_again_on_the_next_connection(tmp_path: Path, broker: Mosquitto) -> None:
    journal = GrowingJournal(tmp_path)
    journal.write(10)
    hub = Hub(forgets=lambda number: number == 1)
    with onlooker(broker, hub) as seen, bridge(journal, broker, [], club=True):
        seen.latest("/lines")
        broker.stop()
        broker.start()
        seen.latest("/ack", lambda ack: ack["lines"] == 10)
    assert hub.seen == 2


@pytest.mark.parametrize("nonsense", ["", "[]", "{", '{"game":5}', '{"game":"x","lines":99999}', "9" * 10_000])
def test_nonsense_for_an_acknowledgement_changes_nothing(tmp_path: Path, broker: Mosquitto, nonsense: str) -> None:
    journal = GrowingJournal(tmp_path)
    journal.write(10)
    hub = Hub()
    with onlooker(broker, hub) as seen, bridge(journal, broker, [], club=True):
        lines = seen.wait_for(lambda messages: next((t for t, _ in messages if t.endswith("/lines")), None))
        seen.publish(lines.removesuffix("lines") + "ack", nonsense)
        journal.write(20)
        seen.latest("/ack", lambda ack: isinstance(ack, dict) and ack.get("lines") == 20)
    assert len(hub.games[journal.name]) == 20
