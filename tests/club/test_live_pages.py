"""In a browser the pages of the club change by themselves, and a checker finds nothing wrong with them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from companion.bridge.mqtt import Access
from companion.bridge.records import NewLines
from companion.club import accounts
from companion.club.database import Connection
from companion.club.page_context import ClubData
from companion.club.store_game_lines import LineStore
from tests.cli.finished_games import random_log
from tests.club.running import serving
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
    browser: Browser, database: str, connection: Connection
) -> None:
    store = LineStore(connection)
    store.store([NewLines("box-1", GAME, 0, LINES[:5])])
    accounts.set_person(connection, "Dora", "director", "correct horse")
    club = ClubData(database, Access("127.0.0.1", 1), "tabletop", lambda _sentence: None)
    with serving(club) as client:
        url = str(client.base_url)
        until(lambda: club.scorer.tables)
        browser.go(f"{url}/")
        store.store([NewLines("box-2", GAME, 0, LINES[:30])])
        store.store([NewLines("box-1", GAME, 5, LINES[5:])])
        browser.until(lambda: "over" in str(browser.run("return document.body.innerText")), "the game's end")
        browser.until(lambda: "box-2" in str(browser.run("return document.body.innerText")), "another table")
        assert "s ago" in str(browser.run("return document.body.innerText"))
        browser.go(f"{url}/tables/2")
        store.store([NewLines("box-2", GAME, 30, LINES[30:40])])
        browser.until(lambda: "Entries: 39" in str(browser.run("return document.body.innerText")), "more entries")
        browser.go(f"{url}/sign-in")
        browser.run("document.forms[0].name.value = 'Dora'; document.forms[0].password.value = 'correct horse'")
        browser.run("document.forms[0].submit()")
        browser.until(lambda: "Sign out Dora" in str(browser.run("return document.body.innerText")), "the visit")
        shots = os.environ.get("CLUB_SCREENSHOTS")
        pages = ("", "tables/1", "tables/2", "league", "archive", "games/1/correct", "games/1/correct?entry=3")
        for number, path in enumerate((*pages, "sign-in")):
            browser.go(f"{url}/{path}")
            if shots:
                browser.screenshot(f"{shots}/{number}.png", 1100, 800)
            assert faults(browser) == "", path
        assert browser.console() == []
