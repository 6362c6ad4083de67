"""Getting everything to the disk, if not at once then as soon as it takes it; and a small copy after each round.

No clock is read and nothing waits here: `due` says when to come back.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from companion.core.text import Text
from companion.journal import DiskFault, JournalFault
from companion.journal.patient import PatientJournal
from companion.ui.words import _

from .ports import Clock

FIRST_RETRY = 0.5
LAST_RETRY = 8.0
"""Seconds until a disk that refused is tried again: at first, and at most; doubled each time."""

AFTER_A_ROUND = 1.0
"""Seconds until a copy is made: the picture and whoever types on come first."""


class Saving:
    """Looks after a journal as time passes."""

    def __init__(self, journal: PatientJournal, clock: Clock, told: Callable[[Text], None]) -> None:
        """Look after a journal; ``told`` shows a sentence that no key has asked for."""
        self._journal = journal
        self._clock = clock
        self._told = told
        self._said = False
        self._wait = FIRST_RETRY
        self._retry: float | None = None
        self._copy: float | None = None

    @property
    def mark(self) -> int | None:
        """Return how many entries are not saved; None while there is nothing the matter."""
        return None if self._journal.fault is None else self._journal.unsaved()

    def trouble(self, *, later: bool = False) -> Text | None:
        """Return what the table is to be told now: once, when the disk begins to refuse.

        Args:
            later: Whether the next key would take the sentence away: then a later one tells.
        """
        fault = self._journal.fault
        if fault is None or self._said:
            return None
        if self._retry is None:
            self._retry = self._clock.passed() + self._wait
        if later:
            return None
        self._said = True
        why = fault.why if isinstance(fault, DiskFault) else fault.text
        return _("Not saved: {why}. Leave the plug in: it is tried again", why=why)

    def save(self) -> bool:
        """Try to save what is not; tell whether everything is."""
        if self._journal.fault is None:
            return True
        if self._journal.save():
            self._said, self._wait, self._retry = False, FIRST_RETRY, None
            return True
        if self._retry is None:
            self._retry = self._clock.passed() + self._wait
        return False

    def round_over(self) -> None:
        """Have a copy made soon."""
        self._copy = self._clock.passed() + AFTER_A_ROUND

    def look(self) -> None:
        """Do what is due, where nobody comes back for it."""
        if self.due is not None and self.due <= self._clock.passed():
            self.tick()

    def finish(self) -> bool:
        """Save what is not, and make the copy that is still to be made; tell whether everything is saved."""
        saved = self.save()
        if self._copy is not None:
            self._make_copy()
        return saved

    @property
    def due(self) -> float | None:
        """Return when to call `tick`, in seconds as ``Clock.passed`` counts them."""
        return min((moment for moment in (self._retry, self._copy) if moment is not None), default=None)

    def tick(self) -> None:
        """Do what is due."""
        now = self._clock.passed()
        if self._retry is not None and self._retry <= now:
            if self.save():
                notice, self._journal.notice = self._journal.notice, None
                self._told(notice or _("Everything is saved again"))
            else:
                self._wait = min(2 * self._wait, LAST_RETRY)
                self._retry = now + self._wait
        if self._copy is not None and self._copy <= now:
            self._make_copy()

    def _make_copy(self) -> None:
        self._copy = None
        with suppress(JournalFault):  # the journal itself is there
            self._journal.back_up()
