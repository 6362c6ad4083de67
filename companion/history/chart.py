"""Line charts: the course of a game as SVG with running totals, and charts as wide as their page.

Charts have classes and no styles of their own, because the pages forbid inline styles: `companion/web/page/chart.css`
draws them. A line is told from the others by its dashes, its marker and the name at its end, not by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import count
from typing import Generic
from unicodedata import east_asian_width

from msgspec import Struct

from companion.core.text import Told_co

from .results import figure

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
    *,
    with_totals: bool = True,
) -> str:
    """Return a line chart as an SVG element, with a title for screen readers.

    The size is in the drawing's own units; letters are 11 of them high. The name begins ids, and is unique in a page.
    The colours are the players' own by seat, 0 to 7. ``with_totals`` is
    whether the last total stands beside a name.
    """
    width, height = size
    room = max(LABEL_WIDTH, min(20, width // LABEL_SHARE))
    right, floor = width - room * LETTER - 12, height - BOTTOM
    band = course_band(course, colours, TOP, floor)
    left = LEFT + DIGIT * max(0, max(len(words) for _figure, words in band.scale) - 2)

    def x_of(place: int) -> float:
        return left + (right - left) * place / len(course.rounds)

    parts = [f'<title id="{name}-t">{escape(title)}</title><desc id="{name}-d">{escape(course.described)}</desc>']
    grid = "".join(f"M{short(left)} {short(band.height_of(figure))}H{short(right)}" for figure, _words in band.scale)
    parts.append(f'<path class="axis" d="{grid}"></path>')
    parts += [_text(left - 4, band.height_of(figure) + 4, words, "end") for figure, words in band.scale]
    step = -(-len(course.rounds) // 8)  # at most eight rounds get a label
    parts += [
        _text(x_of(place), height - 3.0, label, "middle")
        for place, label in enumerate(course.rounds, 1)
        if place % step == 0
    ]
    ends = spread_out(band.ends(), LETTERS, TOP - 2, floor)
    for seat, line in enumerate(band.lines):
        points = [(x_of(place), band.height_of(total)) for place, total in enumerate(course.totals[seat])]
        drawn = " ".join(f"{short(x)},{short(y)}" for x, y in points)
        label = end_label(line.name, line.words[-1] if with_totals else "", room)
        parts.append(
            f'<g class="p{line.colour}"><polyline points="{drawn}"{line.stroke()}></polyline>'
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


def _text(x: float, y: float, words: str, anchor: str = "") -> str:
    anchored = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text x="{short(x)}" y="{short(y)}"{anchored}>{escape(words)}</text>'


def end_label(name: str, total: str, width: int = LABEL_WIDTH) -> str:
    """Return a name and perhaps a total that are not wider than so many Latin letters; wide characters count as two.

    >>> end_label("Maximilian", "−472"), end_label("Maximilian", "−472", 16)
    ('Maxim… −472', 'Maximilian −472')
    """
    room = width - len(total) - bool(total)
    widths = [2 if east_asian_width(letter) in "WF" else 1 for letter in name]
    if sum(widths) <= room:
        return f"{name} {total}".rstrip()
    length = 0
    while sum(widths[: length + 1]) < room:
        length += 1
    return f"{name[:length].rstrip()}… {total}".rstrip()


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


# Charts as wide as their page


ROOM, ROOM_BESIDE_ENDS = 40, 22  # the most bytes of all labels below a chart on a phone: wide letters have more of them
LABEL_GAP = 7.0  # the least distance of two names at the ends of lines, in hundredths of the chart's height
LABEL_WIDTHS = 11, 20  # the most Latin letters of a name and its value at the end of a line: on a phone, and elsewhere
SEPARATOR = "|"  # between the values of a line


class Line(Struct, frozen=True):
    """A line: its name, and its value at each place, None where there is none."""

    name: str
    values: tuple[float | None, ...]
    words: tuple[str, ...]  # the values as people read them
    dashes: int = 0  # the number of its dashes
    colour: int = 0  # the number of its colour: a person's

    def stroke(self) -> str:
        """Return the attribute of SVG that draws its dashes; empty if the line has none."""
        dash = DASHES[self.dashes % len(DASHES)]
        return f' stroke-dasharray="{dash}"' if dash else ""


class Band(Struct, frozen=True):
    """Lines that share a scale, and where they are: from the top to the bottom, in hundredths of the chart's height."""

    lines: tuple[Line, ...]
    scale: tuple[tuple[float, str], ...]  # figures at the left, the lowest first, each in words
    top: float = 4
    bottom: float = 96
    lowest: bool = False  # whether the lowest values are at the top

    def height_of(self, value: float) -> float:
        """Return where a value is, in hundredths of the chart's height from the top.

        >>> Band((), ((0, "0"), (10, "10")), 0, 100).height_of(4)
        60.0
        """
        low, high = self.scale[0][0], self.scale[-1][0]
        part = (value - low) / (high - low)
        return self.top + (self.bottom - self.top) * (part if self.lowest else 1 - part)

    def ends(self) -> list[float]:
        """Return where its lines end."""
        return [self.height_of(line.values[-1] or 0) for line in self.lines]


def plot(bands: Sequence[Band], at: Sequence[str], title: str, *, ends: bool = False) -> str:
    """Return a chart of bands, one below the other.

    Args:
        bands: What it shows.
        at: What each place is called: a round, a day.
        title: What the chart is, for screen readers.
        ends: Whether the name and the last value stand at the end of each line.
    """
    steps = max(1, len(at) - 1)
    scale = "".join(
        _label("100%", band.height_of(figure), words, "end") for band in bands for figure, words in band.scale
    )
    grid = "".join(f"M0 {short(band.height_of(figure))}H100" for band in bands for figure, _words in band.scale)
    lines = "".join(_line(band, line, 100 / steps) for band in bands for line in band.lines)
    told = "; ".join(f"{line.name}: {line.words[0]} – {line.words[-1]}" for band in bands for line in band.lines)
    parts = [
        f'<svg class="chart scale" aria-hidden="true">{scale}</svg>',
        '<svg class="chart lines" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" '
        f'aria-labelledby="plot-t plot-d"><title id="plot-t">{escape(title)}</title>'
        f'<desc id="plot-d">{escape(told)}</desc><path class="axis" d="{grid}"></path>{lines}</svg>',
    ]
    if ends:
        parts.append(f'<svg class="chart ends" aria-hidden="true">{"".join(_ends(bands))}</svg>')
    times = "".join(_times(at, steps, ROOM_BESIDE_ENDS if ends else ROOM))
    parts.append(f'<svg class="chart times" aria-hidden="true">{times}</svg>')
    kind = "plot named" if ends else "plot"
    return f'<div class="{kind}" data-places="{escape(SEPARATOR.join(at))}">{"".join(parts)}</div>'


def course_band(course: Course[str], colours: Sequence[int] = range(8), top: float = 4, bottom: float = 96) -> Band:
    """Return the course of a game: a line for each player, in the colours by seat, from the top to the bottom."""
    figures = round_figures(min(map(min, course.totals)), max(map(max, course.totals)))
    lines = tuple(
        Line(name, totals, tuple(map(figure, totals)), seat, colours[seat % len(colours)])
        for seat, (name, totals) in enumerate(zip(course.names, course.totals, strict=True))
    )
    return Band(lines, tuple((each, figure(each)) for each in figures), top, bottom, course.lowest)


def _line(band: Band, line: Line, step: float) -> str:
    places = ((step * place, value) for place, value in enumerate(line.values) if value is not None)
    points = " ".join(f"{short(x)},{short(band.height_of(value))}" for x, value in places)
    values = escape(SEPARATOR.join(line.words))
    return (
        f'<g class="p{line.colour}"><polyline data-name="{escape(line.name)}" data-values="{values}" '
        f'points="{points}"{line.stroke()}></polyline></g>'
    )


def _ends(bands: Sequence[Band]) -> Iterator[str]:
    for band in bands:
        heights = spread_out(band.ends(), LABEL_GAP, band.top, band.bottom)
        for line, height in zip(band.lines, heights, strict=True):
            brief, full = (end_label(line.name, line.words[-1], width) for width in LABEL_WIDTHS)
            label = _label("0", height, brief)
            if full != brief:
                label = f'<g class="brief">{label}</g><g class="full">{_label("0", height, full)}</g>'
            yield f'<g class="p{line.colour}">{label}</g>'


def _times(at: Sequence[str], steps: int, room: int) -> Iterator[str]:
    """Yield the labels below the chart: of the first place, of the last, and of as many between as fit on a phone."""
    gap = -(-steps // max(1, room // max(len(label.encode()) for label in at) - 1))
    between = [place for place in range(gap, steps, gap) if steps - place > gap / 2]
    between = [place for place in between if at[place] not in (at[max(0, place - gap)], at[-1])]  # said once is enough
    for place in (0, *between, steps):
        anchor = "start" if place == 0 else "end" if place == steps else "middle"
        yield _label(f"{short(100 * place / steps)}%", 50, at[place], anchor)


def _label(x: str, y: float, words: str, anchor: str = "start") -> str:
    anchored = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x}" y="{short(y)}%" dy=".35em"{anchored}>{escape(words)}</text>'
