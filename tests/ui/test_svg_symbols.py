"""The drawn symbols as SVG, and colours that can be read on a screen."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageDraw

from companion.ui.fonts import face
from companion.ui.live_page.svg import (
    CONTRAST,
    HEIGHT,
    PAPER,
    ROOM,
    contrast,
    glyphs,
    names_in,
    parsed,
    path,
    picture_path,
    readable,
    sprite,
)
from companion.ui.pictures import PICTURES, large
from companion.ui.symbols import GLYPHS
from companion.ui.translations import Translator

SEA, TREE = GLYPHS["sea"], GLYPHS["tree"]


def painted(commands: str, size: tuple[int, int]) -> Image.Image:
    """Return the picture that path commands of bars draw."""
    drawn = Image.new("1", size)
    pen = ImageDraw.Draw(drawn)
    bar = re.compile(r"M(\d+) (\d+)h(\d+)v(\d+)h-(\d+)z")
    assert bar.sub("", commands) == ""
    for left, top, width, height, back in (map(int, found) for found in bar.findall(commands)):
        assert width == back
        pen.rectangle((left, top, left + width - 1, top + height - 1), fill=1)
    return drawn


@pytest.mark.parametrize("name", PICTURES)
def test_the_path_of_a_large_drawing_draws_the_same_pixels(name: str) -> None:
    commands, width, height = picture_path(name, "")
    assert painted(commands, (width, height)).tobytes() == large(name, "").tobytes()


@pytest.mark.parametrize("name", GLYPHS)
def test_the_symbol_of_a_glyph_draws_the_same_pixels(name: str) -> None:
    symbol = ElementTree.fromstring(sprite([name]))[0]
    assert symbol.get("id") == f"g-{name}"
    _left, _top, width, height = map(int, symbol.get("viewBox", "").split())
    wanted = Image.new("1", (width, height))
    face("text").draw(wanted, (0, 0), GLYPHS[name])
    assert painted(symbol[0].get("d", ""), (width, height)).tobytes() == wanted.tobytes()
    whole = Image.new("1", (20, face("text").height))
    face("text").draw(whole, (2, 0), GLYPHS[name])
    left, _top, right, bottom = whole.getbbox() or (0, 0, 0, 0)
    assert bottom <= HEIGHT  # nothing is cut off
    assert left >= 2
    assert right - 2 <= width


def test_equal_runs_in_adjacent_rows_are_one_bar() -> None:
    assert path(Image.new("1", (4, 3), 1)) == "M0 0h4v3h-4z"


def test_a_sprite_has_each_symbol_once_and_only_those_asked_for() -> None:
    made = sprite(names_in(f"{SEA}7 {TREE}", f"{SEA}8"))
    assert re.findall(r'id="g-(\w+)"', made) == ["sea", "tree"]
    assert made.startswith('<svg id="symbols" class="sprite" aria-hidden="true"')
    assert len(sprite(GLYPHS).encode()) < 10_000


@pytest.mark.parametrize(("language", "word"), [("en", "sea"), ("fr", "mer"), ("ja", "海")])
def test_a_glyph_in_a_text_becomes_its_symbol_with_its_name(language: str, word: str) -> None:
    assert glyphs(f'<{SEA}7 & "x">', Translator(language)) == (
        '&lt;<span class="w"><svg class="g" viewBox="0 0 10 9" aria-hidden="true"><use href="#g-sea"></use></svg>'
        f'<span class="aloud"> {word} </span>'
        "7</span> &amp; &quot;x&quot;&gt;"
    )


def test_a_symbol_without_a_large_drawing_is_its_small_one_or_its_word() -> None:
    assert picture_path("winner", "")[1:] == (9, 9)
    assert picture_path("whale", "Whale")[1:] == (32, 32)


@pytest.mark.parametrize("colour", ["#0046ff", "#ff1e00", "#00c828", "#ffffff", "#ffbe00", "#2800ff", "#000000"])
@pytest.mark.parametrize("background", [ROOM, PAPER])
def test_a_suits_colour_can_be_read_on_dark_and_light(colour: str, background: tuple[int, int, int]) -> None:
    assert contrast(parsed(readable(colour, background)), background) >= CONTRAST


def test_white_is_ink_on_paper_and_white_in_the_dark() -> None:
    assert (readable("#ffffff", PAPER), readable("#ffffff", ROOM)) == ("#1a1c20", "#ffffff")
