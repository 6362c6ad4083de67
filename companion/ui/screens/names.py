"""Types a name with the keypad: letters, known names that match, what a name may be."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from companion.core.text import Text
from companion.gamelog import LogError, check_names, is_too_long, without_last
from companion.ui.fonts import to_latin
from companion.ui.keys import Key
from companion.ui.translations import _
from companion.ui.view import TypingBody

LATIN = {
    "1": ".-'1",
    "2": "abc2àâäåãáçæ",
    "3": "def3éèêë",
    "4": "ghi4îïíì",
    "5": "jkl5",
    "6": "mno6ôöòóõøñœ",
    "7": "pqrs7ßš",
    "8": "tuv8ùûüú",
    "9": "wxyz9ÿýž",
    "0": " 0",
}
HIRAGANA = {
    "1": "あいうえおぁぃぅぇぉ",
    "2": "かきくけこがぎぐげご",
    "3": "さしすせそざじずぜぞ",
    "4": "たちつてとっだぢづでど",
    "5": "なにぬねの",
    "6": "はひふへほばびぶべぼぱぴぷぺぽ",
    "7": "まみむめも",
    "8": "やゆよゃゅょ",
    "9": "らりるれろ",
    "0": "わをんー 　",
}
KATAKANA = {
    key: "".join(chr(ord(kana) + 0x60) if "ぁ" <= kana <= "ん" else kana for kana in row)
    for key, row in HIRAGANA.items()
}
ALPHABETS = (("Abc", LATIN), ("あ", HIRAGANA), ("ア", KATAKANA))
LETTERS = tuple("".join(rows.values()) for _name, rows in ALPHABETS)
"""All letters of each alphabet."""
FIRST_ALPHABETS = {"ja": 1}
"""The index of the alphabet in which a name is begun, by language; Latin letters in all others."""
TAKE = "C"
"""The key that takes the first matching name."""

TOO_LONG = _("A name has 1 to 20 characters")


def trimmed(text: str) -> str:
    """Return a name as it is stored: in Unicode's composed form (NFC), without spaces around it."""
    return unicodedata.normalize("NFC", text).strip()


def fault(name: str) -> Text | None:
    """Return why a name is not valid; None if it is."""
    if not name or is_too_long(name):
        return TOO_LONG
    try:
        check_names([name])
    except LogError as error:
        return error.text
    return None


class TypedName(Struct, frozen=True):
    """A name being typed."""

    text: str = ""  # the final letters
    key: str = ""  # the key of the pending letter, which may still change; empty if there is none
    turn: int = 0  # how often that key was pressed after the first time
    alphabet: int = 0  # the index of the alphabet
    # the keys pressed for each final letter; shorter than ``text`` if some letters were not typed
    pressed: tuple[str, ...] = ()

    @classmethod
    def begin(cls, language: str, text: str = "") -> TypedName:
        """Return a name to type or correct, in the alphabet of its last letter, else in that of a language."""
        for letter in reversed(text.lower()):
            having = [alphabet for alphabet, letters in enumerate(LETTERS) if letter in letters]
            if len(having) == 1:  # a long vowel's sign is in both kinds of kana
                return cls(text, alphabet=having[0])
        return cls(text, alphabet=FIRST_ALPHABETS.get(language, 0))

    @property
    def pending(self) -> str:
        """Return the pending letter; empty if there is none."""
        if not self.key:
            return ""
        row = ALPHABETS[self.alphabet][1][self.key]
        letter = row[self.turn % len(row)]
        begins = not self.text or self.text[-1] in " -.'"
        return letter.upper() if begins and len(letter.upper()) == 1 else letter

    @property
    def whole(self) -> str:
        """Return the name with its pending letter, trimmed."""
        return (self.text + self.pending).strip()

    @property
    def keys(self) -> str:
        """Return all keys pressed for the name; empty if some of its letters were not typed."""
        if len(self.pressed) < len(self.text):
            return ""
        return "".join(self.pressed) + self.key * (self.turn + 1)

    def press(self, key: Key) -> TypedName | None:
        """Return the name after a key; None if the key has no effect."""
        if key.held:
            return None
        if key.name == "A":
            return self.next_alphabet
        if key.name == "D":
            return self._stood()
        if key.name == "*":
            if self.key:
                return replace(self, key="", turn=0)
            kept = self.pressed[:-1] if len(self.pressed) == len(self.text) else self.pressed
            return replace(self, text=without_last(self.text), pressed=kept) if self.text else None
        if not key.name.isdigit():
            return None
        if key.name == self.key:
            return replace(self, turn=self.turn + 1)
        stood = self._stood()
        typed = replace(stood, key=key.name)
        return None if typed.too_long else typed

    def with_letter(self, letter: str) -> TypedName | None:
        """Return the name with a letter of its alphabet as the pending one; None if the alphabet lacks it."""
        stood = self._stood()
        for key, row in ALPHABETS[self.alphabet][1].items():
            for turn in range(len(row)):
                typed = replace(stood, key=key, turn=turn)
                if typed.pending == letter:
                    return typed
        return None

    @property
    def next_alphabet(self) -> TypedName:
        """Return the name in the next alphabet."""
        return replace(self._stood(), alphabet=(self.alphabet + 1) % len(ALPHABETS))

    @property
    def too_long(self) -> bool:
        """Return whether a name has no room for the pending letter."""
        return is_too_long(f"{self.text}.")

    def _stood(self) -> TypedName:
        if not self.key:
            return self
        taps = self.key * (self.turn + 1)
        return replace(self, text=self.text + self.pending, key="", turn=0, pressed=(*self.pressed, taps))

    def typing(self, title: object, matches: tuple[str, ...] = ()) -> TypingBody[object]:
        """Return the body: the name, matching names, and the letters of the keys."""
        row = ALPHABETS[self.alphabet][1]
        return TypingBody(
            title,
            self.text,
            self.pending,
            tuple("  ".join(f"{key} {_hint(row[key])}" for key in keys) for keys in ("123", "456", "789")),
            matches,
        )

    @property
    def foot(self) -> Text:
        return _("A {alphabet}  D next  # OK", alphabet=ALPHABETS[self.alphabet][0])

    @property
    def labels(self) -> dict[str, object]:
        """Return the labels of the keys that type."""
        name, row = ALPHABETS[self.alphabet]
        return {
            **{key: letters[:4] if letters[0] != " " else "␣0" for key, letters in row.items()},
            "A": name,
            "D": _("next"),
        }


def _hint(letters: str) -> str:
    """Return the first letters of a key: three full-width letters, or four Latin ones."""
    return letters[: 4 if letters[0].isascii() else 3]


SHOWN = 3
"""Maximum number of names offered at once."""

_PLAIN = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ı": "i", "þ": "th"})
_SMALL = str.maketrans("ぁぃぅぇぉっゃゅょ", "あいうえおつやゆよ")
_KEYS = {
    letter: key for _name, alphabet in reversed(ALPHABETS) for key, letters in alphabet.items() for letter in letters
}
"""The key of each letter; a digit's key is the digit."""


def matching(name: TypedName, known: Sequence[str]) -> tuple[str, ...]:
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
