"""Prompts and rules agree at every point of random games: answers offered are legal, events can be entered."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game import Event, Game, event_from_answers, tracking_of
from companion.core.prompt import Answer, ChooseSeat, DetailLevel, LayCard, Prompt, Skip, TakeAlternative
from companion.core.session import Session
from companion.core.text import IllegalEventError
from companion.gamelog import LogError, decode_line
from tests.example_counts import examples

from .seeds import Dealt, games, random_answer, slips

CHANCE = st.randoms(use_true_random=False)


def points(dealt: Dealt, chance: Random, count: int) -> list[Session]:
    """Return the session at several random points, the end included."""
    places = chance.sample(range(len(dealt.lines) + 1), min(count, len(dealt.lines) + 1))
    return [dealt.session(place) for place in (*places, len(dealt.lines))]


def accepted(game: Game[Any], state: Any, event: Event) -> bool:
    try:
        game.apply(state, event)
    except IllegalEventError:
        return False
    return True


def answered(game: Game[Any], state: Any, tracking: DetailLevel, given: tuple[Answer, ...], chance: Random) -> Event:
    """Answer prompts at random until they produce an event; now and then change a whole form, and keep its figures."""
    changed = False
    for _ in range(80):
        asked = game.ask(state, tracking, given)
        if isinstance(asked, Event):
            assert enterable(game, state, asked), asked
            return asked
        assert isinstance(asked, Prompt)
        answer: Answer
        whole = asked.whole and TakeAlternative() in asked.answers
        if whole and not changed and chance.randrange(3) == 0:
            changed, answer = True, TakeAlternative()
        else:  # other figures in a row might never add up
            keeps = changed and asked.cell is not None and asked.skip is not None
            answer = Skip() if keeps else random_answer(asked, chance)
        given = (*given, answer)
    raise AssertionError("the questions never end")


@settings(max_examples=examples(10, 500))
@given(games(), CHANCE)
def test_every_answer_that_is_offered_leads_to_an_event_that_can_be(dealt: Dealt, chance: Random) -> None:
    for session in points(dealt, chance, 4):
        game, state = session.header.game, session.state
        for tracking in game.trackings:
            asked = game.ask(state, tracking, ())
            assert (asked is None) == (state.phase == "over")
            if asked is None:
                continue
            assert isinstance(asked, Prompt)
            for answer in asked.answers:
                event = answered(game, state, tracking, (answer,), chance)
                assert accepted(game, state, event), (tracking, answer, event)
                assert tracking_of(game, tracking, state, event) in game.trackings


@settings(max_examples=examples(15))
@given(games(), CHANCE)
def test_a_prompt_is_sound(dealt: Dealt, chance: Random) -> None:
    for session in points(dealt, chance, 4):
        game, state = session.header.game, session.state
        for tracking in game.trackings:
            given: tuple[Answer, ...] = ()
            while isinstance(asked := game.ask(state, tracking, given), Prompt):
                assert len(set(asked.answers)) == len(asked.answers)
                assert bool(asked.deck) == bool(asked.suits) >= any(isinstance(each, LayCard) for each in asked.answers)
                assert (asked.alternate is not None) >= any(
                    isinstance(each, LayCard) and each.alternate for each in asked.answers
                )
                assert (asked.alternative is not None) == (TakeAlternative() in asked.answers)
                assert (asked.skip is not None) == ("Skip()" in map(repr, asked.answers))
                seats = range(len(session.header.players))
                assert all(each.seat in seats for each in asked.answers if isinstance(each, ChooseSeat))
                given = (*given, random_answer(asked, chance))


@settings(max_examples=examples(40, 1500))
@given(games(), CHANCE)
def test_whatever_can_be_can_be_entered(dealt: Dealt, chance: Random) -> None:
    count = chance.randint(0, len(dealt.lines))
    session = dealt.session(count)
    game, state = session.header.game, session.state
    for line in slips(dealt, count, chance):
        try:
            event = decode_line(json.dumps(line), session.header)
        except LogError:
            continue
        if isinstance(event, Event) and accepted(game, state, event):
            assert enterable(game, state, event), event


def enterable(game: Game[Any], state: Any, event: Event) -> bool:
    """Return whether an event can be entered with answers that are offered."""
    given = game.answers(state, event)
    return any(event_from_answers(game, state, tracking, given) == event for tracking in game.trackings)


@settings(max_examples=examples(20, 800))
@given(games(coarse=0.1), CHANCE)
def test_where_a_card_is_asked_for_those_that_can_be_are_offered_and_no_others(dealt: Dealt, chance: Random) -> None:
    for session in points(dealt, chance, 6):
        game, state = session.header.game, session.state
        asked = game.ask(state, DetailLevel.FULL, ())
        if isinstance(asked, Prompt) and asked.deck:
            made = {answer.card.name: game.ask(state, DetailLevel.FULL, (answer,)) for answer in laid(asked, False)}
            assert all(accepted(game, state, event) for event in made.values() if isinstance(event, Event))
            for card in asked.deck:
                try:
                    event = game.ask(state, DetailLevel.FULL, (LayCard(card),))
                except IllegalEventError:
                    assert card.name not in made
                else:
                    assert (card.name in made) == (not isinstance(event, Event) or accepted(game, state, event))


def laid(asked: Prompt, alternate: bool) -> list[LayCard]:
    """Return the cards that a question offers."""
    return [answer for answer in asked.answers if isinstance(answer, LayCard) and answer.alternate == alternate]


@settings(max_examples=examples(25))
@given(games(edits=0.0))
def test_every_event_of_a_game_can_be_entered_answer_by_answer(dealt: Dealt) -> None:
    session = dealt.session()
    game = session.header.game
    for step in session.steps():
        assert step.before is not None
        assert step.event is not None
        state = step.before.state
        given = game.answers(state, step.event)
        assert any(_leads(game, state, tracking, given, step.event) for tracking in game.trackings), step.event


def _leads(game: Game[Any], state: Any, tracking: DetailLevel, given: tuple[Answer, ...], event: Event) -> bool:
    for count, answer in enumerate(given):
        asked = game.ask(state, tracking, given[:count])
        if not isinstance(asked, Prompt) or answer not in asked.answers:
            return False
    return game.ask(state, tracking, given) == event
