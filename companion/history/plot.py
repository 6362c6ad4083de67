"""A line chart as wide as its page, as HTML with SVG: lines stretch, letters and strokes keep their size.

Figures stand left of it, what happened when below it, and names at the ends of the lines. The chart has classes and no
styles of its own: `companion/web/page/chart.css` draws it. `history.js` shows the values at the place that somebody
touches; without it they stand in a table beside the chart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from msgspec import Struct

from .chart import DASHES, Course, end_label, round_figures, short, spread_out, true_minus

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
        _text("100%", band.height_of(figure), words, "end") for band in bands for figure, words in band.scale
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


def course_band(course: Course[str], colours: Sequence[int] = range(8)) -> Band:
    """Return the course of a game: a line for each player, in the colours by seat."""
    figures = round_figures(min(map(min, course.totals)), max(map(max, course.totals)))
    lines = tuple(
        Line(name, totals, tuple(map(true_minus, totals)), seat, colours[seat % len(colours)])
        for seat, (name, totals) in enumerate(zip(course.names, course.totals, strict=True))
    )
    return Band(lines, tuple((figure, true_minus(figure)) for figure in figures), lowest=course.lowest)


def _line(band: Band, line: Line, step: float) -> str:
    places = ((step * place, value) for place, value in enumerate(line.values) if value is not None)
    points = " ".join(f"{short(x)},{short(band.height_of(value))}" for x, value in places)
    dash = DASHES[line.dashes % len(DASHES)]
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    values = escape(SEPARATOR.join(line.words))
    return (
        f'<g class="p{line.colour}"><polyline data-name="{escape(line.name)}" data-values="{values}" '
        f'points="{points}"{dashed}></polyline></g>'
    )


def _ends(bands: Sequence[Band]) -> Iterator[str]:
    for band in bands:
        last = [band.height_of(line.values[-1] or 0) for line in band.lines]
        heights = spread_out(last, LABEL_GAP, band.top, band.bottom)
        for line, height in zip(band.lines, heights, strict=True):
            brief, full = (end_label(line.name, line.words[-1], width) for width in LABEL_WIDTHS)
            label = _text("0", height, brief)
            if full != brief:
                label = f'<g class="brief">{label}</g><g class="full">{_text("0", height, full)}</g>'
            yield f'<g class="p{line.colour}">{label}</g>'


def _times(at: Sequence[str], steps: int, room: int) -> Iterator[str]:
    """Yield the labels below the chart: of the first place, of the last, and of as many between as fit on a phone."""
    gap = -(-steps // max(1, room // max(len(label.encode()) for label in at) - 1))
    between = [place for place in range(gap, steps, gap) if steps - place > gap / 2]
    between = [place for place in between if at[place] not in (at[max(0, place - gap)], at[-1])]  # said once is enough
    for place in (0, *between, steps):
        anchor = "start" if place == 0 else "end" if place == steps else "middle"
        yield _text(f"{short(100 * place / steps)}%", 50, at[place], anchor)


def _text(x: str, y: float, words: str, anchor: str = "start") -> str:
    anchored = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x}" y="{short(y)}%" dy=".35em"{anchored}>{escape(words)}</text>'
