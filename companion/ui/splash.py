"""The first and the last picture, drawn before anything heavy is imported.

The first one lies beside this file, drawn beforehand: even fonts take time. ``python -m companion.ui.splash`` draws
it anew.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image

HELLO = Path(__file__).with_name("hello.pbm")

SIZE = (128, 64)
LINES = 5
"""How many lines of text there is room for."""

SIGNS = ("sea", "sky", "earth")


def hello() -> Image.Image:
    """Return what is seen while the box starts: mode "1", 128x64."""
    width, height = SIZE
    dots = HELLO.read_bytes()[-width * height // 8 :]  # behind the file's head
    return Image.frombytes("1", SIZE, dots, "raw", "1;I")  # in a PBM black is 1


def drawn_hello() -> Image.Image:
    """Draw what is seen while the box starts."""
    return _card("Tabletop Companion", "…")


def goodbye(sentence: str) -> Image.Image:
    """Draw what is seen while the box stops."""
    return _card("Tabletop Companion", sentence)


def sentence(words: str) -> Image.Image:
    """Draw why the box cannot start; what has no room is known by an ellipsis."""
    from PIL import ImageDraw  # noqa: PLC0415  # the first picture can do without

    from .fonts import face  # noqa: PLC0415

    image = Image.new("1", SIZE)
    pen = ImageDraw.Draw(image)
    text, width = face("text"), SIZE[0] - 2
    lines = text.wrap(words, width)
    lines = [*lines[: LINES - 1], " ".join(lines[LINES - 1 :])]
    for row, line in enumerate(lines):
        text.draw(pen, (1, 2 + 12 * row), text.fit(line, width))
    return image


def _card(title: str, below: str) -> Image.Image:
    from PIL import ImageDraw  # noqa: PLC0415  # see above

    from .fonts import face, picture  # noqa: PLC0415

    image = Image.new("1", SIZE)
    pen = ImageDraw.Draw(image)
    for place, name in enumerate(SIGNS):
        image.paste(picture(name), (10 + place * 38, 2))
    text = face("text")
    for y, line in ((38, title), (52, below)):
        fitted = text.fit(line, SIZE[0] - 2)
        text.draw(pen, ((SIZE[0] - text.width(fitted)) // 2, y), fitted)
    return image


if __name__ == "__main__":
    drawn_hello().save(HELLO)
