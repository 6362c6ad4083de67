"""Bitmap fonts: measures, shortens, wraps and draws text in 1-bit pixels.

Each face is one uncompressed PCF file, opened on first use (`tools.bake_fonts` makes it). A character that a text face
lacks is spelled in Latin letters, one that numerals lack is drawn as a box, neither as nothing. Lines are measured
from the top of their box, so that no caller thinks of base lines.
"""

from __future__ import annotations

import re
import struct
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, Literal

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from companion.ui.fonts.fallback_characters import UNKNOWN, joins, with_fallbacks

FaceName = Literal["text", "small", "numerals", "display"]

FILES: Final[dict[FaceName, str]] = {
    "text": "companion-10.pcf",
    "small": "companion-8.pcf",
    "numerals": "numerals-16.pcf",
    "display": "numerals-28.pcf",
}
ELLIPSIS: Final = "…"

_ACCELERATORS, _ENCODINGS = 1 << 1, 1 << 5
_BIG_ENDIAN = 1 << 2
_BEARING: Final = 2
"""How far ink may reach beside the room a text advances by, in pixels."""

# Simple kinsoku: what may not begin a line, what may not end one, and what a line may break between.
_NO_START: Final = (
    "、。，．・：；？！」』）］｝〕〉》】ー々ゝゞヽヾ゛゜｡､｣･ｰﾞﾟ…‥’”),.:;!?]}»%"
    "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ"
)
_NO_END: Final = "「『（［｛〔〈《【｢([{«‘“"
_CJK: Final = r"[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]"
_SPACES: Final = " \t\u3000"


class BitmapFont:
    """A bitmap font of one size."""

    def __init__(self, path: Path) -> None:
        """Open the face of a PCF file."""
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

        # By its path: FreeType maps the file, and only what is used of it is in memory.
        self._font = ImageFont.truetype(path, self.height, layout_engine=ImageFont.Layout.BASIC)
        self._known: set[str] = set()
        # A table shows the same words all evening: setting one costs five times what stamping it does.
        self._stamp = lru_cache(maxsize=512)(self._core)
        self._edge = lru_cache(maxsize=128)(self._widen)
        self._fitted = lru_cache(maxsize=512)(self._shorten)
        self._deep = lru_cache(maxsize=512)(self._reaches_last_row)
        self._measured = lru_cache(maxsize=512)(self._measure)

    def has(self, character: str) -> bool:
        """Tell whether the face holds a character."""
        row, column = divmod(ord(character), 256)
        if row not in self._rows or column not in self._columns:
            return False
        index = (row - self._rows.start) * len(self._columns) + column - self._columns.start
        return self._encodings[2 * index : 2 * index + 2] != b"\xff\xff"

    def width(self, text: str) -> int:
        """Measure a text in pixels, the room after its last character included."""
        return self._measured(text)

    def deep(self, text: str) -> bool:
        """Tell whether a text has ink in the last row of its line, as kanji and the tails of letters have."""
        return self._deep(text)

    def draw(self, target: Image.Image | ImageDraw.ImageDraw, place: tuple[int, int], text: str, ink: int = 1) -> int:
        """Draw a text from the top left of its line box and return where the next one may begin.

        Ink is 1 for ink and 0 for paper; a pixel of ink is stored as 255, whatever the mode of the picture. Letters
        of paper have an edge of ink around them, so that none is open to the dark beside a lit bar.
        """
        x, y = place
        if not text:
            return x
        pen = ImageDraw.Draw(target) if isinstance(target, Image.Image) else target
        stamp, advance = self._stamp(text)
        bitmap = pen.draw.draw_bitmap  # `bitmap` of the pen takes five times as long: it looks each colour up
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
        """Set a text as a picture to be stamped, with how far it advances."""
        drawable = self._drawable(text)
        advance = round(self._font.getlength(drawable))
        stamp = Image.new("1", (advance + 2 * _BEARING, self.height))
        pen = ImageDraw.Draw(stamp)
        pen.fontmode = "1"
        pen.text((_BEARING, self.ascent), drawable, fill=255, font=self._font, anchor="ls")
        return stamp, advance

    def _core(self, text: str) -> tuple[Any, int]:
        """Set a text once, as Pillow's inner picture, with how far it advances."""
        stamp, advance = self._set(text)
        return stamp.im, advance

    def _widen(self, text: str) -> Any:
        """Return a text with a pixel more ink on every side of its own, as Pillow's inner picture."""
        stamp, _advance = self._set(text)
        wide = Image.new("L", (stamp.width + 2, stamp.height + 2))
        wide.paste(stamp.convert("L"), (1, 1))
        return wide.filter(ImageFilter.MaxFilter(3)).convert("1").im

    def fit(self, text: str, width: int) -> str:
        """Shorten a text to a width in pixels with an ellipsis, at the end of a whole character.

        What is shortened is what is seen: of a name in another script as many Latin letters as there is room for.
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
        """Break a text into lines of a width in pixels, at spaces and between Japanese characters."""
        lines: list[str] = []
        for paragraph in text.split("\n"):
            line = ""
            for gap, unit in _units(self._drawable(paragraph)):
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
        """Break a unit that may be wider than a line; a character wider than a line stands alone."""
        piece = ""
        for character in unit:
            if piece and self.width(piece + character) > width:
                yield piece
                piece = ""
            piece += character
        yield piece

    def _drawable(self, text: str) -> str:
        """Compose a text and spell what the face lacks; numerals, which spell nothing, put their box there."""
        text = _composed(text)
        if self._known.issuperset(text):
            return text
        self._known.update(filter(self._holds, text))
        if not self._known.issuperset(text) and self.has(UNKNOWN):
            return with_fallbacks(text, self._holds)
        return "".join(character if character in self._known else self._replacement for character in text)

    def _holds(self, character: str) -> bool:
        """Tell whether the face holds a character that can stand for itself, and so not the box of an unknown one."""
        return self.has(character) and character != self._replacement and not joins(character)


def _composed(text: str) -> str:
    """Put a text into its composed form."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _units(paragraph: str) -> Iterator[tuple[str, str]]:
    """Cut a paragraph where a line may break, into the spaces before each unit and the unit."""
    french_space, unit = _patterns()
    for match in unit.finditer(french_space.sub("\u00a0", paragraph)):
        if match["unit"]:
            yield match["gap"], match["unit"]


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Compile what tells where a line may break: on first use, since start-up is slow enough."""
    starts, ends = re.escape(_NO_END), re.escape(_NO_START)
    word = rf"(?:(?!{_CJK})[^{_SPACES}])+"
    unit = rf"(?P<gap>[{_SPACES}]*)(?P<unit>[{starts}]*(?:{_CJK}|{word})?[{ends}]*)"
    return re.compile(r"(?<=«) | (?=[:;!?»%])"), re.compile(unit)


@cache
def face(name: FaceName) -> BitmapFont:
    """Return the face of that name, opened on first use and kept."""
    return BitmapFont(Path(__file__).with_name(FILES[name]))
