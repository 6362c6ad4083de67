"""The screens' reactions to rarely used keys, and lists of entries."""

from __future__ import annotations

from itertools import product

import pytest

from companion.core.prompt import EnterNumber, LayCard, LayPair, Prompt
from companion.core.text import Text
from companion.games.eternity.rules import DECK as FOREST
from companion.games.eternity.rules import SUITS
from companion.games.gear.rules import DECK
from companion.ui.keys import Key, parse
from companion.ui.screens.context import BeginGame, ScreenContext
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.list_selection import confirmed_row, moved_row, path, row_labels
from companion.ui.screens.names import TypedName
from companion.ui.screens.questions import explained, hints
from companion.ui.screens.set_up import SetUp, SetUpStep
from companion.ui.translations import Translator
from companion.ui.view import ListBody, TextBody, TypingBody
from tests.app.boxes import press
from tests.scenes.scenes import SCENES
from tests.scenes.screenshots import box_at

WORDS = Translator("en", ("Aki", "Bea"))


# Lists


@pytest.mark.parametrize("count", [1, 3, 10, 11, 27])
def test_the_way_to_every_row_of_a_list_settles_on_it(count: int) -> None:
    for start, wanted in product(range(count), repeat=2):
        *moves, last = parse(path(count, start, wanted))
        row: int | None = start
        for key in moves:
            assert row is not None
            row = moved_row(count, row, key)
        assert row is not None
        assert confirmed_row(count, row, last) == wanted


def test_a_list_too_long_for_numbers_is_walked_through_with_the_digits_around_five_which_settles() -> None:
    assert [moved_row(30, 12, Key(key)) for key in "2846"] == [11, 13, 7, 17]
    assert confirmed_row(30, 12, Key("5")) == 12
    assert confirmed_row(30, 12, Key("3")) is None
    assert confirmed_row(3, 0, Key("4")) is None


def test_what_moves_says_so_in_lists_and_on_pages_and_nothing_elsewhere() -> None:
    assert row_labels(ListBody("", (("one", ""), ("two", "")))) == {"B": "▼", "1": "one", "2": "two"}
    assert row_labels(TextBody("", ("one", "two", "three"), 1)) == {"A": "▲", "B": "▼"}
    assert row_labels(TypingBody("", "", "", ())) == {}


# Questions, set-ups and names


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ((2, 3, 7), "A number from 2 to 7, please"),
        (range(0, 60, 10), "0, 10 and so on to 50, please"),
        ((0, 10, 30, 40, 50), "A number from 0 to 50, please"),
    ],
)
def test_a_number_that_cannot_be_is_answered_with_those_that_can(numbers: tuple[int, ...], told: str) -> None:
    prompt = Prompt(Text("how many?"), tuple(map(EnterNumber, numbers)))
    assert WORDS(explained(prompt, "", "8", None)) == told


def test_a_hint_has_what_is_given_so_far_and_the_suits_that_have_a_card_left() -> None:
    pair = LayPair(DECK.by_name["red-3"], DECK.by_name["black-4"])
    given, _brief = hints(Prompt(Text("and?"), ()), (pair, EnterNumber(5)))
    assert WORDS(given) == f"{WORDS(pair.first.sign)}{WORDS(pair.second.sign)} 5"
    left = tuple(LayCard(card) for card in FOREST if card.suit is not SUITS[1])
    first, _second, third = (WORDS(suit.sign) for suit in SUITS)
    asked = Prompt(Text("?"), left, deck=FOREST.cards, suits=SUITS, bare=SUITS)
    assert [*map(WORDS, hints(asked, ()))] == [f"A{first}C{third}", f"{first}{third}"]


def test_what_cannot_be_begun_is_said_and_not_begun() -> None:
    able, unable = (
        SetUp(game="eternity", asks=SetUpStep.RULES, players=players).show(ScreenContext(WORDS)).press(Key("#"))
        for players in (("Aki", "Bea"), ("Aki", "Aki"))
    )
    assert isinstance(able.command, BeginGame)
    assert (unable.command, unable.message is None) == (None, False)


@pytest.mark.parametrize(
    ("name", "alphabet"), [("マリー", 2), ("はるー", 1), ("Zoë", 0), ("Ann 7", 0), ("ー", 1), ("", 1), ("春", 1)]
)
def test_a_name_is_corrected_in_the_alphabet_of_its_last_letter_that_only_one_has(name: str, alphabet: int) -> None:
    assert TypedName.begin("ja", name).alphabet == alphabet


def test_a_name_is_found_by_the_keys_that_typed_it_and_a_held_key_types_nothing() -> None:
    assert TypedName("Aki").keys == ""
    assert TypedName("Aki", pressed=("2", "55", "444")).keys == "255444"
    assert TypedName().press(Key("#", held=True)) is None


@pytest.mark.unmeasured
def test_home_is_at_most_two_keys_away() -> None:
    for scene in [scene for scene in SCENES if not scene.few]:
        box = box_at(scene)
        for key in ("h*", "h*"):  # at the table the first one opens the entries
            if not isinstance(box.state.panel.screen, HomeScreen):
                press(box, key)
        assert isinstance(box.state.panel.screen, HomeScreen), scene.name
