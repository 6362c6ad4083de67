"""The system around the program: its files, programs, mounts and logind, and what systemd is told of this program."""

from __future__ import annotations

import os
import re
import socket
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from companion.app.ports import DeviceError

PATIENCE = 5.0
"""Seconds in which the system's programs answer."""

BUSCTL = ("busctl", "--system", "--allow-interactive-authorization=no")
"""systemd's program that calls services of the system over D-Bus, without a password dialogue or a D-Bus library."""

LONGEST_COMMAND = 80  # maximum characters of a command line to show


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


def answer(*command: str) -> str | None:
    """Return a program's output, or None if it is missing or fails."""
    try:
        return output_of(command, "It cannot be read", command[0]).strip()
    except DeviceError:
        return None


def text(file: Path) -> str:
    """Return the content of a file of the system; empty if it is missing or unreadable."""
    try:
        return file.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        return ""


def locker(folder: Path, proc: Path = Path("/proc")) -> str:
    """Return number and command of the process that holds the lock on a folder, if it is known."""
    number = os.stat(folder).st_ino
    holders = re.findall(rf"FLOCK +ADVISORY +WRITE +([0-9]+) [0-9a-f:]+:{number} ", text(proc / "locks"))
    if len(holders) != 1:  # a file of another disk may have the same number
        return ""
    command = text(proc / holders[0] / "cmdline").replace("\0", " ")
    seen = "".join(letter if letter.isprintable() else "?" for letter in command)
    return f"process {holders[0]}, {seen[:LONGEST_COMMAND]}{'…' * (len(seen) > LONGEST_COMMAND)}"


# Mounted file systems

MOUNTS = Path("/proc/self/mounts")

PLACES = ("/media/*", "/media/*/*", "/run/media/*/*", "/mnt/*")  # where drives are mounted by hand or by a desktop

IN_MEMORY = frozenset({"overlay", "tmpfs", "ramfs"})
"""Kinds of file systems that forget everything with the power; an overlay is that of a read-only root."""


class Mount(NamedTuple):
    """A mounted file system: its device, folder, type and options."""

    device: str
    folder: Path
    kind: str
    options: tuple[str, ...]


def read_mounts(file: Path = MOUNTS) -> list[Mount]:
    """Return the file systems in the kernel's list, the latest last; none if it cannot be read."""
    try:
        lines = file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return []
    found = []
    for device, place, kind, options, *_more in (line.split(" ") for line in lines if line.count(" ") >= 3):
        folder = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), place)
        found.append(Mount(device, Path(folder), kind, tuple(options.split(","))))
    return found


def is_in_memory(folder: Path, mounts: Path = MOUNTS) -> bool:
    """Return whether everything in a folder is gone with the power."""
    real = folder.resolve()
    holding = [mount for mount in read_mounts(mounts) if real.is_relative_to(mount.folder)]
    # The nearest one holds it, and of two at one place the later: the first of those reversed.
    nearest = max(reversed(holding), key=lambda mount: len(mount.folder.parts), default=None)
    return nearest is not None and nearest.kind in IN_MEMORY


def drives(mounts: Path = MOUNTS, *, writable: bool = True) -> list[Path]:
    """Return the folders of mounted drives that this process may write to, or at least read, in order.

    Drives on the network are left out: one that does not answer would hold up the program.
    """
    needed = os.X_OK | (os.W_OK if writable else os.R_OK)
    found = {mount.folder for mount in read_mounts(mounts) if _is_drive(mount, writable=writable)}
    return sorted(folder for folder in found if os.access(folder, needed))


def _is_drive(mount: Mount, *, writable: bool) -> bool:
    folder = str(mount.folder)
    is_in_place = any(fnmatchcase(folder, place) and folder.count("/") == place.count("/") for place in PLACES)
    return is_in_place and mount.device.startswith("/dev/") and not (writable and "ro" in mount.options)


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
