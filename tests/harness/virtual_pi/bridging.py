"""The bridge beside the box: the cable out for a while, and a power cut. A hub gets every line.

The broker and the hub run on the host.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bridge.mosquitto import Hub, Mosquitto, Onlooker

from .attempts import add_entries
from .evening import Evening
from .machine import CONFIG, PATIENCE, UNIT

BRIDGE = f"{UNIT}-bridge"
HOST = "10.0.2.2"
"""The host's address on the machine."""

OUT = 100.0
"""Seconds that the cable is out at least: longer than a silent connection is kept."""

MARKS = f"/var/lib/{BRIDGE}/arrived.json"
"""How far a game has arrived. The disk has it two minutes later at most (fewer-writes), or when it is told to sync."""

_SETTINGS = '[bridge]\nbroker = "mqtt://{host}:{port}"\nname = "Virtual table"\nclub = true\n'

_OUT = """
tc qdisc add dev eth0 clsact
tc filter add dev eth0 egress protocol ip u32 match ip dport {port} 0xffff action drop
tc filter add dev eth0 ingress protocol ip u32 match ip sport {port} 0xffff action drop
"""
"""Drops what goes to the broker and comes from it, as if the cable were out. The lab itself needs the network."""

_IN = "tc qdisc del dev eth0 clsact"


def bridge(evening: Evening) -> Iterator[str]:
    """Play while the hub cannot be reached, and after a power cut."""
    machine, hub = evening.machine, Hub()
    with tempfile.TemporaryDirectory() as folder:
        broker = Mosquitto(Path(folder))
        onlooker = Onlooker(broker, hub)
        try:
            machine.run(f"cat >>{CONFIG} <<'END'\n{_SETTINGS.format(host=HOST, port=broker.port)}END")
            machine.run("companion bridge --set-up")
            yield from _follow(evening, hub, broker.port)
        finally:
            onlooker.close()
            broker.stop()
            machine.run(f"systemctl disable --now {BRIDGE}")
            machine.settle()


def _follow(evening: Evening, hub: Hub, port: int) -> Iterator[str]:
    machine = evening.machine
    add_entries(evening, 2)
    took = _all_arrive(evening, hub)
    memory = machine.run(f"grep -E '^(Rss|Pss):' /proc/$(systemctl show -P MainPID {BRIDGE})/smaps_rollup").split()
    yield f"set up: {evening.entered + 1} lines arrived within {took:.0f} s; in kB: {' '.join(memory)}"

    machine.run(_OUT.format(port=port))
    stored, began = _stored(hub), time.monotonic()
    try:
        add_entries(evening, evening.script.round)
        time.sleep(max(0.0, began + OUT - time.monotonic()))
        assert _stored(hub) == stored, "lines arrived without a cable"
    finally:
        machine.run(_IN)
    lasted = time.monotonic() - began
    took = _all_arrive(evening, hub)
    yield f"the cable was out for {lasted:.0f} s and {_stored(hub) - stored} lines; they arrived {took:.0f} s after"

    stored, messages = _stored(hub), len(hub.firsts)
    machine.run(f"until grep -q '\"lines\":{stored},' {MARKS}; do sleep 1; done; sync")
    machine.cut()
    machine.up()
    machine.wait_for_service()
    add_entries(evening, 2)
    took = _all_arrive(evening, hub)
    again = [first for first in hub.firsts[messages:] if first < stored]
    assert not again, f"{stored} lines were stored, and some came again: from line {again[0]} on"
    yield f"power cut: the bridge is back by itself, 2 more lines arrived within {took:.0f} s, no line came again"


def _all_arrive(evening: Evening, hub: Hub) -> float:
    """Wait until the hub has the whole game, as the machine exports it; return the seconds it took."""
    began = time.monotonic()
    while _stored(hub) <= evening.entered:
        assert time.monotonic() - began < PATIENCE, f"{_stored(hub)} of {evening.entered + 1} lines arrived"
        time.sleep(0.2)
    took = time.monotonic() - began
    (lines,) = hub.games.values()
    assert lines == evening.machine.exported()
    return took


def _stored(hub: Hub) -> int:
    return sum(map(len, hub.games.values()))
