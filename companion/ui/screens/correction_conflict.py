"""After a correction: shows the first entry that no longer fits, and the choices.

Nothing is written until all entries fit. The whole correction is then written as one line.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.correction import Correction
from companion.core.event_from_answers import tracking_of
from companion.core.events import Event
from companion.core.prompt import DetailLevel
from companion.core.text import NN_, Glyph, Text
from companion.ui.translations import _
from companion.ui.view import TextBody, View

from .confirm_correction import left, settled
from .context import CurrentGame, GameScreenProtocol, Screen, ScreenContents, ScreenContext, Transition
from .saved_drafts import CorrectionDraft, EntryDraft
from .screen_contents import KeyBinding, KeysOnlyContents, home_from


class ConflictScreen(Screen, frozen=True):
    """The first entry that no longer fits after a correction, with the entries that fit so far, and the choices."""

    table: GameScreenProtocol
    correction: Correction

    @property
    def draft(self) -> EntryDraft:
        return EntryDraft(correction=CorrectionDraft.of(self.correction), page="conflict", aside=self.table.put_aside)

    def show(self, context: ScreenContext) -> ScreenContents:
        game, words = context.require_game(), context.words
        describe = game.session.header.game.describe
        entry = _("{number}: {entry}", number=self.correction.number, entry=describe(self.correction.was))
        title = words(Glyph("pen")) + words(entry)
        sentences = [words(_("No longer fits: {why}", why=self.correction.why))]
        again = words(_("enter again"))
        enter_again = KeyBinding("1", again, lambda: Transition(self.table.enter_correction(game, self.correction)))
        remove = KeyBinding("0", words(_("remove")), lambda: next_conflict(self.table, self.correction.leave_out()))
        leaving = (
            home_from(self, words),
            KeyBinding("*", words(_("back")), lambda: left(self.table)),
        )
        event = self._as_typed(game)
        if self._over(game):
            sentences.append(words(_("Remove all from here on?")))
            keys = _("# yes   * back")
            offers = [
                KeyBinding("#", words(_("remove")), lambda: next_conflict(self.table, self.correction.end_here()))
            ]
        elif self.correction.inserts:
            keys = _("# enter 0 remove * back")
            offers = [replace(enter_again, key="#"), enter_again, remove]
        elif event is not None:
            now = words(describe(event))
            # First, so that a long reason does not push it off the page.
            sentences.insert(0, words(_("Now: {entry}?", entry=describe(event))))
            keys = _("# yes  1 again  * back")
            offers = [
                KeyBinding("#", now, lambda: next_conflict(self.table, self._all_as_typed(game))),
                enter_again,
                remove,
            ]
        elif self.correction.superfluous:
            keys, gone = _("# remove 1 again * back"), self.correction.without_superfluous()
            count = len(gone.given) - len(self.correction.given)
            if count > 1:
                sentences.append(words(Text(NN_("{count} entry goes", "{count} entries go"), count=count)))
            offers = [
                KeyBinding("#", remove.label, lambda: next_conflict(self.table, gone)),
                enter_again,
                remove,
            ]
        else:
            keys = _("# again 0 remove * back")
            offers = [replace(enter_again, key="#"), enter_again, remove]
        view = View(TextBody(title, tuple(sentences)), words(keys))
        return KeysOnlyContents(self, view, (*leaving, *offers), _("# goes on, * leaves all as it was"))

    def _over(self, game: CurrentGame) -> bool:
        return game.session.header.game.ask(self.correction.state, game.tracking, ()) is None

    def _as_typed(self, game: CurrentGame) -> Event | None:
        return None if self._over(game) else self.correction.as_typed(tracking_for(game, self.correction))

    def _all_as_typed(self, game: CurrentGame) -> Correction:
        """Return the correction with the same answers applied to all following entries, as far as they fit."""
        correction = self.correction
        while not (correction.fits or correction.inserts):
            event = correction.as_typed(tracking_for(game, correction))
            if event is None:
                break
            correction = correction.put(event)
        return correction


def tracking_for(game: CurrentGame, correction: Correction) -> DetailLevel:
    before = correction.session.before(correction.number)
    try:
        return tracking_of(game.session.header.game, game.tracking, before, correction.was)
    except LookupError:  # only a log has such an entry
        return game.tracking


def next_conflict(table: GameScreenProtocol, correction: Correction) -> Transition:
    """Return the transition after a step: show the next conflict, or settle the correction if all entries fit."""
    if not correction.fits:
        return Transition(ConflictScreen(table, correction), refused=True)
    return settled(table, correction)
