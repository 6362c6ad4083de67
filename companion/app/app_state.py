"""The application's state between key presses.

Three parts of it change by rules of their own (`companion.app.step`).

The draft (`AppState.draft`) is what is half entered, so that a restart loses none of it. Screens on which something is
entered hold it; a menu over a game does not change it. A step writes it when it differs from what the journal last
stored (`AppState.kept`), and has it synced when an answer is complete.

The held key (`AppState.before`) is the state before a key that is being held. The key may turn out to be held until
the machine switches off; its first effect was then not intended:

    ===================  ==================================  ==================================
    event                no key is held                      a key is held
    ===================  ==================================  ==================================
    a key is pressed     `pressed`: no key is held           `pressed`: no key is held
    a key is held        `pressed`: the state is kept        `pressed`: this newer state is kept
    the power key        nothing to undo                     the state becomes that before the held key
    a text, or an error  no key is held                      no key is held
    ===================  ==================================  ==================================

The message (`AppState.message`) is shown until the next key.
"""

from __future__ import annotations

from msgspec import Struct, structs
from msgspec.structs import replace

from companion.core.text import Text
from companion.ui.few_key_selector import OptionCursor
from companion.ui.screens.context import Screen, ScreenContext
from companion.ui.screens.play_view import UnfinishedEntry
from companion.ui.screens.saved_drafts import NOTHING, ScreenDraft

from .request_types import Source


class Interrupted(Struct, frozen=True):
    """Keys that were typed when a phone answered the question."""

    typed: str  # the keys; empty if they can only be dropped
    message: Text  # the sentence that says so


class AppState(Struct, frozen=True):
    """Screen, game, draft, held key and message between key presses."""

    screen: Screen  # the screen that is shown
    context: ScreenContext  # the data that screens read
    selector: OptionCursor | None = None  # the position of the selector; None where answers are typed
    # the draft that the journal last stored; None if it may hold one that is of no use
    kept: ScreenDraft | None = NOTHING
    message: Text | None = None  # the sentence shown until the next key, if any
    refused: bool = False  # whether the message is a refusal
    before: AppState | None = None  # the state before the held key, if one is held
    number: int = 0  # the number of the question; it changes with the screen or the game
    begun_by: Source | None = None  # who has begun the unfinished entry, if anybody
    interrupted: Interrupted | None = None  # keys that wait until somebody keeps or drops them
    entered_by: str = ""  # the key that has just completed an entry

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
        """Return the state with a message in place of the one before."""
        return structs.replace(self.without_refusal, message=message, refused=refused)

    @property
    def without_refusal(self) -> AppState:
        """Return the state after the refusal of an entry is no longer shown: back again does what it says."""
        screen = self.screen
        if not isinstance(screen, UnfinishedEntry) or not screen.refusal_shown:
            return self
        return structs.replace(self, screen=replace(screen, refusal_shown=False))

    def asks_the_same(self, other: AppState) -> bool:
        """Return whether two states ask the same question."""
        game, others = self.context.game, other.context.game
        same = game is others or (game is not None and others is not None and game.session is others.session)
        return same and self.without_refusal.screen == other.without_refusal.screen
