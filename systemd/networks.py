#!/usr/bin/python3 -I
"""Tells avahi and NetworkManager of the page, as the settings have it.

systemd runs it as root after each start of the service. It writes what avahi announces, if the settings let others
reach the page, and name, password and profile of the own Wi-Fi: companion-wifi.service opens that network.
``COMPANION_ROOT`` names another root folder, for tests.
"""

from __future__ import annotations

import grp
import hashlib
import os
import re
import secrets
import sys
import tomllib
from contextlib import suppress
from pathlib import Path

ROOT = Path(os.environ.get("COMPANION_ROOT", "/"))
ANNOUNCED = ROOT / "etc/avahi/services/companion.service"
TEMPLATE = ROOT / "usr/share/tabletop-companion/companion.avahi.service"

WIFI = ROOT / "var/lib/companion-wifi"  # root's; the service's group may read name and password there
PROFILE = ROOT / "etc/NetworkManager/system-connections/companion-own-wifi.nmconnection"
LEFT_BEHIND = ROOT / "etc/NetworkManager/dnsmasq-shared.d/companion.conf"
RUNNING = ROOT / "run/companion-wifi"  # exists while companion-wifi.service runs

ADDRESS = "10.42.0.1"
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none is mistaken for another

KEYFILE = """\
[connection]
id=companion-own-wifi
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
CHECKS_OF_PHONES = """\
address=/connectivitycheck.gstatic.com/{address}
address=/connectivitycheck.android.com/{address}
address=/clients3.google.com/{address}
"""
"""The hosts that phones ask whether a network leads to the internet. Android leaves a network without an answer, so the
page answers for them."""

REDIRECT = """\
table ip companion {{
    chain prerouting {{
        type nat hook prerouting priority dstnat;
        ip daddr {address} tcp dport 80 redirect to :{port}
    }}
}}
"""


def main() -> None:
    """Write what has changed."""
    page = _page()
    port = page.get("port", 8080)
    if ANNOUNCED.parent.is_dir():
        _announce(page, port)
    if PROFILE.parent.is_dir():
        _prepare_own_wifi(port if type(port) is int else 8080)


def _page() -> dict[str, object]:
    """Return the settings of the page; none if they cannot be read: the program says what is wrong with them."""
    try:
        page = tomllib.loads((ROOT / "etc/companion.toml").read_text("utf-8")).get("page")
    except (OSError, ValueError):
        page = None
    return page if isinstance(page, dict) else {}


def _announce(page: dict[str, object], port: object) -> None:
    """Announce the page where others reach it, and there alone."""
    host = page.get("host", "")
    local = not isinstance(host, str) or host in ("", "localhost", "::1") or host.startswith("127.")
    if page.get("on") is not True or local or type(port) is not int:
        ANNOUNCED.unlink(missing_ok=True)
    else:
        _keep(ANNOUNCED, TEMPLATE.read_text("utf-8").replace("8080", str(port)), 0o644)


def _prepare_own_wifi(port: int) -> None:
    """Make name and password of the network once, and what companion-wifi.service gives the system."""
    WIFI.mkdir(parents=True, exist_ok=True)
    WIFI.chmod(0o755)  # the unit's UMask would keep the service out
    name, password = _name_and_password()
    names = f"{name}\n{password}\n"
    check = hashlib.sha256(names.encode()).hexdigest()[:16]  # earlier versions of the program want it
    _keep(WIFI / "network", f"{names}{check}\n", 0o640, "companion")
    _keep(PROFILE, KEYFILE.format(name=name, password=password, address=ADDRESS), 0o600)
    _keep(WIFI / "dnsmasq.conf", CHECKS_OF_PHONES.format(address=ADDRESS), 0o644)
    _keep(WIFI / "page.nft", REDIRECT.format(address=ADDRESS, port=port), 0o644)
    if not RUNNING.exists():
        LEFT_BEHIND.unlink(missing_ok=True)  # by a pulled plug: it would count in any network that somebody shares


def _name_and_password() -> tuple[str, str]:
    """Return those of before, or new ones if there are none, or if they are damaged; a damage is printed."""
    with suppress(FileNotFoundError):
        read = (WIFI / "network").read_text("utf-8", errors="replace")
        found = re.fullmatch(r"(Companion-[A-Z0-9]{4})\n([a-z0-9]{10})\n[0-9a-f]*\n", read)
        if found is not None:
            return found[1], found[2]
        print("companion: name and password of the own Wi-Fi were damaged; phones must join it anew", file=sys.stderr)
    name = "".join(secrets.choice(LETTERS).upper() for _ in range(4))
    return f"Companion-{name}", "".join(secrets.choice(LETTERS) for _ in range(10))


def _keep(file: Path, text: str, mode: int, group: str = "root") -> None:
    """Write a file to the disk, as a whole, unless it is there as it should be."""
    with suppress(OSError):
        if file.read_bytes() == text.encode() and file.stat().st_mode & 0o777 == mode:
            return
    new = file.with_name(f".{file.name}.new")  # NetworkManager and avahi read no hidden file
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as writing:
        writing.write(text)
        with suppress(KeyError, PermissionError):  # no such group, or not root: in tests
            os.fchown(writing.fileno(), -1, grp.getgrnam(group).gr_gid)
        os.fchmod(writing.fileno(), mode)
        writing.flush()
        os.fsync(writing.fileno())
    new.replace(file)


main()
