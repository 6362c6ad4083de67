"""Bitmap fonts: measures, shortens, wraps and draws text in 1-bit pixels, and divides sentences into pages.

`face("text").draw(image, (0, 0), "Béa " + glyph("crown"))` draws a line.

Each face is one uncompressed PCF file, made by `tools.bake_fonts` and opened on first use. A character that a text face
lacks is spelled in Latin letters; one that the other faces lack is drawn as a box. A text's position is the top left of
its line box, so that callers need no baselines.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import Final, Literal

from PIL import Image, ImageDraw, ImageFont

FaceName = Literal["text", "small", "cards", "numerals"]

FILES: Final[dict[FaceName, str]] = {
    "text": "companion-10.pcf",
    "small": "companion-8.pcf",
    "cards": "cards-10.pcf",
    "numerals": "numerals-16.pcf",
}
"""The file of each face; its name ends in the height of a line in pixels."""
ELLIPSIS: Final = "…"
UNKNOWN: Final = "?"
"""Drawn for a character that the face lacks and that has no transliteration."""

_BOX: Final = "\ufffd"
"""A character that every face draws as the box for a character it lacks."""
_BEARING: Final = 2
"""How far ink may extend beyond the advance width on each side, in pixels."""


class BitmapFont:
    """A bitmap font of one size."""

    def __init__(self, path: Path) -> None:
        """Open a font file by its path, so that FreeType maps it and only the used parts are in memory."""
        size = int(path.stem.rpartition("-")[2])
        self._font = ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)
        self.ascent, descent = self._font.getmetrics()
        self.height: Final[int] = self.ascent + descent
        self._box: Final = self._ink(_BOX)
        # The same words are drawn all evening; drawing a cached bitmap takes a fifth of the time of rendering it.
        self._stamp = lru_cache(maxsize=512)(self._render)
        self._edge = lru_cache(maxsize=128)(self._widen)
        self._drawable = lru_cache(maxsize=1024)(self._composed)
        self.has: Final[Callable[[str], bool]] = lru_cache(maxsize=1024)(self._holds)
        self.width: Final[Callable[[str], int]] = lru_cache(maxsize=1024)(self._width)
        self._fitted = lru_cache(maxsize=512)(self._shorten)

    def _holds(self, character: str) -> bool:
        """Return whether the face has a character that can stand alone: FreeType draws a box for those it lacks."""
        return not joins(character) and self._ink(character) != self._box

    def _ink(self, character: str) -> tuple[bytes, float]:
        """Return the pixels of a character and its advance width."""
        return bytes(self._font.getmask(character, "1")), self._font.getlength(character)

    def draw(self, target: Image.Image | ImageDraw.ImageDraw, place: tuple[int, int], text: str, ink: int = 1) -> int:
        """Draw a text with the top left of its line box at ``place``; return the x of the next text.

        Ink is 1 for lit letters and 0 for dark ones. Lit pixels are stored as 255 in every image mode. Dark letters get
        a lit outline one pixel wide, so that their shapes stay closed at the edge of a lit bar.
        """
        x, y = place
        if not text:
            return x
        pen = ImageDraw.Draw(target) if isinstance(target, Image.Image) else target
        stamp, advance, _deep = self._stamp(text)
        bitmap = pen.draw.draw_bitmap  # `ImageDraw.bitmap` takes five times as long, since it looks up each colour
        if not ink:
            bitmap((x - _BEARING - 1, y - 1), self._edge(text).im, 255)
        bitmap((x - _BEARING, y), stamp.im, 255 if ink else 0)
        return x + advance

    def deep(self, text: str) -> bool:
        """Return whether a text has ink in the last pixel row of its line, as kanji and descenders do."""
        return self._stamp(text)[2]

    def _width(self, text: str) -> int:
        """Return the advance width of a text in pixels."""
        return round(self._font.getlength(self._drawable(text)))

    def _render(self, text: str) -> tuple[Image.Image, int, bool]:
        """Return a text rendered as a picture, its advance width, and whether it has ink in its last row."""
        advance = self.width(text)
        stamp = Image.new("1", (advance + 2 * _BEARING, self.height))
        pen = ImageDraw.Draw(stamp)
        pen.fontmode = "1"
        pen.text((_BEARING, self.ascent), self._drawable(text), fill=255, font=self._font, anchor="ls")
        ink = stamp.getbbox()
        return stamp, advance, ink is not None and ink[3] == self.height

    def _widen(self, text: str) -> Image.Image:
        """Return a text thickened by one pixel on every side."""
        stamp, _advance, _deep = self._stamp(text)
        wide = Image.new("1", (stamp.width + 2, stamp.height + 2))
        pen = ImageDraw.Draw(wide)
        for x, y in product(range(3), repeat=2):
            pen.draw.draw_bitmap((x, y), stamp.im, 255)
        return wide

    def fit(self, text: str, width: int) -> str:
        """Return a text shortened with an ellipsis to a width in pixels.

        The drawn form is shortened: a name in a script that the face lacks is cut after some of its Latin letters.
        """
        return self._fitted(text, width)

    def _shorten(self, text: str, width: int) -> str:
        if self.width(text) <= width:
            return self._drawable(text)
        room = width - self.width(ELLIPSIS)
        if room < 0:
            return ""
        text, kept = self._drawable(text), 0
        while self._font.getlength(text[: kept + 1]) <= room:
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

    def _composed(self, text: str) -> str:
        """Return a text in composed form; missing characters become Latin letters or, in numerals, boxes."""
        text = unicodedata.normalize("NFC", text)
        if all(map(self.has, text)):
            return text
        if self.has(UNKNOWN):
            return with_fallbacks(text, self.has)
        return "".join(character if self.has(character) else _BOX for character in text)


@cache
def face(name: FaceName) -> BitmapFont:
    """Return a face, opened on first use and cached."""
    return BitmapFont(Path(__file__).with_name(FILES[name]))


# Sentences


def fit_with_names(font: BitmapFont, line: str, names: Sequence[str], room: int) -> str:
    """Return a line that fits a room in pixels: the widest name in it loses letters first, then the line its end."""
    return font.fit(names_shortened(font, line, names, room), room)


def names_shortened(font: BitmapFont, line: str, names: Sequence[str], room: int) -> str:
    """Return a line whose names have lost letters, the widest first, until it fits a room or each has one letter."""
    there = sorted((name for name in names if name and name in line), key=len, reverse=True)
    if there and font.width(line) > room:
        parts = re.split(f"({'|'.join(map(re.escape, there))})", line)
        while font.width(line := "".join(parts)) > room:
            long = [place for place in range(1, len(parts), 2) if parts[place][1:]]
            if not long:
                break
            widest = max(long, key=lambda place: font.width(parts[place]))
            parts[widest] = parts[widest][:-1].rstrip()
    return line


def wrapped(sentences: Sequence[str], width: int, room: int) -> tuple[BitmapFont, list[str]]:
    """Return wrapped sentences and their face: the text face if they fit the room, else the small face."""
    for text in (face("text"), face("small")):
        lines = [line for sentence in sentences for line in text.wrap(sentence, width)]
        if len(lines) * text.height <= room:
            break
    return text, lines


def shortened(sentences: Sequence[str], width: int, room: int) -> tuple[BitmapFont, list[str]]:
    """Return as many wrapped lines as fit, and their face; the last ends in an ellipsis if text is left over."""
    text, lines = wrapped(sentences, width, room)
    last = room // text.height - 1
    rest = [text.fit(" ".join(lines[last:]), width)] if lines[last:] else []
    return text, lines[:last] + rest


# Pages of the panel


LINES = 4
"""Lines of a page or list."""
PAGE = 122
"""The width of a line of a page in pixels."""


def text_pages(sentences: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return the sentences of each page; there is at least one page. A sentence that fits on a page is not divided."""
    pieces = page_pieces(sentences, 1)
    starts = page_starts(pieces)
    return tuple(pieces[start:end] for start, end in zip(starts, (*starts[1:], len(pieces)), strict=True))


def page_pieces(sentences: Iterable[str], count: int = LINES) -> tuple[str, ...]:
    """Return the sentences; one that does not fit on a page is divided into pieces of so many lines, at most a page."""
    pieces: list[str] = []
    for sentence in sentences:
        lines = page_lines(sentence)
        fits = len(lines) <= LINES
        pieces += [sentence] if fits else ["\n".join(lines[at : at + count]) for at in range(0, len(lines), count)]
    return tuple(pieces)


def page_starts(pieces: Iterable[str]) -> tuple[int, ...]:
    """Return the number of the first piece of each page, if every page begins with the first line of a piece."""
    starts, room = [0], LINES
    for number, piece in enumerate(pieces):
        needed = len(page_lines(piece))
        if needed > room:
            starts.append(number)
            room = LINES
        room -= needed
    return tuple(starts)


def page_lines(sentence: str) -> list[str]:
    """Return the lines of a sentence on a page."""
    return face("text").wrap(sentence, PAGE)


# Characters that a face lacks


def with_fallbacks(text: str, holds: Callable[[str], bool]) -> str:
    """Return a composed text with the characters that a face lacks replaced.

    Every cluster, a character with its combining marks, stays visible, except spaces.

    Args:
        holds: Returns whether the face has a character that can stand alone.
    """
    return "".join(_spelled(cluster, holds) for cluster in _clusters(text))


def _spelled(cluster: str, holds: Callable[[str], bool]) -> str:
    if cluster.isspace():
        return cluster if holds(cluster) else " "
    letters = "".join(part if holds(part) else to_latin(part) for part in cluster)
    shown = "".join(filter(holds, letters))
    return shown if shown.strip() else UNKNOWN


def to_latin(character: str) -> str:
    """Return a character's transliteration, or an emoji's name, in ASCII; empty if there is none."""
    from anyascii import anyascii

    return anyascii(character).strip(":")


def joins(character: str) -> bool:
    """Return whether a character has no width of its own: a combining mark, a joiner or a direction mark."""
    return unicodedata.category(character) in ("Mn", "Me", "Mc", "Cf", "Cc") and not character.isspace()


def _clusters(text: str) -> Iterator[str]:
    """Yield the clusters of a text: a character with its combining marks. A space takes no marks."""
    cluster = ""
    for character in text:
        if cluster and (not joins(character) or cluster.isspace()):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster


# Where a line may break


_NO_START: Final = (
    "、。，．・：；？！」』）］｝〕〉》】ー々ゝゞヽヾ゛゜｡､｣･ｰﾞﾟ…‥’”),.:;!?]}»%"
    "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ"
)
_NO_END: Final = "「『（［｛〔〈《【｢([{«‘“"
_CJK: Final = r"[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]"
_HIRAGANA: Final = r"[\u3041-\u309f]"
_KATAKANA: Final = r"[\u30a1-\u30fa\u30fc-\u30ff]"
_KANJI: Final = r"[\u4e00-\u9fff々]"
_KEY: Final = r"[#*●‹›][ \u3000]?で?"
_SPACES: Final = " \t\u3000"


def units(paragraph: str) -> Iterator[tuple[str, str]]:
    """Yield the unbreakable units of a paragraph, each with the spaces before it.

    >>> [unit for _gap, unit in units("海5、はるなの番。*で1つ戻る")]
    ['海5、はるなの', '番。', '*で1つ', '戻る']
    """
    french_space, unit, _piece = _patterns()
    for match in unit.finditer(french_space.sub("\u00a0", paragraph)):
        if match["unit"]:
            yield match["gap"], match["unit"]


def pieces(unit: str) -> list[str]:
    """Return the pieces of a unit that is wider than a line: words of katakana stay whole, if a line can hold them.

    >>> pieces("インストールしました。")
    ['インストール', 'し', 'ま', 'し', 'た。']
    """
    _french_space, _unit, piece = _patterns()
    return piece.findall(unit)


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return the compiled patterns; compiled on first use to keep start-up fast."""
    starts, ends = re.escape(_NO_END), re.escape(_NO_START)
    word = rf"(?:(?!{_CJK})[^{_SPACES}])+"
    kanji = rf"{_KANJI}+(?:[りれきえち]{_KANJI}+)?"  # also a compound such as 取り消す
    run = rf"(?:{_KATAKANA}+|{kanji}|(?!{_HIRAGANA}){_CJK})"
    counted = rf"\d*{run}(?:\d+{run}?)?"
    suffix = rf"{_HIRAGANA}*[{ends}]*(?:(?<=[」』）]){_HIRAGANA}+[{ends}]*)?"
    said = rf"(?:{counted}|{word}(?:(?<=[\d\u00a0=]){run})?)?"
    phrase = rf"[{starts}]*(?:{_KEY})?(?:[おご](?={_KANJI})|やり(?=直))?{said}{suffix}"
    piece = rf"[{starts}]*(?:{_KATAKANA}+|{_CJK}|{word}|.)?[{ends}]*"
    return (
        re.compile(r"(?<=«) | (?=[:;?!»%])"),
        re.compile(rf"(?P<gap>[{_SPACES}]*)(?P<unit>{phrase})"),
        re.compile(rf"(?=.){piece}", re.DOTALL),
    )
