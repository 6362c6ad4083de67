"""What apt does to a box: install, downgrade, reinstall, remove, purge, and an upgrade of the whole system."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from .attempts import add_entries
from .evening import Evening
from .machine import CONFIG, DATA, UNIT
from .power_cuts import APT, NEW, OLD, current, games, install

UNITS = "/usr/lib/systemd/system/companion.service"
PURGE = "DEBIAN_FRONTEND=noninteractive apt-get purge --yes tabletop-companion"
REMOVE_GAMES = "echo tabletop-companion tabletop-companion/remove-games boolean true | debconf-set-selections"

EARLIER = os.environ.get("EARLIER", "HEAD~20")
"""The commit of the program that is upgraded to this tree."""

BEFORE_DRAFT, HALF = 8, 4
"""The lines that are entered at least before one stays half typed, and the least keys of that one."""

_TRIXIE = r"""
sed -i 's/bookworm/trixie/g' /etc/apt/sources.list
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -y -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold full-upgrade
apt-get -y autoremove
readlink -f /usr/bin/python3
"""


def apt(evening: Evening) -> Iterator[str]:
    """Install, upgrade, downgrade, reinstall, remove and purge: games and settings as the documents say."""
    machine = evening.machine
    install(machine, OLD)
    machine.wait_for_service()
    evening.take_up()
    evening.enter(1)
    kept = games(machine)
    machine.run(f"echo '# mine' >>{CONFIG}")
    settings = machine.run(f"cat {CONFIG}")

    def plays(version: str, what: str) -> str:
        machine.wait_for_service()
        script, pressed = evening.script, evening.pressed
        evening.sees_one_of((script.restarted(pressed).picture, script.updated(pressed, version)))
        told = machine.run("companion --version").split()[-1]
        assert told == version, f"{what}: {told} runs, not {version}"
        assert games(machine) == kept, f"{what}: the games have changed"
        assert machine.run(f"cat {CONFIG}") == settings, f"{what}: the settings have changed"
        return f"{what}: {version} plays, with every game and the settings"

    took = install(machine, NEW)
    yield f"{plays(NEW, 'upgrade')} ({took:.0f} s)"
    took = install(machine, OLD)
    yield f"{plays(OLD, 'downgrade')} ({took:.0f} s)"
    machine.run(f"{APT} --reinstall /srv/package/*.deb", patience=1800)
    yield plays(OLD, "reinstall")

    machine.run("apt-get remove --yes tabletop-companion")
    assert not machine.holds(f"systemctl is-active {UNIT}"), "removed, but it runs"
    assert not machine.holds(f"[ -e {UNITS} ] || [ -e /opt/companion ] || [ -e /usr/bin/companion ]"), (
        "it is still there"
    )
    assert machine.holds(f"[ -d {DATA}/games ] && [ -e {CONFIG} ]"), "games or settings went with the package"
    yield "remove: no unit and no program; games and settings stay"
    install(machine, OLD)
    yield plays(OLD, "installed again")
    machine.run(PURGE)
    assert machine.holds(f"[ -d {DATA}/games ] && [ ! -e {CONFIG} ]"), "a purge that nobody answered"
    yield "purge, not answered: the settings are gone, the games stay"
    install(machine, OLD)
    machine.settle()
    machine.run(f"systemctl restart {UNIT}")
    machine.wait_for_service()
    assert games(machine) == kept
    machine.run(f"{REMOVE_GAMES}; {PURGE}")
    assert not machine.holds(f"[ -e {DATA} ]"), "the games are still there"
    yield "purge, answered with yes: the games are gone, too"
    install(machine, OLD)
    machine.settle()
    machine.run(f"systemctl restart {UNIT}")
    machine.wait_for_service()
    evening.pressed = 0
    evening.sees(evening.picture)
    yield "installed on what a purge left: home is shown"


def upgrade(evening: Evening) -> Iterator[str]:
    """Upgrade from an earlier commit while an entry is half typed: the game goes on within the entry."""
    machine, script = evening.machine, evening.script
    machine.down()
    machine.up(fresh=True)
    machine.settle()
    install(machine, OLD, commit=EARLIER)
    machine.wait_for_service()
    evening.take_up()
    ends = script.ends
    lines = next(n for n in range(BEFORE_DRAFT, len(ends)) if ends[n + 1] - ends[n] >= HALF)
    add_entries(evening, lines - evening.entered)
    machine.wait_for_service()
    kept = games(machine)
    typed = script.keys[evening.pressed : ends[lines + 1] - 1]
    machine.press(typed)
    evening.pressed += len(typed)
    took = install(machine, NEW)
    machine.wait_for_service()
    assert current(machine) == NEW, f"{current(machine)} runs"
    assert games(machine) == kept, "the games have changed"
    evening.sees_one_of((script.restarted(evening.pressed).picture, script.updated(evening.pressed, NEW)))
    yield f"from {EARLIER} to this tree in {took:.0f} s: {lines} entries, and {len(typed)} keys of one more, are there"
    machine.press(script.keys[evening.pressed : ends[lines + 1]])
    evening.pressed = ends[lines + 1]
    evening.sees(evening.picture)
    evening.all_is_kept()
    evening.enter(3)
    yield "its last key finishes the entry, and three more follow"


def upgrade_system(evening: Evening) -> Iterator[str]:
    """Upgrade the whole system from Debian 12 to 13: the box plays on, and says which package is wanted."""
    machine = evening.machine
    install(machine, OLD)
    machine.wait_for_service()
    evening.take_up()
    evening.enter(1)
    kept = games(machine)
    began = time.monotonic()
    python = machine.run(_TRIXIE, patience=7200).split()[-1]
    yield f"the system was upgraded in {(time.monotonic() - began) / 60:.0f} minutes; its Python is {python}"
    machine.reboot()
    machine.wait_for_service()
    evening.sees(evening.script.restarted(evening.pressed).picture, 300)
    assert games(machine) == kept
    evening.enter(1)
    told = [line for line in machine.run("companion doctor || true").splitlines() if "Python: " in line]
    yield f"the box plays on with the Python that it has; the doctor: {'; '.join(told)}"
