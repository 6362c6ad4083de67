"""Pairing of phones: the PIN and the link that are shown, the paired phones, and the secrets of their cookies.

The loop's thread owns a `PhonePairing`. The server's thread only reads phones and PIN, each replaced as a whole.

A PIN pairs one phone, and ends after two minutes; while somebody looks at it, the next one is shown by itself. The code
that phones scan is a link with a token of 128 bits, which nobody guesses: it works however many wrong PINs others try.
Wrong PINs are counted for each address. Of a cookie's secret only the hash is kept, in the journal's settings, so that
a copy of the journal opens nothing.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from base64 import b32encode
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from math import inf

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.app.inputs import Notice
from companion.app.ports import Clock, Listeners
from companion.core.text import Text
from companion.decoding import from_json
from companion.gamelog import LogError, check_names
from companion.journal import Journal
from companion.ui.pictures import pairing_link
from companion.ui.screens.context import MachineAction
from companion.ui.screens.phones import (
    THIS_COMPUTER,
    AllowGuests,
    EndPairing,
    OpenPairing,
    Phone,
    PhonesStatus,
    RenamePlayers,
    RevokePhone,
    Role,
)
from companion.ui.translations import _

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
    chosen: bool = True  # whether somebody has said so on it

    @property
    def phone(self) -> Phone:
        """Return the phone without the hash."""
        return Phone(self.number, self.name, self.role, self.person, self.chosen)


class StoredPhones(Struct, frozen=True, forbid_unknown_fields=True):
    """The pairing data that the journal keeps."""

    phones: tuple[StoredPhone, ...] = ()  # the paired phones, by number
    guests: bool = False  # whether phones that are not paired may watch
    numbers: int = 0  # the highest number that a phone was ever given: an ended pairing's number means no other phone
    own: tuple[str, ...] = ()  # hashes of the secrets of this computer's browsers, of the last starts

    def without(self, number: int) -> StoredPhones:
        """Return the phones without one."""
        return replace(self, phones=tuple(phone for phone in self.phones if phone.number != number))

    def with_phone(self, phone: StoredPhone) -> StoredPhones:
        """Return the phones with one more, or with a changed one, ordered by number."""
        phones = sorted((*self.without(phone.number).phones, phone), key=lambda each: each.number)
        return replace(self, phones=tuple(phones), numbers=max(self.numbers, phone.number))

    def following(self, before: tuple[str, ...], after: tuple[str, ...]) -> StoredPhones:
        """Return the phones after the names of people were corrected: theirs have the new names."""
        seats = new_seats(before, after)
        names = {name: after[seats[seat]] for seat, name in enumerate(before)}
        phones = tuple(replace(phone, person=names.get(phone.person, phone.person)) for phone in self.phones)
        return replace(self, phones=phones)

    def with_own(self, secret: str) -> StoredPhones:
        """Return the phones when browsers on this computer with a secret are let in, after the next starts, too."""
        return replace(self, own=(hash_of(secret), *self.own)[:STARTS])

    @property
    def free_number(self) -> int:
        """Return the number of the next phone."""
        return 1 + max(self.numbers, *(phone.number for phone in self.phones), 0)


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
        return max(0, min(TRIES - tried, repeats if tried else 1 + repeats)) if self.pin else 0

    def tried(self, address: str) -> OpenPin:
        """Return the PIN after one more wrong try; it ends once too many addresses have tried."""
        wrong = {**self.wrong, address: self.wrong.get(address, 0) + 1}
        return replace(self, pin=self.pin if len(wrong) < ADDRESSES else "", wrong=wrong)


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


SETTING = "phones"  # the name of the journal's setting that keeps the paired phones
PIN = re.compile("[0-9]{6}")

HOSTED = 1200.0
"""Seconds after the last phone, or after its beginning, for which a pairing shows a new PIN whenever one has ended."""

LOOK_EVERY = 3.0  # seconds after which the address is looked at again while a PIN is open and there is no network
MOST = 16  # the most paired phones


class PhonePairing:
    """Pairs phones, and keeps the paired ones in the journal.

    The methods belong to the loop's thread, but for those that only read and `listening`: they belong to every thread.
    """

    def __init__(self, journal: Journal, clock: Clock, address: str | Callable[[], str]) -> None:
        """Read the paired phones from a journal.

        The page's address is asked for at each change, because it may change.
        """
        self._journal = journal
        self._clock = clock
        self._address = address
        self._listeners = Listeners()
        self._look_at = inf  # when the address is looked at again, while there is no network
        self._hosted_until = -inf  # until when the next PIN is shown by itself
        self._joined = ""  # the name of the phone that was paired last, while the pairing is open
        # the secret of a browser on this computer; only its hash is kept
        self.own_secret = secrets.token_urlsafe(32)
        self.phones = _read(journal.setting(SETTING))  # the paired phones, and whether guests may watch
        self.pin: OpenPin | None = None  # the PIN, if a pairing is open

    # The loop's thread

    @property
    def status(self) -> PhonesStatus:
        """Return the phones, for the screens."""
        address = self._address if isinstance(self._address, str) else self._address()
        kept, opened = self.phones, self.pin
        return PhonesStatus(
            address,
            tuple(each.phone for each in kept.phones),
            "" if opened is None else opened.pin,
            "" if opened is None else pairing_link(address, opened.token),
            kept.guests,
            self._joined,
        )

    def do(self, action: MachineAction) -> None:
        """Open or end a pairing, end that of a phone, let guests watch, or correct the names of people."""
        phones, pin = self.phones, self.pin
        match action:
            case OpenPairing(anew):
                if anew:
                    self._become(phones, None)
                self.host()
            case EndPairing():
                self._hosted_until, self._joined = -inf, ""
                self._become(phones, None)
            case RevokePhone(number):
                self._become(phones.without(number), pin)
            case AllowGuests(allowed):
                self._become(replace(phones, guests=allowed), pin)
            case RenamePlayers(before, after):
                self._become(phones.following(before, after), pin)

    def keep_own(self) -> None:
        """Let the browsers on this computer that opened the link in after the next starts of the program, too."""
        self._become(self.phones.with_own(self.own_secret), self.pin)

    def _become(self, phones: StoredPhones, pin: OpenPin | None) -> None:
        """Take over phones and PIN: keep the phones in the journal, then tell the server's thread."""
        if phones != self.phones:
            self._journal.keep_setting(SETTING, msgspec.json.encode(phones).decode())
        self.phones, self.pin = phones, pin
        self._listeners.wake()

    def open(self, seconds: float = OPEN_FOR) -> str:
        """Make a new PIN and a new link valid for some seconds, in place of earlier ones, and return the PIN."""
        token = b32encode(secrets.token_bytes(16)).decode().rstrip("=")
        pin = OpenPin(f"{secrets.randbelow(1_000_000):06}", token, self._clock.passed() + seconds)
        self._become(self.phones, pin)
        self._look_again()
        return self.status.pin

    def host(self, seconds: float = OPEN_FOR, joined: str = "") -> str:
        """Show the PIN of the open pairing or a new one, and the next by itself until it is left; return the PIN.

        Args:
            seconds: For how long the first one is valid.
            joined: The name of the phone that was paired just now.
        """
        self._hosted_until, self._joined = self._clock.passed() + HOSTED, joined
        return self.pin.pin if self.pin is not None and self.pin.pin else self.open(seconds)

    def _look_again(self) -> None:
        self._look_at = inf if self.status.reachable else self._clock.passed() + LOOK_EVERY

    def claim(self, code: str, name: str, unnamed: str = "", address: str = "", role: Role = Role.SCORER) -> str | Text:
        """Pair a phone if it has the PIN or the token of the link.

        Args:
            code: The PIN that was typed, or the token.
            name: The phone's name for people; may be empty.
            unnamed: The name of a phone without one.
            address: Whose tries a wrong PIN counts for.
            role: What it may do at first; one that only watches is nobody's.

        Returns:
            The secret of the phone's cookie, or the reason why it is not paired.
        """
        self.tick()
        if self.pin is None:
            return _("No pairing is open. Open one at the table: Settings, Phones")
        typed = "".join(unicodedata.normalize("NFKC", code).split())
        if not self.invites(typed):
            refusal = self._try_pin(self.pin, typed, address)
            if refusal is not None:
                return refusal
        if len(self.phones.phones) >= MOST:
            return _("{count} phones are paired already. Remove one at the table: Settings, Phones", count=MOST)
        try:
            called = check_names([name])[0] if name.strip() else unnamed
        except LogError as error:
            return error.text
        secret = secrets.token_urlsafe(32)
        watches = role is Role.SPECTATOR
        person = called if name.strip() and not watches else ""
        phone = StoredPhone(self.phones.free_number, called, hash_of(secret), role, person, chosen=watches)
        self._become(self.phones.with_phone(phone), None)
        if self.hosted:
            self.host(joined=called)
        return secret

    def _try_pin(self, opened: OpenPin, typed: str, address: str) -> Text | None:
        """Return why a PIN is refused, and count a wrong one; None if it is right."""
        if not PIN.fullmatch(typed):
            return _("A PIN has six digits")
        if opened.tries_left(address):
            if same_secret(typed, opened.pin):
                return None
            opened = opened.tried(address)
            self._become(self.phones, opened)
        left = opened.tries_left(address)
        if left:
            return _("The PIN is wrong. Tries left: {count}", count=left)
        return _("Too many wrong PINs. Open another pairing at the table: Settings, Phones")

    def choose(self, phone: Phone, role: Role, person: str = "", players: Sequence[str] = ()) -> Text | None:
        """Give a paired phone another role, that of one of the players or of who holds it already among them.

        Return the reason why not, or None.
        """
        kept = next((kept for kept in self.phones.phones if kept.number == phone.number), None)
        if kept is None:
            return _("Only a paired phone has a role")
        if role is Role.SEAT and person not in (*players, kept.person or None):
            return _("Choose who you are")
        person = person if role is Role.SEAT else kept.person  # who may sit down in the next game
        changed = replace(kept, role=role, person=person, chosen=True)
        self._become(self.phones.with_phone(changed), self.pin)
        return None

    def now(self, phone: Phone) -> Phone | None:
        """Return a phone as it is now; None if its pairing has ended. Phones without a number are not paired."""
        if not phone.number:
            return phone
        return next((kept.phone for kept in self.phones.phones if kept.number == phone.number), None)

    @property
    def hosted(self) -> bool:
        """Return whether the next PIN is shown by itself once one has ended."""
        return self._clock.passed() < self._hosted_until

    @property
    def due(self) -> float | None:
        """Return when the PIN ends, or the address is looked at again; None if no PIN is open."""
        return None if self.pin is None else min(self.pin.ends, self._look_at)

    def tick(self) -> Notice | None:
        """End the PIN if its time has come."""
        if self.due is None or self.due > self._clock.passed():
            return None
        if self.pin is not None and self.pin.ends <= self._clock.passed():
            if self.hosted:
                self.open()
            else:
                self._become(self.phones, None)
            return Notice()
        self._look_again()
        return Notice() if self.status.reachable else None

    # Every thread

    def phone_with(self, secret: str) -> Phone | None:
        """Return the phone that has a secret; None if no paired phone has it."""
        given, phones = hash_of(secret), self.phones
        if same_secret(secret, self.own_secret) or given in phones.own:
            return THIS_COMPUTER
        return next((kept.phone for kept in phones.phones if kept.hash == given), None)

    @property
    def guests(self) -> bool:
        """Return whether phones that are not paired may watch."""
        return self.phones.guests

    def invites(self, token: str) -> bool:
        """Return whether a token is that of the open pairing's link."""
        pin = self.pin
        return pin is not None and same_secret(token.upper(), pin.token)

    def listening(self, wake: Callable[[], None]) -> AbstractContextManager[None]:
        """Call ``wake`` after every change inside the block, in the loop's thread."""
        return self._listeners.listening(wake)


def _read(line: str | None) -> StoredPhones:
    """Return the phones decoded from JSON. If it is damaged, no phone is paired and nobody else may watch."""
    if line is None:
        return StoredPhones()
    try:
        return from_json(line, StoredPhones)
    except msgspec.DecodeError:
        return StoredPhones()
