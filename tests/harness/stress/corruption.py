"""Corrupts input at random, from a seed: byte by byte, value by value, line by line."""

from __future__ import annotations

import json
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


def lines_spoilt(lines: list[Any], chance: Random, others: Sequence[Any]) -> list[Any]:
    """Return the lines of a log with some of them changed, doubled, lost, moved, corrected, or from another game.

    Args:
        lines: The header and the lines below it.
        chance: The random numbers.
        others: Lines of other games.
    """
    lines = list(lines)
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        at = chance.choice([0, len(lines) - 1, chance.randrange(len(lines)), chance.randrange(len(lines))])
        match chance.randrange(9):
            case 0 | 1:
                lines[at] = value_spoilt(lines[at], chance)
            case 2:
                lines[at] = _borrowing(lines[at], chance.choice(others), chance)
            case 3:
                lines.insert(at + 1, lines[at])
            case 4:
                del lines[at]
            case 5:
                other = chance.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
            case 6:
                lines[at + 1 : at + 1] = [{"type": chance.choice(["undo", "undo", "redo"])}] * chance.choice([1, 2, 9])
            case 7:
                lines.insert(at + 1, chance.choice(others))
            case 8:
                correction = chance.choice([_amend, _splice])
                lines.insert(at + 1, correction(lines, chance, others))
        lines = lines or [chance.choice(JUNK)]
    return lines


def _borrowing(line: Any, other: Any, chance: Random) -> Any:
    """Return a line with a value from another line in place of its own; the result may be valid."""
    if not isinstance(line, dict) or not isinstance(other, dict):
        return other
    return {**line, **{key: other[key] for key in line if key in other and chance.random() < 0.6}}


def _amend(lines: list[Any], chance: Random, others: Sequence[Any]) -> Any:
    to = chance.choice([chance.choice(lines), chance.choice(lines), chance.choice(others), chance.choice(JUNK)])
    number = chance.choice([1, chance.randrange(len(lines) + 1), chance.randrange(len(lines) + 1), -1, 10**20])
    amend = {"type": "amend", "event": number, "to": to}
    return {"type": "amend", "event": 1, "to": amend} if chance.random() < 0.1 else amend


def _splice(lines: list[Any], chance: Random, others: Sequence[Any]) -> Any:
    put = [chance.choice([chance.choice(lines), chance.choice(others)]) for _ in range(chance.choice([0, 1, 1, 2, 3]))]
    if chance.random() < 0.1:
        put.append(chance.choice([*JUNK, _amend(lines, chance, others)]))
    number = chance.choice([1, chance.randrange(len(lines) + 1), len(lines), -1, 10**20])
    drop = chance.choice([0, 1, 1, 2, chance.randrange(len(lines) + 1), -1, 10**20])
    return {"type": "splice", "event": number, "drop": drop, "put": put}


def as_log(lines: Sequence[Any]) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()
