"""Computes the next state and the journal writes from a screen's move; it writes and shows nothing itself."""

from __future__ import annotations

from dataclasses import replace

from companion.core.errors import IllegalEvent
from companion.journal import JournalFault
from companion.ui.screens.context import EnterLine, LeaveGame, Screen, Transition
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.table import PlayScreen

from .app_state import AppState, PendingChange
from .command_handler import CommandHandler
from .draft import Draft


def after(pending: PendingChange, move: Transition, clerk: CommandHandler, keys: str) -> PendingChange:
    """Return what is pending after a move.

    Args:
        pending: What was before it.
        move: The move.
        clerk: Works out what the screen asks for.
        keys: The key or the written answer that made the move, as it is written down.
    """
    state = pending.state
    if move.first is not None and move.first != state.message:
        return PendingChange(replace(state, message=move.first, refused=False), pending.writes)
    screen, message, refused, change = move.screen, move.message, move.refused, None
    try:
        change = None if move.act is None else clerk.plan(move.act, state.desk, state.draft.keys + keys)
    except IllegalEvent as no:
        said = (move.otherwise or state.screen).refused(state.desk, no)
        screen, message, refused = said.screen, said.message, True
    except JournalFault as fault:
        screen, message, refused = state.screen, fault.text, True
    desk, draft = (state.desk if change is None else change.desk), state.draft
    if change is not None and isinstance(move.act, LeaveGame):
        screen = move.act.to or HomeScreen()
    game = desk.changeable
    if change is not None and change.draft is not None:  # another game was put on the table
        draft, screen = Draft.taken_up(change.draft, desk, PlayScreen())
    elif game is None and state.desk.changeable is None:
        draft = draft.away(keys, screen)
    elif game is None or game.session is not state.desk.at_the_table().session:  # something was entered
        draft = Draft()
    else:
        draft = draft.typed(keys, screen)
    return PendingChange(
        replace(state, screen=screen, desk=desk, draft=draft, message=message, refused=refused),
        pending.writes if change is None else (*pending.writes, change.write),
        change is not None and isinstance(move.act, EnterLine),
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
        change = clerk.resumed(state.desk, name, listed)
    except (IllegalEvent, JournalFault) as fault:
        return replace(state, message=state.message or fault.text, refused=True)
    draft, screen = Draft.taken_up(change.draft or "" if half else "", change.desk, PlayScreen())
    return replace(state, screen=screen, desk=change.desk, draft=draft)
