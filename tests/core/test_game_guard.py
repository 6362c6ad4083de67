"""The guard at a game's border: calls are timed, and a fault is told in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest
from msgspec.structs import replace

from companion.core.game import CountedAction, Game, OptionalParts, RuleOption, RuleValue
from companion.core.games import GameFaultError, Games, Guard
from companion.core.text import IllegalEventError, Text

from .toy import HEAP, Heap, Put

T = TypeVar("T")


@dataclass
class Watch:
    """Notes the calls."""

    calls: list[str] = field(default_factory=list)

    def call(self, what: str, function: Callable[..., T], *arguments: Any) -> T:
        self.calls.append(what)
        return function(*arguments)


def under_guard(watch: Watch | None = None, optional: dict[str, Any] | None = None, **parts: Any) -> Game[Heap]:
    """Return the game of the heap under guard, with some functions replaced."""
    games = Games()
    games.timer = watch or Watch()
    return Guard(replace(HEAP, **parts, optional=replace(HEAP.optional, **(optional or {}))), games).game


def fails(*_arguments: Any) -> Any:
    raise ZeroDivisionError("no heap")


def fault(function: Any, *arguments: Any) -> GameFaultError:
    with pytest.raises(GameFaultError) as caught:
        function(*arguments)
    return caught.value


def test_each_call_is_timed_under_the_names_of_game_and_function() -> None:
    watch = Watch()
    game = under_guard(watch, describe=fails)
    game.moment((1,))
    fault(game.describe, Put(1))
    assert watch.calls == ["Heap: moment", "Heap: describe"]


def test_a_fault_is_told_with_the_title_and_holds_what_is_wrong() -> None:
    wrong = fault(under_guard(describe=fails).describe, Put(1))
    assert str(wrong.wrong) == "describe failed (ZeroDivisionError: no heap)"
    assert str(wrong) == str(wrong.text) == "Heap cannot be shown: describe failed (ZeroDivisionError: no heap)"
    assert isinstance(wrong.__cause__, ZeroDivisionError)


def test_a_game_that_has_failed_three_times_is_not_called_any_more() -> None:
    watch = Watch()
    game = under_guard(watch, describe=fails)
    for _time in range(3):
        assert "ZeroDivisionError" in str(fault(game.describe, Put(1)))
    assert str(fault(game.moment, (1,))) == "Heap cannot be shown: it has failed three times"
    assert watch.calls == ["Heap: describe"] * 3


def test_what_a_function_would_yield_later_is_there_at_once_or_a_fault() -> None:
    def counts(*_of: object) -> Iterator[CountedAction]:
        yield CountedAction("put", 0)
        raise ZeroDivisionError

    game = under_guard(optional={"counted_actions": lambda *_of: iter((CountedAction("put", 0),))})
    assert game.optional.counted_actions((), Put(1), (1,)) == (CountedAction("put", 0),)
    fault(under_guard(optional={"counted_actions": counts}).optional.counted_actions, (), Put(1), (1,))


def test_of_a_long_error_120_signs_are_told_without_control_characters() -> None:
    def fails_at_length(_event: object) -> Any:
        raise ValueError("a\x1bb\n" + "c" * 200)

    wrong = fault(under_guard(describe=fails_at_length).describe, Put(1))
    assert str(wrong) == f"Heap cannot be shown: describe failed (ValueError: a b {'c' * 104})"


def test_a_refusal_is_no_fault() -> None:
    game = under_guard()
    for _time in range(5):
        with pytest.raises(IllegalEventError, match="11 more do not fit") as caught:
            game.apply((), Put(11))
        assert caught.value.reason == "full"
    assert game.apply((), Put(10)) == (10,)


def test_choices_of_a_rule_are_made_and_proposed_under_guard() -> None:
    def option(function: Any) -> RuleOption:
        values = (RuleValue(Text("some"), 3), RuleValue(Text("many"), 3, function))
        return RuleOption("room", Text("Room"), values, range(1, 2), function)

    (works,) = under_guard(options=(option(lambda *given: given),)).options
    assert [choice.label for choice in works.choices] == [Text("some"), Text("many")]
    assert works.choices[0].number is None
    assert works.choices[1].number is not None
    assert works.choices[1].number(5) == (5,)
    assert works.proposed is not None
    assert works.proposed("en", {}) == ("en", {})
    (broken,) = under_guard(options=(option(fails),)).options
    assert str(fault(broken.choices[1].number, 5)).startswith("Heap cannot be shown: number failed")
    assert str(fault(broken.proposed, "en", {})).startswith("Heap cannot be shown: proposed failed")


def test_a_part_that_a_game_leaves_out_stays_left_out() -> None:
    left_out = [name for name in OptionalParts.__struct_fields__ if getattr(HEAP.optional, name) is None]
    game = under_guard()
    assert "sides" in left_out
    assert [name for name in OptionalParts.__struct_fields__ if getattr(game.optional, name) is None] == left_out
