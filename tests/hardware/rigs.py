"""Panels with something to look at them: what the tests of this folder are run on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Protocol
from unittest.mock import patch

from luma.core.interface.serial import i2c
from PIL import Image

from companion.app.panel import MemoryPanel
from companion.app.ports import Panel
from hardware.fakes.i2c import FakeI2c
from hardware.fakes.ssd1306 import Ssd1306
from hardware.panel import LumaPanel, open_panel

ADDRESS = 0x3C


class Rig(Protocol):
    """A panel that can be looked at."""

    @property
    def panel(self) -> Panel: ...

    def seen(self) -> Image.Image:
        """Return what a person sees on it now."""


class FallibleRig(Rig, Protocol):
    """A panel that can also be lost and given back."""

    def lose(self) -> None:
        """Make it take no more pictures."""

    def restore(self) -> None:
        """Let it take pictures again."""


@dataclass
class Remembered:
    """A panel without a device, which is never lost."""

    panel: MemoryPanel

    def seen(self) -> Image.Image:
        return self.panel.picture or Image.new("1", self.panel.size)


@dataclass
class Bench:
    """A LumaPanel on a simulated controller on a simulated bus."""

    panel: LumaPanel
    chip: Ssd1306
    bus: FakeI2c

    def seen(self) -> Image.Image:
        return self.chip.glass()

    def lose(self) -> None:
        self.bus.unplug()

    def restore(self) -> None:
        self.bus.plug()

    def renew(self) -> None:
        """Bring bench and panel back to where they began, but for the noise in the RAM."""
        self.panel.close()
        self.bus.plug()
        self.bus.fail_every(0)
        self.chip.power_cut()


@contextmanager
def over_smbus2() -> Iterator[Bench]:
    """Make a bench on the path that runs on a board."""
    chip = Ssd1306()
    bus = FakeI2c({ADDRESS: chip})
    with patch("smbus2.SMBus", bus.smbus):
        yield Bench(open_panel(1, ADDRESS), chip, bus)


@contextmanager
def over_fake_rpi() -> Iterator[Bench]:
    """Make a bench on the path of 32 bytes at a time."""
    chip = Ssd1306()
    bus = FakeI2c({ADDRESS: chip})
    yield Bench(LumaPanel(lambda: i2c(bus=bus.fake_rpi_bus(), address=ADDRESS)), chip, bus)


BENCHES: dict[str, Callable[[], AbstractContextManager[Bench]]] = {
    "smbus2": over_smbus2,
    "fake-rpi": over_fake_rpi,
}

# Every panel that the contract holds for, and those of them that can be lost.
FALLIBLE: dict[str, Callable[[], AbstractContextManager[FallibleRig]]] = {
    "luma over smbus2": over_smbus2,
    "luma over fake-rpi": over_fake_rpi,
}
RIGS: dict[str, Callable[[], AbstractContextManager[Rig]]] = {
    **FALLIBLE,
    "memory": lambda: nullcontext(Remembered(MemoryPanel())),
}
