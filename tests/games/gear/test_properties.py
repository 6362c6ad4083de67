"""Gear properties on random games: prompts offer exactly the legal events, and entries take few keys."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli.log_to_keys import LogToKeys
from companion.core.game import Event
from companion.core.prompt import DetailLevel, LayCard, LayPair, Prompt
from companion.core.session import Session
from companion.core.text import IllegalEventError
from companion.gamelog import decode_header, decode_line
from companion.games.gear import GEAR
from companion.games.gear.rules import DECK, Play, Round, State
from companion.ui.keys import parse
from tests.example_counts import examples
from tests.games.table import FULL
from tests.oracle import gear as referee

SEEDS = st.integers(0, 2**32 - 1)


def dealt(seed: int, **habits: Any) -> tuple[random.Random, dict[str, Any], list[dict[str, Any]]]:
    """Return the random generator, header and lines of a game dealt from a seed."""
    rng = random.Random(seed)
    chosen: dict[str, Any] = {"coarse": rng.choice([0.0, 0.1, 0.5]), "misplay": rng.choice([0.0, 0.3]), **habits}
    header, lines = referee.random_game(rng, most_rounds=rng.choice([1, 1, 3]), **chosen)
    return rng, header, lines


def sessions(header: dict[str, Any], lines: list[dict[str, Any]]) -> list[Session]:
    found = [Session(decode_header(json.dumps(header)))]
    for line in lines:
        found.append(found[-1].add(decode_line(json.dumps(line), found[-1].header)))
    return found


def accepted(state: State, event: Event) -> bool:
    try:
        GEAR.apply(state, event)
    except IllegalEventError:
        return False
    return True


@settings(max_examples=examples(20))
@given(SEEDS)
def test_exactly_the_cards_that_can_be_laid_are_offered(seed: int) -> None:
    rng, header, lines = dealt(seed, coarse=seed % 2 / 5)  # in half of the games open hands stay known
    playing = [found.state for found in sessions(header, lines) if found.state.phase == "play"]
    for state in rng.sample(playing, min(3, len(playing))):
        asked = GEAR.ask(state, FULL, ())
        assert isinstance(asked, Prompt)
        assert asked.seat == state.turn
        offered: set[object] = set()
        for answer in asked.answers:
            if isinstance(answer, LayCard | LayPair):
                then = GEAR.ask(state, FULL, (answer,))
                more = then.answers if isinstance(then, Prompt) else ()
                offered |= {GEAR.ask(state, FULL, (answer, second)) for second in more} or {then}
        plays = [(card,) for card in DECK] + list(itertools.product(DECK, repeat=2))
        every = [Play(seat, cards) for cards in plays for seat in range(state.seats)]
        assert offered == {event for event in every if accepted(state, event)}


# Keys


def spelt(speller: LogToKeys, events: Iterable[Event]) -> list[int]:
    return [len(parse(speller.spell(event))) for event in events]


@pytest.mark.unmeasured
def test_a_card_takes_one_key_or_two() -> None:
    keys, cards = 0, 0
    for seed in range(4):
        _rng, header, lines = dealt(seed, coarse=0.0, misplay=0.05)
        found = sessions(header, lines)
        events = [step.event for step in reversed(list(found[-1].steps())) if step.event is not None]
        took = spelt(LogToKeys(found[0]), events)
        keys += sum(count for event, count in zip(events, took, strict=True) if isinstance(event, Play))
        cards += sum(len(event.cards) for event in events if isinstance(event, Play))
    assert 1 < keys / cards < 1.6


@pytest.mark.unmeasured
@pytest.mark.parametrize(("seats", "most"), [(2, 5.8), (3, 8.6), (4, 11.3), (5, 12.8)])
def test_a_whole_round_takes_few_keys(seats: int, most: float) -> None:
    # asked row by row, the aces that nobody has are not one key for the whole column, but a key in each row
    rows: list[int] = []
    for seed in range(examples(6, 30)):
        habits: dict[str, Any] = {"seats": seats, "auction": True, "ending": {"rounds": 4}, "coarse": 0.0, "stop": 0.0}
        header, lines = referee.random_game(random.Random(seed), **habits)
        found = sessions(header, lines)
        tallies, records = found[-1].state.tallies, referee.Book.of(header, lines).state
        rounds = [
            Round(tally.tricks, tally.aces, referee.last_in(record), tally.prices)
            for tally, record in zip(tallies, records, strict=True)
        ]
        rows += spelt(LogToKeys(found[0], DetailLevel.ROUND), rounds)
    assert sum(rows) / len(rows) <= most
