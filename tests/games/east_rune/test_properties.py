"""Whatever is played and entered: engine and referee agree, question and rules agree, and keys give the log back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType

from companion.app.log_to_keys import LogToKeys
from companion.core.errors import IllegalEvent
from companion.core.event_answers import entered
from companion.core.events import Event, Redo, Start, Undo
from companion.core.prompt import Answer, Prompt, Tracking
from companion.core.session import Session
from companion.gamelog import LogError, decode_header, decode_line, encode, encode_line, replay
from companion.games.east_rune import EAST_RUNE
from companion.games.east_rune.cards import DECK
from companion.games.east_rune.events import Claim, Pass, Play, Result, Reveal, Stop
from companion.games.east_rune.prompts import answers, ask
from companion.games.east_rune.rules import apply
from companion.games.east_rune.state import State
from companion.journal import Journal
from companion.ui.keys import parse
from tests.app.controllers import lines_of, new_box
from tests.example_counts import examples
from tests.oracle import east_rune as referee

from .tables import FULL, ROUND, written


@dataclass(frozen=True)
class Dealt:
    """A game dealt by the referee: its header, its lines, and the chance that goes on with it."""

    header: dict[str, Any]
    lines: list[dict[str, Any]]
    rng: Random = field(repr=False)

    def session(self, count: int | None = None) -> Session:
        """Return the game after so many lines."""
        session = Session(decode_header(json.dumps(self.header)))
        for line in self.lines[:count]:
            session = session.add(decode_line(json.dumps(line), session.header))
        return session

    def bytes(self) -> bytes:
        """Return the log."""
        return "".join(json.dumps(line) + "\n" for line in (self.header, *self.lines)).encode()


def games(**habits: Any) -> st.SearchStrategy[Dealt]:
    """Return random games; habits are how often people correct, stop or enter the end at once."""

    def deal(seed: int) -> Dealt:
        rng = Random(seed)
        chosen = {"coarse": rng.choice([0.0, 0.05, 0.5]), "edits": rng.choice([0.0, 0.1]), "stop": 0.005, **habits}
        return Dealt(*referee.random_game(rng, **chosen), rng)

    return st.integers(0, 2**32 - 1).map(deal)


def exact(snapshot: object) -> str:
    """Return a snapshot as it is printed, in any order of its keys."""
    return json.dumps(json.loads(encode(snapshot)), sort_keys=True)


def accepted(state: State, event: Event) -> bool:
    """Tell whether an event can be, having seen that nothing happened if it cannot."""
    before = written(state)
    try:
        apply(state, event)
    except IllegalEvent:
        return False
    finally:
        assert written(state) == before
    return True


# The referee


@settings(max_examples=examples(20, 800))
@given(games())
def test_engine_and_referee_agree_after_every_line(dealt: Dealt) -> None:
    session = dealt.session(0)
    assert exact(EAST_RUNE.snapshot(session.state)) == exact(referee.snapshot(dealt.header, []))
    for line, expected in zip(dealt.lines, referee.snapshots(dealt.header, dealt.lines), strict=True):
        session = session.add(decode_line(json.dumps(line), session.header))
        assert exact(EAST_RUNE.snapshot(session.state)) == exact(expected)


@settings(max_examples=examples(15, 600))
@given(games())
def test_what_the_referee_refuses_is_refused_and_changes_nothing(dealt: Dealt) -> None:
    count = dealt.rng.randint(0, len(dealt.lines))
    session = dealt.session(count)
    before = written(session.state)
    for line in referee.illegal(dealt.header, dealt.lines[:count], dealt.rng):
        with pytest.raises((IllegalEvent, LogError)):
            session.add(decode_line(json.dumps(line), session.header))
        assert written(session.state) == before


# Questions


def everything(seats: int) -> Iterator[Event]:
    """Yield every event but whole ends, possible or not."""
    yield Claim(None)
    for card in DECK:
        yield Reveal(card)
        for seat in range(seats):
            yield Claim(seat, card)
            yield Play(seat, card, "hand")
            yield Play(seat, card, "front")
    for seat in range(seats):
        yield from (Start(seat), Stop(seat), Pass(seat))


def offered(state: State, given: tuple[Answer, ...] = ()) -> Iterator[Event]:
    """Yield every event that some answers make when each card is followed."""
    asked = ask(state, FULL, given)
    if isinstance(asked, Event):
        yield asked
    elif asked is not None:
        assert len(set(asked.answers)) == len(asked.answers)
        for answer in asked.answers:
            yield from offered(state, (*given, answer))


@settings(max_examples=examples(20, 800))
@given(games())
def test_what_is_offered_is_what_can_be(dealt: Dealt) -> None:
    state = dealt.session(dealt.rng.randint(0, len(dealt.lines))).state
    events = list(offered(state))
    assert len(set(events)) == len(events)
    assert set(events) == {event for event in everything(state.seats) if accepted(state, event)}
    for event in events:
        assert entered(EAST_RUNE, state, FULL, answers(state, event)) == event


@settings(max_examples=examples(20, 800))
@given(games())
def test_whole_ends_that_can_be_can_be_entered_and_what_is_asked_for_makes_one(dealt: Dealt) -> None:
    chance, state = dealt.rng, dealt.session(dealt.rng.randint(0, len(dealt.lines))).state
    for _ in range(20):
        figures = [tuple(chance.choice((0, 0, 1, 1, 2, 3)) for _ in range(state.seats)) for _ in range(3)]
        last: int | UnsetType | None = chance.choice((UNSET, None, *range(state.seats)))
        event = Result((0, 0) if state.seats == 2 else figures[0], figures[1], figures[2], last)
        if accepted(state, event):
            assert entered(EAST_RUNE, state, ROUND, answers(state, event)) == event
    given: tuple[Answer, ...] = ()
    while isinstance(asked := ask(state, ROUND, given), Prompt):
        given = (*given, chance.choice(asked.answers))
    assert asked is None or accepted(state, asked)
    assert asked is None or entered(EAST_RUNE, state, ROUND, answers(state, asked)) == asked


# Entries


@settings(max_examples=examples(20))
@given(games(edits=0.0))
def test_every_entry_can_be_taken_back_and_brought_again(dealt: Dealt) -> None:
    session = dealt.session()
    states = [step.state for step in session.steps()]
    for state in [*states, session.header.first][1:]:
        undone = session.add(Undo())
        assert undone.state is state
        assert undone.add(Redo()).state is session.state
        session = undone


@settings(max_examples=examples(20))
@given(games())
def test_every_line_is_written_as_it_is_read(dealt: Dealt) -> None:
    header = dealt.session(0).header
    for line in dealt.lines:
        assert json.loads(encode_line(decode_line(json.dumps(line), header))) == line


@settings(max_examples=examples(20))
@given(games(edits=0.0))
def test_no_card_is_lost_or_found(dealt: Dealt) -> None:
    for step in dealt.session().steps():
        state: State = step.state
        if isinstance(step.event, Result):
            continue
        lying = sum(len(column) for columns in state.front for column in columns) + len(state.pile)
        dealt_out = {2: 12, 3: 24, 4: 24}[state.seats] + state.rules.blank_character
        drawn = 2 * len(state.monarchs_seen) if state.seats == 2 else 0  # the monarch itself, and a vassal
        assert lying + sum(state.monarchs) + sum(state.hand) == dealt_out + drawn
        assert len(state.chairs_up) + sum(state.chairs) == len(state.seats_seen)


def pressed(log: bytes) -> list[Any]:
    """Begin the log's game on a new box, press the keys of every line, and return what its journal holds."""
    journal = Journal()
    box = new_box(journal)
    speller: LogToKeys | None = None
    for reading in replay(log):
        if speller is None or reading.line is None:
            box.begin(reading.session.header, Tracking.FULL)
            speller = LogToKeys(reading.session)
            continue
        before = box.lines
        for key in parse(speller.spell(reading.line)):
            box.press(key)
        assert box.lines == before + 1, f"line {reading.number}: {box.words()}"
    return [json.loads(line) for line in lines_of(journal)]


@settings(max_examples=examples(10, 400))
@given(games())
def test_any_game_typed_on_the_box_is_the_game(dealt: Dealt) -> None:
    assert pressed(dealt.bytes()) == dealt.lines


def test_an_entry_takes_few_keys() -> None:
    counts = []
    for seed in range(20):
        header, lines = referee.random_game(Random(seed), coarse=0.0, stop=0.0)
        speller = LogToKeys(Session(decode_header(json.dumps(header))))
        for line in lines:
            event = decode_line(json.dumps(line), speller.session.header)
            keys = len(parse(speller.spell(event)))
            counts += [keys] if isinstance(event, Play) else []
    assert sum(counts) / len(counts) < 1.45
