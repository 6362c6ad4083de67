"""Draws tables of figures: score sheets, results, tallies."""

from __future__ import annotations

from typing import NamedTuple

from PIL import ImageDraw

from .fonts import BitmapFont, face, glyph
from .panel_layout import BODY, FOOT, HEIGHT, NAME, ROW, SMALL_ROW, WIDTH, card_face, title, wrapped
from .render_game import trick
from .view import TableBody

SHORT_NAME = 10
"""Minimum width of a name that has the cards of a trick beside it in the small face."""


def grid(pen: ImageDraw.ImageDraw, body: TableBody, notice: tuple[str, ...] = ()) -> bool:
    """Draw names at the left, and as many columns from the right as fit.

    Returns:
        Whether the notice was drawn. One that does not fit below the figures takes their place if cards were laid.
    """
    spare = FOOT - BODY - len(body.rows) * SMALL_ROW - 1
    text, lines = wrapped(notice, WIDTH - 2, spare)
    if len(lines) * text.height > spare:
        if body.laid:
            return trick(pen, (*notice, body.title), [*zip(body.names, body.laid, strict=True)])
        _figures(pen, body, _layout(body, FOOT))
        return False
    end = FOOT - len(lines) * text.height - bool(lines)
    _figures(pen, body, _layout(body, end))
    for row, line in enumerate(lines):
        text.draw(pen, (1, end + row * text.height), line)
    return True


class _Layout(NamedTuple):
    """The layout of a table."""

    text: BitmapFont  # the face of names and figures
    laid: BitmapFont  # the face of a trick's cards
    cards: str  # the position of a trick's cards: "below" the names, "beside" them, or empty for not shown
    widths: list[int]  # the widths of the columns
    edges: list[int]  # the right edges of the columns
    first: int  # the first column that fits
    heads: int  # the pixel row of the column heads; `HEIGHT`, outside the panel, if they do not fit
    top: int  # the first pixel row of the figures
    pitch: int  # the distance between rows
    whole: bool  # whether everything fits

    @property
    def left(self) -> int:
        """Return the left edge of the first column shown."""
        return self.edges[self.first] - self.widths[self.first] - 1


def _layout(body: TableBody, end: int) -> _Layout:
    """Return the layout with the largest cards, and then the largest figures, in which everything fits.

    Cards are left out before figures.
    """
    text, small = face("text"), face("small")
    large = card_face(body.laid) if body.laid else text
    positions = ("below", "beside", "") if len(body.rows) == 2 else ("beside", "")
    kinds = [(cards, one, large) for cards in positions[:-1] for one in (text, small)] if body.laid else []
    kinds += [(cards, one, one) for cards in (positions if body.laid else ("",)) for one in (text, small)]
    layouts = [_layout_for(body, end, one, laid, cards) for cards, one, laid in kinds]
    return next((layout for layout in layouts if layout.whole), layouts[-1])


def _layout_for(body: TableBody, end: int, text: BitmapFont, laid: BitmapFont, cards: str) -> _Layout:
    """Return the layout for the faces of figures and cards, and a position of the cards.

    A title that does not fit beside the column heads gets a line of its own. The heads then go below it, or are left
    out if there are many rows. The last columns matter most, but the column being filled in is always shown.
    """
    small = face("small")
    close = text is small and cards == "beside"
    widths = [
        (4 if close else 5) + max(small.width(head), *(text.width(row[column]) for row in body.rows))
        for column, head in enumerate(body.heads)
    ]
    edges = [WIDTH - 1 - sum(widths[column + 1 :]) for column in range(len(widths))]
    name = SHORT_NAME if close else NAME
    if cards == "beside":
        name += 4 + max(map(laid.width, body.laid))
    first, last = 0, len(widths) - 1 if body.cell is None else body.cell[1]
    while sum(widths[first:]) > WIDTH - name and first < last:
        first += 1
    beside = small.width(body.title) < edges[first] - widths[first]
    high = text.height + laid.height if cards == "below" else max(text.height, laid.height)
    below = not beside and (end - BODY - SMALL_ROW - 1) // len(body.rows) >= SMALL_ROW
    top = BODY + (SMALL_ROW + 1 if below else 0)
    pitch = min(2 * ROW if cards == "below" else ROW, (end - top) // len(body.rows))
    heads = 0 if beside else BODY if below else HEIGHT
    return _Layout(text, laid, cards, widths, edges, first, heads, top, pitch, pitch >= high and not (cards and first))


def _figures(pen: ImageDraw.ImageDraw, body: TableBody, layout: _Layout) -> None:
    text, laid, small = layout.text, layout.laid, face("small")
    title(pen, body.title)
    shown = range(layout.first, len(layout.widths))
    for column in shown:
        head = body.heads[column]
        small.draw(pen, (layout.edges[column] - small.width(head), layout.heads), head)
    top = layout.top
    for row, name in enumerate(body.names):
        room, line = layout.left, top
        if layout.cards == "beside":
            line += (max(text.height, laid.height) - text.height) // 2
            room -= laid.width(body.laid[row])
            laid.draw(pen, (room, top), body.laid[row])
            room -= 4
        elif layout.cards:
            laid.draw(pen, (3, top + text.height), body.laid[row])
        mark = glyph("winner") + " " if row in body.marked else ""
        text.draw(pen, (1, line), text.fit(mark + name, room))
        for column in shown:
            ink, figure = 1, body.rows[row][column]
            right = layout.edges[column]
            if body.cell == (row, column):
                left, bottom = right - layout.widths[column] + 3, top + layout.pitch - 1
                pen.rectangle((left, top, right, bottom), fill=255)
                ink, figure = 0, figure or "?"
            text.draw(pen, (right - text.width(figure) - 1, line), figure, ink)
        top += layout.pitch
