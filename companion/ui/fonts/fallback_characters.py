"""Replaces characters that a font lacks: by Latin letters of the same sound, or a question mark.

The names behind it are not changed; only what is drawn of them is. The tables come with anyascii, which is
imported when the first such character is met: most tables never need it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator

UNKNOWN = "?"
"""What stands for something that has no letters in any script."""


def with_fallbacks(text: str, holds: Callable[[str], bool]) -> str:
    """Return a composed text with what a face holds in the place of what it lacks.

    Spaces aside every cluster, a character with the marks upon it, is still to be seen.

    Args:
        text: The text.
        holds: Whether the face holds a character that has room of its own.
    """
    return "".join(_spelled(cluster, holds) for cluster in _clusters(text))


def _spelled(cluster: str, holds: Callable[[str], bool]) -> str:
    if cluster.isspace():
        return cluster if holds(cluster) else " "
    letters = "".join(part if holds(part) else to_latin(part) for part in cluster)
    shown = "".join(filter(holds, letters))
    return shown if shown.strip() else UNKNOWN


def to_latin(character: str) -> str:
    """Return how a character sounds, or what it is a picture of, in ASCII; empty where it is neither."""
    from anyascii import anyascii  # noqa: PLC0415

    return anyascii(character).strip(":")


def joins(character: str) -> bool:
    """Tell whether a character has no room of its own: an accent, a joiner, a sign of the writing direction."""
    return unicodedata.category(character) in ("Mn", "Me", "Mc", "Cf", "Cc") and not character.isspace()


def _clusters(text: str) -> Iterator[str]:
    """Cut a text into characters with the marks that follow them; a space carries none."""
    cluster = ""
    for character in text:
        if cluster and (not joins(character) or cluster.isspace()):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster
