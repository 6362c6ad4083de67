"""Damages of one file: bits flipped, blocks lost, ends cut off, the file deleted, or replaced by something else."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from .folders import Files

SECTOR, BLOCK = 512, 4096


@dataclass(frozen=True, slots=True)
class Damage:
    """A damage of a file.

    Attributes:
        file: Its path below the folder.
        kind: The kind of damage, in a word.
        told: The damage in detail.
        make: Returns the damaged content.
        instead: Puts something other than a file in its place.
    """

    file: str
    kind: str
    told: str
    make: Callable[[], bytes] | None = None
    instead: Callable[[Path], object] | None = None

    @property
    def content(self) -> bytes | None:
        """Return the damaged content; None if there is no file any more."""
        return None if self.make is None else self.make()

    def do(self, folder: Path) -> None:
        path = folder / self.file
        if self.make is not None:
            path.write_bytes(self.make())
        else:
            path.unlink()
            if self.instead is not None:
                self.instead(path)

    def hurts(self, files: Files) -> bool:
        """Return whether it changes more than the bytes after the last line."""
        content = self.content
        return content is None or not content.startswith(files[self.file].rstrip(b"\0"))


def of_bytes(files: Files, name: str, earlier: Files, *, tail: int = 64) -> Iterator[Damage]:
    """Yield every damage after which a file is still a file.

    Args:
        files: All files.
        name: The file.
        earlier: The files at an earlier time.
        tail: The distance of the bytes damaged among the zeros after the last line.
    """
    content = files[name]
    body = content.rstrip(b"\0")
    end, size = len(body), len(content)
    wound = partial(Damage, name)
    for at in (*range(end), *range(end, size, tail)):
        for bit in range(8):
            yield wound("bit flipped", f"bit {bit} of byte {at} flipped", partial(_flipped, content, at, bit))
    for block in (SECTOR, BLOCK):
        for at in range(0, size, block):
            for fill in (b"\0", b"\xff"):
                told = f"{block} bytes at {at} made {fill!r}"
                yield wound("block lost", told, partial(_filled, content, at, min(at + block, size), fill))
    for length in (*range(end + 2), *range(end + 2, size, tail)):
        yield wound("cut", f"cut to {length} bytes", partial(_cut, content, length, length))
        if length < end:
            yield wound("cut", f"cut to {length} bytes, zeros follow", partial(_cut, content, length, size))
    for other in sorted(files.keys() - {name}):
        yield wound("another file's", f"replaced by {other}", partial(files.__getitem__, other))
    if name in earlier:
        yield wound("as earlier", "as it was earlier", partial(earlier.__getitem__, name))
    for told, more in (
        ("zeros and a letter appended", content[end:] + bytes(100) + b"x"),
        ("a line appended", b'{"type":"undo"}\n'),
        ("its last line twice", body.split(b"\n")[-2] + b"\n"),
    ):
        yield wound("appended to", told, partial(bytes.__add__, body, more))


def _flipped(content: bytes, at: int, bit: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 1 << bit]) + content[at + 1 :]


def _filled(content: bytes, start: int, stop: int, fill: bytes) -> bytes:
    return content[:start] + fill * (stop - start) + content[stop:]


def _cut(content: bytes, length: int, size: int) -> bytes:
    return content[:length].ljust(size, b"\0")


def of_names(name: str) -> Iterator[Damage]:
    """Yield every damage after which a file is gone or no regular file."""

    def folder(path: Path) -> None:
        path.mkdir()
        (path / "stranger").write_text("mine")

    yield Damage(name, "gone", "gone")
    for kind, instead in (
        ("a folder", folder),
        ("an empty folder", Path.mkdir),
        ("a FIFO", os.mkfifo),
        ("a dangling link", lambda path: path.symlink_to("nowhere")),
        ("a link to a file", lambda path: path.symlink_to("/etc/passwd")),
        ("a link to itself", lambda path: path.symlink_to(path.name)),
    ):
        yield Damage(name, kind, kind, instead=instead)


def of_file(files: Files, name: str, earlier: Files, *, tail: int = 64) -> Iterator[Damage]:
    yield from of_names(name)
    yield from of_bytes(files, name, earlier, tail=tail)


def some(files: Files, name: str, earlier: Files, times: int, chance: random.Random) -> list[Damage]:
    """Return some damages of a file, at least one of each kind."""
    every = list(of_file(files, name, earlier, tail=1024))
    kinds = sorted({wound.kind for wound in every})
    least = [chance.choice([wound for wound in every if wound.kind == kind]) for kind in kinds]
    return least + chance.sample(every, max(0, times - len(least)))


def one(every: Sequence[Damage], chance: random.Random) -> Damage:
    """Return one of some damages, each kind with equal probability."""
    kind = chance.choice(sorted({wound.kind for wound in every}))
    return chance.choice([wound for wound in every if wound.kind == kind])
