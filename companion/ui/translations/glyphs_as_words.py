"""Lines for screen readers: words replace glyphs, and no word is repeated."""

from __future__ import annotations

import re
from collections.abc import Callable

from companion.ui.symbols import GLYPHS

_NAMES = {sign: name for name, sign in GLYPHS.items()}
_SIGN = re.compile(f"([{''.join(_NAMES)}])")
_COUNT = re.compile(r"(?<![\d.,])(\d+)\s*$")
_OPENING = "([=«（＝"
_CLOSING = ")].,:;?!…»）、。：；？！"


def aloud(line: str, word_of: Callable[[str, int | None], str]) -> str:
    """Return a line with its glyphs replaced by words; a glyph next to its own word is left out.

    Args:
        word_of: Returns the word for a glyph, given its name and the number before it, if there is one.
    """
    pieces = [piece for piece in _SIGN.split(line) if piece]
    said = ""
    for piece, before, after in zip(pieces, ["", *pieces], [*pieces[1:], ""], strict=False):
        if piece not in _NAMES:
            said += piece
            continue
        count = _COUNT.search(before)
        word = word_of(_NAMES[piece], None if count is None else int(count[1]))
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
