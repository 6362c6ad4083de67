"""An example of a feature of the machine: how much room the card has."""

from __future__ import annotations

from collections.abc import Callable

from companion.app.inputs import Notice
from companion.ui.screens.context import MachineAction, RefreshMachineStatus, Row, Screen, Status, Transition
from companion.ui.translations import _

HOUR = 3600.0


class SpaceStatus(Status, frozen=True):
    """The free space of the card, in gigabytes."""

    free: int

    def row(self, settings: Screen) -> Row:
        """Return the row; choosing it measures again."""
        measures = Transition(settings, RefreshMachineStatus())
        return Row(_("Free space"), measures, _("{count} GB", count=self.free))


class SpaceFeature:
    """Measures the free space when the settings are opened, and every hour."""

    def __init__(self, measure: Callable[[], int], passed: Callable[[], float]) -> None:
        self._measure, self._passed = measure, passed
        self.status, self.due = SpaceStatus(measure()), passed() + HOUR

    def do(self, action: MachineAction) -> None:
        """Measure, if that is asked."""
        if isinstance(action, RefreshMachineStatus):
            self.status = SpaceStatus(self._measure())

    def tick(self) -> Notice | None:
        """Measure, and say so on the panel where there is little left."""
        self.status, self.due = SpaceStatus(self._measure()), self._passed() + HOUR
        return Notice(_("The card is nearly full"), refused=True) if self.status.free < 1 else None
