"""A round typed on the keypad, and a panel that fails meanwhile."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

from .evening import Evening
from .machine import DATA

FAULTS = ("nack", "timeout", "flaky 7")
TROUBLE = 10.0
"""The shortest duration of a fault, in seconds."""

SOON = 15.0
"""Seconds until the panel must be right again; the box retries every four seconds, on an emulated processor."""


def play_round(evening: Evening) -> Iterator[str]:
    """Set a game up and play its first round: after every entry the panel shows the right picture."""
    machine, script = evening.machine, evening.script
    evening.take_up()
    assert evening.pressed == 0, "there is a game already; begin with a fresh machine"
    evening.sees(evening.picture)
    began = time.monotonic()
    evening.enter(1)
    yield f"a game is set up: {evening.pressed} keys, {time.monotonic() - began:.0f} s"
    evening.enter(script.round - 1)
    trump = _agreed(evening)["trump"]
    kept = evening.keep(machine.glass(), "trump")
    yield f"before the last card of the round {trump} is trump, as the referee says: {kept}"
    evening.enter(1)
    seconds = time.monotonic() - began
    kept = evening.keep(machine.glass(), "round")
    points = _agreed(evening)["totals"]
    yield (
        f"a whole round: {evening.pressed} keys, {script.round} entries, {seconds:.0f} s, every picture right; "
        f"points {points}, as the referee says: {kept}"
    )


def _agreed(evening: Evening) -> dict[str, Any]:
    """Return the state of the game, after checking that the machine's journal and the oracle agree."""
    evening.all_is_kept()
    replayed = json.loads(evening.machine.run(f"companion export --data {DATA} | companion replay -"))
    referee = evening.script.snapshot(evening.entered)
    for what in ("trump", "columns", "tricks", "rounds", "totals"):
        assert replayed[what] == referee[what], f"{what}: {replayed[what]}, by the referee {referee[what]}"
    return referee


def lose_panel(evening: Evening) -> Iterator[str]:
    """Play on while the panel's bus fails in every way; the right picture is back soon after each failure."""
    machine = evening.machine
    for fault in FAULTS:
        process = machine.service("MainPID")
        failed = int(machine.panel()["faults"])
        machine.fault(fault)
        try:
            began = time.monotonic()
            before = evening.entered
            while time.monotonic() - began < TROUBLE or evening.entered < before + 4:
                for keys in evening.entries(1):
                    machine.press(keys)
            right = machine.glass() == evening.picture
            lasted = time.monotonic() - began
        finally:
            if fault == "nack":
                machine.run("labctl i2c reset")  # it was unplugged: it comes back dark, with noise for a picture
            machine.fault("none")
        took = evening.sees(evening.picture, SOON)
        evening.all_is_kept()
        assert machine.service("MainPID") == process, "the service was restarted"
        failed = int(machine.panel()["faults"]) - failed
        yield (
            f"{fault} for {lasted:.0f} s: {evening.entered - before} entries, {failed} transfers failed, "
            f"the picture was {'right' if right else 'not right'} at the end of it and is {took:.1f} s after"
        )
