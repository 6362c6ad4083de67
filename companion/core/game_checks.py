"""Checks a game's declaration when it is registered, and the scores and turn that it returns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import FieldInfo, fields

from .errors import GameDeclarationError
from .game import Game
from .game_view import GameView, Table
from .games import Games
from .prompt import Prompt
from .scores_and_turn import Best, Progress

NAME = "[a-z0-9-]{1,40}"
"""What a game's name may be: it is part of the names of files in the journal."""
LONGEST_TITLE = 30
"""The most characters of a title: a row of the list of games."""


def registered(*games: Game[Any]) -> Games:
    """Return games by their names. They are those that the suite proves; what is added later is guarded.

    Raises:
        GameDeclarationError: A part of a declaration is missing or wrong, or two games have the same name.
    """
    named: dict[str, Game[Any]] = {}
    for game in games:
        wrong = "another game has this name" if game.name in named else next(faults(game), None)
        if wrong is not None:
            raise GameDeclarationError(game.name, wrong)
        named[game.name] = game
    return Games(named.values())


def checked(game: Game[Any], state: Any, players: int | None = None) -> Progress:
    """Return the progress of a game in a state, for so many players if they are known.

    Raises:
        GameDeclarationError: It is no `Progress`, or names seats or numbers of players that the game does not have.
    """
    progress = game.progress(state)
    if not isinstance(progress, Progress):
        raise GameDeclarationError(game.name, f"progress returns {type(progress).__name__}")
    seats = len(progress.totals)
    if seats not in game.seats or players not in (None, seats):
        raise GameDeclarationError(game.name, f"progress has totals of {seats} seats")
    named = (progress.turn, progress.leader, *(progress.winners or ()), *(progress.may_start or ()))
    if not all(seat is None or 0 <= seat < seats for seat in named):
        raise GameDeclarationError(game.name, f"progress names a seat that {seats} players do not have")
    if progress.winners == ():
        raise GameDeclarationError(game.name, "progress has no winners, though the game is over")
    return progress


def faults(game: Game[Any]) -> Iterator[str]:
    """Yield what is wrong with a declaration, and with its first state for the fewest players."""
    if not re.fullmatch(NAME, game.name):
        yield "its name may have small letters, digits and hyphens, at most 40"
    if not game.title.strip() or not game.title.isprintable() or len(game.title) > LONGEST_TITLE:
        yield f"its title may have 1 to {LONGEST_TITLE} characters, and no control characters"
    if not game.seats:
        yield "seats is empty"
    if not game.trackings:
        yield "trackings is empty"
    rules = {field.name: field for field in fields(game.rules)}
    yield from (f"rule {name} has no default" for name, field in rules.items() if field.required)
    yield from (f"option {option.name} is no rule" for option in game.options if option.name not in rules)
    yield from (f"option {option.name} has no choices" for option in game.options if not option.choices)
    for name in ("by_turn", "whole_round"):
        others = [kind.__name__ for kind in getattr(game.optional, name) if kind not in game.events]
        yield from (f"{name}: {kind} is not among the events" for kind in others)
    actions = [*game.optional.remarkable, *filter(None, [game.optional.lasting_action])]
    yield from (f"action {what} has no name" for what in actions if what not in game.optional.action_names)
    if game.optional.edition not in (None, *rules):
        yield f"edition: {game.optional.edition} is no rule"
    yield from _faults_of_sides(game, rules)
    seats = game.seats[0]
    state = game.start(seats, game.rules())
    checked(game, state)
    view, sheet = game.view(state), game.score_sheet(state)
    if not isinstance(view, GameView) or len(view.seats) != seats:
        yield f"view has no line for each of {seats} seats"
    if not isinstance(sheet, Table) or len(sheet.rows) != seats:
        yield f"score_sheet has no row for each of {seats} seats"
    for tracking in game.trackings:
        if not isinstance(game.ask(state, tracking, ()), Prompt):
            yield f"ask asks nothing at the beginning, tracking {tracking.value}"
    if not isinstance(game.snapshot(state), dict):
        yield "snapshot returns no dict"


def _faults_of_sides(game: Game[Any], rules: Mapping[str, FieldInfo]) -> Iterator[str]:
    """Yield what is wrong with the points that are the best, and with the sides of any number of players."""
    best = game.optional.best
    if not isinstance(best, Best):
        if best not in rules:
            yield f"best: {best} is no rule"
        elif rules[best].default not in [each.value for each in Best]:
            yield f"best: the default of rule {best} is neither highest nor lowest"
    if game.optional.sides is None:
        return
    for seats in game.seats:
        sides = game.optional.sides(seats, {})
        if sorted(seat for side in sides for seat in side) != [*range(seats)] or not all(sides):
            yield f"sides: not each of {seats} seats is on one side"
