"""Consumers and bridges that run in threads of a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx

from companion.bridge.bridge import Bridge, MqttDestination
from companion.bridge.log_line_sender import Acknowledged
from companion.bridge.mqtt import Access
from companion.club.consumer import Consumer
from companion.club.evening.evening_store import EveningStore
from companion.club.hub import Hub
from companion.club.page_context import Club, Directors
from companion.club.site import server
from companion.ui.translations import Translator
from tests.bridge.growing_journal import GrowingJournal
from tests.bridge.mosquitto import Mosquitto
from tests.waiting import LAST_RESORT, running, until

NOWHERE = Access("127.0.0.1", 1)


def club_in(
    folder: Path, database: str = "", access: Access = NOWHERE, said: Callable[[str], None] = lambda _sentence: None
) -> Club:
    """Return a club whose evenings are in a folder; with boxes if it has a database."""
    evenings = EveningStore(folder / "club")
    club = Club(evenings, Directors(folder / "director.password"), said)
    if database:
        club.hub = Hub(database, access, "tabletop", evenings, club.notices, said)
    return club


@contextmanager
def serving(club: Club, proxy: str = "") -> Iterator[httpx.Client]:
    """Serve the pages in a thread, behind a proxy at an address or none; yield a browser of the director's computer."""
    one, listening = server(club, "127.0.0.1", 0, proxy)
    with listening, running(partial(one.run, sockets=[listening]), partial(setattr, one, "should_exit", True)):
        until(lambda: one.started, "the page")
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with httpx.Client(base_url=address, timeout=LAST_RESORT) as client:
            yield client
    club.evenings.close()


ELSEWHERE = {"X-Forwarded-For": "192.0.2.7"}
"""The header by which a browser is not on the program's own computer."""


@contextmanager
def consumer(broker: Mosquitto, database: str, said: list[str] | None = None) -> Iterator[Consumer]:
    """Run a consumer in a thread."""
    sentences: list[str] = [] if said is None else said
    one = Consumer(broker.access, database, "tabletop", sentences.append)
    with running(one.run, one.stop):
        yield one


@contextmanager
def bridge(broker: Mosquitto, journal: GrowingJournal, marks: Path, name: str = "Table 1") -> Iterator[Acknowledged]:
    """Run the bridge of a box in a thread; yield how far its games have arrived."""
    arrived = Acknowledged(marks)
    destination = MqttDestination(broker.access, name, home_assistant="", club=True)
    one = Bridge(journal.folder, arrived, destination, Translator("en"), lambda _sentence: None)
    with running(one.run, one.stop):
        yield arrived
