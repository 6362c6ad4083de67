"""What boxes send arrives in the database, whoever fails on the way."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from companion.bridge import log_line_sender
from companion.bridge.records import MessageError, read_lines
from companion.club.database import Connection
from companion.club.store_game_lines import LineStore
from companion.journal import chain
from tests.bridge.growing_journal import GrowingJournal
from tests.bridge.mosquitto import Mosquitto, Onlooker
from tests.club.running import bridge, consumer
from tests.harness.club.database_server import QUICK, DatabaseServer
from tests.waiting import until

pytestmark = pytest.mark.needs("mosquitto", "postgresql")


def contents(connection: Connection) -> list[bytes]:
    with connection.transaction():
        return [row[0] for row in connection.execute("SELECT content FROM line ORDER BY game, number")]


def log_of(journal: GrowingJournal) -> list[bytes]:
    return [chain.text(row).encode() for row in journal.rows]


def test_a_game_arrives_while_it_is_played(
    broker: Mosquitto, database: str, connection: Connection, tmp_path: Path
) -> None:
    journal = GrowingJournal(tmp_path)
    with consumer(broker, database), bridge(broker, journal, tmp_path / "marks", name="Corner"):
        for count in (1, 2, 7, len(journal.rows)):
            journal.write(count)
            until(lambda count=count: contents(connection) == log_of(journal)[:count])  # type: ignore[misc]
        until(lambda: _device(connection) == ("Corner", True))


def _device(connection: Connection) -> tuple[str, bool]:
    with connection.transaction():
        return connection.execute("SELECT name, online FROM device").fetchone()  # type: ignore[return-value]


def test_a_table_that_goes_away_is_noted(
    broker: Mosquitto, database: str, connection: Connection, tmp_path: Path
) -> None:
    with consumer(broker, database):
        with bridge(broker, GrowingJournal(tmp_path), tmp_path / "marks"):
            until(lambda: contents(connection) == [] and _known(connection))
        until(lambda: _device(connection) == ("Table 1", False))


def _known(connection: Connection, name: str = "Table 1") -> bool:
    with connection.transaction():
        return connection.execute("SELECT name FROM device WHERE online").fetchone() == (name,)


def test_what_one_consumer_does_not_acknowledge_another_takes(
    broker: Mosquitto, database: str, connection: Connection, tmp_path: Path
) -> None:
    journal = GrowingJournal(tmp_path)
    with consumer(broker, database):
        with consumer(broker, database), bridge(broker, journal, tmp_path / "marks"):
            journal.write(5)
            until(lambda: len(contents(connection)) == 5)
        with bridge(broker, journal, tmp_path / "marks"):
            journal.write(len(journal.rows))
            until(lambda: contents(connection) == log_of(journal))


def test_a_consumer_asks_at_its_start_for_what_nobody_has_acknowledged(
    broker: Mosquitto, database: str, connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_line_sender, "PATIENCE", 3600.0)
    journal, seen = GrowingJournal(tmp_path), Onlooker(broker)
    with bridge(broker, journal, tmp_path / "marks"):
        journal.write(5)
        assert seen.latest("/lines")["first"] == 0  # on its way to a consumer that has ended
        with consumer(broker, database):
            until(lambda: contents(connection) == log_of(journal)[:5])
    seen.close()


def test_lines_wait_while_the_database_is_away(broker: Mosquitto, tmp_path: Path) -> None:
    from companion.club.database import connect, migrate

    server = DatabaseServer(QUICK)
    try:
        address = server.create("club")
        migrate(address)
        journal, said = GrowingJournal(tmp_path), list[str]()
        with consumer(broker, address, said), bridge(broker, journal, tmp_path / "marks") as arrived:
            journal.write(5)
            until(lambda: arrived.of(journal.name).lines == 5)
            server.stop(kill=True)
            journal.write(9)
            until(lambda: any("does not answer" in sentence for sentence in said))
            assert arrived.of(journal.name).lines == 5
            server.start()
            until(lambda: arrived.of(journal.name).lines == 9)
            assert said[-1] == "the database answers again"
        with connect(address) as connection:
            assert contents(connection) == log_of(journal)[:9]
    finally:
        server.close()


def test_lines_arrive_once_after_the_broker_was_away(
    broker: Mosquitto, database: str, connection: Connection, tmp_path: Path
) -> None:
    journal = GrowingJournal(tmp_path)
    with consumer(broker, database), bridge(broker, journal, tmp_path / "marks"):
        journal.write(5)
        until(lambda: len(contents(connection)) == 5)
        broker.stop()
        journal.write(len(journal.rows))
        broker.start()
        until(lambda: contents(connection) == log_of(journal))


def test_a_game_that_was_put_back_while_its_bridge_was_off_is_noted(
    broker: Mosquitto, database: str, connection: Connection, tmp_path: Path
) -> None:
    journal = GrowingJournal(tmp_path)
    journal.write(12)
    with consumer(broker, database):
        with bridge(broker, journal, tmp_path / "marks") as arrived:
            until(lambda: arrived.of(journal.name).lines == 12)
        journal.write(8)
        with bridge(broker, journal, tmp_path / "marks") as arrived:
            until(lambda: arrived.of(journal.name).lines == 8)
    with connection.transaction():
        assert connection.execute("SELECT differs FROM game").fetchall() == [(8,)]


@pytest.mark.parametrize("lost", [psycopg.InterfaceError, psycopg.OperationalError])
def test_what_was_to_be_noted_outlives_a_lost_connection_to_the_database(
    broker: Mosquitto, database: str, connection: Connection, monkeypatch: pytest.MonkeyPatch, lost: type[Exception]
) -> None:
    real, failures = LineStore.note_name, [lost("the connection is gone")]

    def fails_once(store: LineStore, device: str, name: str) -> None:
        if failures:
            raise failures.pop()
        real(store, device, name)

    monkeypatch.setattr(LineStore, "note_name", fails_once)
    with consumer(broker, database):
        onlooker = Onlooker(broker)
        onlooker.publish("tabletop/box/status", "online", retain=True)
        onlooker.publish("tabletop/box/name", "Corner", retain=True)
        until(lambda: not failures and _known(connection, "Corner"))
        onlooker.close()


HOSTILE = {
    b"{": "cannot be read",
    b'{"game":"","first":0,"lines":["x"]}': "printable characters",
    b'{"game":"a\\u0000","first":0,"lines":["x"]}': "printable characters",
    b'{"game":"a","first":-1,"lines":["x"]}': "first line is number -1",
    b'{"game":"a","first":0,"lines":[]}': "1 to 1000 lines",
    b'{"game":"a","first":0,"lines":["\\ud800"]}': "cannot be read",
    b'{"game":"a","first":0,"lines":["x"],"whole":-1}': "has -1 lines",
}


def test_a_message_that_cannot_be_used_is_kept_and_said_and_stops_nothing(
    broker: Mosquitto, database: str, connection: Connection
) -> None:
    said: list[str] = []
    with consumer(broker, database, said):
        hub = Onlooker(broker)
        hub.wait_for(lambda messages: [topic for topic, _content in messages if topic.startswith("tabletop-hub/")])
        for content in HOSTILE:
            hub.publish("tabletop/box/lines", content.decode())
        hub.publish("tabletop/box/lines", {"game": "a", "first": 0, "lines": ["\0 not a line"]})
        assert hub.latest("/ack") == {"game": "a", "lines": 1}
        hub.close()
    assert contents(connection) == [b"\0 not a line"]
    kept: dict[bytes, str] = dict(connection.execute("SELECT content, why FROM refused").fetchall())
    assert {content: why in kept[content] for content, why in HOSTILE.items()} == dict.fromkeys(HOSTILE, True)
    assert len(said) == len(HOSTILE)


def test_a_message_that_nests_too_deep_is_refused() -> None:
    with pytest.raises(MessageError, match="cannot be read"):
        read_lines("box", b'{"game":' + b"[" * 5000)
