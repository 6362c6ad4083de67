"""The tables of regulars: who played what together, to play it again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from unicodedata import east_asian_width

from companion.core.text import Text
from companion.ui.dates import day_of
from companion.ui.keys import Key
from companion.ui.translations import _
from companion.ui.view import ListBody, View

from .context import CHOOSE, BeginGame, Context, Labels, RegularGroup, Screen, Transition, no
from .list_selection import NUMBERED, moved, row_labels, settled

BETWEEN = "·"
"""What stands between the names of a table: a name may hold a space."""
ROOM = 20
"""Letters that a row has room for."""
TITLE = 23
"""Letters that a title has room for."""


def together(players: tuple[str, ...], room: int = ROOM) -> str:
    """Return the names of a table as one row: as much of each as all have room for.

    Args:
        players: The names.
        room: How many letters a row has; a kanji has the room of two.
    """
    for letters in range(max(map(len, players)), 0, -1):
        row = BETWEEN.join(name[:letters].rstrip() for name in players)
        if sum(2 if east_asian_width(letter) in "WF" else 1 for letter in row) <= room:
            break
    return row


@dataclass(frozen=True, slots=True)
class RegularGroupsScreen:
    """The tables that played last, the latest first; a number begins the same game for the same people.

    Attributes:
        before: The screen it was opened from.
        chosen: The row that is highlighted.
    """

    before: Screen
    chosen: int = 0

    @staticmethod
    def _sittings(desk: Context) -> tuple[RegularGroup, ...]:
        return tuple(islice(desk.sittings, NUMBERED))

    def press(self, key: Key, desk: Context) -> Transition:
        """Begin a game, or go back."""
        if key.name == "*":
            return Transition(self.before)
        sittings = self._sittings(desk)
        row = settled(len(sittings), self.chosen, key)
        if row is not None:
            return Transition(self, BeginGame(sittings[row].header, sittings[row].tracking))
        row = moved(len(sittings), self.chosen, key)
        return Transition(replace(self, chosen=row)) if row is not None else no(self, CHOOSE)

    def view(self, desk: Context) -> View:
        """List who plays and what."""
        words = desk.words
        sittings = self._sittings(desk)
        days = ("" if sitting.begun is None else words(day_of(sitting.begun)) for sitting in sittings)
        games = (words(Text(sitting.header.game.title)) for sitting in sittings)
        below = tuple((together(sitting.header.players), "") for sitting in sittings)
        rows = tuple(zip(games, days, strict=True))
        return View(ListBody(words(_("Play again")), rows, self.chosen, below=below), words(_("* back")))

    def labels(self, desk: Context) -> Labels:
        """Say what each key does."""
        words = desk.words
        tables = {
            str(row % NUMBERED): f"{together(sitting.header.players)} {words(Text(sitting.header.game.title))}"
            for row, sitting in enumerate(self._sittings(desk), 1)
        }
        return {**row_labels(self.view(desk).body), **tables, "#": words(_("choose")), "*": words(_("back"))}
