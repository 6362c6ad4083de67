"""A journal for a disk that refuses now and then: what it does not take is kept, and written as soon as it does.

A disk that is full or can only be read is no fault of the game: it goes on. What is not saved is known at any
moment, so that nobody is told it were. When the disk takes something again, what is there is compared with what
should be: so it does not matter whether it comes back as it was, or as a journal that had to be mended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from companion.core.text import Text

from . import DiskFault, Journal, JournalFault, Saved, check_text

STALE = 4
"""After so many tries in vain the files are opened anew: a disk that was taken out and put back is another one."""


@dataclass(slots=True)
class _Game:
    """A game as it should be in the journal.

    Attributes:
        saved: How many of its lines are on the disk.
        now: When the last of them was entered.
    """

    number: int
    header: str
    tracking: str
    begun: float
    over: bool
    lines: list[str]
    saved: int
    now: float

    @property
    def row(self) -> Saved:
        """Return it as it stands in a list of games."""
        return Saved(self.number, self.header, self.tracking, self.over, len(self.lines), self.begun)


class PatientJournal:
    """Keeps in memory what another journal's disk refuses, until it is taken.

    Attributes:
        fault: Why the last try to write failed; None while everything is on the disk.
        notice: What there is to be said of the journal that was opened anew, if anything.
    """

    def __init__(
        self,
        journal: Journal,
        fault: DiskFault | None = None,
        reopen: Callable[[], tuple[Journal, Text | None]] | None = None,
    ) -> None:
        """Stand before a journal.

        Args:
            journal: Where everything goes; one that can be read, where it could not be opened for writing.
            fault: Why it could not.
            reopen: Opens it for writing, mends it if it is damaged, and tells what is to be said about that.
        """
        self.fault: JournalFault | None = fault
        self.notice: Text | None = None
        self._journal = journal
        self._reopen = reopen
        self._shut = fault is not None
        self._tries = 0
        self._shelf: list[Saved] = []  # as it was last read
        self._games: dict[int, _Game] = {}  # the one read or begun last, and any others that are not saved
        self._settings: dict[str, str] = {}
        self._draft: tuple[int, str] | None = None
        self._left_in: tuple[int | None] | None = None

    @classmethod
    def of(cls, journal: Journal) -> PatientJournal:
        """Return a journal that is patient: the same, where it is one already."""
        return journal if isinstance(journal, PatientJournal) else cls(journal)

    def unsaved(self, game: int | None = None) -> int:
        """Return how many lines of games are not on the disk; or of one game."""
        return sum(len(each.lines) - each.saved for each in self._games.values() if game in (None, each.number))

    # Saving what is not

    def save(self) -> bool:
        """Try to bring the disk to where it should be; tell whether everything is there now."""
        try:
            if self._reopen is not None and self._is_stale():
                self._shut = True
                self._journal.close()  # first: it holds the lock
                self._journal, self.notice = self._reopen()
                self._shut = False
            self._bring()
        except JournalFault as fault:
            self.fault = fault
            self._tries += 1
            return False
        self.fault, self._tries = None, 0
        return True

    def _is_stale(self) -> bool:
        """Tell whether to open the files anew."""
        damaged = isinstance(self.fault, DiskFault) and self.fault.damaged
        return self._shut or damaged or self._tries >= STALE

    def _bring(self) -> None:
        """Write whatever should be in the journal and is not."""
        there = {saved.number: saved for saved in self._journal.games()}
        for number in sorted(self._games):
            self._bring_game(self._games[number], there.get(number))
        for name, value in self._settings.items():
            if self._journal.setting(name) != value:
                self._journal.keep_setting(name, value)
        if self._draft is not None:  # even an empty one: it takes the place of whatever was kept there
            self._journal.keep_draft(*self._draft)
        if self._left_in is not None and self._journal.open_game() != self._left_in[0]:
            self._journal.leave_in(*self._left_in)

    def _bring_game(self, game: _Game, there: Saved | None) -> None:
        if there is None:
            self._journal.begin(game.header, game.tracking, game.begun, game.number)
        elif (there.header, there.begun) != (game.header, game.begun):
            raise JournalFault(f"game {game.number} in the journal is another one")
        kept = [] if there is None else self._journal.lines(game.number)
        if kept != game.lines[: len(kept)]:
            raise JournalFault(f"game {game.number} in the journal went on elsewhere")
        game.saved = len(kept)
        if game.saved < len(game.lines):
            rest = game.lines[game.saved :]
            self._journal.append_all(game.number, game.saved + 1, rest, game.over, game.now)
            game.saved = len(game.lines)
        if there is not None and there.tracking != game.tracking:
            self._journal.track(game.number, game.tracking)

    # What there is

    def games(self) -> list[Saved]:
        """Return every game, the latest begun first."""
        try:
            self._shelf = self._journal.games()
        except JournalFault:
            if self.fault is None:
                raise
        rows = {saved.number: saved for saved in self._shelf}
        rows |= {number: game.row for number, game in self._games.items()}
        return [rows[number] for number in sorted(rows, reverse=True)]

    def lines(self, game: int) -> list[str]:
        """Return a game's lines below the header, in order."""
        if self.fault is not None and game in self._games:
            return list(self._games[game].lines)
        return list(self._read(game).lines)

    def peek(self, game: int) -> list[str]:
        """Return a game's lines, as `lines` does, of a game that nothing will be entered in."""
        return list(self._games[game].lines) if game in self._games else self._journal.lines(game)

    def draft(self, game: int) -> str:
        """Return what was half entered after a game's last line, empty where nothing was."""
        if self.fault is not None:
            self._known(game)
            if self._draft is not None:  # there is one at most, of whichever game
                return self._draft[1] if self._draft[0] == game else ""
            if self.unsaved(game) or all(saved.number != game for saved in self._shelf):
                return ""
        return self._journal.draft(game)

    def open_game(self) -> int | None:
        """Return the game the box was left in, if it was left in one."""
        if self.fault is None or self._left_in is None:
            return self._journal.open_game()
        return self._left_in[0]

    def setting(self, name: str) -> str | None:
        """Return what was chosen on the box under a name, if anything was."""
        if self.fault is None or name not in self._settings:
            return self._journal.setting(name)
        return self._settings[name]

    # What is to be written: on the disk if it takes it and nothing waits before it, else later

    def begin(self, header: str, tracking: str, now: float, number: int | None = None) -> int:
        """Write a new game down and return its number: the next, or the one it is known by already."""
        check_text(header, tracking)
        given = number
        with self._waiting() as may:
            if may:
                given = self._journal.begin(header, tracking, now, number)
        if given is None:
            given = max((saved.number for saved in self.games()), default=0) + 1
        self._follow(_Game(given, header, tracking, now, False, [], 0, now))
        return given

    def append(self, game: int, sequence: int, line: str, over: bool, now: float) -> None:
        """Write the line that is number ``sequence`` (from 1) of a game, and whether that ends it."""
        self.append_all(game, sequence, (line,), over, now)

    def append_all(self, game: int, sequence: int, lines: Sequence[str], over: bool, now: float) -> None:
        """Write lines, the first of them number ``sequence``, as `append` does: all of them or none."""
        check_text(*lines)
        written = self._done(lambda: self._journal.append_all(game, sequence, lines, over, now))
        if not written or game in self._games:
            self._extend(self._known(game), sequence, lines, over, now)
            self._games[game].saved = len(self._games[game].lines) if written else self._games[game].saved
        if self._draft is not None and self._draft[0] == game:
            self._draft = game, ""

    @staticmethod
    def _extend(game: _Game, sequence: int, lines: Sequence[str], over: bool, now: float) -> None:
        there = len(game.lines)
        if sequence != there + 1:
            raise JournalFault(f"line {sequence} of game {game.number} is not the next: {there} are in the journal")
        game.lines.extend(lines)
        game.over, game.now = over, now

    def track(self, game: int, tracking: str) -> None:
        """Write down how closely a game is followed from now on."""
        check_text(tracking)
        if not self._done(lambda: self._journal.track(game, tracking)) or game in self._games:
            self._known(game).tracking = tracking

    def keep_draft(self, game: int, draft: str) -> None:
        """Write down what is half entered after a game's last line; it is gone with the next line."""
        check_text(draft)
        if not self._done(lambda: self._journal.keep_draft(game, draft)):
            self._known(game)
        self._draft = game, draft

    def leave_in(self, game: int | None) -> None:
        """Write down which game the box is in."""
        if not self._done(lambda: self._journal.leave_in(game)) and game is not None:
            self._known(game)
        self._left_in = (game,)

    def keep_setting(self, name: str, value: str) -> None:
        """Write down what was chosen on the box."""
        check_text(value)
        self._done(lambda: self._journal.keep_setting(name, value))
        self._settings[name] = value

    def back_up(self) -> None:
        """Write a small copy of the latest games beside the journal; nothing is kept for later of that."""
        if self.fault is None:
            self._journal.back_up()

    def close(self) -> None:
        """Try once more to write what is not saved, and let go of the journal."""
        if self.fault is not None:
            self.save()
        self.fault = None  # from now on the journal itself says that it is closed
        self._journal.close()

    @contextmanager
    def _waiting(self) -> Iterator[bool]:
        """Tell whether to write; a disk that does not take it is the fault from then on."""
        try:
            yield self.fault is None
        except DiskFault as fault:
            self.fault = fault

    def _done(self, write: Callable[[], None]) -> bool:
        """Write; tell whether the disk took it."""
        with self._waiting() as may:
            if may:
                write()
        return self.fault is None

    def _known(self, number: int) -> _Game:
        """Return a game that there must be."""
        return self._games[number] if number in self._games else self._read(number)

    def _read(self, number: int) -> _Game:
        """Read a game from the journal, and follow it from now on."""
        lines = self._journal.lines(number)
        (saved,) = (saved for saved in self.games() if saved.number == number)
        self._follow(
            _Game(number, saved.header, saved.tracking, saved.begun, saved.over, lines, len(lines), saved.begun)
        )
        return self._games[number]

    def _follow(self, game: _Game) -> None:
        """Remember a game, and forget others of which everything is saved."""
        if self.fault is None:
            self._games.clear()
        self._games[game.number] = game
