"""A refusing disk stops no game, and no message claims that unsaved entries were saved."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.box import Box
from companion.app.idle import BETWEEN, FIRST_RETRY, IDLE, LAST_RETRY, SLICE, UNDISTURBED
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.state import PANEL
from companion.core.text import Text
from companion.history import history
from companion.history.history import History, Index
from companion.history.results import GameResult
from companion.journal import Journal
from companion.ui.keys import POWER
from companion.ui.pictures import goodbye
from tests.app.boxes import begin, lines_of, name_of, new_box, press, says, written
from tests.fakes.clock import FixedClock
from tests.full_disk import Disk
from tests.history.journals import whole_game

OPENED = "1 A3 B9"


class Machine:
    """A power switch."""

    asked = 0

    def may(self) -> bool:
        return True

    def off(self) -> None:
        self.asked += 1


class Table:
    """An application in a game of Eternity, with its journal, disk, clock and power switch."""

    def __init__(self, folder: Path, disk: Disk, *, start: bool = True) -> None:
        self.folder, self.disk = folder, disk
        self.journal = Journal(folder)
        self.clock = FixedClock()
        self.machine = Machine()
        self.box = Box(self.journal, Outputs(MemoryPanel(), self.clock), self.clock, power=self.machine)
        if start:
            begin(self.box)
            self.wait(UNDISTURBED)

    def fill_the_disk(self) -> None:
        self.disk.full = True

    def make_room(self) -> None:
        self.disk.full = False

    def saved(self, number: int = 1) -> list[str]:
        """Return the lines of a game that are on the disk."""
        return lines_of(Journal(self.folder, writes=False), number)

    @property
    def due(self) -> float | None:
        return self.box.upkeep.due

    def wait(self, seconds: float) -> None:
        """Let time pass, and run due tasks as the loop does."""
        until = self.clock.passed() + seconds
        while (due := self.box.upkeep.due) is not None and due <= until:
            self.clock.let_pass(max(0.0, due - self.clock.passed()))
            self.box.upkeep.tick()
        self.clock.let_pass(max(0.0, until - self.clock.passed()))


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    table = Table(tmp_path, Disk(monkeypatch))
    yield table
    table.journal.close()


def test_news_is_told_until_the_next_key_and_is_no_alert(table: Table) -> None:
    table.box.upkeep.tell_news(Text("Updated to 0.3.0"))
    assert "Updated to 0.3.0" in says(table.box)
    assert not table.box.view().alert
    assert "Updated to" not in says(press(table.box, "1"))


def test_news_does_not_hide_a_fault() -> None:
    journal = Journal()
    journal.notices.append(Text("Damage"))
    box = new_box(journal)
    box.upkeep.tell_news(Text("Updated to 0.3.0"))
    assert "Damage" in says(box)


def test_everything_is_saved_as_soon_as_there_is_room_and_that_is_said(table: Table) -> None:
    press(table.box, OPENED)
    table.fill_the_disk()
    press(table.box, "A4 DB11")
    table.wait(60)
    assert table.box.view().unsaved == 2
    table.make_room()
    table.wait(LAST_RETRY)
    assert table.box.view().unsaved is None
    assert "Everything is saved again" in says(table.box)
    assert [line.split('"')[3] for line in table.saved()] == ["start", "deal", "play", "pledge"]


def test_a_disk_that_refuses_is_tried_more_and_more_rarely_and_a_well_one_never(table: Table) -> None:
    press(table.box, OPENED)
    tries = []
    table.wait(1000)
    table.fill_the_disk()
    press(table.box, "A4")
    for _try in range(9):
        due = table.due
        assert due is not None
        tries.append(due - table.clock.passed())
        table.wait(tries[-1])
    assert tries == [0.5, 1, 2, 4, 8, 8, 8, 8, 8]
    table.make_room()
    table.wait(LAST_RETRY + IDLE)
    assert table.due is None


def test_nobody_is_told_good_bye_as_if_everything_were_saved(table: Table) -> None:
    press(table.box, OPENED)
    table.fill_the_disk()
    press(table.box, "A4")
    assert table.box.say_goodbye()
    assert table.box.picture == goodbye("Entries not saved: 1")
    table.make_room()
    assert table.box.say_goodbye()
    assert table.box.picture == goodbye("Every entry is saved")
    assert len(table.saved()) == 3


def test_a_box_with_unsaved_entries_does_not_switch_itself_off(table: Table) -> None:
    press(table.box, OPENED)
    table.fill_the_disk()
    press(table.box, "A4")
    table.box.take(PANEL, POWER)
    assert table.machine.asked == 0
    assert "Entries not saved: 1" in says(table.box)
    table.make_room()
    table.box.take(PANEL, POWER)
    assert table.machine.asked == 1


def test_a_box_that_starts_on_a_full_disk_says_so_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk(monkeypatch)
    disk.full = True
    journal = Journal(tmp_path / "journal")
    box = new_box(journal)
    assert "Not saved: the disk is full" in says(box)
    press(begin(box), OPENED)
    assert not (tmp_path / "journal").exists()
    disk.full = False
    assert box.upkeep.save()
    assert len(lines_of(Journal(tmp_path / "journal", writes=False))) == 2
    journal.close()


def test_an_index_that_the_disk_does_not_take_is_no_matter(table: Table) -> None:
    press(table.box, OPENED)
    table.fill_the_disk()
    table.wait(IDLE)
    assert table.due is None
    assert table.box.view().unsaved is None
    assert "Not saved" not in says(table.box)


def test_a_disk_that_refuses_when_an_old_game_is_mended_is_said_and_tried_again(table: Table) -> None:
    press(table.box, "1")  # a game without an entry would be put away
    begin(table.box)
    table.journal.close()
    (table.folder / "games" / f"{name_of(table.journal)}.jsonl").write_bytes(b"damaged\n")
    again = Table(table.folder, table.disk, start=False)
    again.fill_the_disk()
    again.wait(UNDISTURBED + FIRST_RETRY)
    assert "Not saved: the disk is full" in says(again.box)
    again.make_room()
    again.wait(LAST_RETRY)
    assert "Everything is saved again" in says(again.box)
    again.journal.close()


def test_the_index_is_written_when_nobody_has_pressed_a_key_for_a_minute(table: Table) -> None:
    press(table.box, OPENED)
    table.wait(IDLE / 2)
    press(table.box, "A")
    index = table.folder / "index.jsonl"
    begun = index.read_bytes()
    table.wait(IDLE - 1)
    assert index.read_bytes() == begun
    table.wait(1)
    assert index.read_bytes() != begun
    press(table.box, "A")
    assert table.due is None  # nothing was entered since


def test_what_is_entered_by_a_script_is_saved_and_listed_before_it_ends(table: Table) -> None:
    press(table.box, "h#53 33 22 54 1# 3")
    assert table.box.upkeep.finish()
    assert name_of(table.journal) in (table.folder / "index.jsonl").read_text()
    table.fill_the_disk()
    press(table.box, "**")
    assert not table.box.upkeep.finish()


# The history's index


def finished(table: Table, count: int) -> Table:
    """Write finished games into the journal, and start the box anew."""
    header, lines = whole_game(1)
    for _game in range(count):
        written(table.journal, json.dumps(header), *lines, over=True)
    table.journal.close()
    return Table(table.folder, table.disk, start=False)


def indexed(table: Table) -> int:
    """Return of how many games the index holds the result."""
    return len(Index(table.folder, writes=False).results())


def test_the_history_is_indexed_soon_after_the_start_and_then_nothing_wakes_the_box(table: Table) -> None:
    again = finished(table, 3)
    again.wait(UNDISTURBED + 10 * BETWEEN)
    assert indexed(again) == 3
    assert again.due is None
    again.journal.close()


def test_a_key_postpones_the_history(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    again, each = finished(table, 5), History.each

    def slowly(history: History) -> Iterator[GameResult | None]:
        for result in each(history):
            again.clock.let_pass(SLICE)
            yield result

    monkeypatch.setattr(History, "each", slowly)
    monkeypatch.setattr(history, "BATCH", 1)
    again.wait(UNDISTURBED + 3 * (SLICE + BETWEEN))
    before = indexed(again)
    assert 0 < before < 5
    press(again.box, "8")
    again.wait(UNDISTURBED - BETWEEN)
    assert indexed(again) == before
    again.wait(1)
    assert indexed(again) == 5
    assert again.due is None
    again.journal.close()


def test_a_game_that_is_finished_is_in_the_history_a_minute_later(table: Table) -> None:
    header, lines = whole_game(1)
    press(table.box, OPENED)
    written(table.journal, json.dumps(header), *lines, over=True)
    table.wait(IDLE - 1)
    assert indexed(table) == 0
    table.wait(1 + 10 * BETWEEN)
    assert indexed(table) == 1
    assert table.due is None


def test_the_history_waits_until_everything_is_saved(table: Table) -> None:
    header, lines = whole_game(1)
    written(table.journal, json.dumps(header), *lines, over=True)
    press(table.box, OPENED)
    table.fill_the_disk()
    press(table.box, "A4")
    table.wait(IDLE)
    assert indexed(table) == 0
    table.make_room()
    table.wait(LAST_RETRY + IDLE + 1)
    assert indexed(table) == 1
    assert table.due is None


def test_the_history_of_a_journal_in_memory_needs_no_index() -> None:
    journal, clock = Journal(), FixedClock()
    header, lines = whole_game(1)
    written(journal, json.dumps(header), *lines, over=True)
    upkeep = Box(journal, Outputs(MemoryPanel(), clock), clock).upkeep
    while (due := upkeep.due) is not None:
        clock.let_pass(due - clock.passed())
        upkeep.tick()
    assert clock.passed() < UNDISTURBED + 3 * BETWEEN
