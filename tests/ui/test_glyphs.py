"""Glyphs are distinguishable by shape alone: large ones from across a dim room, small ones in a line of text."""

from __future__ import annotations

import math
from itertools import combinations, product

import pytest
from PIL import Image, ImageChops, ImageFilter

from companion.ui.fonts import FaceName, face
from companion.ui.pictures import large
from companion.ui.symbols import GLYPHS

pytestmark = [pytest.mark.unmeasured, pytest.mark.one_python]

LARGE = {
    "eternity": ("sea", "sky", "earth"),
    "gear": ("red", "black", "mixed"),
    "hipparchus": ("sun", "moon", "globe"),
    "east-rune": ("noon", "dusk", "night", "dawn", "anyday"),
}
"""The large glyphs of each game, which must be distinguishable."""

COMMON = ("crown", "lead", "check", "alert", "winner")
SMALL = {
    "eternity": ("sea", "sky", "earth", "tree", "peninsula", "pledge"),
    "gear": ("red", "black", "ace", "coin"),
    "hipparchus": ("sun", "moon", "globe"),
    "east-rune": (
        *("noon", "dusk", "night", "dawn", "anyday"),
        *("sacred", "mineral", "animal", "technology", "culture"),
        *("light", "beauty", "reason", "chair", "front", "dealer"),
    ),
}
"""The small glyphs of each game, without the common ones."""

UNLIKE = 0.3
"""Minimum share of the lit pixels of two small glyphs that is not common to both."""

MARGIN = 2
"""Minimum distance between different signs, as a multiple of the distance that an eye off by a pixel sees.

Above 1, the nearest picture to any picture has the same sign. A margin of 2 leaves room for disturbances, such as
reflections in the room.
"""
SHIFTS = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1))


def afar(image: Image.Image) -> Image.Image:
    """Return a panel as seen from afar: scaled to a quarter, and blurred by four of its pixels."""
    small = image.convert("L").resize((32, 16), Image.Resampling.BOX)
    return small.filter(ImageFilter.GaussianBlur(1))


def distance(one: Image.Image, other: Image.Image) -> float:
    """Return the root mean square difference of two pictures: 0 if equal, 1 if opposite."""
    shades = ImageChops.difference(one, other).tobytes()
    return math.sqrt(sum(shade * shade for shade in shades) / len(shades)) / 255


@pytest.mark.parametrize("game", LARGE)
def test_from_afar_no_sign_is_taken_for_another_when_the_eye_is_off_by_a_pixel(game: str) -> None:
    def placed(name: str, shift: tuple[int, int] = (0, 0)) -> Image.Image:
        panel = Image.new("1", (128, 64))
        panel.paste(large(name, ""), (1 + shift[0], 10 + shift[1]))
        return afar(panel).crop((0, 2, 9, 11))

    off = max(distance(placed(name), placed(name, shift)) for name in LARGE[game] for shift in SHIFTS)
    for name, other in combinations(LARGE[game], 2):
        apart = min(distance(placed(name), placed(other, shift)) for shift in SHIFTS)
        assert apart > MARGIN * off, (name, other, apart, off)


@pytest.mark.parametrize("name", ["text", "small", "cards"])
@pytest.mark.parametrize("game", SMALL)
def test_small_glyphs_of_a_table_differ_in_shape_wherever_in_the_line_they_stand(game: str, name: FaceName) -> None:
    for one, other in combinations((*SMALL[game], *COMMON), 2):
        assert unlike(name, one, other) > UNLIKE, (one, other)


@pytest.mark.parametrize("name", ["text", "small", "cards"])
def test_no_two_of_all_small_glyphs_are_alike(name: FaceName) -> None:
    alike = [pair for pair in combinations(GLYPHS, 2) if unlike(name, *pair, reach=0) < UNLIKE / 2]
    assert alike == []


def unlike(name: FaceName, one: str, other: str, reach: int = 2) -> float:
    """Return the share of the lit pixels of two small glyphs that is not common to both, at their best alignment."""

    def inked(sign: str, x: int, y: int) -> Image.Image:
        canvas = Image.new("1", (24, 20))
        face(name).draw(canvas, (5 + x, 4 + y), GLYPHS[sign])
        return canvas

    def ink(image: Image.Image) -> int:
        return image.histogram()[255]

    still = inked(one, 0, 0)
    moved = [inked(other, x, y) for x, y in product(range(-reach, reach + 1), repeat=2)]
    return min(ink(ImageChops.logical_xor(still, each)) / ink(ImageChops.logical_or(still, each)) for each in moved)
