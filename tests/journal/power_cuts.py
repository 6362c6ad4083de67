"""A disk model for power cuts: after one it holds what was synced, and any part of the rest.

Each sector of a file may be in any state written since the last sync, and so may the file's size. Each change of names
(files made, renamed, removed) since the folder's last sync may hold or not, as a whole. A failed sync has brought
nothing to the disk, and the next one does not retry that, as in Linux.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from .calls import Call
from .folders import Files, taken

SECTOR = 512

Choose = Callable[[int], int]
"""Returns one of so many states, from 0, the oldest, to the latest."""


class File:
    """A file.

    Attributes:
        seen: Its content, as the running system sees it.
    """

    def __init__(self, content: bytes = b"") -> None:
        self.seen = content
        self._sizes = [len(content)]
        self._states = {at: [content[at : at + SECTOR]] for at in range(0, len(content), SECTOR)}
        self._unsynced: set[int] = set()

    def write(self, offset: int | None, data: bytes) -> None:
        """Write to it at an offset, or at its end."""
        start = len(self.seen) if offset is None else offset
        self.seen = self.seen[:start].ljust(start, b"\0") + data + self.seen[start + len(data) :]
        self._sizes.append(len(self.seen))
        for at in range(start // SECTOR * SECTOR, start + len(data), SECTOR):
            self._states.setdefault(at, [b""]).append(self.seen[at : at + SECTOR])
            self._unsynced.add(at)

    def sync(self, *, failed: bool) -> None:
        if not failed:
            for at in self._unsynced:
                self._states[at] = [self.seen[at : at + SECTOR]]
            self._sizes = [len(self.seen)]
        self._unsynced = set()

    def left(self, choose: Choose) -> bytes:
        size = self._sizes[choose(len(self._sizes))]
        content = bytearray(size)
        for at, states in self._states.items():
            state = states[choose(len(states))][: max(0, size - at)]
            content[at : at + len(state)] = state
        return bytes(content)


class Folder:
    """A folder.

    Attributes:
        first: The names in it at first.
        seen: The names in it, as the running system sees them.
    """

    def __init__(self) -> None:
        self.first: dict[str, File | Folder] = {}
        self.seen: dict[str, File | Folder] = {}


@dataclass(slots=True)
class _Change:
    """Names that change together; None for a removed one."""

    names: list[tuple[Folder, str, File | Folder | None]]
    synced: bool = False


class PowerCutDisk:
    """A disk that knows what was synced."""

    def __init__(self, place: Path) -> None:
        """Begin with the content of a folder, all of it synced."""
        self._place = place
        self._root = Folder()
        self._changes: list[_Change] = []
        self._open: dict[int, File | Folder | None] = {}
        for name, content in taken(place).items():
            folder = self._root
            for part in PurePath(name).parts[:-1]:
                within = folder.first.setdefault(part, Folder())
                assert isinstance(within, Folder)
                folder = within
            folder.first[PurePath(name).name] = File(content)
        self._settle(self._root)

    def _settle(self, folder: Folder) -> None:
        folder.seen = dict(folder.first)
        for each in folder.first.values():
            if isinstance(each, Folder):
                self._settle(each)

    def take(self, call: Call) -> None:
        """Apply a call that succeeded."""
        match call.name:
            case "open" | "create":
                if call.name == "create" and self._find(call.path) is None:
                    self._change((call.path, File()))
                self._open[call.descriptor] = self._find(call.path)
            case "pwrite" | "write":
                if isinstance(found := self._open[call.descriptor], File):
                    found.write(call.offset, call.data)
            case "fsync" | "fdatasync":
                found = self._open[call.descriptor]
                if isinstance(found, File):
                    found.sync(failed=False)
                for change in self._changes:
                    change.synced |= any(folder is found for folder, _, _ in change.names)
            case "rename" | "replace":
                self._change((call.path, None), (call.to, self._find(call.path)))
            case "link":
                self._change((call.to, self._find(call.path)))
            case "unlink" | "rmdir":
                self._change((call.path, None))
            case "mkdir":
                self._change((call.path, Folder()))
            case name:
                assert not call.changes, name

    def fail(self, call: Call) -> None:
        if call.name in ("fsync", "fdatasync") and isinstance(found := self._open[call.descriptor], File):
            found.sync(failed=True)

    def left(self, choose: Choose) -> Files:
        names: dict[Folder, dict[str, File | Folder]] = {}
        for change in self._changes:
            if change.synced or choose(2):
                for folder, name, node in change.names:
                    within = names.setdefault(folder, dict(folder.first))
                    within.pop(name, None)
                    if node is not None:
                        within[name] = node
        return dict(_files(self._root, "", lambda folder: names.get(folder, folder.first), lambda f: f.left(choose)))

    def seen(self) -> Files:
        return dict(_files(self._root, "", lambda folder: folder.seen, lambda file: file.seen))

    def _change(self, *changes: tuple[str, File | Folder | None]) -> None:
        names = []
        for path, node in changes:
            folder = self._find(os.path.dirname(path))
            assert isinstance(folder, Folder), path
            names.append((folder, os.path.basename(path), node))
            folder.seen.pop(os.path.basename(path), None)
            if node is not None:
                folder.seen[os.path.basename(path)] = node
        self._changes.append(_Change(names))

    def _find(self, path: str) -> File | Folder | None:
        node: File | Folder | None = self._root
        for part in PurePath(path).relative_to(self._place).parts:
            node = node.seen.get(part) if isinstance(node, Folder) else None
        return node


def _files(
    folder: Folder,
    path: str,
    names: Callable[[Folder], dict[str, File | Folder]],
    content: Callable[[File], bytes],
) -> Iterator[tuple[str, bytes]]:
    for name, node in names(folder).items():
        if isinstance(node, Folder):
            yield from _files(node, f"{path}{name}/", names, content)
        else:
            yield path + name, content(node)


def none(_states: int) -> int:
    """Choose the synced state."""
    return 0


def by(chance: random.Random) -> Choose:
    """Return a random choice that prefers any, the oldest or the latest state."""
    lean = chance.choice([0.0, 0.1, 0.5, 0.9, 1.0])

    def choose(states: int) -> int:
        if states == 1:
            return 0
        return chance.randrange(states) if chance.random() < 0.5 else (states - 1) * (chance.random() < lean)

    return choose
