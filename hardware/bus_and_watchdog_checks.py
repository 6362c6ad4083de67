"""The doctor's checks of the Pi itself: the speed of the panel's bus, and the hardware watchdog."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.findings import Finding, Verdict
from hardware.system_probes import SystemProbes

FAST = 400_000
"""Bits a second that every supported panel takes: a picture needs 23 ms, at the Pi's usual 100,000 it needs 93."""

CONFIG = "/boot/firmware/config.txt"
_SPEED = "dtparam=i2c_arm_baudrate"
# An earlier line goes, so that the command may be given twice; [all], as the file may end in a section for one model.
_FASTER = (
    f"faster, if you like: sudo sed -i /^{_SPEED}=/d {CONFIG}; "
    f"printf '[all]\\n{_SPEED}={FAST}\\n' | sudo tee -a {CONFIG}; sudo reboot"
)


def bus_speed(machine: SystemProbes, bus: int) -> Iterator[Finding]:
    """Report the speed of an I2C bus, if the device tree holds it."""
    speed = machine.number(f"/sys/bus/i2c/devices/i2c-{bus}/of_node/clock-frequency")
    if speed is None:
        return
    what = f"Bus: /dev/i2c-{bus} is set to {speed // 1000} kHz."
    if speed >= FAST or bus != 1:  # the parameter is that of bus 1
        yield Finding(Verdict.OK, what)
    else:
        yield Finding(Verdict.UNKNOWN, what, _FASTER)


def watchdog(machine: SystemProbes) -> Iterator[Finding]:
    """Report whether the hardware restarts a Pi that hangs."""
    period = machine.output_of("systemctl", "show", "--property=RuntimeWatchdogUSec", "--value")
    if period is None:
        return
    if not machine.exists("/dev/watchdog0"):
        yield Finding(
            Verdict.UNKNOWN, "Watchdog: this machine has none; one that hangs needs somebody to pull the plug."
        )
    elif period in ("0", "infinity", ""):
        what = "Watchdog: it is off; a Pi that hangs needs somebody to pull the plug."
        yield Finding(Verdict.UNKNOWN, what, 'switch it on: docs/operate.md, "What the package changes"')
    else:
        yield Finding(Verdict.OK, f"Watchdog: a Pi that hangs starts again after {period}.")
