"""The page's addresses: the one to open, and the names that other computers use for this one.

Imports the standard library only: the address is also shown where the server is not loaded yet.
"""

from __future__ import annotations

import socket
from ipaddress import IPv6Address, ip_address

PROBES = ("192.0.2.1", "10.42.0.254")
"""Addresses that select a route, without sending anything: one elsewhere, and one in the box's own Wi-Fi."""


def url_of(host: str, port: int) -> str:
    """Return the URL to open. For a server on every address, it is one that other devices can reach."""
    if host in ("0.0.0.0", "::", ""):
        host = own_address()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def own_address() -> str:
    """Return this computer's address on its network, or the loopback address if there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for target in PROBES:
            try:
                probe.connect((target, 9))
            except OSError:
                continue
            return str(probe.getsockname()[0])
    return "127.0.0.1"


def loopback(name: str) -> bool:
    """Return whether a name or an address means this computer itself."""
    try:
        return name == "localhost" or ip_address(plain(name)).is_loopback
    except ValueError:
        return False


def plain(name: str) -> str:
    """Return a name or an address in canonical form: small letters, no brackets, zone or trailing dot.

    >>> [plain(name) for name in ("Tabletop.local.", "[FE80::1%wlan0]", "::ffff:192.168.1.7")]
    ['tabletop.local', 'fe80::1', '192.168.1.7']
    """
    name = name.lower().removesuffix(".").removeprefix("[").removesuffix("]").partition("%")[0]
    try:
        address = ip_address(name)
    except ValueError:
        return name
    return str((isinstance(address, IPv6Address) and address.ipv4_mapped) or address)


def local_url(host: str, port: int) -> str:
    """Return the URL to open on this computer itself."""
    return url_of({"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(host, host), port)


def own_names() -> frozenset[str]:
    """Return the host names that other devices on the network use for this computer."""
    name = socket.gethostname().lower()
    return frozenset((name, f"{name}.local"))
