"""Draws the panel's test picture: a frame along the very edges, and marks that show where it is cut."""

from __future__ import annotations

from PIL import ImageDraw

from .fonts import face
from .panel_layout import HEIGHT, WIDTH
from .view import TestPictureBody

TIP = 5
"""Pixels from an edge to the base of the triangle that points at it."""


def frame(pen: ImageDraw.ImageDraw, body: TestPictureBody) -> None:
    """Draw a frame one pixel wide at the edges, a triangle in the middle of each edge, and sentences in the middle.

    A controller of another kind moves the picture by two columns or more: a side of the frame is missing then, and
    a triangle has lost its tip.
    """
    pen.rectangle((0, 0, WIDTH - 1, HEIGHT - 1), fill=0, outline=255)
    across, down = WIDTH // 2, HEIGHT // 2
    for step in range(TIP):
        pen.line((step, down - step, step, down + step), fill=255)
        pen.line((WIDTH - 1 - step, down - step, WIDTH - 1 - step, down + step), fill=255)
        pen.line((across - step, step, across + step, step), fill=255)
        pen.line((across - step, HEIGHT - 1 - step, across + step, HEIGHT - 1 - step), fill=255)
    text = face("text")
    lines = [line for sentence in body.sentences for line in text.wrap(sentence, WIDTH - 4 * TIP)]
    top = (HEIGHT - text.height * len(lines)) // 2
    for place, line in enumerate(lines):
        text.draw(pen, ((WIDTH - text.width(line)) // 2, top + place * text.height), line)
