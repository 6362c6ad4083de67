"""Replaces characters that a font lacks by Latin letters of the same sound, or by a question mark.

Only the drawn text is changed, not the stored names. The transliteration comes from anyascii, which is imported when
first needed, since most groups of players never need it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator

UNKNOWN = "?"
"""The replacement for characters without a transliteration."""


def with_fallbacks(text: str, holds: Callable[[str], bool]) -> str:
    """Return a composed text with the characters that a face lacks replaced.

    Every cluster, a character with its combining marks, stays visible, except spaces.

    Args:
        holds: Returns whether the face has a character that can stand alone.
    """
    return "".join(_spelled(cluster, holds) for cluster in _clusters(text))


def _spelled(cluster: str, holds: Callable[[str], bool]) -> str:
    if cluster.isspace():
        return cluster if holds(cluster) else " "
    letters = "".join(part if holds(part) else to_latin(part) for part in cluster)
    shown = "".join(filter(holds, letters))
    return shown if shown.strip() else UNKNOWN


def to_latin(character: str) -> str:
    """Return a character's transliteration, or an emoji's name, in ASCII; empty if there is none."""
    from anyascii import anyascii

    return anyascii(character).strip(":")


def joins(character: str) -> bool:
    """Return whether a character has no width of its own: a combining mark, a joiner or a direction mark."""
    return unicodedata.category(character) in ("Mn", "Me", "Mc", "Cf", "Cc") and not character.isspace()


def _clusters(text: str) -> Iterator[str]:
    """Yield the clusters of a text: a character with its combining marks. A space takes no marks."""
    cluster = ""
    for character in text:
        if cluster and (not joins(character) or cluster.isspace()):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster
