"""Rules proposed by the set-up: those of the last game, or the game's defaults for the language."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.game import LogHeader
from companion.ui.screens.set_up import agreed_before, picked
from tests.games.fifth import LAST_STONE
from tests.games.fifth import Rules as Stones


def test_a_value_that_no_choice_gives_is_not_known_from_before() -> None:
    (stones,) = LAST_STONE.options
    header = LogHeader(LAST_STONE, ("Aki", "Bea"), Stones(12), None, "")
    assert agreed_before((stones,), header) == {"stones": 12}  # a number that was typed
    ten = replace(stones, choices=stones.choices[:1])
    assert agreed_before((ten,), header) == {}


def test_a_game_proposes_by_the_language_and_by_what_stands_before() -> None:
    (stones,) = LAST_STONE.options
    first = replace(stones, name="first", proposed=lambda language, values: 15 if language == "fr" else 10)
    second = replace(stones, name="second", proposed=lambda _language, values: values["first"])
    options = (first, second, replace(stones, name="third"))
    assert list(picked(options, {}, "en").values()) == [10, 10, 10]
    assert list(picked(options, {}, "fr").values()) == [15, 15, 10]
    assert list(picked(options, {"second": 10}, "fr").values()) == [15, 10, 10]
