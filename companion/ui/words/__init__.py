"""Every word people read: templates looked up in a gettext catalogue and filled in.

The templates stand in the code, in English, marked by ``N_`` or ``_``; ``companion.pot`` beside this file
lists them all.
"""

from __future__ import annotations

import gettext
from collections.abc import Sequence
from pathlib import Path

from companion.core.text import Text, tell
from companion.ui.fonts import GLYPHS

DOMAIN = "companion"
CATALOGUES = Path(__file__).parent


def languages() -> tuple[str, ...]:
    """Return the languages there are words in: English, which the code is written in, and every catalogue's."""
    return ("en", *sorted(place.parent.parent.name for place in CATALOGUES.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")))


def _(template: str, **args: object) -> Text:
    """Make a text; short, because screens are full of them."""
    return Text(template, **args)


class Words:
    """A language and the names of those at the table."""

    def __init__(self, language: str = "en", players: Sequence[str] = ()) -> None:
        """Open a language's catalogue; English needs none."""
        self.language = language
        self.players = tuple(players)
        self._catalogue = gettext.translation(DOMAIN, CATALOGUES, [language], fallback=True)

    def at(self, players: Sequence[str]) -> Words:
        """Return the same language for another table."""
        other = Words.__new__(Words)
        other.language, other.players, other._catalogue = self.language, tuple(players), self._catalogue
        return other

    def __call__(self, text: object) -> str:
        """Word a text."""
        return tell(text, self.players, self._catalogue.gettext, lambda name: GLYPHS.get(name, "?"))
