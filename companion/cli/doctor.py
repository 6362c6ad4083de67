"""The command ``doctor``: checks the box, the installation or the panel, or writes a report for asking for help."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from .common import folder, with_config, with_data

SERVICE_DATA = Path("/var/lib/companion")  # the folder of the service's journal


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
        from .installation_check import main

        return main(arguments.config, data)
    if arguments.panel:
        from .panel_check import check_panel

        return check_panel(arguments.config, data)
    from hardware import doctor

    return doctor.main(arguments.config, data, arguments.report)
