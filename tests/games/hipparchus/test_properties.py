"""Hipparchus properties on random games: prompts agree with rules, entries can be undone and re-entered by keys."""

from __future__ import annotations

import itertools
import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType

from companion.app.state import PANEL
from companion.cli.log_to_keys import LogToKeys
from companion.core.game import Event, Start, event_from_answers
from companion.core.prompt import Answer, DetailLevel, Prompt, TakeAlternative
from companion.core.session import Session
from companion.core.text import IllegalEventError
from companion.gamelog import LogError, decode_header, decode_line, encode, read
from companion.games.hipparchus import HIPPARCHUS
from companion.games.hipparchus.asks import answers, ask
from companion.games.hipparchus.rules import (
    SUIT_NAMES,
    CannotPlay,
    EndRound,
    Play,
    Round,
    RoundPile,
    State,
    Trick,
    TrickCards,
    apply,
)
from companion.journal import Journal
from companion.ui.keys import parse
from tests.app.boxes import lines_of, new_box
from tests.example_counts import examples
from tests.games.seeds import written

from .tables import header, pile

DEALT = {"format": 1, "game": "hipparchus", "players": ["Aki", "Bea"]}
SEED = st.integers(0, 2**32 - 1).map(Random)

SMALL = tuple(
    itertools.chain(
        (Start(seat) for seat in (0, 1)),
        (Play(seat, suit, count) for seat in (0, 1) for suit in SUIT_NAMES for count in range(5)),
        (CannotPlay(seat) for seat in (0, 1)),
        (EndRound(),),
        (
            Trick(seat, TrickCards(*counts))
            for seat in (0, 1)
            for counts in itertools.product(range(7), repeat=3)
            if sum(counts) < 8
        ),
    )
)
"""Every event except whole rounds, legal or not."""


def answered(state: State, tracking: DetailLevel, chance: Random) -> Event:
    """Answer prompts at random until they produce an event."""
    said: tuple[Answer, ...] = ()
    while isinstance(asked := ask(state, tracking, said), Prompt):
        assert len(set(asked.answers)) == len(asked.answers)
        assert (asked.alternative is not None) == (TakeAlternative() in asked.answers)
        assert (asked.skip is not None) == ("Skip()" in map(repr, asked.answers))
        said = (*said, chance.choice(asked.answers))
    assert asked is not None
    return asked


def walk(chance: Random) -> Session:
    """Return a random game, at a random level of tracking, stopped at a random point."""
    session = Session(header())
    ways = chance.choices(
        list(DetailLevel), weights=chance.choice([(8, 1, 0.1), (1, 8, 0.1), (1, 1, 1), (1, 0, 0)]), k=60
    )
    for tracking in ways[: chance.randint(0, 60)]:
        if session.state.phase == "over":
            break
        session = session.add(answered(session.state, tracking, chance))
    return session


def accepted(state: State, event: Event) -> bool:
    before = written(state)
    try:
        apply(state, event)
    except IllegalEventError:
        return False
    finally:
        assert written(state) == before
    return True


@settings(max_examples=examples(10, 800))
@given(SEED)
def test_what_can_be_can_be_entered_and_what_cannot_is_not_offered(chance: Random) -> None:
    state = walk(chance).state
    for event in SMALL:
        ways = (
            event_from_answers(HIPPARCHUS, state, tracking, answers(state, event)) for tracking in HIPPARCHUS.trackings
        )
        try:
            enterable = event in ways
        except IllegalEventError:
            enterable = False
        assert enterable == accepted(state, event), event


@settings(max_examples=examples(60))
@given(SEED)
def test_every_whole_round_that_can_be_can_be_entered(chance: Random) -> None:
    state = walk(chance).state
    for _ in range(20):
        figures = [chance.choice([0, 1, 2, 5, 8, 10, chance.randint(-1, 11)]) for _ in range(6)]
        second: int | UnsetType = chance.choice((UNSET, 0, 1))
        event = Round((RoundPile(*figures[:3]), RoundPile(*figures[3:])), second)
        enterable = event_from_answers(HIPPARCHUS, state, DetailLevel.ROUND, answers(state, event)) == event
        assert enterable == accepted(state, event), event


@settings(max_examples=examples(40))
@given(SEED)
def test_cards_are_neither_lost_nor_found(chance: Random) -> None:
    for step in walk(chance).steps():
        state: State = step.state
        laid = sum(each.count for each in state.table)
        assert sum(state.shown) == sum(map(sum, state.captured)) + laid
        assert max(state.shown) <= 10
        if state.known and state.phase == "play":
            assert sum(state.shown) + sum(state.left) == 28
            assert min(state.left) > 0 or state.table
        assert max(state.wins) <= 2
        assert (state.winners is not None) == (max(state.wins) == 2)


@settings(max_examples=examples(30))
@given(SEED)
def test_a_whole_round_replaces_all_but_the_starter(chance: Random) -> None:
    state = walk(chance).state
    event = Round((pile("2 1 6"), pile("7 5 4")))
    if state.phase != "over":
        begun = Session(header()).state
        for captured, result in zip(state.sheets, state.rounds, strict=True):
            begun = apply(begun, Round((RoundPile(*captured[0]), RoundPile(*captured[1])), result.winner))
        assert written(apply(state, event)) == written(apply(begun, event))


@settings(max_examples=examples(6, 600))
@given(SEED)
def test_any_game_typed_on_the_box_is_the_game(chance: Random) -> None:
    events = [step.event for step in walk(chance).steps() if step.event is not None][::-1]
    journal = Journal()
    box = new_box(journal)
    speller = LogToKeys(Session(header()))
    box.begin(header(), DetailLevel.FULL)
    for event in events:
        for key in parse(speller.spell(event)):
            box.take(PANEL, key)
        assert box.game is not None
        assert written(box.game.session.state) == written(speller.session.state)
    assert [decode_line(line, header()) for line in lines_of(journal)] == events


# The log


HEAD = '{"format":1,"game":"hipparchus","players":["Aki","Bea"]'


def test_there_are_no_rules_to_choose() -> None:
    assert decode_header(HEAD + "}").first == decode_header(HEAD + ',"rules":{}}').first
    with pytest.raises(LogError):
        decode_header(HEAD + ',"rules":{"rounds":3}}')
    with pytest.raises(LogError):
        decode_header(HEAD.replace(',"Bea"', ',"Bea","Cyr"') + "}")


def test_a_log_is_read_to_its_end() -> None:
    lines = (
        HEAD + "}",
        '{"type":"start","player":0}',
        '{"type":"play","player":0,"suit":"moon","count":3}',
        '{"type":"play","player":1,"suit":"moon","count":1}',
        '{"type":"trick","winner":1,"captured":{"sun":0,"earth":3}}',
        '{"type":"undo"}',
        '{"type":"play","player":0,"suit":"sun","count":2}',
    )
    session = read("\n".join(lines).encode())
    assert json.loads(encode(HIPPARCHUS.snapshot(session.state))) == {
        "game": "hipparchus",
        "phase": "play",
        "round": 1,
        "turn": 1,
        "leader": 0,
        "may_start": None,
        "table": [{"player": 0, "suit": "sun", "count": 2}],
        "last_trick": {
            "table": [{"player": 0, "suit": "moon", "count": 3}, {"player": 1, "suit": "moon", "count": 1}],
            "winner": 0,
        },
        "captured": [{"sun": 0, "moon": 4, "earth": 0}, {"sun": 0, "moon": 0, "earth": 0}],
        "left": [9, 13],
        "rounds": [],
        "wins": [0, 0],
        "totals": [0, 0],
        "winners": None,
        "alerts": [],
    }


@pytest.mark.parametrize(
    "line",
    [
        {"type": "play", "player": 0, "suit": "sea", "count": 1},
        {"type": "play", "player": 0, "suit": "sun", "count": True},
        {"type": "play", "player": 0, "suit": "sun"},
        {"type": "stuck"},
        {"type": "end", "player": 0},
        {"type": "trick", "winner": 0, "captured": {"sea": 3}},
        {"type": "trick", "winner": 0},
        {"type": "round", "captured": [{"sun": 3, "moon": 0}, {"sun": 3, "moon": 0, "earth": 0}]},
        {"type": "round", "captured": [{"sun": 3, "moon": 0, "earth": 0}]},
        {
            "type": "round",
            "captured": [{"sun": 3, "moon": 0, "earth": 0}, {"sun": 2, "moon": 0, "earth": 0}],
            "last": 0,
        },
    ],
)
def test_what_is_not_of_the_format_is_no_line(line: dict[str, Any]) -> None:
    with pytest.raises(LogError):
        decode_line(json.dumps(line), header())
