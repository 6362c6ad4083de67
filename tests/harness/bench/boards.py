"""The presses that a card takes on boards with few keys: turning the shortest way, and choosing."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Event, Game, tracking_of
from companion.core.prompt import Answer, DetailLevel, Prompt
from companion.gamelog import replay
from companion.ui.few_keys import Option, OptionCursor, SelectableOptions, asked
from companion.ui.keys import BUTTONS, KEYPAD, AnswerCodes, KeyLayout
from tests.app.selecting import JOYSTICK, way
from tests.games.seeds import deal

from .table import Row

WHOLE, SHORT = range(6), range(1)
BOARDS: dict[str, KeyLayout] = {"keypad": KEYPAD, "buttons": BUTTONS, "joystick": JOYSTICK}
CARDS = {"eternity": ("Play", "Pledge"), "gear": ("Play",), "hipparchus": ("Play",), "east-rune": ("Play", "Pass")}
"""The kinds of entry counted as one card or play, by game."""
BESIDE = (Option("undo", "undo"), Option("menu", "menu"), Option("entries", "entries"))


def presses(board: KeyLayout, prompt: Prompt, ring: SelectableOptions, answer: Answer) -> int:
    """Return how many presses an answer takes on a board."""
    keys = AnswerCodes(prompt).spell(answer)
    if not board.few:
        return len(keys)
    found = way(ring, keys, OptionCursor(board is JOYSTICK))
    assert found is not None, answer
    return len(found)


def questions(name: str, seeds: range) -> Iterator[tuple[str, Prompt, Answer]]:
    """Yield every question of random games entered card by card, with its event and its answer."""
    for seed in seeds:
        habits = {"coarse": 0.0, "misplay": 0.0, "edits": 0.0, "stop": 0.0, "most_rounds": 2, "pledge": 1 / 3}
        state = None
        for reading in replay(deal(name, seed, **habits).bytes()):
            game: Game[object] = reading.session.header.game
            if isinstance(reading.line, Event):
                given = game.answers(state, reading.line)
                tracking = tracking_of(game, DetailLevel.FULL, state, reading.line)
                for count, answer in enumerate(given):
                    prompt = game.ask(state, tracking, given[:count])
                    assert isinstance(prompt, Prompt)  # `tracking_of` went this way before
                    yield type(reading.line).__name__, prompt, answer
            state = reading.session.state


def counted(name: str, seeds: range) -> dict[str, dict[str, list[int]]]:
    """Return the presses of every entry of a game, by its kind and the board."""
    counts: dict[str, dict[str, list[int]]] = {}
    for kind, prompt, answer in questions(name, seeds):
        ring = asked(AnswerCodes(prompt), "", BESIDE)
        column = counts.setdefault("card" if kind in CARDS[name] else kind, {})
        for board, what in BOARDS.items():
            column.setdefault(board, []).append(presses(what, prompt, ring, answer))
    return counts


def rows(seeds: range) -> Iterator[Row]:
    """Measure cards and plays, and yield the means beside the keypad's."""
    for name in CARDS:
        means = {board: sum(column) / len(column) for board, column in counted(name, seeds)["card"].items()}
        for board in list(BOARDS)[1:]:
            yield Row(f"{name}: a card, {board}", means[board], "keys", "the keypad", means["keypad"])
