#!/usr/bin/python3 -I
"""Opens and ends the box's own Wi-Fi with NetworkManager, as root.

``own-wifi name`` makes name and password of the network, if there are none; the service only reads them.
``own-wifi start`` opens the network, ``own-wifi stop`` ends it and leaves nothing. ``COMPANION_ROOT`` names another
root folder, for tests.
"""

from __future__ import annotations

import grp
import hashlib
import os
import re
import secrets
import subprocess
import sys
import tomllib
from contextlib import suppress
from pathlib import Path

ROOT = Path(os.environ.get("COMPANION_ROOT", "/"))
NETWORK = ROOT / "var/lib/companion-wifi/network"
"""Name, password, and a check of the two, a line each. The folder is root's; the service's group may read the file."""

PROFILE = "companion-own-wifi"
CONNECTION = ROOT / f"run/NetworkManager/system-connections/{PROFILE}.nmconnection"
"""The profile with the password: only root can read the file, and it is in memory, not on the card. As an argument of
nmcli the password would be in the list of processes."""

NAMES = ROOT / "etc/NetworkManager/dnsmasq-shared.d/companion.conf"
HOSTS = ("connectivitycheck.gstatic.com", "connectivitycheck.android.com", "clients3.google.com")
"""The hosts that phones ask whether a network leads to the internet. Android leaves a network without an answer, so the
page answers for these hosts."""

ADDRESS = "10.42.0.1"
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Characters that are not mistaken for each other."""

KEYFILE = """\
[connection]
id={profile}
uuid=5f0f7a52-6b7e-4c39-9c5b-2f9a6b1f7c11
type=wifi
autoconnect=false

[wifi]
mode=ap
band=bg
ssid={name}

[wifi-security]
key-mgmt=wpa-psk
proto=rsn;
pairwise=ccmp;
group=ccmp;
psk={password}

[ipv4]
method=shared
address1={address}/24

[ipv6]
method=disabled
"""
RULES = """\
table ip companion {{
    chain prerouting {{
        type nat hook prerouting priority dstnat;
        ip daddr {address} tcp dport 80 redirect to :{port}
    }}
}}
"""


def main(arguments: list[str]) -> None:
    """Run the subcommand that the arguments name."""
    match arguments:
        case ["name"]:
            make_names()
        case ["start"]:
            start()
        case ["stop"]:
            stop()
        case _:
            sys.exit("companion: own-wifi name, own-wifi start, or own-wifi stop")


def known_names() -> tuple[str, str] | None:
    """Return name and password; None if there are none, or they are damaged."""
    try:
        read = NETWORK.read_bytes()
    except FileNotFoundError:
        return None
    found = re.fullmatch(rb"(Companion-[A-Z0-9]{4})\n([a-z0-9]{10})\n([0-9a-f]{16})\n", read)
    if found is None or found[3].decode() != _check(found[1].decode(), found[2].decode()):
        return None
    return found[1].decode(), found[2].decode()


def make_names() -> None:
    """Make name and password if there are none, or if they are damaged; a damage is printed."""
    if not CONNECTION.exists():
        NAMES.unlink(missing_ok=True)  # left by a pulled plug: it would count in any network that somebody shares
    NETWORK.parent.mkdir(parents=True, exist_ok=True)
    NETWORK.parent.chmod(0o755)  # the unit's UMask would keep the service out
    if known_names() is not None:
        return
    if NETWORK.exists():
        print("companion: name and password of the own Wi-Fi were damaged; phones must join it anew", file=sys.stderr)
    name = "Companion-" + "".join(secrets.choice(LETTERS).upper() for _ in range(4))
    password = "".join(secrets.choice(LETTERS) for _ in range(10))
    new = NETWORK.with_name("network.new")
    _write_private(new, f"{name}\n{password}\n{_check(name, password)}\n")
    with suppress(KeyError, PermissionError):  # no such group, or not root: in tests
        os.chown(new, -1, grp.getgrnam("companion").gr_gid)
    new.chmod(0o640)
    new.replace(NETWORK)


def start() -> None:
    """Open the network."""
    names = known_names()
    if names is None:
        sys.exit("companion: there is no name for the network; systemctl restart companion makes one")
    stop()
    CONNECTION.parent.mkdir(parents=True, exist_ok=True)
    # Written first: own-wifi name, at a start of the service meanwhile, removes the hosts of a network that is off.
    _write_private(CONNECTION, KEYFILE.format(profile=PROFILE, name=names[0], password=names[1], address=ADDRESS))
    if NAMES.parent.is_dir():
        NAMES.write_text("".join(f"address=/{host}/{ADDRESS}\n" for host in HOSTS), "utf-8")
    if not (_done("nmcli", "connection", "load", str(CONNECTION)) and _done("nmcli", "connection", "up", PROFILE)):
        stop()
        sys.exit("companion: NetworkManager cannot start the network")
    _done("nft", "-f", "-", stdin=RULES.format(address=ADDRESS, port=_port()))


def stop() -> None:
    """End the network, and remove what a pulled plug left of it."""
    if CONNECTION.exists():
        _done("nmcli", "connection", "down", PROFILE)
        _done("nmcli", "connection", "delete", PROFILE)
        CONNECTION.unlink(missing_ok=True)
    _done("nft", "delete", "table", "ip", "companion")
    NAMES.unlink(missing_ok=True)


def _port() -> int:
    """Return the page's port."""
    try:
        port = tomllib.loads((ROOT / "etc/companion.toml").read_text("utf-8"))["page"]["port"]
    except (OSError, ValueError, LookupError, TypeError):
        return 8080
    return port if type(port) is int else 8080


def _check(name: str, password: str) -> str:
    return hashlib.sha256(f"{name}\n{password}\n".encode()).hexdigest()[:16]


def _write_private(file: Path, text: str) -> None:
    """Write a file that only root may read, to the disk."""
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as writing:
        writing.write(text)
        writing.flush()
        os.fsync(writing.fileno())


def _done(*command: str, stdin: str = "") -> bool:
    """Run a command; return whether it succeeded. Its errors are not printed: often there is just nothing to end."""
    try:
        return not subprocess.run(command, input=stdin, text=True, capture_output=True, check=False).returncode
    except OSError:
        return False


main(sys.argv[1:])
