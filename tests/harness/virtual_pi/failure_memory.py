"""The memory of failed versions: none is built again, taken as the one before, or offered again without a word."""

from __future__ import annotations

import time
from collections.abc import Iterator

from .attempts import begin, of_the_roll_back, try_to_install, wait_until_left
from .evening import Evening
from .machine import UNIT, LabError, Machine
from .packages import package
from .power_cuts import OLD, current, games, install

BAD, GOOD, WORSE = "0.2.11", "0.2.12", "0.2.13"

FAULT = "refuses"
"""The fault of the first of them, the one that is noticed last: the service counts as started for half a minute."""

PATIENCE = 600.0
"""Seconds within which a version is built again on the emulated machine, and plays."""

_SIGNED = "/srv/update"
_PREVIOUS = "basename \"$(readlink /opt/companion/previous || echo none)\" | sed 's/~.*//'"
_LOSE_PYTHON = f"""
systemctl stop {UNIT}
rm /opt/companion/current/bin/python*
systemctl reset-failed {UNIT} companion-rebuild
systemctl start --no-block {UNIT}
"""
"""What an upgrade of the system does to a version: its Python is gone."""


def memory(evening: Evening) -> Iterator[str]:
    """Let a version fail; then lose the Python, look for updates, install the next version, and let one more fail."""
    machine = evening.machine
    begin(evening)
    kept = games(machine)
    wrong: list[str] = []

    def judged(right: bool, what: str) -> str:
        if not right:
            wrong.append(what)
        return f"{'' if right else 'WRONG: '}{what}"

    made = try_to_install(machine, BAD, FAULT)
    wait_until_left(machine, BAD)
    said = made.said[-1]
    yield judged(OLD in said, f"apt ends with {made.status} after a version that failed, and says: {said}")

    _bring_signed(machine, BAD, FAULT)
    told = machine.run(f"companion update {_SIGNED} </dev/null 2>&1 || true")
    yield judged("failed" in told or "did not start" in told, f"companion update offers it again: {_one_line(told)}")
    machine.run("systemctl start companion-update-look")
    yield f"the menu's look, without an address, finds: {machine.run('cat /run/companion-update/found').strip()}"

    began = time.monotonic()
    machine.run(_LOSE_PYTHON)
    try:
        _wait_for(machine, f"systemctl is-active {UNIT} && [ -x /opt/companion/current/bin/python ]")
        built, took = current(machine), time.monotonic() - began
        yield judged(built == OLD, f"without its Python the box builds {built} in {took:.0f} s")
    except AssertionError as fault:
        yield judged(False, f"without its Python: {fault}")
    else:
        yield judged(games(machine) == kept, "the games are as they were")
        told = " ".join(of_the_roll_back(machine, BAD))
        yield judged("failed" in told, f"the doctor after the rebuild: {told or 'nothing'}")

    told = _update(machine, GOOD)
    try:
        machine.wait_for_service()
        runs, previous = current(machine), machine.run(_PREVIOUS).strip()
        yield judged(runs == GOOD and GOOD in told, f"companion update to {GOOD}: {runs} runs; it says: {told}")
        yield judged(previous == OLD, f"the version before {GOOD} is {previous}")
        told = _update(machine, WORSE, "crash")
        wait_until_left(machine, WORSE)
        runs = current(machine)
        yield judged(runs == GOOD, f"after {WORSE} failed, {runs} runs")
        yield judged(GOOD in told, f"companion update to {WORSE} says: {told}")
        previous = machine.run(_PREVIOUS).strip()
        yield judged(previous in {"none", OLD}, f"the version before {runs} is {previous} then")
        yield judged(games(machine) == kept, "at the end the games are as they were")
    except (AssertionError, LabError) as fault:
        yield judged(False, str(fault))
        install(machine, OLD)
    assert not wrong, f"{len(wrong)} of it"


def _update(machine: Machine, version: str, fault: str = "") -> str:
    """Install a version with ``companion update``; return its last words."""
    _bring_signed(machine, version, fault)
    told = machine.run(f"companion update --yes {_SIGNED} </dev/null 2>&1 || true", patience=1800)
    return _one_line("\n".join(told.splitlines()[-3:]))


def _bring_signed(machine: Machine, version: str, fault: str = "") -> None:
    """Copy a package and its signature into a folder of the machine."""
    made = package(version, fault)
    machine.bring(made, _SIGNED)
    machine.bring(made.with_name(f"{made.name}.sig"), f"{_SIGNED}.sig")
    machine.run(f"mv {_SIGNED}.sig/* {_SIGNED}")


def _wait_for(machine: Machine, condition: str) -> None:
    began = time.monotonic()
    while not machine.holds(condition):
        assert time.monotonic() - began < PATIENCE, (
            f"after {PATIENCE:.0f} s the link leads to {current(machine)}, and the service is "
            f"{machine.service('ActiveState')[0]}, after {machine.service('NRestarts')[0]} restarts"
        )
        time.sleep(2)


def _one_line(text: str) -> str:
    return " / ".join(line.strip() for line in text.splitlines() if line.strip())
