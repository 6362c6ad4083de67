"""Makes the font files in `companion/ui/fonts` from Debian's bitmap fonts and our own drawings.

Run `python -m tools.bake_fonts [folder]` on Debian or Ubuntu with these packages installed:

    apt-get install xfonts-mplus xfonts-efont-unicode fonts-misaki pcf2bdf xfonts-utils

The text face is M+ (Latin `h10r`, Japanese `j10r`). Accented letters it lacks are composed of its own letters and the
marks below. What is then missing comes from efont's `h12` (12 px half width). The small face is efont's `h10` for
letters and digits and Misaki for Japanese. efont's 10-px kanji are not used, as their author is unknown. Laid cards and
numerals are our own drawings. The same input gives the same bytes.

A line of the text face has 10 rows, so that a bar of 10 rows covers every letter. For this, Japanese is set a row lower
than in M+, and letters with a mark above are a row less high.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from companion.ui.pictures import ART, Drawing, read_art
from companion.ui.symbols import GLYPHS

PACKAGES = "xfonts-mplus xfonts-efont-unicode fonts-misaki pcf2bdf xfonts-utils"
FONTS: Final = ART.parent
DRAWINGS: Final = Path(__file__).with_name("glyphs")
UNREAD: Final = {1 << 1, 1 << 6, 1 << 7}
"""The tables of a PCF file for old accelerators, widths that can be scaled, and names."""
X11: Final = Path("/usr/share/fonts/X11/misc")
MISAKI: Final = Path("/usr/share/fonts/truetype/misaki/misaki_gothic.ttf")

Pixels = frozenset[tuple[int, int]]
"""Points of ink: x from the left, y upwards from the baseline (row 0 stands on it)."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """The ink of one character, and its advance width."""

    pixels: Pixels
    advance: int


Glyphs = dict[str, Glyph]

PUNCTUATION: Final = "‐‑‒–—―‘’‚‛“”„†‡•…‥‰′″‹›⁄−√≤≥≠≈∞"
ALIASES: Final = {
    "\u00a0": " ",
    "～": "〜",
    "－": "−",
    "∥": "‖",
    "￠": "¢",
    "￡": "£",
    "￢": "¬",
    "ẞ": "ß",
} | dict(zip("髙﨑德瀨濵靑增寬淸橫黑郞", "高崎徳瀬浜青増寛清横黒郎", strict=True))
"""Characters drawn like another: variants between keyboards, and name kanji drawn in their everyday form."""

LOOKALIKES: Final = dict(
    zip(
        "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονАВЕЅІЈКМНОРСТХЬаеосрухѕіј",
        "ABEZHIKMNOPTYXovABESIJKMHOPCTXbaeocpyxsij",
        strict=True,
    )
)
del LOOKALIKES["Ь"]

CARON, CEDILLA, OGONEK, TURNED_COMMA = "\u030c", "\u0327", "\u0328", "\u0312"
ASCENT, DESCENT = 8, 2
"""The rows of the text face above the baseline and below."""
MARKED: Final = 5
"""The height of a letter under a mark, in rows."""

ABOVE: Final = {
    "\u0300": ("#.", ".#"),
    "\u0301": (".#", "#."),
    "\u0302": (".#.", "#.#"),
    "\u0303": (".##.#", "#.##."),
    "\u0304": ("####",),
    "\u0306": ("#..#", ".##."),
    "\u0307": ("#",),
    "\u0308": ("#.#", "#.#"),
    "\u030a": (".##.", "#..#", ".##."),
    "\u030b": (".#.#", "#.#."),
    CARON: ("#.#", ".#."),
    TURNED_COMMA: (".#", "#."),
}
BELOW: Final = {
    "\u0326": (".#", "#."),
    CEDILLA: (".#", "#."),
    OGONEK: ("#.", ".#"),
    "\u0323": ("#",),
}
WESTERN: Final = ("FULLWIDTH", "GREEK", "CYRILLIC")
"""Prefixes of the Unicode names of characters that stand on the baseline in a Japanese font."""
COMPOSED: Final = (
    *range(0x100, 0x180),
    *range(0x1CD, 0x1DD),
    *range(0x1E6, 0x1F0),
    *range(0x218, 0x21C),
    *range(0x386, 0x3CF),
    *range(0x400, 0x460),
    *range(0x1E00, 0x1F00),
)


def read_pcf(name: str, charset: str) -> Glyphs:
    """Read an X11 bitmap font whose codes are those of a character set."""
    source = subprocess.run(["pcf2bdf", X11 / f"{name}.pcf.gz"], check=True, capture_output=True).stdout
    glyphs: Glyphs = {}
    for block in source.decode("latin-1").split("\nENCODING ")[1:]:
        lines = block.splitlines()
        fields = {line.split()[0]: line.split()[1:] for line in lines[1 : lines.index("BITMAP")]}
        width, height, left, bottom = map(int, fields["BBX"])
        rows = lines[lines.index("BITMAP") + 1 :][:height]
        pixels = frozenset(
            (left + x, bottom + height - 1 - y)
            for y, row in enumerate(rows)
            for x in range(width)
            if int(row, 16) >> (4 * len(row) - 1 - x) & 1
        )
        if character := decoded(int(lines[0]), charset):
            glyphs[character] = Glyph(pixels, int(fields["DWIDTH"][0]))
    return glyphs


def decoded(code: int, charset: str) -> str:
    """Return the character of a code; empty if the character set has none."""
    if charset == "unicode":
        return chr(code)
    try:
        return bytes([code >> 8 | 0x80, code & 0xFF | 0x80] if charset == "euc_jp" else [code]).decode(charset)
    except UnicodeDecodeError:
        return ""


def read_misaki() -> Glyphs:
    """Draw the characters of JIS X 0208 and the half-width katakana that Misaki has."""
    font = ImageFont.truetype(MISAKI, 8, layout_engine=ImageFont.Layout.BASIC)

    def drawn(character: str) -> Pixels:
        canvas = Image.new("1", (8, 10))
        pen = ImageDraw.Draw(canvas)
        pen.fontmode = "1"
        pen.text((0, 8), character, fill=1, font=font, anchor="ls")
        return frozenset((x, 7 - y) for x in range(8) for y in range(10) if canvas.getpixel((x, y)))

    missing = drawn("\U0010fffd")
    characters = [*jis(), *map(chr, range(0xFF61, 0xFFA0))]
    found = {character: drawn(character) for character in characters}
    return {
        character: Glyph(pixels, round(font.getlength(character)))
        for character, pixels in found.items()
        if pixels != missing
    }


def jis() -> Iterator[str]:
    """Yield the characters of JIS X 0208."""
    for row in range(0xA1, 0xF5):
        for column in range(0xA1, 0xFF):
            if character := decoded(row << 8 | column, "euc_jp"):
                yield character


def drawn_glyphs(drawings: dict[str, Drawing], space: int = 1) -> Glyphs:
    """Turn our drawings into glyphs, with space after each."""
    glyphs: Glyphs = {}
    for name, drawing in drawings.items():
        top = len(drawing.rows) - 1 - drawing.drop
        pixels = frozenset(
            (x, top - y) for y, row in enumerate(drawing.rows) for x, pixel in enumerate(row) if pixel == "#"
        )
        character = chr(int(name[2:], 16)) if name.startswith("U+") else GLYPHS.get(name, name)
        glyphs[character] = Glyph(pixels, drawing.width + space)
    return glyphs


def trimmed(glyph: Glyph, space: int = 1) -> Glyph:
    """Trim a glyph of a fixed-width face to its ink, with space after it."""
    if not glyph.pixels:
        return glyph
    left, right = min(x for x, _ in glyph.pixels), max(x for x, _ in glyph.pixels)
    return Glyph(frozenset((x - left, y) for x, y in glyph.pixels), right - left + 1 + space)


def squashed(pixels: Pixels, height: int) -> Pixels:
    """Remove rows from a letter until it has at most this height; first rows that repeat the next one."""
    while (top := max(y for _, y in pixels)) >= height:
        rows = [frozenset(x for x, y in pixels if y == row) for row in range(top + 1)]
        repeats = [row for row in range(top) if rows[row] == rows[row + 1]]
        gone = min(repeats or [1 if top % 2 else top - 1], key=lambda row: abs(2 * row + 1 - top))
        pixels = frozenset((x, y - (y > gone)) for x, y in pixels if y != gone)
    return pixels


def lowered(glyph: Glyph) -> Glyph:
    """Make a glyph of 9 rows 8 high: shorten the letter under its mark, or the gap between them."""
    rows = {y for _, y in glyph.pixels}
    top = max(rows, default=0)
    if top < ASCENT:
        return glyph
    free = [y for y in range(min(rows, default=0), top) if y not in rows]
    if not free:
        return Glyph(squashed(glyph.pixels, ASCENT), glyph.advance)
    letter = squashed(frozenset((x, y) for x, y in glyph.pixels if y < free[-1]), MARKED)
    return Glyph(letter | {(x, y - 1) for x, y in glyph.pixels if y > free[-1]}, glyph.advance)


def settled(character: str, glyph: Glyph) -> Glyph:
    """Set a Japanese character a row lower; shorten brackets and Western characters instead."""
    if min((y for _, y in glyph.pixels), default=0) == -DESCENT or unicodedata.name(character, "").startswith(WESTERN):
        return lowered(glyph)
    return Glyph(frozenset((x, y - 1) for x, y in glyph.pixels), glyph.advance)


def composed(character: str, letters: Glyphs) -> Glyph | None:
    """Compose an accented letter of the text face from a letter and one mark, as M+ does; None if it cannot be."""
    parts = unicodedata.normalize("NFD", character)
    if len(parts) != 2 or parts[0] not in letters or parts[1] not in ABOVE | BELOW:
        return None
    base, mark = parts[0], parts[1]
    letter, advance = letters[base].pixels, letters[base].advance
    left, right = min(x for x, _ in letter), max(x for x, _ in letter)
    if mark == CARON and base in "dtlL":  # written as an apostrophe after the letter, over the foot of an L
        x = 3 if base == "L" else right + 2
        return Glyph(letter | {(x, 6), (x, 5)}, max(advance, x + 2))
    if mark == CEDILLA and base == "g":
        mark = TURNED_COMMA

    rows = (ABOVE | BELOW)[mark]
    height, width = len(rows), len(rows[0])
    if mark in ABOVE:
        if base in "ijіј":
            letter = frozenset((x, y) for x, y in letter if y < 6)
        letter = squashed(letter, MARKED)
        bottom = MARKED if height == 3 else MARKED + 1
    else:
        bottom = -2
    shift = right - 1 if mark == OGONEK else left + (right - left + 1 - width + (height == 1)) // 2
    marked = {
        (shift + x, bottom + height - 1 - y) for y, row in enumerate(rows) for x, dot in enumerate(row) if dot == "#"
    }
    push = max(0, -shift)
    pixels = frozenset((x + push, y) for x, y in letter | marked)
    return Glyph(pixels, max(advance, max(x for x, _ in pixels) + 2))


def within(glyphs: Glyphs, ascent: int, descent: int) -> Glyphs:
    """Return the glyphs whose ink stays inside the line box."""
    return {
        character: glyph for character, glyph in glyphs.items() if all(-descent <= y < ascent for _, y in glyph.pixels)
    }


def text_face() -> Glyphs:
    """Merge the text face: 8 rows above the baseline and 2 below."""
    kana = {c: g for c, g in read_pcf("mplus_j10r-jisx0201", "cp932").items() if c > "~"}
    japanese = {c: settled(c, g) for c, g in (read_pcf("mplus_j10r", "euc_jp") | kana).items()}
    high = within(read_pcf("h12", "unicode"), ASCENT + 1, DESCENT)
    narrow = {c: lowered(trimmed(g)) for c, g in high.items() if c > "~"}
    letters = read_pcf("mplus_h10r-euro", "iso8859-15") | read_pcf("mplus_h10r", "iso8859-1")
    letters = {c: lowered(g) for c, g in letters.items()}
    letters |= {other: letters[latin] for other, latin in LOOKALIKES.items()}
    basic = letters | {c: g for c, g in narrow.items() if 0x370 <= ord(c) < 0x460 and c not in letters}
    for character in map(chr, COMPOSED):
        if character not in letters and (glyph := composed(character, basic)):
            letters[character] = glyph
    glyphs = {c: g for c, g in narrow.items() if useful(c)}
    glyphs |= {c: g for c, g in japanese.items() if not 0x370 <= ord(c) < 0x460 and c not in PUNCTUATION}
    return glyphs | spaces(2, 5, 10) | letters


def small_face() -> Glyphs:
    """Merge the small face: 7 rows above the baseline and 1 below."""
    glyphs = {c: trimmed(g) for c, g in within(read_pcf("h10", "unicode"), 7, 1).items() if useful(c) or c <= "ÿ"}
    glyphs |= {c: read_pcf("h10", "unicode")[c] for c in "0123456789"}
    glyphs[" "] = Glyph(frozenset(), 3)
    return within(read_misaki(), 7, 1) | glyphs | spaces(1, 4, 8)


def useful(character: str) -> bool:
    """Return whether a half-width character beyond Latin-1 belongs in a face."""
    code = ord(character)
    return 0x100 <= code < 0x250 or 0x386 <= code < 0x3CF or 0x400 <= code < 0x460 or character in PUNCTUATION + "€™"


def spaces(thin: int, wide: int, ideographic: int) -> Glyphs:
    """Return the spaces that are wider or narrower than the usual one."""
    widths = {"\u2009": thin, "\u202f": thin, "\u2002": wide, "\u2003": 2 * wide, "\u3000": ideographic}
    return {character: Glyph(frozenset(), width) for character, width in widths.items()}


def numeral_face() -> Glyphs:
    """Return our own numerals, 16 rows high."""
    drawings = read_art(DRAWINGS / "numerals-16.txt")
    glyphs = drawn_glyphs(drawings, space=2)
    glyphs[" "] = glyphs["\u00a0"] = Glyph(frozenset(), glyphs["0"].advance // 2)
    glyphs["−"] = glyphs["–"] = glyphs["-"]
    glyphs["\x7f"] = glyphs.pop("\ufffd")
    return glyphs


def cards_face() -> Glyphs:
    """Return our own face for laid cards: ranks and every symbol, 10 rows high and nothing below the baseline."""
    symbols = {name: Drawing(drawing.rows) for name, drawing in read_art(DRAWINGS / "inline-10.txt").items()}
    glyphs = drawn_glyphs(symbols | read_art(DRAWINGS / "cards-10.txt"))
    return glyphs | {" ": Glyph(frozenset(), 4)}


def aliased(glyphs: Glyphs) -> Glyphs:
    """Add the characters that are drawn like another."""
    others = {alias: glyphs[original] for alias, original in ALIASES.items() if original in glyphs}
    return glyphs | others


def bdf(name: str, glyphs: Glyphs, ascent: int, descent: int) -> str:
    """Return a face in the Bitmap Distribution Format."""
    size = ascent + descent
    widest = max(glyph.advance for glyph in glyphs.values())
    foundry = f"-Companion-{name}-Medium-R-Normal--{size}-{size}0-72-72-P-{widest}0-ISO10646-1"
    lines = [
        "STARTFONT 2.1",
        f"FONT {foundry}",
        f"SIZE {size} 72 72",
        f"FONTBOUNDINGBOX {widest} {size} 0 {-descent}",
        "STARTPROPERTIES 6",
        f"PIXEL_SIZE {size}",
        f"FONT_ASCENT {ascent}",
        f"FONT_DESCENT {descent}",
        f"DEFAULT_CHAR {max(map(ord, glyphs.keys() & {chr(0x7F), chr(0xFFFD)}))}",
        'CHARSET_REGISTRY "ISO10646"',
        'CHARSET_ENCODING "1"',
        "ENDPROPERTIES",
        f"CHARS {len(glyphs)}",
    ]
    for character, glyph in sorted(glyphs.items()):
        lines += [
            f"STARTCHAR {ord(character):04X}",
            f"ENCODING {ord(character)}",
            f"SWIDTH {glyph.advance * 1000 // size} 0",
            f"DWIDTH {glyph.advance} 0",
            *bitmap(glyph.pixels),
            "ENDCHAR",
        ]
    return "\n".join([*lines, "ENDFONT", ""])


def bitmap(pixels: Pixels) -> Iterable[str]:
    """Return a glyph's bounding box and its rows in hexadecimal, as lines of BDF."""
    if not pixels:
        return ["BBX 0 0 0 0", "BITMAP"]
    left, right = min(x for x, _ in pixels), max(x for x, _ in pixels)
    bottom, top = min(y for _, y in pixels), max(y for _, y in pixels)
    width = right - left + 1
    octets = (width + 7) // 8
    rows = [
        sum(1 << (8 * octets - 1 - x + left) for x in range(left, right + 1) if (x, y) in pixels)
        for y in range(top, bottom - 1, -1)
    ]
    return [
        f"BBX {width} {top - bottom + 1} {left} {bottom}",
        "BITMAP",
        *(f"{row:0{2 * octets}X}" for row in rows),
    ]


def without_unread(font: bytes) -> bytes:
    """Return a PCF file without the tables that FreeType does not read: a quarter of it, which a box would map.

    The file begins with a mark and the number of tables; for each follow its kind, form, size and place.
    """
    mark, count = struct.unpack_from("<4sI", font)
    tables = [table for table in struct.iter_unpack("<4I", font[8 : 8 + 16 * count]) if table[0] not in UNREAD]
    heads, contents, place = struct.pack("<4sI", mark, len(tables)), b"", 8 + 16 * len(tables)
    for kind, form, size, begin in tables:
        heads += struct.pack("<4I", kind, form, size, place + len(contents))
        contents += font[begin : begin + size] + b"\0" * (-size % 4)
    return heads + contents


def bake(folder: Path) -> None:
    """Write every font file into a folder."""
    drawn = {
        size: drawn_glyphs(read_art(DRAWINGS / f"letters-{size}.txt") | read_art(DRAWINGS / f"inline-{size}.txt"))
        for size in (10, 8)
    }
    faces = {
        "companion-10": (aliased(text_face() | drawn[10]), ASCENT, DESCENT),
        "companion-8": (aliased(small_face() | drawn[8]), 7, 1),
        "cards-10": (cards_face(), 10, 0),
        "numerals-16": (numeral_face(), 16, 0),
    }
    for name, (glyphs, ascent, descent) in faces.items():
        outside = glyphs.keys() - within(glyphs, ascent, descent).keys()
        if outside:
            raise ValueError(f"{name}: no room in the line for {''.join(sorted(outside))}")
        with tempfile.NamedTemporaryFile("w", suffix=".bdf", encoding="ascii") as source:
            source.write(bdf(name, glyphs, ascent, descent))
            source.flush()
            made = subprocess.run(["bdftopcf", "-p1", "-M", "-m", source.name], check=True, capture_output=True)
        font = without_unread(made.stdout)
        (folder / f"{name}.pcf").write_bytes(font)
        print(f"{name}.pcf: {len(glyphs)} characters, {len(font)} bytes")


if __name__ == "__main__":
    missing = [name for name in ("pcf2bdf", "bdftopcf") if shutil.which(name) is None]
    if missing:
        sys.exit(f"{' and '.join(missing)} must be installed: apt-get install {PACKAGES}")
    bake(Path(sys.argv[1]) if len(sys.argv) > 1 else FONTS)
