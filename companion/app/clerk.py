"""The clerk: works out what the acts of screens come to, and reads and writes games. One thread calls it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from companion.core.errors import Refused
from companion.core.events import Event, Line, Redo
from companion.core.game import Header, Report
from companion.core.prompt import Tracking
from companion.core.session import Session
from companion.core.text import N_
from companion.journal import JournalFault
from companion.journal.patient import PatientJournal
from companion.log import Misread, encode_line, read
from companion.ui import people
from companion.ui.people import People
from companion.ui.screens.desk import (
    Act,
    Begin,
    Change,
    Desk,
    Enter,
    Follow,
    Hide,
    Leave,
    Loud,
    OpenGame,
    Rename,
    Resume,
    Screen,
    Shelved,
    Speak,
)
from companion.ui.words import Words

from .boxstate import BoxState
from .clock import noted
from .ports import Clock
from .shelf import Shelf, followed


@dataclass(frozen=True, slots=True)
class Planned:
    """A planned change of desk and journal, not written yet.

    Attributes:
        desk: What the screens know then.
        write: Writes it in the journal; raises JournalFault.
        draft: The keys of what is half entered in a game that is put on the table; None where none is.
    """

    desk: Desk
    write: Callable[[], object]
    draft: str | None = None


class Clerk:
    """Stands between the screens' acts and the journal."""

    def __init__(self, journal: PatientJournal, clock: Clock) -> None:
        """Work with a journal; entries are made at the time that a clock tells."""
        self._journal = journal
        self._clock = clock
        self._shelf = Shelf(journal)

    def know(self, desk: Desk) -> Desk:
        """Return a desk with the games and the people that the journal knows.

        Raises:
            JournalFault: The journal cannot be read.
        """
        known = people.read(self._journal.setting("roster"))
        return replace(desk, shelf=self._shelf.games(), people=known, standing=self._shelf.standing)

    def lines(self, game: OpenGame) -> int:
        """Return how many lines of a game are saved, the header not counted."""
        return game.lines - self._journal.unsaved(game.number)

    def plan(self, act: Act, desk: Desk) -> Planned:
        """Work out what an act of a screen comes to; nothing is written yet.

        Raises:
            Refused: It cannot be done.
            JournalFault: What it takes cannot be read.
        """
        journal = self._journal
        match act:
            case Enter(line):
                return self._entered(desk, line)
            case Follow(tracking):
                game = replace(desk.at_the_table(), tracking=tracking)
                return Planned(replace(desk, game=game), partial(journal.track, game.number, tracking.value))
            case Begin(header, tracking):
                return self._begun(desk, header, tracking)
            case Resume(number, listed):
                return self.resumed(desk, number, listed)
            case Change():
                game = replace(desk.at_the_table(), listed=None)
                leave_in = partial(journal.leave_in, game.number)
                return Planned(replace(desk, game=game), leave_in, self._draft(game.number))
            case Loud(loud):
                return Planned(
                    replace(desk, loud=loud), partial(journal.keep_setting, "sounds", "on" if loud else "off")
                )
            case Speak(language):
                words = Words(language, desk.words.players)
                return Planned(replace(desk, words=words), partial(journal.keep_setting, "language", language))
            case Rename(old, new):
                latest = max((shelved.number for shelved in desk.shelf), default=0)
                return self._knowing(desk, desk.people.rename(old, new, latest))
            case Hide(name, hidden):
                return self._knowing(desk, desk.people.hide(name, hidden))
            case Leave():
                return Planned(self.put_away(desk), partial(journal.leave_in, None))

    def resumed(self, desk: Desk, number: int, listed: Screen | None = None) -> Planned:
        """Work out what it comes to when a game from the journal is put on the table.

        Args:
            desk: What the screens know.
            number: The game.
            listed: The list of games it is opened from: one that is finished is then only looked at.

        Raises:
            Refused: There is none, or it cannot be read as a log.
            JournalFault: It cannot be read from the disk.
        """
        saved = next((saved for saved in self._journal.games() if saved.number == number), None)
        if saved is None:
            raise Refused("no-such-game", N_("there is no game {number}"), number=number)
        lines = self._journal.lines(number)
        try:
            session = read("\n".join((saved.header, *lines)).encode())
        except Misread as error:
            raise Refused(
                "unreadable",
                N_("Game {number} cannot be read: line {line}: {why}"),
                number=number,
                line=error.number,
                why=error.text,
            ) from error
        game = OpenGame(number, session, followed(saved), len(lines), resumed=True)
        if listed is not None and game.over:
            return Planned(_at_the_table(desk, replace(game, listed=listed)), _nothing, "")
        return Planned(_at_the_table(desk, game), partial(self._journal.leave_in, number), self._draft(number))

    def put_away(self, desk: Desk) -> Desk:
        """Return a desk without a game on the table, and with every game as it stands in the journal now.

        Raises:
            JournalFault: The journal cannot be read.
        """
        shelf = desk.shelf if desk.game is None or desk.game.read_only else self._shelf.games()
        return replace(desk, game=None, report=None, shelf=shelf, words=desk.words.at(()))

    def _entered(self, desk: Desk, line: Line) -> Planned:
        """Add a line to the game on the table; only an event, entered or brought back, is reported."""
        game = desk.at_the_table()
        session = game.session.add(line)
        entered = replace(game, session=session, lines=game.lines + 1, resumed=False)
        told = isinstance(game.session.undone if isinstance(line, Redo) else line, Event)
        written, over, now = encode_line(line), entered.over, self._clock.now()

        def write() -> None:
            self._journal.append(game.number, entered.lines, written, over, now)
            self._shelf.changed(game.number)

        return Planned(replace(desk, game=entered, report=_report(session) if told else None), write)

    def _begun(self, desk: Desk, header: Header, tracking: Tracking) -> Planned:
        number = max((saved.number for saved in self._journal.games()), default=0) + 1
        now = self._clock.now()

        def write() -> None:
            self._journal.begin(header.written, tracking.value, now, number)
            with suppress(JournalFault):  # the game is in the journal; the next `leave_in` names it
                self._journal.leave_in(number)

        shelf = (Shelved(number, header, tracking, False, noted(now)), *desk.shelf)
        return Planned(
            _at_the_table(replace(desk, shelf=shelf), OpenGame(number, Session(header), tracking)), write, ""
        )

    def _knowing(self, desk: Desk, known: People) -> Planned:
        write = partial(self._journal.keep_setting, "roster", people.written(known))
        return Planned(replace(desk, people=known), write)

    def _draft(self, number: int) -> str:
        try:
            return self._journal.draft(number)
        except JournalFault:  # the game goes on without
            return ""

    def keep_draft(self, state: BoxState) -> BoxState:
        """Write down what is half entered, where that is another than before."""
        game, half = state.desk.changeable, state.draft.half(state.screen)
        if game is None or half == state.draft.kept:
            return state
        with suppress(JournalFault):  # no line is lost by it, and the next line will say what is wrong
            self._journal.keep_draft(game.number, state.draft.keys)
        return replace(state, draft=replace(state.draft, kept=half))


def _at_the_table(desk: Desk, game: OpenGame) -> Desk:
    words = desk.words.at(game.session.header.players)
    ways = game.session.header.game.trackings
    if game.tracking not in ways:  # a way of another game; there is always the closest
        game = replace(game, tracking=next(iter(ways)))
    return replace(desk, game=game, words=words, report=None)


def _report(session: Session) -> Report | None:
    """Return what the latest event of a game brought about."""
    head = session.head
    if head.event is None or head.before is None:
        return None
    return session.header.game.report(head.before.state, head.event, head.state)


def _nothing() -> None:
    """Write nothing: what is only looked at is no game the box is left in."""
