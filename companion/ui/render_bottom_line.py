"""Draws the bottom line."""

from __future__ import annotations

from PIL import ImageDraw

from .bottom_line import APART, hinted, turned, typing
from .fonts import face, glyph
from .panel_layout import FOOT, HEIGHT, WIDTH
from .view import View


def bottom(pen: ImageDraw.ImageDraw, view: View) -> None:
    """Draw the bottom line: what is not saved, the question, what was typed, and the hint or the selected option."""
    text = face("text")
    pen.line((0, FOOT - 1, WIDTH - 1, FOOT - 1), fill=0)
    pen.rectangle((0, FOOT, WIDTH - 1, HEIGHT - 1), fill=255)
    left = _unsaved(pen, view.unsaved)
    left += _plate(pen, left, view.ahead)
    if view.choice:
        _choice(pen, view, left)
        return
    small = face("small")
    question, hint = hinted(view, WIDTH - 4 - left)
    said = text.width(question) + typing(view) + small.width(hint) + APART * bool(hint)
    left += _clock(pen, view.clock, left, WIDTH - 4 - left - said)
    small.draw(pen, (WIDTH - 2 - small.width(hint), FOOT + 1), hint, ink=0)
    top = _top(question + view.typed)
    x = text.draw(pen, (2 + left, top), question, ink=0)
    if view.typed:
        x = text.draw(pen, (x + 4, top), view.typed, ink=0)
        pen.rectangle((x, FOOT + 2, x + 3, HEIGHT - 3), fill=0)  # the cursor


def _clock(pen: ImageDraw.ImageDraw, clock: str, left: int, room: int) -> int:
    """Draw the clock if it has room beside what the bottom line says; return its width."""
    return _plate(pen, left, clock) if face("small").width(clock) + 4 <= room else 0


def _top(words: str) -> int:
    """Return the top of a text in the bottom bar: one pixel lower if no letter reaches the last row."""
    return FOOT if face("text").deep(words) else FOOT + 1


def _unsaved(pen: ImageDraw.ImageDraw, entries: int | None) -> int:
    """Draw the number of unsaved entries at the left of the bottom line; return its width."""
    return _plate(pen, 0, _unsaved_mark(entries))


def _unsaved_mark(entries: int | None) -> str:
    return "" if entries is None else f"{glyph('alert')}{entries or ''}"


def _plate_width(mark: str) -> int:
    return face("small").width(mark) + 4 if mark else 0


def _plate(pen: ImageDraw.ImageDraw, left: int, mark: str) -> int:
    """Draw a mark on a dark plate in the bottom line; return its width."""
    if not mark:
        return 0
    small = face("small")
    pen.rectangle((left + 1, FOOT + 1, left + 3 + small.width(mark), HEIGHT - 2), fill=0)
    small.draw(pen, (left + 3, FOOT + 1), mark)
    return _plate_width(mark)


def _choice(pen: ImageDraw.ImageDraw, view: View, start: int) -> None:
    """Draw the selected option between arrows, and the question in the remaining width."""
    text = face("text")
    question, choice = turned(view, WIDTH - 19 - start)
    said = text.width(question) + typing(view) + text.width(choice)
    start += _clock(pen, view.clock, start, WIDTH - 19 - start - said)
    left, top = WIDTH - 17 - text.width(choice), _top(choice)
    pen.rectangle((left, top, WIDTH - 2, HEIGHT - 1), fill=0)
    middle = FOOT + (HEIGHT - FOOT) // 2
    for tip, side in ((left + 2, 1), (WIDTH - 4, -1)):
        for step in range(4):
            pen.line((tip + side * step, middle - step, tip + side * step, middle + step), fill=255)
    text.draw(pen, (left + 8, top), choice)
    top = _top(question + view.typed)
    x = text.draw(pen, (2 + start, top), question, ink=0)
    if view.typed:
        text.draw(pen, (x + 4, top), view.typed, ink=0)


def hint_fits(view: View) -> bool:
    """Return whether the bottom line has room for the whole hint."""
    left = sum(_plate_width(mark) for mark in (_unsaved_mark(view.unsaved), view.ahead))
    return hinted(view, WIDTH - 4 - left)[1] == view.hint
