"""The application's state between two keys, and all its transitions: screen, game, draft, held key, message.

Every state and every transition of it stands here. Nothing is written or shown here: a transition gives the next
state, and what the journal is to be told before that state counts (`PendingChange`). Its user keeps one `AppState`
and replaces it with the result; after a fault it goes on from the state it has.

Three parts of a state change by rules of their own.

The draft (`AppState.draft`) holds the keys of what is half entered, so that a restart loses none of them:

    =============================  =====================================================================
    what a key led to              the draft then
    =============================  =====================================================================
    the same game, no entry        the key is added; a walk that leads back to a screen it had is dropped
    an entry, or no game any more  empty
    another game on the table      what the journal kept for that game, its keys pressed once more
    no game, a screen of a set-up  the key is added
    no game, any other screen      empty
    a sentence to be seen first    as it was
    =============================  =====================================================================

What the journal has of it (`Draft.kept`) is what was half entered when it last took the keys. `AppState.keep` hands
the draft over when that differs, and has it synced when an answer is complete; a menu over a table leaves it alone.

The held key (`AppState.before`) is the state before a key that is held, for a key held on until the box switches off
was not meant for what it did at first:

    ===================  ==================================  ==================================
    event                no key is held                      a key is held
    ===================  ==================================  ==================================
    a key is pressed     `pressed`: no key is held           `pressed`: no key is held
    a key is held        `pressed`: the state is kept        `pressed`: this newer state is kept
    the power key        nothing to go back to               `gone_back`: as before the held key
    a text, or a fault   no key is held                      no key is held
    ===================  ==================================  ==================================

The sentence (`AppState.message`) is shown until the next key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from msgspec import Struct, structs

from companion.core.errors import IllegalEvent
from companion.core.events import Redo
from companion.core.text import Text
from companion.journal import JournalFault
from companion.ui.keys import Key, parse
from companion.ui.screens.context import (
    Context,
    EnterLine,
    HidePerson,
    LeaveGame,
    RenamePerson,
    Screen,
    SetLanguage,
    SetSound,
    Transition,
)
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.setup import GameChoiceScreen
from companion.ui.screens.table import PlayScreen
from companion.ui.selector import Selector

from .command_handler import CommandHandler

NOTHING = PlayScreen().half
"""What is half entered where nothing is."""

_TEXT = re.compile(r'("(?:[^"\\]|\\.)*")')
"""An answer written as a whole, among keys."""


class Draft(Struct, frozen=True):
    """The keys of the entry, or of the set-up, under way.

    Attributes:
        keys: Those pressed since nothing was half entered, as they are written. Those of a set-up begin with the
            one that opened it.
        kept: What was half entered when the journal last took these keys.
        path: Each screen since nothing was half entered, and how many of the keys led there.
    """

    keys: str = ""
    kept: tuple[object, ...] = NOTHING
    path: tuple[tuple[Screen, int], ...] = ()

    def typed(self, keys: str, screen: Screen) -> Draft:
        """Return the draft after a key, or a written answer, that led to a screen.

        The keys that led from a screen back to it are dropped: there may be settings among them, and they are many.
        """
        keys = self.keys + keys
        if screen == PlayScreen():
            return Draft("", self.kept, ((screen, 0),))
        for place, (other, count) in reversed([*enumerate(self.path)]):
            if other == screen:
                return Draft(keys[:count], self.kept, self.path[: place + 1])
        return Draft(keys, self.kept, (*self.path, (screen, len(keys))))

    @classmethod
    def taken_up(cls, written: str, context: Context) -> tuple[Draft, Screen]:
        """Press the keys of what was half entered at a table before a restart.

        Returns:
            The draft, and the screen they lead to.
        """
        return cls()._replayed(written, context, PlayScreen())

    @classmethod
    def set_up(cls, written: str, context: Context) -> tuple[Draft, Screen]:
        """Press the keys of a set-up before a restart; the first of them has opened it, on whichever row of home.

        Returns:
            The draft, and the screen they lead to.
        """
        opened = GameChoiceScreen.opening(HomeScreen())
        return cls().typed(written[:1], opened)._replayed(written[1:], context, opened)

    def _replayed(self, written: str, context: Context, screen: Screen) -> tuple[Draft, Screen]:
        """Return the draft after more keys, and the last screen with something half entered that they led to."""
        draft, last = structs.replace(self, kept=screen.half or NOTHING), screen
        try:
            typed = [*_read(written)]
        except ValueError:  # nothing that was ever kept
            return draft, last
        for each in typed:
            move = screen.show(context).press(each) if isinstance(each, Key) else screen.write(each, context)
            if move.command is None or isinstance(
                move.command, SetLanguage | SetSound | RenamePerson | HidePerson
            ):  # what was done is done
                screen = move.screen
            else:  # what would enter something was refused then, or there would be no draft
                screen = move.if_refused or screen
            draft = draft.typed(str(each) if isinstance(each, Key) else quoted(each), screen)
            if screen.half is not None:
                last, draft = screen, structs.replace(draft, kept=screen.half)
        return draft.typed("", last), last


class AppState(Struct, frozen=True):
    """The application's state between two keys: screen, game, draft and message.

    Attributes:
        screen: The screen that is shown.
        context: What the screens know.
        selector: Where few keys have turned to; None where answers are typed.
        draft: What is half entered.
        message: The sentence shown until the next key, if there is one.
        refused: Whether it says no.
        before: The state before the key that is held, if one is.
    """

    screen: Screen
    context: Context
    selector: Selector | None = None
    draft: Draft = Draft()
    message: Text | None = None
    refused: bool = False
    before: AppState | None = None

    @property
    def half(self) -> tuple[object, ...]:
        """Return what is half entered, the answer under way last."""
        if self.screen.half is not None:
            return self.screen.half
        return NOTHING if self.context.changeable is None else self.draft.kept

    def pressed(self, *, held: bool = False) -> AppState:
        """Return the state as a key comes, before it does anything."""
        alone = self if self.before is None else structs.replace(self, before=None)
        return structs.replace(alone, before=alone) if held else alone

    def keep(self, write: Callable[..., object]) -> AppState:
        """Have the draft written if something else is half entered than the journal has.

        Args:
            write: Writes the keys of a game, or of a set-up, into the journal, synced or not.

        Returns:
            The state that knows what the journal has; the same one if nothing was written.
        """
        half, kept = self.half, self.draft.kept
        if half == kept:
            return self
        game = self.context.changeable
        write(None if game is None else game.name, self.draft.keys, sync=half[:-1] != kept[:-1])
        return structs.replace(self, draft=structs.replace(self.draft, kept=half))


class PendingChange(Struct, frozen=True):
    """A new state and the journal writes it needs; neither written nor shown yet.

    Attributes:
        state: Where the box stands then.
        writes: What is to be written in the journal first, in order.
        entered: Whether the last key made an entry.
    """

    state: AppState
    writes: tuple[Callable[[], object], ...] = ()
    entered: bool = False


def after(pending: PendingChange, move: Transition, clerk: CommandHandler, keys: str) -> PendingChange:
    """Return what is pending after a move.

    Args:
        pending: What was before it.
        move: The move.
        clerk: Works out what the screen asks for.
        keys: The key or the written answer that made the move, as it is written down.
    """
    state = pending.state
    if move.warning is not None and move.warning != state.message:
        return PendingChange(structs.replace(state, message=move.warning, refused=False), pending.writes)
    screen, message, refused, change = move.screen, move.message, move.refused, None
    try:
        change = None if move.command is None else clerk.plan(move.command, state.context, state.draft.keys + keys)
    except IllegalEvent as no:
        said = (move.if_refused or state.screen).refused(state.context, no)
        screen, message, refused = said.screen, said.message, True
    except JournalFault as fault:
        screen, message, refused = state.screen, fault.text, True
    context = state.context if change is None else change.context
    if change is not None and isinstance(move.command, LeaveGame):
        screen = move.command.to or HomeScreen()
    game = context.changeable
    if change is not None and change.draft is not None:  # another game was put on the table
        draft, screen = Draft.taken_up(change.draft, context)
    elif game is None and state.context.changeable is None:
        draft = Draft(kept=state.draft.kept) if screen.half is None else state.draft.typed(keys, screen)
    elif game is None or game.session is not state.context.require_game().session:  # something was entered
        draft = Draft()
    else:
        draft = state.draft.typed(keys, screen)
    return PendingChange(
        structs.replace(state, screen=screen, context=context, draft=draft, message=message, refused=refused),
        pending.writes if change is None else (*pending.writes, change.write),
        change is not None and isinstance(move.command, EnterLine),
    )


def taken_up(
    state: AppState, name: str, clerk: CommandHandler, half: bool = True, listed: Screen | None = None
) -> AppState:
    """Return a state with a game from the journal on the table; the same with a sentence where it cannot be read.

    Args:
        state: What is before it.
        name: The game.
        clerk: Reads it.
        half: Whether what was half entered is taken up, too.
        listed: The list of games it was opened from, where it is finished and only looked at.
    """
    try:
        change = clerk.resumed(state.context, name, listed)
    except (IllegalEvent, JournalFault) as fault:
        return structs.replace(state, message=state.message or fault.text, refused=True)
    draft, screen = Draft.taken_up(change.draft or "" if half else "", change.context)
    return structs.replace(state, screen=screen, context=change.context, draft=draft)


def gone_back(state: AppState, before: AppState, clerk: CommandHandler) -> PendingChange:
    """Return what is pending when a held key was not meant: everything is as it was before it.

    A held key enters nothing but an undo, and leaves no game but one that was only looked at.
    """
    game, stood = state.context.game, before.context.game
    back = structs.replace(state, screen=before.screen, draft=structs.replace(before.draft, kept=state.draft.kept))
    if game is None and stood is not None:
        return PendingChange(structs.replace(back, context=before.context))
    if game is None or stood is None or game.session is stood.session:
        return PendingChange(back)
    change = clerk.plan(EnterLine(Redo()), state.context)
    context = replace(change.context, game=replace(change.context.require_game(), resumed=stood.resumed))
    return PendingChange(
        structs.replace(back, context=context, draft=structs.replace(before.draft, kept=NOTHING)), (change.write,)
    )


# Keys as they are written


def quoted(text: str) -> str:
    """Return an answer written as a whole, as it stands among keys.

    >>> quoted("はるな")
    '"はるな"'
    """
    return json.dumps(text, ensure_ascii=False)


def _read(written: str) -> Iterator[Key | str]:
    """Yield keys, and answers written as a whole.

    Raises:
        ValueError: It is neither.
    """
    for place, piece in enumerate(_TEXT.split(written)):
        if place % 2:
            yield str(json.loads(piece))
        else:
            yield from parse(piece)
