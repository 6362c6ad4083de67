"""Corrupts input at random, from a seed: byte by byte, value by value."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

JUNK: list[Any] = [
    *(None, True, False, -1, 0, 1, 3, 7, 2**63, 2**64, 10**40, 10**99, 1.0, float("nan"), float("inf")),
    *("", "x", "sea-1", "earth-14", "blank", "noon-animal", "\ud83c", "\x00", "\u202e", "é" * 30, "jp", "start"),
    *([], {}, [[]], [1, 2], [0] * 9, ["sea-3", "sky-9"], {"type": "undo"}, {"player": 0, "card": "sea-5"}),
    *({"\udfff": 0}, {"": {}}, {"type": ["play"]}, {"target": 10**30}),
]
"""Replacement values."""

SNIPPETS = [
    *(
        b"",
        b"",
        b"\n",
        b"\r",
        b"\r\n",
        b"\x00",
        b"\xef\xbb\xbf",
        b"\xff",
        b"\xed\xa0\x80",
        b"\xc0\xaf",
        b"\xe2\x80\xa8",
    ),
    *(b'"', b"\\", b"\\u0000", b"\\ud800", b"{", b"}", b"[" * 99, b"]", b",", b":", b" " * 50, b"#", b"=", b"'''"),
    *(b"0", b"9" * 30, b"9" * 5000, b"-", b"1e999", b"NaN", b"-Infinity", b"1.0", b"0x7f", b"1_0", b"true", b"null"),
    b'{"type":"undo"}\n',
    b'{"type":"redo"}\n',
    b'"type":"undo",',
]
"""Pieces of text to insert anywhere."""


def bytes_spoilt(data: bytes, chance: Random, times: int = 1) -> bytes:
    """Return bytes with some of them cut, changed or doubled, or with a snippet inserted."""
    for _ in range(times):
        start = chance.randrange(len(data) + 1)
        end = min(len(data), start + chance.choice([0, 1, 1, 2, 8, 60]))
        other = chance.randrange(len(data) + 1)
        piece = chance.choice([bytes([chance.randrange(256)]), data[other : other + 9], chance.choice(SNIPPETS)])
        data = data[:start] + piece + data[end:]
    return data


def value_spoilt(value: Any, chance: Random, junk: Sequence[Any] = JUNK) -> Any:
    """Return a value with one part replaced, or one of its keys renamed."""
    path = chance.choice(places(value))
    if path and isinstance(path[-1], str) and chance.random() < 0.2:
        return _renamed(value, path, chance.choice(["", "x", "type", "players", path[-1].upper(), path[-1] + " "]))
    return with_junk(value, path, chance.choice(junk))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [path, *(place for key, each in inner for place in places(each, (*path, key)))]


def with_junk(value: Any, path: tuple[Any, ...], junk: Any) -> Any:
    """Return a value with the part at a path replaced; a list or object there may be changed within instead."""
    if not path:
        return [*value, junk] if isinstance(value, list) else {**value, "junk": junk} if value == {} else junk
    copy = value.copy()
    copy[path[0]] = with_junk(value[path[0]], path[1:], junk)
    return copy


def _renamed(value: Any, path: tuple[Any, ...], name: str) -> Any:
    copy = value.copy()
    if len(path) == 1:
        copy[name] = copy.pop(path[0])
    else:
        copy[path[0]] = _renamed(value[path[0]], path[1:], name)
    return copy
