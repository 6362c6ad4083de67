"""The state of pairing: the phones that are kept, the PIN and the link that are open, the tries of each address."""

from __future__ import annotations

import hashlib
import secrets
from base64 import b32encode
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from companion.ui.phone_roles import Phone, Role

OPEN_FOR = 120.0  # seconds that a PIN and its link are valid
TRIES = 5  # the most wrong PINs from one address

ADDRESSES = 256
"""The most addresses that try a PIN: more than a network at home has, so that nobody can use up the tries of others."""

REPEATS = 44
"""The most second and later tries of all addresses together. So a PIN is tried 300 times at most."""

STARTS = 4
"""For how many starts of the program a browser on this computer is let in after it opened the link."""


class StoredPhone(Struct, frozen=True):
    """A paired phone as the journal keeps it."""

    number: int  # its number, from 1
    name: str  # its name for people
    hash: str  # the SHA-256 of its secret, in hexadecimal digits
    role: Role = Role.SCORER  # what it may do
    person: str = ""  # who holds it, as `Phone.person` says

    @property
    def phone(self) -> Phone:
        """Return the phone without the hash."""
        return Phone(self.number, self.name, self.role, self.person)


class StoredPhones(Struct, frozen=True, forbid_unknown_fields=True):
    """The pairing data that the journal keeps."""

    phones: tuple[StoredPhone, ...] = ()  # the paired phones, by number
    guests: bool = False  # whether phones that are not paired may watch
    numbers: int = 0  # the highest number that a phone was ever given: an ended pairing's number means no other phone
    own: tuple[str, ...] = ()  # hashes of the secrets of this computer's browsers, of the last starts


class OpenPin(Struct, frozen=True):
    """The PIN and the link with which one phone can be paired."""

    pin: str  # six digits; empty once too many addresses have tried
    token: str  # the secret part of the link: 26 capitals and digits, 128 random bits
    ends: float  # when both end, in seconds of ``Clock.passed``
    wrong: Mapping[str, int] = {}  # how many wrong PINs each address tried

    def tries_left(self, address: str) -> int:
        """Return how many PINs an address may still try."""
        tried = self.wrong.get(address, 0)
        repeats = REPEATS - (sum(self.wrong.values()) - len(self.wrong))
        return min(TRIES - tried, repeats if tried else 1 + repeats) if self.pin else 0

    def tried(self, address: str) -> OpenPin:
        """Return the PIN after one more wrong try; it ends once too many addresses have tried."""
        wrong = {**self.wrong, address: self.wrong.get(address, 0) + 1}
        return replace(self, pin=self.pin if len(wrong) < ADDRESSES else "", wrong=wrong)


class PairedPhones(Struct, frozen=True):
    """The paired phones and the open PIN; each change returns a new state."""

    kept: StoredPhones = StoredPhones()  # the paired phones, and whether guests may watch
    open: OpenPin | None = None  # the PIN, if a pairing is open

    def opened(self, now: float, seconds: float = OPEN_FOR) -> PairedPhones:
        """Return the state with a new PIN and a new link; they replace earlier ones."""
        token = b32encode(secrets.token_bytes(16)).decode().rstrip("=")
        return replace(self, open=OpenPin(f"{secrets.randbelow(1_000_000):06}", token, now + seconds))

    def ended(self) -> PairedPhones:
        """Return the state without a PIN."""
        return replace(self, open=None)

    def without(self, number: int) -> PairedPhones:
        """Return the state without a phone."""
        phones = tuple(phone for phone in self.kept.phones if phone.number != number)
        return replace(self, kept=replace(self.kept, phones=phones))

    def with_guests(self, allowed: bool) -> PairedPhones:
        """Return the state in which phones that are not paired may watch, or not."""
        return replace(self, kept=replace(self.kept, guests=allowed))

    def with_phone(self, phone: StoredPhone) -> PairedPhones:
        """Return the state with one more phone, or with a changed one; the phones are ordered by number."""
        others = self.without(phone.number).kept.phones
        phones = tuple(sorted((*others, phone), key=lambda each: each.number))
        return replace(self, kept=replace(self.kept, phones=phones, numbers=max(self.kept.numbers, phone.number)))

    def following(self, before: tuple[str, ...], after: tuple[str, ...]) -> PairedPhones:
        """Return the state in which the phones of people whose names were corrected have the new names."""
        seats = new_seats(before, after)
        names = {name: after[seats[seat]] for seat, name in enumerate(before)}
        phones = tuple(replace(phone, person=names.get(phone.person, phone.person)) for phone in self.kept.phones)
        return replace(self, kept=replace(self.kept, phones=phones))

    def with_own(self, secret: str) -> PairedPhones:
        """Return the state in which browsers on this computer with a secret are let in, after the next starts, too."""
        return replace(self, kept=replace(self.kept, own=(hash_of(secret), *self.kept.own)[:STARTS]))

    @property
    def free_number(self) -> int:
        """Return the number of the next phone."""
        return 1 + max(self.kept.numbers, *(phone.number for phone in self.kept.phones), 0)


class PhonesForServer(Struct, frozen=True):
    """The paired phones as the page's server sees them at one moment."""

    phones: Mapping[str, Phone] = {}  # the phones, by the hash of their secrets
    guests: bool = False  # whether phones that are not paired may watch
    token: str = ""  # the secret part of the open pairing's link; empty if no phone can be paired now

    def phone_with(self, secret: str) -> Phone | None:
        """Return the phone that has a secret; None if no paired phone has it."""
        return self.phones.get(hash_of(secret))

    def invites(self, token: str) -> bool:
        """Return whether a token is that of the open pairing's link."""
        return bool(self.token) and same_secret(token.upper(), self.token)


def new_seats(before: tuple[str, ...], after: tuple[str, ...]) -> dict[int, int]:
    """Return the new seat of each seat's person; who is not named any more was misspelt, or handed the phone on.

    >>> new_seats(("Aki", "Bea", "Cyr"), ("Bea", "Akira", "Cyr"))
    {0: 1, 1: 0, 2: 2}
    """
    came_from = {after.index(name): seat for seat, name in enumerate(before) if name in after}
    seats: dict[int, int] = {}
    for seat, name in enumerate(before):
        now = after.index(name) if name in after else seat
        while name not in after and now in came_from:  # somebody moved there: the new name is where they sat
            now = came_from[now]
        seats[seat] = now
    return seats


def hash_of(secret: str) -> str:
    """Return what is kept of a secret."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def same_secret(one: str, other: str) -> bool:
    """Return whether two secrets are the same; the time tells nothing of where they differ."""
    return secrets.compare_digest(one.encode(errors="replace"), other.encode())
