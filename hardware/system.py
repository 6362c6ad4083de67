"""The system around the program: what it asks of other programs and of logind, and what it tells systemd of itself."""

from __future__ import annotations

import os
import re
import socket
import subprocess
from collections.abc import Mapping
from contextlib import suppress

from companion.app.ports import DeviceError

PATIENCE = 5.0
"""Seconds in which the system's programs answer."""

BUSCTL = ("busctl", "--system", "--allow-interactive-authorization=no")
"""systemd's program that calls services of the system over D-Bus, without a password dialogue or a D-Bus library."""


def output_of(command: tuple[str, ...], failed: str, asked: str) -> str:
    """Return what a command prints.

    `failed` is what does not work then, as the beginning of a sentence; `asked` is the program that answers.

    Raises DeviceError if it cannot be run, does not answer in time, or fails.
    """
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise DeviceError(f"{failed}: {asked} does not answer.") from error
    except OSError as error:
        raise DeviceError(f"{failed}: {command[0]} cannot be run.") from error
    if done.returncode != 0:
        why = " ".join(done.stderr.split()).removeprefix("Call failed: ").rstrip(".")
        raise DeviceError(f"{failed}: {why or f'{asked} refused'}.")
    return done.stdout


# Switching off

_LOGIND = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")


class LogindPower:
    """Switches the machine off, if logind allows it without a password."""

    def may(self) -> bool:
        """Return whether this program may switch off; False if logind cannot be asked."""
        try:
            return _call("CanPowerOff").strip() == 's "yes"'
        except DeviceError:
            return False

    def off(self) -> None:
        """Start the shutdown. The service manager will then stop this program. Raises DeviceError if logind refused."""
        _call("PowerOff", "b", "false")  # false: no password dialogue


def _call(method: str, *arguments: str) -> str:
    return output_of((*BUSCTL, "call", *_LOGIND, method, *arguments), "The machine cannot be switched off", "logind")


# The service: ready, alive, status, stopping (sd_notify), as datagrams of NAME=value lines to $NOTIFY_SOCKET.
# Without it nothing is sent, so the program also runs without systemd.

READY = "READY=1"
ALIVE = "WATCHDOG=1"
STOPPING = "STOPPING=1"
SOCKET_PATIENCE = 1.0  # seconds; do not block the loop longer for a full socket


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
        connection.settimeout(SOCKET_PATIENCE)
        connection.sendto("\n".join(states).encode(errors="replace"), address)


def watchdog_seconds(environment: Mapping[str, str] = os.environ) -> float | None:
    """Return the maximum seconds between two ALIVE messages; None without a watchdog."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None  # meant for the parent process
    written = environment.get("WATCHDOG_USEC", "")
    if not re.fullmatch(r"0*[1-9][0-9]{4,14}", written):
        return None  # invalid, or too short or too long to be useful
    return int(written) / 1e6
