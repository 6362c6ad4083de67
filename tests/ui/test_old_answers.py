"""An answer that is offered to stay as it was is what the entry had answered, in every game."""

from __future__ import annotations

from random import Random

import pytest

from companion.cli.random_play import random_game, random_header
from companion.core.game import Event, questions_of, tracking_of
from companion.core.prompt import Answer, Prompt
from companion.games import GAMES, shipped
from companion.ui.screens.position import CachedGameState, StateBeforeCorrection

ENTRIES = 25


def stays(position: CachedGameState, was: Event) -> tuple[Event, int]:
    """Correct an entry: leave as it was whatever may stay, answer the rest as before. Return it, and what stayed."""
    questions = questions_of(position.game, position.tracking, position.state, was)
    before, answers, stayed = [answer for _prompt, answer in questions], tuple[Answer, ...](), 0
    asked = position.ask()
    while isinstance(asked, Prompt):
        stayed += asked.stays is not None
        answers = (*answers, asked.stays or before[len(answers)])
        asked = position.ask(answers)
    assert asked is not None
    return asked, stayed


def corrections(name: str, seed: int) -> list[tuple[CachedGameState, Event]]:
    """Return the entries of a random game, each as it is corrected."""
    game, chance = GAMES[name], Random(f"{name} {seed}")
    header = random_header(game, chance.choice([*game.seats]), chance)
    session = [*random_game(header, chance, most=ENTRIES)][-1]
    levels = [*game.trackings]
    found: list[tuple[CachedGameState, Event]] = []
    for step in session.entries():
        state, event = step.before.state, step.event
        tracking = tracking_of(session.header.game, chance.choice(levels), state, event)
        found.append((StateBeforeCorrection(session.header.game, state, tracking, step), event))
    return found


@pytest.mark.unmeasured
@pytest.mark.parametrize("name", [*GAMES, *shipped.names()])
def test_who_leaves_every_answer_as_it_was_has_the_entry_as_it_was(name: str) -> None:
    corrected = [each for seed in range(3) for each in corrections(name, seed)]
    assert [stays(*each)[0] for each in corrected] == [was for _position, was in corrected]
    alone = name == "together"  # an entry is one answer, which is the wrong one
    assert any(stays(*each)[1] for each in corrected) != alone
