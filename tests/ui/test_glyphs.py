"""Glyphs are distinguishable by shape alone: large ones from across a dim room, small ones in a line of text."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

import pytest
from PIL import Image, ImageChops, ImageFilter

from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.gamelog import decode_header, decode_line
from companion.ui.fonts import FaceName, face
from companion.ui.panel import draw
from companion.ui.pictures import large
from companion.ui.screens.context import CurrentGame, ScreenContext
from companion.ui.screens.table import PlayScreen
from companion.ui.symbols import GLYPHS
from companion.ui.translations import Translator
from companion.ui.view import OpenGame, View
from tests.app.boxes import view_of
from tests.games.seeds import deal

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
"""Minimum distance between different signs, as a multiple of the distance that the rest of the screen can cause.

Above 1, the nearest picture to any picture has the same sign. A margin of 2 leaves room for disturbances, such as
reflections in the room.
"""
SCREENS = 24
"""Number of screens compared for each sign."""
SHIFTS = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1))


def afar(image: Image.Image) -> Image.Image:
    """Return a panel as seen from afar: scaled to a quarter, and blurred by four of its pixels."""
    small = image.convert("L").resize((32, 16), Image.Resampling.BOX)
    return small.filter(ImageFilter.GaussianBlur(1))


def distance(one: Image.Image, other: Image.Image) -> float:
    """Return the root mean square difference of two pictures: 0 if equal, 1 if opposite."""
    shades = ImageChops.difference(one, other).tobytes()
    return math.sqrt(sum(shade * shade for shade in shades) / len(shades)) / 255


def sign_of(game: str, panel: Image.Image) -> Image.Image:
    """Return the part of a panel with its sign; in Gear without the rows covered by the rank."""
    part = afar(panel).crop((0, 2, 9, 11))
    if game == "gear":
        part.paste(0, (0, 2, 9, 7))
    return part


def views(game: str) -> Iterator[View]:
    """Yield the views of random games, entry by entry."""
    for seed in range(60):
        dealt = deal(game, seed, coarse=0.0, edits=0.0)
        session = Session(decode_header(json.dumps(dealt.header)))
        words = Translator("en", session.header.players)
        for line in dealt.lines:
            session = session.add(decode_line(json.dumps(line), session.header))
            if session.header.game.ask(session.state, DetailLevel.FULL, ()) is not None:
                yield view_of(PlayScreen(), ScreenContext(words, game=CurrentGame("", session, DetailLevel.FULL)))


@cache
def screens(game: str) -> dict[str, tuple[View, ...]]:
    """Return some views for each sign, from different games and different moments."""
    found: dict[str, list[View]] = {name: [] for name in LARGE[game]}
    for number, view in enumerate(views(game)):
        symbol = view.body.symbol if isinstance(view.body, OpenGame) else None
        name = None if symbol is None else symbol.picture
        if name is not None and (number % 5 == 0 or name == "mixed") and len(found[name]) < SCREENS:
            found[name].append(view)
        if all(len(some) == SCREENS for some in found.values()):
            break
    return {name: tuple(some) for name, some in found.items()}


@pytest.mark.parametrize("game", ["eternity", "gear", "east-rune"])
def test_from_afar_a_screen_tells_its_sign_whatever_else_is_on_it(game: str) -> None:
    seen = {name: [sign_of(game, draw(view)) for view in some] for name, some in screens(game).items()}
    assert all(len(some) > SCREENS // 2 for some in seen.values())
    else_ = max(distance(one, other) for some in seen.values() for one, other in combinations(some, 2))
    for name, other in combinations(seen, 2):
        apart = min(distance(*pair) for pair in product(seen[name], seen[other]))
        assert apart > MARGIN * else_, (name, other, apart, else_)


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
