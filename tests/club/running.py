"""Consumers and bridges that run in threads of a test."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import uvicorn

from companion.bridge.acknowledged import Acknowledged
from companion.bridge.bridge import Bridge, Destination
from companion.club.club_data import ClubData
from companion.club.consumer import Consumer
from companion.club.site import ClubSite
from companion.ui.translations import Translator
from tests.bridge.growing_journal import GrowingJournal
from tests.bridge.mosquitto import Mosquitto, free_port
from tests.waiting import LAST_RESORT, until


@contextmanager
def serving(club: ClubData) -> Iterator[httpx.Client]:
    """Serve the pages in a thread; yield a browser."""
    port = free_port()
    server = uvicorn.Server(
        uvicorn.Config(ClubSite(club).app, port=port, log_config=None, ws="none", timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    until(lambda: server.started, "the page")
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=LAST_RESORT) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def consumer(broker: Mosquitto, database: str, said: list[str] | None = None) -> Iterator[Consumer]:
    """Run a consumer in a thread."""
    sentences: list[str] = [] if said is None else said
    one = Consumer(broker.access, database, "tabletop", sentences.append)
    thread = threading.Thread(target=one.run)
    thread.start()
    try:
        yield one
    finally:
        one.stop()
        thread.join(LAST_RESORT)
        assert not thread.is_alive()


@contextmanager
def bridge(broker: Mosquitto, journal: GrowingJournal, marks: Path, name: str = "Table 1") -> Iterator[Acknowledged]:
    """Run the bridge of a box in a thread; yield how far its games have arrived."""
    arrived = Acknowledged(marks)
    destination = Destination(broker.access, name, home_assistant="", club=True)
    one = Bridge(journal.folder, arrived, destination, Translator("en"), lambda _sentence: None)
    thread = threading.Thread(target=one.run)
    thread.start()
    try:
        yield arrived
    finally:
        one.stop()
        thread.join(LAST_RESORT)
        assert not thread.is_alive()
