"""The clock, the own Wi-Fi and the sounds: features of the machine that a screen sets."""

from __future__ import annotations

from typing import Protocol

from companion.app.machine import News
from companion.app.outputs import Outputs
from companion.app.ports import Clock
from companion.journal import Journal
from companion.ui.screens.commands import MachineAction
from companion.ui.screens.machine.devices import ClockStatus, MoveClock, ReadClock, SetZone
from companion.ui.screens.machine.own_wifi import OwnWifiStatus, ReadWifi, SwitchWifi
from companion.ui.screens.machine.sound_switch import SetSound, SoundStatus
from companion.ui.translations import _


class ClockSetter(Protocol):
    """Reads and sets the machine's clock and time zone. Every method may raise DeviceError."""

    def read(self) -> ClockStatus:
        """Return clock and time zone."""

    def set_zone(self, zone: str) -> None:
        """Set the time zone."""

    def move(self, seconds: int) -> None:
        """Move the clock on, or back if the seconds are negative."""


class ClockFeature:
    """Shows and sets the clock.

    Attributes:
        due: Always None: it never has to be called by itself.
    """

    due = None

    def __init__(self, setter: ClockSetter) -> None:
        self._setter = setter
        self.status = ClockStatus()  # clock and time zone when they were last read

    def do(self, action: MachineAction) -> None:
        """Do what is asked, then read the clock; raise DeviceError if the system refused."""
        match action:
            case SetZone(zone):
                self._setter.set_zone(zone)
            case MoveClock(seconds):
                self._setter.move(seconds)
            case ReadClock():
                pass
            case _:
                return
        self.status = self._setter.read()

    def tick(self) -> None:
        """Do nothing."""


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


SETTING = "sounds"  # the name of the journal's setting


class SoundFeature:
    """Keeps in the journal whether sounds are played.

    Attributes:
        due: Nothing ever is.
    """

    due = None

    def __init__(self, outputs: Outputs, journal: Journal) -> None:
        self._outputs = outputs
        self._journal = journal
        outputs.sound_on = journal.setting(SETTING) != "off"

    @property
    def status(self) -> SoundStatus:
        """Return whether sounds are played."""
        return SoundStatus(self._outputs.sound_on)

    def do(self, action: MachineAction) -> None:
        """Switch the sounds on or off."""
        match action:
            case SetSound(on):
                self._outputs.sound_on = on
                self._journal.keep_setting(SETTING, "on" if on else "off")

    def tick(self) -> None:
        """Do nothing."""
