"""The application: turns each key into changes of game, journal and outputs. One thread calls it.

A key is dealt with in this order: what it leads to is worked out; everything that is seen and heard of that is made;
the journal is written; the picture is shown. What cannot be shown is not written either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from msgspec import structs
from PIL import Image

from companion.core.game import Header
from companion.core.prompt import Tracking
from companion.core.text import Text
from companion.journal import Journal, JournalFault
from companion.ui import splash
from companion.ui.keys import FEW, KEYPAD, POWER, Key, KeyLayout, parse
from companion.ui.options import OptionRing
from companion.ui.screens.contents import Contents
from companion.ui.screens.context import BeginGame, Context, OpenGame, Screen
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.settings import LanguageScreen
from companion.ui.screens.table import PlayScreen
from companion.ui.selector import Selector
from companion.ui.translations import Translator, _, languages
from companion.ui.view import View

from . import sounds
from .app_state import AppState, Draft, PendingChange, after, gone_back, quoted, taken_up
from .command_handler import CommandHandler
from .committed import CommittedState
from .error_log import LogExceptions, survive
from .journal_upkeep import JournalUpkeep
from .outputs import Outputs
from .ports import Clock, DeviceFault, Frame, Power


class Controller:
    """Handles keys and updates game, journal and outputs. The event loop is separate.

    Attributes:
        front: Everything that is seen and heard of it.
        saving: What gets everything to the disk as time passes.
    """

    def __init__(
        self,
        journal: Journal,
        front: Outputs,
        clock: Clock,
        language: str | None = "en",
        power: Power | None = None,
        board: KeyLayout = KEYPAD,
    ) -> None:
        """Take up where the journal was left, and show it.

        Args:
            journal: Where entries are kept; what its disk refuses is kept here until it takes it.
            front: Where they are shown.
            clock: When they were made.
            language: The language's two letters, until another one is chosen on the box; None is asked for.
            power: What switches the machine off, where that is for the box to do.
            board: What there is to press; where its keys are few, answers are turned to.
        """
        self.front = front
        self._power = power
        if front.sound_on is not None:
            front.sound_on = journal.setting("sounds") != "off"
        chosen = journal.setting("language")
        self._clerk = CommandHandler(journal, clock)
        self.saving = JournalUpkeep(journal, clock, self._tell, self._list_anew)
        asked = language is None and chosen is None and len(languages()) > 1
        keys = journal.draft(None)
        first = AppState(
            LanguageScreen(HomeScreen(), first=True) if asked else HomeScreen(),
            self._clerk.know(
                Context(Translator(chosen or language or "en"), sound_on=front.sound_on, key_layout=board)
            ),
            Selector("^" in board.keys) if board.few else None,
            draft=Draft(kept=(keys,)) if keys else Draft(),
        )
        left_in = journal.open_game()
        if left_in is not None:
            try:
                journal.saved(left_in)
            except JournalFault as fault:  # it is said once, and a game that is being set up goes on
                first, left_in = structs.replace(first, message=fault.text, refused=True), None
                journal.set_open_game(None)
        self._current = CommittedState(first, self._clerk, self.saving, front)
        if left_in is None:
            again = (partial(self._set_up, first, keys),) if keys else ()
            survive("starting at home", *again, partial(self._settle, first), self._show_sentence)
        else:
            start = partial(self._take_up, first, left_in)
            what = f"taking up game {left_in}"
            survive(what, start, partial(start, half=False), partial(self._go_home, left_in), self._show_sentence)

    # Keys

    def press(self, key: Key) -> None:
        """Do what a key asks, on the disk before it is seen; the first key only wakes a panel that is asleep."""
        self.carefully(f"key {key}", partial(self._press, key))

    def write(self, text: str) -> None:
        """Take an answer written as a whole; it wakes a panel that is asleep, and counts all the same."""
        self.carefully("a written answer", partial(self._write, text))

    def _press(self, key: Key) -> None:
        self.saving.touched()
        before, self._current.state = self._state.before, self._state.pressed()
        if self.front.touched():
            return
        if key == POWER:
            self._switch_off(before)
            return
        self._current.state = self._state.pressed(held=key.held)
        if key.name in FEW:
            self._turn(key)
        elif self._state.selector is None:
            self._type(self._state, key)
        else:
            self._press_beside(self._state.selector, key)

    def _turn(self, key: Key) -> None:
        """Turn to something, or choose it; on a page beside the keypad, too."""
        wheel, keys = (self._state.selector or Selector()).press(key, self.ring)
        turned = structs.replace(self._state, selector=wheel)
        if not keys:
            self._answer(PendingChange(structs.replace(turned, message=None, refused=False)))
        elif keys != "*" or "*" in self._contents.labels:
            self._type(turned, *parse(keys))
        else:
            self._current.state = turned

    def _press_beside(self, wheel: Selector, key: Key) -> None:
        """Do what a key of the keypad does that stands beside those that turn and choose.

        OK chooses what is turned to where it has nothing else to do, back steps out of what was opened first; what
        does nothing at all is not worth a sentence.
        """
        does = self._contents.labels
        if key == Key("*"):
            self._turn(Key("o", held=True))
        elif key == Key("#") and (key.name not in does or (self.ring.rows and not self.ring.does(key.name))):
            self._turn(Key("o"))
        elif str(key) in does:
            self._type(structs.replace(self._state, selector=wheel.home), key)
        else:
            self.front.play(sounds.REFUSED)

    def _write(self, text: str) -> None:
        self.saving.touched()
        self.front.touched()
        state = self._state.pressed()
        if state.selector is not None:
            state = structs.replace(state, selector=state.selector.home)
        self._answer(after(PendingChange(state), state.screen.write(text, state.context), self._clerk, quoted(text)))

    def _type(self, state: AppState, *keys: Key) -> None:
        """Press keys of the keypad, and show what comes of the last."""
        pending = PendingChange(state)
        for key in keys:
            move = self._current.contents(pending.state).press(key)
            pending = after(pending, move, self._clerk, str(key))
            if move.warning is not None and not pending.entered:  # the same key, turned to again, does it
                pending = structs.replace(pending, state=structs.replace(pending.state, selector=self._state.selector))
        self._answer(pending)

    def _answer(self, pending: PendingChange) -> None:
        """Write, show and sound what keys have led to."""
        report = pending.state.context.report if pending.entered else None
        motif = sounds.of(report)
        self._current.settle(pending)
        self.front.play(sounds.REFUSED if self._state.refused else motif)

    def begin(self, header: Header, tracking: Tracking) -> None:
        """Begin a game as if it had been set up by keys."""
        change = self._clerk.plan(BeginGame(header, tracking), self._context)
        self._settle(
            structs.replace(self._state, screen=PlayScreen(), context=change.context, draft=Draft()), change.write
        )

    def _settle(self, state: AppState, *writes: Callable[[], object]) -> None:
        self._current.settle(PendingChange(state, writes))

    def _tell(self, sentence: Text, refused: bool) -> None:
        """Show a sentence that no key has asked for."""
        told = structs.replace(self._state, message=sentence, refused=refused)
        self.carefully("a sentence", partial(self._settle, told))

    def _list_anew(self) -> None:
        """List the games as they are known now; it is seen with the next key."""
        self._current.state = structs.replace(self._state, context=self._clerk.know(self._context))

    # What fails

    def carefully(self, what: str, do: Callable[[], object]) -> bool:
        """Do something; an exception is logged and said, and the box goes on from the state before it.

        The journal is read anew only where a write had begun, or where that state cannot be shown.

        Args:
            what: What is done, for the log.
            do: Does it.

        Returns:
            Whether nothing was raised.
        """
        with LogExceptions(what):
            do()
            return True
        self._current.state = self._state.pressed()  # there is no way back to before a fault
        anew = (self._start_anew, partial(self._start_anew, half=False), self._go_home, self._show_sentence)
        survive(f"going on after {what}", *(() if self._current.writing else (self._stay,)), *anew)
        return False

    def _stay(self) -> None:
        """Show the same as before, and that something went wrong."""
        self._settle(structs.replace(self._state, message=self._nothing_lost(), refused=True))

    def _start_anew(self, half: bool = True) -> None:
        """Show what a start would show, and that something went wrong."""
        game = self.game
        if game is None:
            self._go_home()
        else:
            self._take_up(self._at_home(self._nothing_lost()), game.name, half, game.listed)

    def _nothing_lost(self) -> Text:
        if self.game is None:
            return _("Something went wrong; nothing was lost")
        title = Text(self.game.session.header.game.title)
        return _("Something went wrong in {game}; nothing was lost", game=title)

    def _go_home(self, name: str | None = None) -> None:
        """Show home, and which game cannot be shown: the one on the table, unless another is named."""
        name = self.game.name if name is None and self.game is not None else name
        message, context = _("Something went wrong; every game is kept"), self._clerk.know(self._context)
        for shelved in context.game_list.games:
            if shelved.name == name:
                message = _("{game} cannot be shown; it is kept as it is", game=shelved.title)
        self._settle(self._at_home(message))

    def _show_sentence(self) -> None:
        """Show a bare sentence, where no screen can be shown."""
        words = self._context.words(_("Something went wrong; every game is kept"))
        self._current.show(Frame(splash.sentence(words), None, {}, (words,)))

    def _at_home(self, message: Text) -> AppState:
        context, wheel = self._context, self._state.selector
        draft = Draft(kept=self._state.draft.kept) if context.changeable is None else Draft()
        context = self._clerk.know(replace(context, game=None, report=None, words=context.words.at(())))
        return AppState(HomeScreen(), context, None if wheel is None else wheel.home, draft, message, refused=True)

    def _take_up(self, state: AppState, name: str, half: bool = True, listed: Screen | None = None) -> None:
        self._settle(taken_up(state, name, self._clerk, half, listed))

    def _set_up(self, state: AppState, keys: str) -> None:
        """Go on setting a game up as before a restart."""
        draft, screen = Draft.set_up(keys, state.context)
        self._settle(structs.replace(state, screen=screen, draft=draft))

    # Switching off

    def _switch_off(self, before: AppState | None) -> None:
        """Switch the machine off, if that is for the box to do; everything entered is on the disk already.

        Args:
            before: What the key did when it had been held for a moment was not meant: it is as it was before.
        """
        try:
            if before is not None:
                back = partial(gone_back, self._state, before, self._clerk)
                self.carefully("going back to before a held key", lambda: self._current.settle(back()))
            if not self.saving.save():
                message, refused = self._current.lost, True
            elif self._power is None or not self._power.may():
                message, refused = _("This box may not switch itself off"), True
            else:
                self._power.off()
                message, refused = _("Switching off"), False
        except DeviceFault as fault:
            message, refused = _("{fault}", fault=str(fault)), True
        self._answer(PendingChange(structs.replace(self._state, message=message, refused=refused)))

    def say_goodbye(self) -> bool:
        """Show that the box stops, and what is not saved; tell whether anybody can see it."""
        saved = self.saving.save()
        if self.front.asleep:
            return False
        sentence = _("Every entry is saved") if saved else self._current.lost
        self._current.show(Frame(splash.goodbye(self._context.words(sentence)), None, {}, ()))
        return True

    # What there is

    @property
    def picture(self) -> Image.Image:
        """Return what is on the panel, as a picture."""
        return self._current.picture

    def view(self) -> View:
        """Return what is on the panel, in words."""
        return self._current.view

    @property
    def frame(self) -> Frame:
        """Return everything the box shows: the picture, and what mirrors add to it."""
        return self._current.frame

    @property
    def ring(self) -> OptionRing:
        """Return what keys that are few can turn to."""
        return self._contents.ring

    @property
    def wheel(self) -> Selector | None:
        """Return where they have turned to; None where answers are typed."""
        return self._state.selector

    @property
    def message(self) -> Text | None:
        """Return the sentence shown until the next key, if there is one."""
        return self._state.message

    def words(self) -> str | None:
        """Return the message in words."""
        return None if self.message is None else self._context.words.sentence(self.message)

    @property
    def game(self) -> OpenGame | None:
        """Return the game on the table."""
        return self._context.game

    @property
    def lines(self) -> int:
        """Return how many lines of the game on the table are saved, the header not counted."""
        return 0 if self.game is None else self._clerk.lines(self.game)

    @property
    def _state(self) -> AppState:
        return self._current.state

    @property
    def _context(self) -> Context:
        return self._state.context

    @property
    def _screen(self) -> Screen:
        return self._state.screen

    @property
    def _contents(self) -> Contents:
        return self._current.contents(self._state)
