"""Starts the page's server beside the application."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

from .common import CommandFault

if TYPE_CHECKING:
    from companion.app.loop import Inbox
    from companion.ui.keys import KeyLayout
    from companion.web.page_mirror import PageMirror
    from companion.web.server import Server


def serve_page(
    stack: ExitStack, host: str, port: int, inbox: Inbox, mirror: PageMirror, board: KeyLayout | None = None
) -> Server:
    """Serve the page until the context stack closes; without a board it shows the keypad."""
    try:
        from companion.app.web_queue import WebQueue  # noqa: PLC0415
        from companion.ui.keys import KEYPAD  # noqa: PLC0415
        from companion.web.server import PageFault, serve  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise missing_package("the page", error, "page") from None
    try:
        server = serve(host, port, WebQueue(inbox.put).put, mirror, board=board or KEYPAD)
    except PageFault as fault:
        raise CommandFault(str(fault)) from None
    stack.callback(server.join)
    stack.callback(server.stop)
    return server


def missing_package(what: str, error: ModuleNotFoundError, extra: str) -> CommandFault:
    """Return an error that names the missing package and the command that installs it for this Python."""
    import shlex  # noqa: PLC0415  # only when something is missing

    pip = f"{shlex.quote(sys.executable)} -m pip install 'tabletop-companion[{extra}]'"
    return CommandFault(f"{what} needs {error.name}; to install it: {pip}")
