"""What may become of files: bytes flipped, pages lost, ends cut off, files gone or of another day."""

from __future__ import annotations

import random
from collections.abc import Callable

from .journals import Files

PAGE = 4096

Wound = Callable[[dict[str, bytes], str, random.Random, Files], None]
"""Changes a file of a journal, given all its files, its name, and an earlier state of the same journal."""


def flipped(content: dict[str, bytes], name: str, chance: random.Random, _: Files) -> None:
    data = bytearray(content[name])
    for _time in range(chance.choice([1, 1, 2, 5, 20, 50])):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    content[name] = bytes(data)


def garbled(content: dict[str, bytes], name: str, chance: random.Random, _: Files) -> None:
    data = bytearray(content[name])
    for _time in range(chance.choice([1, 1, 3])):
        start = chance.randrange((len(data) + PAGE - 1) // PAGE) * PAGE
        size = len(data[start : start + PAGE])
        data[start : start + PAGE] = chance.choice([bytes(size), b"\xff" * size, chance.randbytes(size)])
    content[name] = bytes(data)


def smeared(content: dict[str, bytes], name: str, chance: random.Random, _: Files) -> None:
    data = bytearray(content[name])
    start = chance.randrange(len(data))
    size = len(data[start : start + chance.choice([16, 512, 20_000])])
    data[start : start + size] = chance.randbytes(size)
    content[name] = bytes(data)


def headless(content: dict[str, bytes], name: str, chance: random.Random, _: Files) -> None:
    data = bytearray(content[name])
    for _time in range(chance.choice([1, 3])):
        data[chance.randrange(min(len(data), 120))] = chance.randrange(256)
    content[name] = bytes(data)


def cut(content: dict[str, bytes], name: str, chance: random.Random, _: Files) -> None:
    content[name] = content[name][: chance.randrange(len(content[name]))]


def gone(content: dict[str, bytes], name: str, _chance: random.Random, _: Files) -> None:
    del content[name]


def emptied(content: dict[str, bytes], name: str, _chance: random.Random, _: Files) -> None:
    content[name] = b""


def earlier(content: dict[str, bytes], name: str, _chance: random.Random, before: Files) -> None:
    content[name] = before.content.get(name, b"")


def swapped(content: dict[str, bytes], name: str, chance: random.Random, _: Files) -> None:
    other = chance.choice(sorted(content))
    content[name], content[other] = content[other], content[name]


def replaced(content: dict[str, bytes], name: str, chance: random.Random, _: Files) -> None:
    content[name] = chance.randbytes(len(content[name]))


def strayed(content: dict[str, bytes], _name: str, chance: random.Random, _: Files) -> None:
    names = ("journal.db-wal", "journal.db-shm", "journal.db-journal", "journal.mend", "journal.db-mended.new")
    name = chance.choice([name for name in names if name not in content])
    content[name] = chance.randbytes(chance.choice([1, 40, 5000, 40_000]))


WOUNDS: tuple[Wound, ...] = (
    flipped,
    flipped,
    garbled,
    smeared,
    headless,
    cut,
    gone,
    emptied,
    earlier,
    swapped,
    replaced,
    strayed,
)
