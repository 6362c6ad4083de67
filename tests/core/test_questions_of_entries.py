"""The questions that lead to an entry can be told of every entry of every game, and make it again."""

from __future__ import annotations

from random import Random

import pytest

from companion.app.random_play import random_game, random_header
from companion.core.event_from_answers import event_from_answers, questions_of, tracking_of
from companion.games import GAMES, shipped

ENTRIES = 30


@pytest.mark.parametrize("name", [*GAMES, *shipped.names()])
def test_the_answers_to_the_questions_of_an_entry_make_it_again(name: str) -> None:
    game, chance = GAMES[name], Random(name)
    for level in game.trackings:
        header = random_header(game, chance.choice([*game.seats]), chance)
        session = [*random_game(header, chance, level, ENTRIES)][-1]
        for step in session.entries():
            entered = step.before.state, step.event
            tracking = tracking_of(session.header.game, level, *entered)
            asked = questions_of(session.header.game, tracking, *entered)
            answers = tuple(answer for _prompt, answer in asked)
            made = event_from_answers(session.header.game, step.before.state, tracking, answers)
            whole = session.header.game.answers(*entered)[-1:]
            again = event_from_answers(session.header.game, step.before.state, tracking, (*answers, *whole))
            assert step.event in (made, again)
