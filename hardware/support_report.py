"""The report for asking for help: findings, system, settings and list of files in one text file.

Nothing that was entered in a game is in it, and no log: people's names stand in both.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from companion.history.days import local
from companion.journal.disk import written_beside
from companion.journal.folder import GAME
from hardware.findings import Finding
from hardware.system_probes import SystemProbes

LOG = "sudo journalctl -u companion -b"  # the command that shows the log of the service

_OURS = re.compile(
    rf"(?:(?:games|copies|damaged)/){GAME.pattern}(?:\.[0-9]+|\.new)?"
    r"|(?:(?:copies|damaged)/)?(?:settings|imported|index|history|draft|typed)\.jsonl(?:\.[0-9]+|\.new)?"
    r"|panel-controller|went-back-read|lock"
)
"""Names of files that the program gives; the name of any other file may say something."""


class Report:
    """Writes a report."""

    def __init__(self, machine: SystemProbes, config: Path | None, data: Path) -> None:
        from hardware.owner_settings import DEFAULT

        self._machine = machine
        self._config = config or DEFAULT
        self._data = data

    def write(self, file: Path, findings: Iterable[Finding]) -> None:
        """Write the report to a file: all of it, or nothing; raise OSError if the file cannot be written."""
        text = "\n".join(self._lines(findings)) + "\n"
        with written_beside(file) as writing:
            writing.write(text.encode("utf-8", "replace"))

    def _lines(self, findings: Iterable[Finding]) -> Iterator[str]:
        now = local(self._machine.now())
        yield f"Tabletop Companion: a report for asking for help{f', {now:%Y-%m-%d %H:%M}' if now else ''}"
        yield f"Read it before you send it. The log is not in it, as it may hold names: {LOG}"
        yield from self._part("Findings", map(str, findings))
        yield from self._part("System", self._system())
        yield from self._part(f"Settings: {self._config}", self._settings())
        yield from self._part(f"Files in {self._data}, with their sizes", self._files())

    @staticmethod
    def _part(title: str, lines: Iterable[str]) -> Iterator[str]:
        yield f"\n== {title}"
        yield from lines

    def _system(self) -> Iterator[str]:
        """Yield model, system, kernel, Python and memory."""
        text = self._machine.text
        yield f"model: {text('/proc/device-tree/model') or 'no Raspberry Pi'}"
        name = re.search(r'^PRETTY_NAME="?([^"\n]*)', text("/etc/os-release") or "", re.MULTILINE)
        yield f"system: {name[1] if name else 'unknown'}"
        yield f"kernel: {text('/proc/sys/kernel/osrelease') or 'unknown'}, {platform.machine()}"
        yield f"python: {platform.python_version()}"
        yield from (line for line in (text("/proc/meminfo") or "").splitlines() if line.startswith(("MemT", "MemA")))
        yield f"up: {(text('/proc/uptime') or '?').split()[0]} s"

    def _settings(self) -> Iterator[str]:
        """Yield the lines of the settings file, without comments."""
        written = self._machine.text(str(self._config))
        if written is None:
            yield "(there is none, or this user may not read it)"
            return
        yield from (line for line in written.splitlines() if line.strip() and not line.lstrip().startswith("#"))

    def _files(self) -> Iterator[str]:
        others = 0
        for file in sorted(self._data.rglob("*")) if self._data.exists() else ():
            if not file.is_file():
                continue
            if _OURS.fullmatch(str(file.relative_to(self._data))):
                yield f"{file.stat().st_size:>10} {file.relative_to(self._data)}"
            else:
                others += 1
        if others:
            yield f"{others} other files"
