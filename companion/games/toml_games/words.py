"""The words of a declared game: its texts with their translations, checked for signs that cannot be shown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from companion.core.text import N_, NC_, Phrase

from .file_grammar import Findings
from .toml_places import Path

LANGUAGES = ("fr", "ja")
COMMON = (
    NC_("a declared game", "Bid"),
    NC_("a declared game", "Bids"),
    NC_("a declared game", "Tricks"),
    NC_("a declared game", "Points"),
    NC_("a declared game", "Last"),
    NC_("a declared game", "Rounds"),
    NC_("a declared game", "Target"),
    NC_("a declared game", "Declarer"),
    NC_("a declared game", "Contract"),
    NC_("a declared game", "Bonus"),
    NC_("a declared game", "Trump"),
    NC_("a declared game", "no"),
    NC_("a declared game", "yes"),
)
"""Words that a game's file need not translate."""
_BRACES = re.compile(r"[{}]")


class PhraseMaker:
    """Makes phrases of the texts of a file, and notices translations that no text needs."""

    def __init__(self, words: Mapping[str, Mapping[str, str]], findings: Findings) -> None:
        self._words, self._findings = words, findings
        self._used: set[str] = set()

    def text(self, path: Path, text: str, longest: int, player: bool = False) -> Phrase:
        """Return a text with its translations.

        Args:
            longest: The most characters it may have.
            player: Whether it may name the player.
        """
        self._used.add(text)
        self._check(path, text, longest, player)
        translations = {}
        for language, words in self._words.items():
            if text in words:
                translations[language] = words[text]
                self._check(("words", language, text), words[text], longest, player)
        return Phrase(text, translations)

    def _check(self, path: Path, text: str, longest: int, player: bool) -> None:
        if not text.strip() or len(text) > longest:
            self._findings.value(path, N_("a text here has 1 to {most} characters"), most=longest)
        elif any(unicodedata.category(sign)[0] == "C" for sign in text):
            self._findings.value(path, N_("a text here has no control signs and no line breaks"))
        elif _BRACES.search(text.replace("{player}", "") if player else text):
            self._findings.value(
                path, N_("braces stand only around {name}, and only in a question's text"), name="{player}"
            )

    def check_all_used(self) -> None:
        """Add a finding for each translation of a text that the file does not have."""
        for language, words in self._words.items():
            if language not in LANGUAGES:
                self._findings.key(("words", language), N_("expected one of {words}"), words=", ".join(LANGUAGES))
            for text in words:
                if text not in self._used:
                    self._findings.key(("words", language, text), N_("this game has no such text"))
