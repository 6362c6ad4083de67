"""Signs, large drawings and the pairing code as SVG, with colours that are readable in a light and in a dark room."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from html import escape
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct
from PIL import Image

from companion.core.text import isolated
from companion.ui.pictures import PICTURES, has_drawing, large, qr_rows
from companion.ui.symbols import NAMES, SIGN
from companion.ui.translations import Translator

Colour = tuple[int, int, int]

ROOM: Colour = (11, 13, 18)
"""The background in a dark room."""
PAPER: Colour = (246, 243, 236)
"""The background in a light room."""
CONTRAST = 4.5
"""The least contrast of a symbol and its background, as WCAG 2 measures it."""


def parsed(colour: str) -> Colour:
    """Return a colour such as ``#0046ff`` as red, green, blue."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


@lru_cache(maxsize=64)
def readable(colour: str, background: Colour) -> str:
    """Return a colour made lighter or darker until it has enough contrast.

    >>> readable("#0046ff", ROOM), readable("#0046ff", PAPER)
    ('#386fff', '#0046ff')
    """
    shade = parsed(colour)
    target = 255 if luminance(background) < 0.2 else 0
    if target == 0 and min(shade) > 200:
        return "#1a1c20"  # white on paper: ink
    mixtures = (_mixed(shade, target, part / 50) for part in range(51))
    return "#{:02x}{:02x}{:02x}".format(*next(mixed for mixed in mixtures if contrast(mixed, background) >= CONTRAST))


def _mixed(colour: Colour, target: int, part: float) -> Colour:
    red, green, blue = (round(value + (target - value) * part) for value in colour)
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: Colour) -> float:
    """Return the relative luminance of a colour, from 0 to 1."""
    red, green, blue = (value / 3294.6 if value <= 10 else ((value / 255 + 0.055) / 1.055) ** 2.4 for value in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


SIGNS = Path(__file__).with_name("signs.svg")
"""The signs as drawings, a symbol each."""

_WITH_FIGURES = re.compile(f"([0-9−+]*(?:[{''.join(NAMES)}]+[0-9−+]+|(?<=[0-9−+])[{''.join(NAMES)}]+))")
"""A glyph and the figures beside it, such as a card: no line breaks between them."""


class Drawing(Struct, frozen=True):
    """A sign as pages draw it: the commands of its path, filled by the even-odd rule, and the size of its box."""

    path: str
    width: float
    height: float

    @property
    def box(self) -> str:
        return f"0 0 {self.width:g} {self.height:g}"


@cache
def vectors() -> dict[str, Drawing]:
    """Return the drawings of `SIGNS` by the names of the signs."""
    found = re.findall(r'id="(\w+)" viewBox="0 0 (\S+) (\S+)"><path d="(.+?)"', SIGNS.read_text(encoding="utf-8"))
    return {name: Drawing(path, float(width), float(height)) for name, width, height, path in found}


@cache
def small(name: str) -> Drawing:
    """Return how a sign is drawn in a line of text."""
    return vectors()[name]


@lru_cache(maxsize=64)
def picture(name: str, word: str) -> Drawing:
    """Return how a sign is drawn in large: a game's own drawing in its pixels, and where there is none, the word."""
    if is_vector(name):
        return vectors()[name]
    drawn = large(name, word)
    return Drawing(path(drawn), drawn.width, drawn.height)


def is_vector(name: str) -> bool:
    """Return whether a sign in large is a drawing of `SIGNS`; a game's own drawing comes first."""
    return name in vectors() and (name in PICTURES or not has_drawing(name))


def path(picture: Image.Image) -> str:
    """Return the outlines of the lit pixels of a picture as path commands: without seams at any size."""
    lit = {(x, y) for y in range(picture.height) for x in range(picture.width) if picture.getpixel((x, y))}
    edges: dict[tuple[int, int], list[tuple[int, int]]] = {}  # the ends of the edges from each corner, clockwise
    for x, y in sorted(lit, key=itemgetter(1, 0)):
        corners = (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)
        for side, beyond in enumerate(((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))):
            if beyond not in lit:
                edges.setdefault(corners[side], []).append(corners[(side + 1) % 4])
    drawn = ""
    while edges:
        outline = [next(iter(edges))]
        while len(outline) == 1 or outline[-1] != outline[0]:
            ends = edges[outline[-1]]
            if len(ends) == 1:
                del edges[outline[-1]]
            outline.append(ends.pop())
        around = zip([outline[-2], *outline], outline, outline[1:], strict=False)
        bends = [here for before, here, after in around if before[0] != after[0] and before[1] != after[1]]
        drawn += f"M{bends[0][0]} {bends[0][1]}"
        drawn += "".join(f"v{y - top}" if x == left else f"h{x - left}" for (left, top), (x, y) in pairwise(bends))
        drawn += "z"
    return drawn


def names_in(*texts: str) -> frozenset[str]:
    return frozenset(NAMES[sign] for text in texts for sign in re.findall(SIGN, text))


def sprite(names: Iterable[str], others: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return a hidden SVG element with the paths of signs, which a page uses by their ids; the others are by id."""
    paths = {f"g-{name}": small(name).path for name in sorted(names)} | dict(others)
    drawn = "".join(f'<path id="{name}" d="{path}"></path>' for name, path in paths.items())
    return f'<svg id="symbols" class="sprite" aria-hidden="true" width="0" height="0">{drawn}</svg>'


@lru_cache(maxsize=512)
def _use(sign: str, word: str, colours: tuple[str, str] | None = None) -> str:
    """Return a sign with its hidden word; in the colours for a dark room and a light one, or in the text's."""
    use = f'<use href="#g-{NAMES[sign]}"'
    if colours is None:
        used = f"{use}></use>"
    else:
        dark, light = colours
        used = f'{use} class="in-dark" fill="{dark}"></use>{use} class="in-light" fill="{light}"></use>'
    return (
        f'<svg class="g" viewBox="{small(NAMES[sign]).box}" aria-hidden="true">{used}</svg>'
        f'<span class="aloud"> {escape(word)} </span>'
    )


def glyphs(text: str, words: Translator, colours: Mapping[str, tuple[str, str]] | None = None) -> str:
    """Return a text as markup: glyphs become their symbols with hidden words, everything else is escaped.

    Names that are written from right to left are isolated.

    Args:
        colours: The colours of glyphs in a dark room and in a light one; all others have that of the text.

    >>> from companion.ui.symbols import GLYPHS
    >>> print(glyphs("2" + GLYPHS["tree"], Translator()))  # doctest: +NORMALIZE_WHITESPACE
    <span class="w">2<svg class="g" viewBox="0 0 18 24" aria-hidden="true"><use href="#g-tree"></use></svg><span
    class="aloud"> trees </span></span>
    """
    marked, colours = "", colours or {}
    for place, part in enumerate(_WITH_FIGURES.split(isolated(text))):  # every second one has figures
        pieces = (
            _use(one, words.aloud(one), colours.get(one)) if one in NAMES else escape(one)
            for one in re.split(SIGN, part)
        )
        marked += f'<span class="w">{"".join(pieces)}</span>' if place % 2 else "".join(pieces)
    return marked


QUIET_ZONE = 4
"""The margin around the code, in modules: without it cameras do not find the code."""


@lru_cache(maxsize=4)
def pairing_code(link: str) -> Image.Image | None:
    """Return the QR code of a link that pairs, a pixel for each module, lit where it is dark; do not draw on it.

    None without a link or the package segno.
    """
    rows = qr_rows(link)
    if not rows:
        return None
    code = Image.new("1", (len(rows) + 2 * QUIET_ZONE,) * 2)
    for y, row in enumerate(rows, QUIET_ZONE):
        for x, module in enumerate(row, QUIET_ZONE):
            code.putpixel((x, y), 255 * (module == "#"))
    return code


@lru_cache(maxsize=4)
def pairing_svg(link: str) -> str:
    """Return the QR code of a link that pairs as an SVG element, dark on white; empty where there is none."""
    code = pairing_code(link)
    if code is None:
        return ""
    return (
        f'<svg class="qr" viewBox="0 0 {code.width} {code.height}" role="img" aria-label="QR">'
        f'<path fill="#fff" d="M0 0h{code.width}v{code.height}h-{code.width}z"></path>'
        f'<path fill="#000" d="{path(code)}"></path></svg>'
    )
