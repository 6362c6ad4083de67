"""Decides what each phone may choose, by its role."""

from __future__ import annotations

from companion.core.entries_after_correction import player_by_turn
from companion.core.events import Event
from companion.core.text import Text
from companion.ui.phone_roles import Phone, Role, seat_of
from companion.ui.screens.live_page_buttons import LivePageButtons
from companion.ui.screens.play import PlayScreen
from companion.ui.screens.round_comparison import can_compare
from companion.ui.translations import _

from .app_state import AppState

ONLY_WATCHES = _("This phone only watches")
NOT_ASKED = _("This question is not for your seat")


def why_not(phone: Phone, choice: str, taps: LivePageButtons, state: AppState) -> Text | None:
    """Return why a phone may not choose something; None if it may.

    A person's phone answers when that person is asked, and may take back the person's own last entry.
    """
    if phone.role is Role.SCORER:
        return None
    if phone.role is Role.SPECTATOR:
        return ONLY_WATCHES
    seat = seat_of(phone.person, state.context.words.players)
    if seat is None:
        return NOT_ASKED
    asked = None if taps.codes is None else taps.codes.prompt.seat
    if asked == seat and taps.answer(choice) is not None:
        return None
    return None if choice == "*" and _takes_back_own(seat, state) else NOT_ASKED


def _takes_back_own(seat: int, state: AppState) -> bool:
    """Return whether stepping back now takes back the last entry, and a seat made it.

    It does not while somebody types, nor where it asks for a round's figures.
    """
    game, screen = state.context.changeable, state.screen
    at_rest = isinstance(screen, PlayScreen) and screen.correction is None and screen.untouched
    if game is None or not at_rest or can_compare(state.context):
        return False
    latest = game.session.latest
    return isinstance(latest, Event) and player_by_turn(game.session.header.game, latest) == seat
