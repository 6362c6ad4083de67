"""The hub beside the pages: storing what boxes send begins anew after an error."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from unittest.mock import patch

from companion.club.hub import Hub
from tests.club.running import NOWHERE, club_in, serving
from tests.waiting import until

NO_DATABASE = "postgresql://127.0.0.1:1/none"


class FailsOnce:
    """A consumer that fails the first time that one runs."""

    runs = 0

    def __init__(self, *_given: object) -> None:
        self._stopped = Event()

    def stop(self) -> None:
        self._stopped.set()

    def run(self) -> None:
        type(self).runs += 1
        if self.runs == 1:
            raise ValueError("a message that nobody foresaw")
        self._stopped.wait()


def test_storing_begins_anew_after_an_error_and_ends_with_the_pages(tmp_path: Path) -> None:
    said: list[str] = []
    club = club_in(tmp_path, said=said.append)
    with patch("companion.club.hub.Consumer", FailsOnce):
        club.hub = Hub(NO_DATABASE, NOWHERE, "tabletop", club.evenings, club.notices, said.append, consumes=True)
        with serving(club):
            until(lambda: FailsOnce.runs == 2)
    assert "storing what boxes send has failed, and begins anew: ValueError: a message that nobody foresaw" in said
