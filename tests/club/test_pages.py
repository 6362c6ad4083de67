"""The pages of the club: what everybody sees, who may change what, and what is told while somebody looks."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psycopg
import pytest

from companion.bridge.mqtt import Access
from companion.bridge.records import NewLines
from companion.club import accounts, league, live_feed
from companion.club.database import Connection
from companion.club.live_feed import FIRST, KEPT, LiveFeed
from companion.club.overview import SILENT, BoxStatus, TableRow
from companion.club.page_context import ClubData
from companion.club.page_database import PageDatabase
from companion.club.request_worker import WorkThread
from companion.club.store_game_lines import LineStore
from companion.club.web_app import FILES
from companion.web.error_answers import RequestError
from tests.cli.finished_games import random_log
from tests.club.running import serving
from tests.waiting import LAST_RESORT, until

NOWHERE = Access("127.0.0.1", 1)
GAME = "000001-eternity-0123abcd"


def log(game: str) -> list[bytes]:
    return random_log(game, 1).splitlines()


@pytest.fixture
def store(connection: Connection) -> LineStore:
    store = LineStore(connection)
    store.store([NewLines("box-1", GAME, 0, log("eternity"))])
    store.store([NewLines("box-2", "000001-moon-0123abcd", 0, [b'{"game":"moon","players":["<i>","Bo"]}'])])
    store.store([NewLines("box-3", "000001-gear-0123abcd", 0, [b"\0<b>"])])
    return store


@pytest.fixture
def club(database: str) -> ClubData:
    return ClubData(database, NOWHERE, "tabletop", lambda _sentence: None)


@pytest.fixture
def client(store: LineStore, club: ClubData) -> Iterator[httpx.Client]:
    with serving(club) as client:
        until(lambda: len(club.scorer.tables) == 3)
        yield client


def signed_in(client: httpx.Client, connection: Connection, role: str) -> None:
    accounts.set_person(connection, "Dora", role, "correct horse")
    answer = client.post("/sign-in", data={"name": "Dora", "password": "correct horse"})
    assert answer.status_code == 303


@pytest.mark.needs("postgresql")
def test_everybody_sees_all_tables_with_their_games(client: httpx.Client) -> None:
    until(lambda: "Its rules are not installed." in client.get("/").text)
    page = client.get("/").text
    assert "Eternity" in page
    assert "Line 1: " in page
    archive = client.get("/archive").text
    assert "&lt;i&gt;" in archive
    assert "<i>" not in page + archive


@pytest.mark.needs("postgresql")
def test_a_game_that_its_table_has_put_back_says_so(client: httpx.Client, store: LineStore) -> None:
    until(lambda: "Eternity" in client.get("/").text)
    store.store([NewLines("box-1", GAME, 0, log("eternity")[:3], whole=3)])
    until(lambda: "From line 4 on the table has other lines" in client.get("/").text)


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("path", ["/tables/1", "/tables/2", "/tables/3", "/league", "/archive", "/sign-in", "/games/1"])
def test_every_page_can_be_read_and_its_files_are_there(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    for file in re.findall(r'(?:href|src)="(/[\w.-]+\.\w+)"', answer.text):
        assert client.get(file).status_code == 200
    assert len(FILES) == len({file.name for file in FILES})


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("path", ["/events", "/tables/1/events"])
def test_who_asks_only_whether_a_stream_is_there_gets_an_answer_that_ends(client: httpx.Client, path: str) -> None:
    headers = client.head(path).headers
    assert headers["content-type"].startswith("text/event-stream")
    assert headers["x-accel-buffering"] == "no"


@pytest.mark.needs("postgresql")
def test_the_league_ranks_all_finished_games(client: httpx.Client, connection: Connection) -> None:
    players = json.loads(log("eternity")[0])["players"]
    until(lambda: _summaries(connection) == 3)
    page = client.get("/league").text
    assert all(name in page for name in players)
    assert "Finished games: 0" in client.get("/league?since=2999-01-01").text
    assert client.get("/league?since=yesterday").status_code == 400


def _summaries(connection: Connection) -> int:
    with connection.transaction():
        return int(connection.execute("SELECT count(*) FROM summary").fetchall()[0][0])


@pytest.mark.needs("postgresql")
def test_the_league_reads_each_result_once(
    client: httpx.Client, connection: Connection, store: LineStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league, "FRESH", 0.0)
    until(lambda: "Finished games: 1" in client.get("/league").text)
    with connection.transaction():
        connection.execute("UPDATE summary SET result = 'no result' WHERE result IS NOT NULL")
    store.store([NewLines("box-2", "000002-gear-0123abcd", 0, log("gear"))])
    until(lambda: "Finished games: 2" in client.get("/league").text)
    with connection.transaction():
        connection.execute("TRUNCATE summary")
    assert "Finished games: 0" in client.get("/league").text


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("slow", ["/league", "/archive"])
def test_no_other_page_waits_for_league_and_archive(client: httpx.Client, connection: Connection, slow: str) -> None:
    until(lambda: _summaries(connection) == 3)
    connection.execute("LOCK TABLE summary")
    with held(lambda: client.get(slow).status_code, 20) as answers:
        try:
            until(lambda: connection.execute("SELECT 1 FROM pg_locks WHERE NOT granted").fetchone())
            assert client.get("/tables/1", timeout=10).status_code == 200
            assert answers == []
        finally:
            connection.rollback()
    assert answers == [200] * 20


@contextmanager
def held(work: Callable[[], int], times: int) -> Iterator[list[int]]:
    """Do some work in as many threads; yield what it returns, and wait for all at the end."""
    answers: list[int] = []
    threads = [threading.Thread(target=lambda: answers.append(work())) for _time in range(times)]
    for thread in threads:
        thread.start()
    try:
        yield answers
    finally:
        for thread in threads:
            thread.join()


@pytest.mark.needs("postgresql")
def test_the_archive_finds_games_by_words(client: httpx.Client, connection: Connection) -> None:
    until(lambda: _summaries(connection) == 3)
    player = json.loads(log("eternity")[0])["players"][0]
    for words, found in {"": 3, f"ETERNITY {player}": 1, "moon": 1, "%": 0, "nobody at all": 0, "box-3": 1}.items():
        page = client.get("/archive", params={"words": words}).text
        assert page.count('class="what"') == found, words


@pytest.mark.needs("postgresql")
def test_a_log_is_given_as_it_came(client: httpx.Client) -> None:
    assert client.get("/games/1.jsonl").content == random_log("eternity", 1)
    assert client.get("/games/3.jsonl").content == b"\0<b>\n"


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("path", ["/games/99", "/games/99999999999999999999", "/tables/99", "/nowhere"])
def test_what_is_not_there_gets_a_sentence(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "There is no" in answer.text


@pytest.mark.needs("postgresql")
def test_only_who_has_signed_in_calls_the_director_and_only_directors_rename(
    client: httpx.Client, connection: Connection, club: ClubData
) -> None:
    assert client.post("/tables/1/call", data={"calls": "yes"}).status_code == 403
    signed_in(client, connection, "player")
    assert client.post("/tables/1/name", data={"name": "Window"}).status_code == 403
    assert client.post("/tables/1/call", data={"calls": "no"}).status_code == 403
    assert client.post("/tables/1/call", data={"calls": "yes"}).status_code == 303
    until(lambda: any(reason[0] == "call" for reason in club.scorer.tables[0].attention(time.time())))
    signed_in(client, connection, "director")
    assert client.post("/tables/1/name", data={"name": "Window"}).status_code == 303
    assert client.post("/tables/1/call", data={"calls": "no"}).status_code == 303
    until(lambda: {table.name for table in club.scorer.tables} == {"Window", "box-2", "box-3"})
    with connection.transaction():
        changes = connection.execute("SELECT who, what FROM change ORDER BY id").fetchall()
    assert changes == [
        ("Dora", "called the director"),
        ("Dora", "renamed the table box-1 to Window"),
        ("Dora", "has been at the table"),
    ]


@pytest.mark.needs("postgresql")
def test_a_visit_ends_when_somebody_signs_out_and_wrong_passwords_have_to_wait(
    client: httpx.Client, connection: Connection
) -> None:
    signed_in(client, connection, "director")
    assert "Sign out Dora" in client.get("/").text
    client.post("/sign-out", data={"out": "yes"})
    assert "Sign in" in client.get("/").text
    answers = [client.post("/sign-in", data={"name": "Dora", "password": "x"}).status_code for _try in range(7)]
    assert answers == [403] * 6 + [429]


def test_who_signs_in_may_not_guess_the_password_of_another() -> None:
    limit, guessed = accounts.SignInLimit(lambda: 0.0), 0
    for _try in range(100):
        for name in ["Dora"] * 5 + ["Pat"]:
            if limit.may_try(name, "::1"):
                limit.failed(name, "::1")
                guessed += name == "Dora"
                if name == "Pat":
                    limit.worked("Pat", "::1")
    assert guessed == 6


def test_guesses_from_many_addresses_are_counted_by_name_and_many_people_sign_in_from_one() -> None:
    limit = accounts.SignInLimit(lambda: 0.0)
    for number in range(30):
        assert limit.may_try("Dora", f"::{number}")
        limit.failed("Dora", f"::{number}")
    assert not limit.may_try("Dora", "::99")
    for number in range(30):
        assert limit.may_try(f"Pat {number}", "::99")
        limit.failed(f"Pat {number}", "::99")
        limit.worked(f"Pat {number}", "::99")


@pytest.mark.needs("postgresql")
def test_no_page_waits_for_passwords(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts.SignInLimit, "MOST", 100)
    begun, released = threading.Event(), threading.Event()

    def slow(_password: str, _salt: bytes) -> bytes:
        begun.set()
        released.wait(LAST_RESORT)
        return b""

    monkeypatch.setattr(accounts, "_hashed", slow)
    form = {"name": "Dora", "password": "x"}
    with held(lambda: client.post("/sign-in", data=form).status_code, 20) as answers:
        begun.wait(LAST_RESORT)
        try:
            assert client.get("/games/1", timeout=10).status_code == 200
            assert answers == []
        finally:
            released.set()


def test_what_cannot_be_taken_at_once_is_refused() -> None:
    async def two() -> None:
        thread, released = WorkThread(1), threading.Event()
        first = asyncio.create_task(thread.do(released.wait))
        await asyncio.sleep(0)
        with pytest.raises(RequestError, match="Too much is asked at once"):
            await thread.do(released.wait)
        released.set()
        assert await first
        assert await thread.do(lambda: 7) == 7

    asyncio.run(two())


@pytest.mark.needs("postgresql")
def test_a_change_is_stored_once_though_the_connection_is_lost(database: str, connection: Connection) -> None:
    pages = PageDatabase(database, 10)

    def work(own: Connection) -> None:
        with own.transaction():
            accounts.log_change(own, "Dora", "renamed a table")
        own.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    with pytest.raises(psycopg.OperationalError):
        asyncio.run(pages.ask(work))
    assert asyncio.run(pages.ask(accounts.people)) == []
    with connection.transaction():
        assert connection.execute("SELECT count(*) FROM change").fetchone() == (1,)
        ends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> %s"
        connection.execute(ends, [connection.info.backend_pid])
    assert asyncio.run(pages.ask(accounts.people)) == []
    pages.close()


@pytest.mark.needs("postgresql")
def test_forms_of_another_site_are_refused(client: httpx.Client) -> None:
    for headers in (
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://elsewhere"},
        {"Origin": "null"},  # a page at another port of the same host, with another referrer policy
        {"Origin": "http://testserver:81"},
    ):
        assert "Another page may not do this." in client.post("/sign-in", data={"name": "a"}, headers=headers).text
    here = client.post("/sign-in", data={"name": "a"}, headers={"Origin": f"http://{client.base_url.netloc.decode()}"})
    assert "Name or password is wrong." in here.text


@pytest.mark.needs("postgresql")
def test_what_is_no_text_gets_a_sentence(client: httpx.Client) -> None:
    for answer in (client.get("/archive?words=%00"), client.post("/sign-in", data={"name": "\0", "password": "x"})):
        assert (answer.status_code, "What was sent is no text." in answer.text) == (400, True)


@pytest.mark.needs("postgresql")
def test_without_the_database_a_page_says_so(connection: Connection, tmp_path: Path) -> None:
    club = ClubData("postgresql://nobody@127.0.0.1:1/nothing", NOWHERE, "tabletop", lambda _sentence: None)
    with serving(club) as client:
        assert client.get("/").status_code == 200
        answer = client.get("/archive")
        assert (answer.status_code, "does not answer" in answer.text) == (503, True)


# What is told while somebody looks


def table(number: int, **more: object) -> TableRow:
    note = BoxStatus(number, f"Table {number}", True, 0.0, None)
    return TableRow(f"box-{number}", note, id=number, **more)  # type: ignore[arg-type]


def parts(update: bytes) -> dict[str, str]:
    found: dict[str, str] = json.loads(update.partition(b"data: ")[2])["parts"]
    return found


async def first_update(feed: LiveFeed, seen: int) -> dict[str, str]:
    events = feed.events(seen)
    async for update in events:
        if b"parts" in update:
            await events.aclose()  # type: ignore[attr-defined]
            return parts(update)
    raise AssertionError


def test_a_browser_gets_the_rows_that_changed_since_its_page() -> None:
    tables = [table(1, last_at=100.0), table(2, last_at=100.0)]
    feed = LiveFeed(lambda: tuple(tables))
    assert feed.update(100.0)
    assert not feed.update(101.0)
    seen = feed.number
    tables[1] = table(2, last_at=102.0, round=2)
    assert feed.update(102.0)
    assert [*asyncio.run(first_update(feed, seen))] == ["t2"]


def test_a_browser_that_missed_too_much_gets_everything() -> None:
    tables = [table(1)]
    feed = LiveFeed(lambda: tuple(tables))
    for number in range(KEPT + 2):
        tables[0] = table(1, last_at=1.0 + number)
        feed.update(1.0)
    assert feed.number > 1_700_000_000  # so that numbers of before a restart are smaller
    for seen in (-1, 1, feed.number - 3600, feed.number + 1):  # 3600: before a restart of the hub
        assert [*asyncio.run(first_update(feed, seen))] == ["tables", "attention"]


def test_each_browser_gets_a_change_at_once_after_a_second_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_feed, "INTERVAL", LAST_RESORT)  # the second of this test never ends
    tables = [table(1, last_at=time.time()), table(2, last_at=time.time())]
    feed = LiveFeed(lambda: tuple(tables))
    feed.update(time.time())

    def change(place: int) -> None:
        tables[place] = table(place + 1, last_at=time.time(), round=2)
        feed.wake()

    async def two_browsers() -> None:
        running = asyncio.create_task(feed.run())
        first, other = feed.events(feed.number), feed.events(feed.number)
        for browser in (first, other):
            assert await anext(browser) == FIRST
        waiting = asyncio.create_task(_next(first))
        await asyncio.sleep(0)
        change(0)
        assert [*parts(await waiting)] == ["t1"]
        waiting = asyncio.create_task(_next(first))
        before = feed.number
        change(1)
        while feed.number == before:
            await asyncio.sleep(0.01)
        assert re.findall('"t[12]"', (await anext(other)).decode()) == ['"t1"', '"t2"']
        assert not waiting.done()
        waiting.cancel()
        running.cancel()

    asyncio.run(asyncio.wait_for(two_browsers(), LAST_RESORT / 2))


async def _next(events: AsyncIterator[bytes]) -> bytes:
    return await anext(events)


def test_a_table_without_an_entry_for_long_needs_attention() -> None:
    feed = LiveFeed(lambda: (table(1, last_at=100.0),))
    feed.update(100.0)
    assert "No entry" not in feed.page()
    assert feed.update(101.0 + SILENT)
    assert "No entry" in feed.page()
