"""Tells systemd about the service: ready, alive, status, stopping (sd_notify).

A datagram of NAME=value lines to the socket that $NOTIFY_SOCKET names. Without a manager nothing is said, so
the same program runs under systemd and by hand.
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

_PATIENCE = 1.0  # seconds; a manager whose socket is full is not worth more of the loop's time


def status(words: str) -> str:
    """Return what tells in words what is being done; `systemctl status` shows it."""
    return "STATUS=" + " ".join(words.split())


def notify(*states: str, environment: Mapping[str, str] = os.environ) -> None:
    """Tell the service manager, if there is one, and never fail: what it does not hear it finds out by itself.

    Args:
        states: READY, ALIVE, STOPPING, or what `status` makes of words; told together.
        environment: Where $NOTIFY_SOCKET is looked up.
    """
    address = environment.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    if address.startswith("@"):  # Linux's abstract names begin with a zero byte, which no variable can hold
        address = "\0" + address[1:]
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as connection:
        connection.settimeout(_PATIENCE)
        connection.sendto("\n".join(states).encode(errors="replace"), address)


def watchdog_seconds(environment: Mapping[str, str] = os.environ) -> float | None:
    """Return within how many seconds the manager wants to hear ALIVE again and again; None: it does not watch us."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None  # it was meant for the process that started this one
    written = environment.get("WATCHDOG_USEC", "")
    if not re.fullmatch(r"0*[1-9][0-9]{4,14}", written):
        return None  # nonsense, or nothing; nobody is heard a hundred times a second, nor only once in a life
    return int(written) / 1e6
