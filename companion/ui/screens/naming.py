"""Typing a name with a few keys: every key walks through its letters, and D goes on to the next.

No clock is asked: a letter stands when another key is pressed, or D.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.ui.keys import Key
from companion.ui.view import Typing
from companion.ui.words import Words, _

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
LONGEST = 20


@dataclass(frozen=True, slots=True)
class Name:
    """A name being typed.

    Attributes:
        text: The letters that stand.
        key: The key whose letter may still change.
        turn: How often it was pressed after the first time.
        alphabet: Which of the alphabets is typed.
    """

    text: str = ""
    key: str = ""
    turn: int = 0
    alphabet: int = 0

    @property
    def pending(self) -> str:
        """Return the letter that may still change."""
        if not self.key:
            return ""
        row = ALPHABETS[self.alphabet][1][self.key]
        letter = row[self.turn % len(row)]
        begins = not self.text or self.text[-1] in " -.'"
        return letter.upper() if begins and len(letter.upper()) == 1 else letter

    @property
    def whole(self) -> str:
        """Return the name as it stands, trimmed."""
        return (self.text + self.pending).strip()

    def press(self, key: Key) -> Name | None:
        """Return the name after a key, or None if the key does nothing to it."""
        if key.held:
            return None
        if key.name == "A":
            return replace(self._stood(), alphabet=(self.alphabet + 1) % len(ALPHABETS))
        if key.name == "D":
            return self._stood()
        if key.name == "*":
            if self.key:
                return replace(self, key="", turn=0)
            return replace(self, text=self.text[:-1]) if self.text else None
        if not key.name.isdigit():
            return None
        if key.name == self.key:
            return replace(self, turn=self.turn + 1)
        stood = self._stood()
        return replace(stood, key=key.name) if len(stood.text) < LONGEST else None

    def _stood(self) -> Name:
        return replace(self, text=self.text + self.pending, key="", turn=0)

    def typing(self, title: str) -> Typing:
        """Show what stands, and what the keys do."""
        row = ALPHABETS[self.alphabet][1]
        return Typing(
            title,
            self.text,
            self.pending,
            tuple("  ".join(f"{key} {_hint(row[key])}" for key in keys) for keys in ("123", "456", "789")),
        )

    def foot(self, words: Words) -> str:
        """Say what the other keys do."""
        return words(_("A {alphabet}  D next  # OK", alphabet=ALPHABETS[self.alphabet][0]))

    def labels(self, words: Words) -> dict[str, str]:
        """Say what each key does."""
        name, row = ALPHABETS[self.alphabet]
        return {
            **{key: letters[:4] if letters[0] != " " else "␣0" for key, letters in row.items()},
            "A": name,
            "D": words(_("next")),
            "*": words(_("back")),
            "#": words(_("OK")),
        }


def _hint(letters: str) -> str:
    """Return the first letters of a key: three of those that are as wide as they are high, else four."""
    return letters[: 4 if letters[0].isascii() else 3]
