"""The write-ahead log: what SQLite does not take of it, and what stands in it.

SQLite takes a log up to the first page whose checksum is wrong, and says nothing of what follows. After a power
cut that is right: the last transaction was not on the disk yet. What follows *that* was.
https://www.sqlite.org/walformat.html
"""

from __future__ import annotations

import os
import struct
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from . import files
from .files import beside
from .schema import PAGE

_HEAD, _FRAME_HEAD = 32, 24
_FRAME = _FRAME_HEAD + PAGE
_MAGIC = {0x377F0682: "little", 0x377F0683: "big"}
_INDEX_HEAD = 48


@dataclass(frozen=True, slots=True)
class Frame:
    """A page as some transaction left it.

    Attributes:
        page: Its number in the database.
        commits: Whether a transaction ended with it.
        salts: What all frames since the log was last begun anew have in common.
        content: The page.
    """

    page: int
    commits: bool
    salts: bytes
    content: bytes


def frames(log: bytes) -> Iterator[Frame]:
    """Return whatever frames there are in a log, in the order in which they stand, sound or not."""
    for start in range(_HEAD, len(log) - _FRAME + 1, _FRAME):
        page, pages = struct.unpack_from(">II", log, start)
        yield Frame(page, pages > 0, log[start + 8 : start + 16], log[start + _FRAME_HEAD : start + _FRAME])


def has_sound_head(log: Path) -> bool:
    """Tell whether the head of a log can be read; SQLite takes nothing of a log whose head cannot."""
    with log.open("rb") as handle:
        head = handle.read(_HEAD)
    if len(head) < _HEAD or struct.unpack_from(">I", head)[0] not in _MAGIC:
        return False
    return struct.unpack_from(">II", head, 24) == _sum(head[:24], _order(head), (0, 0))


def has_sound_frames(log: Path) -> bool:
    """Tell whether the frames of a log follow from each other, as far as the second tells, whatever its head is."""
    with log.open("rb") as handle:
        _, first, second = handle.read(_HEAD), handle.read(_FRAME), handle.read(_FRAME)
    if len(second) < _FRAME:
        return True
    seed, content = struct.unpack_from(">II", first, 16), second[:8] + second[_FRAME_HEAD:]
    return struct.unpack_from(">II", second, 16) in {_sum(content, order, seed) for order in _MAGIC.values()}


def has_frames(log: Path) -> bool:
    """Tell whether there is at least one page in a log."""
    return files.size(log) >= _HEAD + _FRAME


def lost_transactions(database: Path) -> int:
    """Return how many transactions stand in a log, of the same evening, beyond those that SQLite takes.

    To be called once SQLite has looked at the log, and while nobody has it open.
    """
    log = beside(database, "-wal")
    if not has_frames(log) or not has_sound_head(log):
        return 0
    with log.open("rb", buffering=0) as handle:
        head = handle.read(_HEAD)
        count = (os.fstat(handle.fileno()).st_size - _HEAD) // _FRAME
        taken = _taken(beside(database, "-shm"), head)
        if taken is None:
            taken = _count(handle.fileno(), head, count)
        lost = 0
        for number in range(taken, count):
            frame = os.pread(handle.fileno(), 16, _HEAD + number * _FRAME)
            lost += frame[8:16] == head[16:24] and frame[4:8] != bytes(4)
    return lost


def _taken(index: Path, head: bytes) -> int | None:
    """Return how many frames SQLite took, as it noted that in the index of the log; None if it is of another log."""
    if files.size(index) < 2 * _INDEX_HEAD:
        return None
    with index.open("rb") as handle:
        first, second = handle.read(_INDEX_HEAD), handle.read(_INDEX_HEAD)
    if first != second or first[32:40] != head[16:24]:
        return None
    (taken,) = struct.unpack_from("=I", first, 16)
    return int(taken)


def _count(log: int, head: bytes, count: int) -> int:
    """Return after how many frames the last transaction ends that SQLite takes; slow, for want of an index."""
    seed, taken = struct.unpack_from(">II", head, 24), 0
    for number in range(count):
        frame = os.pread(log, _FRAME, _HEAD + number * _FRAME)
        seed = _sum(frame[:8] + frame[_FRAME_HEAD:], _order(head), seed)
        if frame[8:16] != head[16:24] or struct.unpack_from(">II", frame, 16) != seed:
            break
        if frame[4:8] != bytes(4):
            taken = number + 1
    return taken


def _order(head: bytes) -> str:
    return _MAGIC[struct.unpack_from(">I", head)[0]]


def _sum(content: bytes, order: str, seed: tuple[int, ...]) -> tuple[int, int]:
    """Return the checksum that SQLite has for the log."""
    words = array("I", content)
    if (array("H", [1]).tobytes() == b"\0\1") != (order == "big"):
        words.byteswap()
    first, second = seed
    for one, other in zip(words[::2], words[1::2], strict=True):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return first, second
