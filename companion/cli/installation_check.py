"""``companion doctor --reads``: whether this version can play on this box; it changes nothing.

An installation runs it before it chooses the version. Every module is imported, and settings and journal are read. What
is in the files dpkg has checked, and what the program does with them the tests.
"""

from __future__ import annotations

import os
import pkgutil
import traceback
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import companion
import hardware
from companion.app.terminal import say
from companion.journal import Journal, JournalError
from hardware.doctor import Box, Finding, Verdict, read_settings

from .common import WRONG


def main(config: Path | None, data: Path) -> int:
    """Print what was found; return 0 if the box can play, 78 if it cannot read settings or journal, else 1."""
    broken = [*_broken_modules()]
    _settings, found = read_settings(Box(config, data))
    found.append(_journal(data))
    for finding in (*broken, *found):
        say(finding)
    if broken:
        return WRONG
    return os.EX_CONFIG if any(finding.status is Verdict.WRONG for finding in found) else os.EX_OK


def _broken_modules() -> Iterator[Finding]:
    """Import every module of the program, but of a club's hub, which boxes lack; yield what fails, and why."""
    hub = f"{companion.__name__}.club"
    for package in (companion, hardware):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.", onerror=lambda _name: None):
            if module.name.startswith(hub) or module.name.endswith("__main__"):
                continue
            try:
                import_module(module.name)
            except (Exception, SystemExit) as error:
                if getattr(error, "name", None) != hub:
                    why = traceback.format_exception_only(error)[-1].strip()
                    yield Finding(Verdict.WRONG, f"Program: {module.name} cannot be imported.", why)


def _journal(data: Path) -> Finding:
    if not data.exists():
        return Finding(Verdict.OK, f"Games: there are none in {data} yet.")
    try:
        games = Journal(data, writes=False).games()
    except (JournalError, OSError) as fault:
        return Finding(Verdict.WRONG, f"Games: {str(fault).rstrip('.')}.")
    return Finding(Verdict.OK, f"Games: {len(games)} in {data}.")
