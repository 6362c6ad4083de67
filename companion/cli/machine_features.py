"""Lists the features of the machine: own Wi-Fi, clock, USB drive, panel test, updates."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.timedated import timedated_clock

from .usb_backup_writer import UsbBackupDrive
from .usb_games import UsbGames

if TYPE_CHECKING:
    from companion.app.machine import Feature
    from companion.app.ports import Clock
    from hardware.device_factory import DeviceFactory


def machine_features(
    devices: DeviceFactory, clock: Clock, data: Path, updater: Feature | None, *, phones: bool
) -> Iterator[Feature]:
    """Yield the features that this machine has, in the order of their rows in the settings.

    The box's own Wi-Fi is for phones; an updater is there where the program was installed from a package.
    """
    if phones:
        from hardware.own_wifi import SystemdWifi

        yield SystemdWifi(clock)
    setter, panel = timedated_clock(), devices.controllers(clock)
    if setter is not None:
        yield setter
    yield UsbBackupDrive(data, clock)
    yield UsbGames(data)
    if panel is not None:
        yield panel
    if updater is not None:
        yield updater
