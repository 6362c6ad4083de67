"""Finds something to show after an exception: the state before, the game read again, the home screen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import structs
from msgspec.structs import replace

from companion.core.game_guard import GameFaultError
from companion.core.text import Text
from companion.ui import splash
from companion.ui.screens.context import CurrentGame, Screen
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.saved_drafts import NOTHING
from companion.ui.translations import _

from .app_state import AppState
from .effect_runner import EffectRunner
from .ports import BoxOutput
from .resume import set_up_taken_up, taken_up
from .step import shown
from .step_reads import Known
from .survive_errors import LogAndContinue, survive


class Recovery:
    """Starts the application and calls its functions; finds a state that can be shown when one of them raises."""

    def __init__(self, runner: EffectRunner, known: Known) -> None:
        self._runner = runner
        self._known = known
        self._fault: Text | None = None  # why the latest call failed, if a game did

    def start(self, first: AppState, left_in: str | None, set_up: object) -> None:
        """Show the game that was left open, else the set-up that was left, else the first state."""
        if left_in is None:
            again = (lambda: self._show(set_up_taken_up(first, set_up)),) if set_up else ()
            survive("starting at home", *again, partial(self._show, first), self._show_sentence)
        else:
            start, home = partial(self._take_up, first, left_in), partial(self._go_home, left_in)
            survive(f"taking up game {left_in}", start, partial(start, half=False), home, self._show_sentence)

    def carefully(self, what: str, do: Callable[[], object]) -> bool:
        """Call a function. If it raises, log the exception, report it and continue from the state before the call.

        The journal is read again only if a write had begun, or if that state cannot be shown.

        Args:
            what: What the function does, for the log.
            do: The function.

        Returns:
            Whether nothing was raised.
        """
        self._fault = None
        with LogAndContinue(what):
            try:
                do()
            except GameFaultError as fault:
                self._fault = fault.text
                raise
            return True
        self._runner.state = self._state.pressed()  # an error ends the hold, so nothing of it can be undone
        anew = (self._start_anew, partial(self._start_anew, half=False), self._go_home, self._show_sentence)
        survive(f"going on after {what}", *(() if self._runner.writing else (self._stay,)), *anew)
        return False

    def nothing_lost(self) -> Text:
        """Return the sentence after an error: which game failed, or that something did."""
        if self._fault is not None:
            return self._fault
        if self._game is None:
            return _("Something went wrong; nothing was lost")
        return _("Something went wrong in {game}; nothing was lost", game=Text(self._game.session.header.game.title))

    def _stay(self) -> None:
        """Show the current state with an error message."""
        self._show(self._state.saying(self.nothing_lost()))

    def _start_anew(self, half: bool = True) -> None:
        """Load the state from the journal as at a start, and show it with an error message."""
        if self._game is None:
            self._go_home()
        else:
            self._take_up(self._at_home(self.nothing_lost()), self._game.name, half, self._game.listed)

    def _go_home(self, name: str | None = None) -> None:
        """Show the home screen and which game cannot be shown: the open one, unless another is named."""
        name = self._game.name if name is None and self._game is not None else name
        home = self._at_home(_("Something went wrong; every game is kept"))
        for listed in home.context.game_list.games:
            if listed.name == name:
                home = home.saying(_("{game} cannot be shown; it is kept as it is", game=listed.title))
        self._show(home)

    def _show_sentence(self) -> None:
        """Show only a sentence, where no screen can be drawn."""
        words = self._state.context.words(_("Something went wrong; every game is kept"))
        self._runner.show(BoxOutput(splash.sentence(words), None, {}, (words,)))

    def _at_home(self, message: Text) -> AppState:
        state, selector = self._state, self._state.selector
        context = replace(state.context, game=None, report=None, words=state.context.words.at(()))
        self._known.history.changed()
        return structs.replace(
            state,
            screen=HomeScreen(),
            context=self._known.read_lists(context),
            selector=None if selector is None else selector.home,
            kept=state.kept if state.context.changeable is None else NOTHING,
            message=message,
            refused=True,
        )

    def _take_up(self, state: AppState, name: str, half: bool = True, listed: Screen | None = None) -> None:
        self._show(taken_up(state, name, self._known, half, listed))

    def _show(self, state: AppState) -> None:
        self._runner.run(shown(state, self._state))

    @property
    def _state(self) -> AppState:
        return self._runner.state

    @property
    def _game(self) -> CurrentGame | None:
        return self._state.context.game
