"""Home: go on with a game, begin one, look at old ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from companion.core.text import Text
from companion.ui.keys import Key
from companion.ui.view import Rows, View
from companion.ui.words import _

from .choosing import NUMBERED, moved, row_labels, settled
from .desk import Begin, Desk, Labels, Move, Resume, no
from .gamelist import GameList
from .regulars import Regulars, together
from .settings import Settings
from .setup import Setup


class Item(NamedTuple):
    """A row of home, where it leads, and who plays there."""

    text: str
    value: str
    move: Move
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Home:
    """Where the box is when no game is on the table."""

    chosen: int = 0

    def _items(self, desk: Desk) -> tuple[Item, ...]:
        words = desk.words
        items: list[Item] = []
        games = desk.shelf.games
        under_way = ((one.name, one.header) for one in games if not one.over and one.header is not None)
        name, header = next(under_way, ("", None))
        if header is not None:
            text = _("Go on: {game}", game=Text(header.game.title))
            items.append(Item(words(text), "", Move(self, Resume(name)), header.players))
        items.append(Item(words(_("New game")), "", Move(Setup.opening(self))))
        sittings = tuple(islice(desk.sittings, NUMBERED))
        if sittings:
            header = sittings[0].header
            text = _("Again: {game}", game=Text(header.game.title))
            items.append(Item(words(text), "", Move(self, Begin(header, sittings[0].tracking)), header.players))
        if len(sittings) > 1:
            items.append(Item(words(_("Regulars")), str(len(sittings)), Move(Regulars(self))))
        if games:
            items.append(Item(words(_("All games")), str(len(games)), Move(GameList(self))))
        items.append(Item(words(_("Settings")), "", Move(Settings(self))))
        return tuple(items)

    def press(self, key: Key, desk: Desk) -> Move:
        """Choose a row."""
        items = self._items(desk)
        row = settled(len(items), self.chosen, key)
        if row is not None:
            return items[row].move
        row = moved(len(items), self.chosen, key)
        return Move(replace(self, chosen=row)) if row is not None else no(self, _("Choose by number"))

    def view(self, desk: Desk) -> View:
        """Show what can be done."""
        items = self._items(desk)
        rows = tuple((item.text, item.value) for item in items)
        below = tuple((together(item.players) if item.players else "", "") for item in items)
        return View(
            Rows(desk.words(_("Tabletop Companion")), rows, self.chosen, below=below),
            desk.words(_("Choose by number")),
        )

    def labels(self, desk: Desk) -> Labels:
        """Say what each key does."""
        return {**row_labels(self.view(desk).body), "#": desk.words(_("choose"))}
