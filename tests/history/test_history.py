"""The history of a journal: always up to date, whatever happens to its index."""

from __future__ import annotations

import json
import logging
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs, to_builtins

from companion.core.text import Text
from companion.history import history as module
from companion.history.evenings import evenings
from companion.history.history import FILE, History, Index, StoredResult
from companion.history.plays import ImportedGame, log_id
from companion.history.renamed_and_hidden import People
from companion.history.results import GameResult, result_of
from companion.history.statistics import rated
from companion.journal import Journal, JournalError
from tests.example_counts import examples
from tests.history.journals import FIRST, Memory, filled, names, whole_game
from tests.raised_errors import expected

GAMES = 12


def plainly(journal: Memory) -> list[GameResult]:
    return History(journal, None).results()


def update(journal: Memory, folder: Path) -> int:
    """Bring the index up to date step by step; return the number of steps."""
    return len([*History(journal, folder, writes=True).each()])


def right(journal: Memory, folder: Path, *, writes: bool) -> None:
    """Check that questions are answered as without an index."""
    history = History(journal, folder, writes=writes)
    assert history.results() == plainly(journal)


def reads(journal: Memory, folder: Path) -> list[str]:
    journal.reads = []
    History(journal, folder).results()
    return journal.reads


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Memory, bytes]:
    """Return a journal and its up-to-date index."""
    journal, folder = filled(GAMES), tmp_path_factory.mktemp("whole")
    update(journal, folder)
    return journal, (folder / FILE).read_bytes()


# Up to date


def test_results_are_of_finished_games_oldest_first(tmp_path: Path) -> None:
    journal = filled(5)
    journal.relist(journal.games()[0].name, over=False)
    results = History(journal, tmp_path).results()
    assert [each.number for each in results] == [1, 2, 3, 4]
    assert results[0].begun == FIRST + 3600
    assert not (tmp_path / FILE).exists()


def test_games_are_in_the_order_of_their_times_and_without_a_clock_of_their_numbers(tmp_path: Path) -> None:
    journal = Memory()
    for begun in (FIRST + 500, 0.0, FIRST, 100.0, FIRST + 200):
        journal.add(1, begun=begun)
    results = History(journal, tmp_path).results()
    assert [each.number for each in results] == [3, 4, 5, 1, 2]
    unset = results[1]
    assert (unset.begun, unset.ended) == (0, 0)
    assert unset.seconds == 30 * unset.entries


def test_a_second_question_reads_no_game(tmp_path: Path) -> None:
    journal = filled(GAMES)
    right(journal, tmp_path, writes=True)
    assert reads(journal, tmp_path) == []


def test_many_results_are_stored_a_batch_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BATCH", 5)
    journal, stored = filled(GAMES), list[int]()
    history = History(journal, tmp_path, writes=True)
    for _result in history.each():
        stored.append(len(Index(tmp_path, writes=False).results()))
    assert sorted(set(stored)) == [0, 5, 10]
    right(journal, tmp_path, writes=True)


def test_idle_steps_bring_everything_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BATCH", 5)
    journal = filled(13)
    assert update(journal, tmp_path) == len(journal.listed)
    assert reads(journal, tmp_path) == []
    before = (tmp_path / FILE).read_bytes()
    update(journal, tmp_path)
    right(journal, tmp_path, writes=True)
    assert (tmp_path / FILE).read_bytes() == before


def test_nothing_is_left_to_do_once_the_index_is_current(tmp_path: Path) -> None:
    update(filled(0), tmp_path)
    assert not (tmp_path / FILE).exists()
    journal = filled(3)
    update(journal, tmp_path)
    before = (tmp_path / FILE).stat().st_mtime_ns
    update(journal, tmp_path)
    assert (tmp_path / FILE).stat().st_mtime_ns == before
    assert reads(journal, tmp_path) == []


def test_a_reader_and_a_journal_in_memory_store_nothing(tmp_path: Path) -> None:
    journal = filled(3)
    right(journal, tmp_path, writes=False)
    assert list(tmp_path.iterdir()) == []


def test_an_old_game_that_is_corrected_changes_what_follows(tmp_path: Path) -> None:
    journal = filled(GAMES)
    update(journal, tmp_path)
    before = plainly(journal)
    journal.change(before[2].name, 5)
    assert plainly(journal)[2] != before[2]
    right(journal, tmp_path, writes=False)
    assert reads(journal, tmp_path) == [before[2].name]
    update(journal, tmp_path)
    assert reads(journal, tmp_path) == []


def test_a_game_that_is_gone_or_taken_up_again_does_not_count(tmp_path: Path) -> None:
    journal = filled(GAMES)
    update(journal, tmp_path)
    first, second, *_others = journal.listed
    journal.listed.pop(first)
    journal.relist(second, over=False)
    right(journal, tmp_path, writes=False)
    update(journal, tmp_path)


def test_a_single_result_and_its_log(tmp_path: Path) -> None:
    journal = filled(3)
    history = History(journal, tmp_path, writes=True)
    (first, *_others) = results = history.results()
    journal.reads = []
    assert history.results_of([first.name]).get(first.name) == first
    assert journal.reads == []
    assert History(journal, None).results_of([first.name]).get(first.name) == first
    journal.change(first.name, 5)
    changed = history.results_of([first.name]).get(first.name)
    assert changed not in (None, first)
    assert history.session(results[1].name).header.players == results[1].players
    journal.relist(first.name, over=False)
    assert history.results_of([first.name]).get(first.name) is None
    assert history.results_of(["no game"]).get("no game") is None


# Games that cannot be read


def test_a_game_with_an_invalid_log_is_left_out_and_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    journal = filled(3)
    bad = journal.games()[1].name
    journal.logs[bad][0] = '{"type":"nonsense"}'
    with caplog.at_level(logging.WARNING):
        assert bad not in names(History(journal, tmp_path, writes=True).results())
    assert f"{bad} is left out of the history: 2: " in caplog.text
    assert History(journal, tmp_path).results_of([bad]).get(bad) is None
    update(journal, tmp_path)


def test_a_game_that_the_journal_cannot_read_is_left_out_and_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(Journal(tmp_path)) as journal:
        header, lines = whole_game(1)
        played = []
        for number in range(2):
            played.append(journal.name_for("hipparchus"))
            journal.begin(played[-1], json.dumps(header), "full", FIRST + number)
            for line in lines:
                journal.append(played[-1], line, now=FIRST, tracking="full", over=line is lines[-1])
    with closing(Journal(tmp_path)) as journal:
        assert len(journal.games()) == 2
        for folder in ("games", "copies"):
            (tmp_path / folder / f"{played[1]}.jsonl").unlink()
        assert names(History(journal, tmp_path).results()) == played[:1]
    assert f"{played[1]} is left out of the history" in caplog.text


def test_games_that_the_list_lacks_are_read_and_those_that_cannot_be_are_counted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    header, lines = whole_game(1)
    with closing(Journal(tmp_path)) as journal:
        for _game in range(40):
            log = [(json.dumps(header), {"at": FIRST}), *((line, {"at": FIRST}) for line in lines)]
            log[-1] = lines[-1], {"at": FIRST, "over": True}
            journal.add_game(journal.name_for("hipparchus"), log)
        first = min(journal.names())
    (tmp_path / "index.jsonl").unlink()
    for folder in ("games", "copies"):
        (tmp_path / folder / f"{first}.jsonl").write_bytes(b"damaged\n")
    history = History(Journal(tmp_path, writes=False), tmp_path)
    steps = history.each()
    next(steps)
    assert history.remaining == 40
    assert len([*steps]) == 9 + 39
    assert (history.remaining, history.unreadable) == (0, {first})
    assert len(history.results()) == 39
    assert caplog.text.count(f"{first} is left out") == 1


def test_a_fault_in_one_game_does_not_take_the_others_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = filled(3)
    bad = journal.games()[0].name

    def faulty(name: str, *rest: Any) -> GameResult | None:
        if name == bad:
            raise ZeroDivisionError
        return result_of(name, *rest)

    monkeypatch.setattr(module, "result_of", faulty)
    with expected() as faults:
        assert len(History(journal, tmp_path, writes=True).results()) == 2
    assert [type(fault) for fault in faults] == [ZeroDivisionError]


def test_a_game_said_to_be_over_that_is_not_is_left_out_once_and_for_all(tmp_path: Path) -> None:
    journal = filled(3)
    name = journal.games()[1].name
    journal.logs[name] = journal.logs[name][:1]
    journal.relist(name, lines=1)
    update(journal, tmp_path)
    assert reads(journal, tmp_path) == []
    right(journal, tmp_path, writes=True)
    assert History(journal, tmp_path).results_of([name]).get(name) is None


# Damage


def laid(folder: Path, content: bytes) -> None:
    for file in folder.iterdir():
        file.unlink()
    (folder / FILE).write_bytes(content)


def damaged(content: bytes) -> Iterator[bytes]:
    """Yield the file cut off, flipped and overwritten at places all over it."""
    for place in range(0, len(content), 241):
        yield content[:place]
        flipped = bytearray(content)
        flipped[place] ^= 0xFF
        yield bytes(flipped)
        yield content[:place] + bytes(64) + content[place + 64 :]
    for place in range(100):  # the header
        flipped = bytearray(content)
        flipped[place] ^= 1 << place % 8
        yield bytes(flipped)


def test_an_index_damaged_anywhere_costs_only_time(tmp_path: Path, whole: tuple[Memory, bytes]) -> None:
    journal, content = whole
    results = plainly(journal)
    for number, damage in enumerate(damaged(content)):
        laid(tmp_path, damage)
        history = History(journal, tmp_path, writes=bool(number % 2))
        assert history.results() == results


@settings(max_examples=examples(40))
@given(data=st.data())
def test_an_index_damaged_at_random_comes_back(
    tmp_path_factory: pytest.TempPathFactory, whole: tuple[Memory, bytes], data: st.DataObject
) -> None:
    journal, content = whole
    folder = tmp_path_factory.mktemp("random")
    damage = bytearray(content)
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=20)):
        damage[place] = data.draw(st.integers(0, 255))
    laid(folder, bytes(damage[: data.draw(st.integers(0, len(content)))]))
    right(journal, folder, writes=False)
    for _round in range(3):  # what the first finds to be damaged is deleted, the next writes it anew
        update(journal, folder)
    right(journal, folder, writes=True)
    assert reads(journal, folder) == []


def test_a_row_of_another_version_is_computed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = filled(3)
    update(journal, tmp_path)
    monkeypatch.setattr("companion.history.history.FORMAT", 0)
    assert len(reads(journal, tmp_path)) == 3


def test_a_row_that_holds_no_bytes_is_computed_again(tmp_path: Path) -> None:
    journal = filled(3)
    update(journal, tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE)) as connection, connection:
        connection.execute("UPDATE result SET row = 7")
    right(journal, tmp_path, writes=True)
    assert reads(journal, tmp_path) == []


@pytest.mark.parametrize("kind", ["folder", "read-only"])
def test_an_index_that_cannot_be_opened_is_done_without(tmp_path: Path, kind: str) -> None:
    journal, folder = filled(3), tmp_path / "journal"
    if kind == "folder":
        (folder / FILE).mkdir(parents=True)
    right(journal, folder, writes=True)
    update(journal, folder)
    assert len(reads(journal, folder)) == 3


def test_the_index_of_a_reader_is_never_deleted(tmp_path: Path) -> None:
    journal = filled(3)
    (tmp_path / FILE).write_bytes(b"no database" * 100)
    right(journal, tmp_path, writes=False)
    assert (tmp_path / FILE).exists()
    right(journal, tmp_path, writes=True)
    update(journal, tmp_path)
    assert reads(journal, tmp_path) == []


# Two processes


def test_a_question_while_another_process_reads_is_answered_and_not_stored(tmp_path: Path) -> None:
    journal = filled(3)
    update(journal, tmp_path)
    journal.change(journal.games()[0].name, 5)
    with closing(sqlite3.connect(tmp_path / FILE)) as reader:
        reading = reader.execute("SELECT row FROM result")
        reading.fetchone()
        right(journal, tmp_path, writes=True)
        history = History(journal, tmp_path, writes=True)
        assert history.results() == history.results() == plainly(journal)
        reading.close()
    assert len(reads(journal, tmp_path)) == 1
    journal.reads = []
    history.results()
    assert journal.reads == []
    assert reads(journal, tmp_path) == []
    update(journal, tmp_path)
    assert reads(journal, tmp_path) == []


def test_a_question_while_another_process_writes_is_answered(tmp_path: Path) -> None:
    journal = filled(3)
    update(journal, tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        assert History(journal, tmp_path).results() == plainly(journal)
    assert (tmp_path / FILE).exists()


def test_readers_are_right_while_the_box_writes(tmp_path: Path) -> None:
    journal, content = filled(40), filled(40)
    results, done, wrong = plainly(journal), threading.Event(), list[int]()

    def read() -> None:
        while not done.is_set():
            if History(content, tmp_path).results() != results:
                wrong.append(1)

    reader = threading.Thread(target=read)
    reader.start()
    for _round in range(3):
        update(journal, tmp_path)
        (tmp_path / FILE).unlink()
    done.set()
    reader.join()
    assert not wrong


def test_results_survive_their_row(tmp_path: Path) -> None:
    index = Index(tmp_path, writes=True)
    (result,) = plainly(filled(1))
    result = structs.replace(result, counts={"tricks": (1, 2)}, rounds=((1, 2), (3, -4)), starter=1)
    assert index.store([StoredResult(result.name, 7, result), StoredResult("none", 1, None)])
    assert index.results()[result.name].result == result
    assert index.results(["none"])["none"].result is None
    assert index.results(["missing"]) == {}
    assert not Index(tmp_path, writes=False).store([])


def test_neither_sqlite_nor_the_model_of_ratings_is_loaded_before_it_is_used() -> None:
    program = """
import sys
from companion.app import idle
from companion.history import evenings, history, reports, selection, statistics
print(sorted({"sqlite3", "openskill"} & set(sys.modules)))"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_imported_plays_stand_among_the_games_by_their_date_and_are_rated(tmp_path: Path) -> None:
    memory = Memory()
    first, second = (memory.add(seed) for seed in (1, 2))
    play = ImportedGame("Chess", ("Ann", "Bo"), (1, 0), (0,), (1, 2), begun=FIRST + 5000)
    memory.plays["AB-1"] = to_builtins(play)
    history = History(memory, tmp_path, writes=True)
    [*history.each()]
    results = history.results()
    assert [result.name for result in results] == [first, "imported-AB-1", second]
    assert rated(results, People()).after("imported-AB-1", "ann").games == 2
    assert history.results_of(["imported-AB-1"]).get("imported-AB-1") == results[1]
    assert list(history.each()) == results
    assert history.results_of(["imported-XY-9"]).get("imported-XY-9") is None


def test_an_imported_play_of_a_game_whose_log_is_there_counts_once() -> None:
    memory = Memory()
    name = memory.add(1)
    memory.plays[log_id(name, memory.listed[name].begun)] = to_builtins(
        ImportedGame("gear", ("A", "B"), (1, 0), (0,), (1, 2))
    )
    assert [result.name for result in History(memory, None).results()] == [name]


def test_imported_plays_that_cannot_be_read_hide_no_game_and_are_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    memory = Memory()
    name = memory.add(1)

    def fail() -> None:
        raise JournalError(Text("the disk is gone"))

    monkeypatch.setattr(memory, "imported", fail)
    history = History(memory, None)
    assert [[result.name for result in history.results()] for _ in range(2)] == [[name]] * 2
    assert history.unreadable == {"imported"}
    assert caplog.text.count("the disk is gone") == 1


def test_a_game_with_points_beyond_all_bounds_is_left_out_and_the_others_count(tmp_path: Path) -> None:
    memory = Memory()
    name, absurd = memory.add(1), memory.add(2)
    header = '{"format":1,"game":"gear","players":["Ann","Bo"],"rules":{"ending":{"rounds":1}}}'
    memory.logs[absurd] = [f'{{"type":"round","tricks":[5,3],"aces":[2,1],"last":0,"prices":[{10**20},0]}}']
    memory.relist(absurd, header=header, lines=1)
    history = History(memory, tmp_path, writes=True)
    assert [result.name for result in history.results()] == [name]
    [*history.each()]
    memory.reads.clear()
    assert [result.name for result in history.results()] == [name]
    assert memory.reads == []


@pytest.mark.parametrize("moment", [1e300, 1e18, 253402300799.0, -1e18])
def test_a_time_that_no_clock_shows_is_not_known(moment: float, tmp_path: Path) -> None:
    memory = Memory()
    memory.add(1, begun=moment)
    (result,) = History(memory, tmp_path).results()
    assert (result.begun, result.ended, evenings([result])) == (0, 0, [])
