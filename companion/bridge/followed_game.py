"""One game of the journal, read as its files grow."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from companion.core.session import Session
from companion.core.text import IllegalEventError
from companion.gamelog import LogError, decode_header, decode_line
from companion.journal import chain, disk


class FollowedGame:
    """The log of a game that the box writes: its lines, and the session after the last.

    Args:
        journal: The folder of the journal.
        name: The game's name: that of its files without the suffix.
    """

    def __init__(self, journal: Path, name: str) -> None:
        self.name = name
        self.session: Session | None = None  # after the last line; None before the header, or if a line is wrong
        self.fault = ""  # why a line is wrong
        self.changed = 0  # when its file was last changed before it was read, in nanoseconds
        self._rows: chain.Rows = []  # the lines as in the file
        self._file, self._copy = (journal / folder / f"{name}.jsonl" for folder in ("games", "copies"))
        self._id = name.rpartition("-")[2].encode()

    def lines(self, first: int, most: int) -> list[str]:
        """Return lines of the log from a number on; the header is number 0."""
        return [chain.text(row) for row in self._rows[first : first + most]]

    @property
    def length(self) -> int:
        """Return how many lines the log has, the header included."""
        return len(self._rows)

    def check(self, lines: int) -> str:
        """Return the check that covers so many lines; nothing if there are not so many."""
        return chain.check(self._rows[lines - 1]).decode() if 0 < lines <= self.length else ""

    def read_more(self) -> Iterator[tuple[Session, Session]]:
        """Read the lines that were added since, and yield the sessions before and after each; the header yields none.

        A log that no longer begins with the known lines, as after a restored backup, is read again from its beginning.
        """
        self.changed = changed(self._file)
        rows = self._added()
        if rows is None:
            rows = chain.longest_chain(self._id, map(_content, (self._file, self._copy)))
            if rows[: len(self._rows)] == self._rows:
                rows = rows[len(self._rows) :]
            else:
                self._rows, self.session, self.fault = [], None, ""
        for row in rows:
            before, number = self.session, len(self._rows)
            self._rows.append(row)
            if number == 0 or before is not None:
                self._take(chain.text(row), before)
            if before is not None and self.session is not None:
                yield before, self.session

    def _added(self) -> chain.Rows | None:
        """Return the lines that the file has beyond the known ones; None if it does not go on from them."""
        known, content = b"".join(self._rows), _content(self._file)
        if not content.startswith(known):
            return None
        added = chain.rows(content[len(known) :])
        links = pairwise([self._rows[-1] if self._rows else self._id + b"\n", *added])
        return added if all(chain.is_valid(chain.check(before), row) for before, row in links) else None

    def _take(self, line: str, before: Session | None) -> None:
        """Make the session after a line; a wrong line ends it, with the reason in `fault`."""
        try:
            header = decode_header(line) if before is None else before.header
            self.session = Session(header) if before is None else before.add(decode_line(line, header))
        except (LogError, IllegalEventError) as error:
            self.session, self.fault = None, f"line {len(self._rows)}: {error}"


def _content(file: Path) -> bytes:
    """Return what a file holds, without the zeros at its end; nothing if it cannot be read."""
    try:
        found = disk.read(file)
    except OSError:
        return b""
    return b"" if found is None else found[0].rstrip(b"\0")


def changed(file: Path) -> int:
    """Return when a file was last changed, in nanoseconds; 0 if there is none."""
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0
