"""Bitmap fonts: measures, shortens, wraps and draws text in 1-bit pixels.

Each face is one uncompressed PCF file, made by `tools.bake_fonts` and opened on first use. A character that a text face
lacks is spelled in Latin letters; one that the other faces lack is drawn as a box. A text's position is the top left of
its line box, so that callers need no baselines.
"""

from __future__ import annotations

import struct
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, Literal

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from companion.ui.fonts.break_points import pieces, units
from companion.ui.fonts.fallback_characters import UNKNOWN, joins, with_fallbacks

FaceName = Literal["text", "small", "cards", "numerals", "display"]

FILES: Final[dict[FaceName, str]] = {
    "text": "companion-10.pcf",
    "small": "companion-8.pcf",
    "cards": "cards-10.pcf",
    "numerals": "numerals-16.pcf",
    "display": "numerals-28.pcf",
}
ELLIPSIS: Final = "…"

_ACCELERATORS, _ENCODINGS = 1 << 1, 1 << 5
_BIG_ENDIAN = 1 << 2
_BEARING: Final = 2
"""How far ink may extend beyond the advance width on each side, in pixels."""


class BitmapFont:
    """A bitmap font of one size."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        count = struct.unpack_from("<I", data, 4)[0]
        tables: dict[int, tuple[int, int]] = {}
        for index in range(count):
            kind, form, _, offset = struct.unpack_from("<4I", data, 8 + 16 * index)
            tables[kind] = form, offset

        form, offset = tables[_ACCELERATORS]
        order = ">" if form & _BIG_ENDIAN else "<"
        self.ascent, self.descent = struct.unpack_from(order + "2i", data, offset + 12)
        self.height: Final[int] = self.ascent + self.descent

        form, offset = tables[_ENCODINGS]
        order = ">" if form & _BIG_ENDIAN else "<"
        first, last, low, high, default = struct.unpack_from(order + "5H", data, offset + 4)
        self._replacement: Final = chr(default)
        self._columns, self._rows = range(first, last + 1), range(low, high + 1)
        begin = offset + 14
        self._encodings = data[begin : begin + 2 * len(self._columns) * len(self._rows)]

        # Opened by path, so that FreeType maps the file and only the used parts are in memory.
        self._font = ImageFont.truetype(path, self.height, layout_engine=ImageFont.Layout.BASIC)
        self._known: set[str] = set()
        # The same words are drawn all evening; drawing a cached bitmap takes a fifth of the time of rendering it.
        self._stamp = lru_cache(maxsize=512)(self._core)
        self._edge = lru_cache(maxsize=128)(self._widen)
        self._fitted = lru_cache(maxsize=512)(self._shorten)
        self._deep = lru_cache(maxsize=512)(self._reaches_last_row)
        self._measured = lru_cache(maxsize=512)(self._measure)

    def has(self, character: str) -> bool:
        row, column = divmod(ord(character), 256)
        if row not in self._rows or column not in self._columns:
            return False
        index = (row - self._rows.start) * len(self._columns) + column - self._columns.start
        return self._encodings[2 * index : 2 * index + 2] != b"\xff\xff"

    def width(self, text: str) -> int:
        """Return the advance width of a text in pixels."""
        return self._measured(text)

    def deep(self, text: str) -> bool:
        """Return whether a text has ink in the last pixel row of its line, as kanji and descenders do."""
        return self._deep(text)

    def draw(self, target: Image.Image | ImageDraw.ImageDraw, place: tuple[int, int], text: str, ink: int = 1) -> int:
        """Draw a text with the top left of its line box at ``place``; return the x of the next text.

        Ink is 1 for lit letters and 0 for dark ones. Lit pixels are stored as 255 in every image mode. Dark letters get
        a lit outline one pixel wide, so that their shapes stay closed at the edge of a lit bar.
        """
        x, y = place
        if not text:
            return x
        pen = ImageDraw.Draw(target) if isinstance(target, Image.Image) else target
        stamp, advance = self._stamp(text)
        bitmap = pen.draw.draw_bitmap  # `ImageDraw.bitmap` takes five times as long, since it looks up each colour
        if not ink:
            bitmap((x - _BEARING - 1, y - 1), self._edge(text), 255)
        bitmap((x - _BEARING, y), stamp, 255 if ink else 0)
        return x + advance

    def _reaches_last_row(self, text: str) -> bool:
        stamp, _advance = self._set(text)
        return stamp.crop((0, self.height - 1, stamp.width, self.height)).getbbox() is not None

    def _measure(self, text: str) -> int:
        return round(self._font.getlength(self._drawable(text)))

    def _set(self, text: str) -> tuple[Image.Image, int]:
        """Return a text rendered as a picture, and its advance width."""
        drawable = self._drawable(text)
        advance = round(self._font.getlength(drawable))
        stamp = Image.new("1", (advance + 2 * _BEARING, self.height))
        pen = ImageDraw.Draw(stamp)
        pen.fontmode = "1"
        pen.text((_BEARING, self.ascent), drawable, fill=255, font=self._font, anchor="ls")
        return stamp, advance

    def _core(self, text: str) -> tuple[Any, int]:
        """Return a text rendered as Pillow's core image, and its advance width."""
        stamp, advance = self._set(text)
        return stamp.im, advance

    def _widen(self, text: str) -> Any:
        """Return a text thickened by one pixel on every side, as Pillow's core image."""
        stamp, _advance = self._set(text)
        wide = Image.new("L", (stamp.width + 2, stamp.height + 2))
        wide.paste(stamp.convert("L"), (1, 1))
        return wide.filter(ImageFilter.MaxFilter(3)).convert("1").im

    def fit(self, text: str, width: int) -> str:
        """Return a text shortened with an ellipsis to a width in pixels.

        The drawn form is shortened: a name in a script that the face lacks is cut after some of its Latin letters.
        """
        return self._fitted(text, width)

    def _shorten(self, text: str, width: int) -> str:
        text = self._drawable(text)
        if self.width(text) <= width:
            return text
        room = width - self.width(ELLIPSIS)
        if room < 0:
            return ""
        kept = 0
        while self.width(text[: kept + 1]) <= room:
            kept += 1
        return text[:kept].rstrip() + ELLIPSIS

    def wrap(self, text: str, width: int) -> list[str]:
        """Return a text as lines of at most a width in pixels, broken at spaces and between Japanese phrases."""
        lines: list[str] = []
        for paragraph in text.split("\n"):
            line = ""
            for gap, unit in units(self._drawable(paragraph)):
                longer = line + gap + unit if line else unit
                if self.width(longer) <= width:
                    line = longer
                    continue
                if line:
                    lines.append(line)
                *full, line = self._broken(unit, width)
                lines += full
            lines.append(line)
        return lines

    def _broken(self, unit: str, width: int) -> Iterator[str]:
        """Yield the lines of a unit that may be wider than a line; each has at least one character."""
        line = ""
        for piece in pieces(unit):
            for part in (piece,) if self.width(piece) <= width else piece:
                if line and self.width(line + part) > width:
                    yield line
                    line = ""
                line += part
        yield line

    def _drawable(self, text: str) -> str:
        """Return a text in composed form; missing characters become Latin letters or, in numerals, boxes."""
        text = _composed(text)
        if self._known.issuperset(text):
            return text
        self._known.update(filter(self._holds, text))
        if not self._known.issuperset(text) and self.has(UNKNOWN):
            return with_fallbacks(text, self._holds)
        return "".join(character if character in self._known else self._replacement for character in text)

    def _holds(self, character: str) -> bool:
        """Return whether the face has a character that can stand alone: no combining mark or replacement box."""
        return self.has(character) and character != self._replacement and not joins(character)


def _composed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


@cache
def face(name: FaceName) -> BitmapFont:
    """Return a face, opened on first use and cached."""
    return BitmapFont(Path(__file__).with_name(FILES[name]))
