"""Switches the sounds on and off."""

from __future__ import annotations

from companion.app.output_devices import Outputs
from companion.journal import Journal
from companion.ui.screens.commands import MachineAction
from companion.ui.screens.machine.sound_switch import SetSound, SoundStatus

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
