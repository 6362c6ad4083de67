"""The club that a box belongs to: its status, and the call of the director."""

from __future__ import annotations

from companion.ui.club import CALLS, CALLS_NO_MORE, ClubTableStatus, HubMessage
from companion.ui.screens.context import Choice, MachineAction, Screen, Status, Transition
from companion.ui.translations import _


class ClubStatus(Status, frozen=True):
    """The table at its club."""

    table: ClubTableStatus = ClubTableStatus()

    @property
    def club(self) -> ClubTableStatus:
        return self.table


class CallDirector(MachineAction, frozen=True):
    """Action: call the director to the table, or end the call."""

    calls: bool

    of_players = True


class TakeHubMessage(MachineAction, frozen=True):
    """Action: take what the hub of the club tells."""

    message: HubMessage


def director_key(club: ClubTableStatus, after: Screen) -> Choice:
    """Return the choice that calls the director, or ends the call, and then leads to a screen."""
    label = _("end the call") if club.calls else _("call the director")
    said = CALLS_NO_MORE if club.calls else CALLS
    move = Transition(after, CallDirector(not club.calls), said)
    return Choice("director", label, lambda: move, "C")
