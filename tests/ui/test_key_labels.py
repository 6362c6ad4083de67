"""Labels of keys that do different things differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

import pytest
from msgspec import structs

from companion.core.session import Session
from companion.games import GAMES
from companion.ui.keys import Key
from companion.ui.screens.context import CurrentGame, EnterLine, Screen, ScreenContext
from companion.ui.screens.corrections import EntriesScreen
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import Translator, languages
from tests.app.boxes import view_of
from tests.games.seeds import deal
from tests.ui.scenes import BY_NAME, seen

NAMES = ("Béatrice", "Konstantin-Alexander", "はるな", "Konstantin-Alexandra", "Maria de los Ángeles")


def pressed(screen: Screen, context: ScreenContext, key: str) -> tuple[object, ...]:
    """Return a key's command, message and next view."""
    move = screen.show(context).press(Key(key[-1], key.startswith("h")))
    command = structs.replace(move.command, keys=None) if isinstance(move.command, EnterLine) else move.command
    return command, move.message, view_of(move.screen, context) if move.command is None else None


def assert_told_apart(screen: Screen, context: ScreenContext, labels: Mapping[str, str]) -> None:
    """Assert that equal labels do the same."""
    first: dict[str, tuple[object, ...]] = {}
    twice = {label for label in labels.values() if [*labels.values()].count(label) > 1}
    for key, label in labels.items():
        if label in twice:
            done = pressed(screen, context, key)
            assert first.setdefault(label, done) == done, label


@pytest.mark.unmeasured
@pytest.mark.parametrize("language", languages())
def test_the_keys_of_every_screen_are_told_apart(language: str) -> None:
    for scene in BY_NAME.values():
        box = seen(scene.name, language)
        if not scene.few:
            assert_told_apart(box.state.panel.screen, box.state.context(box.state.panel), box.frame.labels)


@pytest.mark.unmeasured
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_the_keys_of_every_question_are_told_apart(game: str, language: str) -> None:
    for screen, context in tables(game, language):
        labels = {key: context.words.aloud(context.words(label)) for key, label in screen.show(context).labels.items()}
        assert_told_apart(screen, context, labels)


def tables(game: str, language: str) -> Iterator[tuple[Screen, ScreenContext]]:
    """Yield game screens of random games, also with keys typed, and their lists of entries."""
    for seed in range(4):
        whole = deal(game, seed, edits=0.0).session()
        words = Translator(language, NAMES[: len(whole.header.players)])
        for place, step in enumerate(whole.steps()):
            if place % 11 == seed:
                for tracking in GAMES[game].trackings:
                    session = Session(whole.header, step.before)
                    context = ScreenContext(words, game=CurrentGame("", session, tracking))
                    yield from typed(PlayScreen(), context, Random(place))
                    if session.head.number:
                        yield EntriesScreen.of(PlayScreen(), context.require_game()), context


def typed(table: PlayScreen, context: ScreenContext, chance: Random) -> Iterator[tuple[Screen, ScreenContext]]:
    for _key in range(6):
        yield table, context
        keys = [key for key in table.show(context).labels if key in "0123456789ABCD"]
        move = table.show(context).press(Key(chance.choice(keys))) if keys else None
        if move is None or move.command is not None or not isinstance(move.screen, PlayScreen):
            return
        table = move.screen
