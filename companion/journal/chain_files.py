"""A chain of lines, kept in memory and in two files with the same content.

The chain in memory is authoritative. A line is saved once the first file has it. The second copy is written at the same
time, but not synced. A missing or changed file is rewritten.
"""

from __future__ import annotations

import errno
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import MsgspecError, Struct, json

from . import chain, disk


class ChainFile(Struct):
    """One of the two files of a chain; both hold the same lines."""

    file: Path
    aside: Path  # the folder for damaged files
    synced: bool = True  # whether every write is synced
    count: int = 0  # how many of the chain's lines it holds
    torn: bool = False  # whether it is damaged, and to be set aside when it is rewritten
    failing: bool = False  # whether the disk failed to read it
    left: disk.Left | None = None  # its status after the last write; None if it is to be rewritten

    def read(self) -> bytes | None:
        """Return the file's content; None if there is no file, empty if it cannot be read as one."""
        self.left, self.torn, self.failing = None, False, False
        try:
            found = disk.read(self.file)
        except disk.Damage as error:
            self.torn, self.failing = True, error.errno == errno.EIO
            return b""
        if found is None:
            return None
        content, self.left = found
        return content

    def compare(self, content: bytes | None, rows: chain.Rows) -> None:
        """Count the chain's lines that the file holds, and find whether it is damaged."""
        whole, body = b"".join(rows), (content or b"").rstrip(b"\0")
        if whole.startswith(body):
            self.count = body.count(b"\n")
        elif body.startswith(whole) and chain.unfinished(body[len(whole) :]):
            self.count, self.left = len(rows), None
        else:
            self.start_anew(torn=True)

    def start_anew(self, *, torn: bool) -> None:
        """Plan to rewrite the file, and to set a damaged one aside."""
        self.count, self.torn, self.left = 0, torn, None

    def bring(self, rows: chain.Rows) -> bool:
        """Write the missing lines; return whether the file was missing or changed."""
        found = False
        try:
            self._extend(rows)
        except disk.Damage:
            before = self.count
            self.compare(self.read(), rows)
            found = self.torn or self.count < before
            self._extend(rows)
        if self.left is None and rows:
            data, aside = b"".join(rows), self.aside if self.torn else None
            self.left = disk.replace(self.file, data, aside, sync=self.synced)
        elif self.torn:
            disk.set_aside(self.file, self.aside)
        self.count, self.torn = len(rows), False
        return found

    def _extend(self, rows: chain.Rows) -> None:
        if self.left is not None:
            left, self.left = self.left, None  # after an error the disk's content is unknown: rewrite
            offset, data = sum(map(len, rows[: self.count])), b"".join(rows[self.count :])
            self.left = disk.extend(self.file, left, offset, data, sync=self.synced)


class Chain:
    """A chain of lines in memory, and its two files."""

    def __init__(self, seed: bytes, *copies: ChainFile) -> None:
        """Begin an empty chain; without files it is kept in memory only."""
        self.rows: chain.Rows = []
        self.unsaved = 0  # how many of them are not on the disk
        self._seed = seed
        self._copies = copies

    def load(self) -> tuple[bool, bool, int]:
        """Read both files and keep every valid line; raise OSError if they cannot be read now.

        Return whether the first file was damaged or missing, whether the second was damaged, and the number of lost
        lines.
        """
        contents = [copy.read() for copy in reversed(self._copies)][::-1]  # the first file last: it is never behind
        self.rows = chain.prove(self._seed, [content or b"" for content in contents])
        if not self.rows and any(copy.failing for copy in self._copies):
            for copy in self._copies:
                copy.start_anew(torn=False)
            raise OSError(errno.EIO, "it may be read another time")
        for copy, content in zip(self._copies, contents, strict=True):
            copy.compare(content, self.rows)
        first, others = self._copies[:1], self._copies[1:]
        damaged, copy_damaged = (any(copy.torn for copy in copies) for copies in (first, others))
        suspects = filter(None, contents if damaged else contents[1:])  # an unfinished last line was never shown
        lost = max((chain.lost(self._seed, self.rows, content) for content in suspects), default=0)
        damaged = damaged or any(copy.count < len(self.rows) for copy in first)
        there = [copy for copy, content in zip(self._copies, contents, strict=True) if content is not None]
        for copy in there:
            if not self.rows or (damaged and copy is self._copies[0]):
                copy.start_anew(torn=True)
        return damaged, copy_damaged, max(lost, bool(there) and not self.rows)

    def add(self, text: str, note: dict[str, Any]) -> None:
        """Add a line, in memory."""
        before = chain.check(self.rows[-1]) if self.rows else self._seed
        self.rows.append(chain.chained(before, text, note))
        self.unsaved += 1

    def bring(self) -> bool:
        """Write the missing lines to both files; return whether one was missing or changed.

        Raises OSError if the disk refuses; a later try may succeed.
        """
        found = False
        for copy in self._copies:
            found |= copy.bring(self.rows)
            self.unsaved = 0
        self.unsaved = 0
        return found

    @property
    def whole(self) -> bool:
        """Return whether both files hold all lines."""
        return all(copy.left is not None and copy.count == len(self.rows) for copy in self._copies)


class _Record(Struct, frozen=True, omit_defaults=True):
    name: str
    value: Any
    turn: int = 0


class NamedValues(Chain):
    """Named values, kept as a chain; the latest value of a name counts."""

    def __init__(self, seed: bytes, *copies: ChainFile) -> None:
        """Begin without values."""
        super().__init__(seed, *copies)
        self.values: dict[str, Any] = {}
        self.turns: dict[str, int] = {}

    def load(self) -> tuple[bool, bool, int]:
        """Read the values from the files."""
        found = super().load()
        self.read_values()
        return found

    def read_values(self) -> None:
        """Read the values from the lines; lines in an unknown form are ignored."""
        for row in self.rows:
            with suppress(MsgspecError, RecursionError):
                record = json.decode(chain.text(row), type=_Record)
                self.values[record.name], self.turns[record.name] = record.value, record.turn

    def keep(self, name: str, value: Any, turn: int = 0) -> None:
        """Keep a value, in memory."""
        self.values[name], self.turns[name] = value, turn
        self.add(json.encode(_Record(name, value, turn)).decode(), {})

    def begin_anew(self, values: dict[str, Any], turn: int = 0) -> None:
        """Replace all values by these, in a new file."""
        self.rows, self.values, self.turns = [], {}, {}
        for copy in self._copies:
            copy.start_anew(torn=False)
        for each in values.items():
            self.keep(*each, turn)
