"""People who may sign in: roles, passwords, visits."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable

from msgspec import Struct

from .database import Connection

ROLES = ("player", "director")
LASTS = 14  # days that a visit lasts
SHORTEST = 8  # characters of a password

_N, _R, _P = 2**14, 8, 1  # scrypt: 16 MB and some 50 ms


class Visitor(Struct, frozen=True):
    """Somebody who has signed in."""

    name: str
    role: str

    @property
    def directs(self) -> bool:
        return self.role == "director"


def _hashed(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=_N, r=_R, p=_P)


def _key(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def set_person(connection: Connection, name: str, role: str | None, password: str) -> None:
    """Add somebody, or give another password; all visits end. Without a role it stays; that of new people is player."""
    salt = secrets.token_bytes(16)
    with connection.transaction():
        connection.execute(
            "INSERT INTO person (name, role, salt, password) VALUES (%s, coalesce(%s, 'player'), %s, %s) "
            "ON CONFLICT (name) DO UPDATE SET role = coalesce(%s, person.role), salt = excluded.salt, "
            "password = excluded.password",
            [name, role, salt, _hashed(password, salt), role],
        )
        connection.execute("DELETE FROM visit WHERE person = %s", [name])


def remove_person(connection: Connection, name: str) -> bool:
    """Remove somebody; return whether there was one of that name."""
    with connection.transaction():
        return connection.execute("DELETE FROM person WHERE name = %s", [name]).rowcount > 0


def people(connection: Connection) -> list[tuple[str, str]]:
    """Return the names and roles of all people."""
    with connection.transaction():
        return [(name, role) for name, role in connection.execute("SELECT name, role FROM person ORDER BY name")]


def kept_password(connection: Connection, name: str) -> tuple[bytes, bytes]:
    """Return the salt and hash of somebody's password; of unknown people a hash that no password has."""
    with connection.transaction():
        found = connection.execute("SELECT salt, password FROM person WHERE name = %s", [name]).fetchone()
    return (bytes(16), b"") if found is None else (found[0], found[1])


def is_right(password: str, kept: tuple[bytes, bytes]) -> bool:
    """Return whether a password has the kept hash. It takes some 50 ms, for unknown people, too."""
    salt, expected = kept
    return secrets.compare_digest(_hashed(password, salt), expected)


def begin_visit(connection: Connection, name: str, kept: tuple[bytes, bytes]) -> str | None:
    """Return the token of a new visit; None if the password was changed since it was looked up."""
    token = secrets.token_urlsafe(24)
    with connection.transaction():
        connection.execute("DELETE FROM visit WHERE until < now()")
        begun = connection.execute(
            "INSERT INTO visit (token, person, until) SELECT %s, name, now() + make_interval(days => %s) "
            "FROM person WHERE (name, salt, password) = (%s, %s, %s)",
            [_key(token), LASTS, name, *kept],
        )
        return token if begun.rowcount else None


def sign_out(connection: Connection, token: str) -> None:
    with connection.transaction():
        connection.execute("DELETE FROM visit WHERE token = %s", [_key(token)])


def visitor_of(connection: Connection, token: str) -> Visitor | None:
    """Return who has the token of a visit; None if it has ended."""
    asked = "SELECT name, role FROM visit JOIN person ON name = person WHERE token = %s AND until > now()"
    with connection.transaction():
        found = connection.execute(asked, [_key(token)]).fetchone()
    return None if found is None else Visitor(*found)


def log_change(connection: Connection, who: str, what: str, device: str | None = None, game: int | None = None) -> None:
    """Note who has changed what; in the transaction of the change."""
    connection.execute(
        "INSERT INTO change (who, what, device, game) VALUES (%s, %s, %s, %s)", [who, what, device, game]
    )


def note_change(connection: Connection, who: str, what: str) -> None:
    """Note what somebody has changed outside the database."""
    with connection.transaction():
        log_change(connection, who, what)


class SignInLimit:
    """Counts wrong passwords of an address and for a name: after some of them there is a wait.

    An address has fewer tries than a name, so nobody keeps a director out from one address of their own.

    >>> limit = SignInLimit(lambda: 0.0)
    >>> for _ in range(6): limit.failed("Dora", "::1")
    >>> limit.may_try("Dora", "::1"), limit.may_try("Dora", "::2")
    (False, True)
    """

    MOST, MOST_FOR_NAME, WITHIN = 6, 30, 60.0  # tries, tries, seconds

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._by_address: dict[str, list[float]] = {}
        self._by_name: dict[str, list[float]] = {}

    def may_try(self, name: str, address: str) -> bool:
        self._forget_old()
        tries, tries_for_name = self._by_address.get(address, ()), self._by_name.get(name, ())
        return len(tries) < self.MOST and len(tries_for_name) < self.MOST_FOR_NAME

    def failed(self, name: str, address: str) -> None:
        self._by_address.setdefault(address, []).append(self._now())
        self._by_name.setdefault(name, []).append(self._now())

    def worked(self, name: str, address: str) -> None:
        """Forget the tries for a name and the latest one of the address: the password was right."""
        self._by_name.pop(name, None)
        if tries := self._by_address.get(address):  # it may be forgotten by now
            tries.pop()

    def _forget_old(self) -> None:
        since = self._now() - self.WITHIN
        for tries in (self._by_address, self._by_name):
            recent = {key: kept for key, at in tries.items() if (kept := [each for each in at if each > since])}
            tries.clear()
            tries.update(recent)
