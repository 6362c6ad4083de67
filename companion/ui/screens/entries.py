"""The list of what was entered, to look at and to correct any of it.

An entry is gone to by its number: a digit leads to the latest entry whose number ends so, another digit before it
narrows that down. So the last ten are one digit away, and the last hundred two.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.text import Text
from companion.ui.keys import Key
from companion.ui.translations import _
from companion.ui.view import ListBody, View

from .context import HOME, READ_ONLY, Context, Labels, OpenGame, TableScreen, Transition, leave, no
from .list_selection import PAGE

STEPS = {"A": -1, "B": 1, "C": -PAGE, "D": PAGE}
ARROWS = {"A": "▲", "B": "▼", "C": "▲▲", "D": "▼▼"}


@dataclass(frozen=True, slots=True)
class EntriesScreen:
    """Every event that stands, in the order entered; choosing one corrects it.

    Attributes:
        table: Where it was opened.
        number: The entry that is highlighted, from 1; 0 where there is none.
        typed: The last digits of its number, as far as they were typed.
    """

    table: TableScreen
    number: int
    typed: str = ""

    @classmethod
    def of(cls, table: TableScreen, game: OpenGame) -> EntriesScreen:
        """Open the list at the latest entry."""
        return cls(table, game.session.head.number)

    def press(self, key: Key, desk: Context) -> Transition:
        """Move, choose, or go back to the table."""
        if key == HOME:
            return leave(self)
        game = desk.at_the_table()
        if key.name == "*":
            return Transition(self.table)
        if not self.number:
            return no(self, _("Nothing was entered yet: * goes back"))
        if key == Key("#") and game.read_only:
            return no(self, READ_ONLY)
        if key == Key("#"):
            return Transition(self.table.correcting(game, self.number))
        after = None if key.held else self._moved(key.name, game.session.head.number)
        if after is not None:
            return Transition(after)
        return no(
            self,
            _("Type its number; A and B move") if game.read_only else _("Type its number; A and B move, # corrects"),
        )

    def _moved(self, key: str, count: int) -> EntriesScreen | None:
        if key in STEPS:
            return EntriesScreen(self.table, max(1, min(count, self.number + STEPS[key])))
        for typed in (self.typed + key, key):
            number = ending(count, typed) if key.isdigit() else None
            if number is not None:
                return EntriesScreen(self.table, number, typed)
        return None

    def view(self, desk: Context) -> View:
        """Show the entries by number."""
        game = desk.at_the_table()
        words = desk.words
        describe = game.session.header.game.describe
        steps = reversed(list(game.session.steps()))
        rows = tuple((words(describe(step.event)), "") for step in steps if step.event is not None)
        return View(
            ListBody(words(_("Entries")), rows, self.number - 1, by_number=False),
            words(_("* back") if game.read_only else _("# corrects   * back")),
            self.typed,
        )

    def labels(self, desk: Context) -> Labels:
        """Say what each key does."""
        words = desk.words
        labels = {"h*": words(_("home")), "*": words(_("back"))}
        if not self.number:
            return labels
        game = desk.at_the_table()
        count = game.session.head.number
        for key in (*"1234567890", *STEPS):
            after = self._moved(key, count)
            if after is not None and after.number != self.number:
                labels[key] = ARROWS.get(key) or words(_numbered(game, after.number))
        return labels if game.read_only else {**labels, "#": words(_("correct"))}


def _numbered(game: OpenGame, number: int) -> Text:
    event = game.session.step(number).event
    assert event is not None  # only the beginning has none
    return _("{number}: {entry}", number=number, entry=game.session.header.game.describe(event))


def ending(count: int, typed: str) -> int | None:
    """Return the latest of so many entries whose number ends with some digits, if one does."""
    number = count - (count - int(typed)) % 10 ** len(typed)
    return number if number >= 1 else None


def way(count: int, number: int) -> str:
    """Return the shortest keys that go to an entry from the latest one, and choose it."""
    if number == count:
        return "#"
    pages, rows = divmod(count - number, PAGE)
    moves = ["C" * pages + "A" * rows, "C" * (pages + 1) + "B" * (PAGE - rows)]
    if number - 1 < PAGE - rows:
        del moves[1]  # the list ends before the page does
    digits = str(number).zfill(len(str(count)))
    ends = (digits[-length:] for length in range(1, len(digits) + 1))
    moves += [typed for typed in ends if ending(count, typed) == number]
    return min(moves, key=len) + "#"
