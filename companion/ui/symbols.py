"""The symbols: their names, the words that replace them for screen readers, and the characters for them in a text.

In both text faces every symbol has a drawing; `companion.ui.pictures` has the large ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable
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

NAMES: Final = {sign: name for name, sign in GLYPHS.items()}

SIGN: Final = f"([{''.join(NAMES)}])"
"""The pattern of a symbol; `re` compiles it for the first page that is asked for."""


def glyph(name: str) -> str:
    """Return the character of a symbol for use in a line of text; its name if there is no drawing."""
    return GLYPHS.get(name, name)


# For screen readers: words replace symbols, and no word is repeated


_COUNT = r"(?<![\d.,])(\d+)\s*$"
_OPENING = "([=«（＝"
_CLOSING = ")].,:;?!…»）、。：；？！"


def aloud(line: str, word_of: Callable[[str, int | None], str]) -> str:
    """Return a line with its glyphs replaced by words; a glyph next to its own word is left out.

    Args:
        word_of: Returns the word for a glyph, given its name and the number before it, if there is one.
    """
    pieces = [piece for piece in re.split(SIGN, line) if piece]
    said = ""
    for piece, before, after in zip(pieces, ["", *pieces], [*pieces[1:], ""], strict=False):
        if piece not in NAMES:
            said += piece
            continue
        count = re.search(_COUNT, before)
        word = word_of(NAMES[piece], None if count is None else int(count[1]))
        if _ends(before, word) or _begins(after, word):
            continue
        if before == piece:  # a repeated glyph is said twice, with a comma between
            said = f"{said.rstrip()},"
        gap = said[-1:].strip() and said[-1] not in _OPENING
        room = after and not after[0].isspace() and after[0] not in _CLOSING
        said += f"{' ' if gap else ''}{word}{' ' if room else ''}"
    return " ".join(said.split())


def _begins(text: str, word: str) -> bool:
    return re.match(rf"\s*{re.escape(word)}s?(?![a-zà-ÿ])", text, re.IGNORECASE) is not None


def _ends(text: str, word: str) -> bool:
    return re.search(rf"(?<![a-zà-ÿ]){re.escape(word)}\s*$", text, re.IGNORECASE) is not None
