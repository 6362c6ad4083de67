"""Panels whose glass can be inspected, for the tests of the panel.

With COMPANION_LAB=1, on a machine whose kernel simulates a panel on /dev/i2c-1, the contract is tested on that one.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, Protocol
from unittest.mock import patch

from luma.core.interface.serial import i2c
from PIL import Image

from companion.app.outputs import MemoryPanel
from companion.app.ports import Panel
from hardware.panel import SIZE, LumaPanel, open_panel
from hardware.panel_bus import Chip, PanelSpec
from tests.fakes.chip import FakeGpio
from tests.fakes.i2c import FakeI2c
from tests.fakes.sh1106 import Sh1106
from tests.fakes.spi import FakeSpi
from tests.fakes.ssd1306 import Ssd1306
from tests.fakes.ssd1322 import Ssd1322
from tests.harness.virtual_pi.glass import glass, registers

ADDRESS = 0x3C
DC, RESET = 24, 25


class Rig(Protocol):
    """A panel whose glass can be inspected."""

    @property
    def panel(self) -> Panel: ...

    def seen(self) -> Image.Image:
        """Return what is visible on it now."""


class FallibleRig(Rig, Protocol):
    """A panel that can also be lost and restored."""

    def lose(self) -> None:
        """Make it refuse pictures."""

    def restore(self) -> None:
        """Let it take pictures again."""


@dataclass
class Remembered:
    """A panel without a device; it cannot be lost."""

    panel: MemoryPanel

    def seen(self) -> Image.Image:
        dark = self.panel.picture is None or not self.panel.level
        return Image.new("1", SIZE) if dark or self.panel.picture is None else self.panel.picture


class SimulatedChip(Protocol):
    """A simulated controller."""

    contrast: int
    lit: bool
    received: int
    ram: bytearray

    def glass(self) -> Image.Image: ...

    def power_cut(self) -> None: ...


class SimulatedBus(Protocol):
    """A simulated bus."""

    sent: int
    handles: int

    def carry(self, *message: Any) -> None: ...

    def unplug(self, *, powered: bool = False) -> None: ...

    def plug(self) -> None: ...

    def fail_every(self, n: int, *, after: int = 0, code: int = errno.EIO) -> None: ...


@dataclass
class Bench:
    """A LumaPanel on a simulated controller on a simulated bus."""

    panel: LumaPanel
    chip: SimulatedChip
    bus: SimulatedBus
    rotation: Literal[0, 180] = 0

    def seen(self) -> Image.Image:
        """Return the middle of the glass, as mounted; check that all around it is black."""
        glass = self.chip.glass()
        if self.rotation:
            glass = glass.transpose(Image.Transpose.ROTATE_180)
        left, top = (glass.width - SIZE[0]) // 2, (glass.height - SIZE[1]) // 2
        middle = glass.crop((left, top, left + SIZE[0], top + SIZE[1]))
        glass.paste(0, (left, top, left + SIZE[0], top + SIZE[1]))
        assert glass.getbbox() is None
        return middle

    def lose(self) -> None:
        self.bus.unplug()

    def restore(self) -> None:
        self.bus.plug()

    def renew(self) -> None:
        """Reset bench and panel to their initial state, except for the noise in the RAM."""
        self.bus.fail_every(0)
        self.bus.plug()
        self.panel.close()
        self.panel.shine(255)
        self.chip.power_cut()


@contextmanager
def over_smbus2(chip: Chip, rotation: Literal[0, 180] = 0) -> Iterator[Bench]:
    """Make a bench with the bus library that runs on a board."""
    simulated = Sh1106() if chip == "sh1106" else Ssd1306()
    bus = FakeI2c({ADDRESS: simulated})
    with patch("smbus2.SMBus", bus.smbus):
        made = open_panel(PanelSpec(chip=chip, address=ADDRESS, rotation=rotation))
        yield Bench(made, simulated, bus, rotation)


@contextmanager
def over_fake_rpi() -> Iterator[Bench]:
    """Make a bench with fake-rpi's bus, which sends 32 bytes at a time."""
    simulated = Ssd1306()
    bus = FakeI2c({ADDRESS: simulated})
    connect = partial(i2c, address=ADDRESS)
    made = LumaPanel(PanelSpec(), lambda: connect(bus=bus.fake_rpi_bus()))
    yield Bench(made, simulated, bus)


@contextmanager
def over_spi(chip: Chip, reset: int | None = RESET) -> Iterator[Bench]:
    """Make a bench on SPI."""
    simulated: Ssd1306 | Sh1106 | Ssd1322
    match chip:
        case "ssd1322":
            simulated = Ssd1322()
        case "sh1106":
            simulated = Sh1106()
        case _:
            simulated = Ssd1306()
    gpio = FakeGpio()
    bus = FakeSpi(simulated, gpio, DC, reset)
    with gpio.found(), patch.dict(sys.modules, spidev=bus.module()):
        yield Bench(open_panel(PanelSpec(chip=chip, bus="spi"), DC, reset), simulated, bus)


class OnTheKernel:
    """A LumaPanel on this machine's I2C bus, whose kernel simulates the controller."""

    _BUS = Path("/sys/kernel/labi2c")

    def __init__(self) -> None:
        chip: Chip = "sh1106" if registers(self._state())["chip"] == "sh1106" else "ssd1306"
        self.panel = open_panel(PanelSpec(chip=chip, address=ADDRESS))

    def seen(self) -> Image.Image:
        return glass(self._state(), (self._BUS / "gddram").read_bytes())

    def lose(self) -> None:
        """Unplug it: it no longer answers and loses its state."""
        self._order("fault", "nack")
        self._order("reset", "1")

    def restore(self) -> None:
        self._order("fault", "none")

    def _state(self) -> str:
        return (self._BUS / "state").read_text()

    def _order(self, knob: str, order: str) -> None:
        (self._BUS / knob).write_text(order + "\n")


@contextmanager
def on_the_kernel() -> Iterator[OnTheKernel]:
    """Make a rig on the kernel's simulated panel, just plugged in."""
    rig = OnTheKernel()
    rig.lose()
    rig.restore()
    try:
        yield rig
    finally:
        rig.restore()
        rig.panel.close()


BENCHES: dict[str, Callable[[], AbstractContextManager[Bench]]] = {
    "ssd1306": partial(over_smbus2, "ssd1306"),
    "ssd1306 over fake-rpi": over_fake_rpi,
    "ssd1309 over spi": partial(over_spi, "ssd1309", reset=None),
    "sh1106": partial(over_smbus2, "sh1106"),
    "sh1106 over spi": partial(over_spi, "sh1106"),
    "ssd1322 over spi": partial(over_spi, "ssd1322"),
    "ssd1306 turned": partial(over_smbus2, "ssd1306", rotation=180),
    "sh1106 turned": partial(over_smbus2, "sh1106", rotation=180),
}

# Every panel that the contract applies to, and those that can be lost.
FALLIBLE: dict[str, Callable[[], AbstractContextManager[FallibleRig]]] = (
    {"on the kernel": on_the_kernel} if os.environ.get("COMPANION_LAB") == "1" else {**BENCHES}
)
RIGS: dict[str, Callable[[], AbstractContextManager[Rig]]] = {
    **FALLIBLE,
    "memory": lambda: nullcontext(Remembered(MemoryPanel())),
}
