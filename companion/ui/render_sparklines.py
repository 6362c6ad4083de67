"""Draws tables with sparklines: a small line of totals in each row, between the first and the last of them."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import ImageDraw

from .fonts import face, glyph
from .panel_layout import BODY, FOOT, ROW, WIDTH, title
from .view import TableBody

LEAST_LINE = 32
"""Minimum width of a line, in pixels; the names take what they need of the rest."""
GAP = 3
"""Pixels between a line and the figures beside it."""
TALLEST = 16
"""The most pixel rows of a table's row."""


def sparklines(pen: ImageDraw.ImageDraw, body: TableBody) -> None:
    """Draw names at the left, then the first figure, the line and the last figure. All lines have one scale."""
    title(pen, body.title)
    pitch = min(TALLEST, (FOOT - BODY) // len(body.rows))
    text, small = face("text" if pitch >= face("text").height else "small"), face("small")
    first, last = (
        max(small.width(body.heads[column]), *(text.width(row[column]) for row in body.rows)) for column in (0, 1)
    )
    names = [(glyph("winner") + " " if row in body.marked else "") + name for row, name in enumerate(body.names)]
    wanted = max(small.width(body.title) + 1, *map(text.width, names)) + GAP
    start, end = min(wanted, WIDTH - last - first - LEAST_LINE - 2 * GAP) + first + 1, WIDTH - 1 - last
    small.draw(pen, (start - small.width(body.heads[0]), 0), body.heads[0])
    small.draw(pen, (WIDTH - 1 - small.width(body.heads[1]), 0), body.heads[1])
    edge = 2 if pitch >= ROW else 1  # pixel rows that keep the lines of two rows apart
    low, high = min(map(min, body.lines)), max(map(max, body.lines))
    for row, (name, figures, totals) in enumerate(zip(names, body.rows, body.lines, strict=True)):
        top = BODY + row * pitch
        line = top + (pitch - text.height) // 2
        text.draw(pen, (1, line), text.fit(name, start - first - 1 - GAP))
        text.draw(pen, (start - text.width(figures[0]), line), figures[0])
        text.draw(pen, (WIDTH - 1 - text.width(figures[1]), line), figures[1])
        _line(pen, totals, (start + GAP, end - GAP - 1), (top + pitch - 1 - edge, top + edge), (low, high))


def _line(
    pen: ImageDraw.ImageDraw,
    totals: Sequence[int],
    across: tuple[int, int],
    up: tuple[int, int],
    scale: tuple[int, int],
) -> None:
    """Draw a line of totals, with a dot at its end.

    Args:
        across: The pixel columns of the first and the last.
        up: The pixel rows of the lowest and the highest of all lines.
        scale: The lowest and the highest total of all lines.
    """
    wide, high = across[1] - across[0], up[0] - up[1]
    span = max(1, scale[1] - scale[0])
    points = [
        (across[0] + round(wide * place / (len(totals) - 1)), up[0] - round(high * (total - scale[0]) / span))
        for place, total in enumerate(totals)
    ]
    pen.line(points, fill=255)
    x, y = points[-1]
    pen.rectangle((x - 1, y - 1, x + 1, y + 1), fill=255)
