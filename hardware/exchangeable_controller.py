"""The test of the panel's controller: tries the other controller, and takes the old one again if nobody confirms.

Chips of two kinds are sold under one name. Nobody can read a panel that is driven as the wrong controller, so each step
ends by itself: without an answer the controller is the one of before again.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from PIL import Image

from companion.app.inputs import Notice
from companion.app.ports import Clock, DeviceError
from companion.core.text import N_, IllegalEventError
from companion.ui.screens.context import MachineAction
from companion.ui.screens.devices import BeginPanelTest, EndPanelTest, PanelStatus, TryOtherController
from companion.ui.translations import _

from .controller_choice import OTHER, ControllerChoice

if TYPE_CHECKING:
    from .panel import LumaPanel
    from .panel_bus import PanelSpec

PATIENCE = 60.0  # seconds to answer whether the test picture is whole


class ExchangeableController:
    """A panel whose controller can be exchanged (`companion.app.machine.Feature`)."""

    def __init__(self, panel: LumaPanel, spec: PanelSpec, choice: ControllerChoice, clock: Clock) -> None:
        self._panel = panel
        self._choice = choice
        self._used, self._other = spec.chip, OTHER[spec.chip]
        self._clock = clock
        self.due: float | None = None  # when the test ends by itself; None if the test picture is not shown
        self._exchanged = False

    @property
    def status(self) -> PanelStatus:
        """Return the controllers, and whether the test picture is shown."""
        return PanelStatus(self.used, self.other, self.due is not None)

    def do(self, action: MachineAction) -> None:
        """Begin the test, go on with the other controller, or end the test.

        Raises:
            IllegalEventError: The choice cannot be kept; the controller stays in use until the next start.
        """
        match action:
            case BeginPanelTest():
                self.due = self._clock.passed() + PATIENCE
                self.blacken()
            case TryOtherController() if self.due is not None:
                self.due = self._clock.passed() + PATIENCE
                self._exchanged = not self._exchanged
                self.exchange()
            case EndPanelTest(keep):
                self._end(keep=keep)

    def _end(self, *, keep: bool) -> None:
        exchanged, self.due, self._exchanged = self._exchanged, None, False
        if exchanged and not keep:
            self.exchange()
        elif exchanged:
            try:
                self.keep()
            except DeviceError as fault:
                raise IllegalEventError("not-kept", N_("Until the next start only: {why}"), why=str(fault)) from fault

    def tick(self) -> Notice | None:
        """End a test that nobody answers."""
        if self.due is None or self._clock.passed() < self.due:
            return None
        self._end(keep=False)
        return Notice(_("No answer: the panel is driven as {controller}", controller=self.used))

    @property
    def used(self) -> str:
        return self._used.upper()

    @property
    def other(self) -> str:
        return self._other.upper()

    def blacken(self) -> None:
        """Make the panel black, so that the next picture is sent in parts, as those of a game are."""
        with suppress(DeviceError):
            self._panel.show(Image.new("1", self._panel.size))

    def exchange(self) -> None:
        """Drive the panel as the other controller, and make it black."""
        self._used, self._other = self._other, self._used
        self._panel.exchange(self._used)
        self.blacken()

    def keep(self) -> None:
        """Use the present controller after each start, too; raise DeviceError if the choice cannot be kept."""
        self._choice.keep(self._used)
