"""The row of the settings that backs up all games to a USB drive."""

from __future__ import annotations

from companion.core.text import Text
from companion.ui.screens.commands import MachineAction, OnMachine
from companion.ui.screens.context import Screen, Status, Transition
from companion.ui.translations import _


class DriveStatus(Status, frozen=True):
    """The USB drive for backups; its name is empty if none was there when the settings were opened."""

    name: str = ""

    def row(self, settings: Screen) -> tuple[Text, Text, Transition] | None:
        begun = Transition(settings, OnMachine(BackUp()), _("Writing the backup"))
        return (_("Back up to USB"), Text(""), begun) if self.name else None


class BackUp(MachineAction, frozen=True):
    """Action: back up all games to the USB drive."""
