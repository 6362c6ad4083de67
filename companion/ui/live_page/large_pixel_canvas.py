"""A colour picture in large pixels: text in the bitmap fonts, symbols, lines and boxes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from PIL import Image, ImageDraw

from companion.ui.fonts import FaceName, face

Colour = tuple[int, int, int]
Box = tuple[int, int, int, int]
"""Left, top, right and bottom; the last two are outside."""


@lru_cache(maxsize=256)
def _enlarged(text: str, name: FaceName, times: int) -> Image.Image:
    font = face(name)
    drawn = Image.new("1", (max(1, font.width(text)), font.height))
    font.draw(drawn, (0, 0), text)
    return drawn.resize((drawn.width * times, drawn.height * times), Image.Resampling.NEAREST)


class PixelCanvas:
    """A picture to draw on."""

    def __init__(self, size: tuple[int, int], ground: Colour) -> None:
        self.image = Image.new("RGB", size, ground)
        self._pen = ImageDraw.Draw(self.image)

    def fill(self, box: Box, colour: Colour) -> None:
        left, top, right, bottom = box
        self._pen.rectangle((left, top, right - 1, bottom - 1), fill=colour)

    def frame(self, box: Box, colour: Colour) -> None:
        """Draw a box's edge, two pixels wide."""
        left, top, right, bottom = box
        self._pen.rectangle((left, top, right - 1, bottom - 1), outline=colour, width=2)

    def stamp(self, picture: Image.Image, place: tuple[int, int], colour: Colour, times: int = 1) -> None:
        """Draw the lit pixels of a 1-bit picture in a colour, enlarged by a whole factor."""
        size = picture.width * times, picture.height * times
        self.image.paste(colour, place, picture.resize(size, Image.Resampling.NEAREST))

    def text(
        self,
        place: tuple[int, int],
        text: str,
        colour: Colour,
        times: int = 1,
        *,
        width: int | None = None,
        align: float = 0,
        name: FaceName = "text",
    ) -> int:
        """Draw a text and return the x at its end.

        Args:
            place: The top left of its line; with ``align``, the left end of the room it is aligned in.
            times: The factor by which it is enlarged.
            width: The room in pixels; a longer text is shortened.
            align: Where it stands in its room: 0 left, 0.5 in the middle, 1 right.
        """
        x, y = place
        if width is not None:
            text = face(name).fit(text, width // times)
            x += round((width - face(name).width(text) * times) * align)
        drawn = _enlarged(text, name, times)
        self.image.paste(colour, (x, y), drawn)
        return x + face(name).width(text) * times

    def line(self, points: Sequence[tuple[int, int]], colour: Colour, dashes: Sequence[int]) -> None:
        """Draw a line two pixels wide, with dashes and gaps of some lengths in turn; without any, it is whole."""
        pattern = [on % 2 == 0 for on, length in enumerate(dashes) for _pixel in range(length)] or [True]
        walked = 0
        for (x, y), (right, bottom) in pairwise(points):
            steps = max(abs(right - x), abs(bottom - y), 1)
            for step in range(steps):
                if pattern[walked % len(pattern)]:
                    left, top = x + round((right - x) * step / steps), y + round((bottom - y) * step / steps)
                    self._pen.rectangle((left, top, left + 1, top + 1), fill=colour)
                walked += 1
