"""The drawn symbols as SVG: small ones in the lines of a text, large ones for the trump.

A page contains the `sprite` of the symbols it needs once, and refers to them with ``<use>``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from html import escape
from typing import Protocol

from PIL import Image

from companion.core.text import isolated
from companion.ui.fonts import GLYPHS, face, has_drawing, large

HEIGHT = 9
"""The height of a small symbol in pixels."""

_NAMES = {sign: name for name, sign in GLYPHS.items()}
_SIGN = re.compile(f"([{''.join(_NAMES)}])")
_WITH_FIGURES = re.compile(f"([0-9−+]*(?:[{''.join(_NAMES)}]+[0-9−+]+|(?<=[0-9−+])[{''.join(_NAMES)}]+))")
"""A glyph and the figures beside it, such as a card: no line breaks between them."""


UNCOLOURED: Mapping[str, tuple[str, str]] = {}


class GlyphWords(Protocol):
    """Returns the words for glyphs, as `companion.ui.translations.Translator` does."""

    def aloud(self, line: str) -> str:
        """Return a line with its glyphs replaced by words."""


def path(picture: Image.Image) -> str:
    """Return the lit pixels of a picture as path commands: one bar for equal runs of pixels in adjacent rows."""
    bars: dict[tuple[int, int], tuple[int, int]] = {}  # the open bars: by left and width, their top and height
    drawn: list[str] = []
    for y in range(picture.height + 1):
        runs = set(_runs(picture, y)) if y < picture.height else set()
        for run in [run for run in bars if run not in runs]:
            (left, width), (top, height) = run, bars.pop(run)
            drawn.append(f"M{left} {top}h{width}v{height}h-{width}z")
        for run in sorted(runs):
            top, height = bars.get(run, (y, 0))
            bars[run] = top, height + 1
    return "".join(drawn)


def _runs(picture: Image.Image, y: int) -> Iterator[tuple[int, int]]:
    """Yield left and width of each run of lit pixels in a row."""
    row = "".join("#" if picture.getpixel((x, y)) else " " for x in range(picture.width))
    for run in re.finditer("#+", row):
        yield run.start(), run.end() - run.start()


@cache
def small(name: str) -> str:
    """Return the symbol element of a glyph."""
    picture = _drawn(GLYPHS[name])
    return f'<symbol id="g-{name}" viewBox="0 0 {picture.width} {HEIGHT}"><path d="{path(picture)}"></path></symbol>'


@lru_cache(maxsize=64)
def picture_path(name: str, word: str) -> tuple[str, int, int]:
    """Return the path of a large drawing, its width and its height.

    A glyph without a large drawing stands in small pixels; anything else is its word in large letters.
    """
    if name not in GLYPHS or has_drawing(name):
        drawn = large(name, word)
        return path(drawn), drawn.width, drawn.height
    drawn = _drawn(GLYPHS[name])
    return path(drawn), drawn.width, drawn.height


def _drawn(sign: str) -> Image.Image:
    text = face("text")
    picture = Image.new("1", (text.width(sign) - 1, HEIGHT))
    text.draw(picture, (0, 0), sign)
    return picture


def names_in(*texts: str) -> frozenset[str]:
    return frozenset(_NAMES[sign] for text in texts for sign in _SIGN.findall(text))


def sprite(names: Iterable[str]) -> str:
    """Return a hidden SVG element with the symbols of glyphs."""
    symbols = "".join(map(small, sorted(names)))
    return f'<svg id="symbols" class="sprite" aria-hidden="true" width="0" height="0">{symbols}</svg>'


@lru_cache(maxsize=512)
def _use(sign: str, word: str, colours: tuple[str, str] | None = None) -> str:
    """Return a symbol with its hidden word; in the colours for a dark room and a light one, or in the text's."""
    use, width = f'<use href="#g-{_NAMES[sign]}"', face("text").width(sign) - 1
    if colours is None:
        used = f"{use}></use>"
    else:
        dark, light = colours
        used = f'{use} class="in-dark" fill="{dark}"></use>{use} class="in-light" fill="{light}"></use>'
    return (
        f'<svg class="g" viewBox="0 0 {width} {HEIGHT}" aria-hidden="true">{used}</svg>'
        f'<span class="aloud"> {escape(word)} </span>'
    )


def glyphs(text: str, words: GlyphWords, colours: Mapping[str, tuple[str, str]] = UNCOLOURED) -> str:
    """Return a text as markup: glyphs become their symbols with hidden words, everything else is escaped.

    Names that are written from right to left are isolated.

    Args:
        colours: The colours of glyphs in a dark room and in a light one; all others have that of the text.

    >>> from companion.ui.translations import Translator
    >>> print(glyphs("2" + GLYPHS["tree"], Translator()))  # doctest: +NORMALIZE_WHITESPACE
    <span class="w">2<svg class="g" viewBox="0 0 7 9" aria-hidden="true"><use href="#g-tree"></use></svg><span
    class="aloud"> trees </span></span>
    """
    parts = _WITH_FIGURES.split(isolated(text))  # every second one has figures
    marked = (_marked(part, words, colours) for part in parts)
    return "".join(f'<span class="w">{part}</span>' if place % 2 else part for place, part in enumerate(marked))


def _marked(text: str, words: GlyphWords, colours: Mapping[str, tuple[str, str]]) -> str:
    pieces = _SIGN.split(text)
    return "".join(
        _use(piece, words.aloud(piece), colours.get(piece)) if piece in _NAMES else escape(piece) for piece in pieces
    )
