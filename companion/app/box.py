"""The application: takes each input, runs the step, and passes the result to the outputs. Runs in one thread.

`companion.app.step` works out the next state, `companion.app.effect_runner` draws, writes and shows it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from math import inf
from random import SystemRandom
from typing import TYPE_CHECKING

from PIL import Image

from companion.core.game import LogHeader
from companion.core.prompt import DetailLevel
from companion.core.text import Text
from companion.journal import Journal, JournalError
from companion.ui import splash
from companion.ui.few_key_choices import SelectableOptions
from companion.ui.few_key_selector import OptionCursor
from companion.ui.keys import KEYPAD, POWER, Key, KeyLayout
from companion.ui.screens.commands import BeginGame, EnterLine
from companion.ui.screens.context import CurrentGame, ScreenContext
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.saved_drafts import NOTHING
from companion.ui.screens.settings import LanguageScreen
from companion.ui.translations import Translator, _, languages
from companion.ui.view import View

from .app_state import AppState
from .correction_search import SuggestionSearch
from .effect_runner import EffectRunner
from .error_recovery import Recovery
from .game_call_timer import measure_games
from .history_reading import HistoryReading
from .input_types import ChosenOption, HistoryRead, Input, KeyForOldQuestion, Notice, OldGamesChecked
from .journal_maintenance import JournalUpkeep
from .machine import Feature, FeatureTask, Machine, News
from .machine.sound_switch import SoundFeature
from .output_devices import Outputs
from .page_requests import PageRequests
from .ports import BoxOutput, Clock, Power, TimedTask
from .request_types import KEYS, TypedAnswer
from .step_reads import Known
from .switching_off import switch_off

if TYPE_CHECKING:
    from companion.core.events import CorrectionLine
    from companion.ui.hub_message import HubMessage

    from .machine.phone_pairing import PhonePairing


NO_CLUB = Text("This box belongs to no club: start it again, or use companion simulate --club")  # for the bridge's log
SURPRISE = 0.4
"""Seconds after a phone has answered in which keys do not count: they were meant for the question before."""


class Box:
    """Takes keys, answers and what is due. The event loop is separate.

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
            machine: The other features that the machine has.
        """
        self.outputs, self._power, self._clock = outputs, power, clock
        self._answered_at = -inf  # when a phone answered last
        chosen = journal.setting("language")
        self.history = HistoryReading(journal, clock, self._show_history)  # reads finished games for screens
        sound = (SoundFeature(outputs, journal),) if outputs.has_buzzer else ()
        # the features of the machine around the box, those of sounds first
        self.machine = Machine((*sound, *(() if pairing is None else (pairing,)), *machine))
        self._known = Known(journal, self.history, self.machine)
        self.upkeep = JournalUpkeep(journal, clock, self._tell, self._read_lists)  # background work on the journal
        asked = language is None and chosen is None and len(languages()) > 1
        words = Translator(chosen or language or "en")
        set_up = journal.draft(None)
        first = AppState(
            LanguageScreen(HomeScreen(), first=True) if asked else HomeScreen(),
            self._known.read_lists(ScreenContext(words, key_layout=board)),
            OptionCursor("^" in board.keys) if board.few else None,
            kept=None if set_up else NOTHING,
            number=SystemRandom().randrange(1 << 30),  # a page opened before a restart holds no number of today
        )
        left_in = journal.open_game()
        if left_in is not None:
            try:
                journal.saved(left_in)
            except JournalError as fault:  # report the fault once; a set-up in progress continues
                first, left_in = first.saying(fault.text), None
                journal.set_open_game(None)
        measure_games()
        self._runner = EffectRunner(first, self._known, journal, clock, self.upkeep, outputs)
        self.recovery = Recovery(self._runner, self._known)  # goes on after errors
        self.pages = PageRequests(self, self._runner, self._known, self.recovery, pairing)  # answers requests of pages
        # the search for likely corrections, while nobody presses a key
        self.search = SuggestionSearch(clock, self._runner.take)
        self.recovery.start(first, left_in, set_up)

    # Inputs

    def press(self, key: Key) -> None:
        """Handle a key. The first one on a sleeping panel only wakes it; an entry is written before it is shown."""
        self.recovery.carefully(f"key {key}", partial(self._press, key))

    def write(self, text: str) -> None:
        """Handle a text. It wakes a sleeping panel, too, but is never ignored."""
        self.recovery.carefully("a written answer", partial(self.answer, TypedAnswer(text)))

    def answer(self, given: ChosenOption | TypedAnswer) -> None:
        """Handle an answer; an exception is the caller's to handle."""
        self._touched()
        number = self._state.number
        self._take(given)
        if given.by != KEYS and self._state.number != number:
            self._answered_at = self._clock.passed()

    def correct(self, line: CorrectionLine, message: Text) -> None:
        """Add a correction to the open game's log, and show a message; an exception is the caller's to handle."""
        self._touched()
        self._take(EnterLine(line))
        self._take(Notice(message, sounds=True))

    def hear(self, message: HubMessage) -> Text | None:
        """Take what the hub of the club tells. Return why not; None if it is taken.

        A new seat call wakes the panel, but interrupts no running game.
        """
        from companion.ui.screens.machine.club_status import TakeHubMessage  # for a club's boxes

        if self.machine.status.club is None:
            return NO_CLUB
        before, told = self.machine.status.seats, None
        self.machine.do(TakeHubMessage(message))
        seats = self.machine.status.seats
        new = seats if seats is not None and (before is None or seats.call != before.call) else None
        if new is not None and (self.game is None or self.game.over):
            self._touched()
            told = None if self.game is None else new.title  # the home screen shows it anyway
        self.show_machine(News(told))
        return None

    def begin(self, header: LogHeader, tracking: DetailLevel) -> None:
        """Begin a game as if it had been set up with keys."""
        self._runner.take(BeginGame(header, tracking))

    def show_machine(self, news: News = News()) -> None:  # noqa: B008  # it is immutable
        """Show what is known of the machine now, with a message if there is one."""
        self._runner.take(Notice(news.message, news.refused, self.machine.status))

    def _press(self, key: Key) -> None:
        if self._touched():
            self._runner.state = self._state.pressed()
        elif key == POWER:
            self._switch_off()
        elif self._clock.passed() < self._answered_at + SURPRISE and not key.held:
            self._take(KeyForOldQuestion())
        else:
            self._take(key)

    def _touched(self) -> bool:
        """Note that somebody answers: searches end, and a sleeping panel wakes. Return whether it slept."""
        self.upkeep.touched()
        self.search.cancel()
        return self.outputs.touched()

    def _take(self, given: Input) -> None:
        self._runner.take(given)
        self.search.look(self._state)

    def _switch_off(self) -> None:
        """Switch the machine off if the program may. All entries are on the disk already.

        If a key was held, what it did at first is undone.
        """
        self.recovery.carefully("going back to before a held key", partial(self._runner.take, POWER))
        message, refused = switch_off(self.upkeep, self._power, self._runner.unsaved)
        self._take(Notice(message, refused, sounds=True))

    def _tell(self, sentence: Text, refused: bool) -> None:
        """Show a message that is not the result of a key."""
        self.recovery.carefully("a sentence", partial(self._runner.take, Notice(sentence, refused)))

    def _read_lists(self) -> None:
        """Read the lists of games and people again; the next key shows them."""
        self.history.changed()
        self._runner.take(OldGamesChecked())

    def _show_history(self) -> None:
        self._runner.take(HistoryRead())

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
        sentence = _("Every entry is saved") if saved else self._runner.unsaved
        self._runner.show(BoxOutput(splash.goodbye(self._context.words(sentence)), None, {}, ()))
        return True

    # State

    @property
    def picture(self) -> Image.Image:
        """Return the picture on the panel."""
        return self._runner.picture

    def view(self) -> View:
        """Return the view on the panel."""
        return self._runner.view

    @property
    def frame(self) -> BoxOutput:
        """Return the complete frame: the picture and everything that mirrors show."""
        return self._runner.frame

    @property
    def ring(self) -> SelectableOptions:
        """Return the options of the current screen, for the selector."""
        return self._known.contents(self._state).ring

    @property
    def selector(self) -> OptionCursor | None:
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
        return 0 if self.game is None else self._known.saved_lines(self.game)

    @property
    def _state(self) -> AppState:
        return self._runner.state

    @property
    def _context(self) -> ScreenContext:
        return self._state.context
