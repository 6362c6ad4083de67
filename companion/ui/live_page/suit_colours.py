"""Colours of suits that can be read on a screen. A lamp's colours are too dark or too bright for it."""

from __future__ import annotations

from functools import lru_cache

Colour = tuple[int, int, int]

ROOM: Colour = (11, 13, 18)
"""The background in a dark room."""
PAPER: Colour = (246, 243, 236)
"""The background in a light room."""
CONTRAST = 4.5
"""The least contrast of a symbol and its background, as WCAG 2 measures it."""


def parsed(colour: str) -> Colour:
    """Return a colour such as ``#0046ff`` as red, green, blue."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


@lru_cache(maxsize=64)
def readable(colour: str, background: Colour) -> str:
    """Return a colour made lighter or darker until it has enough contrast.

    >>> readable("#0046ff", ROOM), readable("#0046ff", PAPER)
    ('#386fff', '#0046ff')
    """
    shade = parsed(colour)
    target = 255 if luminance(background) < 0.2 else 0
    if target == 0 and min(shade) > 200:
        return "#1a1c20"  # white on paper: ink
    mixtures = (_mixed(shade, target, part / 50) for part in range(51))
    return "#{:02x}{:02x}{:02x}".format(*next(mixed for mixed in mixtures if contrast(mixed, background) >= CONTRAST))


def _mixed(colour: Colour, target: int, part: float) -> Colour:
    red, green, blue = (round(value + (target - value) * part) for value in colour)
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: Colour) -> float:
    """Return the relative luminance of a colour, from 0 to 1."""
    red, green, blue = (value / 3294.6 if value <= 10 else ((value / 255 + 0.055) / 1.055) ** 2.4 for value in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
