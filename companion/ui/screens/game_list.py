"""The list of games: what was played, when, and who leads or has won."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.core.text import Glyph
from companion.ui.dates import day_of
from companion.ui.game_list import ListedGame
from companion.ui.keys import Key
from companion.ui.translations import _
from companion.ui.view import ListBody, View

from .context import CHOOSE, HOME, Context, Labels, ResumeGame, Screen, Transition, leave, no
from .list_selection import NUMBERED, moved, row_labels, settled, told_apart
from .regular_groups import together

PAGE = NUMBERED - 1
"""Games that are listed at once; the tenth row leads to older ones."""
BESIDE = 16
"""Letters there is room for beside the time of day."""


@dataclass(frozen=True, slots=True)
class GameListScreen:
    """Every game in the journal, to look at or go on with, the latest first.

    Attributes:
        before: The screen it was opened from.
        page: How many pages of later games there are.
        chosen: The row that is highlighted.
    """

    before: Screen
    page: int = 0
    chosen: int = 0

    def _listed(self, desk: Context) -> tuple[ListedGame, ...]:
        return desk.shelf.games[self.page * PAGE : (self.page + 1) * PAGE]

    def _rows(self, desk: Context) -> int:
        return len(desk.shelf.games[self.page * PAGE : (self.page + 1) * PAGE + 1])

    def press(self, key: Key, desk: Context) -> Transition:
        """Put a game on the table, turn a page, or go back."""
        if key == HOME:
            return leave(self)
        if key.name == "*":
            return Transition(replace(self, page=self.page - 1, chosen=PAGE) if self.page else self.before)
        count = self._rows(desk)
        row = settled(count, self.chosen, key)
        if row == PAGE:
            return Transition(replace(self, page=self.page + 1, chosen=0))
        if row is not None:
            shelved, here = self._listed(desk)[row], replace(self, chosen=row)
            if shelved.header is None:
                return no(here, _("This game cannot be read; it is kept as it is"))
            return Transition(here, ResumeGame(shelved.name, here))
        row = moved(count, self.chosen, key)
        return Transition(replace(self, chosen=row)) if row is not None else no(self, CHOOSE)

    def view(self, desk: Context) -> View:
        """List the games, and say of which year the highlighted one is."""
        words, listed = desk.words, self._listed(desk)
        older = ((words(_("Older games")), ""),) if self._rows(desk) > PAGE else ()
        rows = tuple((desk.words(shelved.title), _day(desk, shelved)) for shelved in listed)
        below = tuple((_ahead(desk, shelved), _time(shelved)) for shelved in listed)
        year = next((f" {shelved.begun.year}" for shelved in listed[self.chosen :][:1] if shelved.begun), "")
        return View(
            ListBody(words(_("All games")) + year, (*rows, *older), self.chosen, below=below),
            words(_("# open   * back")),
        )

    def labels(self, desk: Context) -> Labels:
        """Say what each key does."""
        words = desk.words
        parts = ((_day(desk, shelved), _time(shelved), desk.words(shelved.title)) for shelved in self._listed(desk))
        games = {str(row): " ".join(filter(None, each)) for row, each in enumerate(parts, 1)}
        leaving = {"h*": words(_("home")), "*": words(_("back"))}
        return {**row_labels(self.view(desk).body), **told_apart(games), "#": words(_("open")), **leaving}


def _day(desk: Context, shelved: ListedGame) -> str:
    return "" if shelved.begun is None else desk.words(day_of(shelved.begun))


def _time(shelved: ListedGame) -> str:
    return "" if shelved.begun is None else f"{shelved.begun:%H:%M}"


def _ahead(desk: Context, shelved: ListedGame) -> str:
    """Return who has won or leads, and with how many points; where nobody does, who plays."""
    if shelved.header is None:
        return desk.words(_("unreadable"))
    players, standing = shelved.header.players, desk.standing(shelved)
    if standing is None or not standing.seats:
        return together(players, BESIDE)
    sign = desk.words(Glyph("winner" if standing.won else "lead"))
    points = "/".join(map(str, standing.points))
    names = together(tuple(players[seat] for seat in standing.seats), BESIDE - 4 - len(points))
    return f"{sign} {points} {names}"  # a long name is cut; points are not
