"""The page on declared games: its examples are games, and use every key of the grammar."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import fields

from companion.core.games import registered
from companion.core.prompt import ChooseSeat, EnterNumber, LayCard
from companion.games.toml_games import declared, game_of
from companion.games.toml_games import file as file_grammar
from tests.docs.pages import DOCS

from .files import FULL, entered, game, random_event

PAGE = (DOCS / "games-as-toml.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PARTS = (
    file_grammar.GameFile,
    file_grammar.Question,
    file_grammar.Option,
    file_grammar.HeadSection,
    file_grammar.ScoreSection,
    file_grammar.EndSection,
    file_grammar.Count,
    file_grammar.TricksSection,
    file_grammar.DeckSection,
    file_grammar.InsteadSection,
    file_grammar.OwnSuit,
    file_grammar.Joker,
)


def keys(value: Any) -> Iterator[str]:
    """Yield all keys within TOML data."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


@pytest.mark.parametrize("text", EXAMPLES)
def test_an_example_of_the_page_is_a_game_that_can_be_played(text: str) -> None:
    made = game_of(declared(text, "game.toml", new=True))
    assert registered(made)
    rng = Random(1)
    state = made.start(made.seats[-1], made.rules())
    for _ in range(60):
        event = random_event(made, state, rng.choice([*made.trackings]), rng)
        if event is None:
            break
        state = made.apply(state, event)
    assert state.rounds


def test_the_example_with_jokers_plays_and_scores_as_the_page_says() -> None:
    made = game(next(text for text in EXAMPLES if 'name = "pirates"' in text))
    state = entered(made, made.start(3, made.rules()), FULL, ChooseSeat(2))
    for bids, cards in (
        ((0, 1, 0), "escape-1 pirate-1 pirate-2"),  # of two that win the first
        ((0, 2, 0), "escape-1 clubs-5 clubs-9 escape-2 escape-3 escape-4"),  # the lead is left open; then all lose
    ):
        state = entered(made, state, FULL, *map(EnterNumber, bids))
        for card in cards.split():
            state = entered(made, state, FULL, LayCard(made.cards[card]))
    assert state.rounds == ((10, 20, 10), (-20, 20, -20))


def test_the_examples_and_the_tables_have_every_key_of_the_grammar() -> None:
    wanted = {field.encode_name for part in PARTS for field in fields(part)}
    wanted -= {"tie", "loser"}  # words of earlier versions, which are understood
    assert wanted - {key for text in EXAMPLES for key in keys(tomllib.loads(text))} == set()
    tables = "\n".join(line for line in PAGE.splitlines() if line.startswith("|"))
    named = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`([^`]*)`", tables))))
    assert wanted - named == set()
