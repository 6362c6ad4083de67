"""Reads the translations of a game that is a Python package of its own, from a file beside it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from importlib.resources import files

from companion.core.text import Phrase


def phrases(package: str, file: str = "words.toml") -> Callable[[str], Phrase]:
    """Return a function that makes a text of the game from its English words.

    The file has a section for each language, with the translation of each text: ``[fr]``, then ``"Bid" = "Annonce"``.
    The same English words may read differently in another game. A text that is not in the file is looked up among the
    common words, and is English if it is not there either.
    """
    content = (files(package) / file).read_text(encoding="utf-8")
    languages: dict[str, dict[str, str]] = tomllib.loads(content)

    def phrase(text: str) -> Phrase:
        return Phrase(text, {language: words[text] for language, words in languages.items() if text in words})

    return phrase
