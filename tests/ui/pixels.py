"""Finds words in a picture, pixel by pixel, and watches which are drawn and which are shortened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import pytest
from PIL import Image

from companion.ui.fonts import BitmapFont, FaceName, face
from companion.ui.panel import _above_foot

INVERTED = bytes(range(256))[::-1]


def rows_of(picture: Image.Image) -> list[bytes]:
    """Return the rows of a picture, one byte a pixel: 255 if it is lit, else 0."""
    pixels = picture.convert("1").convert("L").tobytes()
    return [pixels[at : at + picture.width] for at in range(0, len(pixels), picture.width)]


@cache
def drawn(words: str, name: FaceName) -> list[bytes]:
    """Return the rows of words drawn lit in a face."""
    alone = Image.new("1", (face(name).width(words), face(name).height))
    face(name).draw(alone, (0, 0), words)
    return rows_of(alone)


def holds(rows: list[bytes], wanted: list[bytes]) -> bool:
    """Return whether a picture holds another one."""
    anchor = max(range(len(wanted)), key=lambda row: len(wanted[row].strip(b"\0").strip(b"\xff")))
    for top in range(len(rows) - len(wanted) + 1):
        at = rows[top + anchor].find(wanted[anchor])
        while at >= 0:
            if all(rows[top + row].startswith(each, at) for row, each in enumerate(wanted)):
                return True
            at = rows[top + anchor].find(wanted[anchor], at + 1)
    return False


def dark_on(rows: list[bytes], words: str, name: FaceName = "text") -> bool:
    """Return whether words are drawn dark on a lit box."""
    return holds(rows, [row.translate(INVERTED) for row in drawn(words, name)])


def stands(rows: list[bytes], words: str, *names: FaceName) -> bool:
    """Return whether words are drawn in one of some faces, lit or dark, with nothing else in their box."""
    return any(holds(rows, drawn(words, name)) or dark_on(rows, words, name) for name in names)


class Written(NamedTuple):
    """A text that was drawn, and the whole one that it was shortened from."""

    font: BitmapFont
    place: tuple[int, int]
    shown: str
    whole: str
    times: int = 1


class Watched(NamedTuple):
    """What was drawn, and what was too wide for its room."""

    written: list[Written]
    shortened: list[str]


@contextmanager
def watched() -> Iterator[Watched]:
    """Watch which texts are drawn, and which are shortened with an ellipsis for it."""
    fit, write = BitmapFont.fit, BitmapFont.draw
    whole: dict[str, str] = {}
    seen = Watched([], [])
    _above_foot.cache_clear()  # a body drawn before would not be drawn again

    def fitted(self: BitmapFont, text: str, width: int) -> str:
        shown = fit(self, text, width)
        if shown != text and self.width(text) > width:
            seen.shortened.append(text)
            whole[shown or text] = text
        return shown

    def written(self: BitmapFont, target: Any, place: tuple[int, int], text: str, ink: int = 1) -> int:
        cut = next((shown for shown in whole if shown in text), "")
        seen.written.append(Written(self, place, text, text.replace(cut, whole[cut]) if cut else text))
        return write(self, target, place, text, ink)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BitmapFont, "fit", fitted)
        patch.setattr(BitmapFont, "draw", written)
        yield seen
