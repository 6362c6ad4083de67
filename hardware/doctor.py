"""The command ``companion doctor``: checks the device, prints a line for each finding, and writes a report if asked.

Each check is a function that yields findings. Nothing is changed, and a running companion is not disturbed.
"""

from __future__ import annotations

import errno
import logging
import os
import platform
import re
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import Enum
from functools import partial
from importlib.util import find_spec
from logging.handlers import BufferingHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from companion.app.terminal import say
from companion.history.days import local
from companion.installation.places import InstallationPaths, version_of
from companion.journal.disk import written_beside
from companion.journal.folder import GAME
from hardware import board, gpio_chips, owner_settings
from hardware.system import answer, is_in_memory, locker, text

if TYPE_CHECKING:
    from hardware.owner_settings import Settings

AGAIN = "ask again with sudo: sudo companion doctor"  # the advice where this user lacks the right to read something
SERVICE = "companion.service"
LOG = "sudo journalctl -u companion -b"  # the command that shows the log of the service
REMEDIES = {"lgpio": "sudo apt install python3-lgpio", "spidev": "sudo apt install python3-spidev"}
ANEW = "install the package again: sudo apt install --reinstall ./tabletop-companion_….deb"
RESTART = f"then sudo systemctl restart {SERVICE}"

ADDRESSES = (0x3C, 0x3D)  # of panels on I2C
FAST = 400_000
"""Bits a second that every supported panel takes: a picture needs 23 ms, at the Pi's usual 100,000 it needs 93."""

ROOM = 50_000_000  # bytes that are enough for thousands of games, and for what the system needs to run
COPY = "copy the games at once: sudo companion backup --data {data} FILE; then take another card"
DISKS = "mmcblk|nvme|EXT4-fs|F2FS-fs"  # whose error in the kernel's log means that the box's own disk fails
LONGEST = 120  # characters of a line of the log
SYSTEM_PYTHON = "/usr/bin/python3", "-I", "-c", "import sys; print('.'.join(map(str, sys.version_info[:2])))"
BUILT = 2025  # an earlier year means that the clock was never set: the program did not exist yet

STRAINS = (
    "the voltage is too low",
    "the processor's speed is capped",
    "the processor is throttled",
    "the processor is near its highest temperature",
)
"""The bits of the firmware's answer, from bit 0 on: set now; 16 bits higher, set at some time since the start."""


class Verdict(Enum):
    """The status of a check; its value is the mark at the start of the line."""

    OK = "✓"
    WRONG = "✗"
    UNKNOWN = "–"


class Finding(NamedTuple):
    """The result of one check."""

    status: Verdict  # whether the check passed
    what: str  # what was found
    remedy: str = ""  # what to do about it, if anything

    def __str__(self) -> str:
        return f"{self.status.value} {self.what}" + (f" → {self.remedy}" if self.remedy else "")


OK, WRONG, UNKNOWN = Verdict.OK, Verdict.WRONG, Verdict.UNKNOWN


class Box(Struct, frozen=True):
    """The settings file, the journal and the system files that are checked."""

    config: Path | None  # the settings file; None is the usual one
    data: Path  # the journal's folder
    root: Path = Path("/")  # tests put a machine's files elsewhere

    @property
    def settings_file(self) -> Path:
        """Return the settings file, which may be missing."""
        return self.config or owner_settings.DEFAULT


def main(config: Path | None, data: Path, report: Path | None = None) -> int:
    """Print the results of all checks, and write a report if one is wanted.

    Returns the exit status: 0 if nothing is wrong, else 1. Raises OSError if the report's file cannot be written.
    """
    box = Box(config, data)
    found = []
    for finding in check(box):
        say(finding, flush=True)  # a bus may be slow
        found.append(finding)
    if report is not None:
        with written_beside(report) as writing:  # all of it, or nothing
            writing.write("".join(f"{line}\n" for line in report_lines(box, found)).encode("utf-8", "replace"))
        say()
        say(f"The report is in {report}. Read it before you send it. The log is not in it: {LOG}")
    return 1 if any(finding.status is WRONG for finding in found) else 0


def check(box: Box) -> Iterator[Finding]:
    """Run all checks. What cannot be read does not keep the others from running."""
    settings, found = read_settings(box)
    yield from found
    on_a_pi = (box.root / "proc/device-tree/model").exists()
    checks = [partial(device, box)]
    if settings is not None:
        checks += [partial(each, box, settings) for each in (*(WIRED if on_a_pi else ()), page)]
    checks += [partial(each, box) for each in ((*ON_A_PI, *ANYWHERE) if on_a_pi else ANYWHERE)]
    checks += [partial(each, box.data) for each in ON_THE_JOURNAL]
    for each in checks:
        try:
            yield from each()
        except ImportError as error:
            remedy = f"{REMEDIES.get(error.name or '', ANEW)}, {RESTART}"
            yield Finding(WRONG, f"Packages: Python's {error.name} is missing.", remedy)
        except OSError as error:
            what = f"Files: {error.filename or 'something'} cannot be read: {error.strerror}."
            yield Finding(UNKNOWN, what, AGAIN) if isinstance(error, PermissionError) else Finding(WRONG, what)


# Settings


def read_settings(box: Box) -> tuple[Settings | None, list[Finding]]:
    """Return the settings, or None if they are wrong, and the findings about them."""
    from companion.ui.translations import languages

    place = box.settings_file
    try:
        settings = owner_settings.load(box.config, languages)
    except owner_settings.SettingsError as fault:
        return None, [Finding(WRONG, f"Settings: {fault}.", f"correct it in {place}, {RESTART}")]
    written = str(place) if place.exists() else f"there is no {place}, so all is as usual"
    found = [Finding(OK, f"Settings: {written}; the board is {settings.board.name}.")]
    remedy = f"it has no effect; correct or remove it in {place}"
    found += [Finding(UNKNOWN, f"Settings: {sentence}.", remedy) for sentence in settings.unknown]
    found += [Finding(UNKNOWN, f"Board: {remark}.") for remark in board.remarks(settings.board, **settings.fitted)]
    return settings, found


def page(box: Box, settings: Settings) -> Iterator[Finding]:
    """Report the address of the page."""
    host, port = settings.page.host, settings.page.port
    if not settings.page.on:
        return
    if host in ("127.0.0.1", "::1", "localhost"):
        yield Finding(OK, f"Page: for this computer only, http://localhost:{port}/table.")
    else:
        name = text(box.root / "proc/sys/kernel/hostname") or "localhost"
        yield Finding(OK, f"Page: http://{name}.local:{port}/table, or with this computer's address.")


# Devices


def device(box: Box) -> Iterator[Finding]:
    """Report the model of the Pi."""
    model = text(box.root / "proc/device-tree/model")
    if model:
        yield Finding(OK, f"Device: {model}.")
    else:
        yield Finding(UNKNOWN, "Device: this is no Raspberry Pi, so pins, panel and service are not looked for.")


def pins(box: Box, settings: Settings) -> Iterator[Finding]:
    """Check that the GPIO chip and its lines exist, and that no other program uses them."""
    used = settings.board.used(**settings.fitted)
    if settings.needs_lgpio and find_spec("lgpio") is None:  # its import would make a pipe where the doctor is asked
        raise ModuleNotFoundError("No module named 'lgpio'", name="lgpio")
    try:
        holders = gpio_chips.busy(used.values())
    except OSError as error:
        yield _closed("Pins", "The GPIO chip", error, "gpio", "this kernel drives no pins: sudo apt full-upgrade")
        return
    ours = {gpio_chips.CONSUMER, *([gpio_chips.LGPIO_CONSUMER] if settings.needs_lgpio else [])}
    others = {pin: line for pin, line in used.items() if line in holders and holders[line] not in ours}
    for pin, line in others.items():
        remedy = f"end what uses it, or put {pin} on another line under [pins] in the settings"
        yield Finding(WRONG, f'Pins: GPIO {line} ({pin}) is taken by "{holders[line]}".', remedy)
    if not others:
        state = "in use by the companion" if holders else "free"
        yield Finding(OK, f"Pins: all {len(used)} lines of the board are there and {state}.")


def panel(box: Box, settings: Settings) -> Iterator[Finding]:
    """Check the panel's bus and, where the bus can be queried, the panel."""
    spec = settings.panel
    name = f"spidev{spec.bus_number}.{spec.device}" if spec.bus == "spi" else f"i2c-{spec.bus_number}"
    bus, file = f"/dev/{name}", box.root / "dev" / name
    try:
        if spec.bus == "spi":
            import spidev  # noqa: F401  # whether it is there

            os.close(os.open(file, os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK))
            yield Finding(OK, f"Panel: {bus} is there; whether a panel hangs on it, SPI does not tell.")
            return
        from smbus2 import SMBus

        with SMBus(str(file)) as opened:
            found = [address for address in sorted({spec.address, *ADDRESSES}) if _answers(opened, address)]
    except OSError as error:
        if error.errno == errno.ETIMEDOUT:
            remedy = "take the power off for a moment, and look for SDA or SCL touching ground or each other"
            yield Finding(WRONG, f"Panel: the bus {bus} hangs.", remedy)
            return
        enable = f"enable {spec.bus.upper()}: sudo raspi-config nonint do_{spec.bus} 0, then sudo reboot"
        yield _closed("Panel", bus, error, spec.bus, enable)
        return
    answers = f"{' and '.join(map(hex, found)) or 'nothing'} answer{'s' * (len(found) < 2)} on {bus}"
    if spec.address in found:
        yield Finding(OK, f"Panel: {answers}; the panel is meant to be at {spec.address:#x}.")
        return
    if found:
        remedy = f"write address = {found[-1]:#x} under [panel] in {box.settings_file}, {RESTART}"
    else:
        lines = board.I2C_LINES.get(spec.bus_number)
        wires = "SDA, SCL" if lines is None else f"SDA to GPIO {lines[0]}, SCL to GPIO {lines[1]}"
        remedy = f"look at the panel's wires: VCC to 3V3, GND, {wires}"
    yield Finding(WRONG, f"Panel: nothing at {spec.address:#x}, where the panel is meant to be; {answers}.", remedy)


def _answers(bus: Any, address: int) -> bool:
    """Return whether a device answers at an I2C address, or a driver of the kernel uses it; as `i2cdetect` asks.

    Raises OSError if the bus hangs, so every address would run into the time-out.
    """
    try:
        bus.write_quick(address)
    except OSError as error:
        if error.errno == errno.ETIMEDOUT:
            raise
        return error.errno == errno.EBUSY
    return True


def bus(box: Box, settings: Settings) -> Iterator[Finding]:
    """Report the speed of the panel's I2C bus, if the device tree holds it."""
    number = settings.panel.bus_number
    file = box.root / f"sys/bus/i2c/devices/i2c-{number}/of_node/clock-frequency"
    if settings.panel.bus == "i2c" and file.exists():
        speed = int.from_bytes(file.read_bytes(), "big")
        what = f"Bus: /dev/i2c-{number} is set to {speed // 1000} kHz."
        slow = speed < FAST and number == 1  # the parameter is that of bus 1
        yield Finding(UNKNOWN, what, "a faster one, if you like: docs/build-a-box.md") if slow else Finding(OK, what)


def _closed(topic: str, device: str, error: OSError, group: str, enable: str) -> Finding:
    """Return why a device cannot be opened."""
    match error.errno:
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return Finding(WRONG, f"{topic}: {device} is not there.", enable)
        case errno.EACCES | errno.EPERM:
            remedy = f"{AGAIN}; or for good: sudo usermod -aG {group} $USER, and log in anew"
            return Finding(UNKNOWN, f"{topic}: {device} may not be opened by this user.", remedy)
    why = (error.strerror or str(error)).lower()
    return Finding(WRONG, f"{topic}: {device} cannot be opened: {why}.", "sudo dmesg may say more")


# Service


def service(_box: Box) -> Iterator[Finding]:
    """Check the state of the service with systemd."""
    output = answer("systemctl", "show", SERVICE, "--property=LoadState,UnitFileState,ActiveState,NRestarts")
    if output is None:
        yield Finding(UNKNOWN, "Service: systemd does not run here.")
        return
    state = dict(line.split("=", 1) for line in output.splitlines() if "=" in line)
    log = "why: journalctl -u companion -n 30"
    if state.get("LoadState") != "loaded":
        yield Finding(UNKNOWN, "Service: it is not installed.", ANEW)
        return
    if state.get("UnitFileState") != "enabled":
        what = "Service: it does not start when the Pi does."
        yield Finding(WRONG, what, f"sudo systemctl enable --now {SERVICE}")
    if state.get("ActiveState") != "active":
        what = f"Service: it does not run ({state.get('ActiveState', 'unknown')})."
        yield Finding(WRONG, what, f"sudo systemctl restart {SERVICE}; {log}")
        return
    yield Finding(OK, "Service: it runs.")
    if state.get("NRestarts", "0") != "0":
        yield Finding(UNKNOWN, f"Service: it had to be restarted {state['NRestarts']} times.", log)


def rights(_box: Box) -> Iterator[Finding]:
    """Report where nothing grants the service what it may do beside playing."""
    if answer("systemctl", "show", "--property=LoadState", "--value", "polkit.service") == "not-found":
        what = "without polkit the box may not switch itself off, set its clock, open its Wi-Fi or update itself"
        yield Finding(UNKNOWN, f"Rights: {what}.", "sudo apt install polkitd")


def watchdog(box: Box) -> Iterator[Finding]:
    """Report whether the hardware restarts a Pi that hangs."""
    period = answer("systemctl", "show", "--property=RuntimeWatchdogUSec", "--value")
    if not (box.root / "dev/watchdog0").exists():
        what = "Watchdog: this machine has none; one that hangs needs somebody to pull the plug."
        yield Finding(UNKNOWN, what)
    elif period in ("0", "infinity", ""):
        what = "Watchdog: it is off; a Pi that hangs needs somebody to pull the plug."
        yield Finding(UNKNOWN, what, 'switch it on: docs/operate.md, "What the package changes"')
    elif period is not None:
        yield Finding(OK, f"Watchdog: a Pi that hangs starts again after {period}.")


def power(box: Box) -> Iterator[Finding]:
    """Report voltage and throttling, as the firmware has them, and the temperature."""
    thousandths = text(box.root / "sys/class/thermal/thermal_zone0/temp")
    warm = f"; the processor has {int(thousandths) / 1000:.0f} °C" if thousandths.isdecimal() else ""
    reported = re.fullmatch(r"throttled=0x([0-9a-fA-F]+)", answer("vcgencmd", "get_throttled") or "")
    if reported is None:
        yield Finding(
            UNKNOWN, f"Power: the firmware does not tell the voltage{warm}.", f"{AGAIN}, where vcgencmd is installed"
        )
        return
    bits = int(reported[1], 16)
    now = [strain for bit, strain in enumerate(STRAINS) if bits >> bit & 1]
    since = [strain.replace(" is ", " was ") for bit, strain in enumerate(STRAINS) if bits >> bit & 0x10001 == 0x10000]
    if not now and not since:
        yield Finding(OK, f"Power: the voltage was enough since the start{warm}.")
        return
    told = "; ".join(
        f"{when} {' and '.join(what)}" for when, what in (("now", now), ("since the start", since)) if what
    )
    low = bits & 0x10001
    supply = "use the Pi's own power supply and a short, thick cable: low voltage damages cards"
    heat = "give it air: open the case, or add a heat sink"
    yield Finding(WRONG if now or low else UNKNOWN, f"Power: {told}{warm}.", supply if low else heat)


# Any computer


def disk(box: Box) -> Iterator[Finding]:
    """Check the room, and the file system that the games are on."""
    there = next(path for path in (box.data, *box.data.absolute().parents) if path.exists())
    found = os.statvfs(there)
    room = found.f_bavail * found.f_frsize
    if is_in_memory(box.data, box.root / "proc/self/mounts"):
        what = f"Disk: {box.data} is kept in memory: its games are gone with the power."
        yield Finding(WRONG, what, 'give them a place on a disk: docs/operate.md, "Read-only root"')
    elif found.f_flag & os.ST_RDONLY:
        what = f"Disk: {box.data}, where the games are, can only be read; nothing can be written on it."
        yield Finding(WRONG, what, f"sudo dmesg may say why; {COPY.format(data=box.data)}")
    elif room < ROOM:
        what = f"there is room for {room // 1_000_000} MB only" if room else "it is full; nothing more can be saved"
        yield Finding(WRONG, f"Disk: {what}.", "make room: sudo apt clean; sudo journalctl --vacuum-size=50M")
    else:
        yield Finding(OK, f"Disk: there is room for {room // 1_000_000} MB.")
    for file in sorted(box.root.glob("sys/fs/ext4/*/errors_count")):
        if text(file) not in ("0", ""):
            name = file.parent.name
            what = f"Disk: the file system on {name} had {text(file)} errors since it was last repaired."
            yield Finding(WRONG, what, f"{COPY.format(data=box.data)}, or repair this one: sudo fsck {name}")


def kernel(box: Box) -> Iterator[Finding]:
    """Report the last errors of the kernel, such as those of a card that fails."""
    if not answer("journalctl", "-k", "-b", "-q", "-n", "1", "-o", "cat"):
        yield Finding(UNKNOWN, "Kernel: its log may not be read by this user.", AGAIN)
        return
    errors = answer("journalctl", "-k", "-b", "-q", "-p", "err", "-n", "3", "-o", "cat")
    if not errors:
        yield Finding(OK, "Kernel: it tells no errors since the start.")
        return
    what = f"Kernel: its last errors: {'; '.join(errors.splitlines())}"
    fails = re.search(DISKS, errors) is not None
    yield Finding(WRONG, what, COPY.format(data=box.data)) if fails else Finding(UNKNOWN, what)


def clock(_box: Box) -> Iterator[Finding]:
    """Check that the clock is set. The order of games does not depend on it."""
    remedy = "connect it to a network, and sudo timedatectl set-ntp true; games keep their order all the same"
    now = local(time.time())
    stands = "a day that no calendar has" if now is None else f"{now:%Y-%m-%d %H:%M}"
    if now is None or now.year < BUILT:
        yield Finding(WRONG, f"Clock: it stands at {stands}.", remedy)
    elif answer("timedatectl", "show", "--property=NTPSynchronized", "--value") == "yes":
        yield Finding(OK, f"Clock: {stands}, set by the network.")
    else:
        yield Finding(UNKNOWN, f"Clock: {stands}, not set by the network.", remedy)


# The program itself


def own_version(box: Box) -> Iterator[Finding]:
    """Check the program itself."""
    places = InstallationPaths(box.root)
    yield from version(places, installed_version())
    yield from python(places)
    yield fonts()


def installed_version() -> str | None:
    from importlib import metadata  # slow, and needed only here

    try:
        return metadata.version("tabletop-companion")
    except metadata.PackageNotFoundError:
        return None


def version(places: InstallationPaths, own: str | None) -> Iterator[Finding]:
    """Report the version, the one before, and whether the box went back to it.

    ``own`` is the version of the program that asks; None if it is not installed.
    """
    current, previous = version_of(places.current), version_of(places.previous)
    if current is None:
        what = "it runs from its sources" if own is None else f"{own}, not installed as a package"
        yield Finding(UNKNOWN, f"Version: {what}.")
        return
    before = "there is none to go back to" if previous is None else f"before it was {previous}"
    yield Finding(OK, f"Version: {current}; {before}.")
    if own is not None and own != current:
        yield Finding(UNKNOWN, f"Version: this doctor is that of {own}.")
    for mark in sorted(places.failed_versions.glob("[0-9]*")):
        try:
            day, how, *log = mark.read_text("utf-8", "replace").splitlines()
        except (OSError, ValueError):
            continue
        what = f"Version: {mark.name} failed three times in ten minutes on {day} ({how.strip()}), so the box left it."
        last = f"; its last line: {log[-1].strip()[:LONGEST]}" if log else ""
        yield Finding(UNKNOWN, what, f"why: {mark}{last}")


def python(places: InstallationPaths, prefix: Path = Path(sys.prefix)) -> Iterator[Finding]:
    """Compare the Python of the version with that of the system; the doctor runs in the environment ``prefix``."""
    own = ".".join(map(str, sys.version_info[:2]))
    system = answer(*SYSTEM_PYTHON)
    if system is None or system == own:
        yield Finding(OK, f"Python: {own}{'' if system is None else ', as the system has it'}.")
        return
    what = f"Python: {own}; the system's is {system}."
    if not prefix.resolve().is_relative_to(places.versions.resolve()):
        yield Finding(OK, what)
        return
    yield Finding(UNKNOWN, what, "this Debian has a package of its own: sudo companion update")


def fonts() -> Finding:
    """Load every font and check that it has the glyphs that screens need."""
    import string

    from companion.ui.fonts import ELLIPSIS, FILES, face
    from companion.ui.symbols import GLYPHS

    words = {*string.ascii_letters, *string.digits, ELLIPSIS, *GLYPHS.values()}
    needed = {"text": words, "small": words, "cards": {*string.digits, *GLYPHS.values()}}
    lacking: list[str] = []
    for name in FILES:
        try:
            opened = face(name)
            missing = {sign for sign in needed.get(name, string.digits) if not opened.has(sign)}
            lacking += [f"{name} lacks {len(missing)} signs"] if missing else []
        except Exception as error:  # whatever is wrong with the file, it is unusable
            lacking.append(f"{name} cannot be read ({error})")
    if lacking:
        return Finding(WRONG, f"Fonts: {', '.join(lacking)}.", ANEW)
    return Finding(OK, f"Fonts: {len(FILES)} faces with every sign.")


# The journal's folder, which is only read


def games(data: Path) -> Iterator[Finding]:
    """Read every game, and report the damage that the journal finds."""
    from companion.journal import Journal, JournalError

    none = Finding(UNKNOWN, f"Games: there are none in {data} yet.")
    if not data.exists():
        yield none
        return
    if not os.access(data, os.R_OK):
        yield Finding(UNKNOWN, f"Games: {data} may not be read by this user.", AGAIN)
        return
    remedy = f"keep a copy of {data}; the box mends what it can while it runs, and keeps the damaged files"
    try:
        with _heard("companion.journal") as heard:
            opened = Journal(data, writes=False)
            opened.check_all()
            opened.imported()
            found = opened.games()
    except JournalError as fault:
        yield Finding(WRONG, f"Games: {str(fault).rstrip('.')}.", remedy)
        return
    notices = tuple(map(str, opened.notices))
    for record in heard.buffer:
        line = record.getMessage().removeprefix("companion: ")
        wrong = line.endswith(notices)
        yield Finding(WRONG if wrong else UNKNOWN, f"Games: {line}.", remedy if wrong else "")
    if not found and not notices:
        yield none
    elif not notices:
        process = locker(data)
        what = f"{len(found)} in {data}, with {sum(saved.lines for saved in found)} lines, all of them sound"
        yield Finding(OK, f"Games: {what}{f'; in use by {process}' if process else ''}.")


@contextmanager
def _heard(name: str) -> Iterator[BufferingHandler]:
    """Collect the warnings of a package instead of logging them."""
    handler, log = BufferingHandler(sys.maxsize), logging.getLogger(name)
    log.addHandler(handler)
    propagates, log.propagate = log.propagate, False
    try:
        yield handler
    finally:
        log.removeHandler(handler)
        log.propagate = propagates


def added_games(data: Path) -> Iterator[Finding]:
    """Report added games that cannot be used; those of packages need no folder."""
    from companion.app.games import GameFinder

    for sentence in GameFinder(lambda: data).wrong():
        yield Finding(WRONG, f"Added games: {sentence}.", "mend the file, or take it away")


def copies(data: Path) -> Iterator[Finding]:
    """Report games that have only one copy."""
    first, second = ({file.name for file in (data / kept).glob("*-*.jsonl")} for kept in ("games", "copies"))
    if first ^ second:
        counts = f"games without their second copy: {len(first - second)}; without their first: {len(second - first)}"
        remedy = "the box makes it while nobody touches it for some minutes"
        yield Finding(UNKNOWN, f"Copies: {counts}.", remedy)


def damage(data: Path) -> Iterator[Finding]:
    """Report damaged files that were kept."""
    folder = data / "damaged"
    times = [entry.stat(follow_symlinks=False).st_ctime for entry in os.scandir(folder)] if folder.is_dir() else []
    if times:
        first = local(min(times))
        since = f", the first on {first:%Y-%m-%d}" if first else ""
        what = f"Damage: {len(times)} damaged files were set aside in {folder}{since}."
        yield Finding(UNKNOWN, what, "if there are more each week, the card fails: copy it to another one")


def owners(data: Path) -> Iterator[Finding]:
    """Report files that belong to another user than the folder, as a command of root's may have left them."""
    owner = answer("find", str(data), "-maxdepth", "0", "-printf", "%u")
    found = answer("find", str(data), "!", "-user", owner or "", "-printf", r"%u %P\n") if owner else None
    if found:
        files = sorted(found.splitlines(), key=lambda line: line.partition(" ")[2])
        others = sorted({line.partition(" ")[0] for line in files})
        count = "1 file belongs" if len(files) == 1 else f"{len(files)} files belong"
        example = files[0].partition(" ")[2]
        what = f"{count} to {' and '.join(others)}, such as {example}; the folder {data}, to {owner}"
        yield Finding(WRONG, f"Owners: {what}.", f"sudo chown -hR {owner}: {data}")


# The checks in their order.
WIRED = (pins, panel, bus)  # on a Pi whose settings can be read
ON_A_PI = (service, rights, watchdog, power)
ANYWHERE = (own_version, disk, kernel, clock)
ON_THE_JOURNAL = (games, added_games, copies, damage, owners)


# The report for asking for help


_OURS = re.compile(
    rf"(?:(?:games|copies|damaged)/){GAME.pattern}(?:\.[0-9]+|\.new)?"
    r"|(?:(?:copies|damaged)/)?(?:settings|imported|index|history|draft|typed)\.jsonl(?:\.[0-9]+|\.new)?"
    r"|panel-controller|went-back-read|lock"
)
"""Names of files that the program gives; the name of any other file may say something."""


def report_lines(box: Box, findings: Iterable[Finding]) -> Iterator[str]:
    """Yield findings, system, settings and list of files, for somebody who helps.

    Nothing that was entered in a game is in it, and no log: people's names stand in both.
    """
    now = local(time.time())
    yield f"Tabletop Companion: a report for asking for help{f', {now:%Y-%m-%d %H:%M}' if now else ''}"
    yield f"Read it before you send it. The log is not in it, as it may hold names: {LOG}"
    yield "\n== Findings"
    yield from map(str, findings)
    yield "\n== System"
    yield f"model: {text(box.root / 'proc/device-tree/model') or 'no Raspberry Pi'}"
    name = re.search(r'^PRETTY_NAME="?([^"\n]*)', text(box.root / "etc/os-release"), re.MULTILINE)
    yield f"system: {name[1] if name else 'unknown'}, kernel {platform.release()}, {platform.machine()}"
    yield f"python: {platform.python_version()}"
    yield from (line for line in text(box.root / "proc/meminfo").splitlines() if line.startswith(("MemT", "MemA")))
    yield f"up: {time.clock_gettime(time.CLOCK_BOOTTIME):.0f} s"
    yield f"\n== Settings: {box.settings_file}"
    written = text(box.settings_file) or "(there is none, or this user may not read it)"
    yield from (line for line in written.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    yield f"\n== Files in {box.data}, with their sizes"
    files = [file for file in sorted(box.data.rglob("*")) if file.is_file()]
    ours = [file for file in files if _OURS.fullmatch(str(file.relative_to(box.data)))]
    yield from (f"{file.stat().st_size:>10} {file.relative_to(box.data)}" for file in ours)
    if len(files) > len(ours):
        yield f"other files: {len(files) - len(ours)}"
