"""The questions that lead to an entry can be told of every entry of every game, and make it again."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from companion.cli.random_play import random_game, random_header
from companion.core.game import Event, event_from_answers, questions_of, tracking_of
from companion.core.prompt import Answer, DetailLevel, EnterNumber, Prompt, Skip, TallySheet
from companion.core.text import Text
from companion.games import GAMES, shipped

from .toy import HEAP, Put

ENTRIES = 30


def test_a_rest_that_is_said_to_be_0_is_a_figure_for_each_and_no_question_after_it() -> None:
    def ask(_heap: object, _tracking: DetailLevel, answers: tuple[Answer, ...]) -> Prompt | Event:
        if answers == (Skip(),):
            return Put(0)
        if len(answers) == 2:
            return Prompt(Text("Sure?"), (Skip(),))
        cell = (len(answers), 0)
        sheet = TallySheet(Text("Round 1"), (Text("Bid"),), ((None,), (None,)), cell)
        return Prompt(Text("Bid?"), (EnterNumber(0), Skip()), sheet=sheet)

    game = replace(HEAP, ask=ask, answers=lambda *_: (Skip(),))
    asked = questions_of(game, DetailLevel.FULL, (), Put(0))
    assert [(prompt.cell, answer) for prompt, answer in asked] == [((0, 0), EnterNumber(0)), ((1, 0), EnterNumber(0))]


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
