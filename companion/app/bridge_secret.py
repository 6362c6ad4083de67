"""The secret by which the MQTT bridge proves that it runs on the same computer; kept in a private file."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from hmac import compare_digest
from pathlib import Path

FILE = "page-secret"


def state_of(journal: Path) -> Path:
    """Return the folder in which the bridge of a journal keeps its own files, unless it is told another."""
    return journal.with_name(f"{journal.name}-bridge")


def drawn(state: Path) -> str:
    """Draw a secret, and leave it in the bridge's folder; raises OSError if that fails."""
    secret = secrets.token_urlsafe(32)
    with suppress(FileNotFoundError):
        (state / FILE).unlink()
    with os.fdopen(os.open(state / FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(secret)
    return secret


def is_bridge(journal: Path | None, told: str) -> bool:
    """Return whether somebody knows the secret of a journal's bridge; nobody does where there is none."""
    with suppress(OSError, UnicodeError):
        secret = "" if journal is None else (state_of(journal) / FILE).read_text("ascii")
        return bool(secret) and compare_digest(secret.encode(), told.encode())
    return False
