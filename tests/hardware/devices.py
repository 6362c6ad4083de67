"""A simulated Pi with a board, down to the wires, that runs the whole program."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from unittest.mock import patch

from PIL import Image

from companion.cli import main
from companion.ui.keys import Key, parse
from hardware.board import Board, Encoder, Matrix, load
from tests.fakes.chip import Wire
from tests.fakes.i2c import FakeI2c
from tests.fakes.oled import PageController
from tests.fakes.sh1106 import Sh1106
from tests.fakes.signals import pins_with_pwm, pins_without_pwm
from tests.fakes.spi import FakeSpi
from tests.fakes.ssd1306 import Ssd1306
from tests.hardware.virtual_time import VirtualKeys, VirtualTime
from tests.waiting import LAST_RESORT, until

HOLD, TOUCH = 0.7, 0.05


class Device:
    """A Pi with a board, and the program running on it.

    Args:
        folder: The folder of its files.
        name: The name of its board.
        chip: The panel controller, if it is not the board's own.
        settings: Further lines of its settings file.

    Attributes:
        time: The virtual time of its keys.
        pins: The pin factory of its outputs.
        pwm: The pin factory with PWM.
        bus: The bus of its panel.
        chip: The controller of its panel.
        put: The keys passed to the program.
    """

    def __init__(self, folder: Path, name: str = "keypad-4x4", chip: str | None = None, settings: str = "") -> None:
        self.wiring = load(name)
        panel = self.wiring.panel
        self.time = VirtualTime()
        self.pins = pins_without_pwm()
        self.pwm = pins_with_pwm()
        self.chip: PageController = Sh1106() if (chip or panel.chip) == "sh1106" else Ssd1306()
        self.bus: FakeI2c | FakeSpi
        if panel.bus == "spi":
            dc, reset = self.wiring.lines(("dc", "reset"))
            self.bus = FakeSpi(self.chip, self.time.gpio, dc, reset)
        else:
            self.bus = FakeI2c({panel.address: self.chip})
        self.data = folder / "data"
        self.config = folder / "companion.toml"
        own = "" if chip is None else f'chip = "{chip}"'
        self.config.write_text(
            f'board = "{name}"\nlanguage = "en"\n[panel]\n{own}\n[sleep]\nshift = 0\n{settings}', encoding="utf-8"
        )
        self.put: list[Key] = []
        self.failures: list[BaseException] = []
        self._wires = wires(self.wiring)
        self._started = threading.Event()

    def press(self, keys: str) -> None:
        for key in parse(keys):
            with self.held(key.name):
                self.time.wait(HOLD if key.held else TOUCH)
            self.time.wait(TOUCH)  # so that the same key again counts as another press

    @contextmanager
    def held(self, name: str) -> Iterator[None]:
        assert self._started.wait(LAST_RESORT), "nobody looks at the keys"
        for wire in self._wires[name]:
            self.time.gpio.join(*wire)
            self.time.wait(0)
        try:
            yield
        finally:
            for wire in self._wires[name]:
                self.time.gpio.part(*wire)
                self.time.wait(0)

    def glass(self) -> Image.Image:
        """Return what is visible, with the panel mounted as on the board."""
        glass = self.chip.glass()
        return glass.transpose(Image.Transpose.ROTATE_180) if self.wiring.panel.rotation else glass

    def shows(self, picture: Image.Image) -> None:
        """Wait until a picture is visible."""
        until(lambda: self.glass() == picture, "the picture")

    def run(self, evening: Callable[[Device], None], *options: str) -> int:
        """Run the program, with further options, until `evening`, which runs beside it, is over."""

        def watch() -> None:
            try:
                evening(self)
            except BaseException as error:  # raised again on the test's thread
                self.failures.append(error)
            finally:
                os.kill(os.getpid(), signal.SIGTERM)

        start = VirtualKeys.start

        def listened(keys: VirtualKeys, put: Callable[[Key], None]) -> None:
            def told(key: Key) -> None:
                put(key)
                self.put.append(key)

            start(keys, told)
            self._started.set()

        before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        thread = threading.Thread(target=watch)
        with self.reached(), patch.object(VirtualKeys, "start", listened):
            thread.start()
            try:
                status = main(["run", "--data", str(self.data), "--config", str(self.config), *options])
            finally:
                thread.join()
                self._started.clear()
                for number, handler in before.items():
                    signal.signal(number, handler)
        if self.failures:
            raise self.failures[0]
        return status

    @contextmanager
    def reached(self) -> Iterator[None]:
        """Connect the program to this device's lines and bus."""
        smbus = patch("smbus2.SMBus", self.bus.smbus) if isinstance(self.bus, FakeI2c) else patch.dict(sys.modules)
        with (
            smbus,
            self.time.gpio.found(),
            patch("hardware.output_pins.KernelFactory", lambda: self.pins),
            patch("hardware.output_pins.lgpio_factory", lambda: self.pwm),
            patch("hardware.machine.clock.PROGRAM", Path("/nowhere")),  # whatever this machine has
            patch("hardware.keys.source.BoardKeys", partial(VirtualKeys, time=self.time)),
        ):
            if isinstance(self.bus, FakeSpi):
                sys.modules["spidev"] = self.bus.module()
            yield


def wires(board: Board) -> dict[str, tuple[Wire, ...]]:
    """Return the wires that a key press connects and disconnects again, or a turn of the knob."""
    found: dict[str, tuple[Wire, ...]] = {}
    for keys in board.keys:
        match keys:
            case Matrix():
                for row, names in zip(board.lines(keys.rows), keys.keys, strict=True):
                    found |= {name: ((row, at),) for at, name in zip(board.lines(keys.columns), names, strict=True)}
            case Encoder():
                a, b, push = board.lines((keys.a, keys.b, keys.push))
                found |= {">": ((a, "gnd"), (b, "gnd")), "<": ((b, "gnd"), (a, "gnd")), "o": ((push, "gnd"),)}
            case _:
                found |= {name: ((board.pins[pin], "gnd"),) for name, pin in keys.keys.items()}
    return found


@contextmanager
def device(folder: Path, name: str = "keypad-4x4", chip: str | None = None, settings: str = "") -> Iterator[Device]:
    """Make a device that shows messages without waiting for people to read them."""
    made = Device(folder, name, chip, settings)
    with patch("companion.cli.device.FAREWELL", 0), patch("companion.cli.device.READING", 0):
        yield made
