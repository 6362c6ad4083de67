"""Divides sentences into pages that fit on the panel."""

from __future__ import annotations

from collections.abc import Iterable

from .fonts import face
from .panel_layout import WIDTH

LINES = 4
"""Lines of a page."""


def text_pages(sentences: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return the sentences of each page; there is at least one page. A sentence that fits on a page is not divided."""
    pages: list[list[str]] = [[]]
    room = LINES
    for sentence in sentences:
        lines = _wrapped(sentence)
        pieces = [sentence] if len(lines) <= LINES else lines
        for piece in pieces:
            needed = len(lines) if piece is sentence else 1
            if needed > room:
                pages.append([])
                room = LINES
            pages[-1].append(piece)
            room -= needed
    return tuple(map(tuple, pages))


def line_count(sentence: str) -> int:
    return len(_wrapped(sentence))


def _wrapped(sentence: str) -> list[str]:
    return face("text").wrap(sentence, WIDTH - 6)
