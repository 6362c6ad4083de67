"""The command ``companion doctor``: checks the device and prints one line of advice for each check.

`SystemProbes` reads the state of the machine; the functions here judge it. Nothing is changed, and a running
companion is not disturbed.
"""

from __future__ import annotations

import errno
from collections.abc import Collection, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.terminal import say
from companion.history.days import local
from companion.installation.places import InstallationPaths
from hardware.board import I2C_LINES
from hardware.bus_and_watchdog_checks import bus_speed, watchdog
from hardware.disk_checks import disk
from hardware.findings import AGAIN, Finding, Verdict
from hardware.gpio_chips import CONSUMER, LGPIO_CONSUMER
from hardware.journal_checks import journal
from hardware.own_version_checks import ANEW, fonts, installed_version, python, version
from hardware.power_checks import power
from hardware.system_probes import SystemProbes

if TYPE_CHECKING:
    from hardware.owner_settings import Settings, WebPageSettings
    from hardware.panel_bus import PanelSpec

SERVICE = "companion.service"

_BUILT = 2025  # an earlier year means that the clock was never set: the program did not exist yet
_RESTART = f"then sudo systemctl restart {SERVICE}"


def main(config: Path | None, data: Path, report: Path | None = None) -> int:
    """Print the results of all checks, and write a report if one is wanted.

    Returns the exit status: 0 if nothing is wrong, else 1. Raises OSError if the report's file cannot be written.
    """
    machine = SystemProbes()
    found = []
    for finding in check(machine, config, data):
        say(finding, flush=True)  # a bus may be slow
        found.append(finding)
    if report is not None:
        from hardware.support_report import LOG, Report  # needed only for this

        Report(machine, config, data).write(report, found)
        say()
        say(f"The report is in {report}. Read it before you send it. The log is not in it: {LOG}")
    return 1 if any(finding.status is Verdict.WRONG for finding in found) else 0


def check(
    machine: SystemProbes, config: Path | None, data: Path, places: InstallationPaths | None = None
) -> Iterator[Finding]:
    """Run all checks; a check comes after those it depends on."""
    places = places or InstallationPaths()
    settings = yield from _settings(config)
    model = machine.text("/proc/device-tree/model")
    if model is None:
        yield Finding(
            Verdict.UNKNOWN, "Device: this is no Raspberry Pi, so pins, panel and service are not looked for."
        )
    else:
        yield Finding(Verdict.OK, f"Device: {model}.")
        if settings is not None:
            yield from _packages(machine, settings)
            yield from _lines(machine, settings)
            yield from _panel(machine, settings.panel, config)
        yield from _service(machine)
        yield from _rights(machine)
        yield from watchdog(machine)
    if settings is not None and settings.page.on:
        yield _page(machine, settings.page)
    yield from version(places, installed_version())
    yield from python(machine, places)
    yield fonts()
    yield from journal(machine, data)
    yield from disk(machine, data)
    yield from power(machine)
    yield from _clock(machine)


# Settings


def _settings(config: Path | None) -> Generator[Finding, None, Settings | None]:
    """Check and return the settings."""
    from companion.ui.translations import languages
    from hardware import board, owner_settings

    place = config or owner_settings.DEFAULT
    try:
        found = owner_settings.load(config, languages)
    except (owner_settings.SettingsError, board.BoardError) as fault:
        yield Finding(Verdict.WRONG, f"Settings: {fault}.", f"correct it in {place}, {_RESTART}")
        return None
    written = str(place) if place.exists() else f"there is no {place}, so all is as usual"
    yield Finding(Verdict.OK, f"Settings: {written}; the board is {found.board.name}.")
    for sentence in found.unknown:
        yield Finding(Verdict.UNKNOWN, f"Settings: {sentence}.", f"it has no effect; correct or remove it in {place}")
    for remark in board.remarks(found.board, lamp=found.lamp.on, buzzer=found.sounds.buzzer != "none"):
        yield Finding(Verdict.UNKNOWN, f"Board: {remark.rstrip('.')}.")
    return found


def _packages(machine: SystemProbes, settings: Settings) -> Iterator[Finding]:
    """Check for the Python packages that these settings need."""
    needed = {"gpiozero": "", "luma.core": "", "smbus2": ""}
    if settings.factory == "kernel":
        needed["gpiod"] = ""
    if settings.needs_lgpio:
        needed["lgpio"] = "sudo apt install python3-lgpio"
    if settings.panel.bus == "spi":
        needed["spidev"] = "sudo apt install python3-spidev"
    missing = [name for name in needed if not machine.has(name)]
    for name in missing:
        remedy = needed[name] or ANEW
        yield Finding(Verdict.WRONG, f"Packages: Python's {name} is missing.", f"{remedy}, {_RESTART}")
    if not missing:
        yield Finding(Verdict.OK, f"Packages: {', '.join(needed)}.")


def _page(machine: SystemProbes, page: WebPageSettings) -> Finding:
    """Tell where phones find the page."""
    if page.host in ("127.0.0.1", "::1", "localhost"):
        return Finding(Verdict.OK, f"Page: for this computer only, http://localhost:{page.port}/table.")
    name = (machine.text("/proc/sys/kernel/hostname") or "localhost").strip()
    return Finding(Verdict.OK, f"Page: http://{name}.local:{page.port}/table, or with this computer's address.")


# Devices


def _lines(machine: SystemProbes, settings: Settings) -> Iterator[Finding]:
    """Check that the GPIO chip and its lines exist, and that no other program uses them."""
    used = settings.board.used(lamp=settings.lamp.on, buzzer=settings.sounds.buzzer != "none")
    names = {line: pin for pin, line in used.items()}
    try:
        holders = machine.holders(sorted(names))
    except ImportError:
        return  # reported already
    except OSError as error:
        yield _closed("Pins", "The GPIO chip", error, "gpio", "this kernel drives no pins: sudo apt full-upgrade")
        return
    ours = {CONSUMER, LGPIO_CONSUMER} if settings.needs_lgpio else {CONSUMER}
    others = {line: who for line, who in holders.items() if who not in ours}
    for line, who in sorted(others.items()):
        remedy = f"end what uses it, or put {names[line]} on another line under [pins] in the settings"
        yield Finding(Verdict.WRONG, f'Pins: GPIO {line} ({names[line]}) is taken by "{who}".', remedy)
    if not others:
        state = "in use by the companion" if holders else "free"
        yield Finding(Verdict.OK, f"Pins: all {len(names)} lines of the board are there and {state}.")


def _panel(machine: SystemProbes, panel: PanelSpec, config: Path | None) -> Iterator[Finding]:
    """Check the panel's bus and, where the bus can be queried, the panel."""
    if panel.bus == "spi":
        device = f"/dev/spidev{panel.port}.{panel.device}"
        enable = "enable SPI: sudo raspi-config nonint do_spi 0, then sudo reboot"
        try:
            machine.open(device)
        except OSError as error:
            yield _closed("Panel", device, error, "spi", enable)
            return
        yield Finding(Verdict.OK, f"Panel: {device} is there; whether a panel hangs on it, SPI does not tell.")
        return
    device = f"/dev/i2c-{panel.port}"
    try:
        found = machine.answering(panel.port)
    except ImportError:
        return  # reported already
    except OSError as error:
        if error.errno == errno.ETIMEDOUT:
            remedy = "take the power off for a moment, and look for SDA or SCL touching ground or each other"
            yield Finding(Verdict.WRONG, f"Panel: the bus {device} hangs.", remedy)
            return
        enable = "enable I2C: sudo raspi-config nonint do_i2c 0, then sudo reboot"
        yield _closed("Panel", device, error, "i2c", enable)
        return
    yield _at_its_address(panel, found, device, config)
    yield from bus_speed(machine, panel.port)


def _at_its_address(panel: PanelSpec, found: Collection[int], device: str, config: Path | None) -> Finding:
    """Judge the addresses that answer on the panel's bus."""
    answers = f"{' and '.join(map(hex, found)) or 'nothing'} answer{'s' * (len(found) < 2)} on {device}"
    if panel.address in found:
        return Finding(Verdict.OK, f"Panel: {answers}; the panel is meant to be at {panel.address:#x}.")
    what = f"Panel: nothing at {panel.address:#x}, where the panel is meant to be; {answers}."
    other = next((address for address in (0x3C, 0x3D) if address in found), None)
    if other is not None:
        place = config or "/etc/companion.toml"
        return Finding(Verdict.WRONG, what, f"write address = {other:#x} under [panel] in {place}, {_RESTART}")
    lines = I2C_LINES.get(panel.port)
    bus = "SDA, SCL" if lines is None else f"SDA to GPIO {lines[0]}, SCL to GPIO {lines[1]}"
    return Finding(Verdict.WRONG, what, f"look at the panel's wires: VCC to 3V3, GND, {bus}")


def _closed(topic: str, device: str, error: OSError, group: str, enable: str) -> Finding:
    """Return why a device cannot be opened."""
    match error.errno:
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return Finding(Verdict.WRONG, f"{topic}: {device} is not there.", enable)
        case errno.EACCES | errno.EPERM:
            remedy = f"{AGAIN}; or for good: sudo usermod -aG {group} $USER, and log in anew"
            return Finding(Verdict.UNKNOWN, f"{topic}: {device} may not be opened by this user.", remedy)
    why = (error.strerror or str(error)).lower()
    return Finding(Verdict.WRONG, f"{topic}: {device} cannot be opened: {why}.", "sudo dmesg may say more")


# Service


def _service(machine: SystemProbes) -> Iterator[Finding]:
    """Check the state of the service with systemd."""
    wanted = "LoadState,UnitFileState,ActiveState,NRestarts,WatchdogTimestampMonotonic"
    output = machine.output_of("systemctl", "show", SERVICE, f"--property={wanted}")
    if output is None:
        yield Finding(Verdict.UNKNOWN, "Service: systemd does not run here.")
        return
    state = dict(line.split("=", 1) for line in output.splitlines() if "=" in line)
    if state.get("LoadState") != "loaded":
        yield Finding(Verdict.UNKNOWN, "Service: it is not installed.", ANEW)
        return
    log = "why: journalctl -u companion -n 30"
    if state.get("UnitFileState") != "enabled":
        what = "Service: it does not start when the Pi does."
        yield Finding(Verdict.WRONG, what, f"sudo systemctl enable --now {SERVICE}")
    if state.get("ActiveState") != "active":
        what = f"Service: it does not run ({state.get('ActiveState', 'unknown')})."
        yield Finding(Verdict.WRONG, what, f"sudo systemctl restart {SERVICE}; {log}")
        return
    yield Finding(Verdict.OK, f"Service: it runs{_sign_of_life(machine, state.get('WatchdogTimestampMonotonic', ''))}.")
    if state.get("NRestarts", "0") != "0":
        yield Finding(Verdict.UNKNOWN, f"Service: it had to be restarted {state['NRestarts']} times.", log)


def _rights(machine: SystemProbes) -> Iterator[Finding]:
    """Report where nothing grants the service what it may do beside playing."""
    if machine.output_of("systemctl", "show", "--property=LoadState", "--value", "polkit.service") == "not-found":
        what = (
            "Rights: without polkit the box may not switch itself off, set its clock, open its Wi-Fi or update itself."
        )
        yield Finding(Verdict.UNKNOWN, what, "sudo apt install polkitd")


def _sign_of_life(machine: SystemProbes, microseconds: str) -> str:
    if not microseconds.isdecimal() or microseconds == "0":
        return ""
    return f", and gave its last sign of life {max(0, machine.up() - int(microseconds) / 1e6):.0f} s ago"


# Any computer


def _clock(machine: SystemProbes) -> Iterator[Finding]:
    """Check that the clock is set. The order of games does not depend on it."""
    remedy = "connect it to a network, and sudo timedatectl set-ntp true; games keep their order all the same"
    now = local(machine.now())
    if now is None:
        yield Finding(Verdict.WRONG, "Clock: it stands at a day that no calendar has.", remedy)
        return
    if now.year < _BUILT:
        yield Finding(Verdict.WRONG, f"Clock: it stands at {now:%Y-%m-%d %H:%M}.", remedy)
        return
    synchronized = machine.text("/run/systemd/timesync/synchronized") is not None
    if synchronized or machine.output_of("timedatectl", "show", "--property=NTPSynchronized", "--value") == "yes":
        yield Finding(Verdict.OK, f"Clock: {now:%Y-%m-%d %H:%M}, set by the network.")
    else:
        yield Finding(Verdict.UNKNOWN, f"Clock: {now:%Y-%m-%d %H:%M}, not set by the network.", remedy)
