"""Key sources with simulated key presses, for the tests of the keys.

A rig is a key source, its keys, and a way to let time pass. On simulated lines, time is virtual. With
``COMPANION_LAB=1``, on a machine whose kernel simulates GPIO lines, the same contract is tested on those, through
`KernelFactory`, and time is real.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol

from companion.ui.keys import Key
from hardware.buttons import ButtonKeys
from hardware.contact_reader import SETTLE
from hardware.encoder import EncoderKeys
from hardware.gpio_key_source import CombinedKeys, GpioKeys
from hardware.keypad import MatrixKeypad
from tests.fakes.matrix import Node
from tests.hardware.virtual_time import VirtualTime

KeySource = GpioKeys | CombinedKeys

ROWS = (5, 6, 13, 19)
COLUMNS = (12, 16, 20, 21)
KEYPAD = ("123A", "456B", "789C", "*0#D")
JOYSTICK = {"^": 17, "v": 22, "<": 27, ">": 23, "o": 4, "#": 5, "*": 6}
KNOB = (5, 6, 13)
BACK = {"*": 19}

BOUNCE = (0.0004, 0.0011, 0.0018, 0.0021, 0.0035, 0.0048)
"""Seconds after the first touch at which a bouncing contact changes: three bounces within 5 ms."""

Wire = tuple[Node, Node]


class Rig(Protocol):
    """A key source with simulated fingers.

    Attributes:
        source: The key source; not started.
        names: Its keys.
        got: The keys it has reported.
        short: Duration of a short press in seconds.
    """

    source: KeySource
    names: str
    got: list[Key]
    short: float

    def start(self, put: Callable[[Key], None] | None = None) -> None:
        """Start the source; it reports to ``got`` by default."""

    def press(self, name: str) -> None:
        """Press a key, or turn the knob half a detent."""

    def release(self, name: str) -> None:
        """Release a key, or turn the knob the other half."""

    def bounce(self, name: str, joined: bool) -> bool:
        """Press or release a key with bouncing. Return whether the bouncing was as short as on real contacts."""

    def wait(self, seconds: float) -> None:
        """Let time pass."""

    def take(self) -> list[Key]:
        """Return the keys reported since the last call, once no more are coming."""


class Fingers:
    """Base class of the rigs: wires that are connected and disconnected, key by key.

    Args:
        wires: The wire of each key that is pressed.
        knob: The wires of a knob's two contacts, whose keys are ``<`` and ``>``.
        join: Connects or disconnects a wire.
        wait: Lets time pass.
        short: Duration of a short press in seconds.
    """

    def __init__(
        self,
        wires: Mapping[str, Wire],
        knob: tuple[Wire, Wire] | None,
        join: Callable[[Wire, bool], None],
        wait: Callable[[float], None],
        short: float,
    ) -> None:
        self.got: list[Key] = []
        self.names = "".join(wires) + ("<>" if knob else "")
        self.short = short
        self.wait = wait
        self._wires = wires
        self._turns = {">": knob, "<": knob[::-1]} if knob else {}
        self._join = join

    source: KeySource

    def start(self, put: Callable[[Key], None] | None = None) -> None:
        self.source.start(put or self.got.append)

    def press(self, name: str) -> None:
        for wire in self._contacts(name):
            self._join(wire, True)

    def release(self, name: str) -> None:
        for wire in self._contacts(name):
            self._join(wire, False)

    def bounce(self, name: str, joined: bool) -> bool:
        for wire in self._contacts(name):
            self._join(wire, joined)
            waited = 0.0
            for number, moment in enumerate(BOUNCE):
                self.wait(moment - waited)
                self._join(wire, joined is bool(number % 2))
                waited = moment
        return True

    def _contacts(self, name: str) -> tuple[Wire, ...]:
        """Return the wires of a key, in the order in which they close and open again."""
        return self._turns.get(name) or (self._wires[name],)

    def take(self) -> list[Key]:
        self.wait(2 * self.short)
        taken = self.got[:]
        del self.got[: len(taken)]
        return taken


class VirtualRig(Fingers):
    """Keys on simulated lines, in virtual time."""

    def __init__(self, virtual: VirtualTime, wires: Mapping[str, Wire], knob: tuple[Wire, Wire] | None = None) -> None:
        super().__init__(wires, knob, self._touch, virtual.wait, 0.02)
        self.virtual = virtual

    def start(self, put: Callable[[Key], None] | None = None) -> None:
        super().start(put)
        self.virtual.begin()

    def _touch(self, wire: Wire, joined: bool) -> None:
        (self.virtual.board.join if joined else self.virtual.board.part)(*wire)
        self.virtual.settle()


def matrix_wires() -> dict[str, Wire]:
    return {
        name: (row, column)
        for row, names in zip(ROWS, KEYPAD, strict=True)
        for column, name in zip(COLUMNS, names, strict=True)
    }


def ground_wires(lines: Mapping[str, int]) -> dict[str, Wire]:
    return {name: (line, "gnd") for name, line in lines.items()}


def knob_wires() -> tuple[Wire, Wire]:
    """Return the wires of the knob's two contacts."""
    return (KNOB[0], "gnd"), (KNOB[1], "gnd")


@contextmanager
def _virtual(
    make: Callable[[Any, VirtualTime], KeySource],
    wires: Mapping[str, Wire],
    knob: tuple[Wire, Wire] | None = None,
    virtual: VirtualTime | None = None,
) -> Iterator[VirtualRig]:
    virtual = virtual or VirtualTime()
    with virtual.board:
        rig = VirtualRig(virtual, wires, knob)
        rig.source = make(virtual.board.factory, virtual)
        try:
            yield rig
        finally:
            virtual.hurry()
            rig.source.close()


def virtual_keypad(virtual: VirtualTime | None = None) -> AbstractContextManager[VirtualRig]:

    def make(factory: Any, on: VirtualTime) -> KeySource:
        return MatrixKeypad(factory, ROWS, COLUMNS, KEYPAD, clock=on.clock, waker=on.waker())

    return _virtual(make, matrix_wires(), virtual=virtual)


def virtual_buttons(virtual: VirtualTime | None = None) -> AbstractContextManager[VirtualRig]:

    def make(factory: Any, on: VirtualTime) -> KeySource:
        return ButtonKeys(factory, JOYSTICK, clock=on.clock, waker=on.waker())

    return _virtual(make, ground_wires(JOYSTICK), virtual=virtual)


def virtual_knob(virtual: VirtualTime | None = None) -> AbstractContextManager[VirtualRig]:
    """Make a rig of an encoder with its push button."""

    def make(factory: Any, on: VirtualTime) -> KeySource:
        return EncoderKeys(factory, *KNOB, clock=on.clock, waker=on.waker())

    return _virtual(make, {"o": (KNOB[2], "gnd")}, knob_wires(), virtual)


def virtual_pair(virtual: VirtualTime | None = None) -> AbstractContextManager[VirtualRig]:

    def make(factory: Any, on: VirtualTime) -> KeySource:
        return CombinedKeys(
            EncoderKeys(factory, *KNOB, clock=on.clock, waker=on.waker()),
            ButtonKeys(factory, BACK, clock=on.clock, waker=on.waker()),
        )

    return _virtual(make, {"o": (KNOB[2], "gnd"), **ground_wires(BACK)}, knob_wires(), virtual)


class LabRig(Fingers):
    """Keys on lines that this machine's kernel simulates, in real time."""

    CONTROL = Path("/sys/kernel/labwire/ctl")

    def __init__(self, wires: Mapping[str, Wire], knob: tuple[Wire, Wire] | None = None) -> None:
        # The lab's processor is emulated, so everything takes ten times as long.
        super().__init__(wires, knob, self._touch, time.sleep, 0.15)

    def bounce(self, name: str, joined: bool) -> bool:
        fair = True
        for wire in self._contacts(name):
            began = time.monotonic()
            # The kernel closes, opens and closes: a program would take longer than a real bounce.
            self._order(f"bounce {wire[0]} {wire[1]} 1 200")
            self._touch(wire, joined)
            fair = fair and time.monotonic() - began < SETTLE  # the emulated processor may be busy
        return fair

    def clear(self) -> None:
        """Remove every wire."""
        self._order("clear")

    def _touch(self, wire: Wire, joined: bool) -> None:
        self._order(f"{'on' if joined else 'off'} {wire[0]} {wire[1]}")

    def _order(self, order: str) -> None:
        self.CONTROL.write_text(order + "\n")


@contextmanager
def _lab(
    make: Callable[[Any], KeySource], wires: Mapping[str, Wire], knob: tuple[Wire, Wire] | None = None
) -> Iterator[LabRig]:
    """Make a rig on the lines that this machine's kernel simulates."""
    from hardware.gpiod_factory import KernelFactory  # needs gpiod and a chip

    rig = LabRig(wires, knob)
    rig.clear()
    with KernelFactory() as factory:
        rig.source = make(factory)
        try:
            yield rig
        finally:
            rig.source.close()
            rig.clear()


LAB: dict[str, Callable[[], AbstractContextManager[Rig]]] = {
    "keypad on the kernel": lambda: _lab(lambda f: MatrixKeypad(f, ROWS, COLUMNS, KEYPAD), matrix_wires()),
    "buttons on the kernel": lambda: _lab(lambda f: ButtonKeys(f, JOYSTICK), ground_wires(JOYSTICK)),
    "knob on the kernel": lambda: _lab(lambda f: EncoderKeys(f, *KNOB), {"o": (KNOB[2], "gnd")}, knob_wires()),
    "knob and button on the kernel": lambda: _lab(
        lambda f: CombinedKeys(EncoderKeys(f, *KNOB), ButtonKeys(f, BACK)),
        {"o": (KNOB[2], "gnd"), **ground_wires(BACK)},
        knob_wires(),
    ),
}

VIRTUAL: dict[str, Callable[[], AbstractContextManager[VirtualRig]]] = {
    "keypad": virtual_keypad,
    "buttons": virtual_buttons,
    "knob": virtual_knob,
    "knob and button": virtual_pair,
}

# Every key source that the contract applies to, on the available lines.
RIGS: dict[str, Callable[[], AbstractContextManager[Rig]]] = (
    dict(LAB) if os.environ.get("COMPANION_LAB") == "1" else dict(VIRTUAL)
)
