"""State and score of every game follow from its lines; wrong lines are said in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from companion.bridge.records import NewLines
from companion.club import game_summaries, page_markup
from companion.club.database import Connection
from companion.club.game_score import NO_RULES, ScoredGame, as_values, scored
from companion.club.game_summaries import GameSummaries
from companion.club.store_game_lines import LineStore
from companion.core.games import GameFaultError
from companion.gamelog import read
from companion.games import GAMES
from companion.history.results import EarlierPlayer, GameResult
from tests.cli.finished_games import random_log
from tests.waiting import until

NAME = "000001-{}-0123abcd"
TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"


DEEP = b'{"x":' + b"[" * 5000


def log(game: str, seed: int = 1) -> list[bytes]:
    return random_log(game, seed).splitlines()


@contextmanager
def running(database: str, changed: Callable[[GameSummaries], None] = lambda _one: None) -> Iterator[GameSummaries]:
    one = GameSummaries(database, lambda: changed(one), lambda _sentence: None)
    one.start()
    try:
        yield one
    finally:
        one.stop()


@pytest.mark.parametrize("game", GAMES)
def test_the_score_is_that_of_the_box(game: str) -> None:
    whole = read(random_log(game, 1))
    found = scored(log(game))
    assert (found.totals, found.over, found.fault) == (whole.progress.totals, True, None)


def test_a_game_that_the_table_ended_early_is_over_with_who_sits_there_now() -> None:
    lines = (TRANSCRIPTS / "eternity/finish-in-a-trick.jsonl").read_bytes().splitlines()
    lines.insert(2, b'{"type":"substitute","player":2,"name":"Eva"}')
    game = scored(lines)
    assert (game.over, game.players, game.totals) == (True, ("Aki", "Bea", "Eva", "Dai"), (6, 2, 6, 4))
    result = msgspec.json.decode(as_values(game, "box/game", 1, (1.0, 2.0))["result"], type=GameResult)
    assert (result.ended_early, result.winners, result.players[2]) == (True, (2,), "Eva")
    assert result.earlier == (EarlierPlayer(2, "Cyr", 1, 1, result.earlier[0].counts),)
    shown = page_markup.shown_game(game)
    assert shown.table is not None
    assert shown.table.scores is not None
    assert shown.table.scores.title == "Eva ahead, ended early"


@pytest.mark.parametrize(
    "line", [b"", b"\0", b"\xff", b"[]", b'{"type":"undo"', b'{"type":"play","player":99}', b"[" * 5000]
)
def test_a_wrong_line_is_told_and_what_was_before_stands(line: bytes) -> None:
    found = scored([*log("eternity")[:9], line, *log("eternity")[9:]])
    assert str(found.fault).startswith("line 10: ")
    assert found.totals == scored(log("eternity")[:9]).totals
    assert found.read == len(log("eternity")) + 1


@pytest.mark.parametrize(
    "header", [b"", b"\0", b"[]", b'{"format":1,"game":"gear","players":["A"]}', b'{"game":7}', b'{"x":' + b"[" * 5000]
)
def test_a_wrong_header_is_told(header: bytes) -> None:
    found = scored([header, *log("gear")[1:]])
    assert str(found.fault).startswith("line 1: ")
    assert found.progress is None


def test_a_fault_of_the_program_is_told_of_the_game_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ScoredGame, "_take", lambda _self, _line: 1 // 0)
    assert str(scored(log("gear")).fault) == "line 1: it cannot be computed (ZeroDivisionError)"


def test_a_game_without_rules_is_listed() -> None:
    found = scored([b'{"format":1,"game":"moon-chess","players":["Ann","Bo"],"rules":{}}', b'{"type":"move"}'])
    assert (str(found.title), found.players, found.fault) == ("moon-chess", ("Ann", "Bo"), NO_RULES)


def test_a_game_that_fails_is_told_on_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_given: object) -> None:
        raise GameFaultError("Eternity", "it fails")

    found = scored(log("eternity")[:9])
    monkeypatch.setattr(page_markup, "open_game", fails)
    assert "Eternity cannot be shown: it fails" in page_markup.game_part(found, None, "en")


@pytest.mark.needs("postgresql")
def test_tables_show_their_latest_game_as_it_is_played(database: str, connection: Connection) -> None:
    store = LineStore(connection)
    store.store([NewLines("box-2", NAME.format("gear"), 0, log("gear")[:4])])
    with running(database) as one:
        until(lambda: [str(row.game) for row in one.tables] == ["Gear"])
        store.store([NewLines("box-1", NAME.format("eternity"), 0, log("eternity"))])
        store.note_name("box-1", "Corner")
        until(lambda: [row.name for row in one.tables] == ["box-2", "Corner"] and one.tables[1].over)
        store.store([NewLines("box-1", "000002-hipparchus-0123abcd", 0, log("hipparchus")[:2])])
        until(lambda: str(one.tables[1].game).startswith("Hipparchus"))
        store.note_online({"box-1": False})
        until(lambda: [reason[0] for reason in one.tables[1].attention(one.tables[1].last_at)] == ["lost"])


@pytest.mark.needs("postgresql")
def test_a_box_that_was_removed_has_no_row_though_its_games_are_kept_and_continue(
    database: str, connection: Connection
) -> None:
    asked = "SELECT summary.lines FROM summary JOIN game ON game.id = game WHERE device = 'gone'"

    def kept() -> list[tuple[int]]:
        with connection.transaction():
            return connection.execute(asked).fetchall()

    store = LineStore(connection)
    store.store([NewLines("gone", NAME.format("gear"), 0, log("gear")[:4])])
    with connection.transaction():
        connection.execute("UPDATE device SET removed = true")
    with running(database) as one:
        until(lambda: kept() == [(4,)])
        store.store([NewLines("gone", NAME.format("gear"), 4, log("gear")[4:6])])
        store.store([NewLines("here", NAME.format("gear"), 0, log("gear")[:4])])
        until(lambda: [row.device for row in one.tables] == ["here"])
        until(lambda: kept() == [(6,)])


@pytest.mark.needs("postgresql")
def test_new_entries_are_computed_before_the_games_of_the_archive(
    database: str, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_summaries, "AT_ONCE", 1)
    store, computed, compute = LineStore(connection), list[int](), GameSummaries._compute
    store.store([NewLines("box", f"{number:06}-moon-0123abcd", 0, [b"{}"]) for number in range(1, 21)])

    def then(self: GameSummaries, own: Connection, ids: Sequence[int]) -> list[int]:
        computed.extend(ids)
        if len(computed) == 3:  # while most of the archive waits
            store.store([NewLines("box-2", NAME.format("gear"), 0, log("gear")[:4])])
        return compute(self, own, ids)

    monkeypatch.setattr(GameSummaries, "_compute", then)
    with running(database):
        until(lambda: len(computed) == 21)
    new = connection.execute("SELECT id FROM game WHERE device = 'box-2'").fetchall()[0][0]
    assert computed.index(new) < 10


@pytest.mark.needs("postgresql")
def test_a_game_with_few_new_lines_does_not_wait_for_long_ones(
    database: str, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_summaries, "LINES_AT_ONCE", 10)
    games = [NewLines(f"away-{number}", NAME.format("gear"), 0, log("gear")) for number in range(3)]
    LineStore(connection).store([*games, NewLines("here", NAME.format("gear"), 0, log("gear")[:4])])
    shown: list[set[str]] = []
    with running(database, lambda one: shown.append({row.device for row in one.tables if row.id})):
        until(lambda: shown and len(shown[-1]) == 4)
    assert [len(devices) for devices in shown] == [1, 2, 3, 4]
    assert shown[0] == {"here"}


@pytest.mark.needs("postgresql")
def test_after_an_update_the_latest_games_of_the_boxes_come_first(
    database: str, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_summaries, "LINES_AT_ONCE", 10)
    monkeypatch.setattr(game_summaries, "AT_ONCE", 2)
    store, computed, show = LineStore(connection), list[int](), GameSummaries._kept
    for number in range(6):  # of each of two boxes
        both = [NewLines(f"box-{box}", f"{number:06}-moon-0123abcd", 0, log("gear")) for box in range(2)]
        store.store(both)
    latest = {row[0] for row in connection.execute("SELECT max(id) FROM game GROUP BY device")}

    def then(self: GameSummaries, id: int, lines: int) -> ScoredGame:
        computed.append(id)
        return show(self, id, lines)

    monkeypatch.setattr(GameSummaries, "_kept", then)
    with running(database):
        until(lambda: len(computed) == 12)
    assert set(computed[:2]) == latest


@pytest.mark.needs("postgresql")
def test_a_game_that_waits_is_not_taken_for_an_empty_one(
    database: str, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_summaries, "LINES_AT_ONCE", 10)
    games = [NewLines(f"box-{number}", NAME.format("gear"), 0, log("gear")) for number in range(3)]
    LineStore(connection).store(games)
    empty: list[int] = []

    def look(one: GameSummaries) -> None:
        empty.extend(id for id in (1, 2, 3) if (game := one.game(id)) is not None and not game.read)

    with running(database, look) as one:
        until(lambda: sum(bool(row.id) for row in one.tables) == 3)
    assert not empty


@pytest.mark.needs("postgresql")
def test_summaries_are_kept_and_computed_anew_where_they_are_missing(database: str, connection: Connection) -> None:
    LineStore(connection).store([NewLines("box", NAME.format("eternity"), 0, log("eternity"))])
    for _time in range(2):
        with running(database):
            until(lambda: _results(connection))
        (result,) = _results(connection)
        assert result.scores == read(random_log("eternity", 1)).progress.totals
        with connection.transaction():
            connection.execute("TRUNCATE summary")


def _results(connection: Connection) -> list[GameResult]:
    with connection.transaction():
        rows = connection.execute("SELECT result FROM summary WHERE over").fetchall()
    return [msgspec.json.decode(result, type=GameResult) for (result,) in rows]
