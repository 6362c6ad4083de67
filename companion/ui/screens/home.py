"""Home: go on with a game, begin one, look at old ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from companion.core.text import Text
from companion.ui.keys import Key
from companion.ui.view import Rows, View
from companion.ui.words import Words, _

from .choosing import NUMBERED, moved, row_labels, settled
from .desk import CHOOSE, Begin, Desk, Labels, Move, Resume, Shelved, no
from .regulars import Regulars
from .settings import Settings
from .setup import Setup


class Item(NamedTuple):
    """A row of home and where it leads."""

    text: str
    value: str
    move: Move


def _described(words: Words, shelved: Shelved) -> tuple[str, str]:
    """Return a game's name and who plays it."""
    if shelved.header is None:
        return words(_("Game {number}", number=shelved.number)), words(_("unreadable"))
    return words(Text(shelved.header.game.title)), " ".join(shelved.header.players)


@dataclass(frozen=True, slots=True)
class Home:
    """Where the box is when no game is on the table."""

    chosen: int = 0

    def _items(self, desk: Desk) -> tuple[Item, ...]:
        words = desk.words
        readable = [shelved for shelved in desk.shelf if shelved.header is not None]
        items: list[Item] = []
        under_way = next((shelved for shelved in readable if not shelved.over), None)
        if under_way is not None:
            _game, players = _described(words, under_way)
            items.append(Item(words(_("Go on:")), players, Move(self, Resume(under_way.number))))
        items.append(Item(words(_("New game")), "", Move(Setup.opening(self))))
        sittings = tuple(islice(desk.sittings, NUMBERED))
        if sittings:
            again = Begin(sittings[0].header, sittings[0].tracking)
            items.append(Item(words(_("Again:")), " ".join(sittings[0].header.players), Move(self, again)))
        if len(sittings) > 1:
            items.append(Item(words(_("Regulars")), str(len(sittings)), Move(Regulars(self))))
        if desk.shelf:
            items.append(Item(words(_("All games")), str(len(desk.shelf)), Move(Shelf(self))))
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
        return View(
            Rows(desk.words(_("Tabletop Companion")), rows, self.chosen),
            desk.words(_("Choose by number")),
        )

    def labels(self, desk: Desk) -> Labels:
        """Say what each key does."""
        return {**row_labels(self.view(desk).body), "#": desk.words(_("choose"))}


@dataclass(frozen=True, slots=True)
class Shelf:
    """Every game in the journal, to look at or go on with."""

    home: Home
    chosen: int = 0

    def press(self, key: Key, desk: Desk) -> Move:
        """Put a game on the table, or go back."""
        if key.name == "*":
            return Move(self.home)
        count = len(desk.shelf)
        row = settled(count, self.chosen, key)
        if row is not None:
            if desk.shelf[row].header is None:
                return no(self, _("This game cannot be read; it is kept as it is"))
            here = replace(self, chosen=row)
            return Move(here, Resume(desk.shelf[row].number, here))
        row = moved(count, self.chosen, key)
        return Move(replace(self, chosen=row)) if row is not None else no(self, CHOOSE)

    def view(self, desk: Desk) -> View:
        """List the games, latest first."""
        words = desk.words
        rows = tuple(
            (
                words(_("{number} over", number=shelved.number))
                if shelved.over
                else words(_("{number} open", number=shelved.number)),
                _described(words, shelved)[1],
            )
            for shelved in desk.shelf
        )
        return View(
            Rows(words(_("All games")), rows, self.chosen),
            words(_("# open   * back")),
        )

    def labels(self, desk: Desk) -> Labels:
        """Say what each key does."""
        return {**row_labels(self.view(desk).body), "#": desk.words(_("open")), "*": desk.words(_("back"))}
