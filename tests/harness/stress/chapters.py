"""The list of chapters, and how long each runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module


@dataclass(frozen=True, slots=True)
class Size:
    """How many times a chapter repeats its cases.

    Attributes:
        whole: In ``make stress``.
        short: In the suite.
    """

    whole: int
    short: int


SIZES: dict[str, Size] = {
    "crash": Size(500, 2),
    "clocks": Size(200, 2),
    "damage": Size(2000, 2),
    "disk": Size(100, 1),
    "inodes": Size(20, 1),
    "wear": Size(80, 2),
    "table": Size(2000, 1),
    "flood": Size(8, 1),
    "history": Size(5000, 12),
    "shipped": Size(2000, 2),
}


def run(name: str, times: int, seed: int) -> Iterator[str]:
    """Run a chapter.

    Raises:
        AssertionError: A promise was broken.
    """
    lines: Iterator[str] = import_module(f"tests.harness.stress.{name}").run(times, seed)
    return lines
