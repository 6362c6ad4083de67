"""Short presses and quick turns under load: each press is entered or told as missed, and each detent counts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .evening import Evening
from .machine import TREE, UNIT
from .packages import tree

PRESSES, SERIES = 500, 1500
PYTHON = "/opt/companion/current/bin/python"


def presses(evening: Evening) -> Iterator[str]:
    """Press keys for 50 to 200 ms while two other programs want the processor."""
    found = _results(evening, "pressing", PRESSES)
    for duration, counts in found["presses"].items():
        yield f"from {duration}: " + ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
    lost = found["lost"]
    assert not lost, f"{len(lost)} presses were lost without a word; with the ones before and after: {lost}"
    assert not found["invented"], f"{found['invented']} keys came that nobody had pressed"


def detents(evening: Evening) -> Iterator[str]:
    """Turn a knob under the same load: each detent counts, and the way it was turned."""
    found = _results(evening, "turning", SERIES)
    yield f"{found['came']} of {found['turned']} detents in {found['series']} series"
    assert found["first odd"] is None, f"the first that differ, turned and come: {found['first odd']}"


def _results(evening: Evening, module: str, count: int) -> Any:
    """Run a module in the machine, with the service stopped, and return what it printed last."""
    machine = evening.machine
    machine.copy_in(tree())
    machine.run(f"systemctl stop {UNIT}")
    try:
        said = machine.run(f"cd {TREE} && {PYTHON} -m tests.harness.virtual_pi.{module} {count}", patience=1800)
    finally:
        machine.run(f"systemctl start {UNIT}")
    return json.loads(said.splitlines()[-1])
