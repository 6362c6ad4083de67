"""Texts of declared games for tests, and helpers that load and play them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.core.game import Event, Game, event_from_answers
from companion.core.prompt import Answer, DetailLevel, LayCard, Prompt, Skip
from companion.core.text import IllegalEventError
from companion.games.toml_games import GameFileError, load
from tests.games.seeds import random_answer

FULL, QUICK, ROUND = DetailLevel.FULL, DetailLevel.QUICK, DetailLevel.ROUND

TALLY = """
name = "tally"
title = "Points"
seats = "2-8"
[[ask]]
name = "points"
least = -999
[score]
points = "points"
"""

BIDS = """
name = "bids"
title = "Bids"
seats = "3-4"
dealer = true
options.rounds = { label = "Rounds", values = { "three" = 3, "two" = 2 }, typed = true }
[define]
cards = "4 - round"
[[ask]]
name = "bid"
most = "cards"
refuse = "asked_last and sum(bid) == cards"
because = "The bids must not add up"
[[ask]]
name = "tricks"
most = "cards"
sum = "cards"
[score]
points = "10 + tricks if bid == tricks else 0"
[end]
when = "round == rounds"
[counts.exact]
label = "Exact bids"
count = "bid == tricks"
"""


def game(text: str) -> Game[Any]:
    """Return the game that a text declares."""
    return load(text, "game.toml")


def findings(text: str) -> list[str]:
    """Return what is wrong with a text, each with its place."""
    with pytest.raises(GameFileError) as caught:
        load(text, "game.toml")
    return str(caught.value).splitlines()


def entered(of: Game[Any], state: Any, tracking: DetailLevel, *answers: Answer) -> Any:
    """Return the state after the event that answers make, agreed to where its sheet is shown whole.

    Assert that the event makes the same answers.
    """
    event = of.ask(state, tracking, answers)
    if isinstance(event, Prompt) and event.sheet is not None and event.cell is None:
        event = of.ask(state, tracking, (*answers, Skip()))  # the sheet is shown whole, and is right
    assert isinstance(event, Event), event
    assert event_from_answers(of, state, tracking, of.answers(state, event)) == event
    return of.apply(state, event)


def laid(of: Game[Any], state: Any, cards: str) -> Any:
    """Return the state after cards are laid in turn."""
    for card in cards.split():
        state = entered(of, state, FULL, LayCard(of.cards[card]))
    return state


def refusal(of: Game[Any], state: Any, event: Event) -> tuple[str, str]:
    """Return the reason and the sentence with which a game refuses an event."""
    with pytest.raises(IllegalEventError) as caught:
        of.apply(state, event)
    return caught.value.reason, str(caught.value.text)


def random_event(of: Game[Any], state: Any, tracking: DetailLevel, rng: Random) -> Event | None:
    """Return an event made of random answers; None if the game is over."""
    answers: tuple[Answer, ...] = ()
    while True:
        try:
            asked = of.ask(state, tracking, answers)
        except IllegalEventError:  # a figure that the rules refuse: say something else
            answers = ()
            continue
        if not isinstance(asked, Prompt):
            return asked
        answers = (*answers, random_answer(asked, rng))
