"""The character that stands for each symbol in a text; the drawings are elsewhere."""

from __future__ import annotations

from typing import Final

_INLINE = """
    sea sky earth tree peninsula pledge turn lead alert check undo back crown dealer pen red black coin
    ace sun moon globe noon dusk night dawn anyday sacred mineral animal technology culture light beauty
    reason chair front mixed winner
    clubs diamonds hearts spades coins cups swords batons acorns leaves bells roses shields joker
"""
INLINE: Final = tuple(_INLINE.split())
"""The symbols in both text faces, in the order of their private-use code points."""

GLYPHS: Final[dict[str, str]] = {name: chr(0xE000 + index) for index, name in enumerate(INLINE)}


def glyph(name: str) -> str:
    """Return the character of a symbol for use in a line of text; its name if there is no drawing."""
    return GLYPHS.get(name, name)
