"""Serving the page beside a box."""

from __future__ import annotations

import shlex
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

from .common import Fault

if TYPE_CHECKING:
    from companion.app.loop import Inbox
    from companion.ui.keys import Board
    from companion.web.mirror import PageMirror
    from companion.web.server import Server


def served(
    stack: ExitStack, host: str, port: int, inbox: Inbox, mirror: PageMirror, board: Board | None = None
) -> Server:
    """Serve the page until a stack of contexts is left; it shows a board, the keypad unless another is given."""
    try:
        from companion.app.lobby import Lobby  # noqa: PLC0415
        from companion.ui.keys import KEYPAD  # noqa: PLC0415
        from companion.web.server import PageFault, serve  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise missing("the page", error, "page") from None
    try:
        server = serve(host, port, Lobby(inbox.put).put, mirror, board=board or KEYPAD)
    except PageFault as fault:
        raise Fault(str(fault)) from None
    stack.callback(server.join)
    stack.callback(server.stop)
    return server


def missing(what: str, error: ModuleNotFoundError, extra: str) -> Fault:
    """Say which package something needs, and the command that installs it for this Python."""
    pip = f"{shlex.quote(sys.executable)} -m pip install 'tabletop-companion[{extra}]'"
    return Fault(f"{what} needs {error.name}; to install it: {pip}")
