"""Looks for a newer version and installs it, when somebody asks; the system does the work, and keys go on meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.text import Text
from companion.ui.box_update import BoxUpdate, UpdateStage
from companion.ui.screens.update import fault_text
from companion.ui.translations import _

from .ports import Clock, DeviceError, Updater

if TYPE_CHECKING:
    from companion.installation.found_update import FoundUpdate

LOOK = 0.5
"""Seconds between two looks whether the system has done its work."""


class UpdateTask:
    """A timed task that shows how far an update is; without an installed box it does nothing.

    Attributes:
        state: How far the update is; None where the program was not installed from a package.
    """

    def __init__(
        self,
        updater: Updater | None,
        clock: Clock,
        told: Callable[[Text, bool], None],
        changed: Callable[[], None],
    ) -> None:
        """Look for nothing yet.

        Args:
            updater: Asks the system; None where the program was not installed from a package.
            clock: Supplies the time.
            told: Called with a message for the panel, and whether it is an error.
            changed: Called when `state` has changed by itself.
        """
        self._updater = updater
        self._clock = clock
        self._told = told
        self._changed = changed
        self._due: float | None = None
        self.state = None if updater is None else BoxUpdate(updater.here)

    def look(self) -> None:
        """Begin to look for a newer version, unless the system is at work."""
        if self._updater is not None and self.state is not None and not self.state.at_work:
            self._begin(self._updater.look, BoxUpdate(self.state.here, UpdateStage.LOOKING))

    def install(self) -> None:
        """Begin to install the version that was found."""
        if self._updater is not None and self.state is not None and self.state.stage is UpdateStage.FOUND:
            self._begin(self._updater.install, replace(self.state, stage=UpdateStage.INSTALLING))

    def _begin(self, begin: Callable[[], None], state: BoxUpdate) -> None:
        try:
            begin()
        except DeviceError:
            self.state = replace(state, stage=UpdateStage.FAILED, fault="other")
        else:
            self.state, self._due = state, self._clock.passed() + LOOK

    @property
    def due(self) -> float | None:
        """Return when to call `tick`."""
        return self._due

    def tick(self) -> None:
        """Show what the system has found or done, once it has."""
        if self._updater is None or self.state is None or self._due is None:
            return
        outcome = self._updater.outcome()
        if outcome is None:
            self._due = self._clock.passed() + LOOK
            return
        before, self._due = self.state, None
        self.state = after = _after(before, outcome)
        self._changed()
        if before.stage is not UpdateStage.INSTALLING:
            return
        if after.stage is UpdateStage.FAILED:
            self._told(_("Not updated: {why}", why=fault_text(after.fault)), True)
        else:
            self._told(_("{version} is installed. It runs from the next start on", version=after.version), False)


def _after(state: BoxUpdate, outcome: FoundUpdate) -> BoxUpdate:
    """Return the state after the system has done what it was asked for."""
    if outcome.fault:
        return replace(state, stage=UpdateStage.FAILED, fault=outcome.fault)
    if state.stage is UpdateStage.INSTALLING:
        return replace(state, stage=UpdateStage.INSTALLED)
    if not outcome.version:
        return replace(state, stage=UpdateStage.NOTHING_NEWER)
    from urllib.parse import urlsplit  # nothing at the start needs it

    host = urlsplit(outcome.place).hostname
    place = host or PurePosixPath(outcome.place).parent.name
    return replace(state, stage=UpdateStage.FOUND, version=outcome.version, place=place, on_drive=not host)
