"""Draws what can be chosen, where the bottom line has no room for it."""

from __future__ import annotations

from msgspec import Struct
from PIL import ImageDraw

from .fonts import face
from .panel_layout import BODY, ROW, SMALL_ROW, WIDTH, title

APART = 8
"""Pixels between two columns."""
MOST = 4
"""Most choices in the text face; more stand in two columns of the small face."""


class Choices(Struct, frozen=True):
    """A list of choices below a title; each choice begins with its key."""

    title: str
    rows: tuple[str, ...]


def choices(pen: ImageDraw.ImageDraw, body: Choices) -> None:
    """Draw what can be chosen, one below the other."""
    title(pen, body.title)
    many = len(body.rows) > MOST
    text, pitch = (face("small"), SMALL_ROW) if many else (face("text"), ROW)
    down = -(-len(body.rows) // 2) if many else len(body.rows)
    left = 2
    for first in range(0, len(body.rows), down):
        column = body.rows[first : first + down]
        room = WIDTH - left - 2 if first + down >= len(body.rows) else WIDTH // 2 - APART
        for line, row in enumerate(column):
            text.draw(pen, (left, BODY + line * pitch), text.fit(row, room))
        left = min(left + max(map(text.width, column)) + APART, WIDTH // 2)
