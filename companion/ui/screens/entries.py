"""The list of entries: view any entry, and correct it.

A digit goes to the latest entry whose number ends in that digit. A second digit goes to the latest entry whose number
ends in both digits. So the last ten entries are one digit away, and the last hundred two.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from companion.core.text import Text
from companion.ui.translations import Translator, _
from companion.ui.view import ListBody, View

from .contents import BoundKeysContents, KeyBinding, ScreenContents, back_to, home_from
from .context import READ_ONLY, CurrentGame, GameScreenProtocol, Screen, ScreenContext, Transition, refuse
from .list_selection import PAGE

STEPS = {"A": -1, "B": 1, "C": -PAGE, "D": PAGE}
ARROWS = {"A": "▲", "B": "▼", "C": "▲▲", "D": "▼▼"}


class EntriesScreen(Screen, frozen=True):
    """All entries of the open game; choosing one corrects it.

    Attributes:
        table: The screen it was opened from.
        number: The highlighted entry, from 1; 0 if there are no entries.
        typed: The digits typed to find it.
    """

    table: GameScreenProtocol
    number: int
    typed: str = ""

    @classmethod
    def of(cls, table: GameScreenProtocol, game: CurrentGame) -> EntriesScreen:
        """Return the list with the latest entry highlighted."""
        return cls(table, game.session.head.number)

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return the list of entries, with the keys that move, correct an entry, or go back."""
        game, words = context.require_game(), context.words
        describe = game.session.header.game.describe
        steps = reversed(list(game.session.steps()))
        rows = tuple((words(describe(step.event)), "") for step in steps if step.event is not None)
        body = ListBody(words(_("Entries")), rows, self.number - 1, by_number=False)
        foot = words(_("* back") if game.read_only else _("# corrects   * back"))
        bindings = home_from(self, words), back_to(self.table, words)
        if not self.number:
            return BoundKeysContents(self, View(body, foot), bindings, _("Nothing was entered yet: * goes back"))
        if game.read_only:
            settle = KeyBinding("#", "", lambda: refuse(self, READ_ONLY))
        else:
            settle = KeyBinding(
                "#", words(_("correct")), lambda: Transition(self.table.correct_entry(game, self.number))
            )
        return BoundKeysContents(
            self,
            View(body, foot, self.typed),
            (*bindings, *self._moves(game, words), settle),
            _("Type its number; A and B move") if game.read_only else _("Type its number; A and B move, # corrects"),
        )

    def _moves(self, game: CurrentGame, words: Translator) -> Iterator[KeyBinding]:
        """Yield the keys that move the highlight; a key without effect has no label."""
        for key in (*"1234567890", *STEPS):
            after = self._moved(key, game.session.head.number)
            if after is not None:
                label = "" if after.number == self.number else ARROWS.get(key) or words(_numbered(game, after.number))
                yield KeyBinding(key, label, partial(Transition, after))

    def _moved(self, key: str, count: int) -> EntriesScreen | None:
        if key in STEPS:
            return EntriesScreen(self.table, max(1, min(count, self.number + STEPS[key])))
        for typed in (self.typed + key, key):
            number = ending(count, typed) if key.isdigit() else None
            if number is not None:
                return EntriesScreen(self.table, number, typed)
        return None


def _numbered(game: CurrentGame, number: int) -> Text:
    event = game.session.step(number).event
    assert event is not None  # only the beginning has no event
    return _("{number}: {entry}", number=number, entry=game.session.header.game.describe(event))


def ending(count: int, typed: str) -> int | None:
    """Return the latest of ``count`` entries whose number ends in some digits, or None."""
    number = count - (count - int(typed)) % 10 ** len(typed)
    return number if number >= 1 else None


def way(count: int, number: int) -> str:
    """Return the shortest key sequence that goes from the latest entry to another and chooses it."""
    if number == count:
        return "#"
    pages, rows = divmod(count - number, PAGE)
    moves = ["C" * pages + "A" * rows, "C" * (pages + 1) + "B" * (PAGE - rows)]
    if number - 1 < PAGE - rows:
        del moves[1]  # the page would go past the first entry
    digits = str(number).zfill(len(str(count)))
    ends = (digits[-length:] for length in range(1, len(digits) + 1))
    moves += [typed for typed in ends if ending(count, typed) == number]
    return min(moves, key=len) + "#"
