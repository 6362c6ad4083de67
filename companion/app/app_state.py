"""The application's state between key presses, and how each input changes it.

Nothing is written or shown here. A transition returns the next state and the journal writes that must come first
(`UncommittedState`). The caller keeps one `AppState` and replaces it with the result; after an error it keeps the old
one.

Three parts of a state change by rules of their own.

The draft (`AppState.draft`) holds the keys of the unfinished entry, so that a restart loses none of them:

    ===================================  =====================================================================
    result of a key                      the draft then
    ===================================  =====================================================================
    same game, no entry                  the key is added; returning to an earlier screen drops the keys since
    an entry, or the game is closed      empty
    another game is opened               the keys that the journal kept for that game, pressed once more
    no game, a screen of a set-up        the key is added
    no game, any other screen            empty
    a warning is shown first             unchanged
    ===================================  =====================================================================

`KeyDraft.kept` is the unfinished entry that the journal last stored. `AppState.keep` writes the draft when it differs
from that, and syncs it when an answer is complete. Opening a menu over a game does not change it.

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

import json
import re
from collections.abc import Callable, Iterator

from msgspec import Struct, structs
from msgspec.structs import replace

from companion.core.errors import IllegalEventError
from companion.core.events import Redo
from companion.core.text import Text
from companion.journal import JournalError
from companion.ui.keys import Key, parse
from companion.ui.screens.commands import (
    AllowGuests,
    BackUp,
    BeginPanelTest,
    ChooseZone,
    EndPairing,
    EndPanelTest,
    EnterLine,
    HidePerson,
    InstallUpdate,
    LeaveGame,
    LookAtClock,
    LookForDrive,
    LookForUpdate,
    MoveClock,
    OpenPairing,
    RenamePerson,
    RevokePhone,
    SetLanguage,
    SetSound,
    TryOtherController,
)
from companion.ui.screens.context import Screen, ScreenContext, Transition
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.play import PlayScreen
from companion.ui.screens.setup import GameChoiceScreen
from companion.ui.selector import OptionSelection

from .command_handler import CommandHandler

NOTHING = PlayScreen().half
"""The unfinished entry when nothing is entered."""

LASTING = (
    SetLanguage
    | SetSound
    | RenamePerson
    | HidePerson
    | OpenPairing
    | EndPairing
    | RevokePhone
    | AllowGuests
    | LookForDrive
    | BackUp
    | LookForUpdate
    | InstallUpdate
    | BeginPanelTest
    | TryOtherController
    | EndPanelTest
    | LookAtClock
    | ChooseZone
    | MoveClock
)
"""Commands that leave an unfinished entry as it is."""

_TEXT = re.compile(r'("(?:[^"\\]|\\.)*")')
"""A quoted text answer among keys."""


class KeyDraft(Struct, frozen=True):
    """The keys of the unfinished entry or set-up.

    Attributes:
        keys: The keys pressed since the last complete entry, as a string. In a set-up, the first one opened it.
        kept: The unfinished entry that the journal last stored.
        path: Each screen since the last complete entry, and how many of the keys led to it.
    """

    keys: str = ""
    kept: tuple[object, ...] = NOTHING
    path: tuple[tuple[Screen, int], ...] = ()

    def typed(self, keys: str, screen: Screen) -> KeyDraft:
        """Return the draft after a key or a text answer that led to a screen.

        On returning to an earlier screen, the keys since are dropped. They may include changes of settings, and they
        would pile up.
        """
        keys = self.keys + keys
        if screen == PlayScreen():
            return KeyDraft("", self.kept, ((screen, 0),))
        for place, (other, count) in reversed([*enumerate(self.path)]):
            if other == screen:
                return KeyDraft(keys[:count], self.kept, self.path[: place + 1])
        return KeyDraft(keys, self.kept, (*self.path, (screen, len(keys))))

    @classmethod
    def taken_up(cls, written: str, context: ScreenContext) -> tuple[KeyDraft, Screen]:
        """Press the keys of the unfinished entry again after a restart.

        Returns:
            The draft, and the screen that the keys lead to.
        """
        return cls()._replayed(written, context, PlayScreen())

    @classmethod
    def set_up(cls, written: str, context: ScreenContext) -> tuple[KeyDraft, Screen]:
        """Press the keys of a set-up again after a restart. The first key opened it, from any row of the home screen.

        Returns:
            The draft, and the screen that the keys lead to.
        """
        opened = GameChoiceScreen.opening(HomeScreen())
        return cls().typed(written[:1], opened)._replayed(written[1:], context, opened)

    def _replayed(self, written: str, context: ScreenContext, screen: Screen) -> tuple[KeyDraft, Screen]:
        """Return the draft after more keys, and the last screen on their way that had an unfinished entry."""
        draft, last = structs.replace(self, kept=screen.half or NOTHING), screen
        try:
            typed = [*_read(written)]
        except ValueError:  # no valid draft
            return draft, last
        for each in typed:
            move = screen.show(context).press(each) if isinstance(each, Key) else screen.write(each, context)
            if move.command is None or isinstance(move.command, LASTING):  # it took effect before the restart
                screen = move.screen
            else:  # every other command must have been refused, or the draft would be empty
                screen = move.if_refused or screen
            draft = draft.typed(str(each) if isinstance(each, Key) else quoted(each), screen)
            if screen.half is not None:
                last, draft = screen, structs.replace(draft, kept=screen.half)
        return draft.typed("", last), last


class AppState(Struct, frozen=True):
    """Screen, game, draft, held key and message between key presses.

    Attributes:
        screen: The screen that is shown.
        context: The data that screens read.
        selector: The position of the selector; None where answers are typed.
        draft: The keys of the unfinished entry.
        message: The sentence shown until the next key, if any.
        refused: Whether the message is a refusal.
        before: The state before the held key, if one is held.
    """

    screen: Screen
    context: ScreenContext
    selector: OptionSelection | None = None
    draft: KeyDraft = KeyDraft()
    message: Text | None = None
    refused: bool = False
    before: AppState | None = None

    @property
    def half(self) -> tuple[object, ...]:
        """Return the unfinished entry; the current answer comes last."""
        if self.screen.half is not None:
            return self.screen.half
        return NOTHING if self.context.changeable is None else self.draft.kept

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
        """Write the draft to the journal if the unfinished entry has changed.

        Args:
            write: Writes the keys of a game or set-up to the journal; its argument `sync` says whether to sync.

        Returns:
            The state with the new `KeyDraft.kept`; the same state if nothing was written.
        """
        half, kept = self.half, self.draft.kept
        if half == kept:
            return self
        game = self.context.changeable
        write(None if game is None else game.name, self.draft.keys, sync=half[:-1] != kept[:-1])
        return structs.replace(self, draft=structs.replace(self.draft, kept=half))


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


def after(pending: UncommittedState, move: Transition, handler: CommandHandler, keys: str) -> UncommittedState:
    """Return the pending change after a screen's transition.

    Args:
        pending: The pending change before it.
        move: The transition.
        handler: Plans the command of the transition.
        keys: The key or quoted text that caused it.
    """
    state = pending.state
    if move.warning is not None and move.warning != state.message:
        warned = state.saying(move.warning, refused=False)
        return UncommittedState(warned, pending.writes, warns=True)
    screen, message, refused, change = move.screen, move.message, move.refused, None
    try:
        change = None if move.command is None else handler.plan(move.command, state.context, state.draft.keys + keys)
    except IllegalEventError as no:
        said = (move.if_refused or state.screen).refused(state.context, no)
        screen, message, refused = said.screen, said.message, True
    except JournalError as fault:
        screen, message, refused = state.screen, fault.text, True
    context = state.context if change is None else change.context
    if change is not None and isinstance(move.command, LeaveGame):
        screen = move.command.to or HomeScreen()
    game = context.changeable
    if change is not None and change.draft is not None:  # another game was opened
        draft, screen = KeyDraft.taken_up(change.draft, context)
    elif game is None and state.context.changeable is None:
        draft = KeyDraft(kept=state.draft.kept) if screen.half is None else state.draft.typed(keys, screen)
    elif game is None or game.session is not state.context.require_game().session:  # an entry was made
        draft = KeyDraft()
    else:
        draft = state.draft.typed(keys, screen)
    return UncommittedState(
        structs.replace(state, screen=screen, context=context, draft=draft, message=message, refused=refused),
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
    draft, screen = KeyDraft.taken_up(change.draft or "" if half else "", change.context)
    return structs.replace(state, screen=screen, context=change.context, draft=draft)


def gone_back(state: AppState, before: AppState, handler: CommandHandler) -> UncommittedState:
    """Return the pending change that undoes what a held key did at first.

    A held key enters nothing but an undo, and closes no game but a read-only one.
    """
    game, stood = state.context.game, before.context.game
    back = structs.replace(state, screen=before.screen, draft=structs.replace(before.draft, kept=state.draft.kept))
    if game is None and stood is not None:
        context = replace(before.context, phones=state.context.phones, update=state.context.update)
        return UncommittedState(structs.replace(back, context=context))
    if game is None or stood is None or game.session is stood.session:
        return UncommittedState(back)
    change = handler.plan(EnterLine(Redo()), state.context)
    context = replace(change.context, game=replace(change.context.require_game(), resumed=stood.resumed))
    return UncommittedState(
        structs.replace(back, context=context, draft=structs.replace(before.draft, kept=NOTHING)), (change.write,)
    )


# Keys as text


def quoted(text: str) -> str:
    """Return a text answer as it is written among keys.

    >>> quoted("はるな")
    '"はるな"'
    """
    return json.dumps(text, ensure_ascii=False)


def _read(written: str) -> Iterator[Key | str]:
    """Yield keys and text answers.

    Raises:
        ValueError: A piece is neither.
    """
    for place, piece in enumerate(_TEXT.split(written)):
        if place % 2:
            yield str(json.loads(piece))
        else:
            yield from parse(piece)
