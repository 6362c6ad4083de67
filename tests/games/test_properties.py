"""Properties on random games: the engine agrees with the oracle's referee, and every entry can be undone."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game import Amend, Event, Redo, Splice, Start, Undo
from companion.core.session import Session
from companion.core.text import IllegalEventError
from companion.gamelog import LogError, decode_line, encode, encode_line, snapshot
from tests.example_counts import examples

from .seeds import Dealt, events, games, slips, written

CHANCE = st.randoms(use_true_random=False)


def exact(told: object) -> object:
    """Return a snapshot as JSON with sorted keys, for comparison."""
    return json.dumps(json.loads(told if isinstance(told, bytes) else encode(told)), sort_keys=True)


def refused(session: Session, line: str) -> bool:
    """Return whether a log line is refused; assert that a refused line changes nothing."""
    head, state = session.head, session.state
    before = written(state)
    try:
        session.add(decode_line(line, session.header))
    except (IllegalEventError, LogError):
        assert session.head is head
        assert session.state is state
        assert written(state) == before
        return True
    return False


@settings(max_examples=examples(40, 1200))
@given(games() | games(splices=0.1))
def test_engine_and_referee_agree_after_every_line(dealt: Dealt) -> None:
    session = dealt.session(0)
    assert exact(snapshot(session)) == exact(dealt.referee.snapshot(dealt.header, []))
    for line, expected in zip(dealt.lines, dealt.referee.snapshots(dealt.header, dealt.lines), strict=True):
        before, state = session, written(session.state)
        session = session.add(decode_line(json.dumps(line), session.header))
        assert exact(snapshot(session)) == exact(expected)
        assert written(before.state) == state


@settings(max_examples=examples(30, 2000))
@given(games() | games(splices=0.1), CHANCE)
def test_whatever_the_referee_refuses_is_refused_and_whatever_it_allows_is_entered(
    dealt: Dealt, chance: Random
) -> None:
    count = chance.randint(0, len(dealt.lines))
    session, book = dealt.session(count), dealt.referee.Book.of(dealt.header, dealt.lines[:count])
    for line in slips(dealt, count, chance):
        verdict = book.verdict(line)
        if verdict is not None:
            assert refused(session, json.dumps(line)) is not verdict, line


@settings(max_examples=examples(20))
@given(games(edits=0.0))
def test_every_entry_can_be_taken_back_and_brought_again(dealt: Dealt) -> None:
    session = dealt.session(0)
    for line in dealt.lines:
        after = session.add(decode_line(json.dumps(line), session.header))
        undone = after.add(Undo())
        assert undone.state is session.state
        assert list(undone.steps()) == list(session.steps())
        assert undone.add(Redo()).state is after.state
        session = after
    states = [step.state for step in session.steps()]
    for state in [*states, session.header.first][1:]:
        session = session.add(Undo())
        assert session.state is state
    assert session.latest is None


@settings(max_examples=examples(20))
@given(games(), CHANCE)
def test_an_entry_replaced_by_itself_changes_nothing(dealt: Dealt, chance: Random) -> None:
    session = dealt.session()
    for number in chance.sample(range(1, session.head.number + 1), min(8, session.head.number)):
        same = session.add(Amend(number, session.step(number).event))
        assert written(same.state) == written(session.state)
        assert [written(step.state) for step in same.steps()] == [written(step.state) for step in session.steps()]
        assert events(same) == events(session)


def some_splice(session: Session, rest: list[Event], chance: Random) -> Splice[Event]:
    """Return a random splice, legal or not, whose new events were entered nearby or come next."""
    stand = events(session)
    place = chance.randint(max(0, len(stand) - chance.choice([1, 3, 9, 999])), len(stand))
    if chance.random() < 0.4:  # the last events, entered again: always legal
        dropped = stand[place:]
        put = (*dropped, *rest[:3])[: chance.randint(0, len(dropped) + 3)]
    else:
        dropped = stand[place : place + chance.choice([0, 1, 2, 2, 3])]
        near = [*stand[max(0, place - 3) : place + 5], *rest[:3]]
        put = tuple(chance.choice([dropped[::-1], chance.sample(near, chance.randint(0, min(3, len(near))))]))
    return Splice(place + 1, len(dropped), put if put or dropped else (Start(0),))


def entered_anew(session: Session, wanted: list[Event]) -> tuple[Session, str | None]:
    """Return a new session with events entered until one is refused, and the reason; None if none was."""
    anew = Session(session.header)
    for event in wanted:
        try:
            anew = anew.add(event)
        except IllegalEventError as refused:
            return anew, refused.reason
    return anew, None


@settings(max_examples=examples(25, 800))
@given(games(edits=0.0), CHANCE)
def test_a_splice_is_the_log_without_it_entered_anew(dealt: Dealt, chance: Random) -> None:
    whole, count = events(dealt.session()), chance.randint(0, len(dealt.lines))
    session = dealt.session(count)
    stand, state = events(session), written(session.state)
    for _ in range(9):
        splice = some_splice(session, whole[count:], chance)
        before, after = splice.event - 1, splice.event - 1 + splice.drop
        anew, reason = entered_anew(session, [*stand[:before], *splice.put, *stand[after:]])
        if reason is None:
            spliced = session.add(splice)
            assert events(spliced) == events(anew)
            assert [written(step.state) for step in spliced.steps()] == [written(step.state) for step in anew.steps()]
            assert exact(anew.header.game.snapshot(anew.state)) == exact(anew.header.game.snapshot(spliced.state))
            undone = spliced.add(Undo())
            assert undone.head is session.head
            assert (undone.latest, undone.undone) == (session.latest, splice)
            assert undone.add(Redo()).head is spliced.head
        else:
            number = anew.head.number + 1  # numbered as in the spliced log
            later = number - len(splice.put) + splice.drop
            names = f"the new entry {number} " if number <= before + len(splice.put) else f"then entry {later} no "
            with pytest.raises(IllegalEventError, match=f"^{names}") as caught:
                session.add(splice)
            assert caught.value.reason == reason
        assert events(session) == stand
        assert written(session.state) == state


@settings(max_examples=examples(20))
@given(games(edits=0.0), CHANCE)
def test_an_amend_is_a_splice_of_one_for_one(dealt: Dealt, chance: Random) -> None:
    session = dealt.session()
    stand = events(session)
    for _ in range(9):
        number, to = chance.randint(1, len(stand) + 1), chance.choice([*stand, Start(0)])
        results = []
        for line in (Amend(number, to), Splice(number, 1, (to,))):
            try:
                results.append([written(step.state) for step in session.add(line).steps()])
            except IllegalEventError as refused:
                results.append([str(refused).encode()])
        assert results[0] == results[1]


@settings(max_examples=examples(20))
@given(games(splices=0.1))
def test_every_line_of_a_game_is_written_as_it_is_read(dealt: Dealt) -> None:
    session = dealt.session(0)
    for line in dealt.lines:
        header = session.header  # with the names of those who sit there now
        read = decode_line(json.dumps(line), header)
        text = encode_line(read)
        assert decode_line(text, header) == read
        assert encode_line(decode_line(text, header)) == text
        session = session.add(read)
