"""Pairing of phones: the PIN that is shown, the paired phones, and the secrets of their cookies.

The loop's thread owns a `Pairing`. The server's thread only reads `Pairing.known`, which is replaced as a whole.

A PIN is used once. It ends after two minutes, after five wrong tries, or when somebody ends it. Of a secret only the
hash is kept, in the journal's settings, so that a copy of the journal opens nothing.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.text import Text
from companion.gamelog import LogError, check_names
from companion.journal import Journal
from companion.ui.phones import Phone, Phones, Role
from companion.ui.translations import _

from .ports import Clock, OwnWifiSwitch

SETTING = "phones"
"""The name of the journal's setting that keeps the paired phones."""

OPEN_FOR = 120.0
"""Seconds that a PIN is valid."""

WIFI_STARTS = 30.0
"""Seconds in which the own Wi-Fi starts."""

TRIES = 5
"""Wrong PINs that end a pairing."""

MOST = 16
"""The most paired phones."""

SEATS = 9
"""The most seats of any table."""


class KeptPhone(Struct, frozen=True, forbid_unknown_fields=True):
    """A paired phone as the journal keeps it.

    Attributes:
        number: Its number, from 1.
        name: Its name for people.
        hash: The SHA-256 of its secret, in hexadecimal digits.
        role: What it may do.
        seat: Its seat, if it has the role of one seat.
    """

    number: int
    name: str
    hash: str
    role: Role = Role.SCORER
    seat: int | None = None

    @property
    def phone(self) -> Phone:
        """Return the phone without the hash."""
        return Phone(self.number, self.name, self.role, self.seat)


class KeptPhones(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that the journal keeps of phones.

    Attributes:
        phones: The paired phones, by number.
        guests: Whether phones that are not paired may watch.
        numbers: The highest number that a phone was ever given: an ended pairing's number means no other phone.
    """

    phones: tuple[KeptPhone, ...] = ()
    guests: bool = False
    numbers: int = 0


class OpenPin(Struct, frozen=True):
    """The PIN with which one phone can be paired.

    Attributes:
        pin: Six digits.
        ends: When it ends, in seconds of ``Clock.passed``.
        wrong: How many wrong PINs were tried.
    """

    pin: str
    ends: float
    wrong: int = 0


class PairingState(Struct, frozen=True):
    """The paired phones and the open PIN; each change returns a new state.

    Attributes:
        kept: The paired phones, and whether guests may watch.
        open: The PIN, if a pairing is open.
    """

    kept: KeptPhones = KeptPhones()
    open: OpenPin | None = None

    def opened(self, now: float, seconds: float = OPEN_FOR) -> PairingState:
        """Return the state with a new PIN; it replaces an earlier one."""
        return replace(self, open=OpenPin(f"{secrets.randbelow(1_000_000):06}", now + seconds))

    def ended(self) -> PairingState:
        """Return the state without a PIN."""
        return replace(self, open=None)

    def without(self, number: int) -> PairingState:
        """Return the state without a phone."""
        phones = tuple(phone for phone in self.kept.phones if phone.number != number)
        return replace(self, kept=replace(self.kept, phones=phones))

    def with_guests(self, allowed: bool) -> PairingState:
        """Return the state in which phones that are not paired may watch, or not."""
        return replace(self, kept=replace(self.kept, guests=allowed))

    def with_phone(self, phone: KeptPhone) -> PairingState:
        """Return the state with one more phone, or with a changed one; the phones are ordered by number."""
        others = self.without(phone.number).kept.phones
        phones = tuple(sorted((*others, phone), key=lambda each: each.number))
        return replace(self, kept=replace(self.kept, phones=phones, numbers=max(self.kept.numbers, phone.number)))

    @property
    def free_number(self) -> int:
        """Return the number of the next phone."""
        return 1 + max(self.kept.numbers, *(phone.number for phone in self.kept.phones), 0)


class KnownPhones(Struct, frozen=True):
    """The paired phones as the page's server sees them at one moment.

    Attributes:
        phones: The phones, by the hash of their secrets.
        guests: Whether phones that are not paired may watch.
        pairing_open: Whether a phone can be paired now.
    """

    phones: Mapping[str, Phone] = {}
    guests: bool = False
    pairing_open: bool = False

    def who(self, secret: str) -> Phone | None:
        """Return the phone that has a secret; None if no paired phone has it."""
        return self.phones.get(_hash(secret))


class Pairing:
    """Pairs phones, and keeps the paired ones in the journal.

    The methods belong to the loop's thread; `known`, `listening` and the properties that read it to every thread.

    Attributes:
        known: The phones as the page's server sees them; replaced after each change.
        state: The paired phones and the open PIN.
    """

    def __init__(
        self, journal: Journal, clock: Clock, address: str | Callable[[], str], wifi: OwnWifiSwitch | None = None
    ) -> None:
        """Read the paired phones from a journal.

        Args:
            journal: Keeps the phones.
            clock: Supplies the time.
            address: The page's address for phones. A function is called for each change, because an address may change.
            wifi: Switches the box's own Wi-Fi; None where there is none.
        """
        self._wifi = wifi
        self._starts: float | None = None  # when to find out whether the own Wi-Fi has started
        self._journal = journal
        self._clock = clock
        self._address = address
        self._lock = threading.Lock()
        self._wakers: set[Callable[[], None]] = set()
        self.state = PairingState(_read(journal.setting(SETTING)))
        self.known = _known(self.state)

    # The loop's thread

    @property
    def phones(self) -> Phones:
        """Return the phones, for the screens."""
        return self.shown(self.state)

    def shown(self, state: PairingState) -> Phones:
        """Return the phones of a state, for the screens."""
        return Phones(
            self._address if isinstance(self._address, str) else self._address(),
            tuple(kept.phone for kept in state.kept.phones),
            "" if state.open is None else state.open.pin,
            state.kept.guests,
            None if self._wifi is None else self._wifi.network(),
        )

    def switch_wifi(self, on: bool) -> None:
        """Switch the box's own Wi-Fi on or off. Whether it is on is looked up once more when it had time to start.

        Raises:
            DeviceFault: The system refused.
        """
        if self._wifi is not None:
            self._wifi.switch(on)
            self._starts = self._clock.passed() + WIFI_STARTS if on else None

    def look(self) -> None:
        """Find out whether the own Wi-Fi is on."""
        if self._wifi is not None:
            self._wifi.look()

    def wifi_failed(self) -> bool:
        """Return whether the own Wi-Fi had time to start, and is not on; returned once."""
        if self._wifi is None or self._starts is None or self._starts > self._clock.passed():
            return False
        self._starts = None
        self._wifi.look()
        network = self._wifi.network()
        return network is None or not network.on

    def become(self, state: PairingState) -> None:
        """Take over a state: keep it in the journal, then tell the server's thread."""
        if state.kept != self.state.kept:
            self._journal.keep_setting(SETTING, msgspec.json.encode(state.kept).decode())
        self.state, self.known = state, _known(state)
        with self._lock:
            wakers = tuple(self._wakers)
        for wake in wakers:
            with suppress(RuntimeError):  # the listener's event loop has closed since
                wake()

    def open(self, seconds: float = OPEN_FOR) -> str:
        """Make a new PIN valid for some seconds, and return it."""
        self.become(opened := self.state.opened(self._clock.passed(), seconds))
        return opened.open.pin if opened.open else ""

    def opened(self) -> PairingState:
        """Return the state with a new PIN, without taking it over."""
        return self.state.opened(self._clock.passed())

    def end(self) -> None:
        """Make the PIN useless."""
        self.become(self.state.ended())

    def claim(self, pin: str, name: str, unnamed: str = "") -> str | Text:
        """Pair a phone if the PIN is right.

        Args:
            pin: The PIN that was typed.
            name: The phone's name for people; may be empty.
            unnamed: The name of a phone without one.

        Returns:
            The secret of the phone's cookie, or the reason why it is not paired.
        """
        self.tick()
        state = self.state
        if state.open is None:
            return _("No pairing is open. Open one at the table: Settings, Phones")
        typed = "".join(unicodedata.normalize("NFKC", pin).split())
        if not secrets.compare_digest(typed.encode(errors="replace"), state.open.pin.encode()):
            wrong = replace(state.open, wrong=state.open.wrong + 1)
            if wrong.wrong >= TRIES:
                self.become(state.ended())
                return _("Too many wrong PINs. Open another pairing at the table: Settings, Phones")
            self.become(replace(state, open=wrong))
            return _("The PIN is wrong. Tries left: {count}", count=TRIES - wrong.wrong)
        if len(state.kept.phones) >= MOST:
            return _("{count} phones are paired already. Remove one at the table: Settings, Phones", count=MOST)
        try:
            called = check_names([name])[0] if name.strip() else unnamed
        except LogError as error:
            return error.text
        secret = secrets.token_urlsafe(32)
        self.become(state.ended().with_phone(KeptPhone(state.free_number, called, _hash(secret))))
        return secret

    def choose(self, phone: Phone, role: Role, seat: int | None) -> Text | None:
        """Give a paired phone another role. Return the reason why not, or None."""
        kept = next((kept for kept in self.state.kept.phones if kept.number == phone.number), None)
        if kept is None:
            return _("Only a paired phone has a role")
        if (role is Role.SEAT) != (seat is not None) or not 0 <= (seat or 0) < SEATS:
            return _("Choose a seat")
        self.become(self.state.with_phone(replace(kept, role=role, seat=seat)))
        return None

    def now(self, phone: Phone) -> Phone | None:
        """Return a phone as it is now; None if its pairing has ended. Phones without a number are not paired."""
        return phone if not phone.number else next((p for p in self.phones.paired if p.number == phone.number), None)

    def revoke(self, number: int) -> None:
        """End the pairing of a phone."""
        self.become(self.state.without(number))

    def allow_guests(self, allowed: bool) -> None:
        """Let phones that are not paired watch, or no longer."""
        self.become(self.state.with_guests(allowed))

    @property
    def due(self) -> float | None:
        """Return when something ends or is looked up, in seconds of ``Clock.passed``; None if nothing is."""
        ends = None if self.state.open is None else self.state.open.ends
        return min((moment for moment in (ends, self._starts) if moment is not None), default=None)

    def tick(self) -> bool:
        """End the PIN if its time has come. Return whether it has."""
        over = self.state.open is not None and self.state.open.ends <= self._clock.passed()
        if over:
            self.end()
        return over

    # Every thread

    def who(self, secret: str) -> Phone | None:
        """Return the phone that has a secret; None if no paired phone has it."""
        return self.known.who(secret)

    @property
    def guests(self) -> bool:
        """Return whether phones that are not paired may watch."""
        return self.known.guests

    @property
    def pairing_open(self) -> bool:
        """Return whether a phone can be paired now."""
        return self.known.pairing_open

    @contextmanager
    def listening(self, wake: Callable[[], None]) -> Iterator[None]:
        """Call ``wake`` after every change inside the block, in the loop's thread."""
        with self._lock:
            self._wakers.add(wake)
        try:
            yield
        finally:
            with self._lock:
                self._wakers.discard(wake)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def _known(state: PairingState) -> KnownPhones:
    phones = {kept.hash: kept.phone for kept in state.kept.phones}
    return KnownPhones(phones, state.kept.guests, state.open is not None)


def _read(line: str | None) -> KeptPhones:
    """Return the phones decoded from JSON. If it is damaged, no phone is paired and nobody else may watch."""
    if line is None:
        return KeptPhones()
    try:
        return msgspec.json.decode(line, type=KeptPhones)
    except msgspec.DecodeError:
        return KeptPhones()
