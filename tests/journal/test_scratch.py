"""Typed keys of an unfinished answer in a scratch folder in memory: no wear of the card, no loss at a kill."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal import Journal
from companion.journal.folder import unsaved_entries

from .calls import Call, Calls
from .folders import taken
from .recorded import Teller
from .starts import started


class Box:
    """A box whose journal has a scratch folder."""

    def __init__(self, place: Path) -> None:
        self.data, self.scratch = place / "box", place / "run" / "scratch"
        self.journal = Journal(self.data, scratch=self.scratch)
        self.teller = Teller(self.journal)
        self.game = self.teller.begin()
        self.teller.leave_in(self.game)
        self.teller.keep_draft(self.game, "12", sync=True)

    def draft(self, scratch: Path | None = None) -> str:
        """Kill the box, and return the draft that the next one finds."""
        self.journal.close()
        with closing(Journal(self.data, scratch=scratch)) as journal:
            assert journal.open_game() == self.game
            assert journal.notices == []
            return str(journal.draft(self.game))


@pytest.fixture
def box(place: Path) -> Iterator[Box]:
    box = Box(place)
    yield box
    box.journal.close()


def test_typed_keys_are_not_written_to_the_data_folder(box: Box) -> None:
    before = taken(box.data)
    box.teller.keep_draft(box.game, "123")
    assert taken(box.data) == before
    assert len(taken(box.scratch)) == 1


def test_a_kill_loses_no_key(box: Box) -> None:
    box.teller.keep_draft(box.game, "123")
    assert box.draft(box.scratch) == "123"


@pytest.mark.parametrize("synced", [True, False])
def test_what_is_begun_in_a_game_is_kept_however_many_others_are_played_after_it(box: Box, synced: bool) -> None:
    others = [box.teller.begin() for _ in range(30)]
    for number in range(12 * len(others)):
        box.teller.keep_draft(others[number % len(others)], "1" if number % 2 else "", sync=synced)
    box.teller.leave_in(box.game)
    assert box.draft(box.scratch) == "12"


def test_what_was_begun_and_then_entered_crowds_out_nothing(box: Box) -> None:
    others = [box.teller.begin() for _ in range(110)]
    for other in others:
        box.teller.keep_draft(other, "1", sync=True)
        box.teller.append(other, '{"type":"play","card":"sky-7"}')
    for number in range(200):
        box.teller.keep_draft(others[-1 - number % 2], "", sync=True)
    box.teller.leave_in(box.game)
    assert box.draft() == "12"


def test_a_pulled_plug_loses_the_keys_after_the_last_answer(box: Box) -> None:
    box.teller.keep_draft(box.game, "123")
    shutil.rmtree(box.scratch)
    assert box.draft(box.scratch) == "12"


def test_a_start_without_a_scratch_folder_finds_the_last_answer(box: Box) -> None:
    box.teller.keep_draft(box.game, "123")
    assert box.draft() == "12"


def test_a_scratch_folder_of_earlier_is_not_believed(box: Box) -> None:
    box.teller.keep_draft(box.game, "123")
    box.journal.close()
    with closing(Journal(box.data)) as journal:  # somebody else started it meanwhile
        teller = Teller(journal, box.teller.told)
        box.game = teller.begin()
        teller.leave_in(box.game)
        teller.keep_draft(box.game, "4", sync=True)
    assert box.draft(box.scratch) == "4"


def test_damage_of_the_scratch_folder_loses_nothing_else(box: Box) -> None:
    box.teller.keep_draft(box.game, "123")
    (name,) = taken(box.scratch)
    content = (box.scratch / name).read_bytes()
    box.journal.close()
    for at in range(0, len(content.rstrip(b"\0")), 7):
        (box.scratch / name).write_bytes(content[:at] + b"#" + content[at + 1 :])
        with closing(Journal(box.data, scratch=box.scratch)) as journal:
            assert journal.open_game() == box.game
            assert journal.draft(box.game) in ("12", "123")
            assert journal.notices == []


def test_a_scratch_folder_that_takes_nothing_delays_no_entry(box: Box) -> None:
    def refuse(call: Call) -> None:
        if call.changes and call.path.startswith(f"{box.scratch}"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Calls(box.data.parent, refuse).watched():
        box.teller.keep_draft(box.game, "123")
        box.teller.keep_draft(box.game, "1234")
        assert [*map(str, box.journal.notices)] == ["A half-entered answer is not kept: the disk is full"]
        box.teller.append(box.game, "one")
        assert (box.journal.unsaved(), box.journal.fault) == (0, None)
    box.teller.keep_draft(box.game, "12")
    assert box.journal.draft_fault is None
    box.journal.close()
    assert started(box.data).games == box.teller.told.games


def test_a_folder_that_cannot_be_made_at_the_start_stops_no_box(place: Path) -> None:
    def refuse(call: Call) -> None:
        if call.name == "mkdir":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Calls(place, refuse).watched():
        journal = Journal(place / "box", scratch=place / "run")
        assert str(journal.fault) == "the disk is full"
    with closing(journal):
        teller = Teller(journal)
        game = teller.begin()
        teller.leave_in(game)
        teller.keep_draft(game, "12")
        assert journal.save()
    with closing(Journal(place / "box", scratch=place / "run")) as journal:
        assert (journal.open_game(), journal.draft(game)) == (game, "")  # only this once they were in the folder


def test_typed_keys_that_are_damaged_are_not_believed(place: Path) -> None:
    with closing(Journal(place / "box")) as journal:
        first, second = (Teller(journal).begin() for _ in range(2))
        for game in (first, second):
            journal.set_open_game(game)
    file = place / "box" / "typed.jsonl"
    file.write_bytes(file.read_bytes().replace(second.encode(), b"?" * len(second)))
    for _ in range(2):
        with closing(Journal(place / "box")) as journal:
            assert journal.open_game() == second


def test_what_the_disk_refuses_is_counted_there_until_it_is_saved(box: Box) -> None:
    def refuse(call: Call) -> None:
        if call.changes and call.path.startswith(f"{box.data}"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    assert unsaved_entries(box.data, box.scratch) == 0
    with Calls(box.data.parent, refuse).watched():
        for number, line in enumerate(("one", "two"), 1):
            box.teller.append(box.game, line)
            assert unsaved_entries(box.data, box.scratch) == box.journal.unsaved() == number
    assert box.journal.save()
    assert unsaved_entries(box.data, box.scratch) == 0
    assert unsaved_entries(box.data, None) == 0
    box.journal.close()
    noted = box.scratch / f"unsaved-{box.data.stat().st_ino}"
    noted.write_text("3")  # it was killed meanwhile
    with closing(Journal(box.data, scratch=box.scratch)):
        assert not noted.exists()


def test_a_count_of_what_is_not_saved_that_cannot_be_written_or_read_harms_nothing(box: Box) -> None:
    noted = box.scratch / f"unsaved-{box.data.stat().st_ino}"
    noted.mkdir()

    def refuse(call: Call) -> None:
        if call.changes and call.path.startswith(f"{box.data}"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Calls(box.data.parent, refuse).watched():
        box.teller.append(box.game, "one")
        assert box.journal.unsaved() == 1
    assert unsaved_entries(box.data, box.scratch) == 0
    assert unsaved_entries(box.data / "gone", box.scratch) == 0
    assert box.journal.save()
