"""Installation: from a bare machine to a running box."""

from __future__ import annotations

import time
from collections.abc import Iterator

from .evening import Evening
from .machine import TREE
from .packages import tree
from .power_cuts import OLD
from .power_cuts import install as install_package

PACKAGES = "debhelper make"


def install(evening: Evening) -> Iterator[str]:
    """Start a fresh machine, install the package on it, and start it again."""
    machine = evening.machine
    machine.build()
    machine.down()
    began = time.monotonic()
    machine.up(fresh=True)
    yield f"a fresh machine is up after {time.monotonic() - began:.0f} s"
    machine.settle()
    took = install_package(machine, OLD)
    size = machine.run("du -sm /opt/companion").split()
    yield f"apt installed the package in {took:.0f} s; a version takes {size[0]} MB"
    machine.reboot()
    machine.wait_for_service()
    evening.sees(evening.picture)
    yield "after a reboot the panel shows home"
    yield f"the doctor: {'; '.join(_complaints(machine.run('companion doctor'))) or 'all is well'}"


def _complaints(report: str) -> list[str]:
    return [line for line in report.splitlines() if line and not line.startswith("✓")]


def install_from_source(evening: Evening) -> Iterator[str]:
    """Install the box from the source with make, as those do who change the program."""
    machine = evening.machine
    began = time.monotonic()
    machine.copy_in(tree())
    machine.run(f"apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install {PACKAGES}", patience=900)
    machine.run(f"make -C {TREE} install", patience=1800)
    yield f"make install took {time.monotonic() - began:.0f} s, with copying and packages"
    machine.wait_for_service()
