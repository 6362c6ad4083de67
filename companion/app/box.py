"""The application: turns each key into changes of game, journal and outputs. Runs on one thread.

A key is handled in this order: compute the new state, draw its frame, write the journal, show the frame.
A state that cannot be drawn is therefore never written. The machine's actions, such as pairing, come before the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from msgspec import structs
from msgspec.structs import replace
from PIL import Image

from companion.core.game import CardSound, LogHeader
from companion.core.prompt import DetailLevel
from companion.core.text import Text
from companion.journal import Journal, JournalError
from companion.ui import splash
from companion.ui.few_key_choices import SelectableOptions
from companion.ui.keys import FEW, KEYPAD, MISSED, POWER, Key, KeyLayout, parse
from companion.ui.screens.commands import BeginGame
from companion.ui.screens.context import CurrentGame, ScreenContents, ScreenContext, Transition
from companion.ui.screens.drafts import NOTHING
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.offers import OffersForReason
from companion.ui.screens.play import PlayScreen
from companion.ui.screens.settings import LanguageScreen
from companion.ui.selector import OptionSelection
from companion.ui.translations import Translator, _, languages
from companion.ui.view import View

from . import sounds
from .app_state import AppState, UncommittedState, after, gone_back
from .command_handler import CommandHandler
from .commit import CommittedState
from .history_reading import HistoryReading
from .journal_maintenance import JournalUpkeep
from .machine import Feature, FeatureTask, Machine, News
from .outputs import Outputs
from .page_requests import PageRequests
from .ports import Clock, Frame, Power, TimedTask
from .recovery import Recovery
from .suggestion_search import SuggestionSearch
from .switching_off import switch_off

if TYPE_CHECKING:
    from .machine.phones import Pairing


class Box:
    """Handles keys and updates game, journal and outputs. The event loop is separate.

    Attributes:
        outputs: All outputs.
        upkeep: Background work on the journal.
        history: Reads finished games for screens.
        search: The search for likely corrections, while nobody presses a key.
        recovery: Goes on after errors.
        pages: Answers requests of pages.
        machine: The features of the machine around the box, the pairing of phones first.
    """

    def __init__(
        self,
        journal: Journal,
        outputs: Outputs,
        clock: Clock,
        language: str | None = "en",
        power: Power | None = None,
        board: KeyLayout = KEYPAD,
        pairing: Pairing | None = None,
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
            machine: The other features that the machine has.
        """
        self.outputs, self._power = outputs, power
        if outputs.sound_on is not None:
            outputs.sound_on = journal.setting("sounds") != "off"
        chosen = journal.setting("language")
        self.history = HistoryReading(journal, clock, lambda: self._current.ask_again())  # noqa: PLW0108  # it is made below
        self.machine = Machine(machine if pairing is None else (pairing, *machine))
        self._handler = CommandHandler(journal, clock, self.history, self.machine)
        self.upkeep = JournalUpkeep(journal, clock, self._tell, self._list_anew)
        asked = language is None and chosen is None and len(languages()) > 1
        words = Translator(chosen or language or "en")
        set_up = journal.draft(None)
        first = AppState(
            LanguageScreen(HomeScreen(), first=True) if asked else HomeScreen(),
            self._handler.know(ScreenContext(words, sound_on=outputs.sound_on, key_layout=board)),
            OptionSelection("^" in board.keys) if board.few else None,
            kept=None if set_up else NOTHING,
        )
        left_in = journal.open_game()
        if left_in is not None:
            try:
                journal.saved(left_in)
            except JournalError as fault:  # report the fault once; a set-up in progress continues
                first, left_in = first.saying(fault.text), None
                journal.set_open_game(None)
        self._current = CommittedState(first, self._handler, self.upkeep, outputs)
        self.recovery = Recovery(self._current, self._handler)
        self.pages = PageRequests(self, self._current, self.recovery, pairing)
        self.search = SuggestionSearch(clock, self._offer)
        self.recovery.start(first, left_in, set_up)

    # Keys

    def press(self, key: Key) -> None:
        """Handle a key. The first one on a sleeping panel only wakes it; an entry is written before it is shown."""
        self.recovery.carefully(f"key {key}", partial(self._press, key))

    def write(self, text: str) -> None:
        """Handle a text. It wakes a sleeping panel, too, but is never ignored."""
        self.recovery.carefully("a written answer", partial(self.enter_text, text))

    def _press(self, key: Key) -> None:
        before, self._current.state = self._state.before, self._state.pressed()
        if self._touched():
            return
        if key == POWER:
            self._switch_off(before)
            return
        if key == MISSED:
            self._answer(UncommittedState(self._state.saying(_("A key was missed: press it again"))))
            return
        self._current.state = self._state.pressed(held=key.held)
        if key.name in FEW:
            self._turn(key)
        elif self._state.selector is None:
            self._type(self._state, key)
        else:
            self._press_beside(self._state.selector, key)

    def _turn(self, key: Key) -> None:
        """Move the selector or choose an option. Pages with a keypad use it, too."""
        selector, name = (self._state.selector or OptionSelection()).press(key, self.ring)
        turned = structs.replace(self._state, selector=selector)
        if not name:
            self._answer(UncommittedState(structs.replace(turned, message=None, refused=False)))
        elif name != "*" or "*" in self._contents.labels:
            self._choose(turned, name)
        else:
            self._current.state = turned

    def _press_beside(self, selector: OptionSelection, key: Key) -> None:
        """Handle a key of the keypad on a board that also has a selector.

        OK chooses the selected option unless it has another function. Back first leaves the opened option.
        A key without any function only makes the refusal sound.
        """
        does = self._contents.labels
        if key == Key("*"):
            self._turn(Key("o", held=True))
        elif key == Key("#") and (key.name not in does or (self.ring.rows and not self.ring.does(key.name))):
            self._turn(Key("o"))
        elif str(key) in does:
            self._type(self._state.at_start(), key)
        else:
            self.outputs.play(sounds.REFUSED)

    def _touched(self) -> bool:
        """Note that somebody answers: searches end, and a sleeping panel wakes. Return whether it slept."""
        self.upkeep.touched()
        self.search.cancel()
        return self.outputs.touched()

    def enter_text(self, text: str) -> None:
        """Handle a text; an exception is the caller's to handle."""
        self._touched()
        state = self._state.pressed().at_start()
        move = state.screen.write(text, state.context)
        self._answer(after(UncommittedState(state), move, self._handler))

    def _type(self, state: AppState, *keys: Key) -> None:
        """Press keys of the keypad and show the result of the last one."""
        pending = UncommittedState(state)
        for key in keys:
            pending = self._after(pending, self._current.contents(pending.state).press(key))
        self._answer(pending)

    def _after(self, pending: UncommittedState, move: Transition) -> UncommittedState:
        pending = after(pending, move, self._handler)
        if move.warning is None or pending.entered:
            return pending
        warned = structs.replace(pending.state, selector=self._state.selector)  # choosing it again confirms
        return structs.replace(pending, state=warned)

    def choose(self, name: str) -> None:
        """Choose an answer or an action of the screen. This wakes a sleeping panel, and is never ignored."""
        self._touched()
        self._choose(self._state.pressed().at_start(), name)

    def _choose(self, state: AppState, name: str) -> None:
        """Give the answer with a name; any other name is the keys of an action."""
        move = self._current.contents(state).answer(name, state.context)
        if move is None:
            self._type(state, *parse(name))
        else:
            self._answer(self._after(UncommittedState(state), move))

    def _answer(self, pending: UncommittedState) -> None:
        """Write and show what keys have led to, and play its sound."""
        report = pending.state.context.report if pending.entered else None
        self._current.settle(pending)
        self.search.look(self._state)
        self.outputs.play(sounds.REFUSED if self._state.refused else sounds.of(report))
        if report is not None and report.laid_as is CardSound.OFF_SUIT:
            self.outputs.blink()

    def begin(self, header: LogHeader, tracking: DetailLevel) -> None:
        """Begin a game as if it had been set up with keys."""
        change = self._handler.plan(BeginGame(header, tracking), self._context)
        begun = structs.replace(self._state, screen=PlayScreen(), context=change.context, kept=NOTHING)
        self._settle(begun, change.write)

    def _settle(self, state: AppState, *writes: Callable[[], object]) -> None:
        self._current.settle(UncommittedState(state, writes))

    def _tell(self, sentence: Text, refused: bool) -> None:
        """Show a message that is not the result of a key."""
        self.recovery.carefully("a sentence", lambda: self._settle(self._state.saying(sentence, refused=refused)))

    def show_machine(self, news: News = News()) -> None:  # noqa: B008  # it is immutable
        """Show what is known of the machine now, with a message if there is one."""
        state = structs.replace(self._state, context=replace(self._context, machine=self.machine.status))
        self._settle(state if news.message is None else state.saying(news.message, refused=news.refused))

    @property
    def tasks(self) -> tuple[TimedTask, ...]:
        """Return the timed tasks, for the loop."""
        features = (FeatureTask(feature, self.show_machine) for feature in self.machine.features)
        return (self.outputs, self.upkeep, self.search, self.history, *features)

    def _offer(self, found: OffersForReason) -> None:
        """Show the corrections that were found."""
        if found.offers:
            self._settle(structs.replace(self._state, context=replace(self._context, offered=found)))
        else:
            self._current.state = structs.replace(self._state, context=replace(self._context, offered=found))

    def _list_anew(self) -> None:
        """Reload the lists of games and people; the next key shows them."""
        self._current.state = structs.replace(self._state, context=self._handler.know(self._context))

    # Switching off

    def _switch_off(self, before: AppState | None) -> None:
        """Switch the machine off if the program may. All entries are on the disk already.

        Args:
            before: The state before the held key, if one is held; its effect is undone.
        """
        if before is not None:
            back = partial(gone_back, self._state, before, self._handler)
            self.recovery.carefully("going back to before a held key", lambda: self._current.settle(back()))
        said, refused = switch_off(self.upkeep, self._power, self._current.lost)
        self._answer(UncommittedState(self._state.saying(said, refused=refused)))

    def say_goodbye(self) -> bool:
        """Show that the program stops, and what is not saved. Return whether the panel is awake to show it."""
        saved = self.upkeep.save()
        if self.outputs.asleep:
            return False
        sentence = _("Every entry is saved") if saved else self._current.lost
        self._current.show(Frame(splash.goodbye(self._context.words(sentence)), None, {}, ()))
        return True

    # State

    @property
    def picture(self) -> Image.Image:
        """Return the picture on the panel."""
        return self._current.picture

    def view(self) -> View:
        """Return the view on the panel."""
        return self._current.view

    @property
    def frame(self) -> Frame:
        """Return the complete frame: the picture and everything that mirrors show."""
        return self._current.frame

    @property
    def ring(self) -> SelectableOptions:
        """Return the options of the current screen, for the selector."""
        return self._contents.ring

    @property
    def selector(self) -> OptionSelection | None:
        """Return the selector; None on a board where answers are typed."""
        return self._state.selector

    @property
    def message(self) -> Text | None:
        """Return the message shown until the next key, if any."""
        return self._state.message

    def words(self) -> str | None:
        """Return the message in the current language."""
        return None if self.message is None else self._context.words.sentence(self.message)

    @property
    def game(self) -> CurrentGame | None:
        """Return the open game."""
        return self._context.game

    @property
    def lines(self) -> int:
        """Return how many lines of the open game are saved, without the header."""
        return 0 if self.game is None else self._handler.lines(self.game)

    @property
    def _state(self) -> AppState:
        return self._current.state

    @property
    def _context(self) -> ScreenContext:
        return self._state.context

    @property
    def _contents(self) -> ScreenContents:
        return self._current.contents(self._state)
