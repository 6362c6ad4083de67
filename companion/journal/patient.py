"""A journal for a disk that refuses now and then: what it does not take is kept, and written as soon as it does.

A disk that is full or can only be read is no fault of the game: it goes on. What is not saved is known at any
moment, so that nobody is told it were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain

from companion.core.text import Text

from . import DiskFault, Journal, JournalFault, Saved, check_text


@dataclass(frozen=True, slots=True)
class _Lines:
    """Lines of a game that were entered at once, the first of them number ``first``."""

    first: int
    lines: tuple[str, ...]
    over: bool
    now: float


@dataclass(slots=True)
class _Late:
    """Everything that is still to be written.

    Attributes:
        begun: Header, tracking and time of each game, by its number.
        lines: What was entered, by game.
        tracking: How closely games are followed.
        settings: What was chosen on the box.
        draft: A game, and what is half entered in it.
        left_in: The game the box is in, in a tuple of its own.
    """

    begun: dict[int, tuple[str, str, float]] = field(default_factory=dict)
    lines: dict[int, list[_Lines]] = field(default_factory=dict)
    tracking: dict[int, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    draft: tuple[int, str] | None = None
    left_in: tuple[int | None] | None = None

    def __bool__(self) -> bool:
        """Tell whether there is anything."""
        return self != _Late()


@dataclass(slots=True)
class _Table:
    """The game that was read or begun last, with every line of it: what a journal that was mended may have lost."""

    number: int
    header: str
    tracking: str
    begun: float
    over: bool
    lines: list[str]


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
        self._late = _Late()
        self._table: _Table | None = None
        self._there: dict[int, int] = {}  # lines by game, for a disk that cannot even be read

    @classmethod
    def of(cls, journal: Journal) -> PatientJournal:
        """Return a journal that is patient: the same, where it is one already."""
        return journal if isinstance(journal, PatientJournal) else cls(journal)

    def unsaved(self, game: int | None = None) -> int:
        """Return how many lines of games are not on the disk; or of one game."""
        late = self._late.lines
        entries = chain.from_iterable(late.values()) if game is None else late.get(game, ())
        return sum(len(entered.lines) for entered in entries)

    def save(self) -> bool:
        """Try to write what is late, in the order of the journal; tell whether everything is on the disk now."""
        try:
            if self._reopen is not None and (self._shut or (isinstance(self.fault, DiskFault) and self.fault.damaged)):
                self._shut = True
                self._journal.close()
                self._journal, self.notice = self._reopen()
                self._shut = False
                self._complete()
            self._write()
        except JournalFault as fault:
            self.fault = fault
            return False
        self.fault = None
        return True

    def _write(self) -> None:
        """Write what is late, and forget each thing as soon as it is on the disk."""
        late, journal = self._late, self._journal
        while late.begun:
            number = next(iter(late.begun))
            journal.begin(*late.begun[number], number)
            del late.begun[number]
        for game, entered in list(late.lines.items()):
            while entered:
                one = entered[0]
                journal.append_all(game, one.first, one.lines, one.over, one.now)
                del entered[0]
            del late.lines[game]
        for game in list(late.tracking):
            journal.track(game, late.tracking[game])
            del late.tracking[game]
        for name in list(late.settings):
            journal.keep_setting(name, late.settings[name])
            del late.settings[name]
        if late.draft is not None:
            journal.keep_draft(*late.draft)
            late.draft = None
        if late.left_in is not None:
            journal.leave_in(*late.left_in)
            late.left_in = None

    def _complete(self) -> None:
        """Have everything written that the game on the table has, and the journal that was opened anew has not."""
        table = self._table
        if table is None:
            return
        there = {saved.number: saved.lines for saved in self._journal.games()}
        if table.number not in there:
            self._late.begun[table.number] = table.header, table.tracking, table.begun
        kept = there.get(table.number, 0)
        missing = _Lines(kept + 1, tuple(table.lines[kept:]), table.over, table.begun)
        self._late.lines.pop(table.number, None)
        if missing.lines:
            self._late.lines[table.number] = [missing]

    # What there is: the journal's, and what is late

    def games(self) -> list[Saved]:
        """Return every game, the latest begun first."""
        late = self._late
        begun = [
            Saved(number, header, tracking, False, 0, now) for number, (header, tracking, now) in late.begun.items()
        ]
        found = [self._with_late(saved) for saved in (*reversed(begun), *self._journal.games())]
        self._there = {saved.number: saved.lines for saved in found}
        return found

    def _with_late(self, saved: Saved) -> Saved:
        saved = replace(saved, tracking=self._late.tracking.get(saved.number, saved.tracking))
        for entered in self._late.lines.get(saved.number, ()):
            saved = replace(saved, lines=saved.lines + len(entered.lines), over=entered.over)
        return saved

    def lines(self, game: int) -> list[str]:
        """Return a game's lines below the header, in order."""
        there = [] if game in self._late.begun else self._journal.lines(game)
        there.extend(line for entered in self._late.lines.get(game, ()) for line in entered.lines)
        saved = next(saved for saved in self.games() if saved.number == game)
        self._table = _Table(game, saved.header, saved.tracking, saved.begun, saved.over, list(there))
        return there

    def draft(self, game: int) -> str:
        """Return what was half entered after a game's last line, empty where nothing was."""
        late = self._late
        if late.draft is not None:  # there is one at most, of whichever game
            return late.draft[1] if late.draft[0] == game else ""
        return "" if game in late.begun or game in late.lines else self._journal.draft(game)

    def open_game(self) -> int | None:
        """Return the game the box was left in, if it was left in one."""
        return self._journal.open_game() if self._late.left_in is None else self._late.left_in[0]

    def setting(self, name: str) -> str | None:
        """Return what was chosen on the box under a name, if anything was."""
        return self._late.settings[name] if name in self._late.settings else self._journal.setting(name)

    # What is to be written: on the disk if it takes it and nothing waits before it, else late

    @contextmanager
    def _keeping(self) -> Iterator[bool]:
        """Tell whether to write now; a disk that does not take it is the fault from then on."""
        try:
            yield self.fault is None
        except DiskFault as fault:
            self.fault = fault

    def begin(self, header: str, tracking: str, now: float, number: int | None = None) -> int:
        """Write a new game down and return its number: the next, or the one it is known by already."""
        check_text(header, tracking)
        given = None
        with self._keeping() as writing:
            if writing:
                given = self._journal.begin(header, tracking, now, number)
        if given is None:
            given = number or max(self._games(), default=0) + 1
            self._late.begun[given] = header, tracking, now
        number = given
        self._there[number] = 0
        self._table = _Table(number, header, tracking, now, False, [])
        return number

    def append(self, game: int, sequence: int, line: str, over: bool, now: float) -> None:
        """Write the line that is number ``sequence`` (from 1) of a game, and whether that ends it."""
        self.append_all(game, sequence, (line,), over, now)

    def append_all(self, game: int, sequence: int, lines: Sequence[str], over: bool, now: float) -> None:
        """Write lines, the first of them number ``sequence``, as `append` does: all of them or none."""
        check_text(*lines)
        with self._keeping() as writing:
            if writing:
                self._journal.append_all(game, sequence, lines, over, now)
                self._appended(game, sequence, lines, over)
                return
        there = self._games()[self._game(game)]
        if sequence != there + 1:
            raise JournalFault(f"line {sequence} of game {game} is not the next: {there} are in the journal")
        self._appended(game, sequence, lines, over)
        self._late.lines.setdefault(game, []).append(_Lines(sequence, tuple(lines), over, now))
        if self._late.draft is not None and self._late.draft[0] == game:
            self._late.draft = game, ""

    def _appended(self, game: int, sequence: int, lines: Sequence[str], over: bool) -> None:
        self._there[game] = sequence + len(lines) - 1
        if self._table is not None and self._table.number == game:
            self._table.lines[sequence - 1 :] = lines
            self._table.over = over

    def track(self, game: int, tracking: str) -> None:
        """Write down how closely a game is followed from now on."""
        check_text(tracking)
        with self._keeping() as writing:
            if writing:
                self._journal.track(game, tracking)
                return
        self._late.tracking[self._game(game)] = tracking

    def keep_draft(self, game: int, draft: str) -> None:
        """Write down what is half entered after a game's last line; it is gone with the next line."""
        check_text(draft)
        with self._keeping() as writing:
            if writing:
                self._journal.keep_draft(game, draft)
                return
        self._late.draft = self._game(game), draft

    def leave_in(self, game: int | None) -> None:
        """Write down which game the box is in."""
        with self._keeping() as writing:
            if writing:
                self._journal.leave_in(game)
                return
        self._late.left_in = (game if game is None else self._game(game),)

    def keep_setting(self, name: str, value: str) -> None:
        """Write down what was chosen on the box."""
        check_text(value)
        with self._keeping() as writing:
            if writing:
                self._journal.keep_setting(name, value)
                return
        self._late.settings[name] = value

    def back_up(self) -> None:
        """Write a small copy of the latest games beside the journal; nothing is kept late of that."""
        if self.fault is None:
            self._journal.back_up()

    def close(self) -> None:
        """Try once more to write what is late, and let go of the journal."""
        if self._late:
            self.save()
        self._late, self.fault = _Late(), None
        self._journal.close()

    def _games(self) -> dict[int, int]:
        """Return how many lines every game has."""
        if not self._there:
            self.games()
        return self._there

    def _game(self, number: int) -> int:
        """Return the number of a game that there must be."""
        if number not in self._games():
            raise JournalFault(f"there is no game {number} in the journal")
        return number
