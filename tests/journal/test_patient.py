"""What a patient journal does while a disk refuses, and after; what it promises all the time is in the contract."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.text import Text
from companion.journal import DiskFault, Journal, JournalFault
from companion.journal.memory import MemoryJournal
from companion.journal.opening import open_journal, read_journal
from companion.journal.patient import STALE, PatientJournal

FULL = "the disk is full"


def everything(journal: MemoryJournal | PatientJournal) -> object:
    """All that can be read of a journal."""
    games = journal.games()
    return (
        games,
        [(journal.lines(saved.number), journal.draft(saved.number)) for saved in games],
        journal.open_game(),
        [journal.setting(name) for name in ("language", "sounds")],
    )


def test_while_the_disk_takes_everything_nothing_waits() -> None:
    inner = MemoryJournal()
    journal = PatientJournal(inner)
    assert journal.begin("header", "full", 1.0) == 1
    journal.append(1, 1, "line", False, 2.0)
    assert (journal.fault, journal.unsaved(), inner.lines(1)) == (None, 0, ["line"])


def test_what_the_disk_refuses_waits_and_is_written_once_it_takes_it() -> None:
    inner = MemoryJournal()
    journal = PatientJournal(inner)
    journal.begin("header", "full", 1.0)
    inner.fault = FULL
    journal.append(1, 1, "one", False, 2.0)
    journal.append_all(1, 2, ("two", "three"), True, 3.0)
    assert (journal.unsaved(), journal.unsaved(1), journal.unsaved(2)) == (3, 3, 0)
    assert isinstance(journal.fault, DiskFault)
    assert not journal.save()
    assert inner.lines(1) == []
    inner.fault = None
    assert journal.save()
    assert (journal.unsaved(), inner.lines(1)) == (0, ["one", "two", "three"])
    assert inner.games()[0].over


def test_what_comes_after_waits_behind_it_even_if_the_disk_would_take_it() -> None:
    inner = MemoryJournal()
    journal = PatientJournal(inner)
    journal.begin("header", "full", 1.0)
    inner.fault = FULL
    journal.append(1, 1, "one", False, 2.0)
    inner.fault = None
    journal.append(1, 2, "two", False, 2.0)
    assert inner.lines(1) == []
    assert journal.save()
    assert inner.lines(1) == ["one", "two"]


def test_a_disk_that_fills_up_again_on_the_way_keeps_what_it_took() -> None:
    class Small(MemoryJournal):
        room = 1

        def append_all(self, *arguments: object) -> None:
            self.room -= 1
            self.fault = None if self.room >= 0 else FULL
            super().append_all(*arguments)  # type: ignore[arg-type]

    inner = Small()
    journal = PatientJournal(inner)
    inner.fault = FULL
    for game in (1, 2):
        journal.begin(f"header {game}", "full", 1.0)
        journal.append(game, 1, f"line of {game}", False, 2.0)
    inner.fault, inner.room = None, 1
    assert not journal.save()
    assert (inner.lines(1), inner.lines(2), journal.lines(2)) == (["line of 1"], [], ["line of 2"])
    assert (journal.unsaved(), journal.unsaved(2)) == (1, 1)
    inner.fault, inner.room = None, 9
    assert journal.save()
    assert (inner.lines(1), inner.lines(2)) == (["line of 1"], ["line of 2"])


def test_a_fault_that_is_not_the_disks_is_raised_and_nothing_waits() -> None:
    journal = PatientJournal(MemoryJournal())
    with pytest.raises(JournalFault, match="no game 7"):
        journal.append(7, 1, "line", False, 0.0)
    assert journal.fault is None


def test_games_begun_meanwhile_have_the_numbers_they_will_have() -> None:
    inner = MemoryJournal()
    journal = PatientJournal(inner)
    journal.begin("first", "full", 1.0)
    inner.fault = FULL
    assert [journal.begin(header, "full", 2.0) for header in ("second", "third")] == [2, 3]
    journal.append(3, 1, "line", False, 3.0)
    assert [saved.header for saved in journal.games()] == ["third", "second", "first"]
    inner.fault = None
    assert journal.save()
    assert [saved.header for saved in inner.games()] == ["third", "second", "first"]
    assert inner.lines(3) == ["line"]


def test_a_disk_that_cannot_even_be_read_stops_no_game() -> None:
    class Dead(MemoryJournal):
        dead = False

        def games(self) -> list:  # type: ignore[type-arg]
            if self.dead:
                raise JournalFault("the journal cannot be read: the disk is failing")
            return super().games()

    inner = Dead()
    journal = PatientJournal(inner)
    journal.begin("header", "full", 1.0)
    journal.append(1, 1, "one", False, 1.0)
    inner.dead, inner.fault = True, "the disk is failing"
    journal.append(1, 2, "two", False, 1.0)
    journal.keep_draft(1, "A")
    with pytest.raises(JournalFault, match="line 9 of game 1 is not the next: 2 are"):
        journal.append(1, 9, "nine", False, 1.0)
    inner.dead, inner.fault = False, None
    assert journal.save()
    assert (inner.lines(1), inner.draft(1)) == (["one", "two"], "A")


def test_no_copy_is_made_while_the_disk_refuses() -> None:
    inner = MemoryJournal()
    journal = PatientJournal(inner)
    journal.back_up()
    inner.fault = FULL
    journal.keep_setting("language", "fr")
    journal.back_up()
    assert inner.backups == 1


def test_closing_tries_once_more() -> None:
    inner = MemoryJournal()
    journal = PatientJournal(inner)
    journal.begin("header", "full", 1.0)
    inner.fault = FULL
    journal.append(1, 1, "line", False, 2.0)
    inner.fault = None
    inner.close, closed = lambda: None, inner.close  # type: ignore[method-assign]
    journal.close()
    assert inner.lines(1) == ["line"]
    closed()


def test_a_journal_that_could_only_be_read_is_opened_for_writing_when_that_can_be(tmp_path: Path) -> None:
    with closing(open_journal(tmp_path, 0.0)[0]) as before:
        before.begin("header", "full", 1.0)
        before.append(1, 1, "one", False, 1.0)
    refusing = [True]

    def reopen() -> tuple[Journal, None]:
        if refusing[0]:
            raise DiskFault(FULL, Text(FULL))
        return open_journal(tmp_path, 0.0)[0], None

    with closing(PatientJournal(read_journal(tmp_path), DiskFault(FULL, Text(FULL)), reopen)) as journal:
        journal.append(1, 2, "two", False, 2.0)
        assert journal.lines(1) == ["one", "two"]
        assert not journal.save()
        refusing[0] = False
        assert journal.save()
        journal.append(1, 3, "three", False, 2.0)
        with closing(read_journal(tmp_path)) as reader:
            assert reader.lines(1) == ["one", "two", "three"]


@pytest.mark.parametrize("played", [False, True])
def test_a_journal_that_is_opened_anew_and_lacks_nothing_is_left_as_it_is(tmp_path: Path, played: bool) -> None:
    with closing(open_journal(tmp_path, 0.0)[0]) as before:
        before.begin("header", "full", 1.0)
        before.append(1, 1, "one", False, 1.0)
    fault = DiskFault(FULL, Text(FULL))
    journal = PatientJournal(read_journal(tmp_path), fault, lambda: (open_journal(tmp_path, 0.0)[0], None))
    with closing(journal):
        assert not played or journal.lines(1) == ["one"]
        assert journal.save()
        assert (journal.unsaved(), journal.lines(1)) == (0, ["one"])


def test_everything_that_was_chosen_meanwhile_is_written_too() -> None:
    inner = MemoryJournal()
    journal = PatientJournal(inner)
    journal.begin("header", "full", 1.0)
    inner.fault = FULL
    journal.track(1, "quick")
    journal.keep_setting("language", "fr")
    journal.keep_draft(1, "A")
    journal.leave_in(1)
    assert everything(journal) != everything(inner)
    inner.fault = None
    assert journal.save()
    assert (inner.games()[0].tracking, inner.setting("language")) == ("quick", "fr")
    assert (inner.draft(1), inner.open_game()) == ("A", 1)


def test_what_the_disk_has_already_is_read_from_it_and_not_written_again() -> None:
    inner = MemoryJournal()
    inner.begin("header", "full", 1.0)
    inner.keep_draft(1, "A")
    journal = PatientJournal(inner)
    journal.keep_setting("language", "fr")
    assert journal.lines(1) == []
    inner.fault = FULL
    journal.keep_setting("sounds", "off")
    assert (journal.draft(1), journal.setting("language")) == ("A", "fr")
    inner.fault = None
    assert journal.save()
    assert (inner.setting("language"), inner.setting("sounds")) == ("fr", "off")


def test_a_journal_that_is_damaged_while_it_is_open_is_mended_and_completed(tmp_path: Path) -> None:
    def reopen() -> tuple[Journal, Text | None]:
        opened, notice = open_journal(tmp_path, 0.0)
        return opened, None if notice is None else notice.text

    first, _notice = open_journal(tmp_path, 0.0)
    with closing(PatientJournal(first, reopen=reopen)) as journal:
        for number in (1, 2):
            journal.begin(f"header {number}", "full", 1.0)
            journal.append_all(number, 1, [f"line {line}" for line in range(1, 50)], False, 1.0)
        for file in ("journal.db", "journal.db-wal"):
            size = (tmp_path / file).stat().st_size
            (tmp_path / file).write_bytes(b"\xff" * size)
        connection = first._connection
        assert connection is not None
        connection.execute("PRAGMA shrink_memory")  # forget the pages that are not damaged
        journal.append(2, 50, "line 50", True, 2.0)
        assert isinstance(journal.fault, DiskFault)
        assert journal.fault.damaged
        assert journal.save()
        assert "damaged" in str(journal.notice)
    with closing(read_journal(tmp_path)) as reader:
        saved = {saved.header: saved for saved in reader.games()}
        assert saved["header 2"].over
        assert reader.lines(saved["header 2"].number) == [f"line {line}" for line in range(1, 51)]


def test_a_journal_that_cannot_be_opened_anew_yet_is_tried_again_and_lists_what_is_known(tmp_path: Path) -> None:
    refusing = [True]

    def reopen() -> tuple[Journal, None]:
        if refusing[0]:
            raise DiskFault(FULL, Text(FULL))
        return open_journal(tmp_path, 0.0)[0], None

    class Damaged(MemoryJournal):
        def append_all(self, *arguments: object) -> None:
            raise DiskFault("it is damaged", Text("it is damaged"), damaged=True)

    inner = Damaged()
    with closing(PatientJournal(inner, reopen=reopen)) as journal:
        journal.begin("header", "full", 1.0)
        journal.games()
        journal.append(1, 1, "one", False, 1.0)
        assert not journal.save()  # the damaged one is closed by now, and no other is open
        assert [saved.lines for saved in journal.games()] == [1]
        journal.leave_in(None)
        assert journal.begin("another", "full", 2.0) == 2
        refusing[0] = False
        assert journal.save()
        assert (journal.lines(1), len(journal.games())) == (["one"], 2)


def test_files_that_are_in_vain_again_and_again_are_opened_anew(tmp_path: Path) -> None:
    opened = []

    def reopen() -> tuple[Journal, None]:
        opened.append(open_journal(tmp_path, 0.0)[0])
        return opened[-1], None

    inner = MemoryJournal()
    with closing(PatientJournal(inner, reopen=reopen)) as journal:
        journal.begin("header", "full", 1.0)
        inner.fault = "the stick was pulled out"
        journal.append(1, 1, "one", False, 1.0)
        tries = 0
        while not journal.save():
            tries += 1
        assert (tries, len(opened)) == (STALE, 1)
        assert opened[0].lines(1) == ["one"]


def test_lines_of_games_that_were_left_are_completed_too(tmp_path: Path) -> None:
    inner = MemoryJournal()
    journal = PatientJournal(inner, reopen=lambda: (open_journal(tmp_path, 0.0)[0], None))
    with closing(journal):
        for game in (1, 2):
            journal.begin(f"header {game}", "full", 1.0)
            journal.append(game, 1, f"line of {game}", False, 1.0)
            journal.track(game, "quick")
            inner.fault = FULL
        for _try in range(STALE + 1):
            journal.save()
        with closing(read_journal(tmp_path)) as reader:
            assert [reader.lines(game) for game in (1, 2)] == [["line of 1"], ["line of 2"]]
            assert [saved.tracking for saved in reader.games()] == ["quick", "quick"]


@pytest.mark.parametrize(
    ("header", "line", "said"), [("another", "one", "another one"), ("header", "other", "went on elsewhere")]
)
def test_a_game_that_somebody_else_went_on_with_is_not_said_to_be_saved(header: str, line: str, said: str) -> None:
    inner = MemoryJournal()
    fault = DiskFault(FULL, Text(FULL))
    journal = PatientJournal(MemoryJournal(), fault, lambda: (inner, None))
    journal.begin("header", "full", 1.0)
    journal.append(1, 1, "one", False, 1.0)
    inner.begin(header, "full", 1.0)
    inner.append(1, 1, line, False, 1.0)
    assert not journal.save()
    assert said in str(journal.fault)
    assert (journal.unsaved(), journal.lines(1)) == (1, ["one"])


@given(st.data())
def test_whenever_the_disk_refuses_all_reads_the_same_and_all_is_there_in_the_end(data: st.DataObject) -> None:
    inner, plain = MemoryJournal(), MemoryJournal()
    journal = PatientJournal(inner)
    for step in range(data.draw(st.integers(1, 25))):
        inner.fault = data.draw(st.sampled_from([None, FULL]))
        games = len(plain.games())
        game = data.draw(st.integers(1, games)) if games else 0
        match data.draw(st.sampled_from(["begin", "append", "track", "draft", "leave", "setting", "save"])):
            case "begin":
                assert journal.begin(f"h{step}", "full", step) == plain.begin(f"h{step}", "full", step)
            case "append" if game:
                lines = [f"{step}.{part}" for part in range(data.draw(st.integers(1, 3)))]
                sequence = len(plain.lines(game)) + 1
                for each in (journal, plain):
                    each.append_all(game, sequence, lines, step % 2 > 0, step)
            case "track" if game:
                for each in (journal, plain):
                    each.track(game, f"way {step}")
            case "draft" if game:
                for each in (journal, plain):
                    each.keep_draft(game, f"A{step}")
            case "leave":
                for each in (journal, plain):
                    each.leave_in(game or None)
            case "setting":
                for each in (journal, plain):
                    each.keep_setting("language", f"{step}")
            case "save":
                assert journal.save() is (inner.fault is None or not journal.fault)
        assert everything(journal) == everything(plain)
    inner.fault = None
    assert journal.save()
    assert everything(inner) == everything(plain)


def test_lines_that_are_only_looked_at_are_those_that_wait_too_and_no_other_game_is_forgotten() -> None:
    inner = MemoryJournal()
    journal = PatientJournal(inner)
    journal.begin("one", "full", 1.0)
    journal.begin("two", "full", 2.0)
    assert journal.peek(1) == []
    inner.fault = FULL
    journal.append(2, 1, "waits", False, 3.0)
    assert (journal.peek(2), journal.peek(1), inner.lines(2)) == (["waits"], [], [])
    inner.fault = None
    assert journal.save()
    assert inner.lines(2) == ["waits"]
