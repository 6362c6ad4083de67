"""Divides sentences into pages that fit on the panel."""

from __future__ import annotations

from collections.abc import Iterable

from .fonts import face
from .panel_layout import WIDTH

LINES = 4
"""Lines of a page."""


def text_pages(sentences: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return the sentences of each page; there is at least one page. A sentence that fits on a page is not divided."""
    pieces = _divided(sentences, 1)
    starts = page_starts(pieces)
    return tuple(pieces[start:end] for start, end in zip(starts, (*starts[1:], len(pieces)), strict=True))


def page_pieces(sentences: Iterable[str]) -> tuple[str, ...]:
    """Return the sentences; one that does not fit on a page is divided into pieces of at most a page, line by line."""
    return _divided(sentences, LINES)


def _divided(sentences: Iterable[str], count: int) -> tuple[str, ...]:
    """Return the sentences; one that does not fit on a page is divided into pieces of so many lines."""
    pieces: list[str] = []
    for sentence in sentences:
        lines = _wrapped(sentence)
        fits = len(lines) <= LINES
        pieces += [sentence] if fits else ["\n".join(lines[at : at + count]) for at in range(0, len(lines), count)]
    return tuple(pieces)


def page_starts(pieces: Iterable[str]) -> tuple[int, ...]:
    """Return the number of the first piece of each page, if every page begins with the first line of a piece."""
    starts, room = [0], LINES
    for number, piece in enumerate(pieces):
        needed = line_count(piece)
        if needed > room:
            starts.append(number)
            room = LINES
        room -= needed
    return tuple(starts)


def line_count(sentence: str) -> int:
    return len(_wrapped(sentence))


def _wrapped(sentence: str) -> list[str]:
    return face("text").wrap(sentence, WIDTH - 6)
