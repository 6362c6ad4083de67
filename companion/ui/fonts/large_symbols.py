"""Large pictures of symbols for the panel; a symbol without a drawing is its word in large letters."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from .bitmap_fonts import face
from .drawings import PICTURES, SIDE, drawings_of, picture


def has_drawing(name: str) -> bool:
    """Return whether a symbol has a large drawing: one of ours, or one in a game's package."""
    return name in PICTURES or _own(name) is not None


def _own(name: str) -> Image.Image | None:
    from companion.games import GAMES  # the fonts are needed before the games

    packages = (game.optional.package for game in GAMES.opened)
    return next((drawn[name] for package in packages if package and name in (drawn := drawings_of(package))), None)


@lru_cache(maxsize=64)
def large(name: str, word: str) -> Image.Image:
    """Return a symbol's large drawing, or its word in large letters. The result is cached; do not draw on it.

    Args:
        word: Its meaning. If the word does not fit at double size, only its first letter is drawn.
    """
    if name in PICTURES:
        return picture(name)
    own = _own(name)
    if own is not None:
        return own
    word = word or name
    return _enlarged(word, least=2) or _enlarged(word[:1]) or Image.new("1", (SIDE, SIDE))


def _enlarged(letters: str, least: int = 1) -> Image.Image | None:
    """Return letters scaled as large as they fit; None if the scale would be less than ``least``."""
    text = face("text")
    line = Image.new("1", (text.width(letters) + SIDE, text.height))
    text.draw(line, (SIDE // 2, 0), letters)
    ink = line.getbbox()
    if ink is None:
        return None
    line = line.crop(ink)
    times = min(SIDE // line.width, SIDE // line.height)
    if times < least:
        return None
    enlarged = line.resize((times * line.width, times * line.height), Image.Resampling.NEAREST)
    made = Image.new("1", (SIDE, SIDE))
    made.paste(enlarged, ((SIDE - enlarged.width) // 2, (SIDE - enlarged.height) // 2))
    return made
