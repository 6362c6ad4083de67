"""Consumers and bridges that run in threads of a test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx
import uvicorn

from companion.bridge.bridge import Bridge, MqttDestination
from companion.bridge.log_line_sender import Acknowledged
from companion.club.consumer import Consumer
from companion.club.page_context import ClubData
from companion.club.web_app import ClubSite
from companion.ui.translations import Translator
from tests.bridge.growing_journal import GrowingJournal
from tests.bridge.mosquitto import Mosquitto, free_port
from tests.waiting import LAST_RESORT, running, until


@contextmanager
def serving(club: ClubData) -> Iterator[httpx.Client]:
    """Serve the pages in a thread; yield a browser."""
    port = free_port()
    server = uvicorn.Server(
        uvicorn.Config(ClubSite(club).app, port=port, log_config=None, ws="none", timeout_graceful_shutdown=1)
    )
    with running(server.run, partial(setattr, server, "should_exit", True)):
        until(lambda: server.started, "the page")
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=LAST_RESORT) as client:
            yield client


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
