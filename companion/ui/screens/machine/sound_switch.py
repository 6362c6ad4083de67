"""The status and the command of the switch for sounds, on a machine with a buzzer."""

from __future__ import annotations

from companion.ui.screens.commands import MachineAction
from companion.ui.screens.context import Status


class SoundStatus(Status, frozen=True):
    """Whether sounds are played. The settings show it near their top, not among the machine's rows."""

    on: bool


class SetSound(MachineAction, frozen=True):
    """Action: switch the sound on or off."""

    on: bool
