"""The service starts once udev has set up the chip of the Pi's header, whatever its number."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.waiting import LAST_RESORT

SCRIPT = Path(__file__).parents[2] / "systemd" / "wait-for-pins.sh"


@pytest.mark.parametrize(
    ("chips", "waited_for"),
    [
        ({0: "brcm,bcm2835-gpio"}, 0),
        ({0: "brcm,bcm2711-gpio", 1: "raspberrypi,firmware-gpio"}, 0),
        ({0: "brcm,bcm7445-gpio\0brcm,brcmstb-gpio", 4: "raspberrypi,rp1-gpio"}, 4),
        ({11: "raspberrypi,rp1-gpio", 12: "brcm,bcm7445-gpio\0brcm,brcmstb-gpio"}, 11),
        ({0: None}, 0),
    ],
    ids=["Pi 3", "Pi 4", "Pi 5", "Pi 5 with a kernel of 2026", "no device tree"],
)
def test_it_waits_for_the_chip_of_the_header(tmp_path: Path, chips: dict[int, str | None], waited_for: int) -> None:
    for number, compatible in chips.items():
        (tmp_path / "dev").mkdir(exist_ok=True)
        (tmp_path / f"dev/gpiochip{number}").touch()
        node = tmp_path / f"sys/bus/gpio/devices/gpiochip{number}/of_node"
        if compatible is not None:
            node.mkdir(parents=True)
            (node / "compatible").write_bytes(f"{compatible}\0".encode())
    udevadm = tmp_path / "udevadm"
    udevadm.write_text('#!/bin/sh\necho "$*"\n')
    udevadm.chmod(0o755)
    world = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "COMPANION_ROOT": str(tmp_path)}
    done = subprocess.run(
        ["/bin/sh", str(SCRIPT)], env=world, check=True, capture_output=True, text=True, timeout=LAST_RESORT
    )
    assert done.stdout == f"wait --timeout=20 {tmp_path}/dev/gpiochip{waited_for}\n"


def test_the_service_runs_it_before_it_starts() -> None:
    unit = SCRIPT.with_name("companion.service").read_text("utf-8")
    assert "\nExecStartPre=+-/usr/lib/tabletop-companion/wait-for-pins\n" in unit
