"""The test of the panel's controller: tries the other controller, and takes the old one again if nobody confirms.

Nobody can read a panel that is driven as the wrong controller, so each step ends by itself: without an answer the
controller is the one of before again.
"""

from __future__ import annotations

from typing import Protocol

from companion.app.ports import Clock, DeviceError
from companion.core.errors import IllegalEventError
from companion.core.text import N_
from companion.ui.screens.commands import MachineAction
from companion.ui.screens.machine.devices import BeginPanelTest, EndPanelTest, PanelStatus, TryOtherController
from companion.ui.translations import _

from . import News

PATIENCE = 60.0  # seconds to answer whether the test picture is whole


class ExchangeablePanel(Protocol):
    """A panel that may have one of two controllers; only somebody who looks at it can tell which."""

    @property
    def used(self) -> str:
        """Return the name of the controller in use."""

    @property
    def other(self) -> str:
        """Return the name of the other one."""

    def blacken(self) -> None:
        """Make the panel black, so that the next picture is sent in parts, as those of a game are; never raises."""

    def exchange(self) -> None:
        """Drive the panel as the other controller from the next picture on; never raises."""

    def keep(self) -> None:
        """Use the present controller after each start, too; raise DeviceError if the choice cannot be kept."""


class PanelFeature:
    """Tests which controller the panel has."""

    def __init__(self, panel: ExchangeablePanel, clock: Clock) -> None:
        self._panel = panel
        self._clock = clock
        self.due: float | None = None  # when the test ends by itself; None if the test picture is not shown
        self._exchanged = False

    @property
    def status(self) -> PanelStatus:
        """Return the controllers, and whether the test picture is shown."""
        return PanelStatus(self._panel.used, self._panel.other, self.due is not None)

    def do(self, action: MachineAction) -> None:
        """Begin the test, go on with the other controller, or end the test.

        Raises:
            IllegalEventError: The choice cannot be kept; the controller stays in use until the next start.
        """
        match action:
            case BeginPanelTest():
                self.due = self._clock.passed() + PATIENCE
                self._panel.blacken()
            case TryOtherController() if self.due is not None:
                self.due = self._clock.passed() + PATIENCE
                self._exchanged = not self._exchanged
                self._panel.exchange()
            case EndPanelTest(keep):
                self._end(keep=keep)

    def _end(self, *, keep: bool) -> None:
        exchanged, self.due, self._exchanged = self._exchanged, None, False
        if exchanged and not keep:
            self._panel.exchange()
        elif exchanged:
            try:
                self._panel.keep()
            except DeviceError as fault:
                raise IllegalEventError("not-kept", N_("Until the next start only: {why}"), why=str(fault)) from fault

    def tick(self) -> News | None:
        """End a test that nobody answers."""
        if self.due is None or self._clock.passed() < self.due:
            return None
        self._end(keep=False)
        return News(_("No answer: the panel is driven as {controller}", controller=self._panel.used))
