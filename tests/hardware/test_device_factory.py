"""The devices made from settings: which, on which pins, and who closes them."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from companion.app.ports import DeviceError
from companion.ui.keys import Key
from hardware.board import Buttons
from hardware.device_factory import DeviceFactory
from hardware.machine import machine_features
from hardware.machine.clock import TimedatedClock
from hardware.machine.own_wifi import OwnWifi
from hardware.machine.panel_test import ExchangeableController
from hardware.machine.usb_drive import UsbBackupDrive, UsbGames
from hardware.owner_settings import Settings, load
from tests.fakes.chip import FakeGpio
from tests.fakes.clock import FixedClock
from tests.fakes.machine import MemoryUpdater
from tests.fakes.signals import pins_with_pwm
from tests.waiting import LAST_RESORT


class Pins:
    """Records every requested pin factory: "kernel" and "lgpio"."""

    def __init__(self) -> None:
        self.made: dict[str, Any] = {}

    def make(self, name: str) -> Any:
        assert name not in self.made, "asked for twice"
        self.made[name] = pins_with_pwm()
        return self.made[name]


def settings(folder: Path, text: str) -> Settings:
    file = folder / "companion.toml"
    file.write_text(text, encoding="utf-8")
    return load(file, lambda: ("en",))


@contextmanager
def opened(folder: Path, text: str) -> Iterator[tuple[DeviceFactory, Pins]]:
    pins = Pins()
    with (
        patch("hardware.output_pins.KernelFactory", partial(pins.make, "kernel")),
        patch("hardware.output_pins.lgpio_factory", partial(pins.make, "lgpio")),
    ):
        made = DeviceFactory(settings(folder, text), folder)
        try:
            yield made, pins
        finally:
            made.close()


@pytest.mark.parametrize("text", ["", '[sounds]\nbuzzer = "passive"\non = false'])
def test_a_buzzer_that_is_not_there_or_not_to_be_heard_is_none_and_takes_no_pins(tmp_path: Path, text: str) -> None:
    with opened(tmp_path, text) as (made, pins):
        assert made.buzzer() is None
        assert made.lamp() is None
        assert pins.made == {}


@pytest.mark.parametrize(("common", "dark"), [("cathode", False), ("anode", True)])
def test_a_dark_lamp_has_the_level_of_its_common_leg(tmp_path: Path, common: str, dark: bool) -> None:
    with opened(tmp_path, f'[lamp]\non = true\ncommon = "{common}"') as (made, pins):
        lamp = made.lamp()
        assert lamp is not None
        assert [bool(pins.made["kernel"].pin(line).state) for line in (17, 27, 22)] == [dark] * 3
        lamp.close()


@pytest.mark.parametrize(
    ("text", "factories"),
    [
        ('[lamp]\non = true\n[sounds]\nbuzzer = "active"', {"kernel"}),
        ('[lamp]\non = true\nbrightness = 0.5\n[sounds]\nbuzzer = "active"', {"kernel", "lgpio"}),
        ('[lamp]\non = true\n[sounds]\nbuzzer = "passive"', {"kernel", "lgpio"}),
        ("", set()),
        ('board = "oled-hat"', set()),
    ],
)
def test_only_pwm_devices_use_lgpio_and_each_factory_is_shared_and_closed_at_the_end(
    tmp_path: Path, text: str, factories: set[str]
) -> None:
    with opened(tmp_path, text) as (made, pins):
        devices: list[Any] = [made.panel(), made.keys(), made.lamp(), made.buzzer()]
        assert set(pins.made) == factories
        for device in devices:
            if device is not None:
                device.close()
    assert not [pin for factory in pins.made.values() for pin in factory.pins]


def test_a_chip_that_cannot_be_opened_is_a_fault_of_the_lamp_alone(tmp_path: Path) -> None:
    made = DeviceFactory(settings(tmp_path, "[lamp]\non = true\nbrightness = 0.5"), tmp_path)
    with (
        patch("hardware.output_pins.lgpio_factory", side_effect=OSError(errno.EIO, os.strerror(errno.EIO))),
        pytest.raises(DeviceError, match="The GPIO chip cannot be opened: Input/output error"),
    ):
        made.lamp()


def test_buttons_to_3v3_are_pulled_down(tmp_path: Path) -> None:
    wired = settings(tmp_path, 'board = "three-buttons"')
    keys = Buttons({"<": "left", "o": "choose", ">": "right"}, pull="down")
    came: SimpleQueue[Key] = SimpleQueue()
    with FakeGpio().found() as gpio:
        board = msgspec.structs.replace(wired.board, keys=(keys,))
        made = DeviceFactory(msgspec.structs.replace(wired, board=board), tmp_path)
        source = made.keys()
        source.start(came.put)
        try:
            gpio.join(13, "vcc")
            assert came.get(timeout=LAST_RESORT) == Key(">")
        finally:
            source.close()
            made.close()


def test_a_machine_has_the_features_that_it_can_use_in_the_order_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    timedated, devices, updater = (
        tmp_path / "timedated",
        DeviceFactory(settings(tmp_path, ""), tmp_path),
        MemoryUpdater(),
    )
    monkeypatch.setattr("hardware.machine.clock.PROGRAM", timedated)

    def kinds(updater: MemoryUpdater | None, *, phones: bool) -> list[type]:
        return [type(each) for each in machine_features(devices, FixedClock(), tmp_path, updater, phones=phones)]

    assert kinds(None, phones=False) == [UsbBackupDrive, UsbGames]
    timedated.touch()
    devices.panel()
    usb = UsbBackupDrive, UsbGames
    assert kinds(updater, phones=True) == [OwnWifi, TimedatedClock, *usb, ExchangeableController, MemoryUpdater]
