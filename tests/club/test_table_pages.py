"""The pages of tables with boxes: what everybody sees, what directors do, and what is told while somebody looks."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psycopg
import pytest

from companion.bridge.records import NewLines
from companion.club.database import Connection, PageDatabase
from companion.club.game_score import SILENT, BoxStatus, TableRow
from companion.club.live import LiveParts
from companion.club.page_context import Club
from companion.club.store_game_lines import LineStore
from companion.club.table_pages import TablePages
from companion.web.error_answers import RequestError
from tests.cli.finished_games import random_log
from tests.club.running import ELSEWHERE, club_in, serving
from tests.waiting import until

GAME = "000001-eternity-0123abcd"
BEGUN = {"name": "Friday club", "table": "4", "smallest": "3", "largest": "5"}


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
def club(database: str, tmp_path: Path) -> Club:
    return club_in(tmp_path, database)


@pytest.fixture
def client(store: LineStore, club: Club) -> Iterator[httpx.Client]:
    with serving(club) as client:
        until(lambda: club.hub is not None and len(club.hub.scorer.tables) == 3)
        yield client


@pytest.mark.needs("postgresql")
def test_everybody_sees_all_tables_with_their_games(client: httpx.Client) -> None:
    until(lambda: "Its rules are not installed." in client.get("/tables").text)
    page = client.get("/tables").text
    assert "Eternity" in page
    assert "Line 1: " in page
    until(lambda: client.get("/games").text.count('class="what"') == 3)
    games = client.get("/games").text
    assert "&lt;i&gt;" in games
    assert "<i>" not in page + games
    assert client.get("/games?before=1").text.count('class="what"') == 0


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize(
    ("language", "heads"), [("fr", ("Dernière saisie", "jamais en ligne")), ("ja", ("手番", "未接続"))]
)
def test_the_pages_of_tables_speak_the_language_of_their_reader(
    client: httpx.Client, language: str, heads: tuple[str, ...]
) -> None:
    def page(path: str) -> str:
        return client.get(path, headers={"Accept-Language": f"{language}, en;q=0.5"}).text

    until(lambda: "Its rules are not installed." in client.get("/tables").text)
    tables = page("/tables")
    number = re.findall('href="/tables/([0-9]+)"', tables)[0]
    assert all(head in tables for head in heads)
    pages = tables + page(f"/tables/{number}") + page("/games") + page("/games/1/correct")
    for english in ("Turn</th>", "Entries", "not installed", "Correct ", "finished", "Needs", "All entries"):
        assert english not in pages


@pytest.mark.needs("postgresql")
def test_a_game_with_a_monstrous_beginning_fills_no_page(client: httpx.Client, store: LineStore) -> None:
    many = {"game": "moon", "players": ["p" * 1000] * 60}
    store.store([NewLines("box-2", "000002-moon-0123abcd", 0, [json.dumps(many).encode()])])
    store.store([NewLines("box-3", "000002-moon-0123abcd", 0, [json.dumps({"game": "m" * 60_000}).encode()])])
    until(lambda: client.get("/games").text.count('class="what"') == 5)
    assert max(len(client.get(path).text) for path in ("/games", "/tables")) < 40_000


@pytest.mark.needs("postgresql")
def test_a_game_that_its_table_has_put_back_says_so(client: httpx.Client, store: LineStore) -> None:
    until(lambda: "Eternity" in client.get("/tables").text)
    store.store([NewLines("box-1", GAME, 0, log("eternity")[:3], whole=3)])
    until(lambda: "From line 4 on the table has other lines" in client.get("/tables").text)


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("path", ["/tables", "/tables/1", "/tables/2", "/tables/3", "/games", "/games/1"])
def test_every_page_can_be_read_and_its_files_are_there(client: httpx.Client, path: str) -> None:
    answer = client.get(path, headers=ELSEWHERE)
    assert answer.status_code == 200
    assert 'href="/sign-in"' in answer.text
    for file in re.findall(r'(?:href|src)="(/[\w.-]+\.\w+)"', answer.text):
        assert client.get(file).status_code == 200


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("path", ["/tables/events", "/tables/1/events"])
def test_who_asks_only_whether_a_stream_is_there_gets_an_answer_that_ends(client: httpx.Client, path: str) -> None:
    headers = client.head(path).headers
    assert headers["content-type"].startswith("text/event-stream")
    assert headers["x-accel-buffering"] == "no"


@pytest.mark.needs("postgresql")
def test_a_log_is_given_as_it_came(client: httpx.Client) -> None:
    assert client.get("/games/1.jsonl").content == random_log("eternity", 1)
    assert client.get("/games/3.jsonl").content == b"\0<b>\n"


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("number", ["99", "9" * 20, "9" * 4500, "x", "٣"])
def test_what_is_not_there_gets_a_sentence(client: httpx.Client, number: str) -> None:
    for path in (f"/games/{number}", f"/games/{number}.jsonl", f"/tables/{number}"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "There is no" in answer.text


@pytest.mark.needs("postgresql")
def test_only_directors_tick_a_call_off(client: httpx.Client, store: LineStore, club: Club) -> None:
    store.note_call("box-1", 7)
    until(lambda: 'data-calls="1"' in client.get("/tables").text)
    (number,) = re.findall(r'href="/tables/([0-9]+)">box-1</a>\s*<span class="why call"', client.get("/tables").text)
    assert client.post(f"/tables/{number}/call", data={"calls": "no"}, headers=ELSEWHERE).status_code == 403
    assert club.calls == 1
    assert client.post(f"/tables/{number}/call", data={"calls": "no"}).status_code == 303
    until(lambda: club.calls == 0)


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
def test_no_visitor_takes_the_evening_from_the_director(
    client: httpx.Client, connection: Connection, club: Club
) -> None:
    client.post("/evening/new", data=BEGUN)
    state = club.evenings.state()
    assert state is not None
    own = {"evening": state.id, "round": "0"}
    client.post("/evening/players", data=own | {"list": "Aki\nBea\nCyr"})
    client.post("/evening/round", data=own | {"minutes": "0"})
    connection.execute("LOCK TABLE device")  # the list of all games waits for it
    with held(lambda: client.get("/games", headers=ELSEWHERE).status_code, 55) as answers:
        try:
            until(lambda: answers.count(503) >= 5)  # too many wait by then
            page = client.get("/evening", timeout=10)
            assert (page.status_code, "Tables that still play" in page.text) == (200, True)
        finally:
            connection.rollback()
    assert answers.count(200) >= 45


def test_what_cannot_be_taken_at_once_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def two() -> None:
        database, released = PageDatabase("", 1), threading.Event()
        monkeypatch.setattr(database, "_open", lambda: None)
        first = asyncio.create_task(database.ask(lambda _connection: released.wait()))
        await asyncio.sleep(0)
        with pytest.raises(RequestError, match="Too much is asked at once"):
            await database.ask(lambda _connection: 7)
        released.set()
        assert await first
        assert await database.ask(lambda _connection: 7) == 7

    asyncio.run(two())


@pytest.mark.needs("postgresql")
def test_a_change_is_stored_once_though_the_connection_is_lost(database: str, connection: Connection) -> None:
    pages = PageDatabase(database, 10)

    def work(own: Connection) -> None:
        with own.transaction():
            own.execute("INSERT INTO device (device) VALUES ('box')")
        own.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    def count(own: Connection) -> object:
        return own.execute("SELECT count(*) FROM device").fetchone()

    with pytest.raises(psycopg.OperationalError):
        asyncio.run(pages.ask(work))
    assert asyncio.run(pages.ask(count)) == (1,)
    with connection.transaction():
        ends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> %s"
        connection.execute(ends, [connection.info.backend_pid])
    assert asyncio.run(pages.ask(count)) == (1,)
    pages.close()


def test_without_the_database_the_evening_goes_on_and_other_pages_say_so(tmp_path: Path) -> None:
    club = club_in(tmp_path, "postgresql://nobody@127.0.0.1:1/nothing")
    with serving(club) as client:
        assert client.get("/tables").status_code == 200
        answer = client.get("/games")
        assert (answer.status_code, "does not answer" in answer.text) == (503, True)
        assert client.post("/evening/new", data=BEGUN).status_code == 303
        assert "Friday club" in client.get("/evening").text


# What is told while somebody looks


class Scorer:
    """Has the tables that a test gives it."""

    def __init__(self, *tables: TableRow) -> None:
        self.tables = tables


@pytest.fixture
def pages(tmp_path: Path) -> TablePages:
    club = club_in(tmp_path)
    club.hub = type("Hub", (), {"scorer": Scorer()})()
    return TablePages(club)


def show(pages: TablePages, now: float, *tables: TableRow) -> LiveParts:
    """Let a change of the tables be noticed; return the overview."""
    pages._hub.scorer.tables = tables
    pages._club.notices.number += 1
    return pages.overview(now)


def table(number: int, **more: object) -> TableRow:
    note = BoxStatus(number, f"Table {number}", True, 0.0, None)
    return TableRow(f"box-{number}", note, id=number, **more)  # type: ignore[arg-type]


def test_a_browser_gets_the_rows_that_changed(pages: TablePages) -> None:
    one, two = table(1, last_at=100.0), table(2, last_at=100.0)
    first = show(pages, 100.0, one, two)
    assert [*first.since(None)] == ["attention", "tables"]
    assert show(pages, 101.0, one, two).since(first) == {}
    second = show(pages, 102.0, one, table(2, last_at=102.0, round=2))
    assert [*second.since(first)] == ["t2"]
    assert [*show(pages, 103.0, one).since(second)] == ["tables"]  # a table is gone


def test_a_table_without_an_entry_for_long_needs_attention_though_nothing_is_noticed(pages: TablePages) -> None:
    assert "No entry" not in show(pages, 100.0, table(1, last_at=100.0)).list
    assert "No entry" in pages.overview(101.0 + SILENT).list
