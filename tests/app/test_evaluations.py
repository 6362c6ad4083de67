"""A key that completes a card calls each function of the game once, on every board and with any number of pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import Image

from companion.app import show
from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.ports import BoxOutput, PageKey
from companion.games import GAMES
from companion.journal import Journal
from companion.ui import panel
from companion.ui.keys import BUTTONS, KEYPAD, KeyLayout
from companion.ui.view import View
from tests.app.boxes import begin, press
from tests.fakes.clock import FixedClock
from tests.games.unguarded import unguarded

FUNCTIONS = ("apply", "ask", "view", "outcome", "score_sheet", "progress", "snapshot", "moment", "answers")


class Page:
    """A page that shows the frames."""

    wanted: frozenset[PageKey] = frozenset()

    def show(self, frame: BoxOutput) -> None:
        assert frame.labels
        assert frame.words


class Calls:
    """Counts calls of a game's functions, by function and state."""

    def __init__(self) -> None:
        self.count = Counter[tuple[object, ...]]()
        self._states: list[object] = []  # kept alive, so that no two states share an id

    def counting(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that counts its calls."""

        def called(state: Any, *more: Any) -> Any:
            self._states.append(state)
            self.count[name, id(state), more[-1] if name == "ask" else ()] += 1
            return function(state, *more)

        return called


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[View]:
    """Record the views that are drawn."""
    views: list[View] = []

    def draw(view: View) -> Image.Image:
        views.append(view)
        return panel.draw(view)

    monkeypatch.setattr(show, "draw", draw)
    return views


@pytest.fixture
def calls() -> Iterator[Calls]:
    """Count the calls of Eternity's functions."""
    counter, game = Calls(), GAMES["eternity"]
    counted = {name: counter.counting(name, getattr(game, name)) for name in FUNCTIONS}
    parts = replace(game.optional, alerts=counter.counting("alerts", game.optional.alerts))
    with unguarded(replace(game, optional=parts, **counted)):
        yield counter


@pytest.mark.parametrize("page", [None, Page()], ids=["panel", "page"])
@pytest.mark.parametrize(
    ("board", "before", "last"),
    [
        (KEYPAD, "1 A3 B9 A", "4"),
        (BUTTONS, "1 A3 B9 > o", "o"),
        (KEYPAD, "1 A3 B9 A4 DB11 9 C", "5"),  # this card completes the trick
        (BUTTONS, "1 A3 B9 A4 DB11 9 > > o", "o"),
    ],
    ids=["keypad", "buttons", "keypad, trick", "buttons, trick"],
)
def test_a_key_that_completes_a_card_asks_each_thing_once(
    calls: Calls, drawn: list[View], board: KeyLayout, before: str, last: str, page: Page | None
) -> None:
    clock = FixedClock()
    box = press(begin(Box(Journal(), Outputs(MemoryPanel(), clock, page=page), clock, board=board)), before)
    lines = box.lines
    calls.count.clear()
    drawn.clear()
    press(box, last)
    assert box.lines == lines + 1
    assert len(drawn) == 1
    assert {name for name, *_rest in calls.count} == {"apply", "ask", "view", "outcome"}
    assert set(calls.count.values()) == {1}
    asked = [answers for name, _state, answers in calls.count if name == "ask"]
    assert len(asked) == 2  # the outcome of the card, and the next prompt
    assert () in asked


@pytest.mark.parametrize("board", [KEYPAD, BUTTONS], ids=lambda board: board.kind)
def test_a_key_that_completes_nothing_asks_the_game_nothing(calls: Calls, board: KeyLayout) -> None:
    box = press(begin(Box(Journal(), Outputs(MemoryPanel(), FixedClock()), FixedClock(), board=board)), "1 A3 B9")
    calls.count.clear()
    press(box, "A" if board is KEYPAD else "> > <")
    assert not calls.count
