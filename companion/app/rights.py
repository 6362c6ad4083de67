"""What each phone may do, by its role: a protection from slips among friends.

A phone that scores may do everything. A person's phone answers when that person is asked, or nobody in particular, and
takes back the person's own last entry; it may begin and open games. A phone that watches opens pages that only show.
"""

from __future__ import annotations

from companion.core.entries_after_correction import player_by_turn
from companion.core.events import Event, Redo, Undo
from companion.core.prompt import EnterNumber, Prompt
from companion.core.text import Seat, Text
from companion.ui.key_grammar import AnswerCodes
from companion.ui.phone_roles import Phone, Role, seat_of
from companion.ui.screens.commands import (
    BeginGame,
    EnterLine,
    LeaveGame,
    OnMachine,
    OpenSavedGame,
    RefreshMachineStatus,
    RetryFailedGame,
    StartAtRandom,
)
from companion.ui.screens.compare import can_compare
from companion.ui.screens.context import Command, CurrentGame, Screen, ScreenContext
from companion.ui.screens.machine.own_wifi import ReadWifi
from companion.ui.screens.questions import explained
from companion.ui.screens.table import UnfinishedEntry, why_gone
from companion.ui.translations import _

from .state import State, Viewer

ONLY_WATCHES = _("This phone only watches")
NOT_YOURS = _("{player} is asked")
NOT_PLAYING = _("You do not play in this game")
NOT_YOUR_ENTRY = _("Only a phone that scores takes this entry back")
SCORES = _("Only a phone that scores may do this: choose it beside You")


def why_not_answer(phone: Phone, prompt: Prompt, table: ScreenContext) -> Text | None:
    """Return why a phone may not answer a question; None if it may."""
    if phone.role is Role.SCORER:
        return None
    if phone.role is Role.SPECTATOR:
        return ONLY_WATCHES
    seat = seat_of(phone.person, table.words.players)
    if seat is None:
        return NOT_PLAYING
    return None if prompt.seat in (None, seat) else Text(NOT_YOURS.template, player=Seat(prompt.seat or 0))


def why_not_back(phone: Phone, state: State, viewer: Viewer) -> Text | None:
    """Return why a phone may not step back; None if it may, or only leaves a page of its own."""
    game, screen = state.table.changeable, viewer.screen
    if phone.role is Role.SCORER or game is None or not viewer.at_rest or state.game_of(viewer) is not game:
        return None
    if phone.role is Role.SPECTATOR:
        return ONLY_WATCHES
    assert isinstance(screen, UnfinishedEntry)
    if not screen.compared and can_compare(state.table):
        return None
    if screen.answers:
        asked = game.position.ask(screen.answers[:-1])
        return why_not_answer(phone, asked, state.table) if isinstance(asked, Prompt) else None
    latest, seat = game.session.latest, seat_of(phone.person, state.table.words.players)
    if latest is None:
        return None
    made = player_by_turn(game.session.header.game, latest) if isinstance(latest, Event) else None
    return None if seat is not None and made == seat else NOT_YOUR_ENTRY


def why_not_command(phone: Phone | None, command: Command) -> Text | None:
    """Return why a phone may not do what a screen commands; None if it may."""
    if phone is None or phone.role is Role.SCORER:
        return None
    match command:
        case LeaveGame() | OnMachine(RefreshMachineStatus() | ReadWifi()):
            return None
        case _ if phone.role is Role.SPECTATOR:
            return ONLY_WATCHES
        case BeginGame() | StartAtRandom() | OpenSavedGame() | RetryFailedGame() | EnterLine(Event() | Undo() | Redo()):
            return None
        case EnterLine(figures=True):
            return None
    return SCORES


def why_no_answer(choice: str, codes: AnswerCodes | None, screen: Screen, game: CurrentGame | None) -> Text | None:
    """Return why a choice is not there: a card whose gap was tapped is gone, a number cannot be."""
    kind, _space, name = choice.partition(" ")
    if codes is None or game is None:
        return None
    if kind == "gone" and isinstance(screen, UnfinishedEntry):
        return why_gone(screen, game, codes, name)
    prompt = codes.prompt
    if kind == "number" and any(isinstance(answer, EnterNumber) for answer in prompt.answers):
        return explained(prompt, "", "", None)
    return None
