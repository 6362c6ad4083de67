"""The box of a club, its bridge and a real broker: seat calls come, calls of the director go."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.bridge_secret import drawn, state_of
from companion.bridge.bridge import Bridge, MqttDestination
from companion.bridge.log_line_sender import Acknowledged
from companion.journal import Journal
from companion.journal.folder import director_call
from companion.ui.keys import Key
from companion.ui.translations import Translator
from tests.app.boxes import says
from tests.bridge.mosquitto import Mosquitto, Onlooker
from tests.waiting import running, until
from tests.web.paired_page import PairedPage

pytestmark = pytest.mark.needs("mosquitto")
TOPIC = "tabletop/tabletop-0badcafe"


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path)
    yield broker
    broker.stop()


@pytest.fixture
def page(tmp_path: Path) -> Iterator[PairedPage]:
    page = PairedPage(journal=Journal(tmp_path / "journal"), folder=tmp_path / "journal", club=True)
    (tmp_path / "journal/games").mkdir(exist_ok=True)
    state_of(tmp_path / "journal").mkdir()
    yield page
    page.stop()


@pytest.fixture
def bridge(page: PairedPage, broker: Mosquitto, tmp_path: Path) -> Bridge:
    marks = Acknowledged(tmp_path / "arrived.json")
    marks.device = TOPIC.partition("/")[2]
    secret, address = drawn(state_of(tmp_path / "journal")), f"http://127.0.0.1:{page.server.port}"
    to = MqttDestination(broker.access, "Corner", home_assistant="", club=True, page=address, secret=secret)
    return Bridge(tmp_path / "journal", marks, to, Translator("en"), lambda _sentence: None)


def test_a_seat_call_comes_and_a_call_of_the_director_goes_until_it_is_ticked_off(
    page: PairedPage, broker: Mosquitto, bridge: Bridge, tmp_path: Path
) -> None:
    seen = Onlooker(broker)
    try:
        with running(bridge.run, bridge.stop):
            seen.wait_for(lambda messages: (f"{TOPIC}/call", 0) in messages)
            seen.publish(f"{TOPIC}/hub", {"seats": {"round": 1, "table": 3, "names": ["Aki", "Bea"]}})
            until(lambda: "Table 3, R1" in page.do(lambda: says(page.box)))
            page.press(Key("C"))
            number = seen.latest("/call", lambda number: number > 0)
            seen.publish(f"{TOPIC}/hub", {"attended": number})
            seen.latest("/call", lambda latest: latest == -number)
            assert "Table 3" not in page.do(lambda: says(page.box))
            broker.stop()
            page.press(Key("C"))
            until(lambda: director_call(tmp_path / "journal") > number)
            seen.messages.clear()
            broker.start()
            seen.latest("/call", lambda latest: latest > number)  # it was called while the broker was away
    finally:
        seen.close()
