"""Breaks key labels into two short lines, and keeps labels of different keys different.

A label that is too long loses its beginning if another label begins alike, else its end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile

COLUMNS = 12
"""Columns per line; a full-width character takes two."""
SHORT = 9
"""Maximum columns of a label that is kept on one line."""
COMMA = 4
"""How many columns of unevenness a break after a comma is worth."""

_KANA = "\u3041-\u309f"
_JAPANESE = r"\u2e80-\u9fff\uf900-\uffef"
_UNIT = rf"[\u30a0-\u30ff]+[{_KANA}]*|[\u4e00-\u9fff々]+[{_KANA}]*|[{_KANA}]+|[{_JAPANESE}]|[^\s{_JAPANESE}]+"
_AFTER = r"(?:[,.:;…、。・：；）」』]|\s[:;?!»])*"

Units = list[tuple[str, str]]
"""Words, each with the space before it."""


def columns(line: str) -> int:
    """Return the width of a line in columns."""
    return sum(2 if character >= "\u2e80" else 1 for character in line)


def on_keys(labels: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Return the text of each key, its lines separated by line breaks; names are not broken."""
    known = sorted(filter(None, names), key=len, reverse=True)
    pattern = re.compile(rf"(\s*)((?:{'|'.join([*map(re.escape, known), _UNIT])}){_AFTER})")
    units = {label: [(gap and " ", unit) for gap, unit in pattern.findall(label)] for label in labels.values()}
    variants = {label: [*_variants(words, units.values())] for label, words in units.items()}
    taken = dict.fromkeys(variants, 0)
    while True:
        shown = {label: variants[label][place] for label, place in taken.items()}
        often = Counter(shown.values())
        clashing = [
            label for label, lines in shown.items() if often[lines] > 1 and taken[label] + 1 < len(variants[label])
        ]
        if not clashing:
            return {key: "" if label == key else shown[label] for key, label in labels.items()}
        for label in clashing:
            taken[label] += 1


def _variants(units: Units, others: Iterable[Units]) -> Iterator[str]:
    """Yield the ways to show a label, best first: whole, without a shared beginning, without its end, its end alone."""
    whole = _lines(units)
    if whole is not None:
        yield whole
        return
    shared = max((_shared_words(units, other) for other in others if other != units), default=0)
    for dropped in range(min(shared, len(units) - 1), 0, -1):
        rest = _lines([("", f"…{units[dropped][1]}"), *units[dropped + 1 :]])
        if rest is not None:
            yield rest
    fitting = next(place for place in range(len(units), -1, -1) if columns(_line(units[:place])) <= COLUMNS)
    yield "\n".join(filter(None, (_line(units[:fitting]), _cut(_line(units[fitting:]).rstrip(",")))))
    yield "…" + _cut(_line(units)[::-1])[-2::-1]


def _shared_words(units: Units, other: Units) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(units, other, strict=False)))


def _lines(units: Units) -> str | None:
    """Return a label as one short line or two lines of similar width; None if it does not fit."""
    line = _line(units)
    pairs = [(_line(units[:place]), _line(units[place:])) for place in range(1, len(units))]
    fitting = [pair for pair in pairs if max(map(columns, pair)) <= COLUMNS]
    if columns(line) <= (SHORT if fitting else COLUMNS):
        return line
    best = min(fitting, key=_unevenness, default=None)
    return None if best is None else "\n".join(best)


def _unevenness(pair: tuple[str, str]) -> int:
    """Return the width of the wider line, less a bonus for a break after a comma or colon."""
    return max(map(columns, pair)) - COMMA * pair[0].endswith((",", "、", ":", "："))


def _line(units: Units) -> str:
    return "".join(gap + unit for gap, unit in units).strip()


def _cut(line: str) -> str:
    kept = next(place for place in range(len(line), -1, -1) if columns(line[:place]) < COLUMNS)
    return f"{line[:kept].rstrip(' ,')}…"
