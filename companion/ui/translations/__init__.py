"""Translates texts: looks templates up in a gettext catalogue and fills them in.

The templates are English texts in the code, marked by ``N_`` or ``_``. ``companion.pot`` beside this file lists them.
The catalogues are compiled when the program is installed, or by ``make words`` (`tools.catalogues`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import astuple

from companion.core.text import PLURAL, Glyph, HasLabel, Part, Phrase, Seat, Text, plain, tell
from companion.ui.symbols import ALONE, GLYPHS, SYMBOL_WORDS, aloud

if TYPE_CHECKING:
    from gettext import NullTranslations

DOMAIN = "companion"
CATALOGUES = Path(__file__).parent

COMMON_WORDS = "a declared game"
"""The context of the words that declared games need not translate."""

NAMES = {"en": "English", "fr": "Français", "ja": "日本語"}
"""The name of each language in that language."""

TOLD = frozenset((str, int, bool, float, type(None)))
"""The types of values that are the same in every language."""


@cache
def languages() -> tuple[str, ...]:
    """Return the available languages: English, the language of the templates, and every language with a catalogue.

    They are looked up once: every request of a page needs them.
    """
    return ("en", *sorted(name for name in os.listdir(CATALOGUES) if _file(name).is_file()))


def _file(language: str) -> Path:
    return CATALOGUES / language / "LC_MESSAGES" / f"{DOMAIN}.mo"


@cache
def catalogue(language: str) -> NullTranslations:
    """Return a language's catalogue, cached; an empty one if it has none."""
    from gettext import GNUTranslations, NullTranslations  # English needs none

    place = _file(language)
    return GNUTranslations(BytesIO(place.read_bytes())) if place.is_file() else NullTranslations()


def _(template: str, **args: object) -> Text:
    """Return a text with a template and arguments. The name is short because screens use it everywhere."""
    return Text(template, **args)


class Translator:
    """Translates texts into a language, with the names of the players.

    >>> Translator("fr")(Text("home"))
    'accueil'
    """

    def __init__(self, language: str = "en", players: Sequence[str] = ()) -> None:
        """Take a language; one that is not available is replaced by English."""
        self.language = language if language in languages() else "en"
        self.players = tuple(players)
        # by type, the value that was told last, and the result: most keys leave the body of a view as it is
        self._latest: dict[type, tuple[object, object]] = {}

    def at(self, players: Sequence[str]) -> Translator:
        """Return a translator for the same language and other players."""
        return Translator(self.language, players)

    def __call__(self, text: object) -> str:
        return tell(text, self.players, self._translated, self._drawn)

    def told(self, value: Any) -> Any:
        """Return a value, such as a view, with strings of this language in place of all its texts."""
        kind = type(value)
        if kind in TOLD:
            return value
        if kind is tuple:
            return tuple(self._told(value))
        if isinstance(value, Struct):
            latest = self._latest.get(kind)
            if latest is None or latest[0] is not value:
                self._latest[kind] = latest = value, kind(*self._told(astuple(value)))
            return latest[1]
        if isinstance(value, (Text, Seat, Glyph, HasLabel, Part)):
            return tell(value, self.players, self._translated, self._drawn)
        return value

    def _told(self, parts: Iterable[object]) -> list[object]:
        return [part if type(part) in TOLD else self.told(part) for part in parts]

    def sentence(self, text: Text) -> str:
        """Return a text as a sentence: the first letter is capitalised, unless a name comes first."""
        said = self(text)
        return said[:1].upper() + said[1:] if self._begins(text) else said

    def _begins(self, text: object) -> bool:
        """Return whether a text begins with a word of the language rather than a name."""
        if not isinstance(text, Text):
            return isinstance(text, HasLabel)
        template = self._translated(text.template, text.count)
        first = template[1:].partition("}")[0] if template.startswith("{") else None
        return True if first is None else self._begins(text.args[first])

    def aloud(self, line: str) -> str:
        """Return a line with its glyphs replaced by words."""
        return aloud(line, self._named)

    def _drawn(self, glyph: str) -> str:
        return GLYPHS.get(glyph) or self._named(glyph)

    def _named(self, glyph: str, count: int | None = None) -> str:
        """Return the word for a number of glyphs; the glyph's name if it has no word."""
        some = (1 if glyph in ALONE else 2) if count is None else count
        return self._translated(SYMBOL_WORDS.get(glyph, glyph), some)

    def knows(self, template: str) -> bool:
        """Return whether a template has words in this language; in English it always has."""
        if self.language == "en" or self._translated(template, 1) != plain(template):
            return True
        if isinstance(template, Phrase):
            if self.language in template.translations:
                return True
            template = f"{COMMON_WORDS}\x04{template}"
        # some words are the same in both languages
        return template in getattr(catalogue(self.language), "_catalog", ())

    def _translated(self, template: str, count: int) -> str:
        if isinstance(template, Phrase):
            own = template.translations.get(self.language)
            return own or _translation(self.language, f"{COMMON_WORDS}\x04{template}", count)
        return _translation(self.language, template, count)


@lru_cache(maxsize=2048)
def _translation(language: str, template: str, count: int) -> str:
    """Return a template's translation from a language's catalogue, in the form for a number of things."""
    if language == "en":
        return plain(template, count)
    one, _mark, many = template.partition(PLURAL)
    words = catalogue(language)
    return plain(words.ngettext(one, many, count) if many else words.gettext(one))
