"""Reads the games and their standings from the journal for lists; a game that cannot be read is listed, too."""

from __future__ import annotations

from contextlib import suppress

from companion.core.prompt import Tracking
from companion.core.standing import Standing, standing
from companion.journal import JournalFault, Saved
from companion.journal.patient import PatientJournal
from companion.log import LogError, Misread, decode_header, read
from companion.ui.screens.desk import Shelved

from .clock import noted
from .faults import Logged


class Shelf:
    """Reads games for lists."""

    def __init__(self, journal: PatientJournal) -> None:
        """Read a journal."""
        self._journal = journal
        self._standings: dict[int, Standing | None] = {}

    def games(self) -> tuple[Shelved, ...]:
        """Return every game, the latest first.

        Raises:
            JournalFault: The journal cannot be read.
        """
        return tuple(_shelved(saved) for saved in self._journal.games())

    def standing(self, shelved: Shelved) -> Standing | None:
        """Return who leads a game or has won it; it is read when a list first shows it."""
        number = shelved.number
        if number not in self._standings:
            with Logged(f"reading game {number} for a list"), suppress(JournalFault):  # it is read again the next time
                self._standings[number] = self._read_standing(shelved)
        return self._standings.get(number)

    def changed(self, number: int) -> None:
        """Forget who leads a game."""
        self._standings.pop(number, None)

    def _read_standing(self, shelved: Shelved) -> Standing | None:
        if shelved.header is None:
            return None
        lines = self._journal.peek(shelved.number)
        with Logged(f"finding out who leads game {shelved.number}"), suppress(Misread):
            session = read("\n".join((shelved.header.written, *lines)).encode())
            return standing(session.header.game, session.state)
        return None


def _shelved(saved: Saved) -> Shelved:
    header = None
    with Logged(f"reading the header of game {saved.number}"), suppress(LogError):
        header = decode_header(saved.header)
    tracking = Tracking.FULL if header is None else followed(saved)
    return Shelved(saved.number, header, tracking, saved.over, noted(saved.begun))


def followed(saved: Saved) -> Tracking:
    """Return how closely a game is followed; where that cannot be read, there is always the closest."""
    try:
        return Tracking(saved.tracking)
    except ValueError:
        return Tracking.FULL
