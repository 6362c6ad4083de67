"""A game's log is followed as its file grows, whatever happens to the file."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.bridge.followed_game import FollowedGame
from companion.gamelog import read
from companion.journal import chain
from tests.bridge.growing_journal import GrowingJournal


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> GrowingJournal:
    return GrowingJournal(tmp_path_factory.mktemp("growing"))


def followed(journal: GrowingJournal, lines: int) -> FollowedGame:
    journal.write(lines)
    game = FollowedGame(journal.folder, journal.name)
    list(game.read_more())
    return game


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 60)), min_size=1, max_size=12))
def test_every_line_is_read_once_however_the_file_grows(journal: GrowingJournal, steps: list[tuple[int, int]]) -> None:
    game, lines, sessions = followed(journal, 0), 0, 0
    for more, half in steps:
        lines = min(lines + more, len(journal.rows))
        journal.write(lines, half=min(half, len(journal.rows[min(lines, len(journal.rows) - 1)]) - 1))
        sessions += len(list(game.read_more()))
        assert game.length == lines
    assert sessions == max(0, lines - 1)
    if lines:
        whole = read("\n".join(map(chain.text, journal.rows[:lines])).encode())
        assert game.session is not None
        assert game.session.state == whole.state
        assert game.lines(0, lines) == [chain.text(row) for row in journal.rows[:lines]]


def test_a_log_that_goes_on_in_a_new_file_is_not_told_twice(journal: GrowingJournal) -> None:
    game = followed(journal, 5)
    journal.file.unlink()
    journal.write(7)
    assert len(list(game.read_more())) == 2


def test_a_damaged_file_is_read_from_its_copy(journal: GrowingJournal) -> None:
    game = followed(journal, 5)
    journal.write(8)
    journal.file.write_bytes(b"x" + journal.file.read_bytes()[1:])
    assert len(list(game.read_more())) == 3
    assert game.length == 8


def test_a_line_that_was_added_and_damaged_is_read_from_the_copy(journal: GrowingJournal) -> None:
    game = followed(journal, 5)
    journal.write(8)
    content = journal.file.read_bytes()
    at = content.index(journal.rows[7]) + 3
    journal.file.write_bytes(content[:at] + b"x" + content[at + 1 :])
    assert len(list(game.read_more())) == 3
    assert game.lines(0, 8) == [chain.text(row) for row in journal.rows[:8]]


def test_a_game_that_went_back_is_read_from_its_beginning(journal: GrowingJournal) -> None:
    game = followed(journal, 9)
    journal.file.unlink()
    journal.write(4)
    assert len(list(game.read_more())) == 3
    assert game.length == 4


def test_files_that_are_gone_hold_no_lines(journal: GrowingJournal) -> None:
    game = followed(journal, 3)
    journal.file.unlink()
    journal.copy.unlink()
    assert list(game.read_more()) == []
    assert game.length == 0


def test_a_wrong_line_is_told_and_ends_the_game(journal: GrowingJournal) -> None:
    game = followed(journal, 3)
    wrong = chain.chained(chain.check(journal.rows[2]), '{"type":"play","player":0,"card":"sea-99"}', {"at": 1.0})
    journal.file.write_bytes(b"".join(journal.rows[:3]) + wrong)
    assert list(game.read_more()) == []
    assert game.session is None
    assert game.fault.startswith("line 4: ")
    assert game.length == 4  # it is sent to the hub all the same
