"""The first picture and the last: drawn before anything heavy is imported, so nothing here knows a game."""

from __future__ import annotations

from PIL import Image, ImageDraw

from .fonts import face, picture

SIZE = (128, 64)
LINES = 5
"""How many lines of text there is room for."""

SIGNS = ("sea", "sky", "earth")


def hello() -> Image.Image:
    """Draw what is seen while the box starts: mode "1", 128x64."""
    return _card("Tabletop Companion", "…")


def goodbye(sentence: str) -> Image.Image:
    """Draw what is seen while the box stops."""
    return _card("Tabletop Companion", sentence)


def sentence(words: str) -> Image.Image:
    """Draw why the box cannot start; what has no room is known by an ellipsis."""
    image = Image.new("1", SIZE)
    pen = ImageDraw.Draw(image)
    text, width = face("text"), SIZE[0] - 2
    lines = text.wrap(words, width)
    lines = [*lines[: LINES - 1], " ".join(lines[LINES - 1 :])]
    for row, line in enumerate(lines):
        text.draw(pen, (1, 1 + 12 * row), text.fit(line, width))
    return image


def _card(title: str, below: str) -> Image.Image:
    image = Image.new("1", SIZE)
    pen = ImageDraw.Draw(image)
    for place, name in enumerate(SIGNS):
        image.paste(picture(name), (10 + place * 38, 2))
    text = face("text")
    for y, line in ((37, title), (51, below)):
        fitted = text.fit(line, SIZE[0] - 2)
        text.draw(pen, ((SIZE[0] - text.width(fitted)) // 2, y), fitted)
    return image
