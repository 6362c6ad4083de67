"""A director runs an evening in a browser: shortened, with four tables and two rounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.club.evening.evening_state import Presence
from tests.bridge.mosquitto import Mosquitto
from tests.harness.club.evening_in_browser import EveningInBrowser


@pytest.mark.browser
@pytest.mark.needs("mosquitto", "postgresql", "browser")
def test_an_evening_is_run_in_a_browser_and_every_box_is_told(database: str, broker: Mosquitto, tmp_path: Path) -> None:
    from tests.web.browser import started

    with started() as browser:
        evening = EveningInBrowser(browser, database, broker, tmp_path, tables=4).run(rounds=2)
    assert [round_.open_tables for round_ in evening.rounds] == [(), ()]
    assert Presence.GONE in {entrant.presence for entrant in evening.entrants}
