"""The list of entries: look at any, and correct it.

An entry is gone to by its number: a digit leads to the latest entry whose number ends so, another digit before it
narrows that down. So the last ten are one digit away, and the last hundred two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from companion.core.text import Text
from companion.ui.translations import Translator, _
from companion.ui.view import ListBody, View

from .contents import Binding, Contents, KeyedContents, back_to, home_from
from .context import READ_ONLY, Context, OpenGame, Screen, TableScreen, Transition, refuse
from .list_selection import PAGE

STEPS = {"A": -1, "B": 1, "C": -PAGE, "D": PAGE}
ARROWS = {"A": "▲", "B": "▼", "C": "▲▲", "D": "▼▼"}


@dataclass(frozen=True, slots=True)
class EntriesScreen(Screen):
    """All entries of the open game; choosing one corrects it.

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

    def show(self, context: Context) -> Contents:
        """Show the entries by number; move, choose, or go back to the table."""
        game, words = context.require_game(), context.words
        describe = game.session.header.game.describe
        steps = reversed(list(game.session.steps()))
        rows = tuple((words(describe(step.event)), "") for step in steps if step.event is not None)
        body = ListBody(words(_("Entries")), rows, self.number - 1, by_number=False)
        foot = words(_("* back") if game.read_only else _("# corrects   * back"))
        bindings = home_from(self, words), back_to(self.table, words)
        if not self.number:
            return KeyedContents(self, View(body, foot), bindings, _("Nothing was entered yet: * goes back"))
        if game.read_only:
            settle = Binding("#", "", lambda: refuse(self, READ_ONLY))
        else:
            settle = Binding("#", words(_("correct")), lambda: Transition(self.table.correct_entry(game, self.number)))
        return KeyedContents(
            self,
            View(body, foot, self.typed),
            (*bindings, *self._moves(game, words), settle),
            _("Type its number; A and B move") if game.read_only else _("Type its number; A and B move, # corrects"),
        )

    def _moves(self, game: OpenGame, words: Translator) -> Iterator[Binding]:
        """Yield the keys that go to another entry; one that leads nowhere else has no label."""
        for key in (*"1234567890", *STEPS):
            after = self._moved(key, game.session.head.number)
            if after is not None:
                label = "" if after.number == self.number else ARROWS.get(key) or words(_numbered(game, after.number))
                yield Binding(key, label, partial(Transition, after))

    def _moved(self, key: str, count: int) -> EntriesScreen | None:
        if key in STEPS:
            return EntriesScreen(self.table, max(1, min(count, self.number + STEPS[key])))
        for typed in (self.typed + key, key):
            number = ending(count, typed) if key.isdigit() else None
            if number is not None:
                return EntriesScreen(self.table, number, typed)
        return None


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
