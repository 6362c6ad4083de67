"""Pictures beside text: large symbols, the first picture and the last, and QR codes.

The first picture is a file beside this module, because even loading fonts takes time: what is slow is imported when it
is first needed. ``python -m companion.ui.pictures`` draws that file again.

Large symbols are text files of ASCII art, drawn by hand; a symbol without a drawing is its word in large letters. A
file holds one or more drawings. Each begins with a line `@ name`, or `@ name -2` if it extends two pixels below the
baseline. `#` is a lit pixel, `.` a dark one, and a line that begins with `;` is a comment.
"""

from __future__ import annotations

import os
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from msgspec import Struct
from PIL import Image

SIZE: Final = (128, 64)
HELLO: Final = Path(__file__).with_name("hello.pbm")
SIGNS: Final = ("sea", "sky", "earth")


def hello() -> Image.Image:
    """Return the start-up picture: mode "1", 128x64."""
    width, height = SIZE
    dots = HELLO.read_bytes()[-width * height // 8 :]  # after the file's header
    return Image.frombytes("1", SIZE, dots, "raw", "1;I")  # in a PBM black is 1


def drawn_hello() -> Image.Image:
    return _card("Tabletop Companion", "…")


def goodbye(sentence: str) -> Image.Image:
    """Draw the shutdown picture with a sentence."""
    return _card("Tabletop Companion", sentence)


def sentence(words: str) -> Image.Image:
    """Draw an error that prevents start-up: in small text if it is long, and with an ellipsis if that has no room."""
    from PIL import ImageDraw

    from .fonts import shortened

    image = Image.new("1", SIZE)
    pen = ImageDraw.Draw(image)
    text, lines = shortened((words,), SIZE[0] - 2, SIZE[1])
    pitch = min(12, SIZE[1] // len(lines))
    for row, line in enumerate(lines):
        text.draw(pen, (1, min(2, SIZE[1] - pitch * len(lines)) + pitch * row), line)
    return image


def _card(title: str, below: str) -> Image.Image:
    from PIL import ImageDraw

    from .fonts import face

    image = Image.new("1", SIZE)
    pen = ImageDraw.Draw(image)
    for place, name in enumerate(SIGNS):
        image.paste(large(name, ""), (10 + place * 38, 2))
    text = face("text")
    for y, line in ((38, title), (52, below)):
        fitted = text.fit(line, SIZE[0] - 2)
        text.draw(pen, ((SIZE[0] - text.width(fitted)) // 2, y), fitted)
    return image


# Large symbols


ART: Final = Path(__file__).parent / "fonts" / "glyphs"
PICTURES: Final = tuple(sorted(name for name, ending in map(os.path.splitext, os.listdir(ART)) if ending == ".txt"))
"""The symbols with a large drawing of ours, readable from across the table: a file each."""
SIDE: Final = 32
"""The width and height of a large drawing in pixels."""
OWN_FILE = "drawings.txt"
"""The file of large drawings in a game's package: of any size, each begun by a line ``@ name``."""


class Drawing(Struct, frozen=True):
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
    from companion.games import GAMES

    packages = (game.optional.package for game in GAMES.opened)
    return next((drawn[name] for package in packages if package and name in (drawn := _drawings_of(package))), None)


@cache
def _drawings_of(package: str) -> dict[str, Image.Image]:
    """Return the large drawings in a game's package by name, each as large as it fits; empty if it has none."""
    from importlib.resources import files

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
    from .fonts import face

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


# QR codes: the address that pairs a phone, and the box's own Wi-Fi


MODULE = 2
"""The pixels of a module on the panel; a code with smaller ones is hardly ever read."""

LARGEST = 3
"""The largest version of a code that has room on 64 rows, with a margin: 29 modules."""

ESCAPED = '\\;,:"'
"""The characters of a network's name or password that a Wi-Fi code writes after a backslash."""


def pairing_link(address: str, token: str) -> str:
    """Return the address that a phone opens to be paired, in capitals, which make the code smaller.

    >>> pairing_link("http://192.168.1.7:8080", "MZXW6YTBOI")
    'HTTP://192.168.1.7:8080/P/MZXW6YTBOI'
    """
    return f"{address.rstrip('/')}/p/{token}".upper()


def wifi_text(name: str, password: str) -> str:
    r"""Return the text of a code with which a phone joins a network.

    >>> wifi_text("Companion-7F3A", "kx;49")
    'WIFI:T:WPA;S:Companion-7F3A;P:kx\\;49;;'
    """
    name, password = (
        "".join(f"\\{character}" if character in ESCAPED else character for character in text)
        for text in (name, password)
    )
    return f"WIFI:T:WPA;S:{name};P:{password};;"


@lru_cache(maxsize=4)
def qr_rows(text: str) -> tuple[str, ...]:
    """Return the rows of a QR code, ``#`` for a dark module and ``.`` for a light one, without a margin.

    Empty if there is no text, if segno is not installed, or if the code has no room on the panel.
    """
    if not text:
        return ()
    try:
        import segno  # most evenings need no code
    except ModuleNotFoundError:
        return ()
    try:
        code = segno.make_qr(text, version=None, error="m", boost_error=False)
        if int(code.version) > LARGEST:
            code = segno.make_qr(text, version=LARGEST, error="l", boost_error=False)
    except segno.DataOverflowError:
        return ()
    return tuple("".join("#" if module else "." for module in row) for row in code.matrix)


if __name__ == "__main__":
    drawn_hello().save(HELLO)
