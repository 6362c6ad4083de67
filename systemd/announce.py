#!/usr/bin/python3 -I
"""Announces the page in the network, if the settings let others reach it; avahi must be there.

systemd runs it as root after each start of the service. ``COMPANION_ROOT`` names another root folder, for tests.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

ROOT = Path(os.environ.get("COMPANION_ROOT", "/"))
SERVICES = ROOT / "etc/avahi/services"
TEMPLATE = ROOT / "usr/share/tabletop-companion/companion.avahi.service"


def main() -> None:
    """Write or remove the announcement; one that is right stays as it is."""
    if not SERVICES.is_dir():
        return
    file, new = SERVICES / "companion.service", SERVICES / "companion.service.new"
    port = _port_for_others(ROOT / "etc/companion.toml")
    if port is None:
        file.unlink(missing_ok=True)
        return
    announcement = TEMPLATE.read_text("utf-8").replace("8080", str(port))
    if not file.exists() or file.read_text("utf-8") != announcement:
        new.write_text(announcement, "utf-8")
        new.chmod(0o644)
        new.replace(file)


def _port_for_others(settings: Path) -> int | None:
    """Return the port at which others reach the page; None if they do not, or the settings cannot be read."""
    try:
        page = tomllib.loads(settings.read_text("utf-8")).get("page", {})
        on, host, port = page.get("on", False), page.get("host", ""), page.get("port", 8080)
    except (OSError, ValueError, AttributeError):  # the program says what is wrong with the settings
        return None
    if on is not True or not isinstance(host, str) or type(port) is not int:
        return None
    return None if host in ("", "localhost", "::1") or host.startswith("127.") else port


main()
