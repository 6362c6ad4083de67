"""Keeps a chain of lines in memory, and a copy of it in each of two files.

The chain in memory is authoritative. A line is saved once one of the files has it, synced: the first, or the second
while the first cannot be written. Else the second copy is written at the same time, but not synced.
"""

from __future__ import annotations

from contextlib import suppress
from enum import Enum, auto
from pathlib import Path
from typing import Any

from msgspec import MsgspecError, Struct, field, json

from companion.decoding import from_json

from . import chain, disk

MOST_SUPERSEDED = 300
"""Lines of settings, drafts or the index that later ones supersede; after these a new file is written."""


class FileState(Enum):
    """The state of a file, which decides how the next lines are written.

    ========== ============================================== ========================================
    state      the file                                       the next lines
    ========== ============================================== ========================================
    CURRENT    holds a beginning of the chain                 are appended
    UNKNOWN    is missing, or a write to it has failed        come in a new file with the whole chain
    DAMAGED    holds something else                           the same; the damaged file is kept aside
    UNREADABLE cannot be read now; it may be another time     the same, if it still cannot be read then
    ========== ============================================== ========================================
    """

    CURRENT = auto()
    UNKNOWN = auto()
    DAMAGED = auto()
    UNREADABLE = auto()


class ChainFile(Struct):
    """One of the two files of a chain; both hold the same lines."""

    file: Path
    aside: Path  # the folder for damaged files
    durable: bool  # whether its name is on the disk, synced
    state: FileState = FileState.UNKNOWN
    count: int = 0  # how many of the chain's lines it holds
    status: disk.FileStatus = disk.NO_STATUS  # its status after the last write or read, if it is current or missing
    fault: OSError | None = None  # why it cannot be read or written

    def read(self) -> bytes | None:
        """Return the file's content; None if there is no file, empty if it cannot be read."""
        self.state, self.count, self.fault = FileState.UNKNOWN, 0, None
        try:
            found = disk.read(self.file)
        except disk.OtherFileError:
            self.state = FileState.DAMAGED
            return b""
        except OSError as error:
            self.state, self.fault = FileState.UNREADABLE, error
            return b""
        if found is None:
            self.status = disk.NO_STATUS
            return None
        self.state = FileState.CURRENT
        content, self.status = found
        return content

    def compare(self, content: bytes | None, rows: chain.Rows) -> None:
        """Count the chain's lines in the content that was read, and find whether it is damaged."""
        if self.state is not FileState.CURRENT:
            return
        whole, body = b"".join(rows), (content or b"").rstrip(b"\0")
        if whole.startswith(body):
            self.count = body.count(b"\n")
        elif body.startswith(whole) and chain.unfinished(body[len(whole) :]):
            self.count, self.state = len(rows), FileState.UNKNOWN
        else:
            self.state = FileState.DAMAGED

    def write(self, rows: chain.Rows, *, sync: bool) -> bool:
        """Write the missing lines; return whether the file was missing or changed."""
        found, before = False, self.count
        if self.state is FileState.UNREADABLE:
            self.compare(self.read(), rows)
        if self.state is FileState.CURRENT and sync and not self.durable:
            self.state = FileState.UNKNOWN
        if self.state is FileState.CURRENT:
            try:
                self._extend(rows, sync=sync)
            except disk.OtherFileError:
                self.compare(self.read(), rows)
                found = self.state in (FileState.DAMAGED, FileState.UNREADABLE) or self.count < before
                if self.state is FileState.CURRENT:
                    with suppress(disk.OtherFileError):  # a file system that numbers its files anew
                        self._extend(rows, sync=sync)
        if self.state is not FileState.CURRENT and rows:
            aside = None if self.state is FileState.UNKNOWN else self.aside
            self.status = disk.replace(self.file, b"".join(rows), aside, sync=sync)
            self.state, self.durable = FileState.CURRENT, sync
        elif self.state is FileState.DAMAGED:
            disk.move_aside(self.file, self.aside)
            self.state = FileState.UNKNOWN
        self.count, self.fault = len(rows), None
        return found

    def _extend(self, rows: chain.Rows, *, sync: bool) -> None:
        """Append the missing lines. After an error nobody knows what is on the disk."""
        self.state = FileState.UNKNOWN
        offset, data = sum(map(len, rows[: self.count])), b"".join(rows[self.count :])
        with suppress(PermissionError):  # a file that may only be read is replaced
            self.status = disk.extend(self.file, self.status, offset, data, sync=sync)
            self.state = FileState.CURRENT


class LoadResult(Struct, frozen=True):
    """The state of a chain's files, found when they were read."""

    damaged: bool  # whether the first one was damaged, missing or behind
    copy_damaged: bool  # whether the second was damaged
    # whether something stands in one of them that is not in the chain, and may have been entries
    may_lack_entries: bool
    unreadable: bool  # whether there are files, but no chain


class Chain:
    """A chain of lines in memory, and its two files."""

    def __init__(self, name: str, seed: bytes, *copies: ChainFile, synced: bool = True) -> None:
        """Begin an empty chain with an id; without files it is kept in memory only."""
        self.name = name
        self.rows: chain.Rows = []
        self.unsaved = 0  # how many of them are not on the disk
        self._seed = seed
        self._copies = copies
        self._synced = synced

    def load(self) -> LoadResult:
        """Read both files and keep every valid line; raise OSError if that may be possible only another time."""
        contents = self._read()
        self.rows = chain.longest_chain(self._seed, [content or b"" for content in contents])
        for file, fault in self.failing.items() if not self.rows else ():
            # no first file, and a folder for the second that cannot be read: most likely there never was a file
            if contents[0] is not None or disk.fault_of(file.parent) is None:
                raise fault
        for copy, content in zip(self._copies, contents, strict=True):
            copy.compare(content, self.rows)
        existing = [
            copy
            for copy, content in zip(self._copies, contents, strict=True)
            if content is not None and copy.state is not FileState.UNREADABLE
        ]
        damaged = [copy.state is FileState.DAMAGED for copy in self._copies]
        may_lack_entries = any(
            is_damaged and chain.may_hold_more(self._seed, self.rows, content or b"")
            for is_damaged, content in zip(damaged, contents, strict=True)
        )
        first = self._copies[:1]
        behind = any(copy.state is not FileState.UNREADABLE and copy.count < len(self.rows) for copy in first)
        for copy in existing:
            if not self.rows or (behind and copy in first):
                copy.state = FileState.DAMAGED
        unreadable = bool(existing) and not self.rows
        return LoadResult(any(damaged[:1]) or behind, any(damaged[1:]), may_lack_entries or unreadable, unreadable)

    def _read(self) -> list[bytes | None]:
        return [copy.read() for copy in reversed(self._copies)][::-1]  # the first file last: it is never behind

    def add(self, text: str, note: dict[str, Any]) -> None:
        """Add a line, in memory."""
        before = chain.check(self.rows[-1]) if self.rows else self._seed
        self.rows.append(chain.chained(before, text, note))
        self.unsaved += 1

    def write(self) -> bool:
        """Write the missing lines to both files; return whether one was missing or changed.

        One file that has all of them, synced, is enough. A file that cannot be read is left as it is until there are
        lines to write.

        Raises OSError if the disk refuses; a later try may succeed.
        """
        found, saved, faults = False, False, list[OSError]()
        for copy in self._copies:
            if copy.state is FileState.UNREADABLE and not self.unsaved:
                continue
            try:
                found |= copy.write(self.rows, sync=self._synced and not saved)
                saved = True
            except OSError as error:
                copy.fault = error
                faults.append(error)
        if faults and not saved:
            raise faults[0]
        self.unsaved = 0
        return found

    @property
    def failing(self) -> dict[Path, OSError]:
        """Return the files that cannot be read or written, and why."""
        return {copy.file: copy.fault for copy in self._copies if copy.fault is not None}

    @property
    def changed(self) -> bool:
        """Return whether a file is not the one that was read or written last; one that could not be read always is."""
        return any(copy.fault is not None or disk.status(copy.file) != copy.status for copy in self._copies)

    @property
    def complete(self) -> bool:
        """Return whether every file holds the whole chain."""
        return all(copy.state is FileState.CURRENT and copy.count == len(self.rows) for copy in self._copies)


class _Record(Struct, frozen=True, omit_defaults=True):
    name: str
    value: Any
    generation: int = field(default=0, name="turn")


class NamedValues(Chain):
    """Named values, kept as a chain; the latest value of a name counts."""

    def __init__(self, name: str, *copies: ChainFile, synced: bool = True) -> None:
        super().__init__(name, name.encode(), *copies, synced=synced)
        self.values: dict[str, Any] = {}
        self.generations: dict[str, int] = {}

    def load(self) -> LoadResult:
        self.values, self.generations = {}, {}
        found = super().load()
        self.read_values()
        return found

    def _read(self) -> list[bytes | None]:
        """Return the contents of the files; none of a copy of an earlier generation."""
        contents = super()._read()
        generations = [self._generation(chain.rows(content or b"")) for content in contents]
        for number, (copy, generation) in enumerate(zip(self._copies, generations, strict=True)):
            if 0 <= generation < max(generations):
                copy.state, contents[number] = FileState.UNKNOWN, None
        return contents

    def _generation(self, rows: chain.Rows) -> int:
        """Return how often the values in these lines were replaced; -1 if the first line is not valid."""
        if not rows or not chain.is_valid(self._seed, rows[0]):
            return -1
        record = _record(rows[0])
        return 0 if record is None else record.generation

    def read_values(self) -> None:
        """Read the values from the lines; lines in an unknown form are ignored."""
        for row in self.rows:
            record = _record(row)
            if record is not None:
                self.values[record.name], self.generations[record.name] = record.value, record.generation

    def keep(self, name: str, value: Any, generation: int = 0) -> None:
        """Keep a value, in memory."""
        self.values[name], self.generations[name] = value, generation
        self.add(json.encode(_Record(name, value, generation)).decode(), {})

    def replace_values(self, values: dict[str, Any], generation: int | None = None) -> None:
        """Replace all values by these, in a new file; it counts more than a copy of a lower generation."""
        generation = 1 + self._generation(self.rows) if generation is None else generation
        self.rows, self.values, self.generations = [], {}, {}
        for copy in self._copies:
            copy.state, copy.count = FileState.UNKNOWN, 0
        for each in values.items():
            self.keep(*each, generation)


def _record(row: bytes) -> _Record | None:
    """Return the value in a line; None if its form is unknown."""
    with suppress(MsgspecError, RecursionError):
        return from_json(chain.text(row), _Record)
    return None
