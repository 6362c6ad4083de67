"""Selects a row of a list: by number in short lists, else by moving and confirming.

A and B move in every list. In a list too long for numbers, 2, 8, 4 and 6 move as well, and 5 confirms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.core.text import joined
from companion.ui.keys import Key, numbered_name
from companion.ui.translations import _
from companion.ui.view import ListBody, TextBody

PAGE = 5
"""Rows by which 4 and 6 move."""

COLON = _("{number}: {entry}", number="", entry="")
"""The colon after a number that is no key, and the space behind it if the language has one there."""

NUMBERED = 10
"""The maximum length of a list with numbers; 0 is its tenth row."""

STEPS = {"A": -1, "B": 1}
MOVES = {"2": -1, "8": 1, "4": -PAGE, "6": PAGE, **STEPS}


def row_name(row: int) -> str:
    """Return the name of choosing a row."""
    return f"row {row + 1}"


def row_named(name: str, count: int) -> int | None:
    """Return the row of a name; None if it is no row of a list of ``count`` rows."""
    number = numbered_name("row", name)
    return None if number is None or not 0 < number <= count else number - 1


def move_name(rows: int) -> str:
    """Return the name of moving the highlight down by some rows; up if there are fewer than 0."""
    return f"move {rows}"


def moved_to(name: str, count: int, chosen: int) -> int | None:
    """Return the highlighted row after a choice that moves the highlight; None if it is another one."""
    for rows in {*MOVES.values()}:
        if name == move_name(rows):
            return max(0, min(count - 1, chosen + rows))
    return None


def numbered(count: int) -> bool:
    """Return whether a list of ``count`` rows is chosen from by number."""
    return count <= NUMBERED


def moved_row(count: int, chosen: int, key: Key) -> int | None:
    """Return the highlighted row after a key that moves; None for other keys."""
    steps = STEPS if numbered(count) else MOVES
    if key.held or not count or key.name not in steps:
        return None
    return max(0, min(count - 1, chosen + steps[key.name]))


def confirmed_row(count: int, chosen: int, key: Key, start: int = 1) -> int | None:
    """Return the row that a key chooses, or None; the first row has the number ``start``."""
    if key.held or not count:
        return None
    digits = numbered(count)
    if key.name == "#" or (key.name == "5" and not digits):
        return chosen
    if key.name.isdigit() and digits:
        row = (int(key.name) - start) % NUMBERED
        return row if row < count else None
    return None


def path(count: int, chosen: int, target: int) -> str:
    """Return the shortest key sequence that chooses a row."""
    if chosen == target:
        return "#"
    if numbered(count):
        return str((target + 1) % NUMBERED)
    return _moving_keys(count, chosen, target) + "#"


def _moving_keys(count: int, chosen: int, target: int) -> str:
    """Return the shortest key sequence that moves the highlight of a long list to a row."""
    reached = {chosen: ""}
    edge = [chosen]
    while target not in reached:
        last, edge = edge, []
        for row in last:
            for key in MOVES:
                to = moved_row(count, row, Key(key))
                if to is not None and to not in reached:
                    reached[to] = reached[row] + key
                    edge.append(to)
    return reached[target]


def row_labels(body: object) -> Mapping[str, object]:
    """Return the labels of the keys that choose and move in a list, or scroll a page."""
    match body:
        case ListBody(_, rows, chosen, start=start):
            short = rows if numbered(len(rows)) else ()
            texts = [text for text, _value in short]  # rows with the same text also show their value
            numbers = {
                str((row + start) % NUMBERED): text if texts.count(text) == 1 else joined((text, value))
                for row, (text, value) in enumerate(short)
            }
            return {**_arrows(len(rows), chosen), **distinguishable(numbers)}
        case TextBody(_, sentences, first):
            return _arrows(len(sentences), first)
    return {}


def distinguishable(rows: Mapping[str, object]) -> dict[str, object]:
    """Return the labels of rows by their keys; labels that occur twice get their number."""
    often = Counter(rows.values())
    return {key: label if often[label] == 1 else joined((key, label)) for key, label in rows.items()}


def _arrows(count: int, chosen: int) -> dict[str, str]:
    arrows = {-1: "▲", 1: "▼", -PAGE: "▲▲", PAGE: "▼▼"}
    there = {key: moved_row(count, chosen, Key(key)) for key in MOVES}
    return {key: arrows[MOVES[key]] for key, row in there.items() if row not in (None, chosen)}
