"""Games of installed Python packages, found by their entry points. A package that is broken stops nothing.

A package names each of its games in the group ``tabletop_companion.games``, under the game's name. The module that
holds the game says with ``INTERFACE`` for which interface it was written.
"""

from __future__ import annotations

import importlib
import logging
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from companion.core.game import INTERFACE, Game
from companion.core.game_guard import GameFaultError
from companion.core.text import N_, Text

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "tabletop_companion.games"
_LOG = logging.getLogger(__name__)


class InstalledGames:
    """The entry points of games, looked for when somebody first asks; packages do not change while the program runs."""

    @cached_property
    def points(self) -> dict[str, EntryPoint]:
        """Return the entry points by the names of the games, in the order of the alphabet."""
        from importlib.metadata import entry_points

        try:
            found = {point.name: point for point in entry_points(group=GROUP)}
        except Exception:  # the files about some package are damaged
            _LOG.exception("companion: packages with games cannot be looked for")
            return {}
        return dict(sorted(found.items()))

    def source(self, name: str) -> str:
        """Return the game's name with that of its package."""
        package = self.points[name].dist
        return name if package is None else f"{name} ({package.name} {package.version})"

    def load(self, name: str) -> Game[Any]:
        """Import a game; anything may be raised."""
        point = self.points[name]
        fault = partial(GameFaultError, self.source(name))
        theirs = getattr(importlib.import_module(point.module), "INTERFACE", None)
        if theirs is None:
            raise fault(Text(N_("it does not say INTERFACE = {ours}"), ours=INTERFACE))
        if theirs != INTERFACE:
            raise fault(
                Text(
                    N_("it is for interface {theirs}, and this program has {ours}"), theirs=repr(theirs), ours=INTERFACE
                )
            )
        game = point.load()
        if not isinstance(game, Game):
            raise fault(Text(N_("it is no game")))
        if game.name != name:
            raise fault(Text(N_("it is another game: {name}"), name=game.name))
        return game
