"""The symbols: their names, the words that replace them for screen readers, and the characters for them in a text.

In both text faces every symbol has a drawing; `companion.ui.fonts.drawings` has the large ones.
"""

from __future__ import annotations

from typing import Final

from companion.core.text import NC_, NN_

SYMBOL_WORDS: Final = {
    "sea": NC_("glyph", "sea"),
    "sky": NC_("glyph", "sky"),
    "earth": NC_("glyph", "earth"),
    "tree": NN_("tree", "trees", "glyph"),
    "peninsula": NN_("trick", "tricks", "glyph"),
    "pledge": NC_("glyph", "pledge"),
    "turn": NC_("glyph", "turn"),
    "lead": NC_("glyph", "lead"),
    "alert": NC_("glyph", "alert"),
    "check": NC_("glyph", "chosen"),
    "undo": NC_("glyph", "undo"),
    "back": NC_("glyph", "back"),
    "crown": NN_("monarch", "monarchs", "glyph"),
    "dealer": NC_("glyph", "dealer"),
    "pen": NC_("glyph", "correction"),
    "red": NC_("glyph", "red"),
    "black": NC_("glyph", "black"),
    "coin": NN_("point", "points", "glyph"),
    "ace": NN_("ace", "aces", "glyph"),
    "sun": NC_("glyph", "sun"),
    "moon": NC_("glyph", "moon"),
    "globe": NC_("planet", "earth"),
    "noon": NC_("glyph", "noon"),
    "dusk": NC_("glyph", "dusk"),
    "night": NC_("glyph", "night"),
    "dawn": NC_("glyph", "dawn"),
    "anyday": NC_("glyph", "any"),
    "sacred": NC_("glyph", "sacred"),
    "mineral": NC_("glyph", "mineral"),
    "animal": NC_("glyph", "animal"),
    "technology": NC_("glyph", "technology"),
    "culture": NC_("glyph", "culture"),
    "light": NC_("glyph", "light"),
    "beauty": NC_("glyph", "beauty"),
    "reason": NC_("glyph", "reason"),
    "chair": NN_("chair", "chairs", "glyph"),
    "front": NC_("glyph", "front"),
    "mixed": NC_("glyph", "mixed"),
    "winner": NC_("glyph", "winner"),
    "clubs": NC_("glyph", "clubs"),
    "diamonds": NC_("glyph", "diamonds"),
    "hearts": NC_("glyph", "hearts"),
    "spades": NC_("glyph", "spades"),
    "coins": NC_("glyph", "coins"),
    "cups": NC_("glyph", "cups"),
    "swords": NC_("glyph", "swords"),
    "batons": NC_("glyph", "batons"),
    "acorns": NC_("glyph", "acorns"),
    "leaves": NC_("glyph", "leaves"),
    "bells": NC_("glyph", "bells"),
    "roses": NC_("glyph", "roses"),
    "shields": NC_("glyph", "shields"),
    "joker": NC_("glyph", "joker"),
}
"""The word for each symbol by name, in the order of their characters; those that are counted have a plural."""

ALONE: Final = frozenset(("chair", "crown"))
"""Counted symbols that stand for one thing where no number is written before them; the others stand for many."""

GLYPHS: Final[dict[str, str]] = {name: chr(0xE000 + index) for index, name in enumerate(SYMBOL_WORDS)}
"""The private-use character of each symbol."""


def glyph(name: str) -> str:
    """Return the character of a symbol for use in a line of text; its name if there is no drawing."""
    return GLYPHS.get(name, name)
