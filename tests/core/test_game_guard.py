"""The guard at a game's border: calls are timed, values are checked, and a fault is told in a sentence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.game import CountedAction, Game, OptionalParts, Progress, RuleOption, RuleValue
from companion.core.games import CallTimer, GameFaultError, GuardState, guarded
from companion.core.prompt import ChooseSeat, DetailLevel, EnterNumber
from companion.core.text import IllegalEventError, Text

from .toy import HEAP, Heap, Put


@dataclass
class Watch:
    """Notes which calls began, and the tokens of those that ended."""

    begun: list[str] = field(default_factory=list)
    ended: list[object] = field(default_factory=list)

    def begin(self, call: str) -> object:
        self.begun.append(call)
        return len(self.begun)

    def end(self, token: object) -> None:
        self.ended.append(token)


@dataclass
class Shelf:
    """Holds a timer."""

    timer: CallTimer = field(default_factory=Watch)


def under_guard(shelf: Shelf | None = None, optional: dict[str, Any] | None = None, **parts: Any) -> Game[Heap]:
    """Return the game of the heap under guard, with some functions replaced."""
    game = replace(HEAP, **parts, optional=replace(HEAP.optional, **(optional or {})))
    return guarded(game, GuardState(game), shelf or Shelf())


def fails(*_arguments: Any) -> Any:
    raise ZeroDivisionError("no heap")


def fault(function: Any, *arguments: Any) -> GameFaultError:
    with pytest.raises(GameFaultError) as caught:
        function(*arguments)
    return caught.value


def test_each_call_is_timed_under_the_names_of_game_and_function_even_if_it_fails() -> None:
    watch = Watch()
    game = under_guard(Shelf(watch), describe=fails)
    game.moment((1,))
    fault(game.describe, Put(1))
    assert watch.begun == ["Heap: moment", "Heap: describe"]
    assert watch.ended == [1, 2]


def test_how_far_a_game_is_is_asked_once_for_a_state_until_a_fault() -> None:
    asked: list[Heap] = []

    def progress(heap: Heap) -> Progress:
        asked.append(heap)
        return Progress((sum(heap),), None)

    game, one, other = under_guard(progress=progress, describe=fails), (1,), (1, 2)
    assert [game.progress(heap).totals for heap in (one, one, other, other, one)] == [(1,), (1,), (3,), (3,), (1,)]
    assert asked == [one, other, one]
    fault(game.describe, Put(1))
    assert game.progress(one).totals == (1,)
    assert asked == [one, other, one, one]


def test_a_state_that_is_nothing_is_asked_about_every_time() -> None:
    game = under_guard(progress=lambda heap: Progress((0,), None, phase=str(heap)))
    nothing: Any = None
    assert [game.progress(heap).phase for heap in (nothing, (), nothing)] == ["None", "()", "None"]


def test_a_fault_is_told_with_the_title_and_holds_what_is_wrong() -> None:
    wrong = fault(under_guard(describe=lambda _event: 3).describe, Put(1))
    assert wrong.wrong == "describe has a text that is int"
    assert str(wrong) == str(wrong.text) == "Heap cannot be shown: describe has a text that is int"
    wrong = fault(under_guard(describe=fails).describe, Put(1))
    assert str(wrong) == "Heap cannot be shown: describe failed (ZeroDivisionError: no heap)"
    assert isinstance(wrong.__cause__, ZeroDivisionError)


def test_of_a_long_error_120_signs_are_told_without_control_characters() -> None:
    def fails_at_length(_event: object) -> Any:
        raise ValueError("a\x1bb\n" + "c" * 200)

    wrong = fault(under_guard(describe=fails_at_length).describe, Put(1))
    assert str(wrong) == f"Heap cannot be shown: describe failed (ValueError: a b {'c' * 104})"


def test_a_refusal_that_can_be_shown_is_no_fault() -> None:
    game = under_guard()
    for _time in range(5):
        with pytest.raises(IllegalEventError, match="11 more do not fit") as caught:
            game.apply((), Put(11))
        assert caught.value.reason == "full"
    assert game.apply((), Put(10)) == (10,)


def test_a_refusal_that_cannot_be_shown_is_counted_as_a_fault() -> None:
    def refuses(_heap: Heap, _event: object) -> Any:
        raise IllegalEventError("full", "a\x07")

    game = under_guard(apply=refuses)
    said = [str(fault(game.apply, (), Put(1))) for _time in range(4)]
    assert said[:3] == ["Heap cannot be shown: apply has a text with control characters"] * 3
    assert said[3] == "Heap cannot be shown: it has failed three times"


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
    assert str(fault(broken.choices[1].number, 5)).startswith("Heap cannot be shown: option failed")
    assert str(fault(broken.proposed, "en", {})).startswith("Heap cannot be shown: option room failed")


def test_a_part_that_a_game_leaves_out_stays_left_out() -> None:
    left_out = [name for name in OptionalParts.__struct_fields__ if getattr(HEAP.optional, name) is None]
    game = under_guard()
    assert "sides" in left_out
    assert [name for name in OptionalParts.__struct_fields__ if getattr(game.optional, name) is None] == left_out


def test_a_game_that_counts_nothing_and_has_no_alerts_may_say_so() -> None:
    game = under_guard()
    assert game.optional.counted_actions((), Put(1), (1,)) == ()
    assert (game.optional.alerts(()), game.optional.finished_rounds(()), game.optional.keys(1, None)) == ((), 0, ())


def test_an_event_of_the_game_may_stand_in_the_place_of_a_question() -> None:
    assert under_guard().ask((), DetailLevel.FULL, (EnterNumber(3),)) == Put(3)


def test_what_a_game_of_one_player_says_is_checked_for_one_player() -> None:
    nobody = "names a seat that 1 players do not have"
    game = under_guard(
        answers=lambda _heap, _event: (EnterNumber(1), ChooseSeat(1)),
        optional={
            "short_moment": lambda _heap: 7,
            "counted_actions": lambda *_of: (CountedAction("put", 1),),
            "action_names": {"put": Text("put")},
        },
    )
    assert fault(game.answers, (), Put(1)).wrong == f"answers {nobody}"
    assert fault(game.optional.counted_actions, (), Put(1), (1,)).wrong == f"counted_actions {nobody}"
    assert fault(game.short, ()).wrong == "short_moment has a text that is int"
