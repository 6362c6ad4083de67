"""The application: takes each input, runs the step, draws, writes and shows. Runs in one thread; the loop is separate.

`companion.app.step` works out the next state. A state that cannot be drawn is not written, and one that is not written
is not shown. Pages and the bridge ask through `PageRequests`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from math import inf
from random import SystemRandom
from typing import TYPE_CHECKING, TypeVar

from msgspec import structs
from msgspec.structs import replace
from PIL import Image

from companion.app import sounds
from companion.app.failures import LogAndContinue, survive
from companion.app.games import measure_games
from companion.app.idle import HistoryReading, JournalUpkeep, SuggestionSearch
from companion.app.inputs import (
    ChooseRole,
    ClaimPairing,
    DirectorCorrection,
    HubNews,
    Input,
    KeepRemark,
    Look,
    Notice,
    PageRequest,
    Refresh,
    SetUpGame,
    Tap,
)
from companion.app.machine import Feature, FeatureTask, Machine, SoundFeature
from companion.app.outputs import Outputs
from companion.app.ports import BoxOutput, Clock, DeviceError, Power, TimedTask
from companion.app.show import LivePages, frame, panel_view
from companion.app.state import PANEL, State, Viewer, Who
from companion.app.step import follow_and_number, restore, step
from companion.app.store import Store
from companion.app.viewers import Step
from companion.core.game import LogHeader
from companion.core.games import GameFaultError
from companion.core.prompt import DetailLevel
from companion.core.text import IllegalEventError, Text
from companion.journal import Journal, JournalError
from companion.ui import pictures
from companion.ui.few_keys import OptionCursor, SelectableOptions
from companion.ui.keys import KEYPAD, POWER, Key, KeyLayout
from companion.ui.screens.context import SCORES, BeginGame, CurrentGame, ScreenContext
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.phones import Phone, Role
from companion.ui.screens.settings import LanguageScreen
from companion.ui.translations import Translator, _, languages
from companion.ui.view import View

if TYPE_CHECKING:
    from companion.app.machine.phones import PhonePairing
    from companion.ui.club import HubMessage


T = TypeVar("T")

SURPRISE = 0.4
"""Seconds after somebody else has answered in which keys do not count: they were meant for the question before."""


LOOK_AGAIN = Notice(_("Somebody else has just answered: look again"), refused=True, sounds=True)


class Box:
    """Takes inputs and what is due.

    Attributes:
        outputs: All outputs.
    """

    def __init__(
        self,
        journal: Journal,
        outputs: Outputs,
        clock: Clock,
        language: str | None = "en",
        power: Power | None = None,
        board: KeyLayout = KEYPAD,
        pairing: PhonePairing | None = None,
        machine: Iterable[Feature] = (),
    ) -> None:
        """Restore the state recorded in the journal and show it.

        Args:
            journal: Where entries are kept. It holds in memory what the disk refuses, until a retry succeeds.
            outputs: All outputs.
            clock: Supplies the time stamps of entries.
            language: Two-letter code, used until another one is chosen on the device. None: ask at the first start.
            power: Switches the machine off; None where the program may not.
            board: The keys of the device. A board with few keys selects answers from a list.
            pairing: Pairs phones; None where no page is served to them.
            machine: The other features that the first screen needs; `fit` adds the rest.
        """
        self.outputs, self._power, self._clock = outputs, power, clock
        self.picture = Image.new("1", pictures.SIZE)  # the picture on the panel
        self.history = HistoryReading(journal, clock, self.tell)  # reads finished games for screens
        sound = (SoundFeature(outputs, journal),) if outputs.has_buzzer else ()
        # the features of the machine around the box, those of sounds first
        self.machine = Machine((*sound, *(() if pairing is None else (pairing,)), *machine))
        self.upkeep = JournalUpkeep(journal, clock, self.tell, self.history.changed)  # background work on the journal
        self.search = SuggestionSearch(clock, self.tell)  # for likely corrections
        self.pages = PageRequests(self, pairing)  # answers requests of pages
        self._known = Store(journal, self.history, self.machine, clock)
        self._live_pages = LivePages(self._known)
        self._writing = False  # whether a line has begun to be written that the state does not include yet
        self._answered_at = -inf  # when somebody else than the panel answered last
        self._asked_by: Who = PANEL  # who has asked last what the machine answers later
        chosen = journal.setting("language")
        asked = language is None and chosen is None and len(languages()) > 1
        context = ScreenContext(Translator(chosen or language or "en"), key_layout=board)
        panel = Viewer(
            LanguageScreen(HomeScreen(), first=True) if asked else HomeScreen(),
            selector=OptionCursor("^" in board.keys) if board.few else None,
        )
        left_in = journal.open_game()
        if left_in is not None:
            try:
                journal.saved(left_in)
            except JournalError as fault:  # report the fault once; a set-up in progress continues
                panel, left_in = panel.saying(fault.text), None
                journal.set_open_game(None)
        number = SystemRandom().randrange(1 << 30)  # a page opened before a restart holds no number of today
        self.state = first = State(self._known.read_lists(context), {PANEL: panel}, number=number)
        measure_games()
        survive("starting", *self._beginnings(lambda: first, left_in))

    # Inputs

    def take(self, who: Who, given: Input) -> Text | None:
        """Handle an input of a viewer. Return why it does not count; None if it does.

        A key or a text wakes a sleeping panel; such a key does nothing else. An entry is written before it is shown. An
        exception is logged and told; the state stays as it was.
        """
        return self.carefully(f"{given}"[:80], lambda: self._handle(who, given))

    def begin(self, header: LogHeader, tracking: DetailLevel) -> None:
        """Begin a game as if it had been set up with keys."""
        self._take(PANEL, BeginGame(header, tracking))

    def fit(self, features: Iterable[Feature]) -> None:
        """Add features of the machine that the first question does not need; screens know them from now on."""
        self.machine.features += tuple(features)
        self.carefully("showing the machine", self.show_machine)

    def show_machine(self, news: Notice = Notice()) -> None:  # noqa: B008  # it is immutable
        """Show what is known of the machine now, with its message, if any, for who has asked for it."""
        asked_by = PANEL if news.for_panel or self._asked_by not in self.state.viewers else self._asked_by
        self._take(asked_by, news)

    def _handle(self, who: Who, given: Input) -> Text | None:
        slept = self.touched()
        if isinstance(given, Key):
            viewer = self.state.viewers[who]
            if slept:
                self.state = self.state.having(who, viewer.released)
                return None
            if given == POWER:
                return self._switch_off()
            if viewer.at_rest and self._clock.passed() < self._answered_at + SURPRISE and not given.held:
                given = LOOK_AGAIN
        number = self.state.panel.number
        why = self._take(who, given)
        if who != PANEL and self.state.panel.number != number:
            self._answered_at = self._clock.passed()
        if isinstance(given, Key | Tap):
            viewer = self.state.viewers[who]
            self.search.look(self._known.context(self.state, viewer), viewer.screen)
        return why

    def touched(self) -> bool:
        """Note that somebody answers: searches end, and a sleeping panel wakes. Return whether it slept."""
        self.upkeep.touched()
        self.search.cancel()
        return self.outputs.touched()

    def _switch_off(self) -> Text | None:
        """Switch the machine off if the program may. All entries are on the disk already.

        If a key was held, what it did at first is undone.
        """
        self.carefully("going back to before a held key", partial(self._take, PANEL, POWER))
        return self._take(PANEL, self._off())

    def _off(self) -> Notice:
        if not self.upkeep.save():
            return Notice(self.unsaved, refused=True, sounds=True)
        try:
            if self._power is None or not self._power.may():
                return Notice(_("This box may not switch itself off"), refused=True, sounds=True)
            self._power.off()
        except DeviceError as fault:
            return Notice(_("{fault}", fault=str(fault)), refused=True, sounds=True)
        return Notice(_("Switching off"), sounds=True)

    def keep_remark(self, game: str, value: object) -> Text | None:
        """Write down what somebody notes of a game. Return why not; None if it is written."""
        try:
            self._known.write_remark(game, value)()
        except JournalError as error:
            return error.text
        return None

    def tell(self, news: Input) -> None:
        """Take what is not the result of a key: news of the background work."""
        self.carefully(type(news).__name__, partial(self._take, PANEL, news))

    @property
    def tasks(self) -> tuple[TimedTask, ...]:
        """Return the timed tasks, for the loop."""
        features = (FeatureTask(feature, self.show_machine) for feature in self.machine.features)
        return (self.outputs, self.upkeep, self.search, self.history, *features)

    def say_goodbye(self) -> bool:
        """Show that the program stops, and what is not saved. Return whether the panel is awake to show it."""
        saved = self.upkeep.save()
        if self.outputs.asleep:
            return False
        sentence = _("Every entry is saved") if saved else self.unsaved
        self._show_picture(BoxOutput(pictures.goodbye(self.state.table.words(sentence)), None, {}, ()))
        return True

    # Steps: what is asked, drawn, written, shown

    def _take(self, who: Who, given: Input) -> Text | None:
        return self._run(step(self.state, who, given, self._known), who)

    def _run(self, done: Step, who: Who = PANEL) -> Text | None:
        """Do what a step says. A state that cannot be drawn is not written, and then not shown."""
        if done.ask is not None:
            refusal = None
            if done.ask.answered_later:
                self._asked_by = who
            try:
                done.ask.do()
            except IllegalEventError as no:
                refusal = no
            after = step(done.state, who, Refresh(refusal, done.ask.screen), self._known)
            done = structs.replace(done, state=after.state)
        if done.shows:
            self._write_and_show(done)
        else:
            self.state = done.state
        if done.sound is not None:
            self.outputs.play(sounds.REFUSED if self.state.viewers[who].refused else done.sound)
        if done.blinks:
            self.outputs.blink()
        return done.why_not

    def _write_and_show(self, done: Step) -> None:
        """Draw, write and show a state."""
        state, unsaved, mirrored = done.state, self.upkeep.mark, self.outputs.mirrored
        picture = self._frame(state, mirrored=mirrored)
        self._writing = bool(done.writes)
        for write in done.writes:
            write()
            self.upkeep.written()
        self.state, self._writing = state, False
        half_entered = self._known.keep_draft(state)
        # An unfinished answer was typed: the next key would remove the message at once.
        trouble = self.upkeep.trouble(later=half_entered and not done.writes)
        if trouble is not None:  # the disk refuses or was damaged; the game goes on
            self.state = state = state.having(PANEL, state.panel.saying(trouble))
        if trouble is not None or self.upkeep.mark != unsaved:
            picture = self._frame(state, mirrored=mirrored)
        self._show_picture(picture)

    def _show_picture(self, picture: BoxOutput) -> None:
        """Show a frame. The change is committed already, so an error here only gets logged."""
        self.picture = picture.picture
        survive("showing a picture", partial(self.outputs.show, picture))

    def _frame(self, state: State, *, mirrored: bool) -> BoxOutput:
        """Return what a state shows; with its words and the live pages that somebody looks at, if it is mirrored."""
        mark, contents = self.upkeep.mark, self._known.contents(state, PANEL)
        unsaved = None if mark is None else self.unsaved
        made = frame(state, contents, mark, unsaved, mirrored=mirrored)
        wanted = self.outputs.wanted if mirrored else ()
        return structs.replace(made, live_pages=self._live_pages.contents(wanted, state, unsaved)) if wanted else made

    def show_pages(self) -> None:
        """Show the state on the page again: one more looks at it. The panel has its picture already."""
        self.outputs.mirror(self.frame)

    @property
    def unsaved(self) -> Text:
        """Return the sentence that says how much is not saved."""
        mark = self.upkeep.mark
        return _("Entries not saved: {count}", count=mark) if mark else _("Not saved")

    # After an exception

    def carefully(self, what: str, do: Callable[[], T]) -> T | Text:
        """Call a function and return its result.

        If it raises, log the exception, report it, continue from the state before the call, and return the sentence
        that reports it. The journal is read again only if a write had begun, or if that state cannot be shown.

        Args:
            what: What the function does, for the log.
            do: The function.
        """
        told = None
        with LogAndContinue(what):
            try:
                return do()
            except GameFaultError as fault:
                told = fault.text
                raise
        game = self.game
        if told is None and game is not None:
            title = Text(game.session.header.game.title)
            told = _("Something went wrong in {game}; nothing was lost", game=title)
        sentence = told or _("Something went wrong; nothing was lost")
        # an error ends the hold, so nothing of it can be undone
        self.state = stays = self.state.having(PANEL, self.state.panel.released.saying(sentence))
        anew = self._beginnings(lambda: self._at_home(sentence), None if game is None else game.name)
        survive(f"going on after {what}", *(() if self._writing else (partial(self._show, stays),)), *anew)
        return sentence

    def _beginnings(self, at_home: Callable[[], State], name: str | None) -> Iterator[Callable[[], None]]:
        """Yield ways to begin, the best first: with all that was open, without what was half entered, at home.

        Args:
            at_home: Returns the state with everybody at home.
            name: The game that is open.
        """
        yield lambda: self._show(restore(at_home(), name, self._known))
        if name is not None:
            yield lambda: self._show(restore(at_home(), name, self._known, unfinished=False))
        yield lambda: self._go_home(name)
        yield self._show_sentence

    def _go_home(self, name: str | None) -> None:
        """Show the home screen, and which game cannot be shown."""
        message = _("Something went wrong; every game is kept")
        home = self._at_home(message)
        for listed in home.table.game_list.games:
            if listed.name == name:
                message = _("{game} cannot be shown; it is kept as it is", game=listed.title)
        self._show(home.having(PANEL, home.panel.saying(message)))

    def _show_sentence(self) -> None:
        """Show only a sentence, where no screen can be drawn."""
        words = self.state.table.words(_("Something went wrong; every game is kept"))
        self._show_picture(BoxOutput(pictures.sentence(words), None, {}, (words,)))

    def _at_home(self, message: Text) -> State:
        """Return the state with everybody at home, as at a start."""
        state, panel = self.state, self.state.panel
        table = structs.replace(state.table, game=None, report=None, words=state.table.words.at(()))
        self.history.changed()
        at_home = Viewer(selector=panel.selector and panel.selector.home, message=message, refused=True)
        return State(self._known.read_lists(table), {PANEL: at_home}, number=state.number)

    def _show(self, state: State) -> None:
        self._run(Step(follow_and_number(self.state, state, PANEL)))

    # State

    @property
    def frame(self) -> BoxOutput:
        """Return the complete frame: the picture and everything that the page shows."""
        return structs.replace(self._frame(self.state, mirrored=True), picture=self.picture)

    @property
    def game(self) -> CurrentGame | None:
        """Return the game on the table."""
        return self.state.table.game

    @property
    def lines(self) -> int:
        """Return how many lines of the open game are saved, without the header."""
        return 0 if self.game is None else self._known.saved_lines(self.game)

    def words(self) -> str | None:
        """Return the message on the panel in the language of the box."""
        message = self.state.panel.message
        return None if message is None else self.state.table.words.sentence(message)

    def view(self) -> View:
        """Return the view on the panel."""
        return panel_view(self.state, self._known.contents(self.state, PANEL), self.upkeep.mark)

    @property
    def ring(self) -> SelectableOptions:
        """Return the options of the panel's screen, for the selector."""
        return self._known.contents(self.state, PANEL).ring


UNPAIRED = _("This phone is no longer paired with the table")
NO_PAIRING = _("No phone can be paired here")
NO_CLUB = Text(  # for the bridge's log
    "This box belongs to no club: start it again, or use companion simulate --club"
)


class PageRequests:
    """Answers requests of pages."""

    def __init__(self, box: Box, pairing: PhonePairing | None) -> None:
        """Answer for an application; ``pairing`` is None if no phone can be paired."""
        self._box = box
        self._pairing = pairing

    def serve(self, request: PageRequest) -> None:
        """Answer a request; its reply is called in any case."""
        request.reply(self._box.carefully(type(request.asked).__name__, lambda: self._answer(request)))

    def _answer(self, request: PageRequest) -> object:
        asked, phone, pairing = request.asked, request.phone, self._pairing
        if phone is not None and pairing is not None:
            phone = pairing.now(phone)
        match asked:
            case Tap():
                return UNPAIRED if phone is None else self._box.take(phone.number, replace(asked, phone=phone))
            case Look():
                if phone is not None and phone.number not in self._box.state.viewers:
                    self._box.take(phone.number, replace(asked, phone=phone))
                self._box.show_pages()
                return None
            case DirectorCorrection():
                return self._box.take(PANEL, asked)
            case ClaimPairing():
                return self._claimed(asked)
            case ChooseRole(role, person):
                asks = request.phone
                return NO_PAIRING if pairing is None or asks is None else self._chosen(pairing, asks, role, person)
            case HubNews(message):
                return self._hear(message)
            case SetUpGame():
                return UNPAIRED if phone is None else self._box.take(phone.number, asked)
            case KeepRemark(game, value):
                scores = phone is not None and phone.role is Role.SCORER
                return self._box.keep_remark(game, value) if scores else SCORES

    def lose_page(self) -> None:
        """Pair no phones any more: the page cannot be served."""
        if self._pairing is not None:
            self._box.machine.remove(self._pairing)
        self._pairing = None
        self._box.show_machine()

    def _claimed(self, asked: ClaimPairing) -> str | Text:
        """Pair a phone, and show its name. Return the secret of its cookie, or the reason why it is not paired."""
        pairing = self._pairing
        if pairing is None:
            return NO_PAIRING
        if pairing.tick():
            self._box.show_machine()
        pin, number = pairing.status.pin, pairing.phones.free_number
        unnamed = self._words(_("Phone {number}", number=number))
        answer = pairing.claim(asked.code, asked.name, unnamed, asked.address, asked.role)
        if isinstance(answer, str):
            phone = pairing.phone_with(answer)
            name = unnamed if phone is None else phone.name
            self._box.show_machine(Notice() if pairing.hosted else Notice(_("Paired: {name}", name=name)))
        elif pin and not pairing.status.pin:
            message = _("Too many wrong PINs. Scan the code, or show a new PIN")
            self._box.show_machine(Notice(message, refused=True))
        return answer

    def _chosen(self, pairing: PhonePairing, phone: Phone, role: Role, person: str) -> Text | None:
        """Give a phone another role. Return the reason why not, or None."""
        refused = pairing.choose(phone, role, person, self._words.players)
        if refused is None:
            self._box.show_machine()
        return refused

    def _hear(self, message: HubMessage) -> Text | None:
        """Take what the hub of the club tells. Return why not; None if it is taken.

        A new seat call wakes the panel, but interrupts no running game.
        """
        from companion.ui.screens.club import TakeHubMessage  # for a club's boxes

        machine = self._box.machine
        if machine.status.club is None:
            return NO_CLUB
        before, told, game = machine.status.seats, None, self._box.state.table.game
        machine.do(TakeHubMessage(message))
        seats = machine.status.seats
        new = seats if seats is not None and (before is None or seats.call != before.call) else None
        if new is not None and (game is None or game.over):
            self._box.touched()
            told = None if game is None else new.title  # the home screen shows it anyway
        self._box.tell(Notice(told))
        return None

    @property
    def _words(self) -> Translator:
        return self._box.state.table.words
