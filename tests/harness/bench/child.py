"""A process to measure: a bare hello-world, or the box itself, on simulated lines and a simulated bus.

The simulated bus takes no time and is minimal, so that its cost is the same for both.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

WHOLE = 8
"""The messages of a whole picture, as the first one is: one for each page."""

ADDRESS = 0x3C

DOWN = 0.06
"""Seconds for which a key is down."""


class Bus:
    """A test double of smbus2.SMBus that records when parts of pictures came."""

    parts = 0
    last = 0.0
    first: float | None = None
    came = threading.Condition()

    @staticmethod
    def shown() -> None:
        """Called when the first picture is there; does nothing here."""

    def __init__(self, *_: object) -> None: ...

    def open(self, *_: object) -> None: ...

    def close(self) -> None: ...

    def write_i2c_block_data(self, *_: object) -> None: ...

    def i2c_rdwr(self, *messages: Any) -> None:
        """Accept messages of any length."""
        now = time.monotonic()
        with Bus.came:
            Bus.last = now
            Bus.parts += len(messages)
            Bus.came.notify_all()
        if Bus.first is None and Bus.parts >= WHOLE:
            Bus.first = now
            Bus.shown()


def memory() -> float:
    """Return this process's resident memory in megabytes."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def wakes() -> int:
    """Return the number of context switches of this process's threads."""
    return sum(
        int(line.split()[1])
        for status in Path("/proc/self/task").glob("*/status")
        for line in status.read_text().splitlines()
        if line.startswith("voluntary_ctxt_switches")
    )


def bare(started: float) -> None:
    """Show a greeting on the panel, with a button, as the first pages of luma and gpiozero do."""
    import smbus2  # what it takes is measured

    smbus2.SMBus = Bus  # type: ignore[misc,assignment]
    from gpiozero import Button
    from gpiozero.pins.mock import MockFactory
    from luma.core.interface.serial import i2c
    from luma.core.render import canvas
    from luma.oled.device import ssd1306

    button = Button(17, pin_factory=MockFactory())
    device = ssd1306(i2c(port=1, address=ADDRESS))
    with canvas(device) as draw:
        draw.text((10, 20), "Hello", fill="white")
    now = time.monotonic()
    tell(first=now - started, ready=now - started, memory=memory())
    button.close()


def box(beside: Callable[[Any], None], lines: bool) -> None:
    """Run the box, with a function on another thread; the process ends when that returns.

    Args:
        beside: The function; its argument is the simulated chip, if there is one.
        lines: Whether to simulate a chip down to its edges; otherwise they never change.
    """
    import smbus2  # what it takes is measured

    smbus2.SMBus = Bus  # type: ignore[misc,assignment]
    from companion.cli import main

    with ExitStack() as stack:
        gpio = None
        if lines:
            from tests.fakes.chip import FakeGpio

            gpio = stack.enter_context(FakeGpio().found())
            Kernel.measure()
        else:
            Bus.shown = _with_deaf_pins  # type: ignore[method-assign]

        def watch() -> None:
            try:
                beside(gpio)
            finally:
                sys.stdout.flush()
                os._exit(0)

        folder = os.environ["BENCH"]
        config = Path(folder) / "companion.toml"
        config.touch()
        threading.Thread(target=watch, daemon=True).start()
        main(["run", "--data", folder, "--config", str(config)])


class Kernel:
    """Measures what the simulated kernel costs on the keys' thread, in which a real one takes some microseconds."""

    seconds = 0.0

    @classmethod
    def measure(cls) -> None:
        from hardware.keys import lines

        for name in ("ioctl", "read"):
            setattr(lines, name, cls._measured(getattr(lines, name)))

    @classmethod
    def _measured(cls, call: Callable[..., int]) -> Callable[..., int]:
        def measured(*arguments: Any) -> int:
            began = time.thread_time()
            try:
                return call(*arguments)
            finally:
                cls.seconds += time.thread_time() - began

        return measured


class DeafChip:
    """A test double of gpiod.Chip, whose lines never change."""

    def __init__(self, _path: str) -> None:
        self.fd = os.eventfd(0)

    def __enter__(self) -> DeafChip:
        return self

    def __exit__(self, *_: object) -> None: ...

    def request_lines(self, *_: object, **_more: object) -> DeafChip:
        return self

    def release(self) -> None: ...


def _with_deaf_pins() -> None:
    """Let the box request lines that never change, before it does so."""
    import gpiod  # what it takes is measured

    from hardware import gpio_chips
    from hardware.keys import lines

    def all_high(_fd: int, _order: int, levels: lines.Levels) -> int:
        levels.high = levels.lines
        return 0

    gpiod.Chip = DeafChip  # type: ignore[misc,assignment]
    gpio_chips.find_chip = lambda: ""  # type: ignore[assignment,misc]
    lines.ioctl = all_high  # type: ignore[assignment]


def wait_for_question(seconds: float = 60.0) -> None:
    """Wait until a second picture came, and then until no more parts come."""
    with Bus.came:
        Bus.came.wait_for(lambda: Bus.parts > WHOLE, seconds)
        seen = -1
        while seen != Bus.parts:
            seen = Bus.parts
            Bus.came.wait(0.3)


def tell(**figures: object) -> None:
    print(json.dumps(figures), flush=True)


def main() -> None:
    """Run the measurement named on the command line."""
    kind, *rest = sys.argv[1:]
    started = float(rest[-1])
    match kind:
        case "bare":
            bare(started)
        case "start":

            def told(_gpio: object) -> None:
                wait_for_question()
                assert Bus.first is not None
                tell(first=Bus.first - started, ready=Bus.last - started, memory=memory())

            box(told, lines=False)
        case "idle":

            def slept(_gpio: object) -> None:
                wait_for_question()
                time.sleep(2)
                before = wakes()
                time.sleep(float(rest[0]))
                tell(wakes=(wakes() - before) / float(rest[0]))

            box(slept, lines=True)
        case "keys":

            def pressed(gpio: Any) -> None:
                from hardware.keys.contacts import SETTLE
                from tests.hardware.key_rigs import COLUMNS, KEYPAD, ROWS

                wait_for_question()
                times = []
                threads = {thread.name: thread.ident or 0 for thread in threading.enumerate()}
                clocks = [time.pthread_getcpuclockid(threads[name]) for name in ("keys", "MainThread")]
                spent = [time.clock_gettime(clock) for clock in clocks]
                spent[0] -= Kernel.seconds
                for key in "1" + "BA" * (int(rest[0]) // 2):  # which game? and then up and down the list
                    row = next(number for number, keys in enumerate(KEYPAD) if key in keys)
                    wire = ROWS[row], COLUMNS[KEYPAD[row].index(key)]
                    before, begun = Bus.parts, time.monotonic()
                    gpio.join(*wire)
                    with Bus.came:
                        Bus.came.wait(1)
                    time.sleep(max(0.0, begun + DOWN - time.monotonic()))
                    if Bus.parts > before:
                        times.append(Bus.last - begun)
                    gpio.part(*wire)
                    time.sleep(0.03)
                used = [time.clock_gettime(clock) - before for clock, before in zip(clocks, spent, strict=True)]
                used[0] -= Kernel.seconds
                tell(times=times, settle=SETTLE, used=[seconds / (1 + int(rest[0]) // 2 * 2) for seconds in used])

            box(pressed, lines=True)


if __name__ == "__main__":
    main()
