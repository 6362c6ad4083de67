"""Creates and removes logins of boxes at the broker, in Mosquitto's password file.

The rights of all boxes stand in one file of patterns (system/mosquitto.acl): a box may use only topics with its
own name.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from base64 import b64encode
from pathlib import Path

from companion.journal.disk import written_beside

from .database import Connection
from .store_game_lines import CHANGED, DEVICES

ROUNDS = 1000  # of PBKDF2; the passwords are drawn, so nobody guesses them
HUB = "hub"  # the hub's own login


def new_login(file: Path, user: str) -> str:
    """Add a login to a file of passwords, or give it another password; return the password.

    Raises:
        OSError: The file cannot be written.
    """
    password = secrets.token_urlsafe(18)
    _rewrite(file, user, f"{user}:{_hashed(password)}\n")
    return password


def remove_login(file: Path, user: str) -> bool:
    """Remove a login from a file of passwords; return whether there was one."""
    return _rewrite(file, user, "")


def new_device(connection: Connection, name: str) -> str:
    """Draw the id of a box, and give its table a name; return the id."""
    device = f"tabletop-{secrets.token_hex(4)}"
    with connection.transaction():
        connection.execute("INSERT INTO device (device, name) VALUES (%s, %s)", [device, name])
    return device


def boxes(connection: Connection) -> list[tuple[str, str, bool | None]]:
    """Return id, table and connection of each box, by table; the connection is None before the first."""
    asked = "SELECT device, name, online FROM device WHERE NOT removed ORDER BY name, device"
    with connection.transaction():
        return [(device, name, online) for device, name, online in connection.execute(asked)]


def remove_device(connection: Connection, device: str) -> list[str]:
    """Let no page list a box any more; its games stay. Return what the broker keeps of it: nothing if there is none."""
    with connection.transaction():
        if not connection.execute("UPDATE device SET removed = true WHERE device = %s", [device]).rowcount:
            return []
        connection.execute("SELECT pg_notify(%s, %s)", [CHANGED, DEVICES])
        asked = "SELECT correction.id FROM correction JOIN game ON game.id = game WHERE device = %s AND taken IS NULL"
        waiting = [f"correction/{id}" for (id,) in connection.execute(asked, [device])]
    return ["status", "name", "call", "table", "hub", *waiting]


def instructions(device: str, name: str, address: str, password: str) -> list[str]:
    """Return what to do on the box, line by line."""
    return [
        "On the box, write into /etc/companion.toml:",
        "",
        "[bridge]",
        f'broker = "{address}"',
        f'name = "{name}"',
        f'user = "{device}"',
        'password_file = "/etc/companion-bridge.password"',
        "club = true",
        "home_assistant = false",
        "",
        "then:",
        "",
        f"echo {password} | sudo install -m 600 -o companion /dev/stdin /etc/companion-bridge.password",
        "sudo companion bridge --set-up",
        "",
    ]


def _hashed(password: str) -> str:
    """Return a password as Mosquitto keeps it: PBKDF2 with SHA-512."""
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    return f"$7${ROUNDS}${b64encode(salt).decode()}${b64encode(digest).decode()}"


def _rewrite(file: Path, user: str, line: str) -> bool:
    """Replace the line of a user, in a file that only its owner and group may read; return whether there was one."""
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True) if file.exists() else []
    kept = [each for each in lines if not each.startswith(f"{user}:")]
    with written_beside(file, 0o640) as opened:
        if file.exists():
            os.fchown(opened.fileno(), file.stat().st_uid, file.stat().st_gid)
        opened.write("".join([*kept, line]).encode())
    return len(kept) < len(lines)
