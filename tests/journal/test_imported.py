"""What was imported, and whole games of other boxes: kept in the folder like everything else."""

from __future__ import annotations

import errno
from contextlib import closing
from pathlib import Path

import pytest

from companion.core.text import Text
from companion.journal import Journal, JournalError, disk

from .folders import taken


def test_imported_values_are_there_again_and_in_two_files(place: Path) -> None:
    with closing(Journal(place)) as journal:
        assert journal.imported() == {}
        journal.keep_imported({"A": 1, "B": {"x": [2]}})
        journal.keep_imported({"C": None})
    files = taken(place)
    assert files["imported.jsonl"].rstrip(b"\0") == files["copies/imported.jsonl"].rstrip(b"\0") != b""
    with closing(Journal(place)) as journal:
        journal.keep_imported({"D": 4})
        assert journal.imported() == {"A": 1, "B": {"x": [2]}, "C": None, "D": 4}


def test_a_damaged_file_of_imported_values_is_mended_from_its_copy(place: Path) -> None:
    with closing(Journal(place)) as journal:
        journal.keep_imported({"A": 1})
    (place / "imported.jsonl").write_bytes(b"damaged\n")
    with closing(Journal(place)) as journal:
        assert journal.imported() == {"A": 1}
        assert journal.notices == [Text("{what}: a damaged file is mended from its copy", what=Text("Imported games"))]


def test_imported_values_that_cannot_be_read_now_are_not_replaced(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Journal(place)) as journal:
        journal.keep_imported({"A": 1})

    def failing(_: Path) -> None:
        raise OSError(errno.EIO, "failing")

    with closing(Journal(place)) as journal, monkeypatch.context() as changed:
        changed.setattr(disk, "read", failing)
        with pytest.raises(JournalError, match="imported games cannot be read: the disk is failing"):
            journal.keep_imported({"B": 2})
    with closing(Journal(place)) as journal:
        assert journal.imported() == {"A": 1}


def test_a_whole_game_is_added_with_its_times(place: Path) -> None:
    lines = [('{"game":"gear"}', {"at": 5.5, "tracking": "full"}), ("{}", {"at": 7, "tracking": "quick", "over": True})]
    with closing(Journal(place)) as journal:
        name = journal.name_for("gear")
        journal.add_game(name, lines)
    with closing(Journal(place)) as journal:
        (saved,) = journal.games()
        assert (saved.begun, saved.lines, saved.over, saved.tracking) == (5.5, 1, True, "quick")
        assert [at for _line, at in journal.timed_lines(name)] == [5.5, 7.0]
        assert journal.lines(name) == ["{}"]


def test_remarks_are_kept_apart_and_a_file_that_grew_long_is_begun_anew(place: Path) -> None:
    with closing(Journal(place)) as journal:
        for number in range(700):
            journal.keep_remark("A", {"notes": str(number)})
        journal.keep_remark("B", {"place": "Lyon"})
        assert journal.imported() == {}
    first, copy = ((place / folder / "remarks.jsonl").read_bytes().rstrip(b"\0") for folder in ("", "copies"))
    assert first == copy
    assert first.count(b"\n") < 400
    with closing(Journal(place, writes=False)) as journal:
        assert journal.remarks() == {"A": {"notes": "699"}, "B": {"place": "Lyon"}}
