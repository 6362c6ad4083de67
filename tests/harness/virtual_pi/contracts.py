"""The contract tests of output pins, keys, lamp, buzzer and panel, run on the kernel's own devices."""

from __future__ import annotations

from collections.abc import Iterator

from .evening import Evening
from .machine import TREE, UNIT, LabError
from .packages import tree

SUITES = ("output_pins", "keys", "signals", "panel")
PYTHON = "/opt/companion/current/bin/python"
TOOLS = "/opt/contracts"


def contracts(evening: Evening) -> Iterator[str]:
    """Run the contract tests in the machine, with the service stopped."""
    machine = evening.machine
    machine.copy_in(tree())
    machine.run(f"systemctl stop {UNIT}")
    try:
        machine.run(
            f"/usr/bin/python3 -m pip install --quiet --target {TOOLS} --upgrade pytest hypothesis babel", patience=900
        )
        broken = []
        for suite in SUITES:
            try:
                said = machine.run(
                    f"cd {TREE} && CI=1 COMPANION_LAB=1 PYTHONPATH={TOOLS} "
                    f"{PYTHON} -m pytest -q -p no:cacheprovider tests/hardware/test_{suite}_contract.py 2>&1",
                    patience=2400,
                )
            except LabError as fault:
                broken.append(suite)
                said = str(fault)
                yield said
            yield f"the contract of the {suite}, on the kernel's: {said.strip().splitlines()[-1].strip('= ')}"
    finally:
        machine.run(f"systemctl start {UNIT}")
    assert not broken, f"not kept: {', '.join(broken)}"
