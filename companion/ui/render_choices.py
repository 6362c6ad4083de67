"""Draws what can be chosen, where the bottom line has no room for it."""

from __future__ import annotations

from msgspec import Struct
from PIL import ImageDraw

from .fonts import face
from .panel_layout import BODY, ROW, SMALL_ROW, WIDTH, title

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
    for place, row in enumerate(body.rows):
        column, line = divmod(place, down)
        text.draw(pen, (2 + column * WIDTH // 2, BODY + 1 + line * pitch), text.fit(row, WIDTH // (1 + many) - 4))
