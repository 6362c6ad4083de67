"""The hub keeps the evening, and the one before it, in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.club.evening import evening_actions
from companion.club.evening.evening_folder import BoxesAndClock, EveningFolder
from companion.club.evening.evening_state import EveningError
from companion.core.game import Best

SIZES = 4, 3, 5


def test_another_evening_keeps_the_one_before_and_the_minutes_of_a_round(tmp_path: Path) -> None:
    folder = EveningFolder(tmp_path / "evening")
    assert folder.state() is None
    folder.begin("Friday", SIZES, Best.HIGHEST)
    evening_actions.register(folder.file, ["Aki"], None, late=False)
    folder.keep(BoxesAndClock({1: "box"}, minutes=30, began={1: 7.0}, ends={1: 9.0}))
    before = folder.file.read_bytes()
    with pytest.raises(EveningError, match="1 to 60 characters"):
        folder.begin("", SIZES, Best.HIGHEST)
    assert folder.file.read_bytes() == before
    folder.begin("Saturday", SIZES, Best.LOWEST)
    state = folder.state()
    assert state is not None
    assert (state.moment.evening.name, state.moment.evening.entrants) == ("Saturday", ())
    assert state.hall == BoxesAndClock(minutes=30)
    (kept,) = tmp_path.glob("evening/evening-*.jsonl")
    assert kept.read_bytes() == before


@pytest.mark.parametrize("damaged", [b"", b"{", b'{"boxes":7}', b'{"boxes":{"1":"a\xff"}}'])
def test_damaged_boxes_and_clock_stop_no_evening(tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / "hall.json").write_bytes(damaged)
    folder = EveningFolder(tmp_path)
    assert folder.hall == BoxesAndClock()
    folder.begin("Friday", SIZES, Best.HIGHEST)


@pytest.fixture
def folder(tmp_path: Path) -> EveningFolder:
    """Return an evening whose first round is drawn: three tables of two."""
    folder = EveningFolder(tmp_path / "evening")
    folder.begin("Friday", (2, 2, 4), Best.HIGHEST)
    evening_actions.register(folder.file, ["Aki", "Bea", "Cyr", "Dai", "Eve", "Fay"], None, late=False)
    folder.draw_round(0)
    return folder


def placed(folder: EveningFolder, *boxes: str) -> dict[int, str]:
    state = folder.arranged(boxes)
    assert state is not None
    return state.hall.boxes


def test_a_box_stays_at_its_table_whatever_happens_to_others(folder: EveningFolder) -> None:
    assert placed(folder, "a", "b") == {1: "a", 2: "b"}
    assert placed(folder, "0", "a", "b") == {1: "a", 2: "b", 3: "0"}  # another box comes, and is first in their order
    evening_actions.merge(folder.file, 1, 2)
    assert placed(folder, "b", "a", "0") == {1: "a", 2: "b", 3: "0"}


def test_the_director_says_where_boxes_stand(folder: EveningFolder) -> None:
    boxes = "a", "b", "c", "d"
    placed(folder, *boxes)
    folder.place_boxes({1: "d", 2: "a"}, boxes)
    assert placed(folder, *boxes) == {1: "d", 2: "a", 3: "b"}
    with pytest.raises(EveningError, match="one box is chosen for two tables"):
        folder.place_boxes({1: "d", 2: "d"}, boxes)
    evening_actions.merge(folder.file, 3, 2)
    folder.place_boxes({1: "b", 2: "a"}, boxes)  # that of the table that was merged
    assert placed(folder, *boxes) == {1: "b", 2: "a"}


def test_each_round_has_a_clock_and_a_beginning_of_its_own_also_one_that_the_command_line_drew(
    folder: EveningFolder,
) -> None:
    folder.set_clock(10)
    first = folder.state()
    assert first is not None
    assert first.ends > 0
    for table in (1, 2, 3):
        evening_actions.enter_result(folder.file, table, [1, 2], None, correct=False)
    evening_actions.draw_round(folder.file, None)
    second = folder.arranged(())
    assert second is not None
    assert (second.last, second.ends) == (2, 0.0)
    assert second.hall.began[2] > second.hall.began[1]
    evening_actions.undo(folder.file)
    again = folder.arranged(())
    assert again is not None
    assert (again.last, again.ends, again.hall.began[1]) == (1, first.ends, first.hall.began[1])


def test_a_draw_that_was_taken_back_leaves_no_clock(folder: EveningFolder) -> None:
    folder.set_clock(45)
    evening_actions.undo(folder.file)
    evening_actions.draw_round(folder.file, None)
    drawn = folder.state()
    assert drawn is not None
    assert drawn.ends > 0  # nobody has looked in between
    evening_actions.undo(folder.file)
    folder.arranged(())
    evening_actions.draw_round(folder.file, None)
    again = folder.arranged(())
    assert again is not None
    assert again.ends == 0


def test_a_round_that_cannot_be_drawn_leaves_no_clock(folder: EveningFolder) -> None:
    with pytest.raises(EveningError, match="still plays"):
        folder.draw_round(30)
    state = folder.arranged(())
    assert state is not None
    assert (state.last, state.ends) == (1, 0.0)
    for table in (1, 2, 3):
        evening_actions.enter_result(folder.file, table, [1, 2], None, correct=False)
    evening_actions.draw_round(folder.file, None)
    drawn = folder.arranged(())
    assert drawn is not None
    assert (drawn.last, drawn.ends) == (2, 0.0)


def test_before_the_first_round_there_is_no_clock_and_no_box(tmp_path: Path) -> None:
    folder = EveningFolder(tmp_path / "evening")
    folder.begin("Friday", SIZES, Best.HIGHEST)
    with pytest.raises(EveningError, match="no round is drawn yet"):
        folder.set_clock(5)
    with pytest.raises(EveningError, match="no round is drawn yet"):
        folder.place_boxes({}, ())
