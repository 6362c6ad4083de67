"""The doctor's checks of the Pi's supply: voltage, throttling and temperature, as the firmware reports them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardware.findings import AGAIN, Finding, Verdict
from hardware.system_probes import SystemProbes

STATES = {
    0: "the voltage was too low",
    1: "the processor's speed was capped",
    2: "the processor was throttled",
    3: "the processor was near its highest temperature",
}
"""What each bit of the firmware's answer means: the bit for now, and the one 16 higher for any time since the start."""

_SINCE = 16
_LOW = 0b0001 | 0b0001 << _SINCE
_THERMAL = "/sys/class/thermal/thermal_zone0/temp"  # thousandths of a degree
_SUPPLY = "use the Pi's own power supply and a short, thick cable: low voltage damages cards"
_HEAT = "give it air: open the case, or add a heat sink"


def power(machine: SystemProbes) -> Iterator[Finding]:
    """Tell voltage and throttling, where the firmware can be asked, and the temperature."""
    warm = _temperature(machine)
    degrees = "" if warm is None else f" {warm:.0f} °C"
    if not machine.finds("vcgencmd"):
        if warm is not None:
            yield Finding(Verdict.OK, f"Power: the firmware tells no voltage here; the processor has{degrees}.")
        return
    output = re.fullmatch(r"throttled=0x([0-9a-fA-F]+)", machine.output_of("vcgencmd", "get_throttled") or "")
    if output is None:
        yield Finding(Verdict.UNKNOWN, "Power: the firmware does not tell this user the voltage.", AGAIN)
        return
    bits = int(output[1], 16)
    now = [what.replace("was", "is") for bit, what in STATES.items() if bits >> bit & 1]
    since = [what for bit, what in STATES.items() if bits >> bit + _SINCE & 1 and not bits >> bit & 1]
    if not now and not since:
        yield Finding(Verdict.OK, f"Power: the voltage was enough since the start; the processor has{degrees or ' —'}.")
        return
    parts = [f"now {' and '.join(now)}"] if now else []
    parts += [f"since the start {' and '.join(since)}"] if since else []
    status = Verdict.WRONG if now or bits & _LOW else Verdict.UNKNOWN
    warmth = f"; the processor has{degrees}" if degrees else ""
    yield Finding(status, f"Power: {'; '.join(parts)}{warmth}.", _SUPPLY if bits & _LOW else _HEAT)


def _temperature(machine: SystemProbes) -> float | None:
    """Return the processor's temperature in degrees, if it is known."""
    output = re.fullmatch(r"temp=([0-9.]+)'C", machine.output_of("vcgencmd", "measure_temp") or "")
    if output is not None:
        return float(output[1])
    kernel = machine.text(_THERMAL) or ""
    return int(kernel) / 1000 if re.fullmatch("[0-9]+", kernel) else None
