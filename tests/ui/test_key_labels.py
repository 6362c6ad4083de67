"""Key labels are distinguishable, and fit in two short lines without breaking names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

import pytest
from msgspec import structs

from companion.core.session import Session
from companion.games import GAMES
from companion.ui.fit_key_labels import COLUMNS, columns, on_keys
from companion.ui.keys import Key
from companion.ui.screens.context import CurrentGame, EnterLine, Screen, ScreenContext
from companion.ui.screens.corrections import EntriesScreen
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import Translator, languages
from tests.games.seeds import deal
from tests.ui.scenes import BY_NAME, seen

NAMES = ("Béatrice", "Konstantin-Alexander", "はるな", "Konstantin-Alexandra", "Maria de los Ángeles")


def pressed(screen: Screen, context: ScreenContext, key: str) -> tuple[object, ...]:
    """Return a key's command, message and next view."""
    move = screen.show(context).press(Key(key[-1], key.startswith("h")))
    command = structs.replace(move.command, keys=None) if isinstance(move.command, EnterLine) else move.command
    return command, move.message, move.screen.show(context).view if move.command is None else None


def told_apart(labels: Mapping[str, str], names: tuple[str, ...]) -> Mapping[str, str]:
    """Assert that different labels show different texts; return these texts."""
    shown = on_keys(labels, names)
    assert shown.keys() == labels.keys()
    called: dict[str, str] = {}
    for key, label in labels.items():
        assert called.setdefault(shown[key] or key, label) == label, (labels, shown)
        lines = shown[key].split("\n")
        assert len(lines) <= 2
        assert max(map(columns, lines)) <= COLUMNS, shown[key]
    return shown


def assert_told_apart(screen: Screen, context: ScreenContext, labels: Mapping[str, str]) -> None:
    """Assert that different labels show different texts, and that equal labels do the same."""
    told_apart(labels, context.words.players)
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
        if scene.few:
            told_apart(box.frame.labels, box.state.table.words.players)
        else:
            assert_told_apart(box.state.panel.screen, box.state.context(box.state.panel), box.frame.labels)


@pytest.mark.unmeasured
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_the_keys_of_every_question_are_told_apart(game: str, language: str) -> None:
    for screen, context in tables(game, language):
        labels = {key: context.words.aloud(label) for key, label in screen.show(context).labels.items()}
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


# How a label is shortened


@pytest.mark.parametrize(
    ("labels", "shown"),
    [
        (("Sea 10", "menu"), ("Sea 10", "menu")),
        (("pledge Sky 10",), ("pledge\nSky 10",)),
        (("Leave the game",), ("Leave\nthe game",)),
        (
            ("Noon technology, light", "Noon technology, reason", "Noon"),
            ("…light", "…reason", "Noon"),
        ),
        (("Aki·Béa·Cyr·Dai Gear", "Aki·Béa·Cyr·Dai Eternity"), ("…Gear", "…Eternity")),
        (
            ("11: pledge Earth 14, Bea", "3: Sea 4, Aki"),
            ("11: pledge\nEarth 14, B…", "3: Sea 4,\nAki"),
        ),
        (("Konstantin-Alexander", "Konstantin-Alexandra"), ("…n-Alexander", "…n-Alexandra")),
        (("12 : Tableau : 9",), ("12 :\nTableau : 9",)),
        (("ゲームを閉じる", "新しい名前"), ("ゲームを\n閉じる", "新しい\n名前")),
        (("夕の技術・理", "夕の技術・美"), ("夕の\n技術・理", "夕の\n技術・美")),
        (("2 to columns", ""), ("2 to\ncolumns", "")),
        (("one interminable sentence of words", "one end"), ("one\ninterminabl…", "one end")),
    ],
)
def test_a_label_is_shortened_from_the_part_it_shares(labels: tuple[str, ...], shown: tuple[str, ...]) -> None:
    keys = [f"k{place}" for place in range(len(labels))]
    assert tuple(on_keys(dict(zip(keys, labels, strict=True)), ()).values()) == shown


def test_no_name_is_broken_into_two_lines() -> None:
    labels = {"1": "15 Maria de los Ángeles", "2": "16 はるな春菜", "3": "Konstantin-Alexander"}
    shown = on_keys(labels, ("Maria de los Ángeles", "はるな春菜", "Konstantin-Alexander"))
    assert list(shown.values()) == ["15\nMaria de lo…", "16\nはるな春菜", "Konstantin-…"]


def test_a_number_that_its_key_shows_already_is_not_shown_again() -> None:
    assert on_keys({"2": "2", "3": "Cyr"}, ()) == {"2": "", "3": "Cyr"}
