"""Settings that do not fit the machine: a sentence at once, and a panel whose controller is found by looking."""

from __future__ import annotations

import time
from collections.abc import Iterator

from companion.ui.pictures import sentence

from .evening import Evening
from .machine import CONFIG, UNIT

AT_ONCE = 15.0
"""Seconds within which `systemctl restart` returns, on the emulated machine."""


def refuse_settings(evening: Evening) -> Iterator[str]:
    """Start the service with wrong settings: it says so on the panel, and whoever starts it does not wait."""
    machine = evening.machine
    machine.run(f"cp {CONFIG} {CONFIG}.kept; echo 'board = \"rotari\"' >{CONFIG}")
    linked = machine.run("readlink /opt/companion/current")
    try:
        began = time.monotonic()
        machine.run(f"systemctl restart {UNIT}")
        took = time.monotonic() - began
        (told,) = machine.service("StatusText")
        evening.sees(sentence(told))
        assert took < AT_ONCE, f"systemctl restart took {took:.0f} s"
        yield f"wrong settings: systemctl restart returns after {took:.1f} s; panel and status say: {told}"
        machine.run(f'until [ "$(systemctl show -P NRestarts {UNIT})" -ge 3 ]; do sleep 1; done', patience=600)
        assert machine.run("readlink /opt/companion/current") == linked, "the version was left for wrong settings"
        yield "it tries again each half minute; after three times it is still the same version"
    finally:
        machine.run(f"mv {CONFIG}.kept {CONFIG}; systemctl restart {UNIT}")
    machine.wait_for_service()
    evening.sees(evening.script.restarted(evening.pressed).picture)


def find_controller(evening: Evening) -> Iterator[str]:
    """Connect an SH1106 where an SSD1306 is set: looking at the test picture finds it."""
    machine = evening.machine
    machine.run("echo options labi2c chip=sh1106 >/etc/modprobe.d/another-panel.conf")
    machine.run(f"sed -i '/^chip/d' {CONFIG}")
    machine.reboot()
    machine.wait_for_service()
    seen = machine.glass()
    right = evening.script.restarted(evening.pressed).picture
    assert seen != right, "an SH1106 shows the pictures for an SSD1306 as they are"
    wrong = evening.keep(seen, "wrong-controller")
    machine.run(f"systemctl stop {UNIT}")
    told = machine.run("(echo 2; sleep 20; echo 1) | companion doctor --panel").splitlines()[-1]
    machine.run(f"systemctl start {UNIT}")
    machine.wait_for_service()
    evening.sees(right)
    evening.enter(2)
    yield f"an SH1106 set as an SSD1306 ({wrong}): {told}"
    machine.run("rm /etc/modprobe.d/another-panel.conf; rm /var/lib/companion/panel-controller")
    machine.settle()
    machine.reboot()
    machine.wait_for_service()
    evening.sees(evening.script.restarted(evening.pressed).picture)
