"""The contract of a `Game`: what every game must declare."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import msgspec
import pytest

from companion.core.game import Amend, Event, Game, Redo, Splice, Start, Undo
from companion.core.prompt import DetailLevel
from companion.gamelog import LogError, decode_header
from companion.games import GAMES
from companion.ui.translations import languages

GAME = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
NAMES = ["Aki", "Bea", "Cyr", "Dai", "Eve"]


def header(game: Game[Any], seats: int, rules: dict[str, Any]) -> str:
    return json.dumps({"format": 1, "game": game.name, "players": NAMES[:seats], "rules": rules})


@GAME
def test_a_game_is_found_by_its_name(game: Game[Any]) -> None:
    assert GAMES[game.name] is game
    assert game.title
    assert all(game.cards[card.name] is card for card in game.cards.values())


@GAME
def test_every_rule_is_an_option_and_its_first_choice_the_default(game: Game[Any]) -> None:
    fields = {field.name: field.default for field in msgspec.structs.fields(game.rules)}
    assert {option.name for option in game.options} == set(fields)
    for option in game.options:
        kind = next(field.type for field in msgspec.structs.fields(game.rules) if field.name == option.name)
        assert msgspec.convert(option.choices[0].value, kind) == fields[option.name]


@GAME
def test_every_choice_can_be_played_by_those_it_is_offered_to_and_by_nobody_else(game: Game[Any]) -> None:
    for option in game.options:
        for choice in option.choices:
            default = choice is option.choices[0]
            values = [choice.value, *([choice.number(7)] if choice.number else [])]
            for seats in game.seats:
                for value in values:
                    line = header(game, seats, {option.name: value})
                    if default or seats in option.seats:
                        assert json.loads(decode_header(line).written)["rules"] == {option.name: _plain(value)}
                    else:
                        with pytest.raises(LogError):
                            decode_header(line)


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


@GAME
@pytest.mark.parametrize("language", languages())
def test_what_a_game_proposes_is_one_of_the_choices_whatever_was_chosen_before(game: Game[Any], language: str) -> None:
    for place, option in enumerate(game.options):
        if option.proposed is None:
            continue
        before = game.options[:place]
        for chosen in product(*(other.choices for other in before)):
            values = {other.name: choice.value for other, choice in zip(before, chosen, strict=True)}
            assert option.proposed(language, values) in [choice.value for choice in option.choices]


@GAME
def test_the_words_of_options_differ(game: Game[Any]) -> None:
    assert len({str(option.label) for option in game.options}) == len(game.options)
    for option in game.options:
        assert len({str(choice.label) for choice in option.choices}) == len(option.choices)


@GAME
def test_a_typed_number_makes_the_choice_it_says(game: Game[Any]) -> None:
    typed = [choice.number for option in game.options for choice in option.choices if choice.number]
    assert [number(7) for number in typed] != [number(8) for number in typed] or not typed


@GAME
def test_events_have_names_of_their_own(game: Game[Any]) -> None:
    tags = [kind.__struct_config__.tag for kind in game.events]
    assert len(set(tags)) == len(tags)
    assert not {"start", "undo", "redo", "amend", "splice"} & set(tags)


@GAME
def test_what_is_no_event_of_a_game_has_neither_answers_nor_words(game: Game[Any]) -> None:
    state = game.start(game.seats[0], game.rules())
    with pytest.raises(TypeError):
        game.answers(state, Event())
    with pytest.raises(TypeError):
        game.describe(Event())


@GAME
def test_every_state_says_in_words_when_it_is(game: Game[Any]) -> None:
    assert str(game.moment(game.start(game.seats[0], game.rules()))) in ("trick 1", "round 1")


@GAME
def test_every_game_can_be_followed_card_by_card(game: Game[Any]) -> None:
    assert next(iter(game.trackings)) is DetailLevel.FULL
    assert all(str(words) for words in game.trackings.values())


@GAME
def test_every_key_is_explained_in_words(game: Game[Any]) -> None:
    lines = game.optional.keys(max(game.seats), game.rules())
    assert lines
    assert all(map(str, lines))


@GAME
def test_the_help_says_what_the_figures_beside_a_name_are(game: Game[Any]) -> None:
    assert str(game.optional.keys(max(game.seats), game.rules())[-1]).startswith("By a name: ")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("wizard", "By a name: Tricks/Bid, or the total"),
        ("cribbage", "By a name: Pegged/Hand/Crib, or the total"),
        ("skat", "By a name: the total"),
    ],
)
def test_a_game_of_a_file_names_its_own_figures(name: str, line: str) -> None:
    game = GAMES[name]
    assert str(game.optional.keys(max(game.seats), game.rules())[-1]) == line


def _kinds(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for each in kind.__subclasses__():
        yield each
        yield from _kinds(each)


def test_states_events_questions_and_faces_are_frozen() -> None:
    kinds = [
        kind for kind in _kinds(msgspec.Struct) if kind.__module__.startswith(("companion.core", "companion.games"))
    ]
    assert len(kinds) > 20
    assert [kind.__name__ for kind in kinds if not kind.__struct_config__.frozen] == []


def test_no_event_is_read_that_says_more_than_it_means() -> None:
    kinds: list[type[msgspec.Struct]] = [Start, Undo, Redo, Amend, Splice]
    kinds += [kind for game in GAMES.values() for kind in (*game.events, game.rules)]
    assert [kind.__name__ for kind in kinds if not kind.__struct_config__.forbid_unknown_fields] == []
