"""What every journal promises, whatever it keeps its games in."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from companion.core.text import Text
from companion.journal import DiskFault, Journal, JournalFault, Saved
from companion.journal.memory import MemoryJournal
from companion.journal.opening import open_journal
from companion.journal.patient import PatientJournal
from companion.journal.sqlite import SqliteJournal

HALF_A_SURROGATE = "\ud83c"


def refused() -> Journal:
    """A journal whose disk takes nothing."""
    inner = MemoryJournal()
    inner.fault = "the disk is full"
    return PatientJournal(inner, DiskFault("the disk is full", Text("the disk is full")))


KINDS: dict[str, Callable[[Path], Journal]] = {
    "memory": lambda _: MemoryJournal(),
    "sqlite": lambda folder: open_journal(folder, 0.0)[0],
    "patient": lambda folder: PatientJournal(open_journal(folder, 0.0)[0]),
    "patient, nothing saved": lambda _: refused(),
}


@pytest.fixture(params=KINDS)
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    with closing(KINDS[request.param](tmp_path / "box")) as made:
        yield made


def test_a_new_journal_holds_no_game_and_the_box_was_left_in_none(journal: Journal) -> None:
    assert journal.games() == []
    assert journal.open_game() is None


def test_a_game_is_there_once_begun(journal: Journal) -> None:
    assert journal.begin('{"game":"eternity"}', "full", 1700000000.25) == 1
    assert journal.games() == [Saved(1, '{"game":"eternity"}', "full", False, 0, 1700000000.25)]
    assert journal.lines(1) == []


def test_games_are_numbered_from_one_in_the_order_they_were_begun(journal: Journal) -> None:
    assert [journal.begin("same header", "full", 5.0) for _ in range(3)] == [1, 2, 3]


def test_a_game_may_be_begun_under_the_number_it_is_known_by_already(journal: Journal) -> None:
    assert journal.begin("first", "full", 5.0, 1) == 1
    assert journal.begin("second", "full", 5.0, 2) == 2
    assert [saved.number for saved in journal.games()] == [2, 1]


def test_the_latest_begun_game_comes_first_even_if_the_clock_went_back(journal: Journal) -> None:
    for header, now in (("first", 900.0), ("second", 300.0), ("third", 600.0)):
        journal.begin(header, "full", now)
    assert [saved.header for saved in journal.games()] == ["third", "second", "first"]


def test_lines_come_back_in_order_and_as_they_were(journal: Journal) -> None:
    lines = ['{"play":"7♥"}', "", "  ", "日本語 é e\u0301", "two\nlines\r\n", "nul\0byte", "x" * 20_000]
    journal.begin("header", "full", 0.0)
    for sequence, line in enumerate(lines, start=1):
        journal.append(1, sequence, line, False, float(sequence))
    assert journal.lines(1) == lines


def test_more_lines_than_nine_are_still_in_order(journal: Journal) -> None:
    journal.begin("header", "full", 0.0)
    for sequence in range(1, 13):
        journal.append(1, sequence, f"line {sequence}", False, 0.0)
    assert journal.lines(1) == [f"line {sequence}" for sequence in range(1, 13)]


def test_every_game_has_its_own_lines(journal: Journal) -> None:
    journal.begin("one", "full", 0.0)
    journal.begin("two", "full", 0.0)
    journal.append(1, 1, "of one", False, 0.0)
    journal.append(2, 1, "of two", False, 0.0)
    journal.append(1, 2, "of one again", False, 0.0)
    assert journal.lines(1) == ["of one", "of one again"]
    assert journal.lines(2) == ["of two"]
    assert [(saved.number, saved.lines) for saved in journal.games()] == [(2, 1), (1, 2)]


def test_what_lines_returned_is_the_callers_own(journal: Journal) -> None:
    journal.begin("header", "full", 0.0)
    journal.append(1, 1, "line", False, 0.0)
    journal.lines(1).append("scribble")
    assert journal.lines(1) == ["line"]


def test_a_line_says_whether_the_game_is_over_and_the_next_may_take_it_back(journal: Journal) -> None:
    journal.begin("header", "full", 0.0)
    journal.begin("another", "full", 0.0)
    seen = []
    for sequence, over in enumerate((False, True, True, False, True), start=1):
        journal.append(1, sequence, "line", over, 0.0)
        seen.append([saved.over for saved in journal.games()])
    assert seen == [[False, over] for over in (False, True, True, False, True)]


@pytest.mark.parametrize("sequence", [-1, 0, 1, 2, 4, 100])
def test_a_line_that_is_not_the_next_is_refused_and_nothing_has_changed(journal: Journal, sequence: int) -> None:
    journal.begin("header", "full", 0.0)
    journal.append(1, 1, "one", False, 0.0)
    journal.append(1, 2, "two", False, 0.0)
    with pytest.raises(JournalFault, match=rf"^line {sequence} of game 1 is not the next: 2 are in the journal$"):
        journal.append(1, sequence, "stale", True, 0.0)
    assert journal.lines(1) == ["one", "two"]
    assert not journal.games()[0].over
    journal.append(1, 3, "three", False, 0.0)
    assert journal.lines(1) == ["one", "two", "three"]


def test_several_lines_are_written_as_one_by_one(journal: Journal) -> None:
    journal.begin("header", "full", 0.0)
    journal.append(1, 1, "one", True, 0.0)
    journal.keep_draft(1, "half")
    journal.append_all(1, 2, ("two", "three", "four"), False, 0.0)
    journal.append(1, 5, "five", False, 0.0)
    assert journal.lines(1) == ["one", "two", "three", "four", "five"]
    assert (journal.draft(1), journal.games()[0].over, journal.games()[0].lines) == ("", False, 5)


@pytest.mark.parametrize(("sequence", "lines"), [(1, ("two", "three")), (3, ("three", "four")), (2, ("two", "\ud83c"))])
def test_of_several_lines_all_are_written_or_none(journal: Journal, sequence: int, lines: tuple[str, ...]) -> None:
    journal.begin("header", "full", 0.0)
    journal.append(1, 1, "one", False, 0.0)
    with pytest.raises(JournalFault):
        journal.append_all(1, sequence, lines, True, 0.0)
    assert journal.lines(1) == ["one"]
    assert not journal.games()[0].over


@pytest.mark.parametrize("number", [-1, 0, 2])
@pytest.mark.parametrize(
    "call",
    [
        lambda journal, number: journal.lines(number),
        lambda journal, number: journal.append(number, 1, "line", False, 0.0),
        lambda journal, number: journal.track(number, "score only"),
        lambda journal, number: journal.leave_in(number),
        lambda journal, number: journal.draft(number),
        lambda journal, number: journal.keep_draft(number, "A3"),
    ],
    ids=["lines", "append", "track", "leave_in", "draft", "keep_draft"],
)
def test_a_game_that_is_not_there_is_refused(
    journal: Journal, call: Callable[[Journal, int], object], number: int
) -> None:
    journal.begin("header", "full", 0.0)
    with pytest.raises(JournalFault, match=rf"^there is no game {number} in the journal$"):
        call(journal, number)
    assert journal.games() == [Saved(1, "header", "full", False, 0, 0.0)]
    assert journal.open_game() is None


def test_how_closely_a_game_is_followed_can_change(journal: Journal) -> None:
    journal.begin("one", "full", 0.0)
    journal.begin("two", "full", 0.0)
    journal.track(1, "score only")
    assert [saved.tracking for saved in journal.games()] == ["full", "score only"]


def test_the_box_is_in_the_game_it_was_left_in_last(journal: Journal) -> None:
    journal.begin("one", "full", 0.0)
    journal.begin("two", "full", 0.0)
    seen = []
    for game in (1, 2, 2, None, None, 1):
        journal.leave_in(game)
        seen.append(journal.open_game())
    assert seen == [1, 2, 2, None, None, 1]


def test_what_is_half_entered_is_kept_until_the_next_line(journal: Journal) -> None:
    journal.begin("one", "full", 0.0)
    assert journal.draft(1) == ""
    journal.keep_draft(1, "A3 / B")
    assert journal.draft(1) == "A3 / B"
    journal.keep_draft(1, "A4")
    assert journal.draft(1) == "A4"
    journal.append(1, 1, "line", False, 0.0)
    assert journal.draft(1) == ""
    journal.keep_draft(1, "B5")
    journal.keep_draft(1, "")
    assert journal.draft(1) == ""


def test_what_is_half_entered_belongs_to_its_game(journal: Journal) -> None:
    journal.begin("one", "full", 0.0)
    journal.begin("two", "full", 0.0)
    journal.keep_draft(1, "A3")
    assert journal.draft(2) == ""


def test_beginning_a_game_does_not_move_the_box_into_it(journal: Journal) -> None:
    journal.begin("one", "full", 0.0)
    assert journal.open_game() is None


@pytest.mark.parametrize(
    "call",
    [
        lambda journal: journal.begin(HALF_A_SURROGATE, "full", 0.0),
        lambda journal: journal.begin("header", HALF_A_SURROGATE, 0.0),
        lambda journal: journal.append(1, 1, HALF_A_SURROGATE, True, 0.0),
        lambda journal: journal.track(1, HALF_A_SURROGATE),
        lambda journal: journal.keep_draft(1, HALF_A_SURROGATE),
    ],
    ids=["header", "tracking", "line", "track", "draft"],
)
def test_what_is_not_text_is_refused_and_nothing_has_changed(
    journal: Journal, call: Callable[[Journal], object]
) -> None:
    journal.begin("header", "full", 0.0)
    with pytest.raises(JournalFault, match=r"^the journal cannot be written: "):
        call(journal)
    assert journal.games() == [Saved(1, "header", "full", False, 0, 0.0)]
    journal.append(1, 1, "text", False, 0.0)
    assert journal.lines(1) == ["text"]


@pytest.mark.parametrize(
    "call",
    [
        lambda journal: journal.games(),
        lambda journal: journal.lines(1),
        lambda journal: journal.begin("header", "full", 0.0),
        lambda journal: journal.append(1, 1, "line", False, 0.0),
        lambda journal: journal.track(1, "full"),
        lambda journal: journal.open_game(),
        lambda journal: journal.leave_in(None),
        lambda journal: journal.draft(1),
        lambda journal: journal.keep_draft(1, "A3"),
    ],
    ids=["games", "lines", "begin", "append", "track", "open_game", "leave_in", "draft", "keep_draft"],
)
def test_a_closed_journal_says_so(journal: Journal, call: Callable[[Journal], object]) -> None:
    journal.begin("header", "full", 0.0)
    journal.close()
    with pytest.raises(JournalFault, match=r"^the journal is closed$"):
        call(journal)


def test_closing_twice_is_closing_once(journal: Journal) -> None:
    journal.close()
    journal.close()


def test_a_journal_in_memory_can_be_made_to_fail_and_keeps_what_it_had() -> None:
    journal = MemoryJournal()
    journal.begin("header", "full", 0.0)
    journal.fault = "the disk is full: not saved"
    for call in (
        lambda: journal.begin("another", "full", 0.0),
        lambda: journal.append(1, 1, "line", True, 0.0),
        lambda: journal.track(1, "score only"),
        lambda: journal.leave_in(1),
    ):
        with pytest.raises(JournalFault, match=r"^the disk is full: not saved$"):
            call()
    assert journal.games() == [Saved(1, "header", "full", False, 0, 0.0)]
    assert journal.open_game() is None
    journal.fault = None
    journal.append(1, 1, "line", True, 0.0)
    assert journal.lines(1) == ["line"]


def test_what_was_chosen_on_the_box_stays_until_something_else_is(journal: Journal) -> None:
    assert journal.setting("language") is None
    for language in ("fr", "ja"):
        journal.keep_setting("language", language)
        assert journal.setting("language") == language
    assert journal.setting("sounds") is None


def test_a_journal_in_memory_has_no_gaps() -> None:
    with pytest.raises(JournalFault, match="game 3 is not the next: 0 are in the journal"):
        MemoryJournal().begin("header", "full", 0.0, 3)


def outcome(call: Callable[[], object]) -> object:
    """Return what a call returned, or the sentence it refused with."""
    try:
        return call()
    except JournalFault as fault:
        return str(fault)


class BothJournals(RuleBasedStateMachine):
    """Does the same to both journals, and opens the one on disk again now and then."""

    games = Bundle("games")
    sqlite: SqliteJournal

    @initialize()
    def open(self) -> None:
        self.memory = MemoryJournal()
        self.stack = ExitStack()
        self.folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.sqlite, _ = open_journal(self.folder, 0.0)

    def both(self, call: Callable[[Journal], object]) -> object:
        ours, theirs = outcome(lambda: call(self.memory)), outcome(lambda: call(self.sqlite))
        assert ours == theirs
        return ours

    @rule(target=games, header=st.text(), tracking=st.text(), now=st.floats(allow_nan=False))
    def begin(self, header: str, tracking: str, now: float) -> object:
        return self.both(lambda journal: journal.begin(header, tracking, now))

    @rule(game=games, line=st.text(), over=st.booleans(), missed=st.sampled_from([0, 0, 0, 0, -1, 1]))
    def append(self, game: int, line: str, over: bool, missed: int) -> None:
        sequence = len(self.memory.lines(game)) + 1 + missed
        self.both(lambda journal: journal.append(game, sequence, line, over, 0.0))

    @rule(game=games, tracking=st.text())
    def track(self, game: int, tracking: str) -> None:
        self.both(lambda journal: journal.track(game, tracking))

    @rule(game=games, draft=st.text())
    def keep_draft(self, game: int, draft: str) -> None:
        self.both(lambda journal: journal.keep_draft(game, draft))

    @rule(game=games | st.none() | st.integers(-1, 5))
    def leave_in(self, game: int | None) -> None:
        self.both(lambda journal: journal.leave_in(game))

    @rule()
    def open_again(self) -> None:
        self.sqlite.close()
        self.sqlite, aside = open_journal(self.folder, 0.0)
        assert aside is None

    @invariant()
    def are_alike(self) -> None:
        self.both(lambda journal: journal.games())
        self.both(lambda journal: journal.open_game())
        for game in range(1, len(self.memory.games()) + 1):
            self.both(lambda journal, game=game: journal.lines(game))  # type: ignore[misc]
            self.both(lambda journal, game=game: journal.draft(game))  # type: ignore[misc]

    def teardown(self) -> None:
        if hasattr(self, "sqlite"):
            self.sqlite.close()
            self.stack.close()


def test_both_journals_do_the_same_whatever_is_asked_of_them() -> None:
    run_state_machine_as_test(BothJournals, settings=settings(max_examples=30, stateful_step_count=25, deadline=None))
