"""The first picture and the last: drawn before anything heavy is imported, so nothing here knows a game."""

from __future__ import annotations

from PIL import Image, ImageDraw

from .fonts import face, picture

SIZE = (128, 64)
SIGNS = ("sea", "sky", "earth")


def hello() -> Image.Image:
    """Draw what is seen while the box starts: mode "1", 128x64."""
    return _card("Tabletop Companion", "…")


def goodbye(sentence: str) -> Image.Image:
    """Draw what is seen while the box stops."""
    return _card("Tabletop Companion", sentence)


def sentence(words: str) -> Image.Image:
    """Draw why the box cannot start."""
    image = Image.new("1", SIZE)
    pen = ImageDraw.Draw(image)
    text = face("text")
    for row, line in enumerate(text.wrap(words, SIZE[0] - 2)[:5]):
        text.draw(pen, (1, 1 + 12 * row), line)
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
