"""Where things stand on the panel: title, line, body, bottom bar; in pixels.

A line of the small face has 8 rows, one of the text face 10: no letter reaches into the line or the bar.
"""

from __future__ import annotations

from collections.abc import Sequence

from PIL import ImageDraw

from .fonts import BitmapFont, face

WIDTH, HEIGHT = 128, 64
HEAD = 9
"""The row of the line below the title."""
BODY = HEAD + 1
"""The first row below it."""
FOOT = 54
"""Where the bottom bar begins; the row above it stays dark."""
ROW = 11
"""From one line of a list to the next: its ten rows, and one that stays dark."""
SMALL_ROW = 8
"""From one line of the small face to the next."""
SIDE = 36
"""The width of the large glyph with its margin."""
GLYPH = 12
"""The room a glyph in a line is never denied; one that nobody has drawn is a word, and shortened."""
NAME = 34
"""The room a name, its key and the leader's flag are never denied."""


def title(pen: ImageDraw.ImageDraw, words: str, left: int = 0) -> None:
    """Draw a title over a line that begins at the left, or where the large glyph ends."""
    small = face("small")
    pen.line((left, HEAD, WIDTH - 1, HEAD), fill=255)
    small.draw(pen, (1, 0), small.fit(words, WIDTH - 2))


def wrapped(sentences: Sequence[str], width: int, room: int) -> tuple[BitmapFont, list[str]]:
    """Return the lines of some sentences, and their face: the small one where the text face needs too much room.

    Args:
        sentences: What is to be read, each from the beginning of a line.
        width: The length of a line in pixels.
        room: The height of all lines in pixels.
    """
    for text in (face("text"), face("small")):
        lines = [line for sentence in sentences for line in text.wrap(sentence, width)]
        if len(lines) * text.height <= room:
            break
    return text, lines


def shortened(sentences: Sequence[str], width: int, room: int) -> tuple[BitmapFont, list[str]]:
    """Return the lines there is room for, and their face; of what has none an ellipsis is seen."""
    text, lines = wrapped(sentences, width, room)
    last = room // text.height - 1
    rest = [text.fit(" ".join(lines[last:]), width)] if lines[last:] else []
    return text, lines[:last] + rest
