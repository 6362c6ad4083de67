"""A game that lacks something, or declares something wrong, is found when it is registered or asked how far it is."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec import Struct, field
from msgspec.structs import replace

from companion.core.game import GameView, OptionalParts, Progress, RuleOption, Start, Table
from companion.core.games import GameFaultError, as_declared, checked, registered
from companion.core.text import GameDeclarationError, Text
from companion.games import GAMES
from docs.examples.race import RACE
from tests.games.fifth import LAST_STONE


class WithoutDefault(Struct, frozen=True):
    """Rules that nobody can leave out."""

    target: int = field()


class WithDirection(Struct, frozen=True):
    """Rules that say which points are the best."""

    target: int = 20
    wins: str = "lowest"


def test_registered_games_are_found_by_their_names() -> None:
    assert registered(RACE, LAST_STONE) == {"race": RACE, "last-stone": LAST_STONE}


def test_a_rule_may_say_which_points_are_the_best() -> None:
    by_rule = replace(RACE, rules=WithDirection, optional=replace(RACE.optional, best="wins"))
    assert registered(by_rule) == {"race": by_rule}


def test_two_games_of_one_name_are_refused() -> None:
    with pytest.raises(GameDeclarationError, match="race: another game has this name"):
        registered(RACE, RACE)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"seats": range(0)}, "seats is empty"),
        ({"trackings": {}}, "trackings is empty"),
        ({"rules": WithoutDefault}, "rule target has no default"),
        ({"options": (RuleOption("goal", Text("Goal"), (), range(2, 3)),)}, "option goal is no rule"),
        ({"options": (RuleOption("target", Text("Goal"), (), range(2, 3)),)}, "option target has no choices"),
        ({"optional": OptionalParts(by_turn=(Start,))}, "by_turn: Start is not among the events"),
        ({"optional": OptionalParts(whole_round=(Start,))}, "whole_round: Start is not among the events"),
        ({"optional": OptionalParts(remarkable={"wins": ""})}, "action wins has no name"),
        ({"optional": OptionalParts(lasting_action="turns")}, "action turns has no name"),
        ({"optional": OptionalParts(edition="year")}, "edition: year is no rule"),
        ({"optional": OptionalParts(best="goal")}, "best: goal is no rule"),
        ({"optional": OptionalParts(best="target")}, "best: the default of rule target is neither highest nor lowest"),
        ({"optional": OptionalParts(sides=lambda *_of: ((0,),))}, "sides: not each of 2 seats is on one side"),
        ({"optional": OptionalParts(sides=lambda *_of: ((0, 1), ()))}, "sides: not each of 2 seats is on one side"),
        ({"optional": OptionalParts(sides=lambda *_of: 3)}, "sides: not each of 2 seats is on one side"),  # type: ignore[arg-type]
        ({"view": lambda _state: GameView(None, Text(""), (), ())}, "view has no line for each of 2 seats"),
        ({"score_sheet": lambda _state: Table(Text(""), (), ())}, "score_sheet has no row for each of 2 seats"),
        ({"ask": lambda *_asked: None}, "ask asks nothing at the beginning, tracking full"),
        ({"snapshot": lambda _state: None}, "snapshot returns no dict"),
        ({"progress": lambda _state: {"totals": (0, 0)}}, "progress returns dict"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_wrong_part_is_named_when_the_game_is_registered(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(GameDeclarationError, match=f"race: {said}"):
        registered(replace(RACE, **wrong))


@pytest.mark.parametrize(
    ("progress", "said"),
    [
        (None, "progress returns NoneType"),
        ({"totals": (0, 0)}, "progress returns dict"),
        (Progress(("no", 0), None), "progress has another kind of value in totals"),  # type: ignore[arg-type]
        (Progress((1.5, 0), None), "progress has another kind of value in totals"),  # type: ignore[arg-type]
        (Progress(None, None), "progress has another kind of value in totals"),  # type: ignore[arg-type]
        (Progress((0, 0), 1), "progress has another kind of value in winners"),  # type: ignore[arg-type]
        (Progress((0, 0), None, phase=None), "progress has another kind of value in phase"),  # type: ignore[arg-type]
        (Progress([0, 0], None), "progress has a list where a tuple belongs"),  # type: ignore[arg-type]
        (Progress((0,), None), "progress has totals of 1 seats"),
        (Progress((0, 0), None, turn=2), "progress names a seat that 2 players do not have"),
        (Progress((0, 0), None, leader=-1), "progress names a seat that 2 players do not have"),
        (Progress((0, 0), (2,)), "progress names a seat that 2 players do not have"),
        (Progress((0, 0), None, may_start=(0, 2)), "progress names a seat that 2 players do not have"),
    ],
    ids=str,
)
def test_a_wrong_progress_is_named_where_it_is_read(progress: Any, said: str) -> None:
    with pytest.raises(GameFaultError, match=re.escape(f"Race cannot be shown: {said}")):
        checked(replace(RACE, progress=lambda _state: progress), None)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_begins_with_nobody_having_won(game: str) -> None:
    declared = GAMES[game]
    for seats in declared.seats:
        progress = checked(declared, declared.start(seats, declared.rules()))
        assert len(progress.totals) == seats
        assert not progress.over
        assert as_declared(declared, replace(progress, winners=())).over  # nobody may win
