"""Chooses the language of a page: the one chosen on it, else one from the header Accept-Language."""

from __future__ import annotations

from contextlib import suppress

from starlette.requests import Request
from starlette.types import Scope

from companion.ui.translations import languages

MOST = 20  # the most languages of a header that are looked at
YEAR = 365 * 24 * 3600  # seconds that a cookie is kept


def accepted_language(header: str) -> str:
    """Return the two-letter code of the available language that a reader likes best; English if there is none.

    >>> accepted_language("de, ja;q=0.5, fr;q=0.8")
    'fr'
    """
    best, highest = "en", 0.0
    for part in header.split(",")[:MOST]:
        tag, *parameters = part.strip().lower().split(";")
        code, quality = tag.strip().partition("-")[0], 1.0
        for parameter in parameters:
            name, _, value = parameter.strip().partition("=")
            if name == "q":
                with suppress(ValueError):
                    quality = float(value)
        if code in languages() and quality > highest:
            best, highest = code, quality
    return best


def language_of(scope: Scope) -> str:
    """Return the language of a page: the one chosen on it, else the one that its browser likes best."""
    request = Request(scope)
    chosen = request.cookies.get("lang", "")
    return chosen if chosen in languages() else accepted_language(request.headers.get("accept-language", ""))
