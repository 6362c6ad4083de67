"""Compares the journal with `reader`, an independent reader written from docs/journal.md alone."""

from __future__ import annotations

import random
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.journal import Journal, JournalError

from . import reader

BLOCK = 512


def compare(times: int, seed: int, folder: Path) -> tuple[int, int]:
    """Damage journals of two games each, and read them with both readers.

    Returns:
        How many games both read alike, and in how many of them both found more than the chain.

    Raises:
        AssertionError: The readers differ.
    """
    chance = random.Random(seed)
    more = 0
    for number in range(times):
        place = folder / str(number)
        names = _written(place, chance)
        if chance.random() < 1 / 6:
            _fork(place, names[0], chance)
        for _damage in range(chance.choice((0, 1, 1, 2, 3))):
            _damaged(place, names, chance)
        for name in names:
            ours, theirs = _ours(place, name), reader.read_game(place, name)
            differ = {what: (ours[what], theirs[what]) for what in ours if ours[what] != theirs[what]}
            assert not differ, f"{place}, {name}: {differ}"
            more += ours["more"]
        shutil.rmtree(place)
    return 2 * times, more


def _written(place: Path, chance: random.Random) -> list[str]:
    journal, names = Journal(place), []
    for _game in range(2):
        name = journal.name_for("gear")
        names.append(name)
        journal.begin(name, f'{{"format":1,"rounds":{chance.randrange(9)}}}', "full", 1.5)
        for number in range(chance.randrange(30)):
            _append(journal, name, f'{{"type":"play","card":{number}}}', chance)
    journal.close()
    (place / "index.jsonl").unlink()
    return names


def _append(journal: Journal, name: str, line: str, chance: random.Random) -> None:
    tracking, over = chance.choice(("full", "quick")), chance.random() < 0.1
    journal.append(name, line, now=2.5, tracking=tracking, keys="A#", over=over)


def _fork(place: Path, name: str, chance: random.Random) -> None:
    """Continue a game differently on two boxes, and copy one file of the other box over the first's."""
    other = place.with_name("other")
    shutil.copytree(place, other)
    for box in (place, other):
        journal = Journal(box)
        for number in range(chance.randrange(4)):
            _append(journal, name, f'{{"{box.name}":{number}}}', chance)
        journal.close()
    shutil.copy(other / "copies" / f"{name}.jsonl", place / "copies")
    shutil.rmtree(other)
    (place / "index.jsonl").unlink(missing_ok=True)


def _damaged(place: Path, names: list[str], chance: random.Random) -> None:
    """Damage one of the two files of the first game."""
    file = place / chance.choice(("games", "copies")) / f"{names[0]}.jsonl"
    content = bytearray(file.read_bytes() if file.exists() else b"")
    other = (place / "games" / f"{names[1]}.jsonl").read_bytes()
    body = bytes(content).rstrip(b"\0")
    lines = body.split(b"\n")
    at, block = chance.randrange(len(body) + 1), chance.randrange(len(body) + 1) // BLOCK * BLOCK
    match chance.randrange(9):
        case 0:
            content[at : at + 1] = bytes((content[at] ^ 1 << chance.randrange(8),)) if at < len(content) else b""
        case 1:
            content[block : block + BLOCK] = bytes(BLOCK)
        case 2:
            content[block : block + BLOCK] = b"\xff" * BLOCK
        case 3:
            del content[at:]
        case 4:
            file.unlink(missing_ok=True)
            return
        case 5:
            content = bytearray(other)
        case 6:
            content[block : block + BLOCK] = other[block : block + BLOCK]
        case 7:
            lines.insert(chance.randrange(len(lines)), chance.choice(lines))
            content = bytearray(b"\n".join(lines) + bytes(100))
        case 8:
            lines.pop(chance.randrange(len(lines)))
            content = bytearray(b"\n".join(lines) + bytes(100))
    file.write_bytes(content)


def _ours(place: Path, name: str) -> dict[str, Any]:
    journal = Journal(place, writes=False)
    read: tuple[Any, ...] = [], None, False, None
    with suppress(JournalError):  # nothing of it can be read
        saved = journal.saved(name)
        read = [saved.header, *journal.lines(name)], saved.tracking, saved.over, saved.begun
    more = any(text in str(notice) for notice in journal.notices for text in (": damaged", "something else"))
    return dict(zip(("lines", "tracking", "over", "at"), read, strict=True), more=more)
