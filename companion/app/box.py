"""The box: what a key does to the journal, the game and everything that shows it. One thread calls it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from companion.core.errors import Refused
from companion.core.events import Event, Line
from companion.core.game import Header
from companion.core.mending import lines_to
from companion.core.prompt import Tracking
from companion.core.session import Session
from companion.core.text import N_, Text
from companion.journal import Journal, JournalFault, Saved
from companion.log import LogError, Misread, decode_header, encode_line, read
from companion.ui import people
from companion.ui.keys import FEW, KEYPAD, POWER, Board, Key, parse
from companion.ui.render import draw
from companion.ui.rings import Ring, ring
from companion.ui.screens.desk import (
    Act,
    Begin,
    Desk,
    Enter,
    EnterAll,
    Follow,
    Hide,
    Labels,
    Leave,
    Loud,
    Move,
    OpenGame,
    Rename,
    Resume,
    Screen,
    Shelved,
    Speak,
    Writable,
)
from companion.ui.screens.home import Home
from companion.ui.screens.play import Play
from companion.ui.screens.repair import Repair
from companion.ui.screens.settings import Languages
from companion.ui.splash import goodbye
from companion.ui.view import View, spoken
from companion.ui.wheel import Wheel
from companion.ui.words import Words, _, languages

from . import motifs
from .front import Front
from .ports import Clock, Colour, DeviceFault, Frame, Motif, Power


class Box:
    """The whole companion but for what wakes it.

    Attributes:
        front: Everything that is seen and heard of it.
        picture: What is on the panel.
        message: The sentence shown until the next key, if there is one.
    """

    def __init__(
        self,
        journal: Journal,
        front: Front,
        clock: Clock,
        notice: Text | None = None,
        language: str | None = "en",
        power: Power | None = None,
        board: Board = KEYPAD,
    ) -> None:
        """Take up where the journal was left, and show it.

        Args:
            journal: Where entries are kept.
            front: Where they are shown.
            clock: When they were made.
            notice: What the table should know first.
            language: The language's two letters, until another one is chosen on the box; None is asked for.
            power: What switches the machine off, where that is for the box to do.
            board: What there is to press; where its keys are few, answers are turned to.
        """
        self._journal = journal
        self.front = front
        self._clock = clock
        self._power = power
        self._screen: Screen = Home()
        self._desk = Desk(Words(journal.setting("language") or language or "en"))
        self._lines = 0
        self._since = ""  # the keys pressed since nothing was half entered
        self._half = Play().half
        self._refused = False
        self._wheel = Wheel("^" in board.keys) if board.few else None
        self._ringed: tuple[Screen, Desk, Ring] | None = None
        self._before: tuple[Screen, OpenGame | None, str] | None = None  # how it was before the key that is held
        self.message = notice
        if front.loud is not None:
            front.loud = journal.setting("sounds") != "off"
        known = people.read(journal.setting("roster"))
        self._desk = replace(self._desk, shelf=self._shelf(), loud=front.loud, people=known, board=board)
        if language is None and journal.setting("language") is None and len(languages()) > 1:
            self._screen = Languages(Home(), first=True)
        left_in = journal.open_game()
        if left_in is not None:
            try:
                self._resume(left_in)
            except Refused as refused:
                self.message = self.message or refused.text
            except JournalFault as fault:  # this game cannot be read; the others perhaps can
                self.message = self.message or fault.text
        self._show()

    # Keys

    def press(self, key: Key) -> None:
        """Do what a key asks, on the disk before it is seen; the first key only wakes a panel that is asleep."""
        before, self._before = self._before, None
        if self.front.touched():
            return
        if key == POWER:
            self._switch_off(before)
            return
        if key.held:
            self._before = self._screen, self._desk.game, self._since
        if key.name in FEW:
            self._turn(key)
        elif self._wheel is None:
            self._press(key)
        else:
            self._press_beside(self._wheel, key)

    def _turn(self, key: Key) -> None:
        """Turn to something, or choose it; on a page beside the keypad, too."""
        self._wheel, keys = (self._wheel or Wheel()).press(key, self.ring)
        if not keys:
            self.message, self._refused = None, False
            self._answer(entered=False)
        elif keys != "*" or "*" in self._labels():
            self._press(*parse(keys))

    def _press_beside(self, wheel: Wheel, key: Key) -> None:
        """Do what a key of the keypad does that stands beside those that turn and choose.

        OK chooses what is turned to where it has nothing else to do, back steps out of what was opened first; what
        does nothing at all is not worth a sentence.
        """
        does = self._labels()
        if key == Key("*"):
            self._turn(Key("o", held=True))
        elif key == Key("#") and (key.name not in does or (self.ring.rows and not self.ring.does(key.name))):
            self._turn(Key("o"))
        elif str(key) in does:
            self._wheel = wheel.home
            self._press(key)
        else:
            self.front.play(motifs.REFUSED)

    def write(self, text: str) -> None:
        """Take an answer written as a whole; it wakes a panel that is asleep, and counts all the same."""
        self._before = None
        self.front.touched()
        if self._wheel is not None:
            self._wheel = self._wheel.home
        if isinstance(self._screen, Writable):
            entered = self._take(self._screen.write(text, self._desk))
        else:
            entered = self._take(Move(self._screen, message=_("No name is asked for now"), refused=True))
        self._answer(entered)

    def _press(self, *keys: Key) -> None:
        """Press keys of the keypad, and show what comes of the last."""
        entered = False
        for key in keys:
            move = self._screen.press(key, self._desk)
            self._since += str(key)
            entered = self._take(move)
        self._answer(entered)

    def _answer(self, entered: bool) -> None:
        """Show and sound what came of a key."""
        self._show()
        self.front.play(motifs.REFUSED if self._refused else self._motif() if entered else motifs.KEY)

    def _take(self, move: Move) -> bool:
        """Do what a move asks; tell whether that was an entry."""
        entered = False
        try:
            if move.act is None:
                self._screen = move.screen
            else:
                self._do(move.act, move)
                entered = isinstance(move.act, Enter)
            self.message, self._refused = move.message, move.refused
        except Refused as refused:
            self._screen = move.otherwise or self._screen
            self.message, self._refused = refused.text, True
        except JournalFault as fault:
            self.message, self._refused = fault.text, True
        self._keep_draft()
        return entered

    def _motif(self) -> Motif:
        """Return how the line just entered sounds."""
        session = self._desk.at_the_table().session
        head = session.head
        if not self._desk.news or head.event is None or head.before is None:
            return motifs.KEY
        report = session.header.game.report(head.before.state, head.event, head.state)
        if report.alert:
            return motifs.ALERT
        if report.turned is not None:
            return motifs.TRUMPS[report.turned]
        return motifs.TRICK if report.won else motifs.KEY

    def _switch_off(self, before: tuple[Screen, OpenGame | None, str] | None) -> None:
        """Switch the machine off, if that is for the box to do; everything entered is on the disk already.

        Args:
            before: What the key did when it had been held for a moment was not meant: it is as it was before.
        """
        try:
            if before is not None:
                self._go_back_to(*before)
            if self._power is None or not self._power.may():
                self.message, self._refused = _("This box may not switch itself off"), True
            else:
                self._power.off()
                self.message, self._refused = _("Switching off"), False
        except DeviceFault as fault:
            self.message, self._refused = _("{fault}", fault=str(fault)), True
        except JournalFault as fault:
            self.message, self._refused = fault.text, True
        self._answer(entered=False)

    def _go_back_to(self, screen: Screen, stood: OpenGame | None, since: str) -> None:
        game = self._desk.game
        if game is not None and stood is not None and game.session is not stood.session:  # held choose stepped back
            self._enter(*lines_to(game.session, stood.session.head))
            self._desk = replace(self._desk, game=replace(self._desk.at_the_table(), before=stood.before))
        self._screen, self._since = screen, since
        self._keep_draft()

    def say_goodbye(self) -> bool:
        """Show that the box stops; tell whether anybody can see it."""
        if self.front.asleep:
            return False
        self.picture = goodbye(self._desk.words(_("Every entry is saved")))
        self.front.show(Frame(self.picture, None, {}, ()))
        return True

    def begin(self, header: Header, tracking: Tracking) -> None:
        """Begin a game as if it had been set up by keys.

        Raises:
            JournalFault: It could not be written down.
        """
        self._begin(header, tracking)
        self._show()

    @property
    def frame(self) -> Frame:
        """Return everything the box shows: the picture, and what mirrors add to it."""
        return self._frame(self.view())

    def _frame(self, view: View) -> Frame:
        does = dict(self._labels())
        if self._wheel is not None:
            does |= self._wheel.labels(self.ring, does)
        labels = {key: self._desk.words.aloud(label) for key, label in does.items()}
        return Frame(
            self.picture,
            self._lamp(),
            labels,
            spoken(view, self._desk.words.aloud),
            wanted=self._wanted(),
            language=self._desk.words.language,
        )

    def _wanted(self) -> str:
        """Return what can be written as a whole now, if anything can."""
        return self._screen.wanted(self._desk) if isinstance(self._screen, Writable) else ""

    def _labels(self) -> Labels:
        return self._screen.labels(self._desk)

    @property
    def ring(self) -> Ring:
        """Return what keys that are few can turn to; made once, for turning changes nothing else."""
        if self._ringed is None or self._ringed[0] is not self._screen or self._ringed[1] is not self._desk:
            self._ringed = self._screen, self._desk, ring(self._screen, self._desk)
        return self._ringed[2]

    @property
    def wheel(self) -> Wheel | None:
        """Return where they have turned to; None where answers are typed."""
        return self._wheel

    def _lamp(self) -> Colour | None:
        game = self._desk.game
        sign = None if game is None else game.session.header.game.face(game.session.state).sign
        return None if sign is None else sign.colour

    @property
    def game(self) -> OpenGame | None:
        """Return the game on the table."""
        return self._desk.game

    @property
    def lines(self) -> int:
        """Return how many lines the journal holds of the game on the table, the header not counted."""
        return self._lines if self._desk.game is not None else 0

    def words(self) -> str | None:
        """Return the message in words."""
        return None if self.message is None else self._desk.words(self.message)

    # Acts

    def _do(self, act: Act, move: Move) -> None:
        match act:
            case Enter(line):
                self._enter(line)
                self._screen = move.screen
            case EnterAll(lines, back):
                stood = self._desk.at_the_table().session
                self._enter(*lines)
                if not back:
                    self._desk = replace(self._desk, game=replace(self._desk.at_the_table(), before=stood))
                self._screen = move.screen
            case Follow(tracking):
                game = self._desk.at_the_table()
                self._journal.track(game.number, tracking.value)
                self._desk = replace(self._desk, game=replace(game, tracking=tracking))
                self._screen = move.screen
            case Begin(header, tracking):
                self._begin(header, tracking)
            case Resume(number):
                self._resume(number)
                self._journal.leave_in(number)
            case Loud(loud):
                self._journal.keep_setting("sounds", "on" if loud else "off")
                self.front.loud = loud
                self._desk = replace(self._desk, loud=loud)
                self._screen = move.screen
            case Speak(language):
                self._journal.keep_setting("language", language)
                self._desk = replace(self._desk, words=Words(language, self._desk.words.players))
                self._screen = move.screen
            case Rename(old, new):
                latest = max((shelved.number for shelved in self._desk.shelf), default=0)
                self._keep_people(self._desk.people.rename(old, new, latest))
                self._screen = move.screen
            case Hide(name, hidden):
                self._keep_people(self._desk.people.hide(name, hidden))
                self._screen = move.screen
            case Leave():
                self._journal.leave_in(None)
                self._desk = replace(self._desk, game=None, shelf=self._shelf(), words=self._desk.words.at(()))
                self._screen = Home()

    def _keep_people(self, changed: people.People) -> None:
        self._journal.keep_setting("roster", people.written(changed))
        self._desk = replace(self._desk, people=changed)

    def _enter(self, *lines: Line) -> None:
        game = self._desk.at_the_table()
        session = game.session
        for line in lines:
            session = session.add(line)
        entered = replace(game, session=session, before=None)
        written = tuple(map(encode_line, lines))
        self._journal.append_all(game.number, self._lines + 1, written, entered.over, self._clock.now())
        self._lines += len(lines)
        self._since = ""
        self._half = Play().half
        self._desk = replace(self._desk, game=entered, news=len(lines) == 1 and isinstance(lines[0], Event))

    def _keep_draft(self) -> None:
        """Keep the keys of what is half entered, so that pulling the plug does not lose the answers given so far.

        Digits of an answer that is not complete are not worth a write.
        """
        game = self._desk.game
        if game is None or not isinstance(self._screen, Play | Repair):
            return
        half = self._screen.half
        if self._screen == Play():
            self._since = ""
        if half != self._half:
            self._half = half
            with suppress(JournalFault):  # no line is lost by it, and the next line will say what is wrong
                self._journal.keep_draft(game.number, self._since)

    def _take_up_draft(self, keys: str) -> None:
        """Press the keys of what was half entered when the plug was pulled."""
        for key in parse(keys):
            move = self._screen.press(key, self._desk)
            if move.act is not None:  # a draft holds none; what would do something is left alone
                return
            self._screen = move.screen
            self._since += str(key)
            if isinstance(move.screen, Play | Repair):
                self._half = move.screen.half

    def _begin(self, header: Header, tracking: Tracking) -> None:
        number = self._journal.begin(header.written, tracking.value, self._clock.now())
        self._journal.leave_in(number)
        self._desk = replace(self._desk, shelf=(Shelved(number, header, tracking, False), *self._desk.shelf))
        self._put_on_the_table(OpenGame(number, Session(header), tracking), 0)

    def _resume(self, number: int) -> None:
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
        self._put_on_the_table(OpenGame(number, session, Tracking(saved.tracking)), saved.lines)
        self._take_up_draft(self._journal.draft(number))

    def _put_on_the_table(self, game: OpenGame, lines: int) -> None:
        words = self._desk.words.at(game.session.header.players)
        ways = game.session.header.game.trackings
        if game.tracking not in ways:  # a way of another game; there is always the closest
            game = replace(game, tracking=next(iter(ways)))
        self._desk = replace(self._desk, game=game, words=words, news=False)
        self._lines = lines
        self._screen = Play()
        self._since = ""
        self._half = Play().half

    def _shelf(self) -> tuple[Shelved, ...]:
        return tuple(_shelved(saved) for saved in self._journal.games())

    # What is shown

    def view(self) -> View:
        """Return what is on the panel, in words."""
        view = self._screen.view(self._desk)
        if self._wheel is not None:
            view = self._wheel.shown(view, self.ring, self._labels(), self._desk.words)
        if self.message is not None:
            return replace(view, notice=(self._desk.words(self.message),), alert=self._refused)
        return view

    def _show(self) -> None:
        view = self.view()
        self.picture = draw(view)
        self.front.show(self._frame(view) if self.front.mirrored else Frame(self.picture, self._lamp(), {}, ()))


def _shelved(saved: Saved) -> Shelved:
    try:
        header = decode_header(saved.header)
        tracking = Tracking(saved.tracking)
    except (LogError, ValueError):
        return Shelved(saved.number, None, Tracking.FULL, saved.over)
    return Shelved(saved.number, header, tracking, saved.over)
