"""Chained lines: each ends in a checksum that also covers the previous checksum. Pure functions.

A line is ``TEXT tab NOTE tab CHECK newline``. CHECK is BLAKE2b of 64 bits, in hex, over the check before, a tab, TEXT,
a tab and NOTE. For the first line the chain's id takes the place of the check before. So a changed, lost, moved or
foreign line is detected. Zeros after the last line are reserved space.
"""

from __future__ import annotations

import re
from _blake2 import blake2b  # where hashlib has it from, which would load OpenSSL: 3.4 MB
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

from msgspec import MsgspecError, Struct, json

from companion.decoding import from_json

CHECK = 16  # hex digits
RECENT = 200  # the latest lines of a game whose typed keys are read: more than any round has
Rows = list[bytes]  # lines as in a file, each with its newline
_WHOLE = re.compile(rb"[^\t]*\t[^\t]*\t[0-9a-f]{%d}[^\n]+" % CHECK)
"""A line that has its check, and something else than its newline behind it."""


def chained(before: bytes, text: str, note: dict[str, Any]) -> bytes:
    r"""Return a text as a line of the file, with a newline, and a check that covers it and the line before.

    >>> chained(b"7f3a9c21", '{"type":"undo"}', {"at": 1.5})
    b'{"type":"undo"}\t{"at":1.5}\tb6db0fe35c5b0f51\n'
    """
    content = text.encode() + b"\t" + json.encode(note)
    return content + b"\t" + _check(before, content) + b"\n"


def check(row: bytes) -> bytes:
    return row[-CHECK - 1 : -1]


def text(row: bytes) -> str:
    """Return a line without its check."""
    return row.split(b"\t", 1)[0].decode(errors="replace")


def rows(content: bytes) -> Rows:
    """Return the complete lines of a file, valid or not."""
    return [row + b"\n" for row in content.split(b"\n")[:-1]]


def is_valid(before: bytes, row: bytes) -> bool:
    """Return whether a line's check is right after the check of the line before."""
    content, _, claimed = row[:-1].rpartition(b"\t")
    return content.count(b"\t") == 1 and _check(before, content) == claimed


def longest_chain(seed: bytes, contents: Iterable[bytes]) -> Rows:
    """Return the longest valid chain that a file's copies hold together.

    Of equally long chains the one that follows the first copy is returned.
    """
    copies = [rows(content) for content in dict.fromkeys(content.rstrip(b"\0") for content in contents)]
    return max((_follow(seed, [*copies[first:], *copies[:first]]) for first in range(len(copies))), key=len, default=[])


def _behind(seed: bytes, copy: Rows) -> dict[bytes, bytes]:
    """Return the line behind each check; of several, where a line stands twice, the first that it proves."""
    found: dict[bytes, bytes] = {}
    for row, after in pairwise((seed + b"\n", *copy)):
        before = check(row)
        known = found.setdefault(before, after)
        if known != after and not is_valid(before, known) and is_valid(before, after):
            found[before] = after
    return found


def _follow(seed: bytes, copies: list[Rows]) -> Rows:
    """Return a valid chain from its id on; where copies differ, the first that continues it is followed."""
    chain: dict[bytes, None] = {}
    before = seed
    nexts = [_behind(seed, copy) for copy in copies]
    while True:
        after = next((row for each in nexts if (row := each.get(before)) and is_valid(before, row)), None)
        if after is None:  # the line before may be damaged, and claim any check
            rest = (row for copy in copies for row in copy if row not in chain)
            after = next((row for row in rest if is_valid(before, row)), None)
        if after is None:
            return list(chain)
        chain[after] = None
        before = check(after)


def unfinished(rest: bytes) -> bool:
    """Return whether the bytes after a chain are one partly written line, as a kill leaves one.

    A line with its check, and another byte in the place of its newline, was written whole, and is damaged.
    """
    rest = rest.rstrip(b"\0")
    if _WHOLE.fullmatch(rest):
        return False
    return b"\n" not in rest[:-1] and (rest[-1:] != b"\n" or b"\0" in rest)


def may_hold_more(seed: bytes, chain: Rows, content: bytes) -> bool:
    """Return whether a damaged file holds something that is not in the chain, and may have been entries.

    It holds a line of the chain, is longer, and does not end in the chain's last line, after which nothing was written;
    or a valid line goes on differently from one of the chain.
    """
    known, present, body = {seed + b"\n", *chain}, rows(content), content.rstrip(b"\0")
    at_end = bool(chain) and body.endswith(chain[-1])
    if len(body) > sum(map(len, chain)) and not at_end and not known.isdisjoint(present):
        return True
    pairs = pairwise((seed + b"\n", *present))
    return any(before in known and row not in known and is_valid(check(before), row) for before, row in pairs)


def _check(before: bytes, content: bytes) -> bytes:
    return blake2b(before + b"\t" + content, digest_size=CHECK // 2).hexdigest().encode()


# Notes of a game's lines


class Note(Struct, frozen=True):
    """When and how a line was entered."""

    at: float = 0  # the time, in seconds since 1970; 0 if it is not known
    tracking: str = ""  # the level of detail recorded from here on
    keys: str = ""  # the keys that were typed for its answers
    chosen: bool = False  # whether answers were chosen on a page or with few keys, not typed
    over: bool = False  # whether the game is over after this line
    empty: bool = False  # whether no entry counts after this line
    players: tuple[str, ...] = ()  # the names by seat, if a line changed those of the header


def note_of_state(*, over: bool, empty: bool, players: Sequence[str]) -> dict[str, Any]:
    """Return what the note of a line says of the game after it; what is usual is left out."""
    told = {"over": over, "empty": empty, "players": [*players]}
    return {name: value for name, value in told.items() if value}


def note_of(row: bytes) -> Note:
    """Return the note of a line; an empty one if its form is unknown."""
    with suppress(MsgspecError):
        return from_json(row.split(b"\t")[1], Note)
    return Note()


def typed_keys(rows: Rows) -> dict[int, str]:
    """Return the keys typed for the latest lines of a game, by the number of the line; the header is line 1.

    They are empty for a line whose answers were chosen, not typed.
    """
    notes = ((number, note_of(row)) for number, row in [*enumerate(rows, 1)][1:][-RECENT:])
    return {number: note.keys for number, note in notes if note.keys or note.chosen}
