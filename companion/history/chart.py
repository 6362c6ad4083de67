"""A small line chart as SVG: the course of a game as running totals.

The chart has classes and no styles of its own, because the pages forbid inline styles: `companion/web/page/chart.css`
draws it. A line is told from the others by its dashes, its marker and the name at its end, not by colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import count
from typing import Generic
from unicodedata import east_asian_width

from msgspec import Struct

from companion.core.text import Told_co

DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "1 2", "12 3", "5 2 1 2")  # the dashes of each seat's line
LEFT, TOP, BOTTOM = 22.0, 8.0, 16.0
"""The margins around the lines: figures of two digits at the left, rounds below."""
LETTERS = 11  # the size of letters, in the chart's own units
DIGIT = 7.0  # the width of a digit
LETTER = 7.8  # the width of a wide Latin letter, in bold
LABEL_WIDTH = 11  # maximum width of a name and a total at the end of a line, in Latin letters
LABEL_SHARE = 30  # a chart that is so much wider has labels wider by a letter


class Course(Struct, Generic[Told_co], frozen=True):
    """The running totals of a game."""

    names: tuple[Told_co, ...]  # the players, by seat
    # the label of each finished round, and of the end of the game if it came before the end of a round
    rounds: tuple[Told_co, ...]
    totals: tuple[tuple[int, ...], ...]  # the totals by seat: at the beginning, and after each round
    lowest: bool = False  # whether the fewest points are the best, and therefore at the top

    def above_floor(self, total: float, low: float, high: float) -> float:
        """Return how many points a total is above the bottom of a chart of the totals from low to high.

        >>> Course((), (), (), lowest=True).above_floor(10, 0, 40)
        30
        """
        return high - total if self.lowest else total - low

    @property
    def described(self: Course) -> str:
        """Return the totals in one line: the alternative text of a chart.

        >>> Course(("Aki", "Bea"), ("R1", "R2"), ((0, 3, 8), (0, 5, 5))).described
        'Aki: 0, 3, 8; Bea: 0, 5, 5'
        """
        lines = zip(self.names, self.totals, strict=True)
        return "; ".join(f"{name}: {', '.join(map(str, totals))}" for name, totals in lines)


def svg(
    course: Course,
    title: str,
    size: tuple[int, int] = (320, 160),
    name: str = "course",
    colours: Sequence[int] = range(8),
) -> str:
    """Return a line chart as an SVG element, with a title for screen readers.

    The size is in the drawing's own units; letters are 11 of them high. The name begins ids, and is unique in a page.
    The colours are the players' own by seat, 0 to 7.
    """
    width, height = size
    figures = round_figures(min(map(min, course.totals)), max(map(max, course.totals)))
    low, high = figures[0], figures[-1]
    room = max(LABEL_WIDTH, min(20, width // LABEL_SHARE))
    right, floor = width - room * LETTER - 12, height - BOTTOM
    left = LEFT + DIGIT * max(0, max(len(true_minus(figure)) for figure in figures) - 2)

    def x_of(place: int) -> float:
        return left + (right - left) * place / len(course.rounds)

    def y_of(total: float) -> float:
        return floor - (floor - TOP) * course.above_floor(total, low, high) / (high - low)

    parts = [f'<title id="{name}-t">{escape(title)}</title><desc id="{name}-d">{escape(course.described)}</desc>']
    grid = "".join(f"M{short(left)} {short(y_of(figure))}H{short(right)}" for figure in figures)
    parts.append(f'<path class="axis" d="{grid}"></path>')
    parts += [_text(left - 4, y_of(figure) + 4, true_minus(figure), "end") for figure in figures]
    step = -(-len(course.rounds) // 8)  # at most eight rounds get a label
    parts += [
        _text(x_of(place), height - 3.0, label, "middle")
        for place, label in enumerate(course.rounds, 1)
        if place % step == 0
    ]
    ends = spread_out([y_of(totals[-1]) for totals in course.totals], LETTERS, TOP - 2, floor)
    for seat, (player, totals) in enumerate(zip(course.names, course.totals, strict=True)):
        points = [(x_of(place), y_of(total)) for place, total in enumerate(totals)]
        line = " ".join(f"{short(x)},{short(y)}" for x, y in points)
        dash = DASHES[seat % len(DASHES)]
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        label = end_label(player, true_minus(totals[-1]), room)
        parts.append(
            f'<g class="p{colours[seat % len(colours)]}"><polyline points="{line}"{dashed}></polyline>'
            f'<path d="{"".join(_marker(seat, x, y) for x, y in points[1:])}"></path>'
            f"{_text(right + 8, ends[seat] + 4, label)}</g>"
        )
    return (
        f'<svg class="chart" viewBox="0 0 {width} {height}" role="img" aria-labelledby="{name}-t {name}-d" '
        f'font-size="{LETTERS}">{"".join(parts)}</svg>'
    )


def round_figures(low: int, high: int) -> tuple[int, ...]:
    """Return three to six round figures that span an interval, in equal steps.

    >>> round_figures(0, 23)
    (0, 5, 10, 15, 20, 25)
    """
    spans = (size * 10**power for power in count() for size in (1, 2, 5))
    step = next(step for step in spans if -(-high // step) - low // step <= 5)
    first, last = low // step, max(-(-high // step), low // step + 2)
    return tuple(step * place for place in range(first, last + 1))


def short(number: float) -> str:
    """Return a number with at most one decimal."""
    return f"{number:.1f}".removesuffix(".0")


def true_minus(figure: int) -> str:
    """Return a figure as people write it, with a true minus sign."""
    return str(figure).replace("-", "−")


def _text(x: float, y: float, words: str, anchor: str = "") -> str:
    anchored = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text x="{short(x)}" y="{short(y)}"{anchored}>{escape(words)}</text>'


def end_label(name: str, total: str, width: int = LABEL_WIDTH) -> str:
    """Return a name and a total that are not wider than so many Latin letters; wide characters count as two.

    >>> end_label("Maximilian", "−472"), end_label("Maximilian", "−472", 16)
    ('Maxim… −472', 'Maximilian −472')
    """
    room = width - len(total) - 1
    widths = [2 if east_asian_width(letter) in "WF" else 1 for letter in name]
    if sum(widths) <= room:
        return f"{name} {total}"
    length = 0
    while sum(widths[: length + 1]) < room:
        length += 1
    return f"{name[:length].rstrip()}… {total}"


def _marker(seat: int, x: float, y: float) -> str:
    """Return a seat's marker around a point, as path commands.

    Square, diamond, triangle, cross, bar, hourglass, pennant, tower.
    """
    shapes = (
        "m-3 -3h6v6h-6z",
        "m0 -4l4 4l-4 4l-4 -4z",
        "m0 -4l4 7h-8z",
        "m-4 -1h3v-3h2v3h3v2h-3v3h-2v-3h-3z",
        "m-4 -1.5h8v3h-8z",
        "m-3 -4h6l-6 8h6z",
        "m-3 -4l7 4l-7 4z",
        "m-1.5 -4h3v8h-3z",
    )
    return f"M{short(x)} {short(y)}{shapes[seat % len(shapes)]}"


def spread_out(heights: Sequence[float], least: float, top: float, floor: float) -> list[float]:
    """Return heights moved as little as needed, so that labels at them are at least so far apart, and in their room."""
    moved = list(heights)
    order = sorted(range(len(moved)), key=lambda seat: moved[seat])
    for before, seat in zip([None, *order], order, strict=False):
        moved[seat] = max(moved[seat], top if before is None else moved[before] + least)
    limit = floor
    for seat in reversed(order):
        moved[seat] = min(moved[seat], limit)
        limit = moved[seat] - least
    return moved
