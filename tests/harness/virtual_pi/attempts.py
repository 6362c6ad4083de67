"""Installations that may fail: what apt says of them, what runs then, and what the doctor tells."""

from __future__ import annotations

import time
from typing import NamedTuple

from companion.ui.keys import Key

from .evening import Evening
from .machine import DATA, UNIT, Machine
from .packages import package
from .power_cuts import APT, CURRENT, OLD, current, install

PATIENCE = 480.0
"""Seconds within which the box must be back after three failures, on the emulated machine."""

START = 120.0
"""Seconds until a started service must show its picture on a busy host."""

ENTRIES = 4

AWAY = Key("*")


class Attempt(NamedTuple):
    """What apt did.

    Attributes:
        status: Its exit status.
        output: Its output.
    """

    status: int
    output: str

    @property
    def said(self) -> list[str]:
        """Return the lines in which the package speaks to the owner."""
        return [line for line in self.output.splitlines() if line.startswith("companion: ")]


def begin(evening: Evening) -> None:
    """Install the version to go back to, unless it runs; without a game, begin one."""
    machine, script = evening.machine, evening.script
    if not machine.holds(f'[ "$({CURRENT})" = {OLD} ]'):
        install(machine, OLD)
    machine.wait_for_service()
    evening.take_up()
    if evening.pressed == 0:
        add_entries(evening, ENTRIES)
    evening.sees(script.restarted(evening.pressed).picture, START)


def add_entries(evening: Evening, count: int) -> None:
    """Enter lines while the service is stopped.

    Not by the keypad: on a busy host the emulated machine misses keys or holds them too long, which the chapters about
    versions of the program are not about.
    """
    end = evening.script.ends[evening.entered + count]
    keys = " ".join(f"{'h' * key.held}{key.name}" for key in evening.script.keys[evening.pressed : end])
    machine = evening.machine
    machine.run(f"systemctl stop {UNIT}; rm -rf /run/companion/*")
    machine.run(f"runuser -u companion -- companion press --data {DATA} --lang en '{keys}'")
    machine.run(f"systemctl start {UNIT}")
    evening.take_up()


def try_to_install(machine: Machine, version: str, fault: str = "") -> Attempt:
    """Install a package with apt, which may fail; return what apt said."""
    machine.bring(package(version, fault), "/srv/package")
    output = machine.run(f"{APT} /srv/package/*.deb 2>&1; echo $?", patience=1800)
    *lines, status = output.splitlines()
    return Attempt(int(status), "\n".join(lines))


def wait_until_left(machine: Machine, version: str, patience: float = PATIENCE) -> float:
    """Wait until the service starts another version than this one, and is ready; return the seconds it took."""
    began = time.monotonic()
    while current(machine) == version:
        assert time.monotonic() - began < patience, (
            f"{version} is still started after {patience:.0f} s, "
            f"{machine.service('NRestarts')[0]} restarts: {machine.service('Result')[0]}"
        )
        time.sleep(1)
    took = time.monotonic() - began
    machine.wait_for_service()
    return took


def take_sentence_away(evening: Evening) -> None:
    """Press a key that takes the sentence about a roll-back from the panel, and is of no use else."""
    before = evening.machine.glass()
    began = time.monotonic()
    while evening.machine.glass() == before:
        assert time.monotonic() - began < START, "the sentence does not go"
        evening.machine.press((AWAY,))


def of_the_roll_back(machine: Machine, version: str) -> list[str]:
    """Return the doctor's lines that name a version that was left."""
    return [line for line in machine.run("companion doctor || true").splitlines() if version in line]
