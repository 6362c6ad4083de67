"""A disk that refuses writes: unsaved lines are kept in memory, counted, and saved when the disk accepts them.

``python -m tests.harness.stress damage`` does all of this exhaustively.
"""

from __future__ import annotations

import errno
import os
import random
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal import Journal, JournalError

from .calls import Call, Calls
from .folders import laid
from .outside_changes import happened, mishaps
from .recorded import Teller, evening, evening_kept
from .starts import logged, started
from .tracing import refused

REFUSED: list[tuple[int, int | None]] = [(errno.EROFS, None), (errno.EACCES, None)]
REFUSED += [(error, torn) for error in (errno.EIO, errno.ENOSPC) for torn in (None, 0, 40)]
"""Errors, and how many bytes of a write reach the disk before them; only a disk that fails or is full tears a write."""


@pytest.mark.unmeasured
@pytest.mark.parametrize(("error", "torn"), REFUSED)
def test_everything_is_saved_when_the_disk_takes_it_again(error: int, torn: int | None, place: Path) -> None:
    chance = random.Random(f"{error} {torn}")
    number = seen = 0
    while refused(place, range(number, number + chance.choice([1, 1, 3, 9999])), error, torn=torn)["refused"]:
        number += chance.randrange(10, 30)
        seen += 1
    assert seen > 5


@pytest.mark.unmeasured
@pytest.mark.parametrize("name", mishaps({}))
def test_a_folder_that_others_change_is_found_as_it_should_be(name: str, place: Path) -> None:
    other, _ = evening_kept(place / "other")
    for number in (1, 8, 14, 23, 39, 48):
        happened(place, name, mishaps(other)[name], number)


class Trouble:
    """A disk that refuses everything while `why` is set."""

    def __init__(self) -> None:
        self.why = 0

    def __call__(self, call: Call) -> None:
        if self.why and call.changes:
            raise OSError(self.why, os.strerror(self.why))


@pytest.fixture
def disk(place: Path) -> Iterator[Trouble]:
    trouble = Trouble()
    with Calls(place, trouble).watched():
        yield trouble


WHY = [
    (errno.ENOSPC, "the disk is full"),
    (errno.EDQUOT, "the disk is full"),
    (errno.EROFS, "the disk can only be read"),
    (errno.EIO, "the disk is failing"),
    (errno.EACCES, "there is no permission"),
    (errno.ETIMEDOUT, "Connection timed out"),
]


@pytest.mark.parametrize(("error", "words"), WHY)
def test_what_the_disk_refuses_is_counted_and_said(error: int, words: str, place: Path, disk: Trouble) -> None:
    with closing(Journal(place / "box")) as journal:
        teller = Teller(journal)
        first, second = teller.begin(), teller.begin("gear")
        disk.why = error
        teller.append(second, "one")
        assert (journal.unsaved(), journal.unsaved(second), str(journal.fault)) == (1, 1, words)
        third = teller.begin()
        teller.append(third, "one")
        teller.append(first, "one")
        assert [journal.unsaved(game) for game in (None, first, second, third)] == [4, 1, 1, 2]
        teller.keep_setting("sounds", "off")
        teller.track(first, "quick")
        teller.keep_draft(first, "12")
        teller.leave_in(third)
        assert (journal.setting("sounds"), journal.open_game()) == ("off", third)
        assert not journal.save()
        assert journal.unsaved() == 4
        assert journal.lines(second) == ["one"]
        disk.why = 0
        assert journal.unsaved() == 4
        assert journal.save()
        assert (journal.unsaved(), journal.fault) == (0, None)
    start = started(place / "box")
    assert start.games == teller.told.games
    assert (start.settings["sounds"], start.open_game) == ("off", third)


def test_a_file_system_that_cannot_sync_folders_is_good_enough(place: Path) -> None:
    def refuse(call: Call) -> None:
        if call.name == "fsync" and Path(call.path).is_dir():
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    with Calls(place, refuse).watched(), closing(Journal(place / "box")) as journal:
        teller = Teller(journal)
        evening(teller)
        assert journal.fault is None
    assert started(place / "box").games == teller.told.games


def test_a_folder_whose_sync_fails_is_a_fault_until_it_works(place: Path) -> None:
    failing = True

    def refuse(call: Call) -> None:
        if failing and call.name == "fsync" and Path(call.path).is_dir():
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    with closing(Journal(place / "box")) as journal, Calls(place, refuse).watched():
        game = Teller(journal).begin()
        assert (str(journal.fault), journal.unsaved(game)) == ("the disk is failing", 1)
        failing = False
        assert journal.save()
    assert game in started(place / "box").games


def test_closing_tries_once_more(place: Path, disk: Trouble) -> None:
    with closing(Journal(place / "box")) as journal:
        teller = Teller(journal)
        game = teller.begin()
        disk.why = errno.ENOSPC
        teller.append(game, "one")
        disk.why = 0
    assert started(place / "box").games == teller.told.games


def test_a_box_starts_on_a_disk_that_takes_nothing(place: Path, disk: Trouble) -> None:
    files, told = evening_kept(place / "first")
    for box in (place / "new", laid(place / "old", files)):
        disk.why = errno.EROFS
        with logged(), closing(Journal(box)) as journal:
            assert len(journal.games()) == (3 if box.name == "old" else 0)
            game = Teller(journal).begin()
            assert str(journal.fault) == "the disk can only be read"
            assert journal.unsaved(game) == 1
            disk.why = 0
            assert journal.save()
        assert game in started(box).games
    assert told.games.keys() < started(place / "old").games.keys()


def test_a_damaged_journal_on_a_disk_that_takes_nothing_is_read(place: Path, disk: Trouble) -> None:
    files, told = evening_kept(place / "first")
    box = laid(place / "box", files)
    for name in files:
        if name.startswith("games/"):
            (box / name).write_bytes(b"#" * 99)
    disk.why = errno.EROFS
    with logged() as log, closing(Journal(box)) as journal:
        journal.check_all()
        assert {saved.name: [saved.header, *journal.lines(saved.name)] for saved in journal.games()} == told.games
        assert journal.notices == []  # nothing is mended yet
    assert len(log) >= 3
    disk.why = 0
    start = started(box)
    assert start.games == told.games
    assert len(start.notices) == 3


@pytest.mark.parametrize("error", [errno.EACCES, errno.ENOTDIR])
def test_a_folder_that_cannot_be_used_is_a_fault_of_the_start(error: int, place: Path, disk: Trouble) -> None:
    disk.why = error
    with pytest.raises(JournalError, match=r"the journal cannot be kept in .*/box: th"):
        Journal(place / "box")


def test_a_file_in_the_place_of_the_folder_is_a_fault_of_the_start(place: Path) -> None:
    (place / "box").write_text("a file")
    with pytest.raises(JournalError, match=r"the journal cannot be kept in .*/box: that is not a folder"):
        Journal(place / "box")
    assert (place / "box").read_text() == "a file"


def test_folders_that_cannot_be_listed_are_told_once_and_lose_nothing(place: Path) -> None:
    _, told = evening_kept(place / "box")
    last = list(told.games)[-1]

    def fail(call: Call) -> None:
        if call.name == "listdir":
            raise OSError(errno.EIO, "no")

    with logged(), Calls(place, fail).watched(), closing(Journal(place / "box")) as journal:
        assert journal.games() == journal.games() == []
        assert [*map(str, journal.notices)] == ["The games cannot be listed: the disk is failing"]
        assert journal.lines(last) == told.games[last][1:]
    assert started(place / "box").games == told.games


def test_a_folder_removed_after_a_start_is_made_again_with_the_open_game(place: Path) -> None:
    files, told = evening_kept(place / "first")
    box = laid(place / "box", files)
    last = list(told.games)[-1]
    with logged(), closing(Journal(box)) as journal:
        assert journal.open_game() == last
        assert journal.draft(last) == "345"
        assert journal.lines(last) == told.games[last][1:]
        shutil.rmtree(box)
        journal.append(last, "one more", now=0.0, tracking="full")
        assert journal.unsaved() == 0
        assert [str(notice) for notice in journal.notices] == [
            "Files were missing or changed. All open games are written again"
        ]
    assert started(box).games == {last: [*told.games[last], "one more"]}


def test_a_folder_that_another_box_holds_by_now_is_not_written_in(place: Path) -> None:
    with closing(Journal(place / "box")) as journal:
        teller = Teller(journal)
        games = evening(teller)
        (place / "box").rename(place / "moved")
        with closing(Journal(place / "box")) as other:
            theirs = Teller(other).begin()
            teller.append(games[-1], "one more")
            assert "another companion already uses the journal" in str(journal.fault)
            assert journal.unsaved() == 1
            assert not journal.save()
        assert journal.save()
    start = started(place / "box")
    assert start.games.keys() == {theirs, games[-1]}
    assert start.games[games[-1]] == teller.told.games[games[-1]]
