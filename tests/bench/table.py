"""The one table of figures: a row each, as soon as it is known, its columns as wide as a terminal has room for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

WIDTHS = (33, 14, 25, 13, 6, 16, 6)
HEADS = ("figure", "measured", "peer", "its figure", "ratio", "limit", "kept")


class Limit(NamedTuple):
    """What a figure is held to.

    Attributes:
        bound: The most it should be.
        least: Whether it is the least instead.
        ratio: Whether it is the ratio to the peer that is held to it.
    """

    bound: float
    least: bool = False
    ratio: bool = False

    def __str__(self) -> str:
        bound = f"1/{brief(1 / self.bound)}" if self.bound < 1 else brief(self.bound)
        return f"{'≥' if self.least else '≤'} {bound}{' ×' if self.ratio else ''}"


@dataclass(frozen=True, slots=True)
class Row:
    """A figure beside its peer's.

    Attributes:
        figure: What it is.
        measured: How much it is.
        unit: Of what.
        peer: What it is held against, measured in the same run.
        theirs: How much that is.
        limits: What it is held to.
    """

    figure: str
    measured: float
    unit: str = ""
    peer: str = ""
    theirs: float | None = None
    limits: tuple[Limit, ...] = ()

    @property
    def ratio(self) -> float | None:
        """Return how many times the peer's figure it is."""
        return None if self.theirs is None else self.measured / self.theirs

    @property
    def kept(self) -> bool:
        """Tell whether it is within its limits."""
        for limit in self.limits:
            value = self.ratio if limit.ratio else self.measured
            if value is None or (value < limit.bound if limit.least else value > limit.bound):
                return False
        return True

    def __str__(self) -> str:
        return lined(
            self.figure,
            f"{brief(self.measured)} {self.unit}".rstrip(),
            self.peer,
            "" if self.theirs is None else f"{brief(self.theirs)} {self.unit}".rstrip(),
            "" if self.ratio is None else f"{self.ratio:.2f}",
            ", ".join(map(str, self.limits)),
            "" if not self.limits else "yes" if self.kept else "missed",
        )


def brief(number: float) -> str:
    """Write a number with as many digits as are of use."""
    if abs(number) >= 1000 or abs(number - round(number)) < 1e-9:
        return f"{number:,.0f}"
    return f"{number:.1f}" if abs(number) >= 100 else f"{number:.2f}".removesuffix("0")


def lined(*cells: str) -> str:
    """Set the cells of a line, the numbers to the right."""
    return " ".join(
        f"{cell:>{width}}" if head in ("measured", "its figure", "ratio") else f"{cell:<{width}}"
        for cell, width, head in zip(cells, WIDTHS, HEADS, strict=True)
    ).rstrip()


def table(rows: Iterable[Row]) -> Iterator[str]:
    """Yield the table line by line, and at its end how many limits are kept."""
    yield lined(*HEADS)
    yield lined(*("-" * width for width in WIDTHS))
    held: list[Row] = []
    count = 0
    for row in rows:
        count += 1
        held += [row] if row.limits else []
        yield str(row)
    missed = [row for row in held if not row.kept]
    yield f"{count} figures, {len(held)} of them with a limit; missed: {len(missed)}"
    for row in missed:
        beside = f", beside {row.peer}" if any(limit.ratio for limit in row.limits) else ""
        yield f"  {row.figure.strip()}{beside}"
