"""Finds known names by their first letters, or by the keys of those letters.

Accents and large letters make no difference, nor do the marks of kana or which kana they are. A name in another
script is found by how it sounds.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from companion.ui.fonts.fallback_characters import to_latin

from .name_typing import ALPHABETS, TypedName

SHOWN = 3
"""How many names are offered at once."""

_PLAIN = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ı": "i", "þ": "th"})
_SMALL = str.maketrans("ぁぃぅぇぉっゃゅょ", "あいうえおつやゆよ")
_KEYS = {
    letter: key for _name, alphabet in reversed(ALPHABETS) for key, letters in alphabet.items() for letter in letters
}
"""The key of every letter; a digit's is its own."""


def matching(name: TypedName, known: Iterable[str]) -> tuple[str, ...]:
    """Return the known names that a name being typed may become, the likeliest first.

    Those that begin with the letters as they stand come first, then those whose letters lie on the keys pressed;
    among equals the order they are known in.
    """
    begun, keys = folded(name.whole), name.keys
    read = [other for other in known if begun and folded(other).startswith(begun)]
    pressed = [
        other for other in known if keys and other not in read and any(lie.startswith(keys) for lie in keys_of(other))
    ]
    return tuple((*read, *pressed)[:SHOWN])


@lru_cache(maxsize=512)
def folded(name: str) -> str:
    """Return a name with nothing left of it that two spellings could differ in."""
    apart = unicodedata.normalize("NFKD", name.casefold().translate(_PLAIN))
    plain = "".join(character for character in apart if not unicodedata.combining(character))
    return "".join(map(_sound, plain))


def _sound(character: str) -> str:
    """Return hiragana for katakana, Latin letters for what no key has, and anything else as it is."""
    if "ァ" <= character <= "ヶ":
        character = chr(ord(character) - 0x60)
    character = character.translate(_SMALL)
    if character in _KEYS or "\u2e80" <= character <= "\u9fff":  # a kanji has too many readings to tell
        return character
    return to_latin(character).casefold()


@lru_cache(maxsize=512)
def keys_of(name: str) -> tuple[str, str]:
    """Return the keys that the letters of a name lie on: as it is written (æ is one letter), and as it is read (ae)."""
    written = "".join(_KEYS.get(letter) or _lie(folded(letter)) for letter in name.lower())
    return written, _lie(folded(name))


def _lie(letters: str) -> str:
    return "".join(_KEYS.get(letter, "") for letter in letters)
