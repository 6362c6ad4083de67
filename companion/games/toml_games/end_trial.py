"""Tries whether a declared game can end: plays rounds with high, low, one-sided and random figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from msgspec import UNSET, defstruct
from msgspec.structs import replace

from companion.core.game import Start
from companion.core.text import N_, IllegalEventError, Text

from .asked_figures import AskedFigure, cells
from .declaration import Declaration
from .events import EventClasses, kinds, made, written
from .file_grammar import Finding
from .rules import apply, open_places, start
from .state import Answers, State
from .toml_places import places

ROUNDS = 200
"""The rounds of a game that is tried."""
MOST_REFUSED = 100
"""The figures that are refused in a row before a game is given up."""

Preference = Callable[[AskedFigure, Random], int]
"""Returns one of the values of a figure."""

ENDLESS = N_("with {count} players, no game ended in {rounds} rounds, whatever was entered: can this become true?")


def _high(cell: AskedFigure, chance: Random) -> int:
    return cell.values[-1] if cell.question.kind == "number" else chance.choice(cell.values)


def _low(cell: AskedFigure, chance: Random) -> int:
    return cell.values[0] if cell.question.kind == "number" else chance.choice(cell.values)


def _first_ahead(cell: AskedFigure, chance: Random) -> int:
    return _low(cell, chance) if cell.seat else _high(cell, chance)


def _any(cell: AskedFigure, chance: Random) -> int:
    return chance.choice(cell.values)


def endless(game: Declaration, text: str) -> Finding | None:
    """Return what is wrong with a game that seems not to end; None if it can end, or the table says when it does.

    Args:
        text: The file that declares it.
    """
    if game.end is None:
        return None
    for seats in (game.seats.start, game.seats.stop - 1):
        if not any(_ends(game, seats, prefer) for prefer in (_high, _first_ahead, _low, _any)):
            return Finding(*places(text).values["end", "when"], Text(ENDLESS, count=seats, rounds=ROUNDS))
    return None


def _ends(game: Declaration, seats: int, prefer: Preference) -> bool:
    """Return whether a game ends; it is taken to end if its figures are refused, which is another fault."""
    chance, classes = Random(1), kinds(game)  # a trial, no secret
    usual = [(name, int, option.values[0][1]) for name, option in game.options.items()]
    state = start(game, seats, defstruct("Rules", usual)())
    if game.dealer:
        state = apply(game, classes, state, Start(0))
    try:
        while state.phase != "over" and state.round <= ROUNDS:
            state = _with_round(game, classes, state, prefer, chance)
    except IllegalEventError:
        return True
    return state.phase == "over"


def _with_round(game: Declaration, classes: EventClasses, state: State, prefer: Preference, chance: Random) -> State:
    """Return the state after one more round, all of whose figures are entered at once."""
    asked = open_places(state)
    answers = _answers(game, replace(state, play=None), asked, prefer, chance)
    if classes.round is None:
        return apply(game, classes, state, made(classes.answers[0], game.questions[0], answers[0] or ()))
    values = {
        question.name: written(question, answers[question.place] or ()) if question.place in asked else UNSET
        for question in game.questions
    }
    return apply(game, classes, state, classes.round(**values))


def _answers(game: Declaration, state: State, asked: Sequence[int], prefer: Preference, chance: Random) -> Answers:
    """Return the answers of a round. In place of a figure that is refused another is tried; those before it stay."""
    said: list[int] = []
    refused = 0
    while True:
        walk, place = cells(game, state, asked), 0
        try:
            cell = next(walk)
            while True:
                if place == len(said):
                    said.append(prefer(cell, chance) if not refused else chance.choice(cell.values))
                place += 1
                cell = walk.send(said[place - 1])
        except StopIteration as stopped:
            answers: Answers = stopped.value
            return answers
        except IllegalEventError:
            refused += 1
            if not said or refused == MOST_REFUSED:
                raise
            said.pop()
