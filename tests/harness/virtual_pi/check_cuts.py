"""Power cuts while a new version is checked, at the switch to it, and just after the end of its installation.

As in ``power_cuts`` one installation is watched and the disk copied, here at moments told by the machine itself.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

from .attempts import begin
from .evening import Evening
from .machine import UNIT, LabError, Machine
from .power_cuts import APT, FINISH, NEW, OLD, WRITE_LATE, bring, current, games

SOON = 900.0
"""Seconds within which each moment comes on the emulated machine."""

_CHECKED = "pgrep -f 'doctor --[r]eads'"
_CHOSEN = f"readlink /opt/companion/current | grep -q '/{NEW}'"
_ENDED = "[ -e /run/ended ]"
_SAID = "/run/said"

_VERSIONS = "ls /opt/companion/versions"


class Moment(NamedTuple):
    """When the power is cut.

    Attributes:
        name: What the installation does then.
        condition: The shell command that succeeds from then on.
        later: The seconds from then to the cut.
        versions: The versions of which one must play after the cut.
    """

    name: str
    condition: str
    later: float
    versions: set[str]


MOMENTS = (
    Moment("check", _CHECKED, 0, {OLD}),
    Moment("checking", _CHECKED, 4, {OLD, NEW}),
    Moment("switch", _CHOSEN, 0, {OLD, NEW}),
    Moment("end", _ENDED, 0, {NEW}),
    Moment("ended", _ENDED, 3, {NEW}),
)


def cut_check(evening: Evening) -> Iterator[str]:
    """Cut the power during the check, at the switch and at the end: the box starts, and nothing is built twice."""
    machine = evening.machine
    begin(evening)
    kept = games(machine)
    bring(machine, NEW)
    machine.run(f"sync; sleep 8; {WRITE_LATE}")
    installs = f"{APT} /srv/package/*.deb >{_SAID} 2>&1; touch /run/ended"
    machine.run(f"rm -f /run/ended; systemd-run --quiet sh -c '{installs}'")
    for moment in MOMENTS:
        _wait_for(machine, moment)
        machine.freeze(moment.name)
    machine.down()
    wrong = []
    try:
        for moment in MOMENTS:
            line, right = _outcome(evening, moment, kept)
            yield f"cut at {moment.name} + {moment.later:.0f} s: {'' if right else 'WRONG: '}{line}"
            if not right:
                wrong.append(moment.name)
    finally:
        machine.up()
    machine.wait_for_service()
    assert not wrong, f"cuts at {', '.join(wrong)}"


def _wait_for(machine: Machine, moment: Moment) -> None:
    """Wait until the power is to be cut; fail with what apt said if the installation ends before that moment."""
    comes = f"{moment.condition} >/dev/null"
    too_late = f"{_ENDED} && ! {comes} && cat {_SAID}"
    machine.run(f"until {comes}; do if {too_late}; then exit 1; fi; sleep .1; done", patience=SOON)
    time.sleep(moment.later)


def _outcome(evening: Evening, moment: Moment, kept: str) -> tuple[str, bool]:
    """Boot a copy of the disk and let apt finish; return what happened, and whether that is right."""
    machine = evening.machine.frozen(moment.name)
    try:
        machine.up()
        machine.wait_for_service()
        first, whole = current(machine), games(machine) == kept
        seen = Evening(machine, evening.script)
        seen.take_up()
        seen.sees_one_of((seen.script.restarted(seen.pressed).picture, seen.script.updated(seen.pressed, NEW)), 600)
        began = time.monotonic()
        before = _versions(machine)
        machine.run(f"{FINISH}; {APT} /srv/package/*.deb", patience=1800)
        took = time.monotonic() - began
        machine.wait_for_service()
        built = _versions(machine) - before
        line = (
            f"{first} plays, {'every game is there' if whole else 'GAMES ARE MISSING'}; "
            f"finished in {took:.0f} s, {current(machine)} plays; built: {', '.join(sorted(built)) or 'nothing'}"
        )
        again = first == NEW and bool(built)
        right = whole and first in moment.versions and current(machine) == NEW and not again
        return line + " (A SECOND TIME)" * again, right
    except (AssertionError, LabError) as fault:
        return f"{UNIT} does not start: {fault}", False
    finally:
        machine.discard()


def _versions(machine: Machine) -> set[str]:
    return set(machine.run(_VERSIONS).split())
