"""The memory of failed versions: none is chosen again, or taken as the one before."""

from __future__ import annotations

from collections.abc import Iterator

from .attempts import begin, of_the_roll_back, try_to_install, wait_until_left
from .evening import Evening
from .machine import LabError, Machine
from .packages import signed
from .power_cuts import OLD, current, games, install

BAD, GOOD, WORSE = "0.2.11", "0.2.12", "0.2.13"

FAULT = "refuses"
"""The fault of the first of them, the one that is noticed last: the service counts as started for half a minute."""

_SIGNED = "/srv/update"
_PREVIOUS = "basename \"$(readlink /opt/companion/previous || echo none)\" | sed 's/~.*//'"


def memory(evening: Evening) -> Iterator[str]:
    """Let a version fail; look for updates, install the next version, and let one more fail."""
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
    yield judged(bool(said), f"apt ends with {made.status} after a version that failed, and says: {said}")

    told = _update(machine, BAD, FAULT)
    yield judged(current(machine) == OLD, f"companion update to {BAD} once more says: {told}")
    yield judged("failed" in " ".join(of_the_roll_back(machine, BAD)), "the doctor names it")

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
    machine.bring(signed(version, fault), _SIGNED)
    told = machine.run(f"companion update --yes {_SIGNED} </dev/null 2>&1 || true", patience=1800)
    return _one_line("\n".join(told.splitlines()[-3:]))


def _one_line(text: str) -> str:
    return " / ".join(line.strip() for line in text.splitlines() if line.strip())
