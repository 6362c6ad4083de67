"""The file of an evening: one event a line, appended and never changed. One program at a time uses it."""

from __future__ import annotations

import fcntl
import logging
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.journal.disk import opened, sync_folder

from .evening_state import EveningError
from .events import Event, decode, encode
from .replay import Moment, begin, follow

MOST_BYTES = 16 * 1024 * 1024

_LOG = logging.getLogger(__name__)


class EveningLog:
    """An open file. `open_log` makes it.

    Attributes:
        moment: The evening after its last event.
        length: The bytes of the whole lines.
    """

    def __init__(self, descriptor: int, moment: Moment, length: int) -> None:
        self.moment = moment
        self._descriptor = descriptor
        self.length = length

    def add(self, *events: Event) -> Moment:
        """Append events, all or none; return the moment after them once the disk has them.

        Raises EveningError if one of them cannot be.
        """
        lines, after = [encode(event) for event in events], self.moment
        for line in lines:
            after = follow(after, decode(line))
        whole = b"".join(lines)
        _append(self._descriptor, self.length, whole)
        self.length += len(whole)
        self.moment = after
        return after


def new_log(path: Path, event: Event) -> Moment:
    """Begin an evening's file; raise EveningError if the event begins none, FileExistsError if the file is there."""
    line = encode(event)
    moment = begin(decode(line))
    with opened(path, os.O_RDWR | os.O_CREAT | os.O_EXCL) as descriptor:
        try:
            _append(descriptor, 0, line)
        except OSError:
            path.unlink()
            raise
    sync_folder(path.parent)
    return moment


def read_log(path: Path) -> Moment:
    """Return the evening of a file, which may be write-protected; see `open_log` for errors."""
    with open_log(path, os.O_RDONLY) as log:
        return log.moment


@contextmanager
def open_log(path: Path, flags: int = os.O_RDWR) -> Iterator[EveningLog]:
    """Open an evening's file for a block, when no other program uses it.

    Raises:
        EveningError: A line is damaged or cannot be; the sentence names it. A last line without its end is left out:
            its event was never confirmed.
        OSError: The file cannot be read.
    """
    with opened(path, flags) as descriptor:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise EveningError(f"{path}: this is no file")
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_size > MOST_BYTES:
            raise EveningError(f"{path}: too large, more than {MOST_BYTES >> 20} MB")
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read()
        whole, _end, cut = data.rpartition(b"\n")
        if cut:
            _LOG.warning("%s: the last line is cut off, and is left out", path)
        yield EveningLog(descriptor, _read(path, whole), len(data) - len(cut))


def _read(path: Path, whole: bytes) -> Moment:
    moment: Moment | None = None
    for number, line in enumerate(whole.split(b"\n"), 1):
        try:
            event = decode(line)
            moment = begin(event) if moment is None else follow(moment, event)
        except EveningError as fault:
            raise EveningError(f"{path}, line {number}: {fault}") from None
    assert moment is not None  # splitting yields a line at least
    return moment


def _append(descriptor: int, offset: int, line: bytes) -> None:
    """Write a line after the whole ones, and wait for the disk."""
    os.ftruncate(descriptor, offset)
    while line:
        written = os.pwrite(descriptor, line, offset)
        offset, line = offset + written, line[written:]
    os.fsync(descriptor)
