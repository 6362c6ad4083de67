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
    "kills": Size(500, 3),
    "damage": Size(2000, 12),
    "disk": Size(100, 2),
    "times": Size(200, 1),
    "keys": Size(1_000_000, 1_200),
    "evening": Size(24, 1),
    "texts": Size(100_000, 120),
    "page": Size(20_000, 60),
}


def run(name: str, times: int, seed: int) -> Iterator[str]:
    """Run a chapter.

    Raises:
        AssertionError: A promise was broken.
    """
    lines: Iterator[str] = import_module(f"tests.stress.{name}").run(times, seed)
    return lines
