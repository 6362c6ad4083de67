"""The journal: what people entered, kept line by line. It knows nothing of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.core.text import Text


class JournalFault(Exception):
    """The journal could not be opened, read or written; the message is a sentence for people.

    Attributes:
        text: The sentence, in the words of the table's language where it can be said at the table.
    """

    def __init__(self, sentence: str | Text) -> None:
        """Say what is wrong."""
        super().__init__(str(sentence))
        self.text = sentence if isinstance(sentence, Text) else Text("{fault}", fault=sentence)


class DiskFault(JournalFault):
    """The disk does not take, for now, what is to be written; nothing has changed, and a later try may well succeed.

    Attributes:
        why: What is wrong with the disk, in words.
        damaged: Whether the journal itself is: it will be mended when it is opened the next time.
    """

    def __init__(self, sentence: str | Text, why: Text, damaged: bool = False) -> None:
        """Say what could not be done, and why."""
        super().__init__(sentence)
        self.why = why
        self.damaged = damaged


class JournalInUse(JournalFault):
    """Another process has the journal open for writing."""


class NoJournal(JournalFault):
    """No journal was ever begun there."""


class LaterVersion(JournalFault):
    """A later version of the program wrote it: only that may read and change it."""


def check_text(*texts: str) -> None:
    """Refuse what no journal can keep.

    Raises:
        JournalFault: There is half of a surrogate pair in it, which no file could hold.
    """
    try:
        "".join(texts).encode()
    except UnicodeEncodeError as error:
        raise JournalFault(f"the journal cannot be written: {error}") from error


@dataclass(frozen=True, slots=True)
class Saved:
    """A game in the journal.

    Attributes:
        number: Its number, from 1 in the order games were begun.
        header: The first line of its log.
        tracking: How closely it is followed, as last chosen.
        over: Whether it is finished.
        lines: How many lines stand below the header.
        begun: When it was begun, in seconds since 1970.
    """

    number: int
    header: str
    tracking: str
    over: bool
    lines: int
    begun: float


class Journal(Protocol):
    """Keeps games, line by line; what a call has returned from is on the disk. Knows nothing of games."""

    def games(self) -> list[Saved]:
        """Return every game, the latest begun first."""

    def lines(self, game: int) -> list[str]:
        """Return a game's lines below the header, in order."""

    def begin(self, header: str, tracking: str, now: float, number: int | None = None) -> int:
        """Write a new game down and return its number: the next, or the one it is known by already."""

    def append(self, game: int, sequence: int, line: str, over: bool, now: float) -> None:
        """Write the line that is number ``sequence`` (from 1) of a game, and whether that ends it."""

    def append_all(self, game: int, sequence: int, lines: Sequence[str], over: bool, now: float) -> None:
        """Write lines, the first of them number ``sequence``, as `append` does: all of them or none."""

    def track(self, game: int, tracking: str) -> None:
        """Write down how closely a game is followed from now on."""

    def draft(self, game: int) -> str:
        """Return what was half entered after a game's last line, empty where nothing was."""

    def keep_draft(self, game: int, draft: str) -> None:
        """Write down what is half entered after a game's last line; it is gone with the next line."""

    def open_game(self) -> int | None:
        """Return the game the box was left in, if it was left in one."""

    def leave_in(self, game: int | None) -> None:
        """Write down which game the box is in."""

    def setting(self, name: str) -> str | None:
        """Return what was chosen on the box under a name, if anything was."""

    def keep_setting(self, name: str, value: str) -> None:
        """Write down what was chosen on the box."""

    def back_up(self) -> None:
        """Write a small copy of the latest games beside the journal, for the day that cannot be read."""

    def close(self) -> None:
        """Let go of the journal; what was written stays."""
