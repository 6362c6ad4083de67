"""Versions broken on purpose: each is left for the one before by itself, and the games are as they were."""

from __future__ import annotations

import time
from collections.abc import Iterator

from .evening import Evening
from .machine import DATA, UNIT, Machine
from .packages import FAULTS
from .power_cuts import NEW, OLD, current, games, install

PATIENCE = 900.0
"""Seconds within which the box must be back: three starts of two minutes, on the emulated machine."""

MODES = "modes"


def broken(evening: Evening) -> Iterator[str]:
    """Install versions that do not start, hang, crash, or cannot be read."""
    machine = evening.machine
    install(machine, OLD)
    machine.wait_for_service()
    evening.take_up()
    evening.enter(1)
    kept, files = games(machine), _files(machine)
    for fault in (*FAULTS, MODES):
        install(machine, NEW, "" if fault == MODES else fault)
        began = time.monotonic()
        if fault == MODES:
            machine.run(f"chmod -R go-rwx /opt/companion/current/lib; systemctl restart {UNIT} || true")
        while not machine.holds("[ -e /var/lib/companion/went-back ]"):
            assert time.monotonic() - began < PATIENCE, f"{fault}: it does not go back"
            time.sleep(1)
        took = time.monotonic() - began
        machine.wait_for_service()
        assert current(machine) == OLD, f"{fault}: {current(machine)} is started"
        note = machine.run("cat /var/lib/companion/went-back").strip()
        assert note == f"{NEW} {OLD}", f"{fault}: the note says {note}"
        assert (games(machine), _files(machine)) == (kept, files), f"{fault}: the journal has changed"
        evening.sees(evening.script.gone_back(evening.pressed, NEW, OLD))
        evening.enter(1)  # its first key takes the sentence away
        assert not machine.holds("[ -e /var/lib/companion/went-back ]"), f"{fault}: the sentence would come again"
        kept, files = games(machine), _files(machine)
        yield f"{fault}: back to {OLD} {took:.0f} s after the installation; the panel says so, the journal is as it was"
        install(machine, OLD)  # the version to go back to
        machine.wait_for_service()


def _files(machine: Machine) -> str:
    return machine.run(f"cd {DATA}/games && sha256sum *")
