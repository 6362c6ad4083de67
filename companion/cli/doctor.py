"""The command ``doctor``: checks the box, the installation or the panel, or writes a report for asking for help."""

from __future__ import annotations

import os
import pkgutil
import traceback
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import companion
import hardware
from companion.app.terminal import say
from companion.journal import Journal, JournalError
from hardware import doctor as checks
from hardware.doctor import Finding, Verdict

from .common import SERVICE_DATA, WRONG, folder, with_config, with_data


def doctor_arguments(one: ArgumentParser) -> None:
    with_data(one, games=False)
    with_config(one)
    instead = one.add_mutually_exclusive_group()
    reads = "only import the program, and read the settings and the journal: what an installation checks"
    instead.add_argument("--reads", action="store_true", help=reads)
    instead.add_argument("--panel", action="store_true", help="show a test picture, and ask whether it is whole")
    report = "also write findings, system, settings and sizes of files into one file, for asking for help"
    instead.add_argument("--report", metavar="FILE", type=Path, help=report)


def doctor(arguments: Namespace) -> int:
    """Check the box and print a line for each check."""
    data = SERVICE_DATA if arguments.data is None and SERVICE_DATA.exists() else folder(arguments)
    if arguments.reads:
        return _reads(arguments.config, data)
    if arguments.panel:
        from .panel_check import check_panel  # it needs more packages than the checks do, which say what is missing

        return check_panel(arguments.config, data)
    return checks.main(arguments.config, data, arguments.report)


# What an installation checks before it chooses a version: dpkg has checked the files, and tests what they do


def _reads(config: Path | None, data: Path) -> int:
    """Print whether this version can play on this box; change nothing.

    Returns 0 if it can, 78 if it cannot read settings or journal, else 1.
    """
    broken = [*_broken_modules()]
    _settings, found = checks.read_settings(checks.Box(config, data))
    found.append(_games(data))
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


def _games(data: Path) -> Finding:
    if not data.exists():
        return Finding(Verdict.OK, f"Games: there are none in {data} yet.")
    try:
        games = Journal(data, writes=False).games()
    except (JournalError, OSError) as fault:
        return Finding(Verdict.WRONG, f"Games: {str(fault).rstrip('.')}.")
    return Finding(Verdict.OK, f"Games: {len(games)} in {data}.")
