"""Games that were removed: gone from the list, whole in one of two places after any power cut, brought back."""

from __future__ import annotations

import errno
import random
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from companion.journal import Journal, JournalError
from companion.journal.backup import restore, write_backup

from .calls import Calls, Killed, refusing
from .folders import laid, taken
from .power_cuts import PowerCutDisk, by, none

HEADER = '{"format":1,"game":"hipparchus","players":["Aki","Bea"]}'
LINES = ['{"type":"start","player":0}', '{"type":"undo"}', '{"type":"redo"}']


def begun(journal: Journal, lines: int = 3) -> str:
    """Begin a game with some lines; return its name."""
    name = journal.name_for("hipparchus")
    journal.begin(name, HEADER, "full", 5.0)
    for line in LINES[:lines]:
        journal.append(name, line, now=6.0, tracking="full")
    return name


@pytest.fixture(params=["memory", "disk"])
def journal(request: pytest.FixtureRequest, place: Path) -> Journal:
    return Journal(None if request.param == "memory" else place / "box")


def test_a_game_that_is_put_away_is_in_no_list_and_comes_back_whole(journal: Journal) -> None:
    first, second = begun(journal), begun(journal)
    before = journal.saved(first)
    journal.set_open_game(first)
    journal.put_away(first)
    assert (journal.names(), journal.removed_names(), journal.removed()) == ([second], [first], [before])
    assert journal.open_game() is None
    assert [game.name for game in journal.games()] == [second]
    with pytest.raises(JournalError):
        journal.lines(first)
    journal.bring_back(first)
    assert (journal.names(), journal.removed_names()) == ([first, second], [])
    assert (journal.saved(first), journal.lines(first)) == (before, LINES)


def test_a_game_without_an_entry_is_not_offered_and_its_number_is_not_used_again(journal: Journal) -> None:
    name = begun(journal, 0)
    journal.put_away(name)
    assert (journal.removed_names(), journal.removed()) == ([name], [])
    assert journal.name_for("hipparchus").startswith("000002")


def test_what_was_put_away_is_deleted_for_good_and_its_number_is_not_used_again(journal: Journal) -> None:
    kept, gone = begun(journal), begun(journal)
    journal.put_away(gone)
    assert journal.empty_removed() == [gone]
    assert (journal.names(), journal.removed_names(), journal.empty_removed()) == ([kept], [], [])
    assert journal.name_for("hipparchus").startswith("000003")


def test_a_start_says_nothing_of_a_game_that_was_put_away(place: Path) -> None:
    with closing(Journal(place)) as journal:
        first, second = begun(journal), begun(journal)
        journal.update_index()
        index = (place / "index.jsonl").read_bytes()
        journal.put_away(first)
    (place / "index.jsonl").write_bytes(index)  # the plug was pulled before it was written
    with closing(Journal(place)) as journal:
        assert (journal.names(), journal.removed_names(), journal.notices) == ([second], [first], [])


def put_away(journal: Journal, name: str) -> None:
    journal.put_away(name)


def brought_back(journal: Journal, name: str) -> None:
    journal.bring_back(name)


def killed_after(count: int, box: Path, disk: PowerCutDisk) -> Calls:
    """Return the calls of a process that is killed after so many of them."""
    calls = Calls(box, None, disk.take)
    calls.before = lambda _call: calls.kill() if calls.count > count else None
    return calls


@pytest.mark.parametrize("move", [put_away, brought_back])
def test_a_power_cut_at_any_call_leaves_the_game_whole_in_one_place(
    move: Callable[[Journal, str], None], place: Path
) -> None:
    box = place / "disk" / "box"
    with closing(Journal(box)) as journal:
        name = begun(journal)
        begun(journal)
        if move is brought_back:
            journal.put_away(name)
        files = taken(box)
    chance, at, moved = random.Random(1), 0, set[bool]()
    while True:
        for folder in (box, place / "left"):
            laid(folder, files)
        journal, disk = Journal(box), PowerCutDisk(box)
        calls = killed_after(at, box, disk)
        with suppress(Killed), calls.watched():
            move(journal, name)
        journal._folder.release()
        for choose in (none, *(by(chance) for _ in range(6))):
            laid(place / "left", disk.left(choose))
            with closing(Journal(place / "left")) as after:
                there, away = name in after.names(), name in after.removed_names()
                assert there != away, at
                moved.add(away)
                if away:
                    after.bring_back(name)
                assert after.lines(name) == LINES
                assert after.notices == []
        if calls.count <= at:
            break
        at += 1
    assert at > 5
    assert moved == {False, True}


@pytest.mark.parametrize("move", [put_away, brought_back])
@pytest.mark.parametrize("number", range(12))
def test_a_disk_that_refuses_leaves_the_game_whole_in_one_place(
    number: int, move: Callable[[Journal, str], None], place: Path
) -> None:
    with closing(Journal(place)) as journal:
        name = begun(journal)
        if move is brought_back:
            journal.put_away(name)
        before, _refused = refusing({number}, errno.EROFS)
        with suppress(JournalError), Calls(place, before).watched():
            move(journal, name)
    with closing(Journal(place)) as journal:
        assert (name in journal.names()) != (name in journal.removed_names())
        if name in journal.removed_names():
            journal.bring_back(name)
        assert journal.lines(name) == LINES


def test_a_folder_of_removed_games_that_cannot_be_listed_is_taken_for_empty(place: Path) -> None:
    with closing(Journal(place)) as journal:
        begun(journal)
        (place / "removed").mkdir()
        (place / "removed" / "games").touch()
        assert journal.removed_names() == journal.empty_removed() == []


def test_a_backup_takes_games_along_that_were_put_away_and_they_stay_so(place: Path) -> None:
    with closing(Journal(place / "box")) as journal:
        first, second = begun(journal), begun(journal)
        journal.put_away(first)
    assert write_backup(place / "box", place / "backup.zip").games == [second]
    restored = restore(place / "new", place / "backup.zip")
    assert sorted(restored.added) == [first, second]
    with closing(Journal(place / "new")) as journal:
        assert (journal.names(), journal.removed_names()) == ([second], [first])
        journal.bring_back(first)
        assert journal.lines(first) == LINES
    assert sorted(restore(place / "new", place / "backup.zip").same) == [first, second]


def test_a_backup_does_not_bring_back_what_was_put_away_since(place: Path) -> None:
    with closing(Journal(place / "box")) as journal:
        name = begun(journal)
        write_backup(place / "box", place / "backup.zip")
        journal.put_away(name)
    assert restore(place / "box", place / "backup.zip").same == [name]
    with closing(Journal(place / "box")) as journal:
        assert (journal.names(), journal.removed_names()) == ([], [name])
