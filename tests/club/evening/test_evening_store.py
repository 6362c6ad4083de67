"""Evenings in a folder: chains in two files each, so damage of one loses nothing and nothing is lost unsaid."""

from __future__ import annotations

from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from companion.club.evening.evening_state import (
    EntrantLeft,
    EveningBegun,
    EveningError,
    EveningSettled,
    EventTakenBack,
    Sizes,
)
from companion.club.evening.evening_store import BoxesAndClock, EveningInHall, EveningStore
from companion.core.game import Best
from companion.journal.folder import JournalInUseError

from .evenings import begun, replay, result, seated
from .test_replay import TWO_TABLES

FIRST = EveningBegun(1, "Friday club", 4, 3, 5, Best.HIGHEST, 1)
PLAYERS = begun()[1]


@pytest.fixture
def store(tmp_path: Path) -> EveningStore:
    """Return the evenings of a folder with one that runs, with its players."""
    store = EveningStore(tmp_path)
    store.begin(FIRST)
    store.add(PLAYERS)
    return store


def state_of(store: EveningStore) -> EveningInHall:
    state = store.state()
    assert state is not None
    return state


def again(store: EveningStore, folder: Path) -> EveningStore:
    store.close()
    return EveningStore(folder)


def files(folder: Path) -> list[Path]:
    """Return the two files of the evening that runs."""
    return [sorted((folder / place).glob("*-evening-*.jsonl"))[-1] for place in ("games", "copies")]


def test_what_was_added_is_there_when_the_folder_is_opened_again(store: EveningStore, tmp_path: Path) -> None:
    store.add(TWO_TABLES)
    store.add(EntrantLeft(2))
    store.add(EventTakenBack())
    store = again(store, tmp_path)
    assert state_of(store).moment == replay([*begun(), TWO_TABLES])
    assert state_of(store).length == 5
    assert not store.damaged


def test_an_event_that_cannot_be_is_not_written_and_of_several_all_are_or_none(
    store: EveningStore, tmp_path: Path
) -> None:
    before = [file.read_bytes() for file in files(tmp_path)]
    for events in ((result(1, 1, 2, 3, 4),), (TWO_TABLES, result(9, 1, 2, 3, 4)), (TWO_TABLES, result(1, 10**10))):
        with pytest.raises(EveningError):
            store.add(*events)
    assert [file.read_bytes() for file in files(tmp_path)] == before
    store.add(TWO_TABLES, EntrantLeft(2))
    assert state_of(again(store, tmp_path)).length == 4


def test_a_disk_that_refuses_an_event_loses_only_that_and_the_evening_goes_on(
    store: EveningStore, tmp_path: Path
) -> None:
    with patch("os.pwrite", side_effect=OSError(28, "No space left on device")), pytest.raises(OSError, match="space"):
        store.add(TWO_TABLES)
    assert state_of(store).length == 2
    store.add(EntrantLeft(3))
    store.add(EntrantLeft(4))
    assert state_of(again(store, tmp_path)).moment.evening.present == (1, 2, 5, 6, 7, 8)


def test_no_flipped_bit_and_no_cut_of_one_file_changes_the_evening(store: EveningStore, tmp_path: Path) -> None:
    store.add(TWO_TABLES)
    store.add(result(1, 20, -5, 13, 2))
    known, chance = state_of(store).moment, Random(1)
    for turn in range(120):
        file = files(tmp_path)[turn % 2]
        whole = file.read_bytes()
        size = len(whole.rstrip(b"\0"))
        spoilt = bytearray(whole)
        if turn % 5:
            spoilt[chance.randrange(size)] ^= 1 << chance.randrange(8)
        else:
            del spoilt[chance.randrange(size) :]
        store.close()
        file.write_bytes(spoilt)
        store = EveningStore(tmp_path)
        assert state_of(store).moment == known
        assert files(tmp_path)[0].read_bytes().rstrip(b"\0") == files(tmp_path)[1].read_bytes().rstrip(b"\0")


def test_an_evening_that_cannot_be_read_at_all_is_told_and_another_one_may_begin(
    store: EveningStore, tmp_path: Path
) -> None:
    for file in files(tmp_path):
        file.write_bytes(b"nonsense\n")
    store = again(store, tmp_path)
    with pytest.raises(EveningError, match="neither of its two files can be read"):
        store.state()
    store.begin(FIRST)
    assert state_of(store).length == 1


def test_an_end_that_is_lost_in_both_files_is_said(store: EveningStore, tmp_path: Path) -> None:
    store.add(TWO_TABLES)
    for file in files(tmp_path):
        rows = file.read_bytes().rstrip(b"\0").splitlines(keepends=True)
        file.write_bytes(b"".join([*rows[:-1], rows[-1].replace(b"round", b"rouhd")]))
    store = again(store, tmp_path)
    assert state_of(store).length == 2
    assert store.damaged


def test_one_program_at_a_time_uses_the_folder(store: EveningStore, tmp_path: Path) -> None:
    with pytest.raises(JournalInUseError):
        EveningStore(tmp_path)
    store.close()
    EveningStore(tmp_path).close()


def test_another_evening_keeps_the_one_before_and_the_minutes_of_a_round(store: EveningStore, tmp_path: Path) -> None:
    store.draw_round(30)
    store.begin(FIRST)
    assert state_of(store).hall == BoxesAndClock(minutes=30)
    assert [len(each.evening.rounds) for each in store.all()] == [1, 0]
    store = again(store, tmp_path)
    assert [len(each.evening.rounds) for each in store.all()] == [1, 0]
    assert all(each.begun > 1_700_000_000 for each in store.all())


def test_the_season_has_the_evening_before_as_it_ended_however_early_it_was_looked_at(store: EveningStore) -> None:
    assert [len(each.evening.rounds) for each in store.all()] == [0]
    store.draw_round(0)
    store.begin(FIRST)
    assert [len(each.evening.rounds) for each in store.all()] == [1, 0]


def test_an_earlier_evening_is_opened_again_corrected_and_goes_on(store: EveningStore, tmp_path: Path) -> None:
    store.add(TWO_TABLES, result(1, 4, 3, 2, 1))
    with pytest.raises(EveningError, match="A round of Friday club is not over"):
        store.open_again(state_of(store).id)
    store.add(result(2, 4, 3, 2, 1))
    first = state_of(store)
    assert store.all()[0].evening == first.moment.evening
    store.begin(replace(FIRST, name="By mistake"))
    store.open_again(first.id)
    assert state_of(store).moment == first.moment
    store.add(replace(result(1, 1, 2, 3, 4), corrects=True))
    store = again(store, tmp_path)
    assert state_of(store).id == first.id
    corrected = state_of(store).moment.evening
    store.begin(replace(FIRST, name="Saturday club"))
    assert [each.evening.name for each in store.all()] == ["Friday club", "By mistake", "Saturday club"]
    assert store.all()[0].evening == corrected
    assert state_of(again(store, tmp_path)).moment.evening.name == "Saturday club"
    with pytest.raises(EveningError, match="There is no such evening"):
        store.open_again("000009-evening-0")


def test_what_was_said_at_the_beginning_can_be_said_anew(store: EveningStore) -> None:
    store.add(TWO_TABLES, EveningSettled("Hearts night", 3, 2, 4, Best.LOWEST, "Hearts", 4))
    evening = state_of(store).moment.evening
    assert (evening.name, evening.sizes, evening.best) == ("Hearts night", Sizes(3, 2, 4), Best.LOWEST)
    assert (evening.game, evening.deals, evening.seed) == ("Hearts", 4, 1)
    with pytest.raises(EveningError, match="The wanted size of a table"):
        store.add(EveningSettled("Hearts night", 5, 2, 4, Best.LOWEST))


def test_an_earlier_evening_that_cannot_be_read_stops_no_season(store: EveningStore, tmp_path: Path) -> None:
    for file in files(tmp_path):
        file.write_bytes(b"nonsense\n")
    store.begin(FIRST)
    assert len(again(store, tmp_path).all()) == 1


@pytest.fixture
def hall(tmp_path: Path) -> EveningStore:
    """Return evenings whose latest has its first round: three tables of two."""
    store = EveningStore(tmp_path)
    store.begin(EveningBegun(1, "Friday", 2, 2, 4, Best.HIGHEST, 1))
    store.add(begun([f"P{number}" for number in range(6)])[1])
    store.draw_round(0)
    return store


def placed(store: EveningStore, *boxes: str) -> dict[int, str]:
    state = store.arranged(boxes)
    assert state is not None
    return state.hall.boxes


def test_a_box_stays_at_its_table_whatever_happens_to_others(hall: EveningStore, tmp_path: Path) -> None:
    assert placed(hall, "a", "b") == {1: "a", 2: "b"}
    assert placed(hall, "0", "a", "b") == {1: "a", 2: "b", 3: "0"}  # another box comes, and is first in their order
    assert placed(again(hall, tmp_path), "b", "a", "0") == {1: "a", 2: "b", 3: "0"}


def test_the_director_says_where_boxes_stand(hall: EveningStore) -> None:
    boxes = "a", "b", "c", "d"
    placed(hall, *boxes)
    hall.place_boxes({1: "d", 2: "a"}, boxes)
    assert placed(hall, *boxes) == {1: "d", 2: "a", 3: "b"}
    with pytest.raises(EveningError, match="One box is chosen for two tables"):
        hall.place_boxes({1: "d", 2: "d"}, boxes)


def test_what_phones_have_told_outlives_a_power_cut_until_the_table_has_its_result(
    hall: EveningStore, tmp_path: Path
) -> None:
    hall.tell(result(1, 20, 5))
    hall.tell(result(1, 20, 6))
    hall.tell(result(2, 1, 2))
    hall = again(hall, tmp_path)
    assert state_of(hall).told == {(1, 1): result(1, 20, 6), (1, 2): result(2, 1, 2)}
    assert state_of(hall).told_otherwise == {1: (20, 5)}
    hall.add(result(1, 20, 6))
    assert [*state_of(hall).told] == [(1, 2)]
    with pytest.raises(EveningError, match="has its result"):
        hall.tell(result(1, 3, 4))


def test_each_round_has_a_clock_of_its_own_also_after_a_draw_was_taken_back(hall: EveningStore) -> None:
    hall.set_clock(10)
    first = state_of(hall)
    assert first.ends > 0
    with pytest.raises(EveningError, match="still plays"):
        hall.draw_round(30)
    assert state_of(hall).hall == first.hall
    for table in (1, 2, 3):
        hall.add(result(table, 1, 2))
    hall.draw_round(0)
    assert (state_of(hall).last, state_of(hall).ends) == (2, 0.0)
    hall.set_clock(5)
    hall.take_back(state_of(hall).length)
    assert state_of(hall).ends == first.ends
    hall.draw_round(0)
    assert state_of(hall).ends == 0


def test_boxes_and_clock_do_not_grow_without_end_and_stop_no_evening(hall: EveningStore, tmp_path: Path) -> None:
    for minutes in range(1, 400):
        hall.set_clock(minutes)
    assert len((tmp_path / "hall.jsonl").read_bytes().rstrip(b"\0").splitlines()) < 310
    for place in ("", "copies"):
        (tmp_path / place / "hall.jsonl").write_bytes(b"nonsense")
    assert state_of(again(hall, tmp_path)).hall == BoxesAndClock()


def test_what_is_taken_back_is_what_the_director_saw(store: EveningStore) -> None:
    length = state_of(store).length
    store.add(TWO_TABLES)
    with pytest.raises(EveningError, match="Something has happened since"):
        store.take_back(length)
    store.take_back(length + 1)
    assert state_of(store).last == 0


def test_before_the_first_evening_and_round_there_is_nothing_to_do(tmp_path: Path) -> None:
    store = EveningStore(tmp_path)
    assert store.state() is None
    with pytest.raises(EveningError, match="No evening is begun"):
        store.add(seated([1, 2]))
    store.begin(FIRST)
    with pytest.raises(EveningError, match="No round is drawn yet"):
        store.set_clock(5)
    with pytest.raises(EveningError, match="No round is drawn yet"):
        store.place_boxes({}, ())
