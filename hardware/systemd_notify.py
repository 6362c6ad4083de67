"""Tells systemd about the service: ready, alive, status, stopping (sd_notify).

It sends datagrams of NAME=value lines to the socket $NOTIFY_SOCKET. Without that variable it sends nothing, so the
program also runs without systemd.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Mapping
from contextlib import suppress

READY = "READY=1"
ALIVE = "WATCHDOG=1"
STOPPING = "STOPPING=1"

_PATIENCE = 1.0  # seconds; do not block the loop longer for a full socket


def status(words: str) -> str:
    """Return the state that sets the text shown by `systemctl status`."""
    return "STATUS=" + " ".join(words.split())


def notify(*states: str, environment: Mapping[str, str] = os.environ) -> None:
    """Notify the service manager, if there is one, of READY, ALIVE, STOPPING, or results of `status`.

    Errors are ignored: the manager's own time-outs cover them.
    """
    address = environment.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    if address.startswith("@"):  # abstract names begin with a zero byte, which a variable cannot contain
        address = "\0" + address[1:]
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as connection:
        connection.settimeout(_PATIENCE)
        connection.sendto("\n".join(states).encode(errors="replace"), address)


def watchdog_seconds(environment: Mapping[str, str] = os.environ) -> float | None:
    """Return the maximum seconds between two ALIVE messages; None without a watchdog."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None  # meant for the parent process
    written = environment.get("WATCHDOG_USEC", "")
    if not re.fullmatch(r"0*[1-9][0-9]{4,14}", written):
        return None  # invalid, or too short or too long to be useful
    return int(written) / 1e6
