"""The list of entries, and corrections: what they change is shown, and what no longer fits is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.correction import Correction, CorrectionKind, has_sheet
from companion.core.game import standing, tracking_of
from companion.core.games import checked
from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.core.text import NN_, Glyph, IllegalEventError, Seat, Text, joined
from companion.core.text import listed as names_listed
from companion.ui.few_keys import SelectableOptions, listed
from companion.ui.keys import Key, Labels
from companion.ui.screens.contents import (
    Contents,
    OpenedListScreen,
    SentencesScreen,
    back_to,
    home_from,
    menu,
    only_key,
    review,
)
from companion.ui.screens.context import (
    BACK_AT,
    READ_ONLY,
    Choice,
    CurrentGame,
    EnterLine,
    Row,
    Screen,
    ScreenContents,
    ScreenContext,
    TableScreen,
    Transition,
    refuse,
)
from companion.ui.screens.list_selection import COLON, moved_to, row_named
from companion.ui.translations import _
from companion.ui.view import IN_FULL, ListBody, TextBody, View, retold

if TYPE_CHECKING:
    from companion.core.correction import CorrectionEffects, TrickChange

KEPT = _("Nothing was changed")

WINNER = Glyph("winner")
SHOWN = 2
"""The number of tricks that the panel names where there are many; the others are counted."""

UNKNOWN = _("# goes on, C leaves all as it was, * goes back")
"""The message for any other key at a step of a correction."""


class ReviewScreen(SentencesScreen, frozen=True):
    """What a correction changes besides the corrected entry; it is written, or everything is left as it was."""

    table: TableScreen
    correction: Correction  # the correction; all entries fit

    def show(self, context: ScreenContext) -> ScreenContents:
        from companion.core.correction import consequences

        changes = consequences(self.correction)
        return review(
            self,
            context,
            _beginning(self.correction),
            _sentences(self.correction, changes),
            lambda: written(self.table, self.correction),
            lambda: step_back(self.table, context.require_game(), self.correction),
            on_pages=(*_sentences(self.correction, changes, in_full=True), _("Correct it like this?")),
            others=(leaving(self.table),),
            foot=_("# yes  C no  * back"),
            unknown=UNKNOWN,
        )


def settled(table: TableScreen, correction: Correction) -> Transition:
    """Return the transition of a complete correction: written, or shown first if it changes more than its entry.

    Where the scores follow from one that is written at once, pages say how.
    """
    from companion.core.correction import asks

    if correction.line() is not None and asks(correction):
        return Transition(ReviewScreen(table, correction))
    done, changed = written(table, correction), tuple(scores_changed(correction.session, correction.state))
    if done.message is None or not changed:
        return done
    return replace(done, message=Text("{said}", said=done.message, more=joined(changed, " · ")))


def left(table: TableScreen) -> Transition:
    """Return the transition that leaves a correction, and everything as it was."""
    return Transition(table.left(), message=KEPT)


def leaving(table: TableScreen) -> Choice:
    """Return the choice that leaves a correction from any step of it."""
    return Choice("leave", _("change nothing"), lambda: left(table), "C", BACK_AT)


def step_back(table: TableScreen, game: CurrentGame, correction: Correction) -> Transition:
    """Return the transition to the step before in a correction: the question that was answered last.

    From its first step it leads to the list of entries, where it was chosen.
    """
    previous = correction.previous
    if previous is None:
        return Transition(EntriesScreen(table, correction.first))
    given = correction.given[len(previous.given)]
    if given is None or previous.stand.why is not None:
        return Transition(ConflictScreen(table, previous))
    return Transition(table.answer_again(game, previous, given))


def written(table: TableScreen, correction: Correction) -> Transition:
    """Return the transition that writes a complete correction; nothing is written if it changes nothing."""
    line = correction.line()
    if line is None:
        return left(table)
    return Transition(table.reset(), EnterLine(line), _done(correction))


def _done(correction: Correction) -> Text:
    number, round_ = correction.first, round_of(correction.session, correction.first)
    own = {CorrectionKind.SWAP: (number, number + 1), CorrectionKind.INSERT: ()}.get(correction.kind, (number,))
    count = sum(changed not in own for changed in correction.stand.changed)
    if correction.kind is CorrectionKind.REPLACE and count and round_ is None:
        return _("Entry {number} is corrected, and {count} after it", number=number, count=count)
    done = {
        CorrectionKind.REPLACE: _("Entry {number} is corrected", number=number)
        if round_ is None
        else _("Round {round} is corrected", round=round_),
        CorrectionKind.INSERT: _("Entry {number} inserted", number=number),
        CorrectionKind.REMOVE: _("Entry {number} is removed", number=number),
        CorrectionKind.SWAP: _("Entries {number} and {next} are swapped", number=number, next=number + 1),
    }[correction.kind]
    return _("{done}; later entries changed: {count}", done=done, count=count) if count else done


def _beginning(correction: Correction) -> Text:
    """Return the entry that the correction began with, as it is now, in words."""
    session, number = correction.session, correction.first
    describe = session.header.game.describe
    was = session.entry(number).event
    match correction.kind:
        case CorrectionKind.REMOVE:
            return _("removed: {entry}", entry=describe(was))
        case CorrectionKind.SWAP:
            return _("swapped: entries {number} and {next}", number=number, next=number + 1)
    now = next(step.event for step in correction.stand.step.back() if step.number == number)
    entry = describe(now)
    if correction.kind is CorrectionKind.INSERT:
        return _("inserted: {entry}", entry=entry)
    return _("{number}: {entry}", number=entry_name(session, number), entry=entry)


def round_of(session: Session, number: int) -> int | None:
    """Return the round whose figures an entry gives; None if it gives none, or the game has no rounds."""
    game, entry = session.header.game, session.entry(number)
    return game.progress(entry.before.state).round if has_sheet(game, entry) else None


def entry_name(session: Session, number: int) -> Text | str:
    """Return what an entry is called: its round if it gives figures of one, else its number."""
    round_ = round_of(session, number)
    return str(number) if round_ is None else _("R{round}", round=round_)


def _sentences(correction: Correction, changes: CorrectionEffects, *, in_full: bool = False) -> Iterator[Text]:
    """Yield what would change, the most important first; with the names of tricks in full, or short."""
    game, state, tricks = correction.session.header.game, correction.state, changes.tricks
    named = len(tricks) if in_full or len(tricks) == SHOWN + 1 else SHOWN  # one more takes no more room than its number
    for change in tricks[:named]:
        yield _trick(change, retold(change.moment, IN_FULL if in_full else {}))
    if len(tricks) > named:
        yield Text(NN_("{count} more trick changes", "{count} more tricks change"), count=len(tricks) - named)
    if changes.winners:
        over = checked(game, state).over
        yield game.score_sheet(state).title if over else _("The game is not over")
    if changes.symbol is not None and game.optional.lasting is not None:
        before, after = changes.symbol
        template = _("{symbol} stays {after}") if before == after else _("{symbol}: {after}, not {before}")
        yield Text(template.template, symbol=game.optional.lasting, after=after, before=before)
    if changes.totals is not None:
        yield _scores(*changes.totals)
    yield from changes.alerts
    for event in changes.other:
        yield _("Now: {entry}", entry=game.describe(event))
    if changes.given:
        yield Text(NN_("{count} entry changes its player", "{count} entries change their player"), count=changes.given)
    for alert in changes.gone:
        yield _("No longer: {alert}", alert=alert)
    if not changes.asks:
        yield _("Nothing else changes")


def _scores(before: tuple[int, ...], after: tuple[int, ...]) -> Text:
    """Return the scores that change, by seat."""
    points = (
        Text("{player} {before} → {after}", player=Seat(seat), before=was, after=now)
        for seat, (was, now) in enumerate(zip(before, after, strict=True))
        if was != now
    )
    return _("Scores: {points}", points=joined(points, " · "))


def scores_changed(session: Session, state: object) -> Iterator[Text]:
    """Yield how the scores change in the state after a correction, and who wins or is ahead then if it is another.

    Nothing is said of a game that was ended within a round: that round counts for nothing.
    """
    if session.counted is not session.head:
        return
    game, best = session.header.game, session.header.best
    was, now = (checked(game, each) for each in (session.state, state))
    if was.totals == now.totals:
        return
    yield _scores(was.totals, now.totals)
    before, after = standing(game, was, best), standing(game, now, best)
    if was.winners != now.winners:
        yield game.score_sheet(state).title if now.over else _("The game is not over")
    elif before.seats != after.seats and after.seats and not now.over:
        yield _("Ahead now: {names}", names=names_listed(map(Seat, after.seats)))


def _trick(change: TrickChange, moment: Text) -> Text:
    if change.winner is None:
        return _("{moment}: not complete", moment=moment)
    if change.before is None:
        return _("{moment}: {star}{player}", moment=moment, star=WINNER, player=Seat(change.winner))
    return _(
        "{moment}: {star}{player}, not {before}",
        moment=moment,
        star=WINNER,
        player=Seat(change.winner),
        before=Seat(change.before),
    )


class ConflictScreen(Screen, frozen=True):
    """The first entry that no longer fits after a correction, with the entries that fit so far, and the choices."""

    table: TableScreen
    correction: Correction

    def show(self, context: ScreenContext) -> ScreenContents:
        game = context.require_game()
        describe = game.session.header.game.describe
        name = entry_name(game.session, self.correction.entry.number)
        entry = _("{number}: {entry}", number=name, entry=describe(self.correction.was))
        title = joined((Glyph("pen"), entry), "")
        sentences: list[Text] = [_("No longer fits: {why}", why=self.correction.stand.why)]
        again = Transition(self.table.enter_correction(game, self.correction))
        enter_again = Choice("again", _("enter again"), lambda: again, "1")
        remove = Choice("remove", _("remove"), lambda: next_conflict(self.table, self.correction.leave_out()), "0")
        event, asked = None, game.session.header.game.ask(self.correction.state, game.tracking, ())
        if asked is not None and not self.correction.inserts:
            event = self.correction.as_typed(tracking_for(game, self.correction))
        if asked is None:
            sentences.append(_("Remove all from here on?"))
            keys = _("# yes   * back")
            offers = [replace(remove, do=lambda: next_conflict(self.table, self.correction.end_here()), key="#")]
        elif event is not None:
            now = describe(event)
            # First, so that a long reason does not push it off the page.
            sentences.insert(0, _("Now: {entry}?", entry=describe(event)))
            keys = _("# yes  1 again  * back")
            offers = [
                Choice("yes", now, lambda: next_conflict(self.table, self._all_as_typed(game)), "#"),
                enter_again,
                remove,
            ]
        elif self.correction.superfluous and not self.correction.inserts:
            keys, gone = _("# remove 1 again * back"), self.correction.without_superfluous()
            count = len(gone.given) - len(self.correction.given)
            if count > 1:
                sentences.append(Text(NN_("{count} entry goes", "{count} entries go"), count=count))
            offers = [
                Choice("remove all", remove.label, lambda: next_conflict(self.table, gone), "#"),
                enter_again,
                remove,
            ]
        else:
            keys = _("# enter 0 remove * back") if self.correction.inserts else _("# again 0 remove * back")
            offers = [replace(enter_again, key="#"), replace(enter_again, page="", knob=False), remove]
        view = View(TextBody(title, tuple(sentences)), keys)
        back = Choice("back", _("back"), lambda: step_back(self.table, game, self.correction), "*", BACK_AT)
        return Contents(self, view, (*offers, back, leaving(self.table), home_from(self)), UNKNOWN)

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
    entry = correction.entry
    try:
        return tracking_of(game.session.header.game, game.tracking, entry.before.state, entry.event)
    except LookupError:  # only a log has such an entry
        return game.tracking


def next_conflict(table: TableScreen, correction: Correction) -> Transition:
    """Return the transition after a step: show the next conflict, or settle the correction if all entries fit."""
    if not correction.fits:
        return Transition(ConflictScreen(table, correction), refused=True)
    return settled(table, correction)


REPLACE, INSERT, REMOVE, SWAP = "#", "C", "D", "h#"
"""The keys in the list of entries."""


def entry_edits(screen: Screen, table: TableScreen, game: CurrentGame, number: int) -> tuple[Choice, ...]:
    """Return what can be done with an entry; the screen stays if that is refused."""
    session = game.session

    def enter(edit: CorrectionKind) -> Transition:
        return Transition(table.enter_correction(game, Correction(session, number, edit)))

    def remove() -> Transition:
        return next_conflict(table, Correction(session, number, CorrectionKind.REMOVE).leave_out())

    def swap() -> Transition:
        try:
            return next_conflict(table, Correction(session, number, CorrectionKind.SWAP))
        except IllegalEventError as refused:
            return refuse(screen, _("They cannot be swapped: {why}", why=refused.text))

    edits = (
        Choice("correct", _("correct"), partial(enter, CorrectionKind.REPLACE), REPLACE, for_scorers=True),
        Choice("insert", _("insert before it"), partial(enter, CorrectionKind.INSERT), INSERT, for_scorers=True),
        Choice("remove", _("remove"), remove, REMOVE, for_scorers=True),
        Choice("swap", _("swap with the next"), swap, SWAP, for_scorers=True),
    )
    return edits if number < session.head.number else edits[:-1]


class EntryEditsScreen(OpenedListScreen, frozen=True, kw_only=True):
    """The list of what can be done with an entry."""

    table: TableScreen
    number: int

    def after_change(self, context: ScreenContext) -> Screen:
        return self.before.after_change(context)

    def show(self, context: ScreenContext) -> ScreenContents:
        game = context.require_game()
        edits = entry_edits(self, self.table, game, self.number)
        event = game.session.entry(self.number).event
        title = _("{number}: {entry}", number=self.number, entry=game.session.header.game.describe(event))
        return menu(self, title, (Row(edit.label, edit.do) for edit in edits), self.before)


STEPS = {"A": -1, "B": 1}
LONGEST = 5  # digits of a number that no entry has
ARROWS = {"A": "▲", "B": "▼"}


class EntriesScreen(Screen, frozen=True):
    """All entries of the open game; choosing one corrects it."""

    table: TableScreen
    number: int  # the highlighted entry, from 1; 0 if there are no entries
    typed: str = ""  # the digits typed to find it
    missing: str = ""  # the digits just typed, if no entry's number ends in them: nothing is corrected then

    @classmethod
    def of(cls, table: TableScreen, game: CurrentGame) -> EntriesScreen:
        return cls(table, game.session.head.number)

    def after_change(self, context: ScreenContext) -> Screen:
        """Return the list with the same entry highlighted; the last one if it is there no more."""
        last = context.require_game().session.head.number
        return self if self.number <= last and self.number else EntriesScreen(self.table, last)

    @property
    def title_on_pages(self) -> Text:
        return _("Entries")

    def show(self, context: ScreenContext) -> ScreenContents:
        game = context.require_game()
        reads = game.read_only
        swaps = 0 < self.number < game.session.head.number and not reads and not context.key_layout.few
        title = _("Entries   # held: swap") if swaps else _("Entries")
        rows, names = _rows(game), game.players
        body = ListBody(title, rows, self.number - 1, by_number=False, counted=True, colon=COLON, names=names)
        foot = _("* back") if reads else _("#edit C new D remove")
        away = back_to(self.table), home_from(self)
        if not self.number:
            return Contents(self, View(body, _("* back")), away, _("Nothing was entered yet: * goes back"))
        unknown = (
            _("Type its number; A and B move")
            if reads
            else _("Digits, A, B move; # corrects, C inserts, D removes, # held swaps")
        )
        return EntriesContents(self, View(body, foot, self.typed), (*self._edits(context), *away), unknown, game)

    def typing(self, key: str, count: int) -> EntriesScreen:
        """Return the list after a digit, or a key that moves; `missing` if there is no such entry."""
        return self._moved(key, count) or replace(self, typed="", missing=(self.missing + key)[-LONGEST:])

    def highlighting(self, count: int, number: int) -> EntriesScreen:
        """Return the list with another entry highlighted, and the digits that a keypad would need for it."""
        digits = way(count, number)
        if number == self.number:
            return replace(self, missing="")
        return EntriesScreen(self.table, number, "" if "A" in digits else digits)

    def _edits(self, context: ScreenContext) -> tuple[Choice, ...]:
        """Return what can be done with the highlighted entry; with few keys, OK leads to a list of it."""
        game = context.require_game()
        if game.read_only or self.missing:
            there = refuse(self, READ_ONLY) if game.read_only else refuse(replace(self, missing=""), self.no_entry)
            correct = Choice("correct", "", lambda: there, REPLACE)
            return (correct, *(only_key(key, correct.do) for key in (INSERT, REMOVE, SWAP)))
        if context.key_layout.few:
            edits = Transition(EntryEditsScreen(before=self, table=self.table, number=self.number))
            return (Choice("correct", _("correct"), lambda: edits, REPLACE, knob=False, for_scorers=True),)
        return entry_edits(self, self.table, game, self.number)

    @property
    def no_entry(self) -> Text:
        return _("There is no entry {number}", number=self.missing)

    def _moved(self, key: str, count: int) -> EntriesScreen | None:
        if key in STEPS:
            return EntriesScreen(self.table, max(1, min(count, self.number + STEPS[key])))
        for typed in (self.typed + key, key):
            number = ending(count, typed) if key.isdigit() else None
            if number is not None:
                return EntriesScreen(self.table, number, typed)
        return None


class EntriesContents(Contents, frozen=True, dict=True):
    """The list of entries; digits and arrows highlight one, as choosing a row does."""

    screen: EntriesScreen
    game: CurrentGame

    @property
    def rows(self) -> int:
        return self.game.session.head.number

    @property
    def typed_labels(self) -> Labels:
        labels: dict[str, object] = {}
        for key in (*"1234567890", *STEPS):
            after = self.screen.typing(key, self.rows)
            if not after.missing and after.number != self.screen.number:
                labels[key] = ARROWS.get(key) or _numbered(self.game, after.number)
        return labels

    @property
    def ring(self) -> SelectableOptions:
        assert isinstance(self.view.body, ListBody)
        return listed(self.view.body, {}, self.options, self.back, "correct")

    def typed(self, key: Key) -> Transition | None:
        """Return the transition of a digit or an arrow."""
        if str(key) not in {*"1234567890", *STEPS}:
            return None
        after = self.screen.typing(key.name, self.rows)
        return refuse(after, after.no_entry) if after.missing else Transition(after)

    def named(self, name: str, context: ScreenContext) -> Transition | None:
        """Return the transition of highlighting a row."""
        row = row_named(name, self.rows)
        if row is not None:
            return Transition(self.screen.highlighting(self.rows, row + 1))
        moved = moved_to(name, self.rows, self.screen.number - 1)
        return None if moved is None else Transition(EntriesScreen(self.screen.table, moved + 1))


def _rows(game: CurrentGame) -> tuple[tuple[object, object], ...]:
    """Return each entry in words; at the right, the round and the trick where one begins."""
    declared = game.session.header.game
    moment, before, rows = declared.short, None, []
    for step in game.session.entries():
        now = moment(step.before.state)
        rows.append((declared.describe(step.event), "" if now == before else now))
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
