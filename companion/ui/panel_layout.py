"""The panel's layout in pixels: title, rule, body, bottom bar; and how texts fill it.

A line is 8 pixels high in the small face and 10 in the text face, so no letter touches the rule or the bar.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from PIL import ImageDraw

from .fonts import BitmapFont, face

WIDTH, HEIGHT = 128, 64
HEAD = 9
"""The pixel row of the rule below the title."""
BODY = HEAD + 1
"""The first pixel row of the body."""
FOOT = 54
"""The first pixel row of the bottom bar; the row above it stays dark."""
ROW = 11
"""Line pitch of a list: ten pixel rows of text and one that stays dark."""
SMALL_ROW = 8
"""Line pitch of the small face."""
SIDE = 36
"""Width of the large glyph, including its margin."""
GLYPH = 12
"""Minimum width for a glyph in a line. A glyph without a drawing is a word, shortened to fit."""
NAME = 34
"""Minimum width for a name with its key and the leader's flag."""

LINES = 4
"""Lines of a page or list."""
LARGE_CARDS = 4
"""Most seats whose laid cards are drawn in the large face."""


def title(pen: ImageDraw.ImageDraw, words: str, left: int = 0, names: Sequence[str] = ()) -> None:
    """Draw a title above a rule that begins at ``left``; where it does not fit, names in it are shortened first."""
    small = face("small")
    pen.line((left, HEAD, WIDTH - 1, HEAD), fill=255)
    small.draw(pen, (1, 0), fit_with_names(small, words, names, WIDTH - 2))


def fit_with_names(font: BitmapFont, line: str, names: Sequence[str], room: int) -> str:
    """Return a line that fits a room in pixels: the widest name in it loses letters first, then the line its end."""
    return font.fit(names_shortened(font, line, names, room), room)


def names_shortened(font: BitmapFont, line: str, names: Sequence[str], room: int) -> str:
    """Return a line whose names have lost letters, the widest first, until it fits a room or each has one letter."""
    there = sorted((name for name in names if name and name in line), key=len, reverse=True)
    if there and font.width(line) > room:
        parts = re.split(f"({'|'.join(map(re.escape, there))})", line)
        while font.width(line := "".join(parts)) > room:
            long = [place for place in range(1, len(parts), 2) if parts[place][1:]]
            if not long:
                break
            widest = max(long, key=lambda place: font.width(parts[place]))
            parts[widest] = parts[widest][:-1].rstrip()
    return line


def wrapped(sentences: Sequence[str], width: int, room: int) -> tuple[BitmapFont, list[str]]:
    """Return wrapped sentences and their face: the text face if they fit the room, else the small face."""
    for text in (face("text"), face("small")):
        lines = [line for sentence in sentences for line in text.wrap(sentence, width)]
        if len(lines) * text.height <= room:
            break
    return text, lines


def shortened(sentences: Sequence[str], width: int, room: int) -> tuple[BitmapFont, list[str]]:
    """Return as many wrapped lines as fit, and their face; the last ends in an ellipsis if text is left over."""
    text, lines = wrapped(sentences, width, room)
    last = room // text.height - 1
    rest = [text.fit(" ".join(lines[last:]), width)] if lines[last:] else []
    return text, lines[:last] + rest


def boxed(pen: ImageDraw.ImageDraw, left: int, top: int, font: BitmapFont, lines: Sequence[str]) -> None:
    """Draw lines in a frame that reaches to the right edge."""
    bottom = top + 2 + len(lines) * font.height
    pen.rectangle((left, top, WIDTH - 1, bottom), fill=0, outline=255)
    for place, line in enumerate(lines):
        font.draw(pen, (left + 4, top + 2 + place * font.height), line)


def card_face(laid: Iterable[str]) -> BitmapFont:
    """Return the face of laid cards: the large one, or the small one where more than four sit.

    Without a drawing, a suit is a word, which only the text face can write.
    """
    laid = tuple(laid)
    large = face("cards")
    if len(laid) > LARGE_CARDS:
        return face("small")
    return large if all(map(large.has, {sign for cards in laid for sign in cards})) else face("text")


# Pages


def text_pages(sentences: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return the sentences of each page; there is at least one page. A sentence that fits on a page is not divided."""
    pieces = page_pieces(sentences, 1)
    starts = page_starts(pieces)
    return tuple(pieces[start:end] for start, end in zip(starts, (*starts[1:], len(pieces)), strict=True))


def page_pieces(sentences: Iterable[str], count: int = LINES) -> tuple[str, ...]:
    """Return the sentences; one that does not fit on a page is divided into pieces of so many lines, at most a page."""
    pieces: list[str] = []
    for sentence in sentences:
        lines = page_lines(sentence)
        fits = len(lines) <= LINES
        pieces += [sentence] if fits else ["\n".join(lines[at : at + count]) for at in range(0, len(lines), count)]
    return tuple(pieces)


def page_starts(pieces: Iterable[str]) -> tuple[int, ...]:
    """Return the number of the first piece of each page, if every page begins with the first line of a piece."""
    starts, room = [0], LINES
    for number, piece in enumerate(pieces):
        needed = len(page_lines(piece))
        if needed > room:
            starts.append(number)
            room = LINES
        room -= needed
    return tuple(starts)


def page_lines(sentence: str) -> list[str]:
    """Return the lines of a sentence on a page."""
    return face("text").wrap(sentence, WIDTH - 6)
