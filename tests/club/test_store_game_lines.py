"""Every line is stored once, however often and in whichever order it comes, from however many consumers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import takewhile
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.bridge.records import Acknowledgement, NewLines
from companion.club.database import Connection, connect
from companion.club.store_game_lines import (
    CHANGED,
    DEVICES,
    LONGEST_REFUSED,
    MOST_REFUSED,
    LineStore,
)

pytestmark = pytest.mark.needs("postgresql")

GAME = "000001-gear-0123abcd"


def lines(first: int, count: int, game: str = GAME, device: str = "box") -> NewLines:
    return NewLines(device, game, first, [f"line {number}".encode() for number in range(first, first + count)])


def stored(connection: Connection, game: str = GAME, device: str = "box") -> list[tuple[int, bytes]]:
    asked = "SELECT number, content FROM line JOIN game ON game.id = line.game WHERE name = %s AND device = %s"
    with connection.transaction():
        return connection.execute(f"{asked} ORDER BY 1".encode(), [game, device]).fetchall()


def whole(count: int) -> list[tuple[int, bytes]]:
    return [(number, f"line {number}".encode()) for number in range(count)]


@pytest.fixture
def store(connection: Connection) -> LineStore:
    return LineStore(connection)


def test_lines_are_stored_and_counted(store: LineStore, connection: Connection) -> None:
    assert store.store([lines(0, 3), lines(3, 2)]) == [("box", Acknowledgement(GAME, 5))]
    assert stored(connection) == whole(5)


def test_lines_that_come_twice_are_stored_once(store: LineStore, connection: Connection) -> None:
    store.store([lines(0, 3), lines(0, 3)])
    assert store.store([lines(1, 4)]) == [("box", Acknowledgement(GAME, 5))]
    assert stored(connection) == whole(5)


def test_lines_beyond_a_gap_are_kept_but_not_acknowledged(store: LineStore, connection: Connection) -> None:
    assert store.store([lines(0, 2), lines(5, 2)]) == [("box", Acknowledgement(GAME, 2))]
    assert store.store([lines(3, 1)]) == [("box", Acknowledgement(GAME, 2))]
    assert store.store([lines(2, 3)]) == [("box", Acknowledgement(GAME, 7))]
    assert stored(connection) == whole(7)


def test_games_of_the_same_name_on_two_boxes_are_two_games(store: LineStore, connection: Connection) -> None:
    answers = store.store([lines(0, 2), lines(0, 3, device="other")])
    assert answers == [("box", Acknowledgement(GAME, 2)), ("other", Acknowledgement(GAME, 3))]
    assert len(stored(connection, device="other")) == 3


def test_a_line_that_comes_again_with_another_content_is_noted_and_not_stored(
    store: LineStore, connection: Connection
) -> None:
    store.store([lines(0, 4)])
    store.store([NewLines("box", GAME, 2, [b"line 2", b"another"])])
    assert stored(connection) == whole(4)
    assert connection.execute("SELECT differs FROM game").fetchall() == [(3,)]


@pytest.mark.parametrize(("left", "differs"), [(2, 2), (4, None)])
def test_a_game_that_was_put_back_to_fewer_lines_is_noted(
    store: LineStore, connection: Connection, left: int, differs: int | None
) -> None:
    store.store([lines(0, 4)])
    again = NewLines("box", GAME, 0, lines(0, left).lines, whole=left)
    assert store.store([again]) == [("box", Acknowledgement(GAME, 4))]
    assert connection.execute("SELECT differs FROM game").fetchall() == [(differs,)]


def test_a_line_is_kept_as_it_came_whatever_it_holds(store: LineStore, connection: Connection) -> None:
    strange = [b"\0", b"", b"\\x00\t\n", "\N{SNOWMAN}".encode(), b"x" * 60_000]
    store.store([NewLines("box", GAME, 0, strange)])
    assert [content for _number, content in stored(connection)] == strange


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    parts=st.lists(st.tuples(st.integers(0, 12), st.integers(1, 6)), min_size=1, max_size=8), split=st.integers(0, 8)
)
def test_any_order_of_messages_and_batches_stores_the_same(
    store: LineStore, connection: Connection, parts: list[tuple[int, int]], split: int
) -> None:
    with connection.transaction():
        connection.execute("TRUNCATE line, game, summary CASCADE")
    for batch in filter(None, (parts[:split], parts[split:])):
        ((_box, answer),) = store.store([lines(first, count) for first, count in batch])
        there = {number for number, _content in stored(connection)}
        assert answer.lines == next(number for number in range(100) if number not in there)
    sent = {number for first, count in parts for number in range(first, first + count)}
    assert stored(connection) == [(number, f"line {number}".encode()) for number in sorted(sent)]


def test_several_consumers_store_the_same_games_at_once(database: str, connection: Connection) -> None:
    games = [f"00000{number}-gear-0123abcd" for number in range(5)]
    messages = [lines(first, 10, game) for game in games for first in range(0, 200, 5)]

    def work(seed: int) -> None:
        mixed = messages.copy()
        Random(seed).shuffle(mixed)
        with connect(database) as own:
            store = LineStore(own)
            for start in range(0, len(mixed), 20):
                store.store(mixed[start : start + 20])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    for game in games:
        assert stored(connection, game) == whole(205)
    assert connection.execute("SELECT lines, most, differs FROM game").fetchall() == [(205, 205, None)] * 5


def test_what_is_kept_of_refused_messages_is_bounded_for_each_box(store: LineStore, connection: Connection) -> None:
    store.refuse("box-2", b"x", "why")
    for number in range(MOST_REFUSED + 5):
        store.refuse("box-1", b"%d" % number + bytes(LONGEST_REFUSED), "why")
    asked = "SELECT device, count(*), max(length(content)) FROM refused GROUP BY device ORDER BY device"
    assert connection.execute(asked).fetchall() == [("box-1", MOST_REFUSED, LONGEST_REFUSED), ("box-2", 1, 1)]


def test_a_refused_message_is_kept_once(store: LineStore, connection: Connection) -> None:
    for _time in range(3):
        store.refuse("box", b"{", "The message cannot be read.")
    assert connection.execute("SELECT content, why, times FROM refused").fetchall() == [
        (b"{", "The message cannot be read.", 3)
    ]


def test_a_call_that_a_late_consumer_brings_is_no_new_one(store: LineStore, connection: Connection) -> None:
    def called() -> tuple[bool, int]:
        with connection.transaction():
            found = connection.execute("SELECT called_at IS NOT NULL, abs(call) FROM device").fetchall()
        return found[0]

    day = 86400
    for call, wanted in (
        (9 * day, (True, 9 * day)),
        (-9 * day, (False, 9 * day)),
        (9 * day + 1, (True, 9 * day + 1)),
        (9 * day, (True, 9 * day + 1)),
        (-9 * day - 1, (False, 9 * day + 1)),
        (9 * day, (False, 9 * day + 1)),  # late
        (2 * day, (True, 2 * day)),  # the clock of a new memory card
    ):
        store.note_call("box", call)
        assert called() == wanted


def test_boxes_that_come_and_go_are_noted_together_and_told_once(database: str, connection: Connection) -> None:
    store = LineStore(connection)
    with connect(database) as listening:
        listening.autocommit = True
        listening.execute(f"LISTEN {CHANGED}".encode())
        for noted in ({"box-2": False, "box-1": True, "box-3": True}, {"box-3": True}, {"box-3": False, "box-1": True}):
            store.note_online(noted)
        connection.execute(f"NOTIFY {CHANGED}, 'end'".encode())
        connection.commit()
        told = list(takewhile("end".__ne__, (notice.payload for notice in listening.notifies())))
    assert told == [DEVICES, DEVICES]  # the second time nothing had changed
    rows = connection.execute("SELECT device, online FROM device ORDER BY device").fetchall()
    assert rows == [("box-1", True), ("box-2", False), ("box-3", False)]
