"""A game that takes its functions from modules."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest

from companion.core.game import Game

from .toy import HEAP

DATA = {
    name: getattr(HEAP, name) for name in ("name", "title", "seats", "rules", "options", "events", "cards", "trackings")
}
FUNCTIONS = {name: getattr(HEAP, name) for name in Game.__struct_fields__ if name not in (*DATA, "optional")}


def module(**parts: Any) -> ModuleType:
    return cast("ModuleType", SimpleNamespace(**parts))


def test_functions_are_found_by_the_names_of_their_fields() -> None:
    game = Game.of(module(**FUNCTIONS, alerts=max, helper=min), **DATA)
    assert game.view is HEAP.view
    assert game.optional.alerts is max


def test_of_several_modules_the_first_counts_and_what_is_given_before_all() -> None:
    first, last = module(alerts=max, keys=max), module(**FUNCTIONS, alerts=min, keys=min)
    given: Any = Game.of(first, last, **DATA, keys=len).optional
    assert (given.alerts, given.keys) == (max, len)


def test_a_missing_function_and_an_unknown_part_are_named() -> None:
    without = {name: part for name, part in FUNCTIONS.items() if name != "view"}
    with pytest.raises(TypeError, match="view"):
        Game.of(module(**without), **DATA)
    with pytest.raises(TypeError, match="colour"):
        Game.of(module(**FUNCTIONS), **DATA, colour="red")


def test_a_module_gives_functions_and_no_data_of_a_field_s_name() -> None:
    game = Game.of(module(**FUNCTIONS, name="other", rules=int, best="goal"), **DATA)
    assert (game.name, game.rules) == (HEAP.name, HEAP.rules)
    assert game.optional.best is HEAP.optional.best
    with pytest.raises(TypeError, match="rules"):
        Game.of(module(**FUNCTIONS, rules=int), **{name: part for name, part in DATA.items() if name != "rules"})
