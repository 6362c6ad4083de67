"""The table of figures: a row each, as soon as it is known, with columns as wide as a terminal allows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

WIDTHS = (33, 14, 25, 13, 6, 16, 6)
HEADS = ("figure", "measured", "peer", "its figure", "ratio", "limit", "kept")


class Limit(NamedTuple):
    """A limit of a figure.

    Attributes:
        bound: The highest value allowed.
        why: The reason for it, in words.
        least: Whether it is the lowest value instead.
        ratio: Whether it limits the ratio to the peer.
    """

    bound: float
    why: str
    least: bool = False
    ratio: bool = False

    def __str__(self) -> str:
        bound = f"1/{brief(1 / self.bound)}" if self.bound < 1 else brief(self.bound)
        return f"{'≥' if self.least else '≤'} {bound}{' ×' if self.ratio else ''}"


@dataclass(frozen=True, slots=True)
class Row:
    """A figure beside its peer's.

    Attributes:
        figure: Its name.
        measured: Its value.
        unit: Its unit.
        peer: The peer, measured in the same run.
        theirs: The peer's value.
        limits: Its limits.
    """

    figure: str
    measured: float
    unit: str = ""
    peer: str = ""
    theirs: float | None = None
    limits: tuple[Limit, ...] = ()

    @property
    def ratio(self) -> float | None:
        return None if self.theirs is None else self.measured / self.theirs

    def kept(self, slack: float = 0.0) -> bool:
        """Return whether it is within its limits, or misses them by no more than a share of them."""
        for limit in self.limits:
            value = self.ratio if limit.ratio else self.measured
            most, least = limit.bound * (1 + slack), limit.bound * (1 - slack)
            if value is None or (value < least if limit.least else value > most):
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
            "" if not self.limits else "yes" if self.kept() else "missed",
        )


def brief(number: float) -> str:
    """Return a number with as many digits as are useful."""
    if abs(number) >= 1000 or abs(number - round(number)) < 1e-9:
        return f"{number:,.0f}"
    return f"{number:.1f}" if abs(number) >= 100 else f"{number:.2f}".removesuffix("0")


def lined(*cells: str) -> str:
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
    missed = [row for row in held if not row.kept()]
    yield f"{count} figures, {len(held)} of them with a limit; missed: {len(missed)}"
    for row in missed:
        beside = f", beside {row.peer}" if any(limit.ratio for limit in row.limits) else ""
        yield f"  {row.figure.strip()}{beside}"
