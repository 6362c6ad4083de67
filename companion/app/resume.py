"""Takes up what a restart interrupted: a game with its unfinished entry, or a set-up."""

from __future__ import annotations

from msgspec import structs
from msgspec.structs import replace

from companion.core.errors import IllegalEventError
from companion.core.prompt import Prompt, Question
from companion.core.text import Text
from companion.journal import JournalError
from companion.ui.screens.context import CurrentGame, Screen, ScreenContext
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.play import PlayScreen
from companion.ui.screens.saved_drafts import EntryDraft, ScreenDraft
from companion.ui.screens.screen_from_draft import DROPPED, DraftError, resumed_entry, resumed_set_up

from .app_state import AppState
from .command_changes import resumed
from .step_reads import Known


def taken_up(state: AppState, name: str, known: Known, half: bool = True, listed: Screen | None = None) -> AppState:
    """Return the state with a game from the journal opened; if it cannot be read, the old state with a message.

    With ``half`` its unfinished entry is restored, too. ``listed`` is the list of games that a finished one is opened
    from, only to be viewed.
    """
    try:
        opened = resumed(state.context, known, name, listed)
    except (IllegalEventError, JournalError) as fault:
        return state.saying(state.message or fault.text)
    screen, kept, dropped = opened_screen(opened.draft if half else "", opened.context)
    state = structs.replace(state, screen=screen, context=opened.context, kept=kept)
    told = opened.told or dropped
    return state if told is None or state.message is not None else state.saying(told)


def set_up_taken_up(state: AppState, written: object) -> AppState:
    """Return the state with a set-up that a restart interrupted."""
    try:
        screen = resumed_set_up(written, HomeScreen())
    except DraftError:
        return state.saying(DROPPED)
    return structs.replace(state, screen=screen, kept=screen.draft)


def with_entry_put_aside(screen: Screen, before: ScreenContext, context: ScreenContext) -> tuple[Screen, Text | None]:
    """Return the game's screen with the entry that waited while another was corrected.

    If it is asked otherwise now, such as other players, return the screen without it, and the sentence that says so.

    Args:
        before: The context before the correction was written.
    """
    if not isinstance(screen, PlayScreen) or not screen.aside or screen.correction is not None:
        return screen, None
    try:
        was, entry = (_waiting(screen, each.require_game()) for each in (before, context))
    except DraftError:
        return replace(screen, aside=()), DROPPED
    if _questions(was, before.require_game()) != _questions(entry, context.require_game()):
        return replace(screen, aside=()), DROPPED
    return replace(entry, refusal_shown=screen.refusal_shown), None


def _waiting(screen: PlayScreen, game: CurrentGame) -> PlayScreen:
    given = tuple((name, keys) for name, keys in screen.aside if name)
    typed = "".join(keys for name, keys in screen.aside if not name)
    entry = resumed_entry(EntryDraft(given, typed), game)
    assert isinstance(entry, PlayScreen)  # its draft has no correction
    return entry


def _questions(entry: PlayScreen, game: CurrentGame) -> list[Question]:
    """Return the questions that an entry has answered, and the one that comes next."""
    asked = (entry.position(game).ask(entry.answers[:place]) for place in range(len(entry.answers) + 1))
    return [prompt.question for prompt in asked if isinstance(prompt, Prompt)]


def opened_screen(written: object, context: ScreenContext) -> tuple[Screen, ScreenDraft | None, Text | None]:
    """Return the screen with a game's unfinished entry, its draft, and the sentence that it is dropped, if it is."""
    try:
        screen = resumed_entry(written, context.require_game())
    except DraftError:
        return PlayScreen(), None, DROPPED
    return screen, screen.draft, None
