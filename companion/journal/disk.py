"""System calls on the journal's files: a file is read whole, extended in place, or replaced by rename."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

ROOM = 16 * 1024  # zeros a file grows by, so that a line that is written changes data only, and no block lists
Left = tuple[int, int, int, int]  # device, number, size and time of a file: another one, or a changed one, differs

_sync = getattr(os, "fdatasync", os.fsync)

_NO_FILE = {errno.EISDIR, errno.ELOOP, errno.ENXIO, errno.ENODEV, errno.EINVAL, errno.ENOTDIR}


class Damage(OSError):
    """A file is not as it was left, or something stands in its place that cannot be read as a file."""


@contextmanager
def opened(path: Path | str, flags: int) -> Iterator[int]:
    """Open a file as long as a block runs; never a link, and without waiting for a FIFO."""
    descriptor = os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o644)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def read(file: Path) -> tuple[bytes, Left] | None:
    """Return the content of a file and how it was left, None if there is none; or raise Damage."""
    try:
        with opened(file, os.O_RDONLY) as descriptor:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise OSError(errno.EISDIR, "not a file")
            pieces = iter(lambda: os.read(descriptor, max(found.st_size, ROOM)), b"")
            return b"".join(pieces), _left(found)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in _NO_FILE | {errno.EIO}:
            raise Damage(*error.args) from error
        raise


def extend(file: Path, left: Left, offset: int, data: bytes, *, sync: bool) -> Left:
    """Write data into a file that is as it was left, and return how it is left now; raise Damage if it is not."""
    try:
        with opened(file, os.O_WRONLY) as descriptor:
            if _left(os.fstat(descriptor)) != left:
                raise OSError(errno.ENOENT, "changed by another program")
            _write(descriptor, data, offset, left[2])
            if sync:
                _sync(descriptor)
            return _left(os.fstat(descriptor))
    except OSError as error:
        if error.errno in _NO_FILE | {errno.ENOENT}:
            raise Damage(*error.args) from error
        raise


def replace(file: Path, data: bytes, aside: Path | None, *, sync: bool) -> Left:
    """Put a new file in the place of another, which may be kept in a folder for such; return how it is left."""
    make_folder(file.parent)
    new = file.with_name(file.name + ".new")
    try:
        with opened(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) as descriptor:
            _write(descriptor, data, 0, 0)
            if sync:
                os.fsync(descriptor)
            if aside is not None:
                set_aside(file, aside)
            os.rename(new, file)
            left = _left(os.fstat(descriptor))
    except OSError:
        with suppress(OSError):
            os.unlink(new)
        raise
    if sync:
        sync_folder(file.parent)
    return left


def set_aside(file: Path, folder: Path) -> None:
    """Move a damaged file, or anything else that has its name, into a folder for such."""
    make_folder(folder)
    paths = (folder / f"{file.name}.{number}" for number in count(1))
    with suppress(FileNotFoundError):
        os.rename(file, next(path for path in paths if not os.path.lexists(path)))
    sync_folder(folder)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, so that they are there after a power cut."""
    if not folder.is_dir():
        make_folder(folder.parent)
        os.mkdir(folder)
        try:
            sync_folder(folder.parent)
        except OSError:
            os.rmdir(folder)
            raise


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk; some file systems know no such thing."""
    with opened(f"{folder}/.", os.O_RDONLY) as descriptor:
        try:
            os.fsync(descriptor)
        except OSError as error:
            if error.errno not in {errno.EINVAL, errno.ENOTSUP}:
                raise


def _left(found: os.stat_result) -> Left:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _write(descriptor: int, data: bytes, offset: int, size: int) -> None:
    """Write data and, where that makes a file larger than it is, as much room behind it as the disk has."""
    end = offset + len(data)
    rest = data if end <= size else data + bytes(-end % ROOM)
    while offset < end:
        written = os.pwrite(descriptor, rest, offset)
        offset, rest = offset + written, rest[written:]
