"""How likely an event is, in every game: a probability, and small for what honest people cannot do."""

from __future__ import annotations

from math import exp

import pytest
from hypothesis import given, settings

from companion.core.game import Event
from companion.core.prompt import DetailLevel, Prompt
from companion.core.text import IllegalEventError
from companion.games.kit.tricks import IMPOSSIBLE, holds, lacks, logarithm
from tests.example_counts import examples
from tests.games.seeds import Dealt, games


@settings(max_examples=examples(40, 800))
@given(games(most_rounds=2))
def test_an_event_is_never_more_than_certain_and_never_ruled_out(dealt: Dealt) -> None:
    session = dealt.session()
    log_likelihood = session.header.game.optional.log_likelihood
    assert log_likelihood is not None
    for step in session.steps():
        assert step.before is not None
        assert step.event is not None
        assert 3 * IMPOSSIBLE <= log_likelihood(step.before.state, step.event) <= 0


@settings(max_examples=examples(20, 400))
@given(games(coarse=0.0, misplay=0.0, edits=0.0, most_rounds=1))
def test_what_can_be_laid_next_is_together_hardly_more_than_certain(dealt: Dealt) -> None:
    session = dealt.session()
    game = session.header.game
    assert game.optional.log_likelihood is not None
    for step in session.steps():
        assert step.before is not None
        prompt = game.ask(step.before.state, DetailLevel.FULL, ())
        if not isinstance(step.event, game.optional.by_turn) or not isinstance(prompt, Prompt):
            continue
        whole = 0.0
        for answer in prompt.answers:
            try:
                made = game.ask(step.before.state, DetailLevel.FULL, (answer,))
                if isinstance(made, Event):
                    game.apply(step.before.state, made)
                    whole += exp(game.optional.log_likelihood(step.before.state, made))
            except IllegalEventError:
                continue
        assert whole < 2.5, (step.number, whole)


@pytest.mark.parametrize(("cards", "wanted", "hand", "chance"), [(4, 2, 1, 0.5), (10, 0, 5, 1.0), (2, 2, 9, 0.0)])
def test_a_hand_lacks_cards_by_chance(cards: int, wanted: int, hand: int, chance: float) -> None:
    assert lacks(cards, wanted, hand) == chance


@pytest.mark.parametrize(("least", "chance"), [(0, 1.0), (1, 5 / 6), (2, 1 / 6), (3, 0.0)])
def test_a_hand_holds_some_cards_by_chance(least: int, chance: float) -> None:
    assert holds(4, 2, 2, least) == pytest.approx(chance)


def test_nothing_is_less_likely_than_the_impossible() -> None:
    assert logarithm(0.0) == logarithm(1e-9) == IMPOSSIBLE
    assert logarithm(1.0) == 0.0
