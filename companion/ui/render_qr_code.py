"""Draws a QR code over the whole height of the panel, with its content in words beside it."""

from __future__ import annotations

from collections.abc import Iterator

from PIL import ImageDraw

from .fonts import face
from .panel_layout import HEIGHT, WIDTH
from .qr_code import MODULE
from .view import CodeBody

BESIDE = HEIGHT + 3
"""The left edge of the words."""


def code(pen: ImageDraw.ImageDraw, body: CodeBody, foot: str) -> None:
    """Draw a code dark on a lit patch with a margin, as cameras want it; beside it the words, last the keys."""
    pen.rectangle((0, 0, WIDTH - 1, HEIGHT - 1), fill=0)
    pen.rectangle((0, 0, HEIGHT - 1, HEIGHT - 1), fill=255)
    margin = (HEIGHT - MODULE * len(body.rows)) // 2
    for row, modules in enumerate(body.rows):
        for column, module in enumerate(modules):
            if module == "#":
                left, top = margin + MODULE * column, margin + MODULE * row
                pen.rectangle((left, top, left + MODULE - 1, top + MODULE - 1), fill=0)
    _words(pen, body, foot)


def _words(pen: ImageDraw.ImageDraw, body: CodeBody, foot: str) -> None:
    small, numerals, room = face("small"), face("numerals"), WIDTH - BESIDE
    top = 0
    for line in (line for word in body.words for line in _lines(word, room)):
        small.draw(pen, (BESIDE, top), line)
        top += small.height
    if body.figure:
        half = len(body.figure) // 2 if numerals.width(body.figure) > room else 0
        for part in filter(None, (body.figure[:half], body.figure[half:])):
            numerals.draw(pen, (BESIDE, top + 1), part)
            top += numerals.height + 1
    small.draw(pen, (BESIDE, HEIGHT - small.height), small.fit(foot, room))


def _lines(word: str, room: int) -> Iterator[str]:
    """Yield a long word in lines that fit, broken after a dot or colon where possible."""
    small = face("small")
    while small.width(word) > room:
        most = next(length for length in range(len(word), 0, -1) if small.width(word[:length]) <= room)
        cut = max(word.rfind(mark, 0, most) + 1 for mark in ".:-") or most
        yield word[:cut]
        word = word[cut:]
    yield word
