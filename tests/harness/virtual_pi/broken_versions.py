"""Versions broken on purpose: each is refused, or left for the one before by itself, and the games are as they were."""

from __future__ import annotations

from collections.abc import Iterator

from .attempts import (
    START,
    begin,
    of_the_roll_back,
    take_sentence_away,
    try_to_install,
    wait_until_left,
)
from .evening import Evening
from .faults import FAULTS
from .machine import DATA, UNIT, LabError, Machine
from .power_cuts import APT, OLD, current, games, install

NOTE = "/opt/companion/went-back"
READ = f"{DATA}/went-back-read"
FAILED = "/opt/companion/failed"
LIBRARY = "/opt/companion/current/lib/python3*/site-packages"

DAMAGES = {
    "modes": "chmod -R go-rwx /opt/companion/current/lib",
    "damage": f"truncate -s 100 $(echo {LIBRARY}/companion/cli/__pycache__/device.*.pyc)",
}
"""What makes a right version fail after it was chosen."""

NAMES = (*FAULTS, *DAMAGES)
FIRST = 21
"""The last number of the first broken version; each has its own, as a box remembers them."""

READY = 90
"""Seconds within which a version that hangs must be ready here; the unit allows a slow Pi more."""

_SHORTER = f"""
mkdir -p /run/systemd/system/{UNIT}.service.d
printf '[Service]\\nTimeoutStartSec={READY}\\n' >/run/systemd/system/{UNIT}.service.d/start.conf
systemctl daemon-reload
"""
_AS_ALWAYS = f"rm -f /run/systemd/system/{UNIT}.service.d/start.conf; systemctl daemon-reload"


def broken(name: str, evening: Evening) -> Iterator[str]:
    """Install a version with a fault: it is refused, or left for the one before; then cut the power."""
    machine, version = evening.machine, f"0.2.{FIRST + NAMES.index(name)}"
    begin(evening)
    machine.run(f"rm -f {FAILED}/{version}")
    if name == "hang":
        machine.run(_SHORTER)
    try:
        if name in FAULTS and not FAULTS[name].result:
            yield _is_refused(evening, version, name)
        else:
            yield from _is_left(evening, version, name)
    except (AssertionError, LabError):
        install(machine, OLD)
        machine.wait_for_service()
        raise
    finally:
        machine.run(_AS_ALWAYS)


def _is_refused(evening: Evening, version: str, name: str) -> str:
    """Install a version that the installation refuses, and check that the one before plays on."""
    machine = evening.machine
    before, process = _journal(machine), machine.service("MainPID")
    made = try_to_install(machine, version, name)
    assert current(machine) == OLD, f"{current(machine)} was chosen"
    assert machine.service("MainPID") == process, "the version that runs was restarted"
    assert made.status != 0, "apt says that it is installed"
    assert made.said, f"apt says nothing: {made.output[-300:]}"
    assert _journal(machine) == before, "the journal has changed"
    assert not machine.holds(f"[ -e {FAILED}/{version} ]"), "a version that was never chosen counts as failed"
    return f"refused before the switch, {OLD} plays on; apt ends with {made.status}: {' '.join(made.said)}"


def _is_left(evening: Evening, version: str, name: str) -> Iterator[str]:
    """Install a version that is left; check what panel, doctor and apt say, also after a power cut."""
    machine = evening.machine
    result = FAULTS[name].result if name in FAULTS else "exit-code"
    before = _journal(machine)
    made = try_to_install(machine, version, "" if name in DAMAGES else name)
    if name in DAMAGES:
        assert current(machine) == version, f"{version} was not chosen: {' '.join(made.said)}"
        machine.run(f"{DAMAGES[name]}; systemctl restart --no-block {UNIT}")
    took = wait_until_left(machine, version)
    assert current(machine) == OLD, f"{current(machine)} is started"
    evening.sees(evening.script.gone_back(evening.pressed, version, OLD, result), START)
    assert _journal(machine) == before, "the journal has changed"
    yield f"back to {OLD} {took:.0f} s after apt's end; the panel says so, and the journal is as it was"
    told = of_the_roll_back(machine, version)
    take_sentence_away(evening)
    assert machine.holds(f"cmp -s {NOTE} {READ}"), "the sentence would come again"
    machine.cut()
    machine.up()
    machine.wait_for_service()
    evening.all_is_kept()
    evening.sees(evening.script.restarted(evening.pressed).picture, START)
    later = of_the_roll_back(machine, version)
    yield f"apt ended with {made.status}: {' '.join(made.said)}"
    yield f"the doctor: {' '.join(told)}; after a key and a power cut: {' '.join(later)}"
    assert any("failed" in line for line in told), "the doctor does not name it"
    assert later, "after a key and a power cut the doctor does not name it"
    machine.run(f"! {APT} --reinstall /srv/package/*.deb", patience=1800)
    assert current(machine) == OLD, "a version that failed was installed again without a word"
    never = FAULTS[name].result == "timeout" if name in FAULTS else False
    assert not never or made.status, "apt says that a version which never starts is installed"


def _journal(machine: Machine) -> tuple[str, str]:
    """Return the games and the hash of each file of the journal."""
    return games(machine), machine.run(f"cd {DATA}/games && sha256sum *")
