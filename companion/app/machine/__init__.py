"""The machine around the box: its clock, phones, own Wi-Fi, USB drive, panel, updates.

A feature shows screens its status, does what they ask, and says when it wants to be called again. Those of a device are
modules of `hardware.machine`, with their screens. `Machine` is the list of those that this machine has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from companion.app.failures import LogAndContinue
from companion.app.inputs import Notice
from companion.app.outputs import Outputs
from companion.app.ports import DeviceError, TimedTask
from companion.core.text import IllegalEventError
from companion.journal import Journal
from companion.ui.screens.context import MachineAction, MachineStatus, RefreshMachineStatus, Status
from companion.ui.screens.settings import SetSound, SoundStatus


class Feature(TimedTask, Protocol):
    """A feature of the machine."""

    @property
    def status(self) -> Status | None:
        """Return what screens know of it; None where it cannot be used now."""

    def do(self, action: MachineAction) -> None:
        """Do what a screen asks; actions of other features are ignored.

        Raises:
            DeviceError: The machine refused.
            IllegalEventError: It did so in part; the sentence says which.
        """

    def tick(self) -> Notice | None:
        """Do what is due. Return what to show, perhaps only the new status; None if screens need not be shown anew."""


class Machine:
    """The features that this machine has."""

    def __init__(self, features: Iterable[Feature] = ()) -> None:
        self.features = (*features,)  # the features, in the order of their rows in the settings

    @property
    def status(self) -> MachineStatus:
        """Return what screens know of the machine."""
        found = (feature.status for feature in self.features)
        return MachineStatus(tuple(status for status in found if status is not None))

    def do(self, action: MachineAction) -> None:
        """Do what a screen asks, at once: nothing is written to the journal for it but by the feature itself.

        Every feature gets the action, also if another fails. Raises IllegalEventError if the machine refused. The
        settings open even if a status cannot be read: `RefreshMachineStatus` raises nothing, and failures are logged.
        """
        if isinstance(action, RefreshMachineStatus):
            for feature in self.features:
                with LogAndContinue(f"looking at the machine for {type(feature).__name__}"):
                    feature.do(action)
            return
        faults: list[DeviceError] = []
        for feature in self.features:
            try:
                feature.do(action)
            except DeviceError as fault:
                faults.append(fault)
        if faults:
            raise IllegalEventError("machine", "{fault}", fault=str(faults[0])) from faults[0]

    def remove(self, feature: Feature) -> None:
        """Remove a feature that cannot be used after all."""
        self.features = tuple(each for each in self.features if each is not feature)


class FeatureTask:
    """A feature as a timed task of the loop."""

    def __init__(self, feature: Feature, show: Callable[[Notice], None]) -> None:
        """Make the task; ``show`` is called with the news of the feature."""
        self._feature = feature
        self._show = show

    @property
    def due(self) -> float | None:
        """Return when to call `tick`."""
        return self._feature.due

    def tick(self) -> None:
        """Do what is due, and show what is new."""
        news = self._feature.tick()
        if news is not None:
            self._show(news)


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
