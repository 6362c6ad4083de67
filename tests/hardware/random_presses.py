"""Random key presses by several fingers, with bouncing contacts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from hypothesis import strategies as st

from companion.ui.keys import Key
from hardware.keys.contacts import SETTLE

SHORTEST = 0.02
"""Shortest press, and shortest pause between two presses of a key, that must be recognized; in seconds."""

_MICRO = 1_000_000
_REST, _LONGEST = int(SHORTEST * _MICRO), 60_000


@dataclass(frozen=True, slots=True)
class Press:
    """One press of a key; times in seconds.

    Attributes:
        name: The key.
        start: The first touch.
        end: When it begins to open.
        moves: All moves of the contact, from first touch to last opening: closes, opens, closes, ..., opens.
    """

    name: str
    start: float
    end: float
    moves: tuple[float, ...]


def _bounces() -> st.SearchStrategy[list[int]]:
    """Draw an even number of times after a first move, in microseconds."""
    moments = st.lists(st.integers(1, int(SETTLE * _MICRO) - 1), max_size=8, unique=True).map(sorted)
    return moments.map(lambda found: found[: len(found) // 2 * 2])


@st.composite
def presses(draw: st.DrawFn, names: Sequence[str], fingers: int, most: int = 5) -> list[Press]:
    """Draw presses of several fingers, sorted by their start. Each finger presses one key after the other."""
    found: list[Press] = []
    for _ in range(fingers):
        now = 0
        for _ in range(draw(st.integers(0, most))):
            now += draw(st.integers(_REST, _LONGEST))
            end = now + draw(st.integers(_REST, _LONGEST))
            name = draw(st.sampled_from(names))
            moves = [
                now,
                *(now + after for after in draw(_bounces())),
                end,
                *(end + after for after in draw(_bounces())),
            ]
            press = Press(name, now / _MICRO, end / _MICRO, tuple(move / _MICRO for move in moves))
            if not any(other.name == name and _touch(press, other) for other in found):
                found.append(press)
            now = end
    return sorted(found, key=lambda press: press.start)


def perform(
    found: Iterable[Press],
    at: Callable[[float, Callable[[], object]], None],
    begin: float,
    close: Callable[[str], object],
    part: Callable[[str], object],
) -> float:
    """Plan every move of the presses; return when all are over."""
    over = begin
    for press in found:
        for number, move in enumerate(press.moves):
            at(begin + move, partial(part if number % 2 else close, press.name))
            over = max(over, begin + move)
    return over + SHORTEST


def must_match(found: Sequence[Press], got: Sequence[tuple[Key, float]], begin: float, latest: float) -> None:
    """Check that every press was reported once, in order, neither too early nor too late.

    Args:
        found: The presses that were performed.
        got: The reported keys and their times.
        begin: When the presses began.
        latest: Maximum seconds from the first touch to the report.
    """
    assert sorted(key.name for key, _ in got) == sorted(press.name for press in found)
    starts: dict[str, list[float]] = {}
    for press in found:
        starts.setdefault(press.name, []).append(begin + press.start)
    last = 0.0
    for key, moment in got:
        start = starts[key.name].pop(0)
        assert not key.held
        assert start + SETTLE <= moment + 1e-9 <= start + latest
        assert start >= last - latest
        last = max(last, start)


def _touch(press: Press, other: Press) -> bool:
    """Return whether two presses of a key are too close together to be told apart."""
    return press.start < other.end + SHORTEST and other.start < press.end + SHORTEST
