"""Finds the way home from any screen of a box, on copies of the box that show and write nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

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


class Lost(Exception):
    """A key would write something, and so is no way out."""


class Scout:
    """Tries keys on a state; nothing is written or shown."""

    def __init__(self, box: Box) -> None:
        self._known = box._known
        self.state = box.state

    def at(self, state: State) -> Scout:
        """Return the scout, moved to another place."""
        self.state = state
        return self

    def go(self, key: Key) -> None:
        """Press a key.

        Raises:
            Lost: It would write something; only the first question of all has no other way out.
        """
        done = step(self.state, PANEL, key, self._known)
        leaves = isinstance(done.state.panel.screen, HomeScreen | GameListScreen) or isinstance(
            self.state.panel.screen, LanguageScreen
        )
        if not leaves and not all(write.draft for write in done.writes):
            raise Lost
        self.state = done.state

    def offers(self) -> list[Key]:
        """Return the keys of the board that have a label."""
        contents, selector = self._known.contents(self.state, PANEL), self.state.panel.selector
        does = dict(contents.labels)
        if selector is not None:
            does |= selector.labels(contents.ring, does)
        board = self.state.table.key_layout
        keys = [Key(label[-1], held=len(label) > 1) for label in does]
        return [key for key in keys if key.name in board.keys and (not key.held or key.name in HOLDABLE)]


class Seen:
    """The places visited already; screens need not be hashable."""

    def __init__(self) -> None:
        self._places: dict[tuple[Any, ...], list[Screen]] = {}

    def add(self, place: State) -> bool:
        """Add a place; return whether it is new."""
        screen, selector = place.panel.screen, place.panel.selector
        like = self._places.setdefault((type(screen), selector), [])
        if screen in like:
            return False
        like.append(screen)
        return True


def way_home(box: Box, most: int = NEAR) -> str | None:
    """Return keys that lead home from a box's screen and change nothing else; None if they are too many.

    On a board with few keys they are the shortest way, on others a short one.
    """
    few = box.state.panel.selector is not None
    return (None if few else _search(box, most, EXITS)) or _search(box, most)


def _search(box: Box, most: int, only: tuple[str, ...] = ()) -> str | None:
    """Search breadth first, with some keys alone or with all that have a label."""
    scout, seen = Scout(box), Seen()
    seen.add(scout.state)
    edge: list[tuple[State, str]] = [(scout.state, "")]
    for _step in range(most + 1):
        for place, path in edge:
            if isinstance(place.panel.screen, HomeScreen):
                return path
        edge = [onward for place, path in edge for onward in _onward(scout, place, path, only) if seen.add(onward[0])]
    return None


def _onward(scout: Scout, place: State, path: str, only: tuple[str, ...]) -> Iterator[tuple[State, str]]:
    """Yield the places one more key away."""
    for key in scout.at(place).offers():
        if only and str(key) not in only:
            continue
        with suppress(Lost):
            scout.at(place).go(key)
            yield scout.state, path + str(key)
