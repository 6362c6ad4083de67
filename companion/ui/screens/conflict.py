"""After a correction: shows the first entry that no longer fits, and the choices.

Nothing is written before everything fits; then one line holds all of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.core.correction import Correction
from companion.core.event_answers import tracking_of
from companion.core.events import Event
from companion.core.prompt import Tracking
from companion.core.text import Glyph
from companion.ui.translations import _
from companion.ui.view import TextBody, View

from .contents import Binding, Contents, KeyedContents, home_from
from .context import Context, EnterLine, OpenGame, Screen, TableScreen, Transition

KEPT = _("Left as it was")


@dataclass(frozen=True, slots=True)
class ConflictScreen(Screen):
    """An entry that no longer fits after a correction.

    Attributes:
        table: Where the correction was entered.
        mending: What fits so far.
    """

    table: TableScreen
    mending: Correction

    @property
    def half(self) -> tuple[object, ...]:
        """Return what would be lost without a draft."""
        return (self.mending.number, None)

    def show(self, context: Context) -> Contents:
        """Show the entry, its proposal, and why it no longer fits; take an offer, or keep all as it was."""
        game, words = context.require_game(), context.words
        describe = game.session.header.game.describe
        entry = _("{number}: {entry}", number=self.mending.number, entry=describe(self.mending.was))
        title = words(Glyph("pen")) + words(entry)
        sentences = [words(_("No longer fits: {why}", why=self.mending.why))]
        again = words(_("enter again"))
        anew = Binding("1", again, lambda: Transition(self.table.resolve_misfits(game, self.mending)))
        out = Binding("0", words(_("remove")), lambda: next_conflict(self.table, self.mending.leave_out()))
        leaving = (
            home_from(self, words),
            Binding("*", words(_("back")), lambda: Transition(self.table.reset(), message=KEPT)),
        )
        event = self._as_typed(game)
        if self._over(game):
            sentences.append(words(_("Remove all from here on?")))
            keys = _("# yes   * back")
            offers = [Binding("#", words(_("remove")), lambda: next_conflict(self.table, self.mending.end_here()))]
        elif event is not None:
            now = words(describe(event))
            sentences.insert(0, words(_("Now: {entry}?", entry=describe(event))))  # seen however long the reason is
            keys = _("# yes  1 again  * back")
            offers = [Binding("#", now, lambda: next_conflict(self.table, self._all_as_typed(game))), anew, out]
        else:
            keys = _("# again 0 remove * back")
            offers = [replace(anew, key="#"), anew, out]
        view = View(TextBody(title, tuple(sentences)), words(keys))
        return KeyedContents(self, view, (*leaving, *offers), _("# goes on, * leaves all as it was"))

    def _over(self, game: OpenGame) -> bool:
        """Tell whether nothing can be entered here any more, the game having ended before."""
        return game.session.header.game.ask(self.mending.state, game.tracking, ()) is None

    def _as_typed(self, game: OpenGame) -> Event | None:
        return None if self._over(game) else self.mending.as_typed(tracking_for(game, self.mending))

    def _all_as_typed(self, game: OpenGame) -> Correction:
        """Go on with the same answers as long as that helps: where the turn has moved, it has for all the rest."""
        mending = self.mending
        while not mending.fits:
            event = mending.as_typed(tracking_for(game, mending))
            if event is None:
                break
            mending = mending.put(event)
        return mending


def tracking_for(game: OpenGame, mending: Correction) -> Tracking:
    """Return the way of following the game in which the entry was made."""
    before = mending.session.before(mending.number)
    return tracking_of(game.session.header.game, game.tracking, before, mending.was)


def next_conflict(table: TableScreen, mending: Correction) -> Transition:
    """Write everything down if it fits and something changed, else show what does not fit."""
    if not mending.fits:
        return Transition(ConflictScreen(table, mending), refused=True)
    line = mending.line()
    if line is None:
        return Transition(table.reset(), message=KEPT)
    first, *after = mending.changed
    corrected = _("Entry {number} is corrected, and {count} after it", number=first, count=len(after))
    return Transition(table.reset(), EnterLine(line), corrected)
