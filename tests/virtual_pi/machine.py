"""The virtual Pi as an object: its power cord, its keypad, its glass, and the service on it.

The lab is a folder with a program ``vm`` in it that starts a machine and acts on it, and a program ``build`` that
makes it ready. It is the folder that $LAB names, or else ``../shared/lab`` beside this project.
"""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

from companion.ui.keys import HOLDABLE, Key
from hardware import board as boards
from hardware.board import Matrix

from .glass import glass, registers

PROJECT = Path(__file__).parents[2]
TREE = "/srv/companion"
"""Where the project is in the machine."""

UNIT = "companion"
DATA = "/var/lib/companion"
CONFIG = "/etc/companion.toml"
SETTINGS = """language = "en"
[sleep]
dim = {dim}
off = {off}
shift = 0
[panel]
chip = "{chip}"
"""

NAP = "sleep .03"
"""What a finger does between two moves: the processor is emulated, and may stand still for longer than one nap, but
the box gets its turn between two."""

TOUCH, BRIEF, HOLD = f"{NAP}; {NAP}; {NAP}; {NAP}", f"{NAP}; {NAP}", "sleep .8"
"""How long a key is down, one that can be held, and one that is; as brisk as fingers are."""

PATIENCE = 300.0
"""Seconds an order to the machine may take; it is emulated."""

_WIRES = "/sys/kernel/labwire/ctl"


class LabFault(Exception):
    """The machine did not do what it was told; the message is what it said."""


def find_lab() -> Path | None:
    """Return the lab's folder, if there is one."""
    lab = Path(os.environ.get("LAB") or PROJECT.parent / "shared" / "lab")
    return lab.resolve() if (lab / "vm").exists() else None


class Machine:
    """A virtual Pi.

    Args:
        lab: The lab's folder.
        name: Which of the lab's machines; $LAB_NAME goes before it.
    """

    def __init__(self, lab: Path, name: str = "companion") -> None:
        self._lab = lab
        self._environment = {"LAB_NAME": name, **os.environ}
        self._wires = _wires()

    # The machine

    def build(self) -> None:
        """Make the lab ready; nothing happens where it is."""
        self._do([str(self._lab / "build")], 3600)

    @property
    def running(self) -> bool:
        """Tell whether it is on."""
        return self._succeeds(self._vm("status"))

    def up(self, *, fresh: bool = False) -> None:
        """Switch it on, with the disk of last time unless it is to be a fresh one."""
        self._do(self._vm("up", *(["--fresh"] if fresh else [])), 600)

    def down(self) -> None:
        """Shut it down, if it is on."""
        if self.running:
            self._do(self._vm("down"), 300)

    def reboot(self) -> None:
        """Shut it down and start it again."""
        self._do(self._vm("reboot"), 600)

    def cut(self) -> None:
        """Pull the plug."""
        self._do(self._vm("powercut"), 60)

    def copy_in(self, names: Iterable[str]) -> None:
        """Copy files of the project into it, in the place of all that was there."""
        with tempfile.TemporaryDirectory() as folder:
            for name in names:
                target = Path(folder, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(PROJECT / name, target)
            self.run(f"rm -rf {TREE}")
            self._do(self._vm("copy-in", folder, TREE), 600)

    def run(self, command: str, *, patience: float = PATIENCE) -> str:
        """Run a shell's command as root, and return what it printed.

        Raises:
            LabFault: It failed.
        """
        return self._do(self._vm("run", command), patience)

    def holds(self, command: str) -> bool:
        """Tell whether a shell's command succeeds."""
        return self._succeeds(self._vm("run", command))

    # Fingers and eyes

    def press(self, keys: Iterable[Key]) -> None:
        """Press keys, one after the other."""
        self.run(self._presses(keys))

    @contextmanager
    def pressing(self, keys: Iterable[Key]) -> Iterator[None]:
        """Have keys pressed meanwhile; at the end the finger is not waited for."""
        started = subprocess.Popen(
            self._vm("run", self._presses(keys)),
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield
        finally:
            started.kill()
            started.wait()

    def hold(self, name: str, seconds: float) -> None:
        """Hold a key down for so long; the machine may go meanwhile."""
        self.holds(self._press(name, f"sleep {seconds}"))

    def glass(self) -> Image.Image:
        """Return what is seen on the panel."""
        state, ram = self.run("labctl screen").split("\n", 1)
        return glass(state, base64.b64decode(ram))

    def panel(self) -> dict[str, str]:
        """Return the registers of the panel's controller, and what is counted of the bus."""
        return registers(self.run("labctl i2c state"))

    def fault(self, kind: str) -> None:
        """Have the panel's bus fail: ``nack``, ``timeout``, ``flaky 7``; or no more: ``none``."""
        self.run(f"labctl i2c fault {kind}")

    # The service

    def settle(self, *, dim: int = 0, off: int = 0, chip: str = "ssd1306") -> None:
        """Write the settings: the panel stays awake, unless told otherwise, and the picture where it is."""
        self.run(f"cat >{CONFIG} <<'END'\n{SETTINGS.format(dim=dim, off=off, chip=chip)}END")

    def service(self, *names: str) -> list[str]:
        """Return properties of the service."""
        wanted = " ".join(f"-p {name}" for name in names)
        told = dict(line.split("=", 1) for line in self.run(f"systemctl show {wanted} {UNIT}").splitlines())
        return [told[name] for name in names]

    def wait_for_service(self, *, other_than: str = "0") -> str:
        """Wait until the service says it is ready, as a process other than the one told; return its process."""
        is_up = f'[ "$(systemctl is-active {UNIT})" = active ]'
        is_new = f'[ "$(systemctl show -P MainPID {UNIT})" != {other_than} ]'
        self.run(f"until {is_up} && {is_new}; do sleep .2; done")
        return self.service("MainPID")[0]

    def exported(self) -> list[str] | None:
        """Return the log of the game on the table, as the box exports it; None where there is none."""
        try:
            return self.run(f"companion export --data {DATA}").splitlines()
        except LabFault as fault:
            if "there is no game" in str(fault) or "there is no journal" in str(fault):
                return None
            raise

    def _presses(self, keys: Iterable[Key]) -> str:
        return "\n".join(f"{self._press(key.name, _lasting(key))}; {BRIEF}" for key in keys)

    def _press(self, name: str, lasting: str) -> str:
        row, column = self._wires[name]
        return f"echo on {row} {column} >{_WIRES}; {lasting}; echo off {row} {column} >{_WIRES}"

    def _vm(self, *order: str) -> list[str]:
        return [str(self._lab / "vm"), *order]

    def _succeeds(self, command: list[str]) -> bool:
        done = subprocess.run(command, env=self._environment, capture_output=True, check=False, timeout=PATIENCE)
        return done.returncode == 0

    def _do(self, command: list[str], patience: float) -> str:
        try:
            done = subprocess.run(
                command, env=self._environment, capture_output=True, text=True, check=False, timeout=patience
            )
        except subprocess.TimeoutExpired:
            raise LabFault(f"{' '.join(command)}: nothing came of it in {patience:.0f} s") from None
        if done.returncode:
            raise LabFault(f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout


def _lasting(key: Key) -> str:
    """Return how long a finger stays on a key."""
    if key.held:
        return HOLD
    return BRIEF if key.name in HOLDABLE else TOUCH


def _wires() -> dict[str, tuple[int, int]]:
    """Return the row and the column that each key of the usual board joins."""
    board = boards.load("keypad-4x4")
    (keypad,) = board.keys
    assert isinstance(keypad, Matrix)
    return {
        name: (row, column)
        for row, names in zip(board.lines(keypad.rows), keypad.keys, strict=True)
        for column, name in zip(board.lines(keypad.columns), names, strict=True)
    }
