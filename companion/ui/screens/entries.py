"""The list of what was entered, to look at and to correct any of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.ui.keys import Key
from companion.ui.view import Rows, View
from companion.ui.words import _

from .choosing import moved, row_labels, settled
from .desk import AtTable, Desk, Labels, Move, OpenGame, no


@dataclass(frozen=True, slots=True)
class Entries:
    """Every event that stands, in the order entered; choosing one corrects it.

    Attributes:
        table: Where it was opened.
        chosen: The row that is highlighted.
    """

    table: AtTable
    chosen: int

    @classmethod
    def of(cls, table: AtTable, game: OpenGame) -> Entries:
        """Open the list at the latest entry."""
        return cls(table, max(0, game.session.head.number - 1))

    def press(self, key: Key, desk: Desk) -> Move:
        """Move, choose, or go back to the table."""
        game = desk.at_the_table()
        count = game.session.head.number
        if key.name == "*":
            return Move(self.table)
        if not count:
            return no(self, _("Nothing was entered yet: * goes back"))
        row = settled(count, self.chosen, key, by_number=False)
        if row is not None:
            return Move(self.table.correcting(game, row + 1))
        row = moved(count, self.chosen, key, by_number=False)
        if row is not None:
            return Move(replace(self, chosen=row))
        return no(self, _("2 and 8 move, # corrects, * goes back"))

    def view(self, desk: Desk) -> View:
        """Show the entries by number."""
        game = desk.at_the_table()
        words = desk.words
        describe = game.session.header.game.describe
        steps = reversed(list(game.session.steps()))
        rows = tuple((words(describe(step.event)), "") for step in steps if step.event is not None)
        return View(
            Rows(words(_("Entries")), rows, self.chosen, by_number=False),
            words(_("# corrects   * back")),
        )

    def labels(self, desk: Desk) -> Labels:
        """Say what each key does."""
        labels = {**row_labels(self.view(desk).body, by_number=False), "*": desk.words(_("back"))}
        if desk.at_the_table().session.head.number:
            labels["#"] = labels["5"] = desk.words(_("correct"))
        return labels
