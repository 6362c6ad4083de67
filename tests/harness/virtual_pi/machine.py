"""The virtual Pi as an object: its power, keypad, panel and service.

The lab is a folder with two programs: ``build`` prepares it, ``vm`` starts a machine and acts on it. It is the folder
named in $LAB, or else ``../shared/lab`` beside this project.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from socket import AF_UNIX, socket
from types import MappingProxyType

from PIL import Image

from companion.ui.keys import HOLDABLE, Key
from hardware import board as boards
from hardware.board import Matrix

from .glass import glass, registers

PROJECT = Path(__file__).parents[3]
TREE = "/srv/companion"
"""The project's folder in the machine."""

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
"""The pause between two moves of a finger.

The emulated processor may stop for longer than one pause, but the box runs between two.
"""

TOUCH, BRIEF, HOLD = f"{NAP}; {NAP}; {NAP}; {NAP}", f"{NAP}; {NAP}", "sleep .8"
"""How long a key is down: one that cannot be held, one that can, and one that is; as short as real presses."""

PATIENCE = 300.0
"""Seconds a command may take on the emulated machine."""

AS_ON_A_PI = "cgroup_disable=memory"
"""What Raspberry Pi OS tells its kernel.

With memory groups, as on Debian's own kernel, each service has a write-back of its own. It then began 5 s after each
entry, not 30 s after the first: the program wrote 8,192 bytes an entry, a block for each of its two files.
"""

_MISSING = """
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq install --yes --no-install-recommends polkitd >/dev/null
"""
"""Installs what Raspberry Pi OS has and the lab's small Debian lacks."""

_NO_WATCHDOG = """
mkdir -p /etc/systemd/system.conf.d
printf '[Manager]\nRuntimeWatchdogSec=0\n' >/etc/systemd/system.conf.d/60-watchdog.conf
"""
"""Leaves the hardware watchdog off, as an owner may: on a busy host a machine may stand still for 15 seconds."""

_WIRES = "/sys/kernel/labwire/ctl"


class LabError(Exception):
    """The machine did not do what it was told; the message is its output."""


def find_lab() -> Path | None:
    """Return the lab's folder; None if there is none."""
    lab = Path(os.environ.get("LAB") or PROJECT.parent / "shared" / "lab")
    return lab.resolve() if (lab / "vm").exists() else None


class Machine:
    """A virtual Pi.

    Args:
        lab: The lab's folder.
        name: Which of the lab's machines; by default that of $LAB_NAME.
    """

    def __init__(self, lab: Path, name: str | None = None) -> None:
        self._lab = lab
        self._name = name or os.environ.get("LAB_NAME", "companion")
        self._environment = {"LAB_APPEND": AS_ON_A_PI, **os.environ, "LAB_NAME": self._name}
        self._wires = _wires()

    # The machine

    def build(self) -> None:
        """Prepare the lab, if that is not done yet."""
        self._do([str(self._lab / "build")], 3600)

    @property
    def running(self) -> bool:
        return self._succeeds(self._vm("status"))

    def up(self, *, fresh: bool = False, network: bool = True) -> None:
        """Switch it on, with its last disk unless a fresh one is asked for, and perhaps without a network."""
        off = {} if network else {"LAB_NET": "off"}
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / "console.log").touch()  # the lab reads it before a slow start has made it
        self._do(self._vm("up", *(["--fresh"] if fresh else [])), 600, off)
        if fresh:
            self.run(_NO_WATCHDOG)
            if network:
                self.run(_MISSING, patience=900)

    def down(self) -> None:
        if self.running:
            self._do(self._vm("down"), 300)

    def reboot(self) -> None:
        """Shut it down and start it again."""
        self._do(self._vm("reboot"), 600)

    def cut(self) -> None:
        self._do(self._vm("powercut"), 60)

    def freeze(self, name: str) -> None:
        """Copy its disk for another machine, as a power cut at this moment would leave it."""
        source, copy = self._folder, self.frozen(name)._folder
        copy.mkdir(parents=True, exist_ok=True)
        self._order("stop")  # its clocks stand still, too: its hardware watchdog would reset a process that was stopped
        try:
            for file in ("disk.qcow2", "stamp"):
                subprocess.run(["cp", "--sparse=always", str(source / file), str(copy / file)], check=True)
        finally:
            self._order("cont")

    def frozen(self, name: str) -> Machine:
        """Return the machine with a copied disk."""
        return Machine(self._lab, f"{self._name}-{name}")

    def discard(self) -> None:
        """Cut its power, if it is on, and remove its disk."""
        if self.running:
            self.cut()
        shutil.rmtree(self._folder, ignore_errors=True)

    def bring(self, file: Path, folder: str) -> None:
        """Copy one file, or what is in a folder, into a folder of the machine, which holds nothing else then."""
        with tempfile.TemporaryDirectory() as one:
            if file.is_dir():
                shutil.copytree(file, one, dirs_exist_ok=True)
            else:
                shutil.copy(file, one)
            self.run(f"rm -rf {folder}")
            self._do(self._vm("copy-in", one, folder), 600)

    def copy_in(self, names: Iterable[str]) -> None:
        """Copy files of the project into it, replacing all files there."""
        with tempfile.TemporaryDirectory() as folder:
            for name in names:
                target = Path(folder, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(PROJECT / name, target)
            self.run(f"rm -rf {TREE}")
            self._do(self._vm("copy-in", folder, TREE), 600)

    def run(self, command: str, *, patience: float = PATIENCE) -> str:
        """Run a shell command as root, and return its output.

        Raises:
            LabError: The command failed.
        """
        return self._do(self._vm("run", command), patience)

    def holds(self, command: str) -> bool:
        return self._succeeds(self._vm("run", command))

    # Fingers and eyes

    def press(self, keys: Iterable[Key]) -> None:
        self.run(self._presses(keys))

    @contextmanager
    def pressing(self, keys: Iterable[Key]) -> Iterator[None]:
        """Press keys during the block; do not wait for the last ones at its end."""
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
        """Hold a key down for so long; the machine may switch off meanwhile."""
        self.holds(self._press(name, f"sleep {seconds}"))

    def glass(self) -> Image.Image:
        """Return the picture on the panel."""
        state, ram = self.run("labctl screen").split("\n", 1)
        return glass(state, base64.b64decode(ram))

    def panel(self) -> dict[str, str]:
        """Return the registers of the panel's controller, and the bus counters."""
        return registers(self.run("labctl i2c state"))

    def fault(self, kind: str) -> None:
        """Make the panel's bus fail: ``nack``, ``timeout``, ``flaky 7``; ``none`` repairs it."""
        self.run(f"labctl i2c fault {kind}")

    # The service

    def settle(self, *, dim: int = 0, off: int = 0, chip: str = "ssd1306") -> None:
        """Write the settings; by default the panel never sleeps, and the picture does not move."""
        self.run(f"cat >{CONFIG} <<'END'\n{SETTINGS.format(dim=dim, off=off, chip=chip)}END")

    def service(self, *names: str) -> list[str]:
        wanted = " ".join(f"-p {name}" for name in names)
        told = dict(line.split("=", 1) for line in self.run(f"systemctl show {wanted} {UNIT}").splitlines())
        return [told[name] for name in names]

    def wait_for_service(self, *, other_than: str = "0") -> str:
        """Wait until the service is ready in a process other than the given one; return its process id."""
        is_up = f'[ "$(systemctl is-active {UNIT})" = active ]'
        is_new = f'[ "$(systemctl show -P MainPID {UNIT})" != {other_than} ]'
        self.run(f"until {is_up} && {is_new}; do sleep .2; done")
        return self.service("MainPID")[0]

    def exported(self) -> list[str] | None:
        """Return the log of the open game, as the box exports it; None if there is none."""
        try:
            return self.run(f"companion export --data {DATA}").splitlines()
        except LabError as fault:
            if "there is no game" in str(fault) or "there is no journal" in str(fault):
                return None
            raise

    @property
    def _folder(self) -> Path:
        return Path(os.environ.get("LAB_DIR", "/tmp/lab"), f"vm-{self._name}")

    def _presses(self, keys: Iterable[Key]) -> str:
        return "\n".join(f"{self._press(key.name, _lasting(key))}; {BRIEF}" for key in keys)

    def _press(self, name: str, lasting: str) -> str:
        row, column = self._wires[name]
        return f"echo on {row} {column} >{_WIRES}; {lasting}; echo off {row} {column} >{_WIRES}"

    def _order(self, command: str) -> None:
        """Give an order to the emulator; return when it is done."""
        with socket(AF_UNIX) as emulator:
            emulator.connect(str(self._folder / "qmp"))
            with emulator.makefile("rw") as lines:
                lines.readline()  # its greeting
                for each in ("qmp_capabilities", command):
                    print(json.dumps({"execute": each}), file=lines, flush=True)
                    while "return" not in (answer := json.loads(lines.readline())):
                        if "error" in answer:
                            raise LabError(f"{command}: {answer['error']}")

    def _vm(self, *order: str) -> list[str]:
        return [str(self._lab / "vm"), *order]

    def _succeeds(self, command: list[str]) -> bool:
        done = subprocess.run(command, env=self._environment, capture_output=True, check=False, timeout=PATIENCE)
        return done.returncode == 0

    def _do(self, command: list[str], patience: float, variables: Mapping[str, str] = MappingProxyType({})) -> str:
        world = {**self._environment, **variables}
        try:
            done = subprocess.run(command, env=world, capture_output=True, text=True, check=False, timeout=patience)
        except subprocess.TimeoutExpired:
            raise LabError(f"{' '.join(command)}: nothing came of it in {patience:.0f} s") from None
        if done.returncode:
            raise LabError(f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout


def _lasting(key: Key) -> str:
    """Return how long a key is down."""
    if key.held:
        return HOLD
    return BRIEF if key.name in HOLDABLE else TOUCH


def _wires() -> dict[str, tuple[int, int]]:
    """Return the row and the column that each key of the default board connects."""
    board = boards.load("keypad-4x4")
    (keypad,) = board.keys
    assert isinstance(keypad, Matrix)
    return {
        name: (row, column)
        for row, names in zip(board.lines(keypad.rows), keypad.keys, strict=True)
        for column, name in zip(board.lines(keypad.columns), names, strict=True)
    }
