"""The box as a member of a club: keeps the hub's messages, counts the round's minutes, calls the director."""

from __future__ import annotations

from contextlib import suppress
from math import ceil

import msgspec
from msgspec.structs import replace

from companion.app.inputs import Notice
from companion.app.ports import Clock
from companion.decoding import from_json
from companion.journal import Journal
from companion.journal.folder import DIRECTOR_CALL
from companion.ui.club import ROUND_OVER, ClubTableStatus, HubMessage, minutes_left
from companion.ui.screens.club import CallDirector, ClubStatus, TakeHubMessage
from companion.ui.screens.context import MachineAction

SETTING = "club"  # the journal's setting with the hub's latest message, for the next start
WRONG = 12 * 3600.0  # seconds between now and a round's end that only a wrong clock, or an evening long past, explains
TOLD_AT = (10, 5)  # minutes before a round's end at which the table is told


class ClubCalls:
    """Keeps the seat call and the call of the director, and counts the minutes of a round.

    Attributes:
        due: When another minute is over; None without a clock.
    """

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal, self._clock = journal, clock
        self._table = ClubTableStatus()
        self.due: float | None = None
        message = HubMessage()
        with suppress(msgspec.MsgspecError):  # one that this version does not know; the bridge brings it again
            message = from_json(journal.setting(SETTING) or "{}", HubMessage)
        self._take(message)

    @property
    def status(self) -> ClubStatus:
        return ClubStatus(self._table)

    def do(self, action: MachineAction) -> None:
        """Take a message of the hub, or call the director."""
        match action:
            case TakeHubMessage(message):
                self._journal.keep_setting(SETTING, msgspec.json.encode(message).decode())
                self._take(message)
            case CallDirector(calls):
                # the time makes a number that the hub does not know from an earlier memory card
                number = max(abs(self._call) + 1, int(self._clock.now())) if calls else -abs(self._call)
                self._keep_call(number)

    def tick(self) -> Notice | None:
        """Count the minutes; say when few are left."""
        before = self._table.minutes
        self._count()
        minutes = self._table.minutes
        if minutes == before:  # the clock was set back, or is still wrong
            return None
        if minutes is None:
            return Notice()
        if not minutes:
            return Notice(ROUND_OVER, for_panel=True)
        return Notice(minutes_left(minutes) if minutes in TOLD_AT else None, for_panel=True)

    def _take(self, message: HubMessage) -> None:
        self._table = replace(self._table, seats=message.seats)
        self._count()
        self._keep_call(-self._call if message.attended == self._call > 0 else self._call)

    @property
    def _call(self) -> int:
        """Return the number of the latest call; negative once it has ended, 0 before the first."""
        return int(self._journal.setting(DIRECTOR_CALL) or 0)

    def _keep_call(self, number: int) -> None:
        if number != self._call:
            self._journal.keep_setting(DIRECTOR_CALL, str(number))
        self._table = replace(self._table, calls=number > 0)

    def _count(self) -> None:
        """Count the minutes that have begun, and find when the next one is over."""
        seats, self.due = self._table.seats, None
        left = 0.0 if seats is None else seats.ends - self._clock.now()
        known = seats is not None and seats.ends and abs(left) <= WRONG
        self._table = replace(self._table, minutes=max(0, ceil(left / 60)) if known else None)
        if left > 0:  # a clock that is wrong at the start is set soon
            self.due = self._clock.passed() + (left % 60 or 60.0)
