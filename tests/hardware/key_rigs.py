"""Kinds of keys with simulated fingers, for the tests of the keys.

A rig is a board's keys, and a way to let time pass. On simulated lines, time is virtual. With ``COMPANION_LAB=1``, on a
machine whose kernel simulates GPIO lines, the same contract is tested on those, and time is real.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Protocol

from companion.ui.keys import Key
from hardware.keys.contacts import SETTLE, ButtonKeys, KnobKeys
from hardware.keys.matrix import MatrixKeys
from hardware.keys.source import BoardKeys
from tests.fakes.chip import Wire
from tests.hardware.virtual_time import VirtualKeys, VirtualTime

KeySource = BoardKeys | VirtualKeys
Kind = MatrixKeys | ButtonKeys

ROWS = (5, 6, 13, 19)
COLUMNS = (12, 16, 20, 21)
KEYPAD = ("123A", "456B", "789C", "*0#D")
JOYSTICK = {"^": 17, "v": 22, "<": 27, ">": 23, "o": 4, "#": 5, "*": 6}
KNOB = (5, 6, 13)
BACK = {"*": 19}

BOUNCE = (0.0004, 0.0011, 0.0018, 0.0021, 0.0035, 0.0048)
"""Seconds after the first touch at which a bouncing contact changes: three bounces within 5 ms."""


class Rig(Protocol):
    """Keys with simulated fingers.

    Attributes:
        source: The keys; not started.
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

    def __init__(
        self, virtual: VirtualTime, kinds: list[Kind], wires: Mapping[str, Wire], knob: tuple[Wire, Wire] | None = None
    ) -> None:
        super().__init__(wires, knob, self._touch, virtual.wait, 0.02)
        self.virtual = virtual
        self.source: KeySource = VirtualKeys(kinds, virtual)

    def _touch(self, wire: Wire, joined: bool) -> None:
        (self.virtual.gpio.join if joined else self.virtual.gpio.part)(*wire)
        self.wait(0)


class LabRig(Fingers):
    """Keys on lines that this machine's kernel simulates, in real time."""

    CONTROL = Path("/sys/kernel/labwire/ctl")

    def __init__(self, kinds: list[Kind], wires: Mapping[str, Wire], knob: tuple[Wire, Wire] | None = None) -> None:
        # The lab's processor is emulated, so everything takes ten times as long.
        super().__init__(wires, knob, self._touch, time.sleep, 0.15)
        self.source = BoardKeys(kinds)

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


def matrix_wires() -> dict[str, Wire]:
    return {
        name: (row, column)
        for row, names in zip(ROWS, KEYPAD, strict=True)
        for column, name in zip(COLUMNS, names, strict=True)
    }


def ground_wires(lines: Mapping[str, int]) -> dict[str, Wire]:
    return {name: (line, "gnd") for name, line in lines.items()}


TURNS: tuple[Wire, Wire] = (KNOB[0], "gnd"), (KNOB[1], "gnd")
"""The wires of the knob's two contacts."""

PUSH: dict[str, Wire] = {"o": (KNOB[2], "gnd")}

BOARDS: dict[str, tuple[Callable[[], list[Kind]], dict[str, Wire], tuple[Wire, Wire] | None]] = {
    "keypad": (lambda: [MatrixKeys(ROWS, COLUMNS, KEYPAD)], matrix_wires(), None),
    "buttons": (lambda: [ButtonKeys(JOYSTICK)], ground_wires(JOYSTICK), None),
    "knob": (lambda: [KnobKeys(*KNOB)], PUSH, TURNS),
    "knob and button": (lambda: [KnobKeys(*KNOB), ButtonKeys(BACK)], {**PUSH, **ground_wires(BACK)}, TURNS),
}
"""The kinds of keys of a board, their wires, and those of a knob's contacts."""


@contextmanager
def virtual_keys(board: str, virtual: VirtualTime | None = None) -> Iterator[VirtualRig]:
    """Make a rig in virtual time."""
    kinds, wires, knob = BOARDS[board]
    rig = VirtualRig(virtual or VirtualTime(), kinds(), wires, knob)
    with rig.virtual.gpio.found():
        yield rig
        rig.source.close()


@contextmanager
def _lab(board: str) -> Iterator[LabRig]:
    kinds, wires, knob = BOARDS[board]
    rig = LabRig(kinds(), wires, knob)
    rig.clear()
    try:
        yield rig
    finally:
        rig.source.close()
        rig.clear()


LAB = os.environ.get("COMPANION_LAB") == "1"

# The keys of every board that the contract applies to, on the available lines.
RIGS: dict[str, Callable[[], AbstractContextManager[Rig]]] = {
    f"{board} on the kernel" if LAB else board: partial(_lab if LAB else virtual_keys, board) for board in BOARDS
}
