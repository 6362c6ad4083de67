"""Tests the box on a virtual Pi: all chapters on a fresh machine, or the named ones on the machine as it is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from . import (
    bridging,
    broken_versions,
    check_cuts,
    contracts,
    failure_memory,
    figures,
    first_boot,
    full_disk,
    installing,
    mishaps,
    package_life,
    playing,
    power_cuts,
    presses,
    purging,
    read_only,
    usb_drive,
    wear,
    wrong_settings,
)
from .evening import Evening
from .machine import LabError, Machine, find_lab
from .script import written

CHAPTERS: dict[str, Callable[[Evening], Iterator[str]]] = {
    "install": installing.install,
    "round": playing.play_round,
    "faults": playing.lose_panel,
    "figures": figures.figures,
    "wear": wear.wear,
    "presses": presses.presses,
    "detents": presses.detents,
    "restart": mishaps.restart,
    "stop": mishaps.stop,
    "sleep": mishaps.sleep,
    "cuts": mishaps.cut_power,
    "boot": mishaps.cut_boot,
    "bridge": bridging.bridge,
    "contracts": contracts.contracts,
    "sh1106": mishaps.change_panel,
    "settings": wrong_settings.refuse_settings,
    "controller": wrong_settings.find_controller,
    "off": mishaps.switch_off,
    "source": installing.install_from_source,
    "apt": package_life.apt,
    "drive": usb_drive.usb_drive,
    **{f"broken-{name}": partial(broken_versions.broken, name) for name in broken_versions.NAMES},
    "memory": failure_memory.memory,
    "cut-check": check_cuts.cut_check,
    "cut-upgrade": power_cuts.cut_upgrade,
    "cut-roll-back": power_cuts.cut_roll_back,
    "cut-bare": power_cuts.cut_bare,
    "read-only": read_only.read_only_root,
    "full-disk": full_disk.full_disk,
    "purge": purging.purge,
    "upgrade": package_life.upgrade,
    "first-boot": first_boot.first_boot,
    "trixie": package_life.upgrade_system,
}


def main(names: Sequence[str]) -> int:
    """Run chapters, print the results of each, and return the exit status."""
    unknown = [name for name in names if name not in CHAPTERS]
    if unknown:
        print(f"there is no chapter {unknown[0]}; there are {', '.join(CHAPTERS)}", file=sys.stderr)
        return 2
    lab = find_lab()
    if lab is None:
        print("There is no virtual Pi here ($LAB, or ../shared/lab), so nothing was proved on one.")
        return 0
    began = time.monotonic()
    machine = Machine(lab)
    evening = Evening(machine, written())
    if names and "install" not in names:
        if not machine.running:
            machine.up()
            machine.wait_for_service()
        evening.take_up()
    failed = []
    for name in names or CHAPTERS:
        try:
            for line in CHAPTERS[name](evening):
                print(f"{time.monotonic() - began:6.0f} s  {name}: {line}", flush=True)
        except (AssertionError, LabError) as error:
            failed.append(name)
            print(f"{time.monotonic() - began:6.0f} s  {name}: FAILED: {error}", flush=True)
            if name == "install" or not _goes_on(evening):
                break
    if not names:
        machine.down()
    print(f"{len(failed)} chapters failed{': ' if failed else ''}{', '.join(failed)}")
    return 1 if failed else 0


def _goes_on(evening: Evening) -> bool:
    """Continue the game at the machine's present state; return whether that is possible."""
    try:
        evening.take_up()
    except (AssertionError, LabError) as error:
        print(f"That is the end of it: {error}")
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
