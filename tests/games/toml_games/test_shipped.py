"""The declared games that come with the program: random games, words, lengths; transcripts have their results."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.game import Event, LogHeader
from companion.core.games import registered
from companion.core.session import Session
from companion.core.text import Phrase, Text
from companion.gamelog import decode_line, encode, encode_line
from companion.games import shipped
from companion.games.toml_games import declared
from companion.games.toml_games.file import COMMON, LANGUAGES
from companion.games.toml_games.trial import points_of
from tests.example_counts import examples
from tests.games.game_transcripts import scenes

from .files import random_event

NAMES = [*shipped.names()]
RESULTS = Path(__file__).parents[2] / "transcripts" / "games" / "files-results.txt"


@pytest.mark.parametrize("name", NAMES)
def test_every_game_has_six_rounds_worked_out_by_hand(name: str) -> None:
    scene = next(scene for scene in scenes(RESULTS) if scene.title == name)
    assert len([line for line in scene.lines if line.startswith("round ")]) >= 6


@pytest.mark.parametrize("name", NAMES)
def test_random_games_replay_to_the_same_state_from_their_logs(name: str) -> None:
    game = registered(shipped.game(name))[name]
    for seed in range(examples(1, 2000)):
        rng = Random(seed)
        seats = rng.choice(game.seats)
        header = LogHeader(game, tuple("ABCDEFGH"[:seats]), game.rules(), game.start(seats, game.rules()), "{}")
        session = Session(header)
        lines: list[str] = []
        for _ in range(examples(24, 300)):
            event = random_event(game, session.state, rng.choice([*game.trackings]), rng)
            if event is None:
                break
            before, session = session, session.add(event)
            assert len(game.view(session.state).seats) == seats
            count = game.optional.finished_rounds
            ended = count(session.state) > count(before.state) or session.progress.over
            assert (game.outcome(before.state, event, session.state).table is not None) == ended
            actions = game.optional.counted_actions(before.state, event, session.state)
            assert all(each.what in game.optional.action_names and each.seat in range(seats) for each in actions)
            assert str(game.describe(event)).strip()
            lines.append(encode_line(event))
        again: list[Event] = [decode_line(line, header) for line in lines]  # type: ignore[misc]  # no corrections
        replayed = Session(header)
        for event in again:
            replayed = replayed.add(event)
        assert encode(game.snapshot(replayed.state)) == encode(game.snapshot(session.state))


@pytest.mark.parametrize("name", NAMES)
def test_every_word_of_a_game_is_translated(name: str) -> None:
    texts = list(_phrases(shipped.game(name).apply.args[0]))  # type: ignore[attr-defined]  # the declaration
    assert len(texts) > 1
    common = {word.partition("\x04")[2] for word in COMMON}
    lacking = {
        (language, str(text))
        for text in texts
        for language in LANGUAGES
        if language not in text.translations and text not in common and not str(text).isdigit()
    }
    assert lacking == set()


def _phrases(value: Any) -> Any:
    """Yield all phrases within a declared game."""
    if isinstance(value, Phrase):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _phrases(each)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _phrases(each)
    elif hasattr(value, "__struct_fields__"):
        for field in value.__struct_fields__:
            yield from _phrases(getattr(value, field))


@pytest.mark.parametrize(
    ("name", "most"), [("hearts", 30), ("spades", 30), ("euchre", 30), ("oh-hell", 20), ("tally", 9)]
)
def test_the_rules_of_a_game_without_its_options_are_a_short_file(name: str, most: int) -> None:
    text = (shipped.FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    rules = re.split(
        r"^\[+(?:words|counts|example)\b",
        re.sub(r"(?ms)^(card = \[.*?\]|(family|options\.).*?)\n", "", text),
        maxsplit=1,
        flags=re.MULTILINE,
    )[0]
    assert len([*filter(None, rules.splitlines())]) <= most
    assert len(shipped.game(name).cards) == {"tally": 0, "euchre": 24}.get(name, 52)


def test_titles_are_known_without_reading_the_rules() -> None:
    for name, title in shipped.titles().items():
        game = shipped.game(name)
        assert title == game.title
        assert isinstance(game.title, Phrase)
        assert title.translations == game.title.translations
        assert set(title.translations) == set(LANGUAGES)
    with pytest.raises(KeyError):
        shipped.game("chess")


def test_every_game_says_its_family() -> None:
    families = {name: shipped.game(name).apply.args[0].family for name in shipped.names()}  # type: ignore[attr-defined]
    assert [name for name, family in families.items() if family == "others"] == []


def test_all_can_win_together_where_a_formula_says_who_wins() -> None:
    together = {name for name in NAMES if shipped.game(name).optional.all_can_win}
    assert together == {"together", "phase-ten", "skittles-50", "five-hundred", "pinochle", "riichi", "cribbage"}


def test_names_of_trademarks_are_marked_unofficial() -> None:
    marked = {name for name, title in shipped.titles().items() if "unofficial" in title}
    assert marked == {"wizard", "skull-king", "tichu", "uno", "uno-low", "skyjo", "six-nimmt", "phase-ten"}
    assert all(shipped.game(name).apply.args[0].about for name in marked)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "rules", "line"),
    [
        ("skat", {"kontras": 1}, "Kontra: 1 no 2 Kontra 4 Re"),
        ("skat", {"ramsch": 1}, "By a name: Cards, or the total"),
        ("hearts", {"moon": 2}, "All 26: 0 26 to the others 1 minus 26"),
        ("doppelkopf", {"counted": 1}, "Every trick: 0 no 1 yes"),
    ],
)
def test_the_help_on_typing_is_on_what_the_rules_of_the_table_ask(name: str, rules: dict[str, int], line: str) -> None:
    game = shipped.game(name)
    assert line in map(str, game.optional.keys(4, game.rules(**rules)))
    assert line not in map(str, game.optional.keys(4, game.rules()))


def test_a_doppelkopf_marriage_of_two_holders_asks_for_no_partner() -> None:
    first = '"Card by card", values = { "yes" = 1, "no" = 0 }'
    text = shipped.text("doppelkopf").replace('"Card by card", values = { "no" = 0, "yes" = 1 }', first)
    game = declared(text, "doppelkopf.toml")
    said = {"game": "marriage", "queens": [1, 2], "cards": [60, 90, 50, 40]}
    assert points_of(game, said, 4) == (1, 1, -1, -1)
    assert isinstance(points_of(game, said | {"found": 3}, 4), Text)  # three against one would not add up to 0
    assert points_of(game, said | {"queens": [1], "found": 3}, 4) == (-2, 2, -2, 2)
