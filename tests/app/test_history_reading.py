"""The history is read a little at each key and the rest in turns; answers are cached until a game changes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.app.box import Box
from companion.app.idle import SHOWN, HistoryReading
from companion.app.outputs import MemoryPanel, Outputs
from companion.history.history import History
from companion.history.renamed_and_hidden import People
from companion.history.renamed_and_hidden import written as roster
from companion.history.reports import PersonReport
from companion.history.results import GameResult
from companion.history.statistics import Ratings, rated
from companion.journal import Journal
from companion.ui.saved_games import StillReading
from tests.app.boxes import key_of, press, says
from tests.fakes.clock import FixedClock
from tests.history import plain
from tests.history.journals import whole_game
from tests.raised_errors import expected
from tests.scenes.past_games import play

EVENING = 1_790_000_000.0
"""When a game began, in seconds since 1970."""


class SlowClock(FixedClock):
    """A clock on which time passes at every look."""

    step = 0.0

    def passed(self) -> float:
        """Return the time, a step later."""
        self.run += self.step
        return self.run


@pytest.fixture
def journal() -> Journal:
    """Return a journal with nine finished games."""
    journal = Journal()
    play(journal)
    return journal


@pytest.fixture
def clock() -> SlowClock:
    return SlowClock()


@pytest.fixture
def box(journal: Journal, clock: SlowClock) -> Box:
    box = Box(journal, Outputs(MemoryPanel(), clock), clock)
    return press(box, key_of(box, "History"))


def test_few_games_are_read_while_the_key_waits(box: Box) -> None:
    assert "3 of 9" in says(press(box, "3"))
    assert box.history.due is None


def test_many_games_are_read_in_turns_and_the_screen_says_how_far_it_is(box: Box, clock: SlowClock) -> None:
    clock.step = 0.02
    assert "Games still to be read: 8" in says(press(box, "3"))
    box.history.tick()
    assert "Games still to be read: 8" in says(box)
    clock.let_pass(SHOWN)
    box.history.tick()
    assert "Games still to be read: 6" in says(box)
    while (due := box.history.due) is not None:
        assert due <= clock.passed()
        box.history.tick()
    assert "Béatrice 3 of 9" in says(box)
    assert "Rating 1208" in says(press(box, "2"))


def test_reading_stops_once_no_screen_waits(box: Box, clock: SlowClock) -> None:
    clock.step = 0.02
    press(box, "3*")
    clock.let_pass(SHOWN)
    box.history.tick()
    assert box.history.due is None
    box.history.tick()
    assert "History" in says(box)


def test_the_league_is_computed_once_until_something_is_entered_in_any_game(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, does = list[History](), History.each

    def counted(history: History) -> Iterator[GameResult | None]:
        found.append(history)
        return does(history)

    monkeypatch.setattr(History, "each", counted)
    press(box, "3 B B * 4 B # 2 1 h*")
    assert len(found) == 1
    press(box, key_of(box, "Play again: East Rune") + "# 1 h* h*")
    press(box, key_of(box, "History") + "3")
    assert len(found) == 2


def test_a_renamed_person_has_one_row(box: Box, journal: Journal) -> None:
    press(box, "3")
    assert "Aki 5 of 8" in says(box)
    journal.keep_setting("roster", roster(People().rename("Aki", "Akira", 99)))
    reading = box.history.league()
    assert not isinstance(reading, StillReading)
    assert "Akira" in [row.name for row in reading]


def test_ratings_are_those_of_the_history(journal: Journal) -> None:
    reading = HistoryReading(journal, FixedClock(), lambda _told: None)
    found = reading.person("béatrice")
    assert isinstance(found, PersonReport)
    results = History(journal, None).results()
    ratings = rated(results, People())
    assert found.rating == plain.rating_course(ratings, "béatrice")[-1][1].displayed
    assert {*found.by_game.values()} == {None}
    assert reading.person("Zoë") is None


def test_a_rating_in_a_kind_of_game_is_shown_from_five_games_on() -> None:
    journal = Journal()
    play(journal)
    play(journal)
    found = HistoryReading(journal, FixedClock(), lambda _told: None).person("Aki")
    assert isinstance(found, PersonReport)
    ratings = rated(History(journal, None).results(), People())
    assert {kind: rating for kind, rating in found.by_game.items() if rating is not None} == {
        kind: plain.rating_course(ratings, "aki", kind)[-1][1].displayed for kind in ("eternity", "hipparchus")
    }


# Faults


def broken(*_given: object) -> Any:
    raise RuntimeError("no history")


@pytest.mark.parametrize("keys", ["3", "4"])
def test_a_fault_is_a_sentence_and_going_home_tries_again(box: Box, keys: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch, expected() as logged:
        patch.setattr(History, "each", broken)
        assert "Something went wrong; every game is kept" in says(press(box, keys))
        assert [str(error) for error in logged] == ["no history"]
    assert "Something went wrong" in says(press(box, "*" + keys))
    press(box, "h*")
    assert "Béatrice" in says(press(box, key_of(box, "History") + keys))


def test_a_fault_while_reading_on_is_a_sentence(box: Box, clock: SlowClock, monkeypatch: pytest.MonkeyPatch) -> None:
    def some(_self: History) -> Iterator[None]:
        yield None
        raise RuntimeError("no history")

    monkeypatch.setattr(History, "each", some)
    clock.step = 0.02
    assert "Games still to be read" in says(press(box, "3"))
    with expected() as logged:
        box.history.tick()
    assert len(logged) == 1
    assert "Something went wrong; every game is kept" in says(box)
    assert box.history.due is None


def test_a_fault_of_ratings_is_a_sentence(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ratings, "add", broken)
    with expected() as logged:
        assert "Something went wrong" in says(press(box, "3 1"))
    assert len(logged) == 1


def test_results_that_cannot_be_asked_for_are_unreadable(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(History, "results_of", broken)
    with expected() as logged:
        assert "unreadable" in says(press(box, "1"))
        assert "This game cannot be read" in says(press(box, "1"))
    assert len(logged) == 2


def test_a_damaged_index_is_made_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    play(journal)
    (tmp_path / "history.db").write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 40)
    box = Box(journal, Outputs(MemoryPanel(), FixedClock()), FixedClock())
    press(box, key_of(box, "History") + "3")
    assert "Béatrice 3 of 9" in says(box)
    journal.close()


# The start


def test_no_module_of_the_history_is_loaded_before_somebody_asks() -> None:
    program = """
import sys
from tests.fakes.clock import FixedClock
from companion.app.box import Box
from companion.app.outputs import MemoryPanel
from companion.app.outputs import Outputs
from tests.scenes.past_games import play
from companion.journal import Journal
journal = Journal()
play(journal)
Box(journal, Outputs(MemoryPanel(), FixedClock()), FixedClock())
unwanted = ("sqlite3", "openskill", "zipfile")
own = ("companion.history.history", "companion.history.statistics", "companion.ui.screens.history_pages")
print([name for name in (*unwanted, *own) if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# Games that are not listed yet, or cannot be read


def many(folder: Path, count: int) -> None:
    """Write finished games of one evening into a folder whose index of games is lost."""
    header, lines = whole_game(1)
    with closing(Journal(folder)) as journal:
        for _game in range(count):
            log = [(json.dumps(header), {"at": EVENING}), *((line, {"at": EVENING}) for line in lines)]
            log[-1] = lines[-1], {"at": EVENING, "over": True}
            journal.add_game(journal.name_for("hipparchus"), log)
    (folder / "index.jsonl").unlink()


def read_on(box: Box) -> int:
    """Read the history until no screen waits; return the number of turns."""
    turns = 0
    while box.history.due is not None:
        box.history.tick()
        turns += 1
    return turns


@pytest.fixture
def unlisted(tmp_path: Path, clock: SlowClock) -> Iterator[Box]:
    """Return the history of a box that has just started with 40 games, of which its list has the latest 30."""
    many(tmp_path, 40)
    with closing(Journal(tmp_path)) as journal:
        box = Box(journal, Outputs(MemoryPanel(), clock), clock)
        yield press(box, key_of(box, "History"))


@pytest.mark.parametrize("row", ["Games", "Evenings"])
def test_no_list_counts_games_before_all_are_listed(unlisted: Box, clock: SlowClock, row: str) -> None:
    assert "Games still to be read: 10" in says(press(unlisted, key_of(unlisted, row)))
    while unlisted.upkeep.due is not None:
        clock.let_pass(1.0)
        unlisted.upkeep.tick()
    assert "still to be read" not in says(unlisted)
    if row == "Evenings":
        assert "40" in says(unlisted)


def test_the_people_are_of_all_games_though_the_list_lacks_some(unlisted: Box) -> None:
    assert "of 40" in says(press(unlisted, "3"))


def test_a_screen_that_waits_asks_anew_when_the_list_of_games_changes(box: Box, clock: SlowClock) -> None:
    clock.step = 0.02
    press(box, "3")
    box.history.changed()
    assert read_on(box) > 1
    assert "3 of 9" in says(box)


def test_figures_say_how_many_games_they_leave_out(box: Box, journal: Journal) -> None:
    name = journal.name_for("gear")
    journal.begin(name, json.dumps({"format": 1, "game": "gear", "players": ["A"]}), "full", 0.0)
    journal.append(name, "{}", now=0.0, tracking="full", over=True)
    box.history.changed()
    for keys in ("3", "1", "**4"):
        assert "Unreadable: 1" in says(press(box, keys))
