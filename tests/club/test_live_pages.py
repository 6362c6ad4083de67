"""In a browser the pages of the club change by themselves, and a checker finds nothing wrong with them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.bridge.records import NewLines
from companion.club.database import Connection
from companion.club.store_game_lines import LineStore
from tests.cli.finished_games import random_log
from tests.club.running import club_in, serving
from tests.waiting import until
from tests.web.test_accessibility import faults

if TYPE_CHECKING:
    from tests.web.browser import Browser

pytestmark = [pytest.mark.browser, pytest.mark.needs("postgresql", "browser")]

GAME = "000001-eternity-0123abcd"
LINES = random_log("eternity", 1).splitlines()


@pytest.fixture
def browser() -> Iterator[Browser]:
    from tests.web.browser import started

    with started() as one:
        yield one


def test_pages_follow_the_tables_and_can_be_read_by_everybody(
    browser: Browser, database: str, connection: Connection, tmp_path: Path
) -> None:
    store = LineStore(connection)
    store.store([NewLines("box-1", GAME, 0, LINES[:5])])
    club = club_in(tmp_path, database)
    with serving(club) as client:
        url = str(client.base_url)
        until(lambda: club.hub is not None and club.hub.scorer.tables)
        browser.go(f"{url}/tables")
        store.store([NewLines("box-2", GAME, 0, LINES[:30])])
        store.store([NewLines("box-1", GAME, 5, LINES[5:])])
        browser.until(lambda: "over" in str(browser.run("return document.body.innerText")), "the game's end")
        browser.until(lambda: "box-2" in str(browser.run("return document.body.innerText")), "another table")
        assert "s ago" in str(browser.run("return document.body.innerText"))
        browser.go(f"{url}/tables/2")
        store.store([NewLines("box-2", GAME, 30, LINES[30:40])])
        browser.until(lambda: "Entries: 39" in str(browser.run("return document.body.innerText")), "more entries")
        begun = {"name": "Friday club", "table": "4", "smallest": "3", "largest": "5", "game": "Whist", "deals": "8"}
        client.post("/evening/new", data=begun)
        state = club.evenings.state()
        assert state is not None
        names = "Aki Bea Cyr Dai Eve Fay Gus Hal Ida".replace(" ", "\n")
        client.post("/evening/players", data={"evening": state.id, "list": names})
        client.post("/evening/round", data={"evening": state.id, "round": "0", "minutes": "20"})
        shots = os.environ.get("CLUB_SCREENSHOTS")
        pages = ("evening", "season", "projector", "tables", "tables/1", "tables/2", "games", "games/1/correct")
        prints = ("evening/print/cards", "evening/print/slips", "evening/print/names")
        for number, path in enumerate((*pages, "games/1/correct?entry=3", "sign-in", *prints)):
            browser.go(f"{url}/{path}")
            if shots:
                browser.screenshot(f"{shots}/{number}.png", 1100, 800)
            assert faults(browser) == "", path
        assert browser.console() == []
