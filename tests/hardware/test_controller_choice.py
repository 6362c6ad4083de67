"""Trying the panel's other controller, on simulated chips that take the bytes of the wrong driver as real ones do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest
from PIL import Image

from companion.app.ports import DeviceError
from companion.ui import view
from companion.ui.panel import draw
from companion.ui.view import ListBody, View
from hardware.device_factory import FILE, ControllerChoice, DeviceFactory
from hardware.machine.panel_test import BeginPanelTest, ExchangeableController
from hardware.owner_settings import Settings, load
from hardware.panel_bus import Chip
from tests.fakes.clock import FixedClock
from tests.fakes.i2c import FakeI2c
from tests.fakes.sh1106 import Sh1106
from tests.fakes.ssd1306 import Ssd1306
from tests.hardware.panel_rigs import ADDRESS
from tests.hardware.pictures import blank

PICTURE = draw(View(view.TestPictureBody(("Is the frame whole?", "1: yes   2: no"))))
MENU = draw(View(ListBody("Settings", (("Language", "English"), ("Test picture", "")))))
REAL: dict[str, type[Ssd1306 | Sh1106]] = {"ssd1306": Ssd1306, "sh1106": Sh1106}


def chips(name: str) -> list[Ssd1306 | Sh1106]:
    """Return the ways in which a real chip takes the bytes of another's driver."""
    if name == "sh1106":
        return [Sh1106(seed=5, tolerant=True)]
    return [Ssd1306(seed=5, tolerant="ignored"), Ssd1306(seed=5, tolerant="obeyed")]


def set_to(chip: str | None, folder: Path) -> Settings:
    file = folder / "companion.toml"
    file.write_text("" if chip is None else f'[panel]\nchip = "{chip}"\n')
    return load(file, tuple)


def cut(seen: Image.Image) -> int:
    """Return how many pixels of the frame are dark, on the side with the most of them."""
    width, height = seen.size
    sides = [
        [(x, 0) for x in range(width)],
        [(x, height - 1) for x in range(width)],
        [(0, y) for y in range(height)],
        [(width - 1, y) for y in range(height)],
    ]
    return max(sum(not seen.getpixel(place) for place in side) for side in sides)


@contextmanager
def connected(
    chip: Ssd1306 | Sh1106, settings: Settings, folder: Path
) -> Iterator[tuple[ExchangeableController, DeviceFactory]]:
    with patch("smbus2.SMBus", FakeI2c({ADDRESS: chip}).smbus):
        devices = DeviceFactory(settings, folder)
        panel = devices.panel()
        panel.show(MENU)
        pair = devices.controllers(FixedClock())
        assert pair is not None
        pair.blacken()
        panel.show(PICTURE)
        yield pair, devices
        panel.close()


@pytest.mark.parametrize("soldered", ["ssd1306", "sh1106"])
def test_the_right_controllers_frame_is_whole_and_the_wrong_ones_is_not(soldered: str, tmp_path: Path) -> None:
    for named in ("ssd1306", "sh1106"):
        for chip in chips(soldered):
            with connected(chip, set_to(named, tmp_path), tmp_path):
                if named == soldered:
                    assert chip.glass() == PICTURE
                else:
                    assert cut(chip.glass()) >= 15


@pytest.mark.parametrize(("soldered", "named"), [("ssd1306", "sh1106"), ("sh1106", "ssd1306")])
def test_the_other_controller_makes_the_frame_whole_and_going_back_undoes_it(
    soldered: str, named: str, tmp_path: Path
) -> None:
    for chip in chips(soldered):
        with connected(chip, set_to(named, tmp_path), tmp_path) as (pair, devices):
            assert (pair.used, pair.other) == (named.upper(), soldered.upper())
            panel = devices._opened[0] if devices._opened else None
            assert panel is not None
            pair.exchange()
            assert chip.glass() == blank()
            panel.show(PICTURE)
            assert chip.glass() == PICTURE
            panel.show(MENU)
            assert chip.glass() == MENU
            assert pair.used == soldered.upper()
            pair.exchange()
            panel.show(PICTURE)
            assert cut(chip.glass()) >= 15


def test_the_test_makes_the_panel_black_first_so_that_its_picture_is_sent_in_parts(tmp_path: Path) -> None:
    chip = Ssd1306()
    with connected(chip, set_to(None, tmp_path), tmp_path) as (pair, _devices):
        pair.do(BeginPanelTest())
        assert chip.glass() == blank()


@pytest.mark.parametrize("named", ["sh1106", None])
def test_a_kept_choice_counts_from_the_first_picture_until_the_setting_changes(
    named: str | None, tmp_path: Path
) -> None:
    settings = set_to(named, tmp_path)
    other: Chip = "ssd1306" if named else "sh1106"
    ControllerChoice(settings, tmp_path).keep(other)
    assert ControllerChoice(settings, tmp_path).spec().chip == other
    chip = REAL[other]()  # it takes no byte of another driver
    with connected(chip, settings, tmp_path):
        assert chip.glass() == PICTURE
    for changed in {None, "ssd1306", "sh1106", "ssd1309"} - {named}:
        spec = ControllerChoice(set_to(changed, tmp_path), tmp_path).spec()
        assert spec.chip == (changed or "ssd1306")


@pytest.mark.parametrize("written", ["", "keypad-4x4 - ssd1322\n", "keypad-4x4 - sh1106", "\0" * 30, "x" * 9000])
def test_a_damaged_choice_does_not_count(written: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(written)
    settings = set_to(None, tmp_path)
    assert ControllerChoice(settings, tmp_path).spec() == settings.panel


def test_a_choice_that_cannot_be_kept_says_why_and_leaves_nothing(tmp_path: Path) -> None:
    choice = ControllerChoice(set_to(None, tmp_path), tmp_path)
    before = sorted(tmp_path.iterdir())
    with (
        patch("os.fsync", side_effect=OSError(28, "No space left on device")),
        pytest.raises(DeviceError, match="space"),
    ):
        choice.keep("sh1106")
    assert sorted(tmp_path.iterdir()) == before


def test_everybody_may_read_a_choice(tmp_path: Path) -> None:
    before = os.umask(0o022)  # root's, whoever runs the test
    try:
        ControllerChoice(set_to(None, tmp_path), tmp_path / "new").keep("sh1106")
    finally:
        os.umask(before)
    assert (tmp_path / "new" / FILE).stat().st_mode & 0o777 == 0o644


def test_there_is_nothing_to_try_for_another_kind_of_panel_or_before_there_is_one(tmp_path: Path) -> None:
    assert DeviceFactory(set_to(None, tmp_path), tmp_path).controllers(FixedClock()) is None
    (tmp_path / "companion.toml").write_text('panel = {chip = "ssd1322", bus = "spi"}')
    devices = DeviceFactory(load(tmp_path / "companion.toml", tuple), tmp_path)
    devices.panel()
    assert devices.controllers(FixedClock()) is None
