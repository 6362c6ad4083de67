"""A box gets a login of its own at the broker, and may use only topics with its name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion.bridge.log_line_sender import Acknowledged, Mark
from companion.bridge.mqtt import Access
from companion.cli import main
from companion.club.broker_logins import new_login, remove_login
from companion.club.consumer import Consumer
from companion.club.database import Connection
from tests.bridge.mosquitto import Mosquitto, Onlooker, free_port
from tests.club.running import club_in, serving
from tests.waiting import running, until

SYSTEMD = Path(__file__).parents[2] / "companion/club/system"


def test_a_login_has_one_line_and_can_be_removed(tmp_path: Path) -> None:
    file = tmp_path / "passwords"
    new_login(file, "box-1")
    new_login(file, "box-11")
    before = file.read_text()
    new_login(file, "box-1")
    assert re.findall("^[^:]+", file.read_text(), re.MULTILINE) == ["box-11", "box-1"]
    assert file.read_text() != before
    remove_login(file, "box-1")
    assert re.findall("^[^:]+", file.read_text(), re.MULTILINE) == ["box-11"]
    assert file.stat().st_mode & 0o777 == 0o640


class Client:
    """A client of the broker that notes which of its messages arrive at the hub."""

    def __init__(self, port: int, user: str, password: str, id: str = "") -> None:
        self.got: list[str] = []
        self.online: list[bool] = []
        self.answered = False
        self.subscribed = 0
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, id, protocol=mqtt.MQTTv311)
        self._client.username_pw_set(user, password)
        self._client.on_connect = lambda _client, _data, _flags, reason, _more: self.online.append(
            not reason.is_failure
        )
        self._client.on_publish = lambda *_: setattr(self, "answered", True)
        self._client.on_message = lambda _client, _data, message: self.got.append(message.topic)
        self._client.on_subscribe = lambda *_: setattr(self, "subscribed", self.subscribed + 1)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        until(lambda: self.online)

    def subscribe(self, topic: str) -> None:
        before = self.subscribed
        self._client.subscribe(topic, qos=1)
        until(lambda: self.subscribed > before)

    def publish(self, *topics: str, content: str = "x") -> None:
        for topic in topics:
            self._client.publish(topic, content, qos=1)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture
def logins(tmp_path: Path) -> dict[str, str]:
    return {user: new_login(tmp_path / "passwords", user) for user in ("hub", "box-1", "box-2")}


@pytest.fixture
def boxes() -> int:
    """Return the port of the broker for boxes; its other one is the hub's."""
    return free_port()


@pytest.fixture
def closed_broker(tmp_path: Path, logins: dict[str, str], boxes: int) -> Iterator[Mosquitto]:
    """Run the broker with Debian's settings and the documented ones, but for the ports and the places of files."""
    settings = (SYSTEMD / "mosquitto.conf").read_text()
    settings = settings.replace("/etc/mosquitto/club.passwords", str(tmp_path / "passwords"))
    settings = settings.replace("/etc/mosquitto/club.acl", str(tmp_path / "acl"))
    (tmp_path / "acl").write_text((SYSTEMD / "mosquitto.acl").read_text())
    (tmp_path / "conf.d").mkdir()
    settings = settings.replace("listener 1883\n", f"listener {boxes} 127.0.0.1\n")
    (tmp_path / "conf.d/club.conf").write_text(settings.replace("listener 1884 127.0.0.1\n", ""))
    debian = f"persistence true\npersistence_location {tmp_path}/\ninclude_dir {tmp_path}/conf.d\nuser root\n"
    broker = Mosquitto(tmp_path, debian)
    yield broker
    broker.stop()


@pytest.mark.needs("mosquitto")
def test_a_box_may_use_only_its_own_topics(closed_broker: Mosquitto, logins: dict[str, str], boxes: int) -> None:
    hub = Client(closed_broker.port, "hub", logins["hub"])
    one, two = (Client(boxes, user, logins[user]) for user in ("box-1", "box-2"))
    for topic in ("$share/hub/tabletop/+/lines", "tabletop/+/status"):
        hub.subscribe(topic)
    for client in (one, two):
        client.subscribe("tabletop/box-1/ack")
        client.subscribe("tabletop/box-1/correction/+")
    two.publish("tabletop/box-1/lines", "tabletop/box-1/status", "tabletop-hub/again")
    until(lambda: two.answered or len(two.online) > 1)  # some versions of Mosquitto end its connection
    one.publish("tabletop/box-1/lines", "tabletop/box-1/status", "homeassistant/device/box-1/config")
    until(lambda: len(hub.got) == 2)
    hub.publish("tabletop/box-1/ack", "tabletop/box-1/correction/7")
    until(lambda: one.got == ["tabletop/box-1/ack", "tabletop/box-1/correction/7"])
    assert sorted(hub.got) == ["tabletop/box-1/lines", "tabletop/box-1/status"]
    assert two.got == []
    for client in (hub, one, two):
        client.close()


@pytest.mark.needs("mosquitto")
def test_a_box_takes_no_other_box_off_the_broker(closed_broker: Mosquitto, logins: dict[str, str], boxes: int) -> None:
    one = Client(boxes, "box-1", logins["box-1"], "box-1")
    for _try in range(5):
        Client(boxes, "box-2", logins["box-2"], "box-1").close()
    one.subscribe("tabletop/box-1/ack")
    assert one.online == [True]
    one.close()


@pytest.mark.needs("mosquitto", "postgresql")
def test_no_box_takes_the_lines_of_others_by_the_group_of_the_hub(
    closed_broker: Mosquitto, logins: dict[str, str], boxes: int, database: str
) -> None:
    hub = Consumer(
        Access("127.0.0.1", closed_broker.port, user="hub", password=logins["hub"]),
        database,
        "tabletop",
        lambda _sentence: None,
    )
    thief, honest = Client(boxes, "box-1", logins["box-1"]), Client(boxes, "box-2", logins["box-2"])
    thief.subscribe("$share/hub/tabletop/+/lines")
    honest.subscribe("tabletop/box-2/ack")
    honest.subscribe("tabletop-hub/again")
    with running(hub.run, hub.stop):
        until(lambda: "tabletop-hub/again" in honest.got)
        for number in range(20):
            honest.publish("tabletop/box-2/lines", content=f'{{"game":"game","first":{number},"lines":["x"]}}')
            until(lambda number=number: len(honest.got) == number + 2)  # type: ignore[misc]
    thief.close()
    honest.close()


@pytest.mark.needs("mosquitto")
def test_a_wrong_password_is_refused(closed_broker: Mosquitto, boxes: int) -> None:
    stranger = Client(boxes, "box-1", "guess")
    assert stranger.online[0] is False
    stranger.close()


@pytest.mark.needs("postgresql")
def test_the_command_says_what_to_do_on_the_box(
    database: str, connection: Connection, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, passwords, own = tmp_path / "club.toml", tmp_path / "passwords", tmp_path / "own"
    config.write_text(f'database = "{database}"\npasswords = "{passwords}"\npassword_file = "{own}"\n')
    assert main(["club", "enrol", "Table 7", "--config", str(config), "--address", "mqtt://hub"]) == 0
    said = capsys.readouterr().out
    (device,) = re.findall('user = "(.*)"', said)
    assert 'broker = "mqtt://hub"' in said
    assert passwords.read_text().startswith(f"{device}:$7$")
    assert connection.execute("SELECT device, name FROM device").fetchall() == [(device, "Table 7")]
    assert main(["club", "enrol", "--hub", "--config", str(config)]) == 0
    assert own.stat().st_mode & 0o777 == 0o600
    capsys.readouterr()
    assert main(["club", "enrol", "--config", str(config)]) == 0
    assert capsys.readouterr().out == f"Table 7: {device}, never online\n"
    assert main(["club", "enrol", 'a"b', "--config", str(config)]) == 1


@pytest.mark.needs("mosquitto", "postgresql")
def test_a_box_that_is_removed_is_on_no_page_and_the_broker_keeps_nothing_of_it(
    broker: Mosquitto, database: str, connection: Connection, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, passwords = tmp_path / "club.toml", tmp_path / "passwords"
    config.write_text(
        f'database = "{database}"\npasswords = "{passwords}"\nbroker = "mqtt://127.0.0.1:{broker.port}"\n'
    )

    def does(*words: str) -> int:
        return main(["club", "enrol", *words, "--config", str(config)])

    assert does("Table 7") == 0
    (old,) = re.findall('user = "(.*)"', capsys.readouterr().out)
    assert does("Table 7") == 0
    said = capsys.readouterr().out
    (new,) = re.findall('user = "(.*)"', said)
    assert f"{old} is called Table 7, too" in said
    before = Onlooker(broker)
    for kind in ("status", "name", "call"):
        before.publish(f"tabletop/{old}/{kind}", "online", retain=True)
        before.latest(f"{old}/{kind}")
    club = club_in(tmp_path, database, broker.access)
    with serving(club) as client:
        until(lambda: f"Table 7 ({new[-4:]})" in client.get("/tables").text)  # told from its namesake
        assert does("--remove", "Table 7") == 1
        assert f"2 boxes are called Table 7; name one: {', '.join(sorted((new, old)))}" in capsys.readouterr().err
        assert does("--remove", old) == 0
        until(lambda: client.get("/tables").text.count(">Table 7</a>") == 1)
    later = Onlooker(broker)
    before.publish("tabletop/end/name", "x", retain=True)
    later.latest("end/name")
    assert not [topic for topic, _content in later.messages if old in topic]
    assert does("--remove", "Table 7") == 0
    assert does("--remove", "Table 7") == 1
    assert passwords.read_text() == ""
    for one in (before, later):
        one.close()


def test_a_database_that_does_not_answer_gets_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "club.toml"
    config.write_text(f'database = "postgresql://x@127.0.0.1:{free_port()}/x"\n')
    assert main(["club", "enrol", "--config", str(config)]) == 1
    assert "the database does not answer" in capsys.readouterr().err


def test_a_new_id_begins_with_no_acknowledged_line(tmp_path: Path) -> None:
    marks = Acknowledged(tmp_path / "marks")
    marks.note("000001-gear-00000000", Mark(7))
    marks.device = "tabletop-1"
    assert (marks.device, marks.of("000001-gear-00000000")) == ("tabletop-1", Mark())
    assert Acknowledged(tmp_path / "marks").device == "tabletop-1"
