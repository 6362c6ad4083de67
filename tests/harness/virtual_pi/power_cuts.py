"""Power cuts during an installation and a roll-back: the box starts with the old or the new version, and every game.

One installation is watched, and the disk is copied at even intervals as a power cut would leave it: the machine is
stopped for that moment, and nothing it has not written yet is in the copy. Its kernel is told to write as late as it
may, so that only what a program syncs is sure to be there. Then each copy is booted.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from .evening import Evening
from .machine import DATA, LabError, Machine
from .packages import package

CUTS = 14
"""Cuts in each of the three parts."""

AFTER = 90.0
"""Seconds after the end during which the power is cut, too."""

EXPECTED = {"upgrade": 90.0, "bare": 90.0, "roll-back": 60.0}
"""Seconds that each part takes about, on the emulated machine."""

ENDED = {"upgrade": "/run/ended", "bare": "/run/ended", "roll-back": "/opt/companion/went-back"}
"""The file that is there when a part has ended."""

OLD, NEW = "0.2.0", "0.2.1"

APT = "DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends --allow-downgrades"
"""Installs a package file; an older one, too: dpkg may know a newer version that has failed."""
FINISH = "dpkg --configure -a"


_GAMES = f"""
companion export --data {DATA} --log --out /run/games.zip >/dev/null && python3 - <<'END'
import hashlib, zipfile
with zipfile.ZipFile("/run/games.zip") as games:
    for name in sorted(games.namelist()):
        print(name, hashlib.sha256(games.read(name)).hexdigest()[:12])
END
"""

WRITE_LATE = """
sysctl -q vm.dirty_expire_centisecs=360000 vm.dirty_writeback_centisecs=360000
sysctl -q vm.dirty_background_ratio=60 vm.dirty_ratio=80
"""

CURRENT = "basename $(readlink /opt/companion/current) | sed 's/~.*//'"  # a version built again has a number behind it

_STATE = """
readlink /opt/companion/current || echo nothing
dpkg-query -W -f='${db:Status-Status} ${Version}\\n' tabletop-companion 2>/dev/null || echo absent
systemctl is-active companion || true
"""


class Cut(NamedTuple):
    """A copy of the disk.

    Attributes:
        number: Its number in its part.
        at: Seconds after the first byte of the installation.
        ended: Whether the installation had ended.
    """

    number: int
    at: float
    ended: bool


def games(machine: Machine) -> str:
    """Return the name of each game in the machine's journal, with a hash of its log."""
    return machine.run(_GAMES)


def current(machine: Machine) -> str:
    """Return the version that the service starts."""
    return machine.run(CURRENT).strip()


def install(machine: Machine, version: str, fault: str = "", commit: str = "", *, fails: bool = False) -> float:
    """Install a package with apt; return the seconds it took.

    Args:
        machine: The machine.
        version: The version.
        fault: The fault of the version.
        commit: The commit it is made of; empty for this tree.
        fails: Whether apt has to report that it failed.
    """
    bring(machine, version, fault, commit)
    began = time.monotonic()
    machine.run(f"{'! ' * fails}{APT} /srv/package/*.deb", patience=1800)
    return time.monotonic() - began


def bring(machine: Machine, version: str, fault: str = "", commit: str = "") -> None:
    """Copy a package into the machine, and forget that a version of this number failed."""
    machine.run("rm -rf /opt/companion/failed")
    machine.bring(package(version, fault, commit), "/srv/package")


def cut_upgrade(evening: Evening) -> Iterator[str]:
    """Cut the power while a newer version is installed over a running one."""
    yield from _cuts(evening, "upgrade", {OLD, NEW})


def cut_bare(evening: Evening) -> Iterator[str]:
    """Cut the power during the first installation on a bare system."""
    yield from _cuts(evening, "bare", {NEW})


def cut_roll_back(evening: Evening) -> Iterator[str]:
    """Cut the power while a version that crashes is left for the one before."""
    yield from _cuts(evening, "roll-back", {OLD})


def _cuts(evening: Evening, part: str, versions: set[str]) -> Iterator[str]:
    machine = evening.machine
    if part == "bare":
        machine.down()
        machine.up(fresh=True)
        machine.settle()
        kept = ""
        bring(machine, NEW)
    else:
        install(machine, OLD)
        machine.wait_for_service()
        evening.take_up()
        evening.enter(2)
        kept = games(machine)
        if part == "upgrade":
            bring(machine, NEW)
        else:
            bring(machine, NEW, "crash")
    machine.run(f"sync; sleep 8; {WRITE_LATE}")
    cuts: list[Cut] = []
    began = time.monotonic()
    machine.run(f"rm -f /run/ended; systemd-run --quiet sh -c '{APT} /srv/package/*.deb; touch /run/ended'")
    interval, end = (EXPECTED[part] + AFTER) / (CUTS - 1), None
    if part == "roll-back":  # what counts begins with the first crash
        while current(machine) != NEW:
            time.sleep(0.5)
        began = time.monotonic()
    while end is None or time.monotonic() - end < AFTER:
        cut = Cut(len(cuts) + 1, time.monotonic() - began, end is not None)
        machine.freeze(f"{part}-{cut.number}")
        cuts.append(cut)
        if end is None and machine.holds(f"[ -e {ENDED[part]} ]"):
            end = time.monotonic()
        time.sleep(max(0.0, began + cut.at + interval - time.monotonic()))
    machine.down()
    with ThreadPoolExecutor(2) as both:
        told = list(both.map(lambda cut: _outcome(evening, part, cut, versions, kept), cuts))
    for (line, _right), cut in zip(told, cuts, strict=True):
        yield f"{part}, cut {cut.number} after {cut.at:.0f} s{' (it had ended)' * cut.ended}: {line}"
    wrong = [cut.number for (_line, right), cut in zip(told, cuts, strict=True) if not right]
    machine.up()
    assert not wrong, f"cuts {wrong}"
    yield f"{part}: {len(cuts)} cuts, each time the box starts with every game"


def _outcome(evening: Evening, part: str, cut: Cut, versions: set[str], kept: str) -> tuple[str, bool]:
    """Boot a copy of the disk; return what is there, and whether that is right."""
    machine = evening.machine.frozen(f"{part}-{cut.number}")
    try:
        machine.up()
        linked, packaged, *_state = machine.run(_STATE).splitlines()
        again = ""
        if part == "bare" and linked == "nothing":
            machine.run(f"{FINISH}; {APT} /srv/package/*.deb", patience=1800)
            again = "nothing was installed yet; the same command again: "
        if part == "roll-back":  # the failures are counted anew after each start of the machine
            machine.run(f'until [ "$({CURRENT})" = {OLD} ]; do sleep 1; done', patience=600)
        machine.wait_for_service()
        seen = Evening(machine, evening.script)
        seen.take_up()
        told = seen.script.updated(seen.pressed, NEW)
        if part == "roll-back":
            told = seen.script.gone_back(seen.pressed, NEW, OLD, "exit-code")
        seen.sees_one_of((seen.script.restarted(seen.pressed).picture, told), 600)
        version = current(machine)
        whole = not kept or games(machine) == kept
        line = f"{again}{version} plays, {'every game is there' if whole else 'GAMES ARE MISSING'}; dpkg: {packaged}"
        if cut.ended and part != "roll-back":  # "installed" was said
            versions = {NEW}
        return line, whole and version in versions
    except (AssertionError, LabError) as fault:
        return f"IT DOES NOT START: {fault}", False
    finally:
        machine.discard()
