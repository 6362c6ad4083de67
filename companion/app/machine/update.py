"""Looks for a newer version and installs it, when somebody asks; the system does the work, and keys go on meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from companion.app.ports import Clock, DeviceError
from companion.ui.screens.commands import MachineAction
from companion.ui.screens.machine.update import InstallUpdate, LookForUpdate, UpdateStage, UpdateStatus, fault_text
from companion.ui.translations import _

from . import News

if TYPE_CHECKING:
    from companion.installation.found_update import FoundUpdate

LOOK = 0.5  # seconds between two looks whether the system has done its work


class Updater(Protocol):
    """Looks for a newer version of the program, and installs it. The system does both; one of them at a time."""

    @property
    def here(self) -> str:
        """Return the version of this box."""

    def look(self) -> None:
        """Begin to look; this returns at once. Raises DeviceError if the system cannot be asked."""

    def install(self) -> None:
        """Begin to install what was found. The system restarts this program when it has done so.

        Raises DeviceError if the system cannot be asked.
        """

    def outcome(self) -> FoundUpdate | None:
        """Return what was found or what failed; None while the system is at work."""


class UpdateFeature:
    """Asks the system for a newer version, and shows how far it is."""

    def __init__(self, updater: Updater, clock: Clock) -> None:
        self._updater = updater
        self._clock = clock
        self.status = UpdateStatus(updater.here)  # how far the update is
        self.due: float | None = None  # when to see whether the system has done its work; None while it is not at work

    def do(self, action: MachineAction) -> None:
        """Begin to look, unless the system is at work, or begin to install the version that was found."""
        match action:
            case LookForUpdate() if not self.status.at_work:
                self._begin(self._updater.look, UpdateStatus(self.status.here, UpdateStage.LOOKING))
            case InstallUpdate() if self.status.stage is UpdateStage.FOUND:
                self._begin(self._updater.install, replace(self.status, stage=UpdateStage.INSTALLING))

    def _begin(self, begin: Callable[[], None], status: UpdateStatus) -> None:
        try:
            begin()
        except DeviceError:
            self.status = replace(status, stage=UpdateStage.FAILED, fault="other")
        else:
            self.status, self.due = status, self._clock.passed() + LOOK

    def tick(self) -> News | None:
        """Read the system's answer when it is there; return the message, if it has one."""
        outcome = self._updater.outcome()
        if outcome is None:
            self.due = self._clock.passed() + LOOK
            return None
        before, self.due = self.status, None
        self.status = after = _after(before, outcome)
        if before.stage is not UpdateStage.INSTALLING:
            return News()
        if after.stage is UpdateStage.FAILED:
            return News(_("Not updated: {why}", why=fault_text(after.fault)), refused=True)
        return News(_("{version} is installed. It runs from the next start on", version=after.version))


def _after(status: UpdateStatus, outcome: FoundUpdate) -> UpdateStatus:
    """Return the status after the system has done what it was asked for."""
    if outcome.fault:
        return replace(status, stage=UpdateStage.FAILED, fault=outcome.fault)
    if status.stage is UpdateStage.INSTALLING:
        return replace(status, stage=UpdateStage.INSTALLED)
    if not outcome.version:
        return replace(status, stage=UpdateStage.NOTHING_NEWER)
    from urllib.parse import urlsplit  # nothing at the start needs it

    host = urlsplit(outcome.place).hostname
    place = host or PurePosixPath(outcome.place).parent.name
    return replace(status, stage=UpdateStage.FOUND, version=outcome.version, place=place, on_drive=not host)
