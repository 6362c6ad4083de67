"""The features of the machine that a box has: own Wi-Fi, clock, USB drive, panel test, updates."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.machine import Feature
from companion.app.ports import Clock

from . import clock
from .own_wifi import OwnWifi
from .usb_drive import UsbBackupDrive, UsbGames

if TYPE_CHECKING:
    from hardware.device_factory import DeviceFactory


def machine_features(
    devices: DeviceFactory, time: Clock, data: Path, updater: Feature | None, *, phones: bool
) -> Iterator[Feature]:
    """Yield the features that this machine has, in the order of their rows in the settings.

    The box's own Wi-Fi is for phones; an updater is there where the program was installed from a package.
    """
    if phones:
        yield OwnWifi(time)
    if clock.PROGRAM.exists():
        yield clock.TimedatedClock()
    yield UsbBackupDrive(data, time)
    yield UsbGames(data)
    panel = devices.controllers(time)
    if panel is not None:
        yield panel
    if updater is not None:
        yield updater
