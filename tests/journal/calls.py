"""System calls of a journal: each can be watched, refused, cut short, or be the last before a kill."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

CHANGING = {"pwrite", "write", "fsync", "fdatasync", "rename", "replace", "unlink", "mkdir", "rmdir"}
CHANGING |= {"truncate", "ftruncate", "link", "symlink", "pwritev", "writev", "sendfile", "copy_file_range"}
READING = {"read", "fstat", "stat", "lstat", "listdir", "scandir"}


class Killed(BaseException):
    """The process is killed at a call; no other call follows."""


@dataclass(slots=True)
class Call:
    """A system call on a path below a folder.

    Attributes:
        name: Its name; "create" for an open that may make a file.
        path: Its path; of two paths the second is `to`.
        descriptor: The descriptor it returned or was given.
        data: The data to write.
        offset: Where to write it; None for the end.
    """

    name: str
    path: str
    to: str = ""
    descriptor: int = -1
    data: bytes = b""
    offset: int | None = None

    @property
    def changes(self) -> bool:
        return self.name == "create" or self.name in CHANGING


Watch = Callable[[Call], object]


class Calls:
    """The system calls of this process on files below a folder.

    Attributes:
        before: Called before each; may raise, or return how many bytes of the data are to be written.
        after: Called after each that succeeded.
        count: How many there were.
    """

    def __init__(self, place: Path, before: Watch | None = None, after: Watch | None = None) -> None:
        self.before, self.after, self.count = before, after, 0
        self._place = f"{place}"
        self._open: dict[int, str] = {}
        self._dead = False

    @contextmanager
    def watched(self) -> Iterator[Calls]:
        """Watch the calls within the block; then close files that a kill left open."""
        names = {name for name in (*CHANGING, *READING, "open", "close") if hasattr(os, name)}
        watched = {getattr(os, name): self._wrapped(name, getattr(os, name)) for name in names}
        modules = [os, *(module for name, module in sys.modules.items() if name.startswith("companion.journal"))]
        close = os.close
        with ExitStack() as patches:
            for module in modules:
                for name, value in list(vars(module).items()):
                    if callable(value) and value in watched:
                        patches.enter_context(patch.object(module, name, watched[value]))
            try:
                yield self
            finally:
                for descriptor in self._open if self._dead else ():
                    with suppress(OSError):
                        close(descriptor)

    def kill(self) -> None:
        """Allow no other call.

        Raises:
            Killed: Always.
        """
        self._dead = True
        raise Killed

    def _below(self, path: Any) -> bool:
        return isinstance(path, str | os.PathLike) and os.fspath(path).startswith(self._place)

    def _wrapped(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            if name == "close":
                if not self._dead:
                    self._open.pop(given[0], None)
                    real(given[0])
                return None
            if not self._below(given[0]) and given[0] not in self._open:
                return real(*given, **named)
            made = self._call(name, given)
            if self._dead:
                raise Killed
            self.count += 1
            least = self.before(made) if self.before is not None else None
            if isinstance(least, int):
                made.data = made.data[:least]
                given = (given[0], made.data, *given[2:])
            result = real(*given, **named)
            if name == "open":
                self._open[result], made.descriptor = made.path, result
            if self.after is not None:
                self.after(made)
            return result

        return call

    def _call(self, name: str, given: tuple[Any, ...]) -> Call:
        first = given[0]
        if name == "open":
            name = "create" if given[1] & os.O_CREAT else "open"
        if isinstance(first, int):
            made = Call(name, self._open[first], descriptor=first)
            if name in ("pwrite", "write"):
                made.data, made.offset = bytes(given[1]), given[2] if name == "pwrite" else None
            return made
        return Call(name, os.fspath(first), os.fspath(given[1]) if name in ("rename", "replace", "link") else "")


def refusing(numbers: range | set[int], error: int, *, torn: int | None = None) -> tuple[Watch, list[Call]]:
    """Return a watcher that refuses calls of some numbers, counted from 0 among those that can fail so.

    Args:
        numbers: The numbers.
        error: The errno to raise.
        torn: The bytes of a write to write anyway; such a short write raises nothing.

    Returns:
        The function to call before each call, and the refused calls.
    """
    count, refused = 0, list[Call]()
    space = error in (errno.ENOSPC, errno.EDQUOT)

    def before(made: Call) -> int | None:
        nonlocal count
        if not (made.changes or (error == errno.EIO and made.name not in ("unlink", "rmdir"))):
            return None
        if space and made.name in ("unlink", "rename", "rmdir"):
            return None
        count += 1
        if count - 1 not in numbers:
            return None
        refused.append(made)
        if torn is not None and made.name in ("pwrite", "write") and len(made.data) > torn:
            return torn
        raise OSError(error, os.strerror(error))

    return before, refused
