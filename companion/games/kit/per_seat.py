"""Functions on per-seat tuples: tuples with one value for each seat."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, TypeVar

V = TypeVar("V")


def changed(counts: tuple[int, ...], seat: int, by: int) -> tuple[int, ...]:
    """Return per-seat counts with a number added to one of them.

    >>> changed((1, 2, 3), 1, 5)
    (1, 7, 3)
    """
    return (*counts[:seat], counts[seat] + by, *counts[seat + 1 :])


def put(values: tuple[V, ...], seat: int, value: V) -> tuple[V, ...]:
    """Return per-seat values with one of them replaced.

    >>> put(("a", "b"), 1, "c")
    ('a', 'c')
    """
    return (*values[:seat], value, *values[seat + 1 :])


def added(totals: Sequence[int], points: Sequence[int]) -> tuple[int, ...]:
    """Return the per-seat sums of two sequences.

    >>> added((10, 20), (1, -2))
    (11, 18)
    """
    return tuple(before + more for before, more in zip(totals, points, strict=True))


def from_left(dealer: int, seats: int, out: Collection[int] = ()) -> tuple[int, ...]:
    """Return the seats clockwise, from the left of the dealer to the dealer, without those that sit out.

    >>> from_left(1, 4), from_left(1, 4, out=(1,))
    ((2, 3, 0, 1), (2, 3, 0))
    """
    around = ((dealer + step) % seats for step in range(1, seats + 1))
    return tuple(seat for seat in around if seat not in out)


def best(scores: Sequence[Any]) -> tuple[int, ...]:
    """Return all seats that have the highest score.

    >>> best((4, 7, 7))
    (1, 2)
    """
    highest = max(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == highest)
