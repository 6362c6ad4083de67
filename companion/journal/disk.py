"""System calls on the journal's files: read whole, append in place, replace by rename."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO

ROOM = 16 * 1024  # bytes reserved at a time, so that most writes change no file system metadata
FileStatus = tuple[int, int, int, int]  # device, inode, size and time of a file, to detect a replaced or changed one
NO_STATUS: FileStatus = (0, 0, 0, 0)  # that of a file that is missing

_sync = getattr(os, "fdatasync", os.fsync)

_NO_FILE = {errno.EISDIR, errno.ELOOP, errno.ENXIO, errno.ENODEV, errno.EINVAL}


class OtherFileError(OSError):
    """Raised when a path holds something that is no regular file, or not the file that was written last."""


@contextmanager
def opened(path: Path | str, flags: int) -> Iterator[int]:
    """Open a file for a block; refuse links, and do not wait for a FIFO."""
    descriptor = os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o644)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def opened_file(file: Path) -> Iterator[tuple[int, os.stat_result]]:
    """Open a regular file for reading in a block; raise OtherFileError for a link, a folder, a FIFO or a device."""
    with ExitStack() as stack:
        try:
            descriptor = stack.enter_context(opened(file, os.O_RDONLY))
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise OSError(errno.EISDIR, "not a file")
        except OSError as error:
            if error.errno in _NO_FILE:
                raise OtherFileError(*error.args) from error
            raise
        yield descriptor, found


def read(file: Path) -> tuple[bytes, FileStatus] | None:
    """Return a file's content and status; None if there is none; raise OtherFileError if it is no regular file."""
    try:
        with opened_file(file) as (descriptor, found):
            pieces = iter(lambda: os.read(descriptor, max(found.st_size, ROOM)), b"")
            return b"".join(pieces), _status(found)
    except FileNotFoundError:
        return None


def extend(file: Path, status: FileStatus, offset: int, data: bytes, *, sync: bool) -> FileStatus:
    """Append to a file whose status is unchanged, and return the new status; raise OtherFileError if it changed."""
    try:
        with opened(file, os.O_WRONLY) as descriptor:
            if _status(os.fstat(descriptor)) != status:
                raise OSError(errno.ENOENT, "changed by another program")
            _write(descriptor, data, offset, status[2])
            if sync:
                _sync(descriptor)
            return _status(os.fstat(descriptor))
    except OSError as error:
        if error.errno in _NO_FILE | {errno.ENOENT, errno.ENOTDIR}:
            raise OtherFileError(*error.args) from error
        raise


def replace(file: Path, data: bytes, aside: Path | None, *, sync: bool) -> FileStatus:
    """Replace a file by a new one and return its status; ``aside`` is a folder to keep the old one in.

    At every moment the old file or the new one is there under the file's name, unless the old one cannot be read.
    """
    make_folder(file.parent)
    new = file.with_name(file.name + ".new")
    try:
        with opened(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) as descriptor:
            _write(descriptor, data, 0, 0)
            if sync:
                os.fsync(descriptor)
            if aside is not None:
                keep_aside(file, aside)
            os.rename(new, file)
            status = _status(os.fstat(descriptor))
    except OSError:
        with suppress(OSError):
            os.unlink(new)
        raise
    if sync:
        sync_folder(file.parent)
    return status


@contextmanager
def written_beside(file: Path, mode: int | None = None) -> Iterator[BinaryIO]:
    """Open a new file for a block. At its end the file is synced and takes its name; after an error it is removed.

    Until then it is a hidden file; anything that has its name already, such as a link on somebody's drive, is removed.
    ``mode`` says who may read and write it, before anything is in it; without one the process's umask does.
    """
    new = file.with_name(f".{file.name}.new")
    with suppress(FileNotFoundError):
        os.unlink(new)
    try:
        with open(new, "xb+") as writing:
            if mode is not None:
                os.fchmod(writing.fileno(), mode)
            yield writing
            writing.flush()
            os.fsync(writing.fileno())
        os.rename(new, file)
    except BaseException:
        with suppress(OSError):
            os.unlink(new)
        raise
    sync_folder(file.parent)


def keep_aside(file: Path, folder: Path) -> None:
    """Keep a damaged file in the folder for damaged files, synced, before another one takes its name.

    Until then it also stays where it is: a part of the chain may be in it alone.
    """
    try:
        is_file = stat.S_ISREG(os.lstat(file).st_mode)
    except FileNotFoundError:
        return
    if not is_file:
        move_aside(file, folder)
        return
    aside = _free_name(file, folder)
    try:
        os.link(file, aside)
    except OSError:  # a file system without links, or a file of another user
        try:
            found = read(file)
        except OSError:  # nothing of the chain is in it
            move_aside(file, folder)
            return
        replace(aside, b"" if found is None else found[0], None, sync=True)
    sync_folder(folder)


def move_aside(file: Path, folder: Path) -> None:
    """Move a damaged file, or anything else of its name, into the folder for damaged files."""
    with suppress(FileNotFoundError):
        os.rename(file, _free_name(file, folder))
    sync_folder(folder)


def _free_name(file: Path, folder: Path) -> Path:
    """Return a path for a damaged file that is not in use; the folder is made."""
    make_folder(folder)
    paths = (folder / f"{file.name}.{number}" for number in count(1))
    return next(path for path in paths if not os.path.lexists(path))


def make_folder(folder: Path) -> None:
    """Make a folder and its parents, synced so that they survive a power cut."""
    if not folder.is_dir():
        make_folder(folder.parent)
        os.mkdir(folder)
        try:
            sync_folder(folder.parent)
        except OSError:
            os.rmdir(folder)
            raise


def fault_of(folder: Path) -> OSError | None:
    """Return why a folder cannot be used; None if it can, or if there is none."""
    try:
        with suppress(FileNotFoundError), os.scandir(folder) as entries:
            next(entries, None)
    except OSError as error:
        return error
    return None


def sync_folder(folder: Path) -> None:
    """Sync a folder, where the file system can."""
    with opened(f"{folder}/.", os.O_RDONLY) as descriptor:
        try:
            os.fsync(descriptor)
        except OSError as error:
            if error.errno not in {errno.EINVAL, errno.ENOTSUP}:
                raise


def status(file: Path) -> FileStatus:
    """Return the status of whatever has a file's name; `NO_STATUS` if nothing has, or nobody can tell."""
    with suppress(OSError):
        return _status(os.lstat(file))
    return NO_STATUS


def _status(found: os.stat_result) -> FileStatus:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _write(descriptor: int, data: bytes, offset: int, size: int) -> None:
    """Write data, with reserved space after it where the file grows."""
    end = offset + len(data)
    rest = data if end <= size else data + bytes(-end % ROOM)
    while offset < end:
        written = os.pwrite(descriptor, rest, offset)
        offset, rest = offset + written, rest[written:]
