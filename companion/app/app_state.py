"""The application's state between key presses, and how each input changes it.

Nothing is written or shown here. A transition returns the next state and the journal writes that must come first
(`UncommittedState`). The caller keeps one `AppState` and replaces it with the result; after an error it keeps the old
one.

Three parts of a state change by rules of their own.

The draft (`AppState.draft`) is what is half entered, so that a restart loses none of it. Screens on which something is
entered hold it; a menu over a game does not change it. `AppState.keep` writes it when it differs from what the journal
last stored (`AppState.kept`), and syncs it when an answer is complete.

The held key (`AppState.before`) is the state before a key that is being held. The key may turn out to be held until
the machine switches off; its first effect was then not intended:

    ===================  ==================================  ==================================
    event                no key is held                      a key is held
    ===================  ==================================  ==================================
    a key is pressed     `pressed`: no key is held           `pressed`: no key is held
    a key is held        `pressed`: the state is kept        `pressed`: this newer state is kept
    the power key        nothing to undo                     `gone_back`: as before the held key
    a text, or an error  no key is held                      no key is held
    ===================  ==================================  ==================================

The message (`AppState.message`) is shown until the next key.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, structs, to_builtins
from msgspec.structs import replace

from companion.core.errors import IllegalEventError
from companion.core.events import Redo
from companion.core.text import Text
from companion.journal import JournalError
from companion.ui.screens.commands import EnterLine, LeaveGame
from companion.ui.screens.context import Screen, ScreenContext, Transition
from companion.ui.screens.drafts import NOTHING, ScreenDraft
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.play import PlayScreen
from companion.ui.screens.resume_draft import DROPPED, DraftError, resumed_entry, resumed_set_up
from companion.ui.selector import OptionSelection

from .command_handler import CommandHandler


class AppState(Struct, frozen=True):
    """Screen, game, draft, held key and message between key presses.

    Attributes:
        screen: The screen that is shown.
        context: The data that screens read.
        selector: The position of the selector; None where answers are typed.
        kept: The draft that the journal last stored; None if it may hold one that is of no use.
        message: The sentence shown until the next key, if any.
        refused: Whether the message is a refusal.
        before: The state before the held key, if one is held.
    """

    screen: Screen
    context: ScreenContext
    selector: OptionSelection | None = None
    kept: ScreenDraft | None = NOTHING
    message: Text | None = None
    refused: bool = False
    before: AppState | None = None

    @property
    def draft(self) -> ScreenDraft | None:
        """Return the draft."""
        draft = self.screen.draft
        return draft if draft is not None else NOTHING if self.context.changeable is None else self.kept

    def pressed(self, *, held: bool = False) -> AppState:
        """Return the state when a key arrives, before the key takes effect."""
        alone = self if self.before is None else structs.replace(self, before=None)
        return structs.replace(alone, before=alone) if held else alone

    def at_start(self) -> AppState:
        """Return the state with the selector where it begins."""
        return self if self.selector is None else structs.replace(self, selector=self.selector.home)

    def saying(self, message: Text, *, refused: bool = True) -> AppState:
        """Return the state with a message."""
        return structs.replace(self, message=message, refused=refused)

    def keep(self, write: Callable[..., object]) -> AppState:
        """Write the draft to the journal if it has changed.

        Args:
            write: Writes the draft of a game or set-up to the journal; its argument `sync` says whether to sync.

        Returns:
            The state with the new `kept`; the same state if nothing was written.
        """
        draft, kept, game = self.draft or NOTHING, self.kept, self.context.changeable
        if draft == kept:
            return self
        values = "" if draft == NOTHING else to_builtins(draft)
        write(None if game is None else game.name, values, sync=kept is None or draft.answered != kept.answered)
        return structs.replace(self, kept=draft)


class UncommittedState(Struct, frozen=True):
    """A new state and the journal writes it needs; neither written nor shown yet.

    Attributes:
        state: The new state.
        writes: The journal writes to do first, in order.
        entered: Whether the last key completed an entry.
        warns: Whether a warning is shown that the same key confirms: another question, therefore.
    """

    state: AppState
    writes: tuple[Callable[[], object], ...] = ()
    entered: bool = False
    warns: bool = False


def after(pending: UncommittedState, move: Transition, handler: CommandHandler) -> UncommittedState:
    """Return the pending change after a screen's transition.

    Args:
        pending: The pending change before it.
        move: The transition.
        handler: Plans the command of the transition.
    """
    state = pending.state
    if move.warning is not None and move.warning != state.message:
        warned = state.saying(move.warning, refused=False)
        return UncommittedState(warned, pending.writes, warns=True)
    screen, message, refused, change = move.screen, move.message, move.refused, None
    try:
        change = None if move.command is None else handler.plan(move.command, state.context)
    except IllegalEventError as no:
        said = (move.if_refused or state.screen).refused(state.context, no)
        screen, message, refused = said.screen, said.message, True
    except JournalError as fault:
        screen, message, refused = state.screen, fault.text, True
    context = state.context if change is None else change.context
    if change is not None and isinstance(move.command, LeaveGame):
        screen = move.command.to or HomeScreen()
    game, stood, kept = context.changeable, state.context.changeable, state.kept
    if change is not None and change.draft is not None:  # another game was opened
        screen, kept, dropped = _taken_up(change.draft, context)
        message, refused = dropped or message, refused or dropped is not None
    elif stood is not None and (game is None or game.session is not stood.session):  # left, or an entry was made
        kept = NOTHING
    return UncommittedState(
        structs.replace(state, screen=screen, context=context, kept=kept, message=message, refused=refused),
        pending.writes if change is None else (*pending.writes, change.write),
        change is not None and isinstance(move.command, EnterLine),
    )


def taken_up(
    state: AppState, name: str, handler: CommandHandler, half: bool = True, listed: Screen | None = None
) -> AppState:
    """Return the state with a game from the journal opened; if it cannot be read, the old state with a message.

    Args:
        state: The state before.
        name: The game.
        handler: Reads the game.
        half: Whether to restore the unfinished entry, too.
        listed: The list of games it is opened from, if it is finished and only viewed.
    """
    try:
        change = handler.resumed(state.context, name, listed)
    except (IllegalEventError, JournalError) as fault:
        return state.saying(state.message or fault.text)
    screen, kept, dropped = _taken_up(change.draft if half else "", change.context)
    state = structs.replace(state, screen=screen, context=change.context, kept=kept)
    return state if dropped is None or state.message is not None else state.saying(dropped)


def _taken_up(written: object, context: ScreenContext) -> tuple[Screen, ScreenDraft | None, Text | None]:
    """Return the screen with a game's unfinished entry, its draft, and the sentence that it is dropped, if it is."""
    try:
        screen = resumed_entry(written, context.require_game())
    except DraftError:
        return PlayScreen(), None, DROPPED
    return screen, screen.draft, None


def set_up_taken_up(state: AppState, written: object) -> AppState:
    """Return the state with a set-up that a restart interrupted."""
    try:
        screen = resumed_set_up(written, HomeScreen())
    except DraftError:
        return state.saying(DROPPED)
    return structs.replace(state, screen=screen, kept=screen.draft)


def gone_back(state: AppState, before: AppState, handler: CommandHandler) -> UncommittedState:
    """Return the pending change that undoes what a held key did at first.

    A held key enters nothing but an undo, and closes no game but a read-only one.
    """
    game, stood = state.context.game, before.context.game
    back = structs.replace(state, screen=before.screen)
    if game is None and stood is not None:
        context = replace(before.context, machine=state.context.machine)
        return UncommittedState(structs.replace(back, context=context))
    if game is None or stood is None or game.session is stood.session:
        return UncommittedState(back)
    change = handler.plan(EnterLine(Redo()), state.context)
    context = replace(change.context, game=replace(change.context.require_game(), resumed=stood.resumed))
    return UncommittedState(structs.replace(back, context=context, kept=NOTHING), (change.write,))
