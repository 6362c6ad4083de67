"""Random games of Hearts, Spades, Wizard and Skat have the points that referees written apart work out."""

from __future__ import annotations

import json
from random import Random

import pytest

from companion.gamelog import encode_line
from companion.games import shipped
from tests.example_counts import examples
from tests.oracle import whole_games

from .files import FULL, random_event

ENOUGH = {"hearts": 60, "spades": 130, "wizard": 60, "skat": 60}


@pytest.mark.parametrize("name", ENOUGH)
def test_a_random_game_has_the_points_of_the_referee(name: str) -> None:
    game, referee = shipped.game(name), getattr(whole_games, name)
    rounds = 0
    for seed in range(examples(3, 2000)):
        rng = Random(seed)
        seats = rng.choice(game.seats)
        state, lines = game.start(seats, game.rules()), []
        coarse = rng.choice([0.0, 0.05, 0.5])
        for _ in range(ENOUGH[name]):
            tracking = rng.choice([*game.trackings]) if rng.random() < coarse else FULL
            event = random_event(game, state, tracking, rng)
            if event is None:
                break
            state = game.apply(state, event)
            lines.append(json.loads(encode_line(event)))
        assert referee(lines, seats) == [*state.rounds], (name, seed)
        rounds += len(state.rounds)
    assert rounds > 2
