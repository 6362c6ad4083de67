"""After a correction: the first entry that no longer fits, and what can be done about it.

Nothing is written before everything fits; then one line holds all of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.correction import Correction
from companion.core.event_answers import tracking_of
from companion.core.events import Event
from companion.core.prompt import Tracking
from companion.core.text import Glyph
from companion.ui.keys import Key
from companion.ui.translations import _
from companion.ui.view import TextBody, View

from .context import HOME, Context, EnterLine, Labels, OpenGame, TableScreen, Transition, leave, no

KEPT = _("Left as it was")


@dataclass(frozen=True, slots=True)
class ConflictScreen:
    """The entry that no longer fits.

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

    def press(self, key: Key, desk: Context) -> Transition:
        """Take an offer, or keep everything as it was."""
        if key == HOME:
            return leave(self)
        game = desk.at_the_table()
        over = self._over(game)
        if key == Key("*"):
            return Transition(self.table.fresh(), message=KEPT)
        if key == Key("#") and over:
            return onward(self.table, self.mending.end_here())
        if key == Key("#") and self._as_typed(game) is not None:
            return onward(self.table, self._all_as_typed(game))
        if key.name in "#1" and not key.held and not over:
            return Transition(self.table.mend(game, self.mending))
        if key == Key("0") and not over:
            return onward(self.table, self.mending.leave_out())
        return no(self, _("# goes on, * leaves all as it was"))

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

    def view(self, desk: Context) -> View:
        """Show what the entry was, what it would be, and why it no longer fits."""
        game, words = desk.at_the_table(), desk.words
        describe = game.session.header.game.describe
        entry = _("{number}: {entry}", number=self.mending.number, entry=describe(self.mending.was))
        title = words(Glyph("pen")) + words(entry)
        sentences = [words(_("No longer fits: {why}", why=self.mending.why))]
        event = self._as_typed(game)
        if self._over(game):
            sentences.append(words(_("Remove all from here on?")))
            keys = _("# yes   * back")
        elif event is not None:
            sentences.insert(0, words(_("Now: {entry}?", entry=describe(event))))  # seen however long the reason is
            keys = _("# yes  1 again  * back")
        else:
            keys = _("# again 0 remove * back")
        return View(TextBody(title, tuple(sentences)), words(keys))

    def labels(self, desk: Context) -> Labels:
        """Say what each key does."""
        game, words = desk.at_the_table(), desk.words
        labels = {"h*": words(_("home")), "*": words(_("back"))}
        if self._over(game):
            return {**labels, "#": words(_("remove"))}
        event = self._as_typed(game)
        again = words(_("enter again"))
        first = again if event is None else words(game.session.header.game.describe(event))
        return {**labels, "#": first, "1": again, "0": words(_("remove"))}


def tracking_for(game: OpenGame, mending: Correction) -> Tracking:
    """Return the way of following the game in which the entry was made."""
    before = mending.session.before(mending.number)
    return tracking_of(game.session.header.game, game.tracking, before, mending.was)


def onward(table: TableScreen, mending: Correction) -> Transition:
    """Write everything down if it fits and something changed, else show what does not fit."""
    if not mending.fits:
        return Transition(ConflictScreen(table, mending), refused=True)
    line = mending.line()
    if line is None:
        return Transition(table.fresh(), message=KEPT)
    first, *after = mending.changed
    corrected = _("Entry {number} is corrected, and {count} after it", number=first, count=len(after))
    return Transition(table.fresh(), EnterLine(line), corrected)
