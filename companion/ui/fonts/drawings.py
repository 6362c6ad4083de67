"""Symbols drawn by hand, read from text files of ASCII art.

A file holds one or more drawings. Each begins with a line `@ name`, or `@ name -2` if it extends two pixels below the
baseline. `#` is a lit pixel, `.` a dark one, and a line that begins with `;` is a comment.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image

ART: Final = Path(__file__).with_name("glyphs")

_LARGE = """
    sea sky earth red black mixed sun moon globe noon dusk night dawn anyday chair
    clubs diamonds hearts spades coins cups swords batons acorns leaves bells roses shields joker
"""
PICTURES: Final = tuple(_LARGE.split())
"""The symbols with a large drawing, readable from across the table."""

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
        for y, row in enumerate(self.rows):
            for x, pixel in enumerate(row):
                if pixel == "#":
                    picture.putpixel((x, y), 255)
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


@cache
def _large(name: str) -> Image.Image:
    return read_art(ART / f"{name}.txt")[name].image()


def picture(name: str) -> Image.Image:
    """Return a copy of a large drawing."""
    if name not in PICTURES:
        raise KeyError(f"no large drawing is called {name!r}")
    return _large(name).copy()


@cache
def drawings_of(package: str) -> dict[str, Image.Image]:
    """Return the large drawings in a game's package by name, each as large as it fits; empty if it has none."""
    file = Path(str(files(package))) / OWN_FILE
    return {name: _fitted(drawn.image()) for name, drawn in read_art(file).items()} if file.is_file() else {}


def _fitted(image: Image.Image) -> Image.Image:
    """Return a drawing scaled to the size of the large ones, in the middle."""
    scale = SIDE / max(image.size)
    size = tuple(max(1, round(side * scale)) for side in image.size)
    made = Image.new("1", (SIDE, SIDE))
    made.paste(image.resize((size[0], size[1])), ((SIDE - size[0]) // 2, (SIDE - size[1]) // 2))
    return made
