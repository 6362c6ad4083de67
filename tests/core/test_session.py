"""Sessions: undo, redo and correction of every entry."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.game import (
    Finish,
    Game,
    Line,
    OptionalParts,
    Progress,
    Redo,
    ReplaceEvent,
    ReplaceEvents,
    SeatNames,
    Substitute,
    Table,
    Undo,
)
from companion.core.games import GameFaultError
from companion.core.session import Session
from companion.core.text import IllegalEventError, Text

from .toy import HEAP, ROOM, Heap, Put, heap

IN_ROUNDS: Game[Heap] = replace(
    HEAP,
    progress=lambda heap: Progress((sum(heap),), (0,) if sum(heap) == ROOM else None, 0, len(heap) // 2 + 1, "put", 0),
    optional=OptionalParts(finished_rounds=lambda heap: len(heap) // 2),
)
"""The same game in rounds of two entries each; it is over when the heap is full."""


def reason(session: Session, line: Line) -> str:
    with pytest.raises(IllegalEventError) as caught:
        session.add(line)
    return caught.value.reason


def entered(session: Session) -> list[int]:
    """Return the entries in force, first to last."""
    return [step.event.count for step in session.steps() if isinstance(step.event, Put)][::-1]


def test_a_new_session_stands_where_the_game_begins() -> None:
    session = heap()
    assert session.state is session.header.first
    assert list(session.steps()) == []
    assert (session.head.number, session.latest, session.undone) == (0, None, None)


def test_the_state_is_what_the_entries_made_of_it() -> None:
    session = heap(1, 2, 3)
    assert session.state == (1, 2, 3)
    assert [step.number for step in session.steps()] == [3, 2, 1]
    assert [step.state for step in session.steps()] == [(1, 2, 3), (1, 2), (1,)]


def test_adding_a_line_leaves_the_session_before_as_it_was() -> None:
    session = heap(1)
    session.add(Put(2))
    session.add(Undo())
    session.add(ReplaceEvent(1, Put(5)))
    assert session.state == (1,)
    assert (session.latest, session.undone) == (Put(1), None)


def test_undo_gives_back_the_very_state_before() -> None:
    before = heap(1)
    after = before.add(Put(2))
    undone = after.add(Undo())
    assert undone.state is before.state
    assert undone.head is before.head
    assert undone.add(Redo()).state is after.state


def test_undo_and_redo_go_back_and_forth_one_line_at_a_time() -> None:
    session = heap(1, 2, 3)
    states = []
    for line in (Undo(), Undo(), Redo(), Undo(), Undo(), Redo(), Redo(), Redo()):
        session = session.add(line)
        states.append(session.state)
    assert states == [(1, 2), (1,), (1, 2), (1,), (), (1,), (1, 2), (1, 2, 3)]
    assert session.undone is None


def test_with_nothing_to_take_back_or_bring_back_it_says_so() -> None:
    with pytest.raises(IllegalEventError, match=r"^there is nothing to take back$"):
        heap().add(Undo())
    with pytest.raises(IllegalEventError, match=r"^there is nothing to bring back$"):
        heap().add(Redo())
    assert reason(heap(), Undo()) == "nothing-to-undo"
    assert reason(heap(1), Redo()) == "nothing-to-redo"
    assert reason(heap(1).add(Undo()), Undo()) == "nothing-to-undo"
    assert reason(heap(1).add(Undo()).add(Redo()), Redo()) == "nothing-to-redo"


@pytest.mark.parametrize(
    "line",
    [
        Put(4),
        ReplaceEvent(1, Put(4)),
        ReplaceEvents(1, 1, (Put(4),)),
        ReplaceEvents(2, 0, (Put(4),)),
        ReplaceEvents(1, 1, ()),
    ],
)
def test_a_new_line_clears_what_could_be_brought_back(line: Line) -> None:
    session = heap(1, 2).add(Undo())
    assert session.undone is not None
    assert session.add(line).undone is None


def test_a_refused_line_leaves_what_can_be_brought_back() -> None:
    session = heap(1, 2).add(Undo())
    assert reason(session, Put(10)) == "full"
    assert session.add(Redo()).state == (1, 2)


def test_amend_replaces_one_entry_and_keeps_the_others() -> None:
    session = heap(1, 2, 3)
    assert entered(session.add(ReplaceEvent(1, Put(4)))) == [4, 2, 3]
    assert entered(session.add(ReplaceEvent(2, Put(4)))) == [1, 4, 3]
    amended = session.add(ReplaceEvent(3, Put(4)))
    assert entered(amended) == [1, 2, 4]
    assert [step.number for step in amended.steps()] == [3, 2, 1]


def test_undo_takes_a_whole_amend_back_and_redo_brings_it_again() -> None:
    session = heap(1, 2, 3)
    amended = session.add(ReplaceEvent(1, Put(4)))
    assert amended.add(Undo()).head is session.head
    assert amended.add(Undo()).add(Redo()).head is amended.head
    assert amended.add(Undo()).add(Undo()).state == (1, 2)


def test_undone_entries_are_not_counted() -> None:
    session = heap(1, 2).add(Undo()).add(Put(3))
    assert entered(session.add(ReplaceEvent(2, Put(5)))) == [1, 5]


@pytest.mark.parametrize("number", [-1, 0, 4, 10**30])
def test_an_amend_of_no_entry_is_refused(number: int) -> None:
    assert reason(heap(1, 2, 3), ReplaceEvent(number, Put(1))) == "no-such-event"


def test_an_amend_before_the_first_entry_is_told_how_entries_are_counted() -> None:
    with pytest.raises(IllegalEventError) as caught:
        heap(1, 2, 3).add(ReplaceEvent(0, Put(1)))
    assert str(caught.value) == "entries are counted from 1"


def test_an_amend_that_cannot_be_is_refused_for_its_own_reason() -> None:
    assert reason(heap(1, 2, 3), ReplaceEvent(1, Put(11))) == "full"


def test_an_amend_that_a_later_entry_does_not_survive_names_that_entry() -> None:
    session = heap(1, 2, 3, 4)
    with pytest.raises(IllegalEventError) as caught:
        session.add(ReplaceEvent(2, Put(5)))
    assert caught.value.reason == "full"
    assert str(caught.value) == "then entry 4 no longer fits: 4 more do not fit"
    assert session.state == (1, 2, 3, 4)


def test_an_amend_that_does_not_fit_is_named_with_its_reason() -> None:
    with pytest.raises(IllegalEventError) as caught:
        heap(1, 2, 3).add(ReplaceEvent(2, Put(11)))
    assert str(caught.value) == "the new entry 2 does not fit: 11 more do not fit"


@pytest.mark.parametrize(
    ("event", "drop", "counts", "stand"),
    [
        (1, 0, (4,), [4, 1, 2, 3]),
        (2, 0, (4, 0), [1, 4, 0, 2, 3]),
        (4, 0, (4,), [1, 2, 3, 4]),
        (1, 1, (), [2, 3]),
        (3, 1, (), [1, 2]),
        (1, 3, (), []),
        (2, 1, (4,), [1, 4, 3]),
        (2, 2, (3, 2), [1, 3, 2]),
        (1, 2, (3,), [3, 3]),
        (2, 1, (1, 1), [1, 1, 1, 3]),
        (1, 3, (0, 0, 0, 9), [0, 0, 0, 9]),
    ],
)
def test_a_splice_replaces_neighbours_and_keeps_the_others(
    event: int, drop: int, counts: tuple[int, ...], stand: list[int]
) -> None:
    session = heap(1, 2, 3)
    spliced = session.add(ReplaceEvents(event, drop, tuple(map(Put, counts))))
    assert entered(spliced) == stand
    assert spliced.state == tuple(stand)
    assert [step.number for step in spliced.steps()] == [*range(len(stand), 0, -1)]
    assert spliced.add(Undo()).head is session.head
    assert spliced.add(Undo()).add(Redo()).head is spliced.head


def test_a_splice_fills_an_empty_game() -> None:
    assert entered(heap().add(ReplaceEvents(1, 0, (Put(1), Put(2))))) == [1, 2]


@pytest.mark.parametrize("line", [ReplaceEvent(2, Put(4)), ReplaceEvents(2, 1, (Put(4),))])
def test_amend_is_splice_with_one_for_one(line: Line) -> None:
    assert entered(heap(1, 2, 3).add(line)) == [1, 4, 3]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (ReplaceEvents(0, 0, (Put(1),)), "entries are counted from 1"),
        (ReplaceEvents(-1, 3, (Put(1),)), "entries are counted from 1"),
        (ReplaceEvents(2, -1, (Put(1),)), "−1 entries cannot be dropped"),
        (ReplaceEvents(3, -2, ()), "−2 entries cannot be dropped"),
        (ReplaceEvents(2, 0, ()), "nothing is dropped and nothing is put"),
        (ReplaceEvents(5, 0, (Put(1),)), "there is no entry 4; 3 stand"),
        (ReplaceEvents(4, 1, (Put(1),)), "there is no entry 4; 3 stand"),
        (ReplaceEvents(4, 1, ()), "there is no entry 4; 3 stand"),
        (ReplaceEvents(1, 4, ()), "there is no entry 4; 3 stand"),
        (ReplaceEvents(10**30, 0, (Put(1),)), f"there is no entry {10**30 - 1}; 3 stand"),
        (ReplaceEvents(1, 10**30, (Put(1),)), f"there is no entry {10**30}; 3 stand"),
        (ReplaceEvents(2, 0, (Put(4), Put(6))), "the new entry 3 does not fit: 6 more do not fit"),
        (ReplaceEvents(1, 1, (Put(5), Put(1))), "then entry 3 no longer fits: 3 more do not fit"),
        (ReplaceEvents(1, 0, (Put(5),)), "then entry 3 no longer fits: 3 more do not fit"),
        (ReplaceEvents(1, 1, (Put(9),)), "then entry 2 no longer fits: 2 more do not fit"),
    ],
)
def test_a_splice_that_cannot_be_says_why_and_changes_nothing(line: ReplaceEvents[Put], says: str) -> None:
    session = heap(1, 2, 3, 0).add(Undo())
    with pytest.raises(IllegalEventError) as caught:
        session.add(line)
    assert str(caught.value) == says
    assert session.state == (1, 2, 3)
    assert session.undone == Put(0)


def test_a_refused_splice_has_the_code_of_its_reason() -> None:
    assert reason(heap(1), ReplaceEvents(1, -1, ())) == "drop-below-zero"
    assert reason(heap(1), ReplaceEvents(1, 0, ())) == "nothing-corrected"
    assert reason(heap(1), ReplaceEvents(3, 0, (Put(1),))) == "no-such-event"
    assert reason(heap(1), ReplaceEvents(0, 1, (Put(1),))) == "no-such-event"
    assert reason(heap(1), ReplaceEvents(1, 1, (Put(11),))) == "full"


def test_a_splice_counts_once_whatever_it_replaces() -> None:
    session = heap(1, 2).add(ReplaceEvents(1, 2, (Put(3), Put(4), Put(0)))).add(ReplaceEvents(4, 0, (Put(1),)))
    assert session.latest == ReplaceEvents(4, 0, (Put(1),))
    states = []
    for _ in range(4):
        session = session.add(Undo())
        states.append(session.state)
    assert states == [(3, 4, 0), (1, 2), (1,), ()]
    assert session.latest is None


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


def test_names_move_for_the_whole_game_and_come_back_with_undo() -> None:
    before = heap(1, 2)
    names = tuple(f"new {name}" for name in before.header.players)
    after = before.add(SeatNames(names))
    assert (after.header.players, after.seat_names, after.first_line) == (names, names, before.header)
    assert after.head is before.head
    assert before.seat_names is None
    grown = after.add(Put(3))
    assert (grown.seat_names, entered(grown)) == (names, [1, 2, 3])
    undone = grown.add(Undo()).add(Undo())
    assert (undone.seat_names, undone.header, undone.undone) == (None, before.header, SeatNames(names))
    assert undone.add(Redo()).seat_names == names
    assert entered(undone.add(Undo())) == [1]


def test_names_count_as_no_entry_of_a_correction() -> None:
    session = heap(1, 2).add(SeatNames(("Ida",))).add(ReplaceEvent(2, Put(4)))
    assert entered(session) == [1, 4]
    assert session.seat_names == ("Ida",)


def test_the_keys_typed_for_an_entry_stay_with_it_while_others_are_corrected_and_taken_back() -> None:
    session = heap(1).add(Put(2), "2").add(Put(3), "")
    corrected = session.add(ReplaceEvent(1, Put(0)))
    assert [entry.typed for entry in corrected.entries()] == [None, "2", ""]
    assert [entry.typed for entry in corrected.add(Undo()).add(Undo()).add(Redo()).entries()] == [None, "2", ""]
    assert [entry.typed for entry in session.add(ReplaceEvent(2, Put(0))).entries()] == [None, None, ""]
    assert session.step(0).typed is None


def test_a_game_that_says_how_far_it_is_for_other_players_than_the_header_names_is_refused() -> None:
    for_two = replace(HEAP, seats=range(1, 3), progress=lambda _heap: Progress((0, 0), None))
    assert heap(4).progress.totals == (4,)
    with pytest.raises(GameFaultError, match="Heap cannot be shown: progress has totals of 2 seats"):
        _ = heap(4, game=for_two).progress


# Somebody else takes a seat


def test_somebody_else_sits_there_from_now_on_and_undo_brings_the_one_before_back() -> None:
    before = heap(1, 2)
    after = before.add(Substitute(0, "Eva")).add(Put(3))
    assert (after.header.players, after.seat_names, after.first_line) == (("Eva",), ("Eva",), before.header)
    assert [after.names_at(number) for number in range(5)] == [("Aki",), ("Aki",), ("Aki",), ("Eva",), ("Eva",)]
    undone = after.add(Undo()).add(Undo())
    assert (undone.header, undone.head, undone.undone) == (before.header, before.head, Substitute(0, "Eva"))
    assert [undone.names_at(number) for number in (1, 2, 3)] == [("Aki",)] * 3
    again = undone.add(Redo()).add(Redo())
    assert (again.names_at(2), again.names_at(3), entered(again)) == (("Aki",), ("Eva",), [1, 2, 3])


def test_nobody_takes_a_seat_that_is_not_there_or_in_a_game_that_is_over() -> None:
    assert reason(heap(1), Substitute(1, "Eva")) == reason(heap(1), Substitute(-1, "Eva")) == "seat"
    assert reason(heap(5, 5, game=IN_ROUNDS), Substitute(0, "Eva")) == "over"
    assert reason(heap(1, game=IN_ROUNDS).add(Finish()), Substitute(0, "Eva")) == "over"


@pytest.mark.parametrize(
    ("line", "made_by_aki"),
    [
        (ReplaceEvent(2, Put(0)), 2),
        (ReplaceEvent(3, Put(0)), 2),
        (ReplaceEvents(1, 0, (Put(0),)), 3),
        (ReplaceEvents(1, 1, ()), 1),
        (ReplaceEvents(2, 1, (Put(0), Put(0))), 3),
        (ReplaceEvents(2, 2, (Put(0),)), 2),
        (ReplaceEvents(2, 2, (Put(0), Put(0), Put(0))), 2),
        (ReplaceEvents(1, 3, ()), 0),
        (ReplaceEvents(3, 0, (Put(0),)), 2),
        (ReplaceEvents(5, 0, (Put(0),)), 2),
    ],
)
def test_an_entry_stays_with_whom_it_was_made_by_while_others_are_corrected(line: Line, made_by_aki: int) -> None:
    session = heap(1, 1).add(Substitute(0, "Eva")).add(Put(1)).add(Put(1))
    corrected = session.add(line)
    made_by = [corrected.names_at(number)[0] for number in range(1, corrected.head.number + 1)]
    assert made_by == ["Aki"] * made_by_aki + ["Eva"] * (corrected.head.number - made_by_aki)
    assert corrected.add(Undo()).sat_before == session.sat_before


def test_a_corrected_name_counts_for_the_whole_game_and_other_seats_keep_who_sat_there_before() -> None:
    for_two = replace(HEAP, seats=range(2, 3), progress=lambda _heap: Progress((0, 0), None))
    session = Session(replace(heap().header, game=for_two, players=("Aki", "Bea"))).add(Substitute(1, "Eva"))
    renamed = session.add(SeatNames(("Ako", "Eva")))
    assert (renamed.names_at(0), renamed.names_at(1)) == (("Ako", "Bea"), ("Ako", "Eva"))
    swapped = renamed.add(SeatNames(("Eva", "Ako")))
    assert (swapped.names_at(0), swapped.names_at(1)) == (("Eva", "Ako"), ("Eva", "Ako"))
    assert swapped.add(Undo()).names_at(0) == ("Ako", "Bea")


# The table ends the game


def test_of_a_game_that_the_table_has_ended_only_finished_rounds_count() -> None:
    before = heap(1, 2, 3, game=IN_ROUNDS)
    assert (before.finished, before.progress.over) == (False, False)
    ended = before.add(Finish())
    assert (ended.state, ended.head) == ((1, 2), before.head)
    assert ended.progress == Progress((3,), (0,), None, 2, "over", finished=True)
    assert (ended.finished, ended.progress.over, ended.latest) == (True, True, Finish())
    assert heap(1, game=IN_ROUNDS).add(Finish()).state == ()


def test_one_undo_takes_the_finish_back_and_redo_brings_it_again() -> None:
    before = heap(1, 2, 3, game=IN_ROUNDS)
    undone = before.add(Finish()).add(Undo())
    assert (undone.state, undone.finished, undone.latest, undone.undone) == ((1, 2, 3), False, Put(3), Finish())
    again = undone.add(Redo())
    assert (again.state, again.finished, again.undone) == ((1, 2), True, None)
    assert undone.add(Put(1)).undone is None


def test_after_the_finish_nothing_is_entered() -> None:
    ended = heap(1, game=IN_ROUNDS).add(Finish())
    assert reason(ended, Put(1)) == reason(ended, Finish()) == "over"
    assert reason(heap(5, 5, game=IN_ROUNDS), Finish()) == "over"
    with pytest.raises(IllegalEventError, match=r"^the game is over$"):
        ended.add(Put(1))
    assert ended.add(SeatNames(("Ida",))).seat_names == ("Ida",)


def test_a_game_without_rounds_that_the_table_has_ended_has_no_winner_and_stays_as_it_is() -> None:
    ended = heap(1, 2).add(Finish())
    assert ended.state == (1, 2)
    assert (ended.progress.winners, ended.progress.over) == (None, True)


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
    assert (str(sheet.title), sheet.marked) == ("Ended early: seat 2", (1,))
    level = running.add(Put(2)).add(Finish()).score_sheet
    assert (str(level.title), level.marked) == ("Ended early", (0, 1))
    without = heap(1).add(Finish()).score_sheet
    assert (str(without.title), without.marked) == ("Ended early", ())


@pytest.mark.parametrize(
    ("line", "stand", "finished"),
    [
        (ReplaceEvent(2, Put(4)), [1, 4, 3], True),
        (ReplaceEvents(1, 1, ()), [2, 3], True),
        (ReplaceEvents(4, 0, (Put(0),)), [1, 2, 3, 0], True),
        (ReplaceEvent(4, Put(4)), [1, 2, 3, 4], False),
        (ReplaceEvents(4, 1, ()), [1, 2, 3], False),
        (ReplaceEvents(3, 2, ()), [1, 2], False),
        (ReplaceEvents(3, 2, (Finish(),)), [1, 2], True),
        (ReplaceEvent(4, Finish()), [1, 2, 3], True),
        (ReplaceEvents[Any](4, 1, (Put(0), Finish())), [1, 2, 3, 0], True),
    ],
)
def test_entries_are_corrected_with_the_finish_behind_them(line: Line, stand: list[int], finished: bool) -> None:
    ended = heap(1, 2, 3, game=IN_ROUNDS).add(Finish())
    corrected = ended.add(line)
    assert (entered(corrected), corrected.finished) == (stand, finished)
    assert corrected.state == tuple(stand[: len(stand) // 2 * 2] if finished else stand)
    undone = corrected.add(Undo())
    assert (undone.head, undone.state, undone.finished) == (ended.head, ended.state, True)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (ReplaceEvent(3, Finish()), "then entry 4 no longer fits: the game is over"),
        (ReplaceEvent(1, Finish()), "then entry 2 no longer fits: the game is over"),
        (ReplaceEvents(5, 0, (Put(1),)), "the new entry 5 does not fit: the game is over"),
        (ReplaceEvents[Any](4, 1, (Finish(), Put(1))), "the new entry 5 does not fit: the game is over"),
        (ReplaceEvents(1, 1, (Put(5),)), "then entry 4 no longer fits: the game is over"),
        (ReplaceEvent(5, Put(1)), "there is no entry 5; 4 stand"),
        (ReplaceEvents(5, 1, ()), "there is no entry 5; 4 stand"),
        (ReplaceEvents(6, 0, (Put(1),)), "there is no entry 5; 4 stand"),
    ],
)
def test_nothing_is_put_behind_a_finish_and_a_game_that_is_over_is_not_ended(line: Line, says: str) -> None:
    ended = heap(1, 2, 3, game=IN_ROUNDS).add(Finish())
    with pytest.raises(IllegalEventError) as caught:
        ended.add(line)
    assert str(caught.value) == says
