"""Mending an entry: what no longer fits comes up one after the other, and then it is written line by line."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.core.errors import Refused
from companion.core.events import Amend, Event, Line, Redo, Undo
from companion.core.mending import Mending, lines_to
from companion.core.prompt import Tracking
from companion.core.session import Session, Step
from companion.core.text import Text
from companion.log import encode_line, read
from tests.examples import examples
from tests.games.hipparchus.tables import header, whole
from tests.games.seeds import Dealt, events, games

from .toy import CARELESS, ROOM, Put, heap


def after(session: Session, lines: tuple[Line, ...]) -> Session:
    """Return a session after some lines; each of them has to be allowed."""
    for line in lines:
        session = session.add(line)
    return session


def step_of(*counts: int) -> Step:
    return heap(*counts).head


def test_what_fits_at_once_is_mended_by_one_line() -> None:
    mending = Mending.opening(heap(1, 2, 3), 2)
    assert (mending.was, mending.state) == (Put(2), (1,))
    mended = mending.put(Put(4))
    assert mended.fits
    assert mended.lines() == (Amend(2, Put(4)),)
    assert mended.replaced() == 1


def test_the_first_that_no_longer_fits_is_asked_for_next_with_its_reason() -> None:
    mending = Mending.opening(heap(1, 2, 3, 4), 1).put(Put(5))
    assert not mending.fits
    assert (mending.number, mending.was, mending.state) == (4, Put(4), (5, 2, 3))
    assert mending.why == Text("{count} more do not fit", count=4)
    mended = mending.put(Put(0))
    assert mended.fits
    assert mended.replaced() == 2


def test_what_does_not_fit_either_is_refused_and_asked_for_again() -> None:
    mending = Mending.opening(heap(1, 2, 3), 2)
    with pytest.raises(Refused, match="10 more do not fit"):
        mending.put(Put(10))
    assert mending.put(Put(0)).fits


def test_an_entry_there_is_not_cannot_be_mended() -> None:
    for number in (0, 4):
        with pytest.raises(Refused):
            Mending.opening(heap(1, 2, 3), number)


def test_the_same_answers_are_no_way_out_where_they_are_refused_too() -> None:
    mending = Mending.opening(heap(1, 2, 3, 4), 1).put(Put(5))
    assert mending.as_typed(Tracking.FULL) is None
    assert Mending.opening(heap(1, 2), 2).as_typed(Tracking.FULL) == Put(2)


def test_what_is_offered_and_then_refused_is_no_way_out_either() -> None:
    mending = Mending.opening(heap(1, 2, 3, 4, game=CARELESS), 1).put(Put(5))
    assert mending.as_typed(Tracking.FULL) is None


def test_what_was_typed_is_read_the_way_the_game_was_followed() -> None:
    session = Session(header()).add(whole("3 3 3", "2 2 2")).add(whole("4 0 0", "1 5 0"))
    mending = Mending.opening(session, 2)
    assert mending.as_typed(Tracking.ROUND) == whole("4 0 0", "1 5 0")
    assert mending.as_typed(Tracking.FULL) is None


def test_entries_that_are_gone_count_as_replaced() -> None:
    assert Mending.opening(heap(1, 2, 3, 4), 3).end_here().replaced() == 2


@pytest.mark.parametrize(
    ("mended", "stand"),
    [
        (Mending.opening(heap(1, 2, 3, 4), 1).put(Put(5)).leave_out(), (5, 2, 3)),
        (Mending.opening(heap(5, 2, 3), 1).leave_out(), (2, 3)),
        (Mending.opening(heap(1, 2, 3, 4), 1).put(Put(8)).end_here(), (8, 2)),
        (Mending.opening(heap(1, 2, 3), 1).leave_out().leave_out(), (2, 3)),
    ],
)
def test_what_is_left_out_is_gone_after_the_lines(mended: Mending, stand: tuple[int, ...]) -> None:
    assert (mended.fits, mended.why) == (True, None)
    assert after(mended.session, mended.lines()).state == stand


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ((1, 2), (1, 2), ()),
        ((1, 2, 3), (1, 2, 4), (Amend(3, Put(4)),)),
        # what a later entry frees an earlier one may need
        ((1, 8), (5, 4), (Amend(2, Put(4)), Amend(1, Put(5)))),
        ((8, 1), (4, 5), (Amend(1, Put(4)), Amend(2, Put(5)))),
        ((1, 2), (1, 2, 3), (Put(3),)),
        ((1, 2, 3), (1, 2), (Undo(),)),
        ((1, 2, 3), (1, 3), (Undo(), Amend(2, Put(3)))),
        # no more than eight at once
        ((1,) * 9, (0,) * 9, (Undo(), *(Amend(number, Put(0)) for number in range(8, 0, -1)), Put(0))),
    ],
)
def test_the_lines_are_as_few_as_they_can_be(old: tuple[int, ...], new: tuple[int, ...], lines: tuple[Line]) -> None:
    assert lines_to(heap(*old), step_of(*new)) == lines


def test_what_only_has_to_be_brought_back_is_brought_back() -> None:
    assert lines_to(heap(1, 2, 3).add(Undo()), step_of(1, 2, 3)) == (Redo(),)
    assert lines_to(heap(1, 2, 3).add(Undo()), step_of(1, 2, 4)) == (Put(4),)


def test_what_was_amended_before_is_amended_again_where_it_has_to_be_undone() -> None:
    session = heap(1, 2, 3).add(Amend(1, Put(0)))
    assert lines_to(session, step_of(0, 2)) == (Undo(), Undo(), Amend(1, Put(0)))


counts = st.lists(st.integers(0, 4), max_size=7).filter(lambda those: sum(those) <= ROOM)
edits = st.lists(st.one_of(st.builds(Undo), st.builds(Amend, st.integers(1, 7), st.builds(Put, st.integers(0, 4)))))


@given(counts, edits, counts)
def test_from_any_entries_there_are_lines_to_any_others(old: list[int], edited: list[Line], new: list[int]) -> None:
    session = heap(*old)
    for line in edited:
        try:
            session = session.add(line)
        except Refused:
            continue
    mended = after(session, lines_to(session, step_of(*new)))
    assert mended.state == tuple(new)


def swapped(right: list[Event], one: int, other: int) -> list[Event]:
    """Swap what two players laid, each still being the one who laid it."""
    wrong = list(right)
    for at, by in ((one, other), (other, one)):
        told = {**msgspec.structs.asdict(right[by]), "player": msgspec.structs.asdict(right[at])["player"]}
        wrong[at] = type(right[at])(**told)
    return wrong


def entered_as_the_box_asks(session: Session, right: list[Event], said: list[Event]) -> Session:
    """Enter what was said as a table does: the same answers, by whose turn the box thinks it is."""
    truth = wrong = Session(session.header)
    for event, wanted in zip(right, said, strict=True):
        truth = truth.add(event)
        try:
            wrong = wrong.add(wanted)
        except Refused:
            again = Mending(truth, truth.head.number, wrong.head).as_typed(Tracking.FULL)
            if again is None:
                break  # the box says so, and they look for the fault
            wrong = wrong.add(again)
    return wrong


def set_right(session: Session, right: list[Event]) -> tuple[Session, list[Line]]:
    """Mend whatever is wrong, the first fault first; every line has to be allowed."""
    written: list[Line] = []
    while True:
        stand = events(session)
        faults = [number for number, event in enumerate(stand, 1) if event != right[number - 1]]
        if not faults:
            break
        mending = Mending.opening(session, faults[0]).put(right[faults[0] - 1])
        while not mending.fits:
            try:
                mending = mending.put(right[mending.number - 1])
            except Refused:  # another fault lies between, which fits
                mending = mending.end_here()
        session = after(session, mending.lines())
        assert events(session) == events(Session(session.header, mending.step))
        written += mending.lines()
    rest = right[len(stand) :]
    return after(session, tuple(rest)), [*written, *rest]


@settings(max_examples=examples(30, 2000))
@given(games(edits=0.1, misplay=0.0, coarse=0.0, most_rounds=1), st.randoms())
def test_any_two_plays_that_were_swapped_within_three_tricks_are_set_right(dealt: Dealt, chance: Random) -> None:
    session = dealt.session()
    right = events(session)
    plays = [at for at, event in enumerate(right) if type(event).__name__ == "Play"]
    assume(len(plays) > 1)
    place = chance.randrange(len(plays) - 1)
    one, other = plays[place], chance.choice(plays[place + 1 : place + 15])
    wrong = entered_as_the_box_asks(session, right, swapped(right, one, other))
    mended, written = set_right(wrong, right)
    assert mended.state == session.state
    log = [wrong.header.written, *map(encode_line, (*events(wrong), *written))]
    assert events(read("\n".join(log).encode())) == right
