"""A disk that refuses stops no game, and is never said to have taken what it has not."""

from __future__ import annotations

from companion.app.box import Box
from companion.app.clock import StandingClock
from companion.app.front import Front
from companion.app.headless import answer
from companion.app.loop import Inbox, Stop, run
from companion.app.panel import MemoryPanel
from companion.app.saving import AFTER_A_ROUND, FIRST_RETRY, LAST_RETRY
from companion.core.text import Text
from companion.journal import DiskFault, JournalFault
from companion.journal.memory import MemoryJournal
from companion.journal.patient import PatientJournal
from companion.ui.keys import POWER, Key
from companion.ui.splash import goodbye
from tests.app.boxes import begin, new_box, press, says

OPENED = "1 A3 B9"


class Machine:
    """What can be switched off."""

    asked = 0

    def may(self) -> bool:
        return True

    def off(self) -> None:
        self.asked += 1


class Table:
    """A box in a game of Eternity, its journal, its clock and its machine."""

    def __init__(self, tracking: str = "full") -> None:
        self.journal = MemoryJournal()
        self.clock = StandingClock()
        self.machine = Machine()
        self.box = Box(self.journal, Front(MemoryPanel(), self.clock), self.clock, power=self.machine)
        begin(self.box, tracking=tracking)

    def fill_the_disk(self) -> None:
        self.journal.fault = "the disk is full"

    def make_room(self) -> None:
        self.journal.fault = None

    @property
    def due(self) -> float | None:
        return self.box.saving.due

    def wait(self, seconds: float) -> None:
        """Let time pass, as the loop does."""
        until = self.clock.passed() + seconds
        while (due := self.box.saving.due) is not None and due <= until:
            self.clock.let_pass(due - self.clock.passed())
            self.box.saving.tick()
        self.clock.let_pass(until - self.clock.passed())


def test_a_full_disk_is_said_once_and_the_game_goes_on() -> None:
    table = Table()
    press(table.box, OPENED)
    table.fill_the_disk()
    said = says(press(table.box, "A4"))
    assert "Not saved: the disk is full. Leave the plug in" in said
    assert "Bea:" in said
    assert "the disk is full" not in says(press(table.box, "D"))
    assert "Cyr:" in says(press(table.box, "B11"))


def test_a_full_disk_is_said_when_an_answer_is_whole_and_marked_at_once() -> None:
    table = Table()
    press(table.box, OPENED)
    table.fill_the_disk()
    assert "the disk is full" not in says(press(table.box, "A"))
    assert table.box.view().unsaved == 0
    assert table.due == FIRST_RETRY
    assert "Not saved: the disk is full" in says(press(table.box, "4"))
    assert table.box.view().unsaved == 1


def test_what_is_not_saved_is_counted_on_every_screen() -> None:
    table = Table()
    press(table.box, OPENED)
    assert table.box.view().unsaved is None
    table.fill_the_disk()
    assert press(table.box, "A4").view().unsaved == 1
    assert press(table.box, "DB11").view().unsaved == 2
    assert "Entries not saved: 2" in says(press(table.box, "h#"))
    assert press(table.box, "8").view().unsaved == 2


def test_only_saved_entries_are_counted_as_such() -> None:
    table = Table()
    press(table.box, OPENED)
    saved = table.box.lines
    table.fill_the_disk()
    assert press(table.box, "A4").lines == saved == len(table.journal.lines(1))
    table.make_room()
    table.wait(FIRST_RETRY)
    assert table.box.lines == saved + 1 == len(table.journal.lines(1))


def test_everything_is_saved_as_soon_as_there_is_room_and_that_is_said() -> None:
    table = Table()
    press(table.box, OPENED)
    table.fill_the_disk()
    press(table.box, "A4 DB11")
    table.wait(60)
    assert table.box.view().unsaved == 2
    table.make_room()
    table.wait(LAST_RETRY)
    assert table.box.view().unsaved is None
    assert "Everything is saved again" in says(table.box)
    assert [line.split('"')[3] for line in table.journal.lines(1)] == ["start", "deal", "play", "pledge"]


def test_a_disk_that_refuses_is_tried_more_and_more_rarely_and_a_well_one_never() -> None:
    table = Table()
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
    table.wait(LAST_RETRY)
    assert table.due is None


def test_a_second_trouble_is_said_like_the_first() -> None:
    table = Table()
    press(table.box, OPENED)
    for card in ("A4", "7"):
        table.fill_the_disk()
        assert "Not saved" in says(press(table.box, card))
        table.make_room()
        table.wait(FIRST_RETRY)


def test_an_unsaved_entry_is_taken_back_and_corrected_like_any_other() -> None:
    table = Table()
    press(table.box, OPENED)
    table.fill_the_disk()
    press(table.box, "A4 * A5 h* # A7")
    assert "Aki" in says(table.box)
    table.make_room()
    table.wait(LAST_RETRY)
    again = new_box(table.journal)
    assert again.game is not None
    assert table.box.game is not None
    assert again.game.session.state == table.box.game.session.state


def test_a_game_begun_on_a_full_disk_is_played_left_and_found_again() -> None:
    table = Table()
    table.fill_the_disk()
    begin(table.box)
    press(table.box, OPENED)
    press(table.box, "h#8")
    assert "All games 2" in says(table.box)
    press(table.box, "1")
    assert table.box.game is not None
    assert table.box.game.number == 2
    table.make_room()
    table.wait(LAST_RETRY)
    assert len(table.journal.lines(2)) == 2


def test_nobody_is_told_good_bye_as_if_everything_were_saved() -> None:
    table = Table()
    press(table.box, OPENED)
    table.fill_the_disk()
    press(table.box, "A4")
    assert table.box.say_goodbye()
    assert table.box.picture == goodbye("Entries not saved: 1")
    table.make_room()
    assert table.box.say_goodbye()
    assert table.box.picture == goodbye("Every entry is saved")
    assert len(table.journal.lines(1)) == 3


def test_a_box_with_unsaved_entries_does_not_switch_itself_off() -> None:
    table = Table()
    press(table.box, OPENED)
    table.fill_the_disk()
    press(table.box, "A4")
    table.box.press(POWER)
    assert table.machine.asked == 0
    assert "Entries not saved: 1" in says(table.box)
    table.make_room()
    table.box.press(POWER)
    assert table.machine.asked == 1


def test_a_box_that_starts_on_a_full_disk_says_so_first() -> None:
    inner = MemoryJournal()
    fault = DiskFault("the journal cannot be kept here: the disk is full", Text("the disk is full"))
    room = [False]

    def reopen() -> tuple[MemoryJournal, None]:
        if not room[0]:
            raise fault
        return inner, None

    box = new_box(PatientJournal(MemoryJournal(), fault, reopen))
    assert "Not saved: the disk is full" in says(box)
    press(begin(box), OPENED)
    assert inner.games() == []
    room[0] = True
    assert box.saving.save()
    assert len(inner.lines(1)) == 2


def test_a_copy_is_made_a_moment_after_each_round() -> None:
    table = Table("round")
    press(table.box, "3 2 5 0 # 3 2 4 1 # 2 #")
    assert table.due == AFTER_A_ROUND, says(table.box)
    assert table.journal.backups == 0
    table.wait(AFTER_A_ROUND)
    assert table.journal.backups == 1
    assert table.due is None


def test_what_is_entered_by_a_script_is_saved_and_copied_before_it_ends() -> None:
    table = Table("round")
    press(table.box, "3 2 5 0 # 3 2 4 1 # 2 #")
    assert table.box.saving.finish()
    assert (table.journal.backups, table.box.saving.due) == (1, None)
    table.fill_the_disk()
    press(table.box, "*")
    assert not table.box.saving.finish()


def test_a_script_is_told_when_everything_is_saved_again() -> None:
    table = Table()
    press(table.box, OPENED)
    table.fill_the_disk()
    assert "Not saved" in answer(table.box, "A4")
    table.make_room()
    assert '"events": 2' in answer(table.box, "9")
    table.clock.let_pass(FIRST_RETRY)
    assert '"events": 5' in answer(table.box, "2")


def test_a_box_that_was_to_switch_off_first_tries_again_by_itself() -> None:
    table = Table()
    press(table.box, OPENED)
    table.fill_the_disk()
    table.box.saving.round_over()
    press(table.box, "A4")
    table.box.press(POWER)
    table.make_room()
    table.wait(LAST_RETRY)
    assert table.box.view().unsaved is None


def test_a_copy_that_cannot_be_made_is_no_matter() -> None:
    class Copyless(MemoryJournal):
        def back_up(self) -> None:
            raise JournalFault("no room for a copy")

    clock = StandingClock()
    box = Box(Copyless(), Front(MemoryPanel(), clock), clock)
    box.saving.round_over()
    clock.let_pass(AFTER_A_ROUND)
    box.saving.tick()
    assert box.saving.due is None
    assert "Not saved" not in says(box)


def test_the_loop_comes_back_to_save() -> None:
    table = Table()
    press(table.box, OPENED)
    table.fill_the_disk()
    press(table.box, "A4")
    table.make_room()
    table.clock.let_pass(FIRST_RETRY)
    inbox = Inbox()
    inbox.put(Key("9"))
    inbox.put(Stop())
    run(table.box, inbox, table.clock)
    assert len(table.journal.lines(1)) == 4
