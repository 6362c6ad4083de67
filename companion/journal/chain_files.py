"""A chain of lines, kept in memory and in two files with the same content.

The chain in memory is authoritative. A line is saved once one of the files has it, synced: the first, or the second
while the first cannot be written. Else the second copy is written at the same time, but not synced.
"""

from __future__ import annotations

from contextlib import suppress
from enum import Enum, auto
from pathlib import Path
from typing import Any

from msgspec import MsgspecError, Struct, json

from . import chain, disk


class State(Enum):
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
    state: State = State.UNKNOWN
    count: int = 0  # how many of the chain's lines it holds
    left: disk.Left = (0, 0, 0, 0)  # its status after the last write, if it is current
    fault: OSError | None = None  # why it cannot be read or written

    def read(self) -> bytes | None:
        """Return the file's content; None if there is no file, empty if it cannot be read."""
        self.state, self.count, self.fault = State.UNKNOWN, 0, None
        try:
            found = disk.read(self.file)
        except disk.OtherFileError:
            self.state = State.DAMAGED
            return b""
        except OSError as error:
            self.state, self.fault = State.UNREADABLE, error
            return b""
        if found is None:
            return None
        self.state = State.CURRENT
        content, self.left = found
        return content

    def compare(self, content: bytes | None, rows: chain.Rows) -> None:
        """Count the chain's lines in the content that was read, and find whether it is damaged."""
        if self.state is not State.CURRENT:
            return
        whole, body = b"".join(rows), (content or b"").rstrip(b"\0")
        if whole.startswith(body):
            self.count = body.count(b"\n")
        elif body.startswith(whole) and chain.unfinished(body[len(whole) :]):
            self.count, self.state = len(rows), State.UNKNOWN
        else:
            self.state = State.DAMAGED

    def bring(self, rows: chain.Rows, *, sync: bool) -> bool:
        """Write the missing lines; return whether the file was missing or changed."""
        found, before = False, self.count
        if self.state is State.UNREADABLE:
            self.compare(self.read(), rows)
        if self.state is State.CURRENT and sync and not self.durable:
            self.state = State.UNKNOWN
        if self.state is State.CURRENT:
            try:
                self._extend(rows, sync=sync)
            except disk.OtherFileError:
                self.compare(self.read(), rows)
                found = self.state in (State.DAMAGED, State.UNREADABLE) or self.count < before
                if self.state is State.CURRENT:
                    with suppress(disk.OtherFileError):  # a file system that numbers its files anew
                        self._extend(rows, sync=sync)
        if self.state is not State.CURRENT and rows:
            aside = None if self.state is State.UNKNOWN else self.aside
            self.left = disk.replace(self.file, b"".join(rows), aside, sync=sync)
            self.state, self.durable = State.CURRENT, sync
        elif self.state is State.DAMAGED:
            disk.move_aside(self.file, self.aside)
            self.state = State.UNKNOWN
        self.count, self.fault = len(rows), None
        return found

    def _extend(self, rows: chain.Rows, *, sync: bool) -> None:
        """Append the missing lines. After an error nobody knows what is on the disk."""
        self.state = State.UNKNOWN
        offset, data = sum(map(len, rows[: self.count])), b"".join(rows[self.count :])
        with suppress(PermissionError):  # a file that may only be read is replaced
            self.left = disk.extend(self.file, self.left, offset, data, sync=sync)
            self.state = State.CURRENT


class Found(Struct, frozen=True):
    """The state of a chain's files when they were read.

    Attributes:
        damaged: Whether the first one was damaged, missing or behind.
        copy_damaged: Whether the second was damaged.
        more: Whether something stands in one of them that is not in the chain, and may have been entries.
        nothing: Whether there are files, but no chain.
    """

    damaged: bool
    copy_damaged: bool
    more: bool
    nothing: bool


class Chain:
    """A chain of lines in memory, and its two files."""

    def __init__(self, name: str, seed: bytes, *copies: ChainFile, synced: bool = True) -> None:
        """Begin an empty chain; without files it is kept in memory only.

        Args:
            name: The name of its files.
            seed: The id of the chain.
            copies: Its files.
            synced: Whether every line is synced.
        """
        self.name = name
        self.rows: chain.Rows = []
        self.unsaved = 0  # how many of them are not on the disk
        self._seed = seed
        self._copies = copies
        self._synced = synced

    def load(self) -> Found:
        """Read both files and keep every valid line; raise OSError if that may be possible only another time."""
        contents = self._read()
        self.rows = chain.prove(self._seed, [content or b"" for content in contents])
        for file, fault in self.failing.items() if not self.rows else ():
            # no first file, and a folder for the second that cannot be read: most likely there never was a file
            if contents[0] is not None or disk.fault_of(file.parent) is None:
                raise fault
        for copy, content in zip(self._copies, contents, strict=True):
            copy.compare(content, self.rows)
        there = [
            copy
            for copy, content in zip(self._copies, contents, strict=True)
            if content is not None and copy.state is not State.UNREADABLE
        ]
        damaged = [copy.state is State.DAMAGED for copy in self._copies]
        more = any(
            torn and chain.more(self._seed, self.rows, content or b"")
            for torn, content in zip(damaged, contents, strict=True)
        )
        first = self._copies[:1]
        behind = any(copy.state is not State.UNREADABLE and copy.count < len(self.rows) for copy in first)
        for copy in there:
            if not self.rows or (behind and copy in first):
                copy.state = State.DAMAGED
        nothing = bool(there) and not self.rows
        return Found(any(damaged[:1]) or behind, any(damaged[1:]), more or nothing, nothing)

    def _read(self) -> list[bytes | None]:
        return [copy.read() for copy in reversed(self._copies)][::-1]  # the first file last: it is never behind

    def add(self, text: str, note: dict[str, Any]) -> None:
        """Add a line, in memory."""
        before = chain.check(self.rows[-1]) if self.rows else self._seed
        self.rows.append(chain.chained(before, text, note))
        self.unsaved += 1

    def bring(self) -> bool:
        """Write the missing lines to both files; return whether one was missing or changed.

        One file that has all of them, synced, is enough. A file that cannot be read is left as it is until there are
        lines to write.

        Raises OSError if the disk refuses; a later try may succeed.
        """
        found, saved, faults = False, False, list[OSError]()
        for copy in self._copies:
            if copy.state is State.UNREADABLE and not self.unsaved:
                continue
            try:
                found |= copy.bring(self.rows, sync=self._synced and not saved)
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
    def whole(self) -> bool:
        return all(copy.state is State.CURRENT and copy.count == len(self.rows) for copy in self._copies)


class _Record(Struct, frozen=True, omit_defaults=True):
    name: str
    value: Any
    turn: int = 0


class NamedValues(Chain):
    """Named values, kept as a chain; the latest value of a name counts."""

    def __init__(self, name: str, *copies: ChainFile, synced: bool = True) -> None:
        super().__init__(name, name.encode(), *copies, synced=synced)
        self.values: dict[str, Any] = {}
        self.turns: dict[str, int] = {}

    def load(self) -> Found:
        found = super().load()
        self.read_values()
        return found

    def _read(self) -> list[bytes | None]:
        """Return the contents of the files; none of a copy from before the file was begun anew."""
        contents = super()._read()
        turns = [self._turn(chain.rows(content or b"")) for content in contents]
        for number, (copy, turn) in enumerate(zip(self._copies, turns, strict=True)):
            if 0 <= turn < max(turns):
                copy.state, contents[number] = State.UNKNOWN, None
        return contents

    def _turn(self, rows: chain.Rows) -> int:
        """Return how often the file with these lines was begun anew; -1 if its first line is not valid."""
        if not rows or not chain.proved(self._seed, rows[0]):
            return -1
        record = _record(rows[0])
        return 0 if record is None else record.turn

    def read_values(self) -> None:
        """Read the values from the lines; lines in an unknown form are ignored."""
        for row in self.rows:
            record = _record(row)
            if record is not None:
                self.values[record.name], self.turns[record.name] = record.value, record.turn

    def keep(self, name: str, value: Any, turn: int = 0) -> None:
        """Keep a value, in memory."""
        self.values[name], self.turns[name] = value, turn
        self.add(json.encode(_Record(name, value, turn)).decode(), {})

    def begin_anew(self, values: dict[str, Any], turn: int | None = None) -> None:
        """Replace all values by these, in a new file; it counts more than a copy with a lower turn."""
        turn = 1 + self._turn(self.rows) if turn is None else turn
        self.rows, self.values, self.turns = [], {}, {}
        for copy in self._copies:
            copy.state, copy.count = State.UNKNOWN, 0
        for each in values.items():
            self.keep(*each, turn)


def _record(row: bytes) -> _Record | None:
    """Return the value in a line; None if its form is unknown."""
    with suppress(MsgspecError, RecursionError):
        return json.decode(chain.text(row), type=_Record)
    return None
