"""A simulated camera in front of the panel: `python -m tests.ui.camera` prints how many pictures are decoded.

Each pixel of the panel glows with a gap to the next. The camera sees them from several distances, out of focus, at an
angle, overexposed and with noise: 36 combinations.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product

from PIL import Image, ImageChops, ImageFilter

from companion.ui.panel import draw
from companion.ui.pictures import pairing_link, qr_rows, wifi_text
from companion.ui.view import CodeBody, View

PIXEL = 12
"""Dots of a pixel before the camera sees it."""
GAP = 2
"""Of these, how many stay dark between two pixels."""

DISTANCES = (2.2, 3.0, 4.0, 5.5)
"""Camera pixels to a pixel of the panel."""
BLURS = (0.4, 0.9, 1.4)
"""Radius of the blur, in camera pixels."""
ANGLES = ((0.0, 0.0), (0.22, 0.0), (0.14, -0.12))
"""How much nearer the right edge and the lower edge are than the others."""

PAIRING = pairing_link("http://192.168.178.123:8080", "MZXW6YTBOI3TAMJSGQZTQNJWG4")
WIFI = wifi_text("Companion-7F3A", "kx4973mqpt")


def panel(text: str) -> Image.Image:
    """Return the panel's picture of a code."""
    rows = qr_rows(text)
    assert rows, "the code has no room"
    return draw(View(CodeBody("", rows, ("192.168.178.", "123:8080"), "483921"), "* back"))


def glowing(picture: Image.Image) -> Image.Image:
    """Return a panel's picture as glowing dots on black glass."""
    dots = picture.convert("L").resize((picture.width * PIXEL, picture.height * PIXEL), Image.Resampling.NEAREST)
    mask = Image.new("L", dots.size, 255)
    for place in range(0, dots.width, PIXEL):
        mask.paste(0, (place, 0, place + GAP, dots.height))
    for place in range(0, dots.height, PIXEL):
        mask.paste(0, (0, place, dots.width, place + GAP))
    return ImageChops.multiply(dots, mask)


def seen(picture: Image.Image, distance: float, blur: float, angle: tuple[float, float]) -> Image.Image:
    """Return what the camera sees of a panel's picture."""
    dots = glowing(picture)
    room = Image.new("L", (dots.width + 40 * PIXEL, dots.height + 40 * PIXEL), 12)
    room.paste(dots, (20 * PIXEL, 20 * PIXEL))
    tilted = room.transform(room.size, Image.Transform.PERSPECTIVE, _tilt(room.size, angle), Image.Resampling.BICUBIC)
    scale = distance / PIXEL
    small = tilted.resize((round(tilted.width * scale), round(tilted.height * scale)), Image.Resampling.BOX)
    blurred = small.filter(ImageFilter.GaussianBlur(blur)).point(lambda value: min(255, round(value * 1.5) + 10))
    noise = Image.frombytes("L", blurred.size, random.Random(7).randbytes(blurred.width * blurred.height))
    return Image.blend(blurred, noise, 0.06)


def _tilt(size: tuple[int, int], angle: tuple[float, float]) -> tuple[float, ...]:
    """Return the coefficients of a view in which the right and the lower edge are nearer or further away."""
    width, height = size
    right, down = angle[0] / width, angle[1] / height
    return (1 + angle[0] / 2, 0.0, -width * angle[0] / 4, 0.0, 1 + angle[1] / 2, -height * angle[1] / 4, right, down)


def shots(text: str) -> Iterator[Image.Image]:
    """Yield the 36 pictures of a code."""
    picture = panel(text)
    for distance, blur, angle in product(DISTANCES, BLURS, ANGLES):
        yield seen(picture, distance, blur, angle)


def installed() -> dict[str, Callable[[Image.Image], str]]:
    """Return the decoders that are installed; each returns the text of a picture, or nothing."""
    decoders: dict[str, Callable[[Image.Image], str]] = {}
    try:
        import zxingcpp

        decoders["ZXing"] = lambda image: next((one.text for one in zxingcpp.read_barcodes(image)), "")
    except ImportError:
        pass
    try:
        from pyzbar import pyzbar

        def zbar(image: Image.Image) -> str:
            # ZXing tries smaller pictures by itself. Programs with ZBar look at a preview of few pixels.
            for times in (1, 2, 3):
                found = pyzbar.decode(image.reduce(times))
                if found:
                    return str(found[0].data.decode())
            return ""

        decoders["ZBar"] = zbar
    except ImportError:
        pass
    return decoders


def read(text: str, decode: Callable[[Image.Image], str]) -> int:
    """Return how many of the 36 pictures of a code a decoder reads."""
    return sum(decode(picture) == text for picture in shots(text))


if __name__ == "__main__":
    for name, decode in installed().items():
        for what, text in (("pairing", PAIRING), ("own Wi-Fi", WIFI)):
            print(f"{name}: {what}, version {(len(qr_rows(text)) - 17) // 4}: {read(text, decode)} of 36")
