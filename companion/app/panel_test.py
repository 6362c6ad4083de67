"""The test of the panel's controller: shows the test picture, tries the other controller, and goes back in time.

Nobody can read a panel that is driven as the wrong controller, so each step ends by itself: without an answer the
controller is the one of before again.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.core.text import Text
from companion.ui.panel_controllers import PanelControllers
from companion.ui.translations import _

from .ports import Clock, ExchangeablePanel

PATIENCE = 60.0
"""Seconds to answer whether the test picture is whole."""


class PanelTest:
    """A timed task; without a panel whose controller can be exchanged it does nothing."""

    def __init__(
        self,
        panel: ExchangeablePanel | None,
        clock: Clock,
        told: Callable[[Text, bool], None],
        looked: Callable[[], None],
    ) -> None:
        """Test a panel.

        Args:
            panel: The panel; None where there is no other controller to try.
            clock: Supplies the time.
            told: Called with a message for the panel, and whether it is an error.
            looked: Called before it, because the screens know more now.
        """
        self._panel = panel
        self._clock = clock
        self._told = told
        self._looked = looked
        self._until: float | None = None  # when the test ends by itself
        self._exchanged = False

    @property
    def controllers(self) -> PanelControllers | None:
        """Return the controllers and whether the test picture is shown, for the screens."""
        if self._panel is None:
            return None
        return PanelControllers(self._panel.used, self._panel.other, self._until is not None)

    def begin(self) -> None:
        """Begin the test with the controller in use."""
        if self._panel is not None:
            self._until = self._clock.passed() + PATIENCE
            self._panel.blacken()

    def try_other(self) -> None:
        """Go on with the other controller."""
        if self._panel is not None and self._until is not None:
            self._until = self._clock.passed() + PATIENCE
            self._exchanged = not self._exchanged
            self._panel.exchange()

    def end(self, *, keep: bool) -> None:
        """End the test: keep the controller in use for every start, or go back to the one of before.

        Raises:
            DeviceError: The choice cannot be kept; the controller stays in use until the next start.
        """
        self._until = None
        exchanged, self._exchanged = self._exchanged, False
        if self._panel is None or not exchanged:
            return
        if keep:
            self._panel.keep()
        else:
            self._panel.exchange()

    @property
    def due(self) -> float | None:
        """Return when to call `tick`."""
        return self._until

    def tick(self) -> None:
        """End a test that nobody answers."""
        if self._panel is None or self._until is None or self._clock.passed() < self._until:
            return
        self.end(keep=False)
        self._looked()
        self._told(_("No answer: the panel is driven as {controller}", controller=self._panel.used), False)
