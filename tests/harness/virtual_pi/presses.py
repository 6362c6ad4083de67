"""Short presses on the keypad under load: each is entered, or told as missed."""

from __future__ import annotations

import json
from collections.abc import Iterator

from .evening import Evening
from .machine import TREE, UNIT
from .packages import tree

PRESSES = 500
PYTHON = "/opt/companion/current/bin/python"


def presses(evening: Evening) -> Iterator[str]:
    """Press keys for 50 to 200 ms while two other programs want the processor."""
    machine = evening.machine
    machine.copy_in(tree())
    machine.run(f"systemctl stop {UNIT}")
    try:
        said = machine.run(f"cd {TREE} && {PYTHON} -m tests.harness.virtual_pi.pressing {PRESSES}", patience=1800)
    finally:
        machine.run(f"systemctl start {UNIT}")
    found = json.loads(said.splitlines()[-1])
    for duration, counts in found["presses"].items():
        yield f"from {duration}: " + ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
    lost = found["lost"]
    assert not lost, f"{len(lost)} presses were lost without a word; with the ones before and after: {lost}"
    assert not found["invented"], f"{found['invented']} keys came that nobody had pressed"
