"""The index: it lists thousands of games without reading them; without it only time is lost."""

from __future__ import annotations

import random
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.journal import Journal

from . import many
from .calls import Call, Calls
from .folders import Files, laid, taken
from .recorded import Teller, Told, evening
from .starts import started

MANY = 400


@pytest.mark.unmeasured  # tracing takes memory, too
def test_a_start_reads_the_open_game_alone_and_memory_holds_no_other(place: Path) -> None:
    assert many.start(place / "box", MANY) < 2000


def test_games_are_listed_as_they_stand(place: Path) -> None:
    box = many.filled(place / "box", MANY)
    with closing(Journal(box)) as journal:
        journal.check_all()
    with closing(Journal(box)) as journal:
        assert [saved.number for saved in journal.games()] == list(range(MANY, 0, -1))
        assert {(saved.tracking, saved.over, saved.lines) for saved in journal.games()} == {("quick", True, 1)}


def test_a_stale_index_costs_only_time(place: Path) -> None:
    with closing(Journal(place / "box")) as journal:
        teller = Teller(journal)
        evening(teller, (1, 2, 3))
        journal.update_index()
        index = (place / "box" / "index.jsonl").read_bytes()
        games = evening(teller, (2, 1))
        for game in games:
            teller.append(game, "{}", over=True)
    box = place / "box"
    (box / "index.jsonl").write_bytes(index)
    start = started(box)
    assert start.games == teller.told.games
    assert start.notices == []
    with closing(Journal(box)) as journal:
        assert {saved.name: saved.lines + 1 for saved in journal.games()} == {
            game: len(lines) for game, lines in teller.told.games.items()
        }


def test_so_it_is_where_the_kill_comes_while_it_is_left(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Journal(place / "box")) as journal:
        teller = Teller(journal)
        game = teller.begin()
        journal.set_open_game(game)
        teller.append(game, "{}", over=True)
        write = Journal._write

        def killed(self: Journal, *files: Any) -> None:
            write(self, *files)
            shutil.copytree(place / "box", place / "killed")

        monkeypatch.setattr(Journal, "_write", killed)
        journal.set_open_game(None)
        monkeypatch.undo()
    with closing(Journal(place / "killed")) as journal:
        assert journal.open_game() is None
        assert [(saved.lines, saved.over) for saved in journal.games()] == [(1, True)]


def test_a_game_that_ended_and_was_left_is_listed_as_over_after_a_kill(place: Path) -> None:
    with closing(Journal(place / "box")) as journal:
        teller = Teller(journal)
        game = teller.begin()
        journal.update_index()
        teller.append(game, "{}", over=True)
        journal.set_open_game(None)
        shutil.copytree(place / "box", place / "killed")
    with closing(Journal(place / "killed")) as journal:
        assert [(saved.lines, saved.over) for saved in journal.games()] == [(1, True)]


@pytest.mark.parametrize("seed", range(3))
def test_an_index_is_kept_small_and_right(seed: int, place: Path) -> None:
    chance = random.Random(seed)
    with closing(Journal(place / "box")) as journal:
        teller = Teller(journal)
        games = [teller.begin() for _ in range(3)]
        for _ in range(500):
            teller.append(chance.choice(games), "{}")
            journal.update_index()
    assert (place / "box" / "index.jsonl").stat().st_size < 150_000
    (place / "box" / "draft.jsonl").unlink(missing_ok=True)
    names = many.opened(place / "box", lambda journal: journal.games())
    assert names == []
    with closing(Journal(place / "box")) as journal:
        assert {saved.name: saved.lines + 1 for saved in journal.games()} == {
            game: len(lines) for game, lines in teller.told.games.items()
        }


def test_an_index_that_the_disk_does_not_take_is_written_later(place: Path, kept: tuple[Files, Told]) -> None:
    files, told = kept
    box = laid(place / "box", {name: content for name, content in files.items() if name != "index.jsonl"})

    def refuse(call: Call) -> None:
        if call.changes and "index" in call.path:
            raise OSError(28, "full")

    with Calls(box, refuse).watched(), closing(Journal(box)) as journal:
        journal.check_all()
        assert journal.fault is None
    assert "index.jsonl" not in taken(box)
    assert started(box).games == told.games
    assert "index.jsonl" in taken(box)
