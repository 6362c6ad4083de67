"""Sets up the bridge's unit of systemd: lets it reach the broker, and nothing else, and starts it."""

from __future__ import annotations

import os
import re
import socket
import subprocess
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from pathlib import Path

from .common import CommandError, naming

UNIT = "companion-bridge.service"
DROP_IN = f"etc/systemd/system/{UNIT}.d/broker.conf"
NAME_SERVERS = "etc/resolv.conf"
PATIENCE = 5.0  # seconds to wait for the broker


def set_up(host: str, port: int, root: Path = Path("/"), run: Callable[[Sequence[str]], None] | None = None) -> str:
    """Allow the unit to reach a broker, and start it now and at every start of the machine; return a sentence.

    Args:
        host: The broker's name or address.
        port: Its port.
        root: The folder of the system's files.
        run: Runs a command.

    Raises:
        CommandError: The broker cannot be reached, or this user may not set up units.
    """
    if os.geteuid() != 0:
        raise CommandError("setting up needs root's rights: sudo companion bridge --set-up")
    addresses = _reached(host, port)
    if not _is_address(host):  # its name is looked up again at each connection
        addresses |= set(re.findall(r"^nameserver\s+(\S+)$", _text(root / NAME_SERVERS), re.MULTILINE))
    file = root / DROP_IN
    with naming(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"[Service]\nIPAddressAllow={' '.join(sorted(addresses))}\n", encoding="utf-8")
    for command in (("daemon-reload",), ("enable", UNIT), ("restart", UNIT)):
        (run or _run)(("systemctl", *command))
    return f"{UNIT} runs, and starts with the machine; it may reach {host}. Off: sudo systemctl disable --now {UNIT}"


def switch_off(root: Path = Path("/"), run: Callable[[Sequence[str]], None] | None = None) -> None:
    """Stop the unit and let it start no more, as root on a machine that has it."""
    if os.geteuid() == 0 and (root / "usr/lib/systemd/system" / UNIT).exists():
        (run or _run)(("systemctl", "disable", "--now", UNIT))


def _reached(host: str, port: int) -> set[str]:
    """Return the addresses of a host; raise CommandError unless it takes connections."""
    try:
        found = {str(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
        socket.create_connection((host, port), PATIENCE).close()
    except OSError as error:
        raise CommandError(f"{host}:{port} does not answer: {error.strerror or error}") from None
    return found


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError:
        return ""


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CommandError(f"{' '.join(command)}: {done.stderr.strip()}")
