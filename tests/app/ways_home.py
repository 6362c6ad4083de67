"""Finds the way home from any screen of a box, by steps that show and write nothing."""

from __future__ import annotations

from collections.abc import Iterator

from companion.app.box import Box
from companion.app.state import PANEL, State
from companion.app.step import step
from companion.ui.keys import HOLDABLE, Key
from companion.ui.screens.context import Screen
from companion.ui.screens.home import GameListScreen, HomeScreen
from companion.ui.screens.settings import LanguageScreen

NEAR = 6
"""The most keys that home may be away."""

EXITS = ("*", "#", "h*")
"""The keys tried first on boards with many; a way of these alone is found quickly."""


def offered(box: Box, state: State) -> list[Key]:
    """Return the keys of the board that have a label."""
    contents, selector = box._known.contents(state, PANEL), state.panel.selector
    labels = dict(contents.labels)
    if selector is not None:
        labels |= selector.labels(contents.ring, labels)
    board = state.table.key_layout.keys
    keys = [Key(label[-1], held=len(label) > 1) for label in labels]
    return [key for key in keys if key.name in board and (not key.held or key.name in HOLDABLE)]


def way_home(box: Box) -> str | None:
    """Return keys that lead home from a box's screen and change nothing else; None if they are too many."""
    few = box.state.panel.selector is not None
    return (None if few else _search(box, EXITS)) or _search(box)


def _search(box: Box, only: tuple[str, ...] = ()) -> str | None:
    """Search breadth first, with some keys alone or with all that have a label."""
    seen: dict[object, list[Screen]] = {}
    edge = [(box.state, "")]
    for _key in range(NEAR + 1):
        new = []
        for state, path in edge:
            screen = state.panel.screen
            if isinstance(screen, HomeScreen):
                return path
            like = seen.setdefault((type(screen), state.panel.selector), [])
            if screen not in like:  # they need not be hashable
                like.append(screen)
                new.append((state, path))
        edge = [onward for state, path in new for onward in _onward(box, state, path, only)]
    return None


def _onward(box: Box, state: State, path: str, only: tuple[str, ...]) -> Iterator[tuple[State, str]]:
    """Yield the places one more key away. A key that would write something is no way out, except to home itself."""
    for key in offered(box, state):
        if only and str(key) not in only:
            continue
        done = step(state, PANEL, key, box._known)
        leaves = isinstance(done.state.panel.screen, HomeScreen | GameListScreen)
        if leaves or isinstance(state.panel.screen, LanguageScreen) or not done.writes:
            yield done.state, path + str(key)
