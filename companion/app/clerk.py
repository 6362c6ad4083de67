"""The clerk: does what screens ask for, in the journal first and on the desk then. One thread calls it."""

from __future__ import annotations

from dataclasses import replace

from companion.core.errors import Refused
from companion.core.events import Event, Line, Redo
from companion.core.game import Header, Report
from companion.core.prompt import Tracking
from companion.core.session import Session
from companion.core.standing import Standing, standing
from companion.core.text import N_
from companion.journal import JournalFault, Saved
from companion.journal.patient import PatientJournal
from companion.log import LogError, Misread, decode_header, encode_line, read
from companion.ui import people
from companion.ui.screens.desk import (
    Act,
    Begin,
    Change,
    Desk,
    Enter,
    EnterAll,
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
from companion.ui.screens.home import Home
from companion.ui.screens.play import Play
from companion.ui.words import Words

from .clock import noted
from .ports import Clock


class Clerk:
    """Keeps desk and journal in step.

    Attributes:
        desk: Everything the screens know.
    """

    def __init__(self, journal: PatientJournal, clock: Clock, desk: Desk) -> None:
        """Lay on the desk what the journal knows; no game is on the table yet.

        Raises:
            JournalFault: The journal cannot be read.
        """
        self._journal = journal
        self._clock = clock
        self._lines = 0
        self._standings: dict[int, Standing | None] = {}
        known = people.read(journal.setting("roster"))
        self.desk = replace(desk, shelf=self._shelf(), people=known, standing=self._standing)

    @property
    def lines(self) -> int:
        """Return how many lines of the game on the table are saved, the header not counted."""
        game = self.desk.game
        return 0 if game is None else self._lines - self._journal.unsaved(game.number)

    def do(self, act: Act) -> Screen | None:
        """Do what a screen asks for, and return the screen to go on with, where that is not for the other to say.

        Raises:
            Refused: It cannot be done; nothing has changed.
            JournalFault: It could not be written down; nothing has changed.
        """
        match act:
            case Enter(line):
                self.enter(line)
            case EnterAll(lines, back):
                stood = self.desk.at_the_table().session
                self.enter(*lines)
                if not back:
                    self.stood(stood)
            case Follow(tracking):
                game = self.desk.at_the_table()
                self._journal.track(game.number, tracking.value)
                self.desk = replace(self.desk, game=replace(game, tracking=tracking))
            case Begin(header, tracking):
                return self.begin(header, tracking)
            case Resume(number, listed):
                screen = self.resume(number)
                game = self.desk.at_the_table()
                if listed is not None and game.over:
                    self.desk = replace(self.desk, game=replace(game, listed=listed))
                else:
                    self._journal.leave_in(number)
                return screen
            case Change():
                game = self.desk.at_the_table()
                self._journal.leave_in(game.number)
                self.desk = replace(self.desk, game=replace(game, listed=None))
                return Play()
            case Loud(loud):
                self._journal.keep_setting("sounds", "on" if loud else "off")
                self.desk = replace(self.desk, loud=loud)
            case Speak(language):
                self._journal.keep_setting("language", language)
                self.desk = replace(self.desk, words=Words(language, self.desk.words.players))
            case Rename(old, new):
                latest = max((shelved.number for shelved in self.desk.shelf), default=0)
                self._keep_people(self.desk.people.rename(old, new, latest))
            case Hide(name, hidden):
                self._keep_people(self.desk.people.hide(name, hidden))
            case Leave(to):
                left = self.desk.game
                changed = left is not None and not left.read_only
                shelf = self._shelf() if changed else self.desk.shelf
                self._journal.leave_in(None)
                self.desk = replace(self.desk, game=None, shelf=shelf, words=self.desk.words.at(()))
                return to or Home()
        return None

    def enter(self, *lines: Line) -> None:
        """Write lines down in the game on the table, all of them or none."""
        game = self.desk.at_the_table()
        session = game.session
        for line in lines:
            session = session.add(line)
        entered = replace(game, session=session, before=None)
        written = tuple(map(encode_line, lines))
        self._journal.append_all(game.number, self._lines + 1, written, entered.over, self._clock.now())
        self._lines += len(lines)
        self._standings.pop(game.number, None)
        told = len(lines) == 1 and isinstance(game.session.undone if isinstance(lines[0], Redo) else lines[0], Event)
        self.desk = replace(self.desk, game=entered, report=_report(session) if told else None)

    def stood(self, before: Session | None) -> None:
        """Remember what stood before a correction of several entries."""
        self.desk = replace(self.desk, game=replace(self.desk.at_the_table(), before=before))

    def begin(self, header: Header, tracking: Tracking) -> Screen:
        """Begin a game, and return its table."""
        now = self._clock.now()
        number = self._journal.begin(header.written, tracking.value, now)
        self._journal.leave_in(number)
        begun = Shelved(number, header, tracking, False, noted(now))
        self.desk = replace(self.desk, shelf=(begun, *self.desk.shelf))
        return self._put_on_the_table(OpenGame(number, Session(header), tracking), 0)

    def resume(self, number: int) -> Screen:
        """Put a game from the journal on the table, and return that.

        Raises:
            Refused: There is none, or it cannot be read as a log.
            JournalFault: It cannot be read from the disk.
        """
        saved = next((saved for saved in self._journal.games() if saved.number == number), None)
        if saved is None:
            raise Refused("no-such-game", N_("there is no game {number}"), number=number)
        try:
            session = read("\n".join((saved.header, *self._journal.lines(number))).encode())
        except Misread as error:
            raise Refused(
                "unreadable",
                N_("Game {number} cannot be read: line {line}: {why}"),
                number=number,
                line=error.number,
                why=error.text,
            ) from error
        return self._put_on_the_table(OpenGame(number, session, _followed(saved)), saved.lines)

    def _put_on_the_table(self, game: OpenGame, lines: int) -> Screen:
        words = self.desk.words.at(game.session.header.players)
        ways = game.session.header.game.trackings
        if game.tracking not in ways:  # a way of another game; there is always the closest
            game = replace(game, tracking=next(iter(ways)))
        self.desk = replace(self.desk, game=game, words=words, report=None)
        self._lines = lines
        return Play()

    def _keep_people(self, changed: people.People) -> None:
        self._journal.keep_setting("roster", people.written(changed))
        self.desk = replace(self.desk, people=changed)

    def _standing(self, shelved: Shelved) -> Standing | None:
        """Return who leads a game of the journal or has won it; it is read when a list first shows it."""
        if shelved.number not in self._standings:
            self._standings[shelved.number] = self._read_standing(shelved)
        return self._standings[shelved.number]

    def _read_standing(self, shelved: Shelved) -> Standing | None:
        if shelved.header is None:
            return None
        try:
            session = read("\n".join((shelved.header.written, *self._journal.peek(shelved.number))).encode())
        except (JournalFault, Misread):
            return None
        return standing(session.header.game, session.state)

    def _shelf(self) -> tuple[Shelved, ...]:
        return tuple(_shelved(saved) for saved in self._journal.games())


def _report(session: Session) -> Report | None:
    """Return what the latest event of a game brought about."""
    head = session.head
    if head.event is None or head.before is None:
        return None
    return session.header.game.report(head.before.state, head.event, head.state)


def _shelved(saved: Saved) -> Shelved:
    try:
        header = decode_header(saved.header)
    except LogError:
        return Shelved(saved.number, None, Tracking.FULL, saved.over, noted(saved.begun))
    return Shelved(saved.number, header, _followed(saved), saved.over, noted(saved.begun))


def _followed(saved: Saved) -> Tracking:
    """Return how closely a game is followed; where that cannot be read, there is always the closest."""
    try:
        return Tracking(saved.tracking)
    except ValueError:
        return Tracking.FULL
