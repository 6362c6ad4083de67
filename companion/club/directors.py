"""Who directs: a browser on the program's own computer, and who has given the director's password."""

from __future__ import annotations

import hmac
import os
import secrets
import time
from pathlib import Path

from starlette.requests import Request

from companion.journal.disk import written_beside
from companion.web.addresses import loopback
from companion.web.host_checks import name_in
from companion.web.phone_checks import is_from_here

COOKIE = "club"
LASTS = 14 * 24 * 3600  # seconds that somebody stays signed in
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
GROUPS, GROUP = 3, 4  # of the password: 59 bits, so nobody guesses it and no try has to wait


class Directors:
    """Keeps the director's password in a file, and knows directors by it.

    Args:
        file: It is made, with a password that is drawn, if there is none.

    Raises:
        OSError: The file cannot be read or written.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            self.password = file.read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            self.password = ""
        if not self.password:
            self.draw()

    def draw(self) -> None:
        """Draw another password; whoever has signed in has to do so again."""
        groups = ("".join(secrets.choice(LETTERS) for _letter in range(GROUP)) for _group in range(GROUPS))
        self.password = "-".join(groups)
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(self._file) as opened:
            os.fchmod(opened.fileno(), 0o600)
            opened.write(f"{self.password}\n".encode())

    def is_right(self, password: str) -> bool:
        """Return whether a password is right; blanks and capitals do not count."""
        given = "".join(password.lower().replace("-", " ").split())
        return hmac.compare_digest(given.encode(), self.password.replace("-", "").encode())

    def cookie(self) -> str:
        """Return what the browser of somebody who has signed in keeps."""
        until = str(int(time.time()) + LASTS)
        return f"{until}.{self._proof(until)}"

    def direct(self, request: Request) -> bool:
        """Return whether a director sends a request."""
        if is_from_here(request.scope) and loopback(name_in(request.headers.get("host", "").lower())):
            return True
        until, _dot, proof = request.cookies.get(COOKIE, "").partition(".")
        known = hmac.compare_digest(proof.encode(), self._proof(until).encode())
        return known and until.isdecimal() and time.time() < int(until)

    def _proof(self, until: str) -> str:
        return hmac.digest(self.password.encode(), until.encode(), "sha256").hex()
