"""Journal folders as values: files by path, to be written, compared and damaged."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from .reader import check_of, proved

Files = dict[str, bytes]
"""The content of each file, by its path below the folder."""


def taken(folder: Path) -> Files:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def laid(folder: Path, files: Files) -> Path:
    """Make a folder that holds these files and nothing else."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


@contextmanager
def memory() -> Iterator[Path]:
    """Yield a temporary folder, in memory if possible."""
    place = Path("/dev/shm")
    with TemporaryDirectory(dir=place if place.is_dir() else None) as folder:
        yield Path(folder)


def longest(seed: bytes, *contents: bytes) -> list[bytes]:
    """Return the longest chain of valid lines from an id on, with lines from any of the files in any order."""
    lines = sorted({line + b"\n" for content in contents for line in content.split(b"\n")[:-1]})
    best: list[bytes] = []
    ends: list[tuple[bytes, list[bytes]]] = [(seed, [])]
    while ends:
        before, chain = ends.pop()
        best = max(best, chain, key=len)
        ends += [(check_of(line), [*chain, line]) for line in lines if proved(line, before)]
    return best


def texts(content: bytes, seed: bytes) -> list[str]:
    """Return the texts of an undamaged file.

    Raises:
        AssertionError: The file is damaged.
    """
    *lines, rest = content.rstrip(b"\0").split(b"\n")
    assert rest == b"", f"an unfinished line: {rest!r}"
    chain = longest(seed, content)
    assert [line + b"\n" for line in lines] == chain, f"not proved: {lines[len(chain) :][:1]}"
    return [line.split(b"\t")[0].decode() for line in lines]
