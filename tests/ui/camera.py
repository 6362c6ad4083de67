"""A simulated camera in front of the panel.

Each pixel of the panel glows with a gap to the next. The camera sees them from some distance, out of focus, at an
angle, overexposed and with noise.
"""

from __future__ import annotations

import random

import zxingcpp
from PIL import Image, ImageChops, ImageFilter

from companion.ui.panel import draw
from companion.ui.pictures import pairing_link, qr_rows, wifi_text
from companion.ui.view import CodeBody, View

PIXEL = 12
"""Dots of a pixel before the camera sees it."""
GAP = 2
"""Of these, how many stay dark between two pixels."""

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


def read(picture: Image.Image) -> str:
    """Return the text of the code in a picture, or nothing."""
    return next((code.text for code in zxingcpp.read_barcodes(picture)), "")
