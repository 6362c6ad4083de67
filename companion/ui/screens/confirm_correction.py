"""Before a correction is written: shows what else it changes, and asks once."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.correction import Correction, CorrectionKind
from companion.core.correction_effects import CorrectionEffects, TrickChange, asks, consequences
from companion.core.game_checks import checked
from companion.core.text import NN_, Glyph, Seat, Text, joined
from companion.ui.translations import _

from .commands import EnterLine
from .context import GameScreenProtocol, ScreenContents, ScreenContext, Transition
from .paged_text import SentencesScreen, review
from .saved_drafts import CorrectionDraft, EntryDraft

KEPT = _("Nothing was changed")

WINNER = Glyph("winner")
SHOWN = 2
"""Maximum number of tricks that are named; the others are counted."""


class ReviewScreen(SentencesScreen, frozen=True):
    """What a correction changes besides the corrected entry; it is written, or everything is left as it was."""

    table: GameScreenProtocol
    correction: Correction  # the correction; all entries fit

    @property
    def draft(self) -> EntryDraft:
        return EntryDraft(
            correction=CorrectionDraft.of(self.correction), page="review", top=self.top, aside=self.table.put_aside
        )

    def show(self, context: ScreenContext) -> ScreenContents:
        sentences = map(context.words, _sentences(self.correction, consequences(self.correction)))
        return review(
            self,
            context,
            _beginning(self.correction),
            sentences,
            lambda: written(self.table, self.correction),
            lambda: left(self.table),
        )


def settled(table: GameScreenProtocol, correction: Correction) -> Transition:
    """Return the transition of a complete correction: written, or shown first if it changes more than its entry."""
    if correction.line() is not None and asks(correction):
        return Transition(ReviewScreen(table, correction))
    return written(table, correction)


def left(table: GameScreenProtocol) -> Transition:
    """Return the transition that leaves a correction, and everything as it was."""
    return Transition(table.left(), message=KEPT)


def written(table: GameScreenProtocol, correction: Correction) -> Transition:
    """Return the transition that writes a complete correction; nothing is written if it changes nothing."""
    line = correction.line()
    if line is None:
        return left(table)
    return Transition(table.corrected(), EnterLine(line), _done(correction))


def _done(correction: Correction) -> Text:
    number = correction.first
    own = (
        (number, number + 1)
        if correction.edit is CorrectionKind.SWAP
        else ()
        if correction.edit is CorrectionKind.INSERT
        else (number,)
    )
    count = sum(changed not in own for changed in correction.changed)
    if correction.edit is CorrectionKind.REPLACE and count:
        return _("Entry {number} is corrected, and {count} after it", number=number, count=count)
    done = {
        CorrectionKind.REPLACE: _("Entry {number} is corrected", number=number),
        CorrectionKind.INSERT: _("Entry {number} inserted", number=number),
        CorrectionKind.REMOVE: _("Entry {number} is removed", number=number),
        CorrectionKind.SWAP: _("Entries {number} and {next} are swapped", number=number, next=number + 1),
    }[correction.edit]
    return _("{done}; later entries changed: {count}", done=done, count=count) if count else done


def _beginning(correction: Correction) -> Text:
    """Return the entry that the correction began with, as it is now, in words."""
    session, number = correction.session, correction.first
    describe = session.header.game.describe
    was = session.entry(number).event
    match correction.edit:
        case CorrectionKind.REMOVE:
            return _("removed: {entry}", entry=describe(was))
        case CorrectionKind.SWAP:
            return _("swapped: entries {number} and {next}", number=number, next=number + 1)
    now = next(step.event for step in correction.step.back() if step.number == number)
    entry = describe(now)
    if correction.edit is CorrectionKind.INSERT:
        return _("inserted: {entry}", entry=entry)
    return _("{number}: {entry}", number=number, entry=entry)


def _sentences(correction: Correction, changes: CorrectionEffects) -> Iterator[Text]:
    """Yield what would change, the most important first."""
    game, state = correction.session.header.game, correction.step.state
    yield from map(_trick, changes.tricks[:SHOWN])
    if len(changes.tricks) > SHOWN:
        yield Text(NN_("{count} more trick changes", "{count} more tricks change"), count=len(changes.tricks) - SHOWN)
    if changes.winners:
        over = checked(game, state).over
        yield game.score_sheet(state).title if over else _("The game is not over")
    if changes.symbol is not None and game.optional.lasting is not None:
        before, after = changes.symbol
        template = _("{symbol} stays {after}") if before == after else _("{symbol}: {after}, not {before}")
        yield Text(template.template, symbol=game.optional.lasting, after=after, before=before)
    if changes.totals is not None:
        seats = enumerate(zip(*changes.totals, strict=True))
        points = (
            Text("{player} {before} → {after}", player=Seat(seat), before=before, after=after)
            for seat, (before, after) in seats
            if before != after
        )
        yield _("Scores: {points}", points=joined(points, " · "))
    yield from changes.alerts
    for event in changes.other:
        yield _("Now: {entry}", entry=game.describe(event))
    if changes.given:
        yield Text(NN_("{count} entry changes its player", "{count} entries change their player"), count=changes.given)
    for alert in changes.gone:
        yield _("No longer: {alert}", alert=alert)
    if not changes.asks:
        yield _("Nothing else changes")


def _trick(change: TrickChange) -> Text:
    if change.winner is None:
        return _("{moment}: not complete", moment=change.moment)
    if change.before is None:
        return _("{moment}: {star}{player}", moment=change.moment, star=WINNER, player=Seat(change.winner))
    return _(
        "{moment}: {star}{player}, not {before}",
        moment=change.moment,
        star=WINNER,
        player=Seat(change.winner),
        before=Seat(change.before),
    )
