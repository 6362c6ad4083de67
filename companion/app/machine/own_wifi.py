"""Switches the box's own Wi-Fi on and off, and says if it does not start."""

from __future__ import annotations

from typing import Protocol

from companion.app.ports import Clock
from companion.ui.screens.commands import MachineAction
from companion.ui.screens.machine.own_wifi import OwnWifiStatus, ReadWifi, SwitchWifi
from companion.ui.translations import _

from . import News

STARTS = 30.0  # seconds in which the own Wi-Fi starts


class WifiSwitch(Protocol):
    """Switches the box's own Wi-Fi."""

    def network(self) -> OwnWifiStatus | None:
        """Return name, password and the state last seen; None if this box cannot have a Wi-Fi of its own."""

    def look(self) -> None:
        """Find out whether it is on; this may take a moment."""

    def switch(self, on: bool) -> None:
        """Switch it on or off; raise DeviceError if the system refused."""


class OwnWifiFeature:
    """Switches the own Wi-Fi, and tells if it did not start."""

    def __init__(self, switch: WifiSwitch, clock: Clock) -> None:
        self._switch = switch
        self._clock = clock
        self.due: float | None = None  # when it had time to start; None if it does not start now

    @property
    def status(self) -> OwnWifiStatus | None:
        """Return the network as last seen."""
        return self._switch.network()

    def do(self, action: MachineAction) -> None:
        """Switch it, or find out whether it is on; raise DeviceError if the system refused."""
        match action:
            case ReadWifi():
                self._switch.look()
            case SwitchWifi(on):
                self._switch.switch(on)
                self.due = self._clock.passed() + STARTS if on else None

    def tick(self) -> News | None:
        """Find out once more whether it is on."""
        if self.due is None or self.due > self._clock.passed():
            return None
        self.due = None
        self._switch.look()
        network = self._switch.network()
        return None if network is not None and network.on else News(_("The own Wi-Fi did not start"), refused=True)
