"""A simulated Pi for the doctor: a folder with its files, and what its programs, its bus and its pins answer."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import TypeVar
from unittest.mock import patch

from companion.journal import Journal
from hardware import doctor, system
from hardware.doctor import Finding
from tests.cli.folders import begin

T = TypeVar("T")

SERVICE = {"LoadState": "loaded", "UnitFileState": "enabled", "ActiveState": "active", "NRestarts": "0"}

WELL: dict[str, str | None] = {
    "companion.service": "\n".join(f"{name}={value}" for name, value in SERVICE.items()),
    "polkit.service": "loaded",
    "RuntimeWatchdogUSec": "15s",
    "NTPSynchronized": "yes",
    "-p err": "",
    "journalctl": "Linux version 6.12",
    "get_throttled": "throttled=0x0",
    "/usr/bin/python3": None,
}
"""What programs of a Pi without faults answer, by a word of the command; None is that they fail."""

FILES: dict[str, str | bytes | None] = {
    "proc/device-tree/model": "Raspberry Pi Zero 2 W Rev 1.0\0",
    "proc/sys/kernel/hostname": "cards\n",
    "proc/self/mounts": "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n",
    "sys/bus/i2c/devices/i2c-1/of_node/clock-frequency": b"\x00\x06\x1a\x80",
    "sys/class/thermal/thermal_zone0/temp": "47236",
    "sys/fs/ext4/mmcblk0p2/errors_count": "0",
    "dev/i2c-1": "",
    "dev/spidev0.0": "",
    "dev/watchdog0": "",
}


def refused(number: int) -> OSError:
    return OSError(number, os.strerror(number))


@dataclass
class SickPi:
    """A Pi without faults, but for those that a test names."""

    files: dict[str, str | bytes | None] = field(default_factory=dict)  # None is that it is missing
    answers: dict[str, str | None] = field(default_factory=dict)
    taken: dict[int, str] | OSError = field(default_factory=dict)  # who holds which line
    bus: dict[int, int | None] = field(
        default_factory=lambda: {0x3C: None}
    )  # the error of an address; None: it answers
    free: int = 10**9  # bytes of room on the disk
    read_only: bool = False
    links: dict[str, str] = field(default_factory=dict)
    version: str | None = "0.3.0"  # that of the doctor; None: it runs from its sources
    missing: tuple[str, ...] = ()  # Python's packages that are not installed
    now: datetime | None = datetime(2026, 11, 20, 20, 15)
    asked: list[int] = field(default_factory=list)  # the addresses of the bus that were asked

    def found(self, config: Path | None, data: Path) -> list[Finding]:
        """Return what the doctor finds."""
        root = config.parent / "root" if config else Path("/nonexistent")
        files: dict[str, str | bytes | None] = {**FILES, **self.files} if config else {}
        for name, content in files.items():
            if content is not None:
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        for name, target in self.links.items():
            (root / name).symlink_to(target)
        return self.checked(lambda: list(doctor.check(doctor.Box(config, data, root))))

    def checked(self, ask: Callable[[], T]) -> T:
        """Call a function as on this machine."""
        packages = {name: None if name in self.missing else ModuleType(name) for name in ("lgpio", "spidev")}
        for name, package in packages.items():
            if package is not None:
                package.__spec__ = ModuleSpec(name, None)  # as of one that can be imported
        if "smbus2" in self.missing:
            packages["smbus2"] = None
        with ExitStack() as stack:
            if "smbus2" not in self.missing:
                stack.enter_context(patch("smbus2.SMBus", self._smbus))
            stack.enter_context(patch.dict(sys.modules, packages))
            stack.enter_context(patch("hardware.doctor.answer", self._answer))
            stack.enter_context(patch("hardware.doctor.installed_version", lambda: self.version))
            stack.enter_context(patch("hardware.gpio_chips.busy", self._busy))
            stack.enter_context(patch("hardware.doctor.os.statvfs", self._statvfs))
            stack.enter_context(patch("hardware.doctor.local", lambda _moment: self.now))
            return ask()

    def _answer(self, *command: str) -> str | None:
        found = (answer for word, answer in {**WELL, **self.answers}.items() if word in " ".join(command))
        return next(found, system.answer(*command) if command[0] == "find" else None)

    def _busy(self, lines: Iterable[int]) -> dict[int, str]:
        if "gpiod" in self.missing:
            raise ModuleNotFoundError("No module named 'gpiod'", name="gpiod")
        if isinstance(self.taken, OSError):
            raise self.taken
        wanted = set(lines)
        return {line: who for line, who in self.taken.items() if line in wanted}

    def _statvfs(self, path: Path) -> os.statvfs_result:
        fields = [1, 1, 0, 0, self.free, 0, 0, 0, os.ST_RDONLY if self.read_only else 0, 255]
        return os.statvfs_result(fields)

    def _smbus(self, path: str) -> SickPi:
        os.close(os.open(path, os.O_RDWR))
        return self

    def __enter__(self) -> SickPi:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def write_quick(self, address: int) -> None:
        self.asked.append(address)
        if (number := self.bus.get(address, errno.EREMOTEIO)) is not None:
            raise refused(number)


def doctor_findings(given: str | bytes) -> str:
    """Return what the doctor says of a Pi that it does not say of one without faults; ``data`` is its journal's folder.

    Faults are parted by `` ; ``: ``missing PACKAGE``, ``pins ERROR``, ``taken LINE by WHO``, ``bus ADDRESS=ERROR …``,
    ``file NAME=TEXT`` (``no NAME``: it is missing), ``answer WORD=TEXT`` (``none``: the program fails), ``service
    NAME=VALUE``, ``free BYTES``, ``read-only``, ``now DATE``, ``link NAME=FILE``, ``version VERSION`` (of the doctor);
    ``journal`` (with a game), ``in its folder NAME=TEXT`` (a name may be a pattern), ``gone from its folder NAME``;
    anything else is a line of the settings.
    """
    pi, settings, files = SickPi(), "", list[str]()
    for fault in str(given).split(" ; "):
        kind, _space, rest = fault.partition(" ")
        name, _equals, value = rest.partition("=")
        match kind:
            case "missing":
                pi.missing += (rest,)
            case "pins":
                pi.taken = refused(getattr(errno, rest))
            case "taken":
                line, _by, who = rest.partition(" by ")
                pi.taken = {**(pi.taken if isinstance(pi.taken, dict) else {}), int(line): who}
            case "bus":
                found = [each.partition("=") for each in rest.split()]
                pi.bus = {int(address, 16): getattr(errno, error, None) for address, _equals, error in found}
            case "file":
                pi.files[name] = bytes.fromhex(value) if name.startswith("sys/bus") else value.replace("\\n", "\n")
            case "no":
                pi.files[rest] = None
            case "answer":
                pi.answers[name] = None if value == "none" else value
            case "service":
                pi.answers["companion.service"] = "\n".join(
                    f"{each}={was}" for each, was in {**SERVICE, name: value}.items()
                )
            case "link":
                pi.links[name] = value
            case "version":
                pi.version = None if rest == "none" else rest
            case "free":
                pi.free = int(rest)
            case "read-only":
                pi.read_only = True
            case "journal" | "in" | "gone":
                files.append(fault)
            case "now":
                pi.now = None if rest == "none" else datetime.fromisoformat(rest)
            case _:
                settings += f"{fault}\n".replace("\\n", "\n")
    well, told = _of_one_without_faults(), _said(pi, settings, files)
    return " | ".join(line for line in told if line not in well) or "as without faults"


@cache
def _of_one_without_faults() -> list[str]:
    return _said(SickPi(), "")


def _said(pi: SickPi, settings: str, files: Iterable[str] = ()) -> list[str]:
    with TemporaryDirectory() as folder:
        config, data = Path(folder, "companion.toml"), Path(folder, "data")
        config.write_text(settings)
        for each in files:
            name, _equals, text = each.rpartition("its folder ")[2].partition("=")
            places = [*data.glob(name)] or [data / name]
            if each == "journal":
                with closing(Journal(data)) as journal:
                    journal.append(begin(journal, "{}"), "{}", now=0, tracking="full")
                    journal.keep_imported({"A-1": {"game": "Chess"}})
            elif each.startswith("gone"):
                places[0].unlink()
            else:
                places[0].parent.mkdir(parents=True, exist_ok=True)
                places[0].write_text(text.replace("\\n", "\n"))
        found = [str(each).replace(f"{folder}/", "") for each in pi.found(config, data)]
        return [re.sub(r"(\d{6}-game)-[0-9a-f]{8}\b", r"\1-xxxxxxxx", each) for each in found]
