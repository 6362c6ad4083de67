"""Corrections: each entry that no longer fits is asked for in turn, and one line holds the whole correction."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.core.correction import Correction, CorrectionKind, correction_in_words, line_between
from companion.core.game import Amend, Event, Line, Splice, Undo, event_from_answers
from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.core.text import IllegalEventError, Text
from companion.gamelog import decode_header, encode_line, read
from companion.games.hipparchus.rules import Round, RoundPile
from tests.example_counts import examples
from tests.games.seeds import Dealt, events, games

from .toy import CARELESS, HEAP, ROOM, Heap, Put, heap, put


def after(session: Session, line: Line | None) -> Session:
    return session if line is None else session.add(line)


def test_what_fits_at_once_is_mended_by_one_line() -> None:
    mending = Correction(heap(1, 2, 3), 2)
    assert (mending.was, mending.state) == (Put(2), (1,))
    fits = mending.put(Put(4))
    assert fits.fits
    assert fits.line() == Amend(2, Put(4))
    assert fits.stand.changed == (2,)


def test_the_first_that_no_longer_fits_is_asked_for_next_with_its_reason() -> None:
    mending = Correction(heap(1, 2, 3, 4), 1).put(Put(5))
    assert not mending.fits
    assert (mending.entry.number, mending.was, mending.state) == (4, Put(4), (5, 2, 3))
    assert mending.stand.why == Text("{count} more do not fit", count=4)
    fits = mending.put(Put(0))
    assert fits.fits
    assert fits.stand.changed == (1, 4)
    assert fits.line() == Splice(1, 4, (Put(5), Put(2), Put(3), Put(0)))


def test_what_does_not_fit_either_is_refused_and_asked_for_again() -> None:
    mending = Correction(heap(1, 2, 3), 2)
    with pytest.raises(IllegalEventError, match="10 more do not fit"):
        mending.put(Put(10))
    assert mending.put(Put(0)).fits


def test_an_entry_there_is_not_cannot_be_mended() -> None:
    for number in (0, 4):
        with pytest.raises(IllegalEventError):
            assert Correction(heap(1, 2, 3), number).stand


def test_a_correction_is_resumed_with_what_was_given_and_no_more_than_it_takes() -> None:
    session = heap(1, 2, 3)
    resumed = Correction(session, 2, CorrectionKind.REPLACE, (Put(4), Put(5)))
    assert resumed.fits
    assert resumed.line() == Amend(2, Put(4))


@pytest.mark.parametrize(
    "correction",
    [
        Correction(heap(1, 2, 3), 2).put(Put(4)),
        Correction(heap(1, 2, 3), 2, CorrectionKind.INSERT).put(Put(0)),
        Correction(heap(1, 2, 3), 2, CorrectionKind.REMOVE).leave_out(),
        Correction(heap(1, 2, 3), 2, CorrectionKind.SWAP),
        Correction(heap(1, 2, 3, 4), 1).put(Put(5)),  # the last entry does not fit, and is asked for
        Correction(heap(1, 2, 3, 4), 1).put(Put(5)).leave_out(),
        Correction(heap(1, 2, 3, 4), 1).put(Put(8)).end_here(),
    ],
)
def test_what_was_given_is_enough_to_resume_a_correction(correction: Correction) -> None:
    again = Correction(correction.session, correction.first, correction.kind, correction.given)
    was, stand = correction.stand, again.stand
    assert (stand.changed, stand.why, stand.entry, again.state) == (was.changed, was.why, was.entry, correction.state)
    if correction.fits:
        assert again.line() == correction.line()


def test_what_is_given_is_applied_once_and_what_was_given_before_it_is_not_again() -> None:
    applied: list[Event] = []

    def apply(those: Heap, event: Event) -> Heap:
        applied.append(event)
        return put(those, event)

    correction = Correction(heap(2, 2, 2, game=replace(HEAP, apply=apply)), 1).put(Put(9))
    applied.clear()
    assert not correction.put(Put(1)).fits
    assert applied == [Put(1), Put(2)]


def test_a_swap_changes_both_entries_and_a_removal_one() -> None:
    swap = Correction(heap(1, 2, 3), 1, CorrectionKind.SWAP)
    assert (swap.kind, swap.stand.changed, swap.fits) == (CorrectionKind.SWAP, (1, 2), True)
    assert swap.line() == Splice(1, 2, (Put(2), Put(1)))
    removal = Correction(heap(1, 2, 3), 1, CorrectionKind.REMOVE).leave_out()
    assert (removal.kind, removal.stand.changed, removal.given) == (CorrectionKind.REMOVE, (1,), (None,))
    assert removal.line() == Splice(1, 1, ())


def test_a_correction_is_told_by_what_it_puts_in() -> None:
    game = heap().header.game
    assert str(correction_in_words(game, Amend(1, Put(4)))) == str(game.describe(Put(4)))
    both = Splice(1, 2, (Put(4), Put(5)))
    assert str(correction_in_words(game, both)) == f"{game.describe(Put(4))}, {game.describe(Put(5))}"
    assert str(correction_in_words(game, Splice(1, 2, ()))) == "taken out"


def test_the_same_answers_are_no_way_out_where_they_are_refused_too() -> None:
    mending = Correction(heap(1, 2, 3, 4), 1).put(Put(5))
    assert mending.as_typed(DetailLevel.FULL) is None
    assert Correction(heap(1, 2), 2).as_typed(DetailLevel.FULL) == Put(2)


def test_what_is_offered_and_then_refused_is_no_way_out_either() -> None:
    mending = Correction(heap(1, 2, 3, 4, game=CARELESS), 1).put(Put(5))
    assert mending.as_typed(DetailLevel.FULL) is None


def test_what_was_typed_is_read_the_way_the_game_was_followed() -> None:
    session = Session(decode_header('{"format":1,"game":"hipparchus","players":["Aki","Bea"]}'))
    first, second = Round((RoundPile(3, 3, 3), RoundPile(2, 2, 2))), Round((RoundPile(4, 0, 0), RoundPile(1, 5, 0)))
    mending = Correction(session.add(first).add(second), 2)
    assert mending.as_typed(DetailLevel.ROUND) == second
    assert mending.as_typed(DetailLevel.FULL) is None


def test_entries_that_are_gone_count_as_changed_and_those_that_come_back_the_same_do_not() -> None:
    ended = Correction(heap(1, 2, 3, 4), 3).end_here()
    assert (ended.stand.changed, ended.fits) == ((3, 4), True)
    assert Correction(heap(1, 2, 3), 1).put(Put(1)).stand.changed == ()
    assert Correction(heap(1, 2, 3), 1).leave_out().stand.changed == (1,)


@pytest.mark.parametrize(
    ("correction", "stand"),
    [
        (Correction(heap(1, 2, 3, 4), 1).put(Put(5)).leave_out(), (5, 2, 3)),
        (Correction(heap(5, 2, 3), 1).leave_out(), (2, 3)),
        (Correction(heap(1, 2, 3, 4), 1).put(Put(8)).end_here(), (8, 2)),
    ],
)
def test_what_is_left_out_is_gone_after_the_line(correction: Correction, stand: tuple[int, ...]) -> None:
    assert (correction.fits, correction.stand.why) == (True, None)
    assert after(correction.session, correction.line()).state == stand


counts = st.lists(st.integers(0, 4), max_size=7).filter(lambda those: sum(those) <= ROOM).map(tuple)


@given(counts, counts)
def test_one_line_leads_from_any_entries_to_any_others(old: tuple[int, ...], new: tuple[int, ...]) -> None:
    session = heap(*old)
    line = line_between(events(session), events(heap(*new)))
    corrected = after(session, line)
    assert corrected.state == new
    assert (line is None) == (old == new)
    if line is not None:
        assert corrected.add(Undo()).head is session.head
        shortest = min(
            (last - first + len(new) - len(old) + last - first, last - first)
            for first in range(len(old) + 1)
            for last in range(first, len(old) + 1)
            if len(new) >= len(old) - last + first
            and old[:first] == new[:first]
            and old[last:] == new[len(new) - len(old) + last :]
        )
        assert (line.drop + len(line.put), line.drop) == shortest


def swapped(right: list[Event], one: int, other: int) -> list[Event]:
    """Exchange the cards of two players' plays; each play keeps its player."""
    wrong = list(right)
    for at, by in ((one, other), (other, one)):
        told = {**msgspec.structs.asdict(right[by]), "player": msgspec.structs.asdict(right[at])["player"]}
        wrong[at] = type(right[at])(**told)
    return wrong


def entered_as_the_box_asks(session: Session, right: list[Event], said: list[Event]) -> Session:
    """Enter events as the table does: the same answers, given by the player whose turn the box expects."""
    truth = wrong = Session(session.header)
    for event, wanted in zip(right, said, strict=True):
        truth = truth.add(event)
        try:
            wrong = wrong.add(wanted)
        except IllegalEventError:
            game = truth.header.game
            answers = game.answers(truth.before(truth.head.number), event)
            again = event_from_answers(game, wrong.state, DetailLevel.FULL, answers)
            if again is None:
                break  # the box says so, and they look for the fault
            wrong = wrong.add(again)
    return wrong


def set_right(session: Session, right: list[Event]) -> tuple[Session, list[Line]]:
    """Correct every wrong entry, the first one first, by one line each."""
    written: list[Line] = []
    while True:
        stand = events(session)
        faults = [number for number, event in enumerate(stand, 1) if event != right[number - 1]]
        if not faults:
            break
        mending = Correction(session, faults[0]).put(right[faults[0] - 1])
        while not mending.fits:
            try:
                mending = mending.put(right[mending.entry.number - 1])
            except IllegalEventError:  # another fault lies between, which fits
                mending = mending.end_here()
        line = mending.line()
        assert line is not None
        session = session.add(line)
        assert events(session) == events(Session(session.header, mending.stand.step))
        written.append(line)
    rest = right[len(stand) :]
    for event in rest:
        session = session.add(event)
    return session, [*written, *rest]


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
    corrected, written = set_right(wrong, right)
    assert corrected.state == session.state
    log = [wrong.header.written, *map(encode_line, (*events(wrong), *written))]
    assert events(read("\n".join(log).encode())) == right
