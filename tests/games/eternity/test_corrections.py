"""Eternity: corrections and whole rounds, at any point of random games."""

from __future__ import annotations

import json
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from companion.core.game import Event, Start, Undo
from companion.core.prompt import DetailLevel, LayCard, Prompt
from companion.core.text import IllegalEventError
from companion.gamelog import decode_line, encode_line
from companion.games.eternity.rules import DECK, Play, Pledge, Round, most_trees_of_seat, tricks_in_round
from tests.example_counts import examples
from tests.games.seeds import Dealt, events, games, written
from tests.games.test_asking import accepted, points
from tests.games.test_properties import refused
from tests.oracle import eternity as referee

CHANCE = st.randoms(use_true_random=False)


@settings(max_examples=examples(20))
@given(games("eternity"), CHANCE)
def test_a_correction_is_what_would_have_come_of_it_or_is_refused_whole(dealt: Dealt, chance: Random) -> None:
    session = dealt.session()
    game = session.header.game
    standing = events(session)
    for number in chance.choices(range(1, len(standing) + 1), k=8) if standing else ():
        old = json.loads(encode_line(standing[number - 1]))
        other = {**({"pledges": []} if old["type"] == "trick" else {}), **old}
        line = {"type": "amend", "event": number, "to": referee.other_event(chance, dealt.header, other)}
        state = session.header.first
        fits = True
        try:
            to = decode_line(json.dumps(line["to"]), session.header)
            assert isinstance(to, Event)
            for event in [*standing[: number - 1], to, *standing[number:]]:
                state = game.apply(state, event)
        except IllegalEventError:
            fits = False
        assert refused(session, json.dumps(line)) == (not fits)
        if fits:
            amended = session.add(decode_line(json.dumps(line), session.header))
            assert written(amended.state) == written(state)
            assert amended.add(Undo()).state is session.state


@settings(max_examples=examples(40))
@given(games("eternity"), CHANCE)
def test_a_whole_round_replaces_all_but_the_starter(dealt: Dealt, chance: Random) -> None:
    session = dealt.session(chance.randint(0, len(dealt.lines)))
    apply, state = session.header.game.apply, session.state
    count, seats = tricks_in_round(state.seats), range(state.seats)
    won = chance.choices(seats, k=count)
    tricks = tuple(won.count(seat) for seat in seats)
    last = won[-1] if chance.random() < 0.5 else UNSET
    trees = tuple(min(chance.randint(0, 3), most_trees_of_seat(state.seats, each)) for each in tricks)
    event = Round(tricks, trees, last)
    if state.phase == "over":
        assert refused(session, encode_line(event))
        return
    running = [step.state for step in (*session.steps(), session.step(0)) if step.state.round == state.round]
    opened = running[-1]
    assert not opened.seen
    if opened.phase == "start" and state.dealer is not None:
        opened = apply(opened, Start(state.dealer))
    assert written(apply(state, event)) == written(apply(opened, event))


@settings(max_examples=examples(12, 500))
@given(games("eternity", coarse=0.1), CHANCE)
def test_where_one_card_is_asked_for_exactly_those_that_can_be_are_offered(dealt: Dealt, chance: Random) -> None:
    for session in points(dealt, chance, 8):
        game, state = session.header.game, session.state
        if state.phase != "play":
            continue
        asked = game.ask(state, DetailLevel.FULL, ())
        assert isinstance(asked, Prompt)
        offered = {
            game.ask(state, DetailLevel.FULL, (answer,)) for answer in asked.answers if isinstance(answer, LayCard)
        }
        cards = [kind(seat, card) for kind in (Play, Pledge) for card in DECK for seat in range(state.seats)]
        assert offered == {event for event in cards if accepted(game, state, event)}
        assert asked.seat == state.turn
