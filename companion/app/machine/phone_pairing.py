"""Pairing of phones: the PIN and the link that are shown, the paired phones, and the secrets of their cookies.

The loop's thread owns a `PhonePairing`. The server's thread only reads `Pairing.known`, which is replaced as a whole.

An open pairing pairs one phone, and ends after two minutes. The code that phones scan is a link with a token of 128
bits, which nobody guesses: it works however many wrong PINs others try. Wrong PINs are counted for each address. Of a
cookie's secret only the hash is kept, in the journal's settings, so that a copy of the journal opens nothing.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from math import inf

import msgspec
from msgspec.structs import replace

from companion.app.listeners import Listeners
from companion.app.ports import Clock
from companion.core.text import Text
from companion.gamelog import LogError, check_names
from companion.journal import Journal
from companion.ui.phone_roles import THIS_COMPUTER, Phone, Role
from companion.ui.qr_code import pairing_link
from companion.ui.screens.commands import MachineAction
from companion.ui.screens.machine.phones import (
    AllowGuests,
    EndPairing,
    OpenPairing,
    PhonesStatus,
    RenamePlayers,
    RevokePhone,
)
from companion.ui.translations import _

from . import News
from .pairing_state import (
    OPEN_FOR,
    OpenPin,
    PairedPhones,
    PhonesForServer,
    StoredPhone,
    StoredPhones,
    hash_of,
    same_secret,
)

SETTING = "phones"  # the name of the journal's setting that keeps the paired phones
PIN = re.compile("[0-9]{6}")

LOOK_EVERY = 3.0  # seconds after which the address is looked at again while a PIN is open and there is no network
MOST = 16  # the most paired phones


class PhonePairing:
    """Pairs phones, and keeps the paired ones in the journal.

    The methods belong to the loop's thread; `known`, `listening` and the properties that read it to every thread.
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
        # the secret of a browser on this computer; only its hash is kept
        self.own_secret = secrets.token_urlsafe(32)
        self.state = PairedPhones(_read(journal.setting(SETTING)))  # the paired phones and the open PIN
        self.known = self._known(self.state)  # the phones as the page's server sees them; replaced after each change

    # The loop's thread

    @property
    def status(self) -> PhonesStatus:
        """Return the phones, for the screens."""
        address = self._address if isinstance(self._address, str) else self._address()
        kept, opened = self.state.kept, self.state.open
        return PhonesStatus(
            address,
            tuple(each.phone for each in kept.phones),
            "" if opened is None else opened.pin,
            "" if opened is None else pairing_link(address, opened.token),
            kept.guests,
        )

    def do(self, action: MachineAction) -> None:
        """Open or end a pairing, end that of a phone, let guests watch, or correct the names of people."""
        match action:
            case OpenPairing():
                self.open()
            case EndPairing():
                self.become(self.state.ended())
            case RevokePhone(number):
                self.become(self.state.without(number))
            case AllowGuests(allowed):
                self.become(self.state.with_guests(allowed))
            case RenamePlayers(before, after):
                self.become(self.state.following(before, after))

    def keep_own(self) -> None:
        """Let the browsers on this computer that opened the link in after the next starts of the program, too."""
        self.become(self.state.with_own(self.own_secret))

    def become(self, state: PairedPhones) -> None:
        """Take over a state: keep it in the journal, then tell the server's thread."""
        if state.kept != self.state.kept:
            self._journal.keep_setting(SETTING, msgspec.json.encode(state.kept).decode())
        self.state, self.known = state, self._known(state)
        self._listeners.wake()

    def open(self, seconds: float = OPEN_FOR) -> str:
        """Make a new PIN and a new link valid for some seconds, and return the PIN."""
        self.become(self.state.opened(self._clock.passed(), seconds))
        self._look_again()
        return self.status.pin

    def _look_again(self) -> None:
        self._look_at = inf if self.status.reachable else self._clock.passed() + LOOK_EVERY

    def claim(self, code: str, name: str, unnamed: str = "", address: str = "") -> str | Text:
        """Pair a phone if it has the PIN or the token of the link.

        Args:
            code: The PIN that was typed, or the token.
            name: The phone's name for people; may be empty.
            unnamed: The name of a phone without one.
            address: Whose tries a wrong PIN counts for.

        Returns:
            The secret of the phone's cookie, or the reason why it is not paired.
        """
        self.tick()
        state = self.state
        if state.open is None:
            return _("No pairing is open. Open one at the table: Settings, Phones")
        typed = "".join(unicodedata.normalize("NFKC", code).split())
        if not self.known.invites(typed):
            refusal = self._try_pin(state.open, typed, address)
            if refusal is not None:
                return refusal
        if len(state.kept.phones) >= MOST:
            return _("{count} phones are paired already. Remove one at the table: Settings, Phones", count=MOST)
        try:
            called = check_names([name])[0] if name.strip() else unnamed
        except LogError as error:
            return error.text
        secret = secrets.token_urlsafe(32)
        self.become(state.ended().with_phone(StoredPhone(state.free_number, called, hash_of(secret), person=called)))
        return secret

    def _try_pin(self, opened: OpenPin, typed: str, address: str) -> Text | None:
        """Return why a PIN is refused, and count a wrong one; None if it is right."""
        if not PIN.fullmatch(typed):
            return _("A PIN has six digits")
        if opened.tries_left(address) <= 0:
            return _("Too many wrong PINs. Open another pairing at the table: Settings, Phones")
        if same_secret(typed, opened.pin):
            return None
        opened = opened.tried(address)
        self.become(replace(self.state, open=opened))
        left = opened.tries_left(address)
        if left <= 0:
            return _("Too many wrong PINs. Open another pairing at the table: Settings, Phones")
        return _("The PIN is wrong. Tries left: {count}", count=left)

    def choose(self, phone: Phone, role: Role, person: str = "", players: Sequence[str] = ()) -> Text | None:
        """Give a paired phone another role, that of one of the players or of who holds it already among them.

        Return the reason why not, or None.
        """
        kept = next((kept for kept in self.state.kept.phones if kept.number == phone.number), None)
        if kept is None:
            return _("Only a paired phone has a role")
        if role is Role.SEAT and person not in (*players, kept.person or None):
            return _("Choose who you are")
        self.become(self.state.with_phone(replace(kept, role=role, person=person if role is Role.SEAT else "")))
        return None

    def now(self, phone: Phone) -> Phone | None:
        """Return a phone as it is now; None if its pairing has ended. Phones without a number are not paired."""
        return phone if not phone.number else next((p for p in self.status.paired if p.number == phone.number), None)

    @property
    def due(self) -> float | None:
        """Return when the PIN ends, or the address is looked at again; None if no PIN is open."""
        return None if self.state.open is None else min(self.state.open.ends, self._look_at)

    def tick(self) -> News | None:
        """End the PIN if its time has come."""
        if self.due is None or self.due > self._clock.passed():
            return None
        if self.state.open is not None and self.state.open.ends <= self._clock.passed():
            self.become(self.state.ended())
            return News()
        self._look_again()
        return News() if self.status.reachable else None

    # Every thread

    def phone_with(self, secret: str) -> Phone | None:
        """Return the phone that has a secret; None if no paired phone has it."""
        return self.known.phone_with(secret)

    @property
    def guests(self) -> bool:
        """Return whether phones that are not paired may watch."""
        return self.known.guests

    def invites(self, token: str) -> bool:
        """Return whether a token is that of the open pairing's link."""
        return self.known.invites(token)

    def _known(self, state: PairedPhones) -> PhonesForServer:
        phones = {kept.hash: kept.phone for kept in state.kept.phones}
        token = "" if state.open is None else state.open.token
        own = dict.fromkeys((hash_of(self.own_secret), *state.kept.own), THIS_COMPUTER)
        return PhonesForServer({**phones, **own}, state.kept.guests, token)

    def listening(self, wake: Callable[[], None]) -> AbstractContextManager[None]:
        """Call ``wake`` after every change inside the block, in the loop's thread."""
        return self._listeners.listening(wake)


def _read(line: str | None) -> StoredPhones:
    """Return the phones decoded from JSON. If it is damaged, no phone is paired and nobody else may watch."""
    if line is None:
        return StoredPhones()
    try:
        return msgspec.json.decode(line, type=StoredPhones)
    except msgspec.DecodeError:
        return StoredPhones()
