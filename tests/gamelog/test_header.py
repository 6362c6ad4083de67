"""The first line of a log: game, players and rules."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.gamelog import LogError, decode_header
from companion.games.eternity.rules import Rules
from companion.games.kit import Ending

FOUR = ["Aki", "Bea", "Cyr", "Dai"]
HALF = "\ud83c"


def line(**changes: Any) -> str:
    """Return a header with changes; None removes a key."""
    header: dict[str, Any] = {"format": 1, "game": "eternity", "players": FOUR, **changes}
    return json.dumps({key: value for key, value in header.items() if value is not None})


def fault(text: bytes | str) -> str:
    with pytest.raises(LogError) as caught:
        decode_header(text)
    return str(caught.value)


def test_a_header_says_who_plays_what_by_which_rules() -> None:
    header = decode_header(line(rules={"edition": "fr", "ending": {"target": 12}, "tiles": ["sky", "earth", "sea"]}))
    assert header.game.name == "eternity"
    assert header.players == ("Aki", "Bea", "Cyr", "Dai")
    assert header.rules == Rules(edition="fr", ending=Ending(target=12), tiles=("sky", "earth", "sea"))
    assert header.first == header.game.start(4, header.rules)


@pytest.mark.parametrize("text", [line(), line(rules={}), line(rules={"ending": {"rounds": 3}, "neutral": "aside"})])
def test_what_is_left_out_has_its_default(text: str) -> None:
    assert decode_header(text).rules == Rules()


def test_a_header_is_kept_as_short_as_it_can_be_with_its_names_trimmed() -> None:
    written = decode_header(' { "format" : 1, "game" : "eternity", "players" : [ " Aki\\t", "\\u014cno" ] } ').written
    assert written == '{"format":1,"game":"eternity","players":["Aki","Ōno"]}'
    assert decode_header(written).written == written


def test_a_target_can_be_of_any_height() -> None:
    header = decode_header(line(rules={"ending": {"target": 10**30}}))
    assert header.rules.target == 10**30
    assert decode_header(header.written) == header


# The format


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[]", "expected an object, got a list"),
        ("null", "expected an object, got null"),
        ("1", "expected an object, got a whole number"),
        ('"eternity"', "expected an object, got a word"),
        ("{}", "the key 'format' is missing"),
        (line(format=None), "the key 'format' is missing"),
        (line(game=None), "the key 'game' is missing"),
        (line(players=None), "the key 'players' is missing"),
        (line(rule={}), "there is no key 'rule' here"),
        (line(format=2), "format 2 is not known, only format 1"),
        (line(format=0), "format 0 is not known, only format 1"),
        (line(format=10**30), f"format {10**30} is not known, only format 1"),
        (line(format=True), "format: expected a whole number, got true or false"),
        (line(format="1"), "format: expected a whole number, got a word"),
        (line(format=1.0), "1.0 is not a whole number"),
        (line(game="chess"), "the rules of 'chess' are not installed"),
        (line(game="Eternity"), "the rules of 'Eternity' are not installed"),
        (line(game=1), "game: expected a word, got a whole number"),
        (line(players="Aki"), "players: expected a list, got a word"),
        (line(players={"Aki": 1}), "players: expected a list, got an object"),
        (line(players=["Aki", 5]), "players 2: expected a word, got a whole number"),
        ('{"format":1,"game":"eternity","players":["Aki",null]}', "players 2: expected a word, got null"),
        ('{"format":1,"game":"eternity","players":["a","b"],"rules":null}', "rules: expected an object, got null"),
        (line(rules=[]), "rules: expected an object, got a list"),
        ('{"format":1,"format":1,"game":"eternity","players":["a","b"]}', "the key 'format' stands twice"),
    ],
)
def test_a_header_of_another_form_is_refused_in_a_sentence(text: str, says: str) -> None:
    assert fault(text) == says


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"tile": ["sea", "sky", "earth"]}, "there is no key 'tile' here"),
        ({"edition": "de"}, "edition: 'de' is not one of the words that can stand here"),
        ({"edition": None}, "edition: expected a word, got null"),
        ({"edition": 1}, "edition: expected a word, got a whole number"),
        ({"tiles": "sea"}, "tiles: expected a list, got a word"),
        ({"tiles": ["sea", "sky"]}, "tiles: expected a list of 3, got 2"),
        ({"tiles": ["sea", "sky", "moon"]}, "tiles 3: 'moon' is not one of the words that can stand here"),
        ({"tiles": ["sea", "sky", "sky"]}, "the tiles are sea, sky and earth, each once"),
        ({"ending": 3}, "ending: expected an object, got a whole number"),
        ({"ending": {}}, "the ending is either rounds or a target"),
        ({"ending": {"rounds": 3, "target": 20}}, "the ending is either rounds or a target"),
        ({"ending": {"goal": 20}}, "ending: there is no key 'goal' here"),
        ({"ending": {"rounds": 4}}, "a game by rounds has 3 rounds"),
        ({"ending": {"target": 0}}, "the target is 1 or more"),
        ({"ending": {"target": None}}, "ending, target: expected a whole number, got null"),
        ({"ending": {"target": "20"}}, "ending, target: expected a whole number, got a word"),
        ({"ending": {"target": True}}, "ending, target: expected a whole number, got true or false"),
        ({"ending": {"target": 20.0}}, "20.0 is not a whole number"),
        ({"neutral": "columns"}, "the neutral pairs are for 2 players"),
        ({"neutral": "aside", "auction": True}, "there is no key 'auction' here"),
    ],
)
def test_rules_of_another_form_are_refused_in_a_sentence(rules: dict[str, Any], says: str) -> None:
    assert fault(line(rules=rules)) == says


@pytest.mark.parametrize("count", [0, 1, 6, 100])
def test_only_so_many_can_play(count: int) -> None:
    names = [f"Player {number}" for number in range(count)]
    assert fault(line(players=names)) == f"{count} players, but it is a game for 2 to 5"


# Names


@pytest.mark.parametrize(
    "name", ["A", "x" * 20, "李", "Zoë-Maria", "  " + "x" * 20 + "\t", "a b", "🂡" * 20, "\u00a0b\u3000"]
)
def test_a_name_has_1_to_20_characters_after_trimming(name: str) -> None:
    assert decode_header(line(players=[name, "Bea"])).players == (name.strip(), "Bea")


@pytest.mark.parametrize("name", ["", " ", "\t \n", "x" * 21, "\u3000", "x" * 40])
def test_a_name_of_another_length_is_refused(name: str) -> None:
    assert fault(line(players=["Bea", name])) == f"a name has 1 to 20 characters: {name.strip()!r}"


@pytest.mark.parametrize(
    "names", [["Aki", "Aki"], ["Aki", "aki"], ["Aki", " AKI "], ["Straße", "STRASSE"], ["ÉVA", "éva"], ["ς", "Σ"]]
)
def test_two_names_that_differ_only_in_case_are_refused(names: list[str]) -> None:
    assert fault(line(players=["Bea", *names])) == f"two players are called {names[1].strip()}"


def test_names_that_only_look_alike_are_two() -> None:
    assert decode_header(line(players=["Eve", "Ève"])).players == ("Eve", "Ève")


@pytest.mark.parametrize("name", ["a\x00b", "a\nb", "a\x7fb", "a\x85b", "a\x1b[2J", HALF, f"a{HALF}b"])
def test_a_name_that_cannot_be_shown_is_refused(name: str) -> None:
    says = fault(line(players=["Bea", name]))
    assert says.startswith("a name has a character that cannot be shown: U+")
    assert says.isprintable()


# Text that is no text


@pytest.mark.parametrize(
    "text", [line(game=HALF), line(rules={"edition": HALF}), line(rules={HALF: 1}), line(**{HALF: 1})]
)
def test_half_a_character_is_refused(text: str) -> None:
    assert fault(text).isprintable()
    fault(text.encode())
