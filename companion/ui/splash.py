"""Start and shutdown pictures, which need no slow imports.

The start-up picture is a file beside this module, because even loading fonts takes time.
``python -m companion.ui.splash`` draws that file again.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image

HELLO = Path(__file__).with_name("hello.pbm")

SIZE = (128, 64)
SIGNS = ("sea", "sky", "earth")


def hello() -> Image.Image:
    """Return the start-up picture: mode "1", 128x64."""
    width, height = SIZE
    dots = HELLO.read_bytes()[-width * height // 8 :]  # after the file's header
    return Image.frombytes("1", SIZE, dots, "raw", "1;I")  # in a PBM black is 1


def drawn_hello() -> Image.Image:
    return _card("Tabletop Companion", "…")


def goodbye(sentence: str) -> Image.Image:
    """Draw the shutdown picture with a sentence."""
    return _card("Tabletop Companion", sentence)


def sentence(words: str) -> Image.Image:
    """Draw an error that prevents start-up: in small text if it is long, and with an ellipsis if that has no room."""
    from PIL import ImageDraw  # the start-up picture does not need it

    from .panel_layout import shortened

    image = Image.new("1", SIZE)
    pen = ImageDraw.Draw(image)
    text, lines = shortened((words,), SIZE[0] - 2, SIZE[1])
    pitch = min(12, SIZE[1] // len(lines))
    for row, line in enumerate(lines):
        text.draw(pen, (1, min(2, SIZE[1] - pitch * len(lines)) + pitch * row), line)
    return image


def _card(title: str, below: str) -> Image.Image:
    from PIL import ImageDraw  # see above

    from .fonts import face, large

    image = Image.new("1", SIZE)
    pen = ImageDraw.Draw(image)
    for place, name in enumerate(SIGNS):
        image.paste(large(name, ""), (10 + place * 38, 2))
    text = face("text")
    for y, line in ((38, title), (52, below)):
        fitted = text.fit(line, SIZE[0] - 2)
        text.draw(pen, ((SIZE[0] - text.width(fitted)) // 2, y), fitted)
    return image


if __name__ == "__main__":
    drawn_hello().save(HELLO)
