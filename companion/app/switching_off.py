"""Switches the machine off, if the program may and everything is saved."""

from __future__ import annotations

from companion.core.text import Text
from companion.ui.translations import _

from .journal_maintenance import JournalUpkeep
from .ports import DeviceError, Power


def switch_off(upkeep: JournalUpkeep, power: Power | None, lost: Text) -> tuple[Text, bool]:
    """Switch the machine off. Return the message, and whether it is a refusal.

    ``lost`` is the message if something cannot be saved; ``power`` is None where the program may not switch off.
    """
    if not upkeep.save():
        return lost, True
    try:
        if power is None or not power.may():
            return _("This box may not switch itself off"), True
        power.off()
    except DeviceError as fault:
        return _("{fault}", fault=str(fault)), True
    return _("Switching off"), False
