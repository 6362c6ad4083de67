"""A purge: all that the package brought is gone, also where the power was cut meanwhile and it is asked for again."""

from __future__ import annotations

import time
from collections.abc import Iterator

from .attempts import begin
from .evening import Evening
from .machine import LabError, Machine
from .package_life import PURGE, REMOVE_GAMES
from .power_cuts import OLD, WRITE_LATE, install

CUTS = 4
LONGEST = 60.0
"""Seconds after which a purge should have ended on the emulated machine."""

AGAIN = "dpkg --configure -a; DEBIAN_FRONTEND=noninteractive dpkg --purge tabletop-companion"
"""What ends an interrupted purge: apt only removes a package whose removal was interrupted."""

_LEFT = r"""
find / -xdev -path /proc -prune -o \( -name '*companion*' -print \) \
    | grep -v -e '^/srv/' -e '^/var/log/' -e '^/var/cache/apt/' -e '^/var/cache/debconf/' -e '^/run/' || true
"""
_PARTS = (
    ("masked", "systemctl list-unit-files --state=masked --no-legend | grep companion || true"),
    ("failed", "systemctl list-units --state=failed --no-legend --plain | grep companion || true"),
    ("dpkg", "dpkg-query -W -f='${db:Status-Status}\\n' tabletop-companion 2>/dev/null || true"),
    ("audit", "dpkg --audit"),
)


def purge(evening: Evening) -> Iterator[str]:
    """Purge the package with its games; then again, with power cuts meanwhile, and install it on what is left."""
    machine = evening.machine
    begin(evening)
    machine.run(f"{REMOVE_GAMES}; sync; sleep 8; {WRITE_LATE}")
    began = time.monotonic()
    machine.run(f"rm -f /run/ended; systemd-run --quiet sh -c '{PURGE} >/run/said 2>&1; echo $? >/run/ended'")
    cuts: list[float] = []
    while not machine.holds("[ -e /run/ended ]"):
        assert time.monotonic() - began < 10 * LONGEST, "it does not end"
        if len(cuts) < CUTS:
            cuts.append(time.monotonic() - began)
            machine.freeze(f"purge-{len(cuts)}")
        time.sleep(1)
    took = time.monotonic() - began
    status = machine.run("cat /run/ended").strip()
    left = _left(machine)
    wrong = [] if status == "0" and not left else ["the purge without a cut"]
    yield f"{'WRONG: ' * bool(wrong)}purged in {took:.0f} s, status {status}; left: {'; '.join(left) or 'nothing'}"
    machine.down()
    for number, at in enumerate(cuts, 1):
        line, right = _again(machine.frozen(f"purge-{number}"))
        yield f"cut {at:.0f} s after its start: {'' if right else 'WRONG: '}{line}"
        if not right:
            wrong.append(f"cut {number}")
    machine.up()
    install(machine, OLD)
    machine.settle()
    machine.run("systemctl restart companion")
    machine.wait_for_service()
    evening.pressed = 0
    evening.sees(evening.picture)
    yield "installed on what the purge left: home is shown"
    assert not wrong, ", ".join(wrong)


def _again(machine: Machine) -> tuple[str, bool]:
    """Boot a copy of the disk and purge once; return what is left, and whether that is nothing."""
    try:
        machine.up()
        machine.run("systemctl is-system-running --wait || true", patience=300)
        masked, _failed, state, _audit = (machine.run(command).strip() for _name, command in _PARTS)
        before = f"dpkg: {state or 'absent'}{', MASKED' if masked else ''}"
        machine.run(f"{REMOVE_GAMES}; {AGAIN}", patience=1800)
        left = _left(machine)
        return f"{before}; after one more purge is left: {'; '.join(left) or 'nothing'}", not left
    except LabError as fault:
        return str(fault)[-600:], False
    finally:
        machine.discard()


def _left(machine: Machine) -> list[str]:
    """Return what a purge has left: files, and states of units and of the package."""
    files = machine.run(_LEFT).split()
    told = [(name, machine.run(command).strip()) for name, command in _PARTS]
    return files + [f"{name}: {' '.join(text.split())}" for name, text in told if text]
