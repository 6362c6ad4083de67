"""Translates texts: looks templates up in a gettext catalogue and fills them in.

The templates stand in the code, in English, marked by ``N_`` or ``_``; ``companion.pot`` beside this file
lists them all. The catalogues are compiled when the program is installed, or by ``make words`` (`tools.catalogues`).
"""

from __future__ import annotations

import gettext
from collections.abc import Sequence
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path

from companion.core.text import Labelled, Text, plain, tell
from companion.ui.fonts import GLYPHS

from .glyph_names import GLYPH_NAMES, ONE
from .spoken import aloud

DOMAIN = "companion"
CATALOGUES = Path(__file__).parent

NAMES = {"en": "English", "fr": "Français", "ja": "日本語"}
"""What each language is called by those who speak it."""


def languages() -> tuple[str, ...]:
    """Return the languages there are words in: English, which the code is written in, and every catalogue's."""
    return ("en", *sorted({place.parent.parent.name for place in CATALOGUES.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")}))


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """Open a language's catalogue, once."""
    place = CATALOGUES / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
    return gettext.GNUTranslations(BytesIO(place.read_bytes())) if place.is_file() else gettext.NullTranslations()


def _(template: str, **args: object) -> Text:
    """Make a text; short, because screens are full of them."""
    return Text(template, **args)


class Translator:
    """A language, and the names of the players.

    >>> Translator("fr")(Text("home"))
    'accueil'
    """

    def __init__(self, language: str = "en", players: Sequence[str] = ()) -> None:
        """Open a language's catalogue; English needs none, and stands in for a language there are no words in."""
        self.language = language if language in languages() else "en"
        self.players = tuple(players)
        self._catalogue = catalogue(self.language)

    def at(self, players: Sequence[str]) -> Translator:
        """Return the same language for another table."""
        other = Translator.__new__(Translator)
        other.language, other.players, other._catalogue = self.language, tuple(players), self._catalogue
        return other

    def __call__(self, text: object) -> str:
        """Word a text."""
        return tell(text, self.players, self._translated, self._drawn)

    def sentence(self, text: Text) -> str:
        """Word a text as a sentence of its own: a capital begins it, but a name stays as it is."""
        said = self(text)
        return said[:1].upper() + said[1:] if self._begins(text) else said

    def _begins(self, text: object) -> bool:
        """Tell whether a text begins with a word of the language, and not with a name."""
        if not isinstance(text, Text):
            return isinstance(text, Labelled)
        template = self._translated(text.template)
        first = template[1:].partition("}")[0] if template.startswith("{") else None
        return True if first is None else self._begins(text.args[first])

    def aloud(self, line: str) -> str:
        """Return a line with words in the place of its glyphs."""
        return aloud(line, self._named)

    def _drawn(self, glyph: str) -> str:
        return GLYPHS.get(glyph) or self._named(glyph)

    def _named(self, glyph: str, one: bool = False) -> str:
        """Return the word for a glyph, or for one of it; for one that nobody has drawn, its name."""
        return self._translated((one and ONE.get(glyph)) or GLYPH_NAMES.get(glyph, glyph))

    def _translated(self, template: str) -> str:
        return _translation(self.language, template)


@lru_cache(maxsize=2048)
def _translation(language: str, template: str) -> str:
    """Look a template up in a language's catalogue."""
    return plain(catalogue(language).gettext(template))
