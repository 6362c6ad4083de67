"""Installation: from a bare machine to a running box."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator

from .evening import Evening
from .machine import PROJECT, TREE

PACKAGES = "make polkitd"


def install(evening: Evening) -> Iterator[str]:
    """Start a fresh machine, install the box on it as people do, and start it again."""
    machine = evening.machine
    machine.build()
    machine.down()
    began = time.monotonic()
    machine.up(fresh=True)
    yield f"a fresh machine is up after {time.monotonic() - began:.0f} s"
    machine.settle()
    began = time.monotonic()
    machine.copy_in(_tree())
    machine.run(f"apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install {PACKAGES}", patience=900)
    machine.run(f"make -C {TREE} install", patience=1800)
    yield f"make install took {time.monotonic() - began:.0f} s, with copying and packages"
    machine.reboot()
    machine.wait_for_service()
    evening.sees(evening.picture)
    yield "after a reboot the panel shows home"
    yield f"the doctor: {'; '.join(_complaints(machine.run('companion doctor'))) or 'all is well'}"


def _tree() -> list[str]:
    """Return the names of the project's files, uncommitted ones included."""
    told = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    return [name for name in told.stdout.split("\0") if name and (PROJECT / name).exists()]


def _complaints(report: str) -> list[str]:
    return [line for line in report.splitlines() if line and not line.startswith("✓")]
