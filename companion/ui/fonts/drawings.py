"""Large pictures of symbols, drawn by hand; a symbol without a drawing is its word in large letters.

The drawings are text files of ASCII art. A file holds one or more. Each begins with a line `@ name`, or `@ name -2` if
it extends two pixels below the baseline. `#` is a lit pixel, `.` a dark one, and a line that begins with `;` is a
comment.
"""

from __future__ import annotations

import os
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image

from .bitmap_fonts import face

ART: Final = Path(__file__).with_name("glyphs")
PICTURES: Final = tuple(sorted(name for name, ending in map(os.path.splitext, os.listdir(ART)) if ending == ".txt"))
"""The symbols with a large drawing of ours, readable from across the table: a file each."""
SIDE: Final = 32
"""The width and height of a large drawing in pixels."""
OWN_FILE = "drawings.txt"
"""The file of large drawings in a game's package: of any size, each begun by a line ``@ name``."""


class Drawing(NamedTuple):
    """A drawn symbol: its pixel rows, and how many lie below the baseline."""

    rows: tuple[str, ...]
    drop: int = 0

    @property
    def width(self) -> int:
        return len(self.rows[0])

    def image(self) -> Image.Image:
        picture = Image.new("1", (self.width, len(self.rows)))
        picture.putdata([255 * (pixel == "#") for row in self.rows for pixel in row])
        return picture


def read_art(path: Path) -> dict[str, Drawing]:
    drawings: dict[str, Drawing] = {}
    name, drop, rows = "", 0, list[str]()
    for line in [*path.read_text(encoding="utf-8").splitlines(), "@"]:
        if line.startswith("@"):
            if rows:
                if len({len(row) for row in rows}) != 1:
                    raise ValueError(f"{path.name}: the rows of {name} differ in length")
                drawings[name] = Drawing(tuple(rows), drop)
            words = line.split()
            name = words[1] if len(words) > 1 else ""
            drop = -int(words[2]) if len(words) > 2 and words[2].lstrip("-").isdigit() else 0
            rows = []
        elif line and not line.startswith(";"):
            if set(line) - {"#", "."}:
                raise ValueError(f"{path.name}: {name} holds something else than # and .")
            rows.append(line)
    return drawings


def has_drawing(name: str) -> bool:
    """Return whether a symbol has a large drawing: one of ours, or one in a game's package."""
    return name in PICTURES or _own(name) is not None


def _own(name: str) -> Image.Image | None:
    """Return the large drawing in the package of an open game; None if there is none."""
    from companion.games import GAMES  # the fonts are needed before the games

    packages = (game.optional.package for game in GAMES.opened)
    return next((drawn[name] for package in packages if package and name in (drawn := _drawings_of(package))), None)


@cache
def _drawings_of(package: str) -> dict[str, Image.Image]:
    """Return the large drawings in a game's package by name, each as large as it fits; empty if it has none."""
    file = Path(str(files(package))) / OWN_FILE
    drawings = read_art(file) if file.is_file() else {}
    return {name: _centred(one.image(), SIDE / max(one.width, len(one.rows))) for name, one in drawings.items()}


@lru_cache(maxsize=64)
def large(name: str, word: str) -> Image.Image:
    """Return a symbol's large drawing, or its word in large letters. The result is cached; do not draw on it.

    Args:
        word: Its meaning. If the word does not fit at double size, only its first letter is drawn.
    """
    if name in PICTURES:
        return read_art(ART / f"{name}.txt")[name].image()
    word = word or name
    return _own(name) or _enlarged(word, least=2) or _enlarged(word[:1]) or Image.new("1", (SIDE, SIDE))


def _enlarged(letters: str, least: int = 1) -> Image.Image | None:
    """Return letters scaled as large as they fit; None if the scale would be less than ``least``."""
    text = face("text")
    line = Image.new("1", (text.width(letters) + SIDE, text.height))
    text.draw(line, (SIDE // 2, 0), letters)
    ink = line.getbbox()
    if ink is None:
        return None
    times = min(SIDE // (ink[2] - ink[0]), SIDE // (ink[3] - ink[1]))
    return _centred(line.crop(ink), times) if times >= least else None


def _centred(image: Image.Image, scale: float) -> Image.Image:
    """Return a picture scaled, in the middle of the room of a large drawing."""
    width, height = (max(1, round(side * scale)) for side in image.size)
    made = Image.new("1", (SIDE, SIDE))
    made.paste(image.resize((width, height), Image.Resampling.NEAREST), ((SIDE - width) // 2, (SIDE - height) // 2))
    return made
