"""East Rune: cards, rules and set-up options."""

from __future__ import annotations

import msgspec
import pytest

from companion.gamelog import decode_header, encode
from companion.games.east_rune import EAST_RUNE
from companion.games.east_rune.rules import AFTER, BLANK, DECK, DOMAINS, MONARCHS, VASSALS, Play, Rules, dealt_to_each
from tests.games.reports import told

from .tables import card, chair, header


def test_every_combination_that_could_be_is_a_card() -> None:
    assert (len(VASSALS), len(MONARCHS), len(DECK)) == (20, 60, 85)
    assert {name for name in DECK.by_name if "-" not in name} == {"light", "beauty", "reason", "blank"}
    assert DECK.by_name["blank-blank"] is BLANK
    assert len({each.bit for each in DECK}) == 85


@pytest.mark.parametrize(
    ("name", "keys", "words"),
    [
        ("noon-animal", ("3",), "Noon animal"),
        ("dawn-culture-reason", ("58",), "Dawn culture, reason"),
        ("blank-blank", ("6",), "blank character"),
        ("beauty", ("7",), "Chair of beauty"),
        ("blank", ("9",), "Blank chair"),
    ],
)
def test_a_card_has_keys_and_words(name: str, keys: tuple[str, ...], words: str) -> None:
    assert (DECK.by_name[name].keys, told(DECK.by_name[name].label)) == (keys, words)


def test_domains_come_round() -> None:
    assert [AFTER[domain] for domain in DOMAINS] == [*DOMAINS[1:], DOMAINS[0]]


@pytest.mark.parametrize(("seats", "cards"), [(2, 6), (3, 8), (4, 6)])
def test_hands(seats: int, cards: int) -> None:
    assert dealt_to_each(seats) == cards


def test_attributes_are_the_same_or_made_the_same() -> None:
    plain, rich = Rules(), Rules(sacred_is_mineral=True)
    assert plain.same(card("noon1"), card("dusk16"))
    assert not plain.same(card("noon1"), card("dusk2"))
    assert rich.same(card("noon1"), card("dusk2"))
    assert not rich.same(card("noon1"), card("dusk3"))
    assert plain.same(BLANK, card("dusk3"))
    assert plain.same(card("dusk3"), BLANK)


def test_a_play_is_written_with_where_it_comes_from() -> None:
    assert msgspec.json.decode(encode(Play(1, card("noon3"), "front"))) == {
        "type": "play",
        "player": 1,
        "card": "noon-animal",
        "from": "front",
    }


def test_every_rule_is_an_option_and_its_first_choice_the_default() -> None:
    assert [(option.name, option.choices[0].value) for option in EAST_RUNE.options] == [
        (field.name, field.default) for field in msgspec.structs.fields(Rules)
    ]


def test_sacred_is_mineral_is_offered_to_two_players_as_well() -> None:
    assert {option.name: tuple(option.seats) for option in EAST_RUNE.options} == {
        "monarchs": (3, 4),
        "blank_chair": (3, 4),
        "blank_character": (3, 4),
        "sacred_is_mineral": (2, 3, 4),
    }
    read = decode_header(
        '{"format": 1, "game": "east-rune", "players": ["Aki", "Bea"], "rules": {"sacred_is_mineral": true}}'
    )
    assert read.rules == Rules(sacred_is_mineral=True)


def test_a_game_is_declared_by_its_name() -> None:
    assert (EAST_RUNE.name, list(EAST_RUNE.seats)) == ("east-rune", [2, 3, 4])
    assert EAST_RUNE.cards["light"] is chair("light")
    assert header().first == EAST_RUNE.start(3, Rules())
