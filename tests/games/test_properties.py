"""Whatever is played and entered: the engine agrees with the referee, and every entry can be taken back."""

from __future__ import annotations

import json
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import Refused
from companion.core.events import Amend, Redo, Undo
from companion.core.session import Session
from companion.log import LogError, decode_line, encode, encode_line
from tests.examples import examples

from .seeds import Dealt, events, games, written

CHANCE = st.randoms(use_true_random=False)


def exact(snapshot: object) -> object:
    """Return a snapshot as it is printed, in any order of its keys."""
    return json.dumps(json.loads(encode(snapshot)), sort_keys=True)


def refused(session: Session, line: str) -> bool:
    """Tell whether a line of a log is refused, having seen that nothing happened."""
    head, state = session.head, session.state
    before = written(state)
    try:
        session.add(decode_line(line, session.header))
    except (Refused, LogError):
        assert session.head is head
        assert session.state is state
        assert written(state) == before
        return True
    return False


@settings(max_examples=examples(20, 800))
@given(games())
def test_engine_and_referee_agree_after_every_line(dealt: Dealt) -> None:
    session = dealt.session(0)
    snapshot = session.header.game.snapshot
    assert exact(snapshot(session.state)) == exact(dealt.referee.snapshot(dealt.header, []))
    for line, expected in zip(dealt.lines, dealt.referee.snapshots(dealt.header, dealt.lines), strict=True):
        before, state = session, written(session.state)
        session = session.add(decode_line(json.dumps(line), session.header))
        assert exact(snapshot(session.state)) == exact(expected)
        assert written(before.state) == state


@settings(max_examples=examples(20, 800))
@given(games(), CHANCE)
def test_what_the_referee_refuses_is_refused_and_changes_nothing(dealt: Dealt, chance: Random) -> None:
    count = chance.randint(0, len(dealt.lines))
    session = dealt.session(count)
    for line in dealt.referee.illegal(dealt.header, dealt.lines[:count], dealt.rng):
        assert refused(session, json.dumps(line)), line


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


@settings(max_examples=examples(20))
@given(games())
def test_every_line_of_a_game_is_written_as_it_is_read(dealt: Dealt) -> None:
    header = dealt.session(0).header
    for line in dealt.lines:
        read = decode_line(json.dumps(line), header)
        text = encode_line(read)
        assert decode_line(text, header) == read
        assert encode_line(decode_line(text, header)) == text
