"""The command ``doctor``: checks the box, the installation or the panel, or writes a report for asking for help."""

from __future__ import annotations

import argparse
from pathlib import Path

from .common import folder
from .start_page_server import missing_package

SERVICE_DATA = Path("/var/lib/companion")  # the folder of the service's journal


def doctor(arguments: argparse.Namespace) -> int:
    """Check the box and print a line for each check."""
    if arguments.quick:
        from .installation_check import main

        return main()
    data = SERVICE_DATA if arguments.data is None and SERVICE_DATA.exists() else folder(arguments)
    if arguments.reads:
        from .settings_and_journal_check import main as check_reading

        return check_reading(arguments.config, data)
    try:
        if arguments.panel:
            from .panel_check import check_panel

            return check_panel(arguments.config, data)
        from hardware import doctor
    except ModuleNotFoundError as error:
        raise missing_package("the doctor", error, "pi") from None
    return doctor.main(arguments.config, data, arguments.report)
