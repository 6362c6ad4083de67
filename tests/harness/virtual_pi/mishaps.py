"""Faults of a running box: killed, hung, stopped, asleep, without power, with another panel, switched off."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from companion.ui.pictures import goodbye
from tests.hardware.pictures import blank

from .evening import LATE, Evening
from .machine import UNIT

CUTS = 10
CUT_SEED = 7
LONGEST = 6.0
"""The most seconds of typing before the power is cut."""

BOOTING = (0.0, 4.0)
"""Seconds after the first login of a boot at which the power is cut again."""

HELD = 5.6
"""Seconds the menu key is held to switch the machine off."""


def restart(evening: Evening) -> Iterator[str]:
    """Kill the service, and hang it: each time it returns to the same question."""
    machine = evening.machine
    for what, order in (("killed", f"systemctl kill -s KILL {UNIT}"), ("hung", f"systemctl kill -s STOP {UNIT}")):
        evening.enter(1)
        (process,) = machine.service("MainPID")
        began = time.monotonic()
        machine.run(order)
        machine.wait_for_service(other_than=process)
        evening.sees(evening.script.restarted(evening.pressed).picture)
        took = time.monotonic() - began
        evening.enter(1)
        (result,) = machine.service("NRestarts")
        yield f"{what}: back at the same question after {took:.0f} s; {result} restarts so far"


def stop(evening: Evening) -> Iterator[str]:
    """Stop the service: it shows a goodbye and leaves the panel dark."""
    machine = evening.machine
    machine.run(f"systemctl stop --no-block {UNIT}")
    evening.sees(goodbye("Every entry is saved"), 5)
    evening.sees(blank())
    machine.run(f"systemctl start {UNIT}")
    evening.sees(evening.script.restarted(evening.pressed).picture)
    yield "stopped: it says good-bye, and goes dark; started, it is at the same question"


def sleep(evening: Evening) -> Iterator[str]:
    """Leave the box alone until its panel sleeps: the first key only wakes it."""
    machine = evening.machine
    machine.settle(dim=4, off=8)
    machine.run(f"systemctl restart {UNIT}")
    try:
        woken = evening.script.restarted(evening.pressed).picture
        evening.sees(woken)
        bright = machine.panel()["contrast"]
        began = time.monotonic()
        while machine.panel()["contrast"] == bright and time.monotonic() - began < LATE:
            pass
        dimmed = machine.panel()["contrast"]
        evening.sees(blank())
        machine.press(evening.script.keys[evening.pressed :][:1])
        took = evening.sees(woken)
        evening.all_is_kept()
    finally:
        machine.settle()
        machine.run(f"systemctl restart {UNIT}")
    evening.sees(woken)
    evening.enter(1)
    assert dimmed != bright, "it never dimmed"
    yield f"left alone: contrast {bright}, then {dimmed}, then dark; the first key only wakes it ({took:.1f} s)"


def cut_power(evening: Evening) -> Iterator[str]:
    """Cut the power at random moments while keys are pressed: nothing that was shown is lost."""
    machine, script = evening.machine, evening.script
    chance = random.Random(CUT_SEED)
    for count in range(1, CUTS + 1):
        moment = chance.uniform(0.2, LONGEST)
        typed = script.keys[evening.pressed : script.ends[evening.entered + 8]]
        begun = last = evening.pressed
        began = time.monotonic()
        with machine.pressing(typed):
            while time.monotonic() - began < moment:
                seen = machine.glass()
                last = next((at for at in range(last, begun + len(typed)) if script.pictures[at] == seen), last)
            machine.cut()
        shown = script.entered(last)
        machine.up()
        machine.wait_for_service()
        up = time.monotonic()
        kept = evening.kept()
        assert kept >= shown, f"{shown} entries had been shown, {kept} are left"
        first = min(last, script.ends[kept])  # the keys of an answer that was not finished are gone with the power
        may = [at for at in range(first, begun + len(typed) + 1) if script.entered(at) == kept]
        may_show = {at: script.restarted(at) for at in may}
        evening.sees_one_of(box.picture for box in may_show.values())
        took = time.monotonic() - up
        seen = machine.glass()
        evening.pressed = next(at for at, box in may_show.items() if box.picture == seen)
        rest = script.rest(evening.pressed)
        machine.press(rest)
        evening.pressed = script.ends[kept + 1]
        evening.sees(evening.picture)
        yield (
            f"cut {count} after {moment:.1f} s of typing: {shown} entries shown, {kept} kept, "
            f"the same question {took:.0f} s after the service was up"
        )


def cut_boot(evening: Evening) -> Iterator[str]:
    """Cut the power while the machine boots: the next boot shows the same question."""
    machine = evening.machine
    for moment in BOOTING:
        machine.cut()
        machine.up()
        time.sleep(moment)
        (state,) = machine.service("ActiveState")
        machine.cut()
        machine.up()
        machine.wait_for_service()
        evening.all_is_kept()
        evening.sees(evening.script.restarted(evening.pressed).picture)
        yield f"cut {moment} s after the first login of a boot, the service {state}: {evening.entered} entries are kept"


def change_panel(evening: Evening) -> Iterator[str]:
    """Connect another panel, and play on."""
    machine = evening.machine
    machine.run("echo options labi2c chip=sh1106 >/etc/modprobe.d/another-panel.conf")
    machine.settle(chip="sh1106")
    machine.reboot()
    machine.wait_for_service()
    assert machine.panel()["chip"] == "sh1106"
    evening.sees(evening.script.restarted(evening.pressed).picture)
    evening.enter(3)
    yield "on an SH1106: the same question, and every picture right"


def switch_off(evening: Evening) -> Iterator[str]:
    """Hold the menu key until the machine switches itself off."""
    machine = evening.machine
    began = time.monotonic()
    machine.hold("#", HELD)
    while machine.running:
        assert time.monotonic() - began < 300, "it does not switch itself off"
        time.sleep(0.5)
    took = time.monotonic() - began
    machine.up()
    machine.wait_for_service()
    evening.sees(evening.script.restarted(evening.pressed).picture)
    yield f"the menu key held: the machine was off after {took:.0f} s; on again, it is at the same question"
