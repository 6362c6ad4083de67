"""Lists the features of the machine: own Wi-Fi, clock, USB drive, panel test, updates."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.machine.drive import DriveFeature, DriveGamesFeature
from companion.app.machine.panel_test import PanelFeature
from companion.app.machine.settings import ClockFeature, OwnWifiFeature
from companion.app.machine.update import UpdateFeature
from hardware.timedated import timedated_clock

from .usb_backup_writer import UsbBackupDrive
from .usb_games import UsbGames

if TYPE_CHECKING:
    from companion.app.machine import Feature
    from companion.app.machine.update import Updater
    from companion.app.ports import Clock
    from hardware.device_factory import DeviceFactory


def machine_features(
    devices: DeviceFactory, clock: Clock, data: Path, updater: Updater | None, *, phones: bool
) -> Iterator[Feature]:
    """Yield the features that this machine has, in the order of their rows in the settings.

    The box's own Wi-Fi is for phones; an updater is there where the program was installed from a package.
    """
    if phones:
        from hardware.own_wifi import SystemdWifi

        yield OwnWifiFeature(SystemdWifi(), clock)
    setter, panel = timedated_clock(), devices.controllers()
    if setter is not None:
        yield ClockFeature(setter)
    yield DriveFeature(UsbBackupDrive(data), clock)
    yield DriveGamesFeature(UsbGames(data))
    if panel is not None:
        yield PanelFeature(panel, clock)
    if updater is not None:
        yield UpdateFeature(updater, clock)
