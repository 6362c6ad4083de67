"""The club that a box belongs to: who sits at this table, the round's clock, the call of the director."""

from __future__ import annotations

from companion.core.text import Text
from companion.ui.club_message import HubMessage, SeatCall
from companion.ui.screens.commands import MachineAction, OnMachine
from companion.ui.screens.context import Screen, Status, Transition
from companion.ui.screens.screen_contents import KeyBinding
from companion.ui.translations import Translator, _


class ClubStatus(Status, frozen=True):
    """The seat call of the table, the minutes left in its round, and whether it calls the director."""

    seats: SeatCall | None = None
    minutes: int | None = None  # None without a clock
    calls: bool = False

    @property
    def club(self) -> ClubStatus:
        return self

    @property
    def left(self) -> Text:
        """Return the minutes left; empty without a clock."""
        return Text("") if self.minutes is None else _("{count} min", count=self.minutes)

    @property
    def clock(self) -> Text:
        """Return the same as short as it can be."""
        return Text("") if self.minutes is None else _("{count}'", count=self.minutes)

    @property
    def hint(self) -> Text:
        """Return the hint at the key that calls the director, or ends the call."""
        return _("C end call") if self.calls else _("C director")

    def key(self, after: Screen, words: Translator) -> KeyBinding:
        """Return the key that calls the director, or ends the call, and then leads to a screen."""
        label = _("end the call") if self.calls else _("call the director")
        said = _("The table no longer calls the director") if self.calls else _("The table calls the director")
        move = Transition(after, OnMachine(CallDirector(not self.calls)), said)
        return KeyBinding("C", words(label), lambda: move)


class CallDirector(MachineAction, frozen=True):
    """Action: call the director to the table, or end the call."""

    calls: bool


class TakeHubMessage(MachineAction, frozen=True):
    """Action: take what the hub of the club tells."""

    message: HubMessage
