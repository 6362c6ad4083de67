"""The settings of a club's program, from /etc/companion-club.toml or another file; all are optional."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec

DEFAULT = Path("/etc/companion-club.toml")


class ClubSettings(msgspec.Struct, frozen=True):
    """The address of the pages; with boxes also those of the database and of the broker."""

    host: str = "0.0.0.0"  # the address on which the pages are served; by default every one of this computer
    port: Annotated[int, msgspec.Meta(ge=1, le=65_535)] = 8090
    proxy: str = ""  # the address of a proxy before the pages, which says in X-Forwarded-For who visits; empty: none
    database: Annotated[
        str,
        msgspec.Meta(pattern=r"^(postgresql://\S{0,400})?$", description='an address like "postgresql:///club"'),
    ] = ""  # empty: there are no boxes
    broker: Annotated[
        str,
        msgspec.Meta(
            pattern=r"^mqtts?://[A-Za-z0-9.\-\[\]:]{1,253}$", description='an address like "mqtt://192.168.1.5:1883"'
        ),
    ] = "mqtt://127.0.0.1:1883"
    user: str = ""  # the hub's name at the broker
    password_file: str = ""  # a file with its password, which only its owner may read
    authority: str = ""  # a file with certificates that the broker's is checked against; empty: the system's
    certificate: str = ""  # the file of the hub's certificate
    key: str = ""  # the file of its key
    passwords: str = "/etc/mosquitto/club.passwords"  # the broker's file of logins, for enrolment
