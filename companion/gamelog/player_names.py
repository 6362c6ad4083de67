"""Checks players' names: length, characters, and when two names are the same.

A name is kept as written. Comparison ignores case and invisible differences: the Unicode form of an accent, the kind of
a space, joiners and variation selectors.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from companion.core.text import N_

from .errors import LogError, shortened, wrong

LONGEST_NAME = 20  # graphemes: an emoji of several code points is one
MOST_CODE_POINTS = 80  # bounds the size of a name, as a grapheme has no bound of its own

# The patterns are compiled by `re` with the first name that needs them, as a start without a game needs none.
_JOINERS = "[\u200c\u200d\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
"""Joiners and variation selectors: of them only the form of the characters beside them is seen."""
_REGION_FLAG = "\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f"
"""A flag like Scotland's: a black flag, then its region in invisible tag letters."""
_UNSEEN = (
    "[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U00016fe4\U0001d159"  # blank letters, marks and symbols
    "\u2065\ufff0-\ufff8\U000e0000-\U000e0fff"  # code points that are reserved for invisible characters
    f"\ufdd0-\ufdef{''.join(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF))}]"  # never any
    f"|{_JOINERS}"
)
"""Characters that nothing is drawn for, though Unicode counts them as visible, or has not assigned them yet."""


def check_names(names: list[str]) -> tuple[str, ...]:
    """Check players' names and return them without surrounding blanks.

    Raises LogError if a name is empty, too long or a duplicate, or has a character that cannot be shown.
    """
    trimmed = tuple(name.strip() for name in names)
    for name in trimmed:
        if not name or is_too_long(name):
            raise wrong(N_("a name has 1 to 20 characters: {name}"), name=repr(shortened(name)))
        if len(name) > MOST_CODE_POINTS:
            raise wrong(N_("a name has up to {most} code points"), most=MOST_CODE_POINTS)
        if hidden := first_invisible(name):
            raise wrong(N_("a name has a character that cannot be shown: {character}"), character=hidden)
    keys: set[str] = set()
    for name in trimmed:
        if name_key(name) in keys:
            raise wrong(N_("two players are called {name}"), name=name)
        keys.add(name_key(name))
    return trimmed


def are_names(names: Sequence[str]) -> bool:
    """Return whether names are as `check_names` returns them."""
    try:
        return check_names([*names]) == tuple(names)
    except LogError:
        return False


def is_too_long(name: str) -> bool:
    """Return whether a name has more than 20 characters (graphemes)."""
    if len(name) <= LONGEST_NAME or name.isascii():
        return len(name) > LONGEST_NAME
    from grapheme import length  # nearly no name needs it; Python 3.15 has its own

    return int(length(name[: MOST_CODE_POINTS + 1], LONGEST_NAME + 1)) > LONGEST_NAME


def without_last(name: str) -> str:
    """Return a name without its last character (grapheme): a whole emoji, or a letter with its marks."""
    if unicodedata.category(name[-1])[0] in "LNPZ":
        return name[:-1]
    from grapheme import graphemes

    return "".join(list(graphemes(name))[:-1])


@lru_cache(maxsize=512)
def name_key(name: str) -> str:
    """Return a key that is equal for two spellings of the same name.

    >>> name_key("Zoë") == name_key("ZOË")
    True
    """
    seen = " ".join(name.split())
    if seen.isascii():
        return seen.lower()
    composed = unicodedata.normalize("NFC", re.sub(_JOINERS, "", seen))
    return unicodedata.normalize("NFC", composed.casefold())


def first_invisible(name: str) -> str:
    """Return the code point of the first invisible or direction-changing character; empty if there is none.

    Joiners and selectors may follow any character but a space: no other name comes of them, as `name_key` ignores them.
    """
    if not name.isascii():
        name = re.sub(rf"(?<=\S){_JOINERS}+", "", re.sub(_REGION_FLAG, "\U0001f3f4", name))
    hidden = next((character for character in name if not _is_seen(character)), "")
    return f"U+{ord(hidden):04X}" if hidden else ""


def _is_seen(character: str) -> bool:
    """Return whether a character can be seen, or is a space; one that this Python does not know may be a new emoji."""
    if character.isascii():
        return character.isprintable()
    seen = character.isprintable() or unicodedata.category(character) in ("Zs", "Cn")
    return seen and re.match(_UNSEEN, character) is None
