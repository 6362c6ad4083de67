"""The ways to correct an entry: enter it again, insert one before it, remove it, swap it with the next.

A keypad has a key for each in the list of entries. Boards with few keys choose from a list of their own.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from companion.core.correction import Correction, CorrectionKind
from companion.core.errors import IllegalEventError
from companion.core.text import Text
from companion.ui.translations import _

from .context import CurrentGame, GameScreenProtocol, Screen, ScreenContents, ScreenContext, Transition, refuse
from .correction_conflict import next_conflict
from .list_menu import menu
from .screen_contents import OpenedListScreen

REPLACE, INSERT, REMOVE, SWAP = "#", "C", "D", "h#"
"""The keys in the list of entries."""


class EntryEdit(Struct, frozen=True):
    """One thing that can be done with an entry, with its key in the list of entries."""

    key: str
    label: Text
    do: Callable[[], Transition]


def entry_edits(screen: Screen, table: GameScreenProtocol, game: CurrentGame, number: int) -> tuple[EntryEdit, ...]:
    """Return what can be done with an entry; the screen stays if that is refused."""
    session = game.session

    def enter(edit: CorrectionKind) -> Transition:
        return Transition(table.enter_correction(game, Correction.opening(session, number, edit)))

    def swap() -> Transition:
        try:
            return next_conflict(table, Correction.swapping(session, number))
        except IllegalEventError as refused:
            return refuse(screen, _("They cannot be swapped: {why}", why=refused.text))

    edits = (
        EntryEdit(REPLACE, _("correct"), lambda: enter(CorrectionKind.REPLACE)),
        EntryEdit(INSERT, _("new before it"), lambda: enter(CorrectionKind.INSERT)),
        EntryEdit(REMOVE, _("remove"), lambda: next_conflict(table, Correction.removing(session, number))),
        EntryEdit(SWAP, _("swap with the next"), swap),
    )
    return edits if number < session.head.number else edits[:-1]


class EntryEditsScreen(OpenedListScreen, frozen=True, kw_only=True):
    """The list of what can be done with an entry."""

    table: GameScreenProtocol
    number: int

    def show(self, context: ScreenContext) -> ScreenContents:
        game, words = context.require_game(), context.words
        edits = entry_edits(self, self.table, game, self.number)
        event = game.session.entry(self.number).event
        title = _("{number}: {entry}", number=self.number, entry=game.session.header.game.describe(event))
        return menu(self, words, title, ((edit.label, "", edit.do) for edit in edits), self.before)
