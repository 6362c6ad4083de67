"""Finds known names by their first letters, or by the keys of those letters.

Case, accents, voicing marks of kana, and hiragana versus katakana make no difference. A name in another script is found
by its Latin transliteration.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from companion.ui.fonts.fallback_characters import to_latin

from .name_typing import ALPHABETS, TypedName

SHOWN = 3
"""Maximum number of names offered at once."""

_PLAIN = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ı": "i", "þ": "th"})
_SMALL = str.maketrans("ぁぃぅぇぉっゃゅょ", "あいうえおつやゆよ")
_KEYS = {
    letter: key for _name, alphabet in reversed(ALPHABETS) for key, letters in alphabet.items() for letter in letters
}
"""The key of each letter; a digit's key is the digit."""


def matching(name: TypedName, known: Iterable[str]) -> tuple[str, ...]:
    """Return the known names that match a name being typed, likeliest first.

    Names that begin with the typed letters come first, then names whose letters are on the pressed keys. Otherwise the
    order of ``known`` is kept.
    """
    begun, keys = folded(name.whole), name.keys
    read = [other for other in known if begun and folded(other).startswith(begun)]
    pressed = [
        other for other in known if keys and other not in read and any(lie.startswith(keys) for lie in keys_of(other))
    ]
    return tuple((*read, *pressed)[:SHOWN])


@lru_cache(maxsize=512)
def folded(name: str) -> str:
    """Return a name's form for comparison, without case, accents and differences of script."""
    apart = unicodedata.normalize("NFKD", name.casefold().translate(_PLAIN))
    plain = "".join(character for character in apart if not unicodedata.combining(character))
    return "".join(map(_sound, plain))


def _sound(character: str) -> str:
    """Return a character's form for comparison: hiragana for katakana, Latin letters for characters on no key."""
    if "ァ" <= character <= "ヶ":
        character = chr(ord(character) - 0x60)
    character = character.translate(_SMALL)
    if character in _KEYS or "\u2e80" <= character <= "\u9fff":  # a kanji has many readings
        return character
    return to_latin(character).casefold()


@lru_cache(maxsize=512)
def keys_of(name: str) -> tuple[str, str]:
    """Return the keys of a name's letters, as written (æ is one letter) and as transliterated (ae)."""
    written = "".join(_KEYS.get(letter) or _lie(folded(letter)) for letter in name.lower())
    return written, _lie(folded(name))


def _lie(letters: str) -> str:
    return "".join(_KEYS.get(letter, "") for letter in letters)
