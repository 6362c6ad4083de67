"""The drawn symbols as SVG, and colours that can be read on a screen."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from PIL import Image

from companion.ui.fonts import face
from companion.ui.live_page.svg import (
    CONTRAST,
    PAPER,
    ROOM,
    contrast,
    glyphs,
    is_vector,
    names_in,
    parsed,
    path,
    picture,
    readable,
    small,
    sprite,
    vectors,
)
from companion.ui.pictures import PICTURES, large
from companion.ui.symbols import GLYPHS
from companion.ui.translations import Translator

SEA, TREE = GLYPHS["sea"], GLYPHS["tree"]


def painted(commands: str, size: tuple[int, int]) -> Image.Image:
    """Return the picture that path commands of outlines draw, by the even-odd rule."""
    lit = set[tuple[int, int]]()
    outline = re.compile(r"M(\d+) (\d+)((?:[hv]-?\d+)+)z")
    assert outline.sub("", commands) == ""
    for left, top, lines in outline.findall(commands):
        points = [(int(left), int(top))]
        for way, length in re.findall(r"([hv])(-?\d+)", lines):
            x, y = points[-1]
            points.append((x + int(length), y) if way == "h" else (x, y + int(length)))
        for (x, y), (_x, bottom) in pairwise([*points, points[0]]):  # each side turns everything to its right over
            lit ^= {(column, row) for column in range(x, size[0]) for row in range(min(y, bottom), max(y, bottom))}
    drawn = Image.new("1", size)
    for pixel in lit:
        drawn.putpixel(pixel, 255)
    return drawn


@pytest.mark.parametrize("name", PICTURES)
def test_the_outline_of_a_large_drawing_draws_the_same_pixels(name: str) -> None:
    pixels = large(name, "")
    assert painted(path(pixels), pixels.size).tobytes() == pixels.tobytes()


def test_an_outline_has_only_its_corners() -> None:
    assert path(Image.new("1", (4, 3), 1)) == "M0 0h4v3h-4z"
    assert path(Image.new("1", (4, 3))) == ""


def test_every_sign_is_drawn_without_pixels() -> None:
    assert vectors().keys() == GLYPHS.keys()
    assert [name for name in GLYPHS if not is_vector(name) or picture(name, "") != small(name)] == []


@pytest.mark.parametrize("name", GLYPHS)
def test_the_small_pixels_of_a_sign_fit_a_line(name: str) -> None:
    whole = Image.new("1", (20, face("text").height))
    face("text").draw(whole, (2, 0), GLYPHS[name])
    left, _top, right, bottom = whole.getbbox() or (0, 0, 0, 0)
    assert bottom <= 9  # nothing is cut off
    assert left >= 2
    assert right - 2 <= face("text").width(GLYPHS[name]) - 1


def test_a_sprite_has_each_symbol_once_and_only_those_asked_for() -> None:
    made = sprite(names_in(f"{SEA}7 {TREE}", f"{SEA}8"))
    assert re.findall(r'id="g-(\w+)"', made) == ["sea", "tree"]
    assert made.startswith('<svg id="symbols" class="sprite" aria-hidden="true"')
    assert len(sprite(GLYPHS).encode()) < 10_000


@pytest.mark.parametrize(("language", "word"), [("en", "sea"), ("fr", "mer"), ("ja", "海")])
def test_a_glyph_in_a_text_becomes_its_symbol_with_its_name(language: str, word: str) -> None:
    assert glyphs(f'<{SEA}7 & "x">', Translator(language)) == (
        '&lt;<span class="w"><svg class="g" viewBox="0 0 24 24" aria-hidden="true"><use href="#g-sea"></use></svg>'
        f'<span class="aloud"> {word} </span>'
        "7</span> &amp; &quot;x&quot;&gt;"
    )


def test_a_sign_without_a_drawing_is_its_word_in_pixels() -> None:
    whale = picture("whale", "Whale")
    assert (whale.width, whale.height) == (32, 32)
    assert painted(whale.path, (32, 32)).tobytes() == large("whale", "Whale").tobytes()


@pytest.mark.parametrize("colour", ["#0046ff", "#ff1e00", "#00c828", "#ffffff", "#ffbe00", "#2800ff", "#000000"])
@pytest.mark.parametrize("background", [ROOM, PAPER])
def test_a_suits_colour_can_be_read_on_dark_and_light(colour: str, background: tuple[int, int, int]) -> None:
    assert contrast(parsed(readable(colour, background)), background) >= CONTRAST


def test_white_is_ink_on_paper_and_white_in_the_dark() -> None:
    assert (readable("#ffffff", PAPER), readable("#ffffff", ROOM)) == ("#1a1c20", "#ffffff")
