"""Draws tables of figures: score sheets, results, tallies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from msgspec.structs import replace
from PIL import ImageDraw

from companion.core.text import tell

from .fonts import BitmapFont, face, glyph
from .panel_layout import BODY, FOOT, HEIGHT, NAME, ROW, SMALL_ROW, WIDTH, card_face, shortened, title, wrapped
from .render_game import trick
from .view import TableBody

SHORT_NAME = 10
"""Minimum width of a name that has the cards of a trick beside it in the small face."""


HALF_NAME = 24
"""Minimum width of a name in a half, beside the figures of a whole row."""
MOST_ROWS = 5
"""Most rows below each other; more stand in two halves side by side."""


def grid(pen: ImageDraw.ImageDraw, body: TableBody, notice: tuple[str, ...] = ()) -> bool:
    """Draw names at the left, and as many columns from the right as fit. Many rows stand in two halves.

    Returns:
        Whether the notice was drawn. One that does not fit below the figures takes their place if cards were laid.
    """
    down = len(body.rows) if len(body.rows) <= MOST_ROWS else -(-len(body.rows) // 2)
    spare = FOOT - BODY - down * SMALL_ROW - 1
    text, lines = wrapped(notice, WIDTH - 2, spare)
    if len(lines) * text.height > spare:
        if body.laid:
            return trick(pen, (*notice, body.title), [*zip(body.names, body.laid, strict=True)])
        _halves(pen, body, FOOT, down)
        return False
    if not notice and body.told and spare >= SMALL_ROW:
        body = _first_told_as_title(body)
        text, lines = shortened((" · ".join(body.told),), WIDTH - 2, spare)
    end = FOOT - len(lines) * text.height - bool(lines)
    _halves(pen, body, end, down)
    for row, line in enumerate(lines):
        text.draw(pen, (1, end + row * text.height), line)
    return True


def _first_told_as_title(body: TableBody) -> TableBody:
    """Return a table whose title is the first of what is told below it, if one line has no room for all of that."""
    first, *rest = body.told
    if not rest or body.changed or face("small").width(" · ".join(body.told)) <= WIDTH - 2:
        return body
    titled = replace(body, title=first, told=tuple(rest))
    return body if len(body.rows) > MOST_ROWS or _layout(titled, FOOT - SMALL_ROW).heads else titled


def _halves(pen: ImageDraw.ImageDraw, body: TableBody, end: int, down: int) -> None:
    """Draw a table above a pixel row, so many rows below each other.

    In halves the head of a single column stands above names, too: the names have all the room beside the figures.
    """
    title(pen, body.title, names=body.names)
    if down == len(body.rows):
        _figures(pen, *_with_all(body, end))
        return
    wide, pitch = WIDTH // 2, min(ROW, (end - BODY) // down)
    text = face("text" if pitch >= face("text").height else "small")
    whole = _layout_for(body, end, text, text, "", wide, down)
    if whole.first or whole.left < NAME:
        body = _figures_joined(body, text, wide) or _one_column(body)
    small, single = face("small"), len(body.heads) == 1
    layout = _layout_for(replace(body, heads=("?",)) if single else body, end, text, text, "", wide, down)
    left = layout.edges[0] - small.width(body.heads[0]) if single else layout.left
    for start, first in ((0, 0), (wide, down)):
        heads = 0 if small.width(body.title) + 2 < start + left else HEIGHT
        part = slice(first, first + down)
        cell = None if body.cell is None else (body.cell[0] - first, body.cell[1])
        marked = tuple(row - first for row in body.marked)
        changed = tuple((row - first, column) for row, column in body.changed)
        half = replace(body, names=body.names[part], rows=body.rows[part], marked=marked, cell=cell, changed=changed)
        _figures(pen, half, layout._replace(heads=heads, top=BODY, pitch=pitch), start)


def _figures_joined(body: TableBody, text: BitmapFont, wide: int) -> TableBody | None:
    """Return a whole sheet with the figures of each row as one; None for another table, or if names have no room."""
    if not body.sheet or body.cell is not None or body.changed or len(body.heads) < 2:
        return None
    rows = tuple(("/".join(row),) for row in body.rows)
    fits = max(text.width(row[0]) for row in rows) <= wide - HALF_NAME
    return replace(body, heads=(_initials(body.heads),), rows=rows) if fits else None


def _one_column(body: TableBody) -> TableBody:
    """Return a table with the column being filled in alone, or the last one."""
    column = len(body.heads) - 1 if body.cell is None else body.cell[1]
    cell = None if body.cell is None else (body.cell[0], 0)
    changed = tuple((row, 0) for row, each in body.changed if each == column)
    rows = tuple((row[column],) for row in body.rows)
    return replace(body, heads=(body.heads[column],), rows=rows, cell=cell, changed=changed)


REST = "…"
"""The head of the column with the sum of the first columns, which have no room."""


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


def _with_all(body: TableBody, end: int) -> tuple[TableBody, _Layout]:
    """Return a table and its layout. Where not all columns have room, the first ones are one column.

    In a score sheet it has their sum, in a result that is shown whole their figures.
    """
    whole = _layout(body, end)
    if not whole.first or body.cell is not None or body.changed or body.laid:
        return body, whole
    if body.scores and not all(map(_adds_up, body.rows)):
        return body, whole
    join: Callable[[Sequence[str]], str] = _sum if body.scores else "/".join
    for count in range(whole.first + 1 if body.scores else 2, len(body.heads) - 1):
        head = REST if body.scores else _initials(body.heads[:count])
        rows = tuple((join(row[:count]), *row[count:]) for row in body.rows)
        shorter = replace(body, heads=(head, *body.heads[count:]), rows=rows)
        layout = _layout(shorter, end)
        if not layout.first:
            return shorter, layout
    return body, whole


def _initials(heads: Sequence[str]) -> str:
    return "/".join(head[:1] for head in heads)


def _adds_up(row: Sequence[str]) -> bool:
    """Return whether the figures of a row are numbers, and the total after them is their sum; a pair's may follow."""
    with suppress(ValueError):
        return row[-1] == _sum(row[:-1]) or row[-2] == _sum(row[:-2])
    return False


def _sum(figures: Sequence[str]) -> str:
    """Return the sum of figures; a star marks a figure of the declarer's side."""
    return tell(sum(int(figure.rstrip("*").replace("−", "-")) for figure in figures))


def _layout(body: TableBody, end: int) -> _Layout:
    """Return the layout with the largest cards, and then the largest figures, in which everything fits.

    Cards are left out before figures.
    """
    text, small = face("text"), face("small")
    large = card_face(body.laid) if body.laid else text
    positions = ("below", "beside", "") if len(body.rows) == 2 else ("beside", "")
    kinds = [(cards, one, large) for cards in positions[:-1] for one in (text, small)] if body.laid else []
    kinds += [(cards, one, one) for cards in (positions if body.laid else ("",)) for one in (text, small)]
    layouts = [_layout_for(body, end, one, laid, cards, WIDTH, len(body.rows)) for cards, one, laid in kinds]
    return next((layout for layout in layouts if layout.whole), layouts[-1])


def _layout_for(
    body: TableBody, end: int, text: BitmapFont, laid: BitmapFont, cards: str, wide: int, down: int
) -> _Layout:
    """Return the layout for the faces of figures and cards, a position of the cards, a width and a number of rows.

    A title that does not fit beside the column heads gets a line of its own. The heads then go below it, or are left
    out if there are many rows. The last columns matter most, but the column being filled in is always shown.
    """
    small = face("small")
    close = text is small and cards == "beside"
    name = SHORT_NAME if close else NAME
    if cards == "beside":
        name += 4 + max(map(laid.width, body.laid))
    heads = [small.width(head) for head in body.heads]
    widths, edges, first = _columns(body, text, heads, 4 if close else 5, wide, name)
    beside = small.width(body.title) < edges[first] - widths[first]
    high = text.height + laid.height if cards == "below" else max(text.height, laid.height)
    below = not beside and (end - BODY - SMALL_ROW - 1) // down >= SMALL_ROW
    top = BODY + (SMALL_ROW + 1 if below else 0)
    pitch = min(2 * ROW if cards == "below" else ROW, (end - top) // down)
    if not beside and not below and wide == WIDTH:  # halves draw their heads beside the title, where they fit
        widths, edges, first = _columns(body, text, [0] * len(heads), 4 if close else 5, wide, name)
    row = 0 if beside else BODY if below else HEIGHT
    return _Layout(text, laid, cards, widths, edges, first, row, top, pitch, pitch >= high and not (cards and first))


def _columns(
    body: TableBody, text: BitmapFont, heads: Sequence[int], apart: int, wide: int, name: int
) -> tuple[list[int], list[int], int]:
    """Return the widths of the columns, their right edges, and the first one that fits.

    Args:
        heads: The widths of their heads.
        apart: The pixels between two columns.
        wide: The width of the table.
        name: The room of a name.
    """
    widths = [apart + max(head, *(text.width(row[column]) for row in body.rows)) for column, head in enumerate(heads)]
    edges = [wide - 1 - sum(widths[column + 1 :]) for column in range(len(widths))]
    first, last = 0, len(widths) - 1 if body.cell is None else body.cell[1]
    while sum(widths[first:]) > wide - name and first < last:
        first += 1
    return widths, edges, first


def _room(body: TableBody, layout: _Layout, row: int) -> int:
    """Return the x at which a row's name ends at the latest: before its first figure, or the cell being filled in."""
    for column in range(layout.first, len(layout.widths)):
        if body.cell == (row, column):
            return layout.edges[column] - layout.widths[column] - 1
        if body.rows[row][column]:
            return layout.edges[column] - layout.text.width(body.rows[row][column]) - 7
    return layout.edges[-1]


def _figures(pen: ImageDraw.ImageDraw, body: TableBody, layout: _Layout, start: int = 0) -> None:
    """Draw the heads, names and figures of a table, from a pixel column on."""
    text, laid, small = layout.text, layout.laid, face("small")
    shown = range(layout.first, len(layout.widths))
    for column in shown:
        head = body.heads[column]
        small.draw(pen, (start + layout.edges[column] - small.width(head), layout.heads), head)
    top = layout.top
    for row, name in enumerate(body.names):
        room, line = _room(body, layout, row), top
        if layout.cards == "beside":
            line += (max(text.height, laid.height) - text.height) // 2
            room -= laid.width(body.laid[row])
            laid.draw(pen, (room, top), body.laid[row])
            room -= 4
        elif layout.cards:
            laid.draw(pen, (3, top + text.height), body.laid[row])
        mark = glyph("winner") + " " if row in body.marked else ""
        text.draw(pen, (start + 1, line), text.fit(mark + name, room))
        for column in shown:
            ink, figure = 1, body.rows[row][column]
            right = start + layout.edges[column]
            if (row, column) == body.cell or (row, column) in body.changed:
                left, bottom = right - layout.widths[column] + 3, top + layout.pitch - 1
                pen.rectangle((left, top, right, bottom), fill=255)
                ink, figure = 0, figure or "?"
            text.draw(pen, (right - text.width(figure) - 1, line), figure, ink)
        top += layout.pitch
