"""Breaks key labels into two short lines, and keeps labels of different keys different.

What is too long loses its beginning where another key has the same, else its end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile

COLUMNS = 12
"""Columns of a line; a kanji takes two."""
SHORT = 9
"""Columns that are not broken into two lines."""
COMMA = 4
"""By how many columns a line may be longer to end with a comma."""

_KANA = "\u3041-\u309f"
_JAPANESE = r"\u2e80-\u9fff\uf900-\uffef"
_UNIT = rf"[\u30a0-\u30ff]+[{_KANA}]*|[\u4e00-\u9fff々]+[{_KANA}]*|[{_KANA}]+|[{_JAPANESE}]|[^\s{_JAPANESE}]+"
_AFTER = r"(?:[,.:;…、。・：；）」』]|\s[:;?!»])*"

Units = list[tuple[str, str]]
"""Words with the space before each."""


def columns(line: str) -> int:
    """Return how many columns a line takes."""
    return sum(2 if character >= "\u2e80" else 1 for character in line)


def on_keys(labels: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Return what stands on each key, its lines apart by line breaks.

    Args:
        labels: What the keys do, by their names.
        names: What no line break divides.
    """
    known = sorted(filter(None, names), key=len, reverse=True)
    pattern = re.compile(rf"(\s*)((?:{'|'.join([*map(re.escape, known), _UNIT])}){_AFTER})")
    units = {label: [(gap and " ", unit) for gap, unit in pattern.findall(label)] for label in labels.values()}
    ways = {label: [*_ways(words, units.values())] for label, words in units.items()}
    taken = dict.fromkeys(ways, 0)
    while True:
        shown = {label: ways[label][place] for label, place in taken.items()}
        often = Counter(shown.values())
        clashing = [label for label, lines in shown.items() if often[lines] > 1 and taken[label] + 1 < len(ways[label])]
        if not clashing:
            return {key: "" if label == key else shown[label] for key, label in labels.items()}
        for label in clashing:
            taken[label] += 1


def _ways(units: Units, others: Iterable[Units]) -> Iterator[str]:
    """Yield the ways to show a label, the best first: whole, without what others share, without its end, its end."""
    whole = _lines(units)
    if whole is not None:
        yield whole
        return
    shared = max((_alike(units, other) for other in others if other != units), default=0)
    for dropped in range(min(shared, len(units) - 1), 0, -1):
        rest = _lines([("", f"…{units[dropped][1]}"), *units[dropped + 1 :]])
        if rest is not None:
            yield rest
    fitting = next(place for place in range(len(units), -1, -1) if columns(_line(units[:place])) <= COLUMNS)
    yield "\n".join(filter(None, (_line(units[:fitting]), _cut(_line(units[fitting:]).rstrip(",")))))
    yield "…" + _cut(_line(units)[::-1])[-2::-1]


def _alike(units: Units, other: Units) -> int:
    """Return how many words two labels begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(units, other, strict=False)))


def _lines(units: Units) -> str | None:
    """Return a label as one short line or two that are as even as can be; None if that cannot be."""
    line = _line(units)
    pairs = [(_line(units[:place]), _line(units[place:])) for place in range(1, len(units))]
    fitting = [pair for pair in pairs if max(map(columns, pair)) <= COLUMNS]
    if columns(line) <= (SHORT if fitting else COLUMNS):
        return line
    best = min(fitting, key=_unevenness, default=None)
    return None if best is None else "\n".join(best)


def _unevenness(pair: tuple[str, str]) -> int:
    """Return how wide two lines are; they are best broken after a comma."""
    return max(map(columns, pair)) - COMMA * pair[0].endswith((",", "、", ":", "："))


def _line(units: Units) -> str:
    return "".join(gap + unit for gap, unit in units).strip()


def _cut(line: str) -> str:
    """Return the beginning of a line that has room, and that it goes on."""
    kept = next(place for place in range(len(line), -1, -1) if columns(line[:place]) < COLUMNS)
    return f"{line[:kept].rstrip(' ,')}…"
