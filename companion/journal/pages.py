"""Reading rows out of single pages of a database, whatever became of the pages around them.

SQLite finds a page through others, and gives up at the first that is damaged. A page that is whole can be read
for itself: https://www.sqlite.org/fileformat2.html#b_tree_pages. What is read here has yet to prove that it is
true, by a checksum of its own.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator
from enum import Enum

from .schema import PAGE

Value = int | float | str | bytes | None
Row = tuple[Value, ...]


class Tree(Enum):
    """What kind of table a page belongs to."""

    NUMBERED = "its rows bear a number besides"
    KEYED = "its rows are sorted by a key"


_LEAF_OF_NUMBERED, _LEAF_OF_KEYED, _BRANCH_OF_KEYED = 0x0D, 0x0A, 0x02
_LOCAL = {Tree.NUMBERED: PAGE - 35, Tree.KEYED: (PAGE - 12) * 64 // 255 - 23}  # bytes of a row that may stay in a page
_LEAST = (PAGE - 12) * 32 // 255 - 23  # of a longer row

_NOT_A_ROW = (IndexError, ValueError, struct.error)  # the second is also what text that is not UTF-8 raises


def rows(page: bytes, overflow: Callable[[int], bytes]) -> Iterator[tuple[Tree, Row]]:
    """Return what can be read of the rows in a page.

    Args:
        page: The page; of the first of a database, which holds the schema only, nothing is read.
        overflow: Gives the page of a number, for rows that are longer than a page; empty where there is none.

    Yields:
        Each row with the kind of its table; where rows are numbered, the number comes first.
    """
    if len(page) != PAGE or page[0] not in (_LEAF_OF_NUMBERED, _LEAF_OF_KEYED, _BRANCH_OF_KEYED):
        return
    tree = Tree.NUMBERED if page[0] == _LEAF_OF_NUMBERED else Tree.KEYED
    head, child = (12, 4) if page[0] == _BRANCH_OF_KEYED else (8, 0)
    (count,) = struct.unpack_from(">H", page, 3)
    for place in range(head, min(head + 2 * count, PAGE - 1), 2):
        try:
            yield tree, _row(page, struct.unpack_from(">H", page, place)[0] + child, tree, overflow)
        except _NOT_A_ROW:
            continue


def _row(page: bytes, place: int, tree: Tree, overflow: Callable[[int], bytes]) -> Row:
    size, place = _varint(page, place)
    number = 0
    if tree is Tree.NUMBERED:
        number, place = _varint(page, place)
    values = _values(_payload(page, place, size, _LOCAL[tree], overflow))
    return (number, *values[1:]) if tree is Tree.NUMBERED else values


def _payload(page: bytes, place: int, size: int, local: int, overflow: Callable[[int], bytes]) -> bytes:
    """Return the bytes of a row, gathered from the pages that it runs over."""
    if size <= local:
        return _exactly(page[place : place + size], size)
    here = _LEAST + (size - _LEAST) % (PAGE - 4)
    if here > local:
        here = _LEAST
    payload = bytearray(_exactly(page[place : place + here], here))
    (following,) = struct.unpack_from(">I", page, place + here)
    while len(payload) < size:
        more = _exactly(overflow(following), PAGE)
        payload += more[4 : 4 + size - len(payload)]
        (following,) = struct.unpack_from(">I", more)
    return bytes(payload)


def _values(payload: bytes) -> Row:
    """Return the values of a record."""
    size, place = _varint(payload, 0)
    start, found = size, []
    while place < size:
        kind, place = _varint(payload, place)
        length = _WIDTHS[kind] if kind < 12 else (kind - 12) // 2
        found.append(_value(kind, _exactly(payload[start : start + length], length)))
        start += length
    return tuple(found)


_WIDTHS = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)


def _value(kind: int, content: bytes) -> Value:
    if kind == 0:
        return None
    if kind == 7:
        number: float = struct.unpack(">d", content)[0]
        if math.isnan(number):  # SQLite keeps none
            raise ValueError(number)
        return number
    if kind in (8, 9):
        return kind - 8
    if kind < 7:
        return int.from_bytes(content, "big", signed=True)
    return content.decode() if kind % 2 else content


def _varint(content: bytes, place: int) -> tuple[int, int]:
    """Return a number of one to nine bytes, and where it ends."""
    number = 0
    for end in range(place, place + 8):
        number = number << 7 | content[end] & 0x7F
        if content[end] < 0x80:
            return number, end + 1
    number = number << 8 | content[place + 8]
    return number - (1 << 64 if number >= 1 << 63 else 0), place + 9


def _exactly(content: bytes, size: int) -> bytes:
    if len(content) != size or size < 0:
        raise ValueError(size)
    return content
