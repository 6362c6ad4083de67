"""Versions broken on purpose: each is left for the one before by itself, and the games are as they were."""

from __future__ import annotations

import time
from collections.abc import Iterator

from .evening import Evening
from .machine import DATA, UNIT, Machine
from .packages import RESULTS
from .power_cuts import APT, NEW, OLD, current, games, install

PATIENCE = 900.0
"""Seconds within which the box must be back: three starts of two minutes, on the emulated machine."""

NOTE = "/opt/companion/went-back"
MARK = f"/opt/companion/failed/{NEW}"
READ = f"{DATA}/went-back-read"
LIBRARY = "/opt/companion/current/lib/python3*/site-packages"

DAMAGES = {
    "modes": "chmod -R go-rwx /opt/companion/current/lib",
    "syntax": f"echo ')' >>$(echo {LIBRARY}/companion/cli/device.py)",
}
"""What makes a right version fail after it was chosen."""


def broken(evening: Evening) -> Iterator[str]:
    """Install versions that do not start, hang, crash, end by themselves, refuse the settings, or cannot be read."""
    machine = evening.machine
    install(machine, OLD)
    machine.wait_for_service()
    evening.take_up()
    evening.enter(1)
    install(machine, NEW, "syntax", fails=True)
    assert current(machine) == OLD, "a version that fails its own check was chosen"
    assert not machine.holds(f"[ -e {MARK} ]"), "a version that was never chosen counts as failed"
    yield "syntax: the check refuses it, and apt says so"
    for fault, result in {**RESULTS, **dict.fromkeys(DAMAGES, "exit-code")}.items():
        kept, files = games(machine), _files(machine)
        began = time.monotonic()
        if fault in DAMAGES:
            install(machine, NEW)
            machine.run(f"{DAMAGES[fault]}; systemctl restart {UNIT} || true")
        else:
            install(machine, NEW, fault, fails=True)
        while not machine.holds(f"[ -e {NOTE} ]"):
            assert time.monotonic() - began < PATIENCE, f"{fault}: it does not go back"
            time.sleep(1)
        took = time.monotonic() - began
        machine.wait_for_service()
        assert current(machine) == OLD, f"{fault}: {current(machine)} is started"
        note = machine.run(f"cat {NOTE}").split()
        assert note[:3] == [NEW, OLD, result], f"{fault}: the note says {note}"
        assert (games(machine), _files(machine)) == (kept, files), f"{fault}: the journal has changed"
        evening.sees(evening.script.gone_back(evening.pressed, NEW, OLD, result))
        evening.enter(1)  # its first key takes the sentence away
        assert machine.holds(f"cmp -s {NOTE} {READ}"), f"{fault}: the sentence would come again"
        yield f"{fault}: installed and back to {OLD} in {took:.0f} s; the panel says so, the journal is as it was"
        yield f"{fault}: {_is_remembered(machine)}"
        install(machine, OLD)  # the version to go back to
        machine.wait_for_service()


def _is_remembered(machine: Machine) -> str:
    """Cut the power, and try to install the version again; return what was found."""
    machine.cut()
    machine.up()
    machine.wait_for_service()
    assert machine.holds(f"[ -s {MARK} ]"), "the mark is gone with the power"
    machine.run(f"! {APT} --reinstall /srv/package/*.deb", patience=1800)
    assert current(machine) == OLD, "a version that failed was installed again without a word"
    doctor = machine.run("companion doctor || true")
    assert f"{NEW} failed three times in ten minutes" in doctor, doctor
    return "after a power cut it is still refused, and the doctor says why"


def _files(machine: Machine) -> str:
    return machine.run(f"cd {DATA}/games && sha256sum *")
