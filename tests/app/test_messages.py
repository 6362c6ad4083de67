"""Refusals: true sentences, in the words of the cards, that say what to do."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from random import Random

import pytest
from msgspec import structs

from companion.core.game import Event, refusal_of
from companion.core.prompt import Answer, ChooseSeat, DetailLevel, Prompt
from companion.core.session import Session
from companion.core.text import IllegalEventError, Text
from companion.games import GAMES
from companion.ui.keys import Key
from companion.ui.screens.context import CurrentGame, ScreenContext
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import Translator
from tests.core.toy import HEAP, Put, heap
from tests.games.seeds import deal, random_answer

# Players who cannot be chosen here


@pytest.mark.unmeasured
@pytest.mark.parametrize("game", GAMES)
def test_whoever_cannot_be_named_is_told_why(game: str) -> None:
    chance, told = Random(3), 0
    for step in (step for seed in range(12) for step in islice(deal(game, seed, edits=0.0).session().steps(), 60)):
        assert step.before is not None
        for tracking in GAMES[game].trackings:
            answers: tuple[Answer, ...] = ()
            prompt = GAMES[game].ask(step.before.state, tracking, ())
            while isinstance(prompt, Prompt) and prompt.answers:
                seats = {answer.seat for answer in prompt.answers if isinstance(answer, ChooseSeat)}
                for seat in {*range(max(seats, default=0))} - seats:
                    refused = refusal_of(GAMES[game], step.before.state, tracking, (*answers, ChooseSeat(seat)))
                    assert refused is not None, (prompt.text, seat, answers)
                    assert refused.text.args["player"] == seat
                    told += 1
                answers = (*answers, random_answer(prompt, chance))
                with suppress(IllegalEventError):
                    prompt = GAMES[game].ask(step.before.state, tracking, answers)
                    continue
                break
    assert told or game == "hipparchus"


def test_where_no_reason_is_known_that_is_said() -> None:
    def ask(_heap: object, _tracking: DetailLevel, answers: tuple[Answer, ...]) -> Prompt | Event:
        return Put(1) if answers else Prompt(Text("who?"), (ChooseSeat(0),))

    session = heap(game=structs.replace(HEAP, ask=ask))
    session = Session(structs.replace(session.header, players=("Aki", "Bea")))
    context = ScreenContext(Translator(players=("Aki", "Bea")), game=CurrentGame("", session, DetailLevel.FULL))
    message = PlayScreen().show(context).press(Key("2")).message
    assert message is not None
    assert context.words(message) == "Bea cannot be named here"


# Capitals


def test_every_message_begins_with_a_capital_and_a_name_stays_as_it_is() -> None:
    words = Translator(players=("béa", "Aki"))
    assert words.sentence(Text("the game is over")) == "The game is over"
    assert words.sentence(Text("{why}", why=Text("the game is over"))) == "The game is over"
    assert words.sentence(Text("{name} already has a seat", name="béa")) == "béa already has a seat"
    assert Translator("fr").sentence(Text("the game is over")) == "La partie est finie"
    assert Translator("ja").sentence(Text("the game is over")) == "ゲームは終わりました"
