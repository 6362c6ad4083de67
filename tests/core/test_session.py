"""Sessions: undo, redo and correction of every entry."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.game import (
    Amend,
    Finish,
    Players,
    Progress,
    Redo,
    Substitute,
    Table,
    Undo,
)
from companion.core.games import GameFaultError
from companion.core.session import Session
from companion.core.text import IllegalEventError, Text
from tests.line_tables import Row, cases, given, says

from .heaps import IN_ROUNDS, names_at
from .toy import HEAP, Heap, Put, heap


@pytest.mark.parametrize(("name", "rows"), cases("sessions", "lines-between"))
def test_of_lines_is_said_what_was_accepted(name: str, rows: list[Row]) -> None:
    assert [(row.given, says(name)(given(row.given))) for row in rows] == rows


def test_an_entry_is_found_by_its_number() -> None:
    session = heap(1, 2, 3)
    assert session.step(0).event is None
    assert [session.step(number).event for number in (1, 2, 3)] == [Put(1), Put(2), Put(3)]
    assert session.step(3) is session.head


@pytest.mark.parametrize("number", [-1, 4])
def test_no_entry_is_found_beyond_those_that_stand(number: int) -> None:
    with pytest.raises(IllegalEventError) as caught:
        heap(1, 2, 3).step(number)
    assert caught.value.reason == "no-such-event"
    assert str(caught.value) == f"there is no entry {number}; 3 stand".replace("-", "−")
    with pytest.raises(IllegalEventError, match=r"^there is no entry 2; 1 stands$"):
        heap(1).step(2)


def test_the_state_an_entry_was_made_in_is_kept() -> None:
    session = heap(1, 2, 3)
    assert [session.before(number) for number in (1, 2, 3)] == [(), (1,), (1, 2)]


@pytest.mark.unmeasured
def test_taking_back_costs_the_same_after_ten_thousand_entries() -> None:
    session = heap(*[0] * 10_000)
    assert session.head.number == 10_000
    for _ in range(10_000):
        session = session.add(Undo())
    assert session.state == ()


def test_entries_stand_in_order_with_the_states_before_and_after_them() -> None:
    session = heap(1, 2, 3)
    assert [(entry.number, entry.before.state, entry.state) for entry in session.entries(2)] == [
        (2, (1,), (1, 2)),
        (3, (1, 2), (1, 2, 3)),
    ]
    assert session.entries() == [session.entry(number) for number in (1, 2, 3)]
    assert heap().entries() == []
    with pytest.raises(IllegalEventError, match="counted from 1") as caught:
        session.entry(0)
    assert caught.value.reason == "no-such-event"


def test_the_keys_typed_for_an_entry_stay_with_it_while_others_are_corrected_and_taken_back() -> None:
    session = heap(1).add(Put(2), "2").add(Put(3), "")
    corrected = session.add(Amend(1, Put(0)))
    assert [entry.typed for entry in corrected.entries()] == [None, "2", ""]
    assert [entry.typed for entry in corrected.add(Undo()).add(Undo()).add(Redo()).entries()] == [None, "2", ""]
    assert [entry.typed for entry in session.add(Amend(2, Put(0))).entries()] == [None, None, ""]
    assert session.step(0).typed is None


def test_a_game_that_says_how_far_it_is_for_other_players_than_the_header_names_is_refused() -> None:
    for_two = replace(HEAP, seats=range(1, 3), progress=lambda _heap: Progress((0, 0), None))
    assert heap(4).progress.totals == (4,)
    with pytest.raises(GameFaultError, match="Heap cannot be shown: progress has totals of 2 seats"):
        _ = heap(4, game=for_two).progress


def test_a_corrected_name_counts_for_the_whole_game_and_other_seats_keep_who_sat_there_before() -> None:
    for_two = replace(HEAP, seats=range(2, 3), progress=lambda _heap: Progress((0, 0), None))
    session = Session(replace(heap().header, game=for_two, players=("Aki", "Bea"))).add(Substitute(1, "Eva"))
    renamed = session.add(Players(("Ako", "Eva")))
    assert (names_at(renamed, 0), names_at(renamed, 1)) == (("Ako", "Bea"), ("Ako", "Eva"))
    swapped = renamed.add(Players(("Eva", "Ako")))
    assert (names_at(swapped, 0), names_at(swapped, 1)) == (("Eva", "Ako"), ("Eva", "Ako"))
    assert names_at(swapped.add(Undo()), 0) == ("Ako", "Bea")


def test_of_a_game_that_the_table_has_ended_only_finished_rounds_count() -> None:
    before = heap(1, 2, 3, game=IN_ROUNDS)
    assert (before.finished, before.progress.over) == (False, False)
    ended = before.add(Finish())
    assert (ended.state, ended.head) == ((1, 2), before.head)
    assert ended.progress == Progress((3,), (0,), None, 2, "over", finished=True)
    assert (ended.finished, ended.progress.over, ended.latest) == (True, True, Finish())
    assert heap(1, game=IN_ROUNDS).add(Finish()).state == ()


def test_a_game_says_who_wins_with_its_finished_rounds() -> None:
    def two(state: Heap) -> Progress:
        return Progress((sum(state), 3), None, round=len(state) // 2 + 1)

    for_two = replace(IN_ROUNDS, seats=range(2, 3), progress=two)
    header = replace(heap().header, game=for_two, players=("Aki", "Bea"))
    level = Session(header).add(Put(1)).add(Put(2)).add(Put(4)).add(Finish())
    assert level.progress.winners == (0, 1)
    own = replace(for_two, optional=replace(for_two.optional, winners_so_far=lambda state: (len(state) - 1,)))
    assert Session(replace(header, game=own), level.head).add(Finish()).progress.winners == (1,)


def test_the_score_sheet_of_a_game_that_the_table_has_ended_says_so() -> None:
    game = replace(
        IN_ROUNDS,
        seats=range(2, 3),
        progress=lambda heap: Progress((sum(heap), 3), None, round=len(heap) // 2 + 1),
        score_sheet=lambda heap: Table(Text("{sum}", sum=sum(heap)), (), ((), ())),
    )
    running = Session(replace(heap().header, game=game, players=("Aki", "Bea"))).add(Put(1))
    assert running.score_sheet == Table(Text("{sum}", sum=1), (), ((), ()))
    sheet = running.add(Finish()).score_sheet
    assert (str(sheet.title), sheet.marked) == ("seat 2 ahead, ended early", (1,))
    level = running.add(Put(2)).add(Finish()).score_sheet
    assert (str(level.title), level.marked) == ("Ended early", (0, 1))
    without = heap(1).add(Finish()).score_sheet
    assert (str(without.title), without.marked) == ("Ended early", ())
