"""The box: what a key does to the journal, the game and everything that shows it. One thread calls it."""

from __future__ import annotations

from dataclasses import replace

from companion.core.errors import Refused
from companion.core.game import Header, Report
from companion.core.mending import lines_to
from companion.core.prompt import Tracking
from companion.core.text import Text
from companion.journal import Journal, JournalFault
from companion.journal.patient import PatientJournal
from companion.ui.keys import FEW, KEYPAD, POWER, Board, Key, parse
from companion.ui.render import draw
from companion.ui.rings import Ring, ring
from companion.ui.screens.desk import Desk, Enter, Labels, Move, OpenGame, Screen, Writable
from companion.ui.screens.home import Home
from companion.ui.screens.settings import Languages
from companion.ui.splash import goodbye
from companion.ui.view import View, spoken
from companion.ui.wheel import Wheel
from companion.ui.words import Words, _, languages

from . import motifs
from .clerk import Clerk
from .draft import Draft
from .front import Front
from .ports import Clock, Colour, DeviceFault, Frame, Motif, Power
from .saving import Saving


class Box:
    """The whole companion but for what wakes it.

    Attributes:
        front: Everything that is seen and heard of it.
        saving: What gets everything to the disk as time passes.
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
            journal: Where entries are kept; what its disk refuses is kept here until it takes it.
            front: Where they are shown.
            clock: When they were made.
            notice: What the table should know first.
            language: The language's two letters, until another one is chosen on the box; None is asked for.
            power: What switches the machine off, where that is for the box to do.
            board: What there is to press; where its keys are few, answers are turned to.
        """
        kept = PatientJournal.of(journal)
        self.front = front
        self._power = power
        self._screen: Screen = Home()
        self._draft = Draft(kept)
        self._refused = notice is not None
        self._wheel = Wheel("^" in board.keys) if board.few else None
        self._ringed: tuple[Screen, Desk, Ring] | None = None
        self._before: tuple[Screen, OpenGame | None, str] | None = None  # how it was before the key that is held
        self.message = notice
        if front.loud is not None:
            front.loud = kept.setting("sounds") != "off"
        words = Words(kept.setting("language") or language or "en")
        self._clerk = Clerk(kept, clock, Desk(words, loud=front.loud, board=board))
        self.saving = Saving(kept, clock, self._tell)
        if language is None and kept.setting("language") is None and len(languages()) > 1:
            self._screen = Languages(Home(), first=True)
        left_in = kept.open_game()
        if left_in is not None:
            try:
                self._screen = self._taken_up(self._clerk.resume(left_in))
            except Refused as refused:
                self.message = self.message or refused.text
            except JournalFault as fault:  # this game cannot be read; the others perhaps can
                self.message = self.message or fault.text
        self._notice_trouble()
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
            self._before = self._screen, self._desk.game, self._draft.keys
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
            if self._changeable is not None:
                self._draft.typed(key)
            entered = self._take(move)
        self._answer(entered)

    def _answer(self, entered: bool) -> None:
        """Show and sound what came of a key."""
        report = self._desk.report if entered else None
        if report is not None and report.table is not None:
            self.saving.round_over()
        self._show()
        self.front.play(motifs.REFUSED if self._refused else _motif(report))

    def _take(self, move: Move) -> bool:
        """Do what a move asks; tell whether that was an entry."""
        entered = False
        try:
            if move.act is None:
                self._screen = move.screen
            else:
                self._do(move)
                entered = isinstance(move.act, Enter)
            self.message, self._refused = move.message, move.refused
        except Refused as refused:
            self._screen = move.otherwise or self._screen
            self.message, self._refused = refused.text, True
        except JournalFault as fault:
            self.message, self._refused = fault.text, True
        if self._changeable is not None:
            self._draft.keep(self._screen, self._changeable.number)
        self._notice_trouble()
        return entered

    def _do(self, move: Move) -> None:
        assert move.act is not None  # asked for
        before = self._desk.game
        screen = self._clerk.do(move.act)
        after = self._desk.game
        if screen is not None and after is not None:  # another game
            self._draft.entered()
            screen = self._taken_up(screen)
        elif before is not None and after is not None and after.session is not before.session:
            self._draft.entered()
        self._screen = screen or move.screen
        self.front.loud = self._desk.loud

    def _taken_up(self, table: Screen) -> Screen:
        """Return the table of the game just put there, with what was half entered."""
        return table if self._changeable is None else self._draft.take_up(self._desk, table)

    def _notice_trouble(self) -> None:
        """Say when the disk begins to refuse; the game goes on."""
        trouble = self.saving.trouble()
        if trouble is not None:
            self.message, self._refused = trouble, True

    def _tell(self, sentence: Text) -> None:
        """Show a sentence that no key has asked for."""
        self.message, self._refused = sentence, False
        self._show()

    def _switch_off(self, before: tuple[Screen, OpenGame | None, str] | None) -> None:
        """Switch the machine off, if that is for the box to do; everything entered is on the disk already.

        Args:
            before: What the key did when it had been held for a moment was not meant: it is as it was before.
        """
        try:
            if before is not None:
                self._go_back_to(*before)
            if not self.saving.save():
                self.message, self._refused = self._lost(), True
            elif self._power is None or not self._power.may():
                self.message, self._refused = _("This box may not switch itself off"), True
            else:
                self._power.off()
                self.message, self._refused = _("Switching off"), False
        except DeviceFault as fault:
            self.message, self._refused = _("{fault}", fault=str(fault)), True
        except JournalFault as fault:
            self.message, self._refused = fault.text, True
        self._answer(entered=False)

    def _go_back_to(self, screen: Screen, stood: OpenGame | None, keys: str) -> None:
        game = self._desk.game
        if game is not None and stood is not None and game.session is not stood.session:  # held choose stepped back
            self._clerk.enter(*lines_to(game.session, stood.session.head))
            self._clerk.stood(stood.before)
        self._screen, self._draft.keys = screen, keys
        if self._changeable is not None:
            self._draft.keep(screen, self._changeable.number)

    def say_goodbye(self) -> bool:
        """Show that the box stops, and what is not saved; tell whether anybody can see it."""
        saved = self.saving.save()
        if self.front.asleep:
            return False
        self.picture = goodbye(self._desk.words(_("Every entry is saved") if saved else self._lost()))
        self.front.show(Frame(self.picture, None, {}, ()))
        return True

    def _lost(self) -> Text:
        return _("Not saved: {count} entries", count=self.saving.mark) if self.saving.mark else _("Not saved")

    def begin(self, header: Header, tracking: Tracking) -> None:
        """Begin a game as if it had been set up by keys.

        Raises:
            JournalFault: It could not be written down.
        """
        self._screen = self._clerk.begin(header, tracking)
        self._draft.entered()
        self._notice_trouble()
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
        unsaved = () if view.unsaved is None else (self._desk.words(self._lost()),)
        return Frame(
            self.picture,
            self._lamp(),
            labels,
            (*unsaved, *spoken(view, self._desk.words.aloud)),
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
    def _desk(self) -> Desk:
        return self._clerk.desk

    @property
    def game(self) -> OpenGame | None:
        """Return the game on the table."""
        return self._desk.game

    @property
    def _changeable(self) -> OpenGame | None:
        """Return the game on the table, if something can be entered in it."""
        game = self._desk.game
        return None if game is None or game.read_only else game

    @property
    def lines(self) -> int:
        """Return how many lines of the game on the table are saved, the header not counted."""
        return self._clerk.lines

    def words(self) -> str | None:
        """Return the message in words."""
        return None if self.message is None else self._desk.words(self.message)

    # What is shown

    def view(self) -> View:
        """Return what is on the panel, in words."""
        turned = self._wheel is not None and self._wheel != self._wheel.home
        view = self._screen.view(replace(self._desk, report=None) if turned else self._desk)
        if self._wheel is not None:
            view = self._wheel.shown(view, self.ring, self._labels(), self._desk.words)
        view = replace(view, unsaved=self.saving.mark)
        if self.message is not None:
            return replace(view, notice=(self._desk.words(self.message),), alert=self._refused)
        return view

    def _show(self) -> None:
        view = self.view()
        self.picture = draw(view)
        self.front.show(self._frame(view) if self.front.mirrored else Frame(self.picture, self._lamp(), {}, ()))


def _motif(report: Report | None) -> Motif:
    """Return how a key sounds that brought something about."""
    if report is None:
        return motifs.KEY
    if report.alert:
        return motifs.ALERT
    if report.turned is not None:
        return motifs.TRUMPS[report.turned]
    return motifs.TRICK if report.won else motifs.KEY
