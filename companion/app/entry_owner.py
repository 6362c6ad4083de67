"""Knows who began an unfinished entry, and tells anybody else before they finish it.

The keys of the box and each phone are sources of answers. Who gave the first answer of an entry has begun it; another
source can take it over by stepping back. Keys that were typed when a phone answered first wait until somebody says
what becomes of them.
"""

from __future__ import annotations

from msgspec import Struct, structs
from msgspec.structs import replace

from companion.core.text import Text, joined
from companion.ui.key_grammar import SUIT_KEYS
from companion.ui.keys import Key, QuickSecondPress
from companion.ui.screens.context import Screen
from companion.ui.screens.play_view import UnfinishedEntry
from companion.ui.screens.saved_drafts import EntryDraft
from companion.ui.translations import _

from .app_state import AppState, Interrupted
from .input_types import ChosenOption, Input, KeyForOldQuestion
from .request_types import KEYS, Source, TypedAnswer


class Ignored(Struct, frozen=True):
    """An input that does not count."""

    message: Text | None = None  # the sentence that says why; None for a key pressed twice, which only ticks


def ignored(state: AppState, given: Input) -> Ignored | None:
    """Return why an input does not count in this state; None if it does."""
    match given:
        case KeyForOldQuestion():
            return Ignored(_("Somebody else has just answered: look again"))
        case QuickSecondPress(name) if name == state.entered_by:
            return Ignored()
        case Key(name, held) if not held:
            if state.interrupted is not None and name not in "*#":
                return Ignored(state.interrupted.message)
            if name not in "*#<>^v":
                message = begun_elsewhere(state, KEYS)
                return None if message is None else Ignored(message)
    return None


def begun_elsewhere(state: AppState, source: Source) -> Text | None:
    """Return the sentence that another source has begun the entry; None if it has not."""
    if state.begun_by is None or state.begun_by == source or not isinstance(state.screen, UnfinishedEntry):
        return None
    if state.begun_by == KEYS:
        return _("This entry was begun with the keys of the box")
    return _("{phone} has begun this entry; * takes it back", phone=state.begun_by.name)


def resumed(state: AppState, key: str) -> AppState:
    """Return the state after the keys that waited are kept (``#``) or dropped (``*``)."""
    waiting, screen = state.interrupted, state.screen
    state = structs.replace(state, interrupted=None, message=None, refused=False)
    if waiting is not None and key == "#" and isinstance(screen, UnfinishedEntry) and screen.untouched:
        return structs.replace(state, screen=replace(screen, typed=waiting.typed), begun_by=KEYS)
    return state


def noted(before: AppState, after: AppState, given: Input) -> AppState:
    """Return a state with whose its unfinished entry is, and with the keys that wait."""
    source = _source(given)
    screen, entry = after.screen, _entry(before.screen)
    if source is None or not isinstance(screen, UnfinishedEntry):
        return after
    if isinstance(before.draft, EntryDraft) and before.draft.aside and not screen.aside:
        return structs.replace(after, begun_by=None)  # an entry that waited is there again, whosever it was
    owner = before.begun_by if entry is not None and entry.answers else source
    if _steps_back(given):
        owner = source
    after = structs.replace(after, begun_by=None if screen.untouched else owner)
    cut = entry is not None and entry.typed and not screen.typed and before.selector is None
    if source == KEYS or _steps_back(given) or entry is None or not cut:
        return after
    message = _interruption(before, after, entry, source.name)
    waiting = Interrupted("" if entry.answers else entry.typed, message)
    return structs.replace(after, interrupted=waiting, message=message, refused=False)


def _interruption(before: AppState, after: AppState, entry: UnfinishedEntry, phone: str) -> Text:
    old, new = before.context.require_game(), after.context.require_game()
    codes = entry.position(old).book(entry.answers)
    signs = {} if codes is None else dict(zip(SUIT_KEYS, codes.prompt.suits, strict=False))
    typed = joined(signs[key].sign if key in signs else Text(key) for key in entry.typed)
    event = new.session.head.event
    entered = _("an answer") if event is None or new.session is old.session else new.session.header.game.describe(event)
    return _("{phone}: {entry}. Typed here: {typed}. # keeps it, * drops it", phone=phone, entry=entered, typed=typed)


def _source(given: Input) -> Source | None:
    """Return where an answer comes from; None if an input is no answer."""
    match given:
        case Key():
            return KEYS
        case ChosenOption(_name, by) | TypedAnswer(_name, by):
            return by
    return None


def _steps_back(given: Input) -> bool:
    return given == Key("*") or (isinstance(given, ChosenOption) and given.name == "*")


def _entry(screen: Screen) -> UnfinishedEntry | None:
    return screen if isinstance(screen, UnfinishedEntry) else None
