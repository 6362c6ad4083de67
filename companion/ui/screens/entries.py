"""The list of entries: view any entry; replace it, insert one before it, remove it, or swap it with the next.

A digit goes to the latest entry whose number ends in that digit. A second digit goes to the latest entry whose number
ends in both digits. So the last ten entries are one digit away, and the last hundred two.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from companion.core.text import Text
from companion.ui.translations import Translator, _
from companion.ui.view import ListBody, View

from .context import (
    READ_ONLY,
    CurrentGame,
    GameScreenProtocol,
    Screen,
    ScreenContents,
    ScreenContext,
    Transition,
    refuse,
)
from .entry_corrections import INSERT, REMOVE, REPLACE, SWAP, EntryEditsScreen, entry_edits
from .list_selection import COLON
from .screen_contents import KeyBinding, KeysOnlyContents, back_to, home_from

STEPS = {"A": -1, "B": 1}
LONGEST = 5  # digits of a number that no entry has
ARROWS = {"A": "▲", "B": "▼"}


class EntriesScreen(Screen, frozen=True):
    """All entries of the open game; choosing one corrects it."""

    table: GameScreenProtocol
    number: int  # the highlighted entry, from 1; 0 if there are no entries
    typed: str = ""  # the digits typed to find it
    missing: str = ""  # the digits just typed, if no entry's number ends in them: nothing is corrected then

    @classmethod
    def of(cls, table: GameScreenProtocol, game: CurrentGame) -> EntriesScreen:
        return cls(table, game.session.head.number)

    def title_on_pages(self, words: Translator) -> str:
        return words(_("Entries"))

    def show(self, context: ScreenContext) -> ScreenContents:
        game, words = context.require_game(), context.words
        swaps = 0 < self.number < game.session.head.number and not game.read_only and not context.key_layout.few
        title = _("Entries   # held: swap") if swaps else _("Entries")
        rows, names = _rows(game, words), words.players
        body = ListBody(
            words(title), rows, self.number - 1, by_number=False, counted=True, colon=words(COLON), names=names
        )
        foot = words(_("* back") if game.read_only else _("#edit C new D remove"))
        bindings = home_from(self, words), back_to(self.table, words)
        if not self.number:
            return KeysOnlyContents(
                self, View(body, words(_("* back"))), bindings, _("Nothing was entered yet: * goes back")
            )
        return KeysOnlyContents(
            self,
            View(body, foot, self.typed),
            (*bindings, *self._moves(game, words), *self._edits(context)),
            _("Type its number; A and B move")
            if game.read_only
            else _("Digits, A, B move; # corrects, C inserts, D removes, # held swaps"),
            lambda row: Transition(self._highlighting(game.session.head.number, row + 1)),
        )

    def _highlighting(self, count: int, number: int) -> EntriesScreen:
        """Return the list with another entry highlighted, and the digits that a keypad would need for it."""
        digits = way(count, number)
        if number == self.number:
            return replace(self, missing="")
        return EntriesScreen(self.table, number, "" if "A" in digits else digits)

    def _edits(self, context: ScreenContext) -> Iterator[KeyBinding]:
        """Yield the keys that correct the highlighted entry; with few keys, OK leads to a list of what can be done."""
        game = context.require_game()
        if game.read_only:
            for key in (REPLACE, INSERT, REMOVE, SWAP):
                yield KeyBinding(key, "", lambda: refuse(self, READ_ONLY))
            return
        if self.missing:
            for key in (REPLACE, INSERT, REMOVE, SWAP):
                yield KeyBinding(key, "", lambda: refuse(replace(self, missing=""), self._no_entry))
            return
        if context.key_layout.few:
            choices = EntryEditsScreen(before=self, table=self.table, number=self.number)
            yield KeyBinding(REPLACE, context.words(_("correct")), partial(Transition, choices))
            return
        for edit in entry_edits(self, self.table, game, self.number):
            yield KeyBinding(edit.key, context.words(edit.label), edit.do)

    def _moves(self, game: CurrentGame, words: Translator) -> Iterator[KeyBinding]:
        """Yield the keys that move the highlight; a key without effect has no label."""
        last = game.session.head.number
        for key in (*"1234567890", *STEPS):
            after = self._moved(key, last)
            if after is None:
                unknown = replace(self, typed="", missing=(self.missing + key)[-LONGEST:])
                yield KeyBinding(key, "", partial(refuse, unknown, unknown._no_entry))
            else:
                label = "" if after.number == self.number else ARROWS.get(key) or words(_numbered(game, after.number))
                yield KeyBinding(key, label, partial(Transition, after))

    @property
    def _no_entry(self) -> Text:
        return _("There is no entry {number}", number=self.missing)

    def _moved(self, key: str, count: int) -> EntriesScreen | None:
        if key in STEPS:
            return EntriesScreen(self.table, max(1, min(count, self.number + STEPS[key])))
        for typed in (self.typed + key, key):
            number = ending(count, typed) if key.isdigit() else None
            if number is not None:
                return EntriesScreen(self.table, number, typed)
        return None


def _rows(game: CurrentGame, words: Translator) -> tuple[tuple[str, str], ...]:
    """Return each entry in words; at the right, the round and the trick where one begins."""
    declared = game.session.header.game
    moment, before, rows = declared.short, None, []
    for step in game.session.entries():
        now = moment(step.before.state)
        rows.append((words(declared.describe(step.event)), "" if now == before else words(now)))
        before = now
    return tuple(rows)


def _numbered(game: CurrentGame, number: int) -> Text:
    event = game.session.entry(number).event
    return _("{number}: {entry}", number=number, entry=game.session.header.game.describe(event))


def ending(count: int, typed: str) -> int | None:
    """Return the latest of ``count`` entries whose number ends in some digits, or None."""
    number = count - (count - int(typed)) % 10 ** len(typed)
    return number if number >= 1 else None


def way(count: int, number: int) -> str:
    """Return the shortest key sequence that highlights an entry, from the latest one on."""
    digits = str(number).zfill(len(str(count)))
    ends = (digits[-length:] for length in range(1, len(digits) + 1))
    moves = ["A" * (count - number), *(typed for typed in ends if ending(count, typed) == number)]
    return min(moves, key=len)
