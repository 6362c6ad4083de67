"""The command ``simulate``: the application with a page in place of a device."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

from .board_lookup import board_named
from .common import controller_on, finish, folder, journal_in
from .page_server import missing_package, serve_page
from .stop_signals import stopped_by_signals

if TYPE_CHECKING:
    from companion.app.ports import Panel


def simulate(wanted: argparse.Namespace) -> int:
    """Serve the application as a page until told to stop."""
    from companion.app.clock import SystemClock  # noqa: PLC0415
    from companion.app.loop import Inbox, Stop, run  # noqa: PLC0415
    from companion.app.memory_outputs import MemoryPanel  # noqa: PLC0415
    from companion.app.outputs import Outputs  # noqa: PLC0415
    from companion.web.page_mirror import PageMirror  # noqa: PLC0415

    board = board_named(wanted.board)
    inbox, clock, mirror = Inbox(), SystemClock(), PageMirror()
    with ExitStack() as stack:
        journal = journal_in(folder(wanted))
        stack.callback(journal.close)
        outputs = Outputs(_oled(wanted.oled) or MemoryPanel(), clock, mirrors=(mirror,))
        stack.callback(outputs.close)
        box = controller_on(journal, outputs, clock, language=None, board=board)
        server = serve_page(stack, wanted.host, wanted.port, inbox, mirror, board)
        stack.enter_context(stopped_by_signals(lambda: inbox.put(Stop())))
        print(f"Tabletop Companion: {server.url}  (Ctrl-C ends it; every entry is saved)", flush=True)
        if wanted.open:
            _open_browser(server.url)
        run(box, inbox, clock)
        return finish(box)


def _oled(bus: int | None) -> Panel | None:
    if bus is None:
        return None
    try:
        from hardware.panel import PanelSpec, open_panel  # noqa: PLC0415

        return open_panel(PanelSpec(port=bus))
    except ModuleNotFoundError as error:
        raise missing_package("the OLED", error, "pi") from None


def _open_browser(url: str) -> None:
    import webbrowser  # noqa: PLC0415

    if sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(url)
