"""Draws rows, each a name at the left and figures or cards at the right: seats, tricks, tables, sparklines, choices.

The panel has a title, a rule, a body and a bottom bar. A line is 8 pixels high in the small face and 10 in the text
face, so no letter touches the rule or the bar. Rows are drawn in the first of several variants in which they fit: other
faces, fewer columns, cards left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageDraw

from companion.core.text import tell
from companion.ui.view import OpenGame, SeatRow, TableBody

from .fonts import BitmapFont, face, fit_with_names, shortened, wrapped
from .pictures import SIZE, large
from .symbols import glyph

WIDTH, HEIGHT = SIZE
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
LARGE_CARDS = 4
"""Most seats whose laid cards are drawn in the large face."""
MOST_ROWS = 5
"""Most rows below each other; more stand in two halves side by side."""
GAP = 2
"""Minimum pixels between a name and what stands beside it."""
BETWEEN = 3
"""Pixels between two halves."""
APART = 4
"""Pixels between cards and what stands at their right."""
BESIDE_CARDS, BESIDE_SMALL_CARDS, IN_A_HALF, JOINED = 14, 10, 17, 18
"""Minimum width of a name beside cards, beside small cards and figures, in a half, and beside all figures of a half."""
ONE_CARD = 18
"""Width of a suit with two digits in the small face, which cards are never shortened to less than."""
LEAST_LINE = 32
"""Minimum width of a sparkline; the names take what they need of the rest."""
TALLEST = 16
"""The most pixel rows of a row with a sparkline."""
REST = "…"
"""The head of the column with the sum of the first columns, which have no room."""


def title(pen: ImageDraw.ImageDraw, words: str, left: int = 0, names: Sequence[str] = ()) -> None:
    """Draw a title above a rule that begins at ``left``; where it does not fit, names in it are shortened first."""
    small = face("small")
    pen.line((left, HEAD, WIDTH - 1, HEAD), fill=255)
    small.draw(pen, (1, 0), fit_with_names(small, words, names, WIDTH - 2))


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


# Rows


class Cell(Struct, frozen=True):
    """A text that begins at a pixel column; in reverse, if it has a box."""

    text: str
    font: BitmapFont
    left: int
    box: int | None = None  # the left edge of the box
    low: bool = False  # whether it stands in the second line of a row, below the name


def before(end: int, text: str, font: BitmapFont, *, low: bool = False) -> list[Cell]:
    """Return a cell that ends before a pixel column; none for an empty text."""
    return [Cell(text, font, end - font.width(text), low=low)] if text else []


class Place(Struct, frozen=True):
    """The place of a row, in pixels; the right edge is outside."""

    left: int
    top: int
    right: int
    high: int


class Row(Struct, frozen=True):
    """What a row shows in each layout."""

    name: str
    mark: str = ""  # what stands before the name and is never shortened
    turn: bool = False  # whether the name is drawn in reverse
    whole: bool = False  # whether what is beside the name is left out before the name is shortened


class Layout(Struct):
    """A way to draw rows."""

    font: BitmapFont  # the face of names
    places: list[Place]
    cells: list[list[Cell]]  # what stands beside each name, in order from the right, and below it
    least: int  # the minimum width of a name that needs it
    lines: int = 1  # how many lines a row has
    heads: list[tuple[Cell, int]] = []  # the heads of the columns, and their pixel rows
    line: tuple[int, int] = (0, 0)  # the first pixel column of a sparkline, and the last
    block: int = 0  # the last pixel column of the block in reverse for whose turn it is; 0 if the name alone is

    def fits(self, number: int, row: Row) -> bool:
        """Return whether a row has room for its name and for what stands beside and below it."""
        place, high = self.places[number], self.font.height
        for cell in self.cells[number]:
            if cell.low and cell.left + cell.font.width(cell.text) >= place.right:
                return False
            high = max(high, cell.font.height + cell.low * self.font.height)
        return high <= place.high and self.is_wide(number, row)

    def is_wide(self, number: int, row: Row) -> bool:
        """Return whether a row has room for the width of its name."""
        needed = self.font.width(row.mark + row.name)
        return self.room(number) >= (needed if row.whole else min(needed, self.least))

    def room(self, number: int) -> int:
        """Return the width of a name beside its cells."""
        place = self.places[number]
        end = place.right - 1
        for cell in self.cells[number]:
            if not cell.low:
                end = min(end, (cell.left if cell.box is None else cell.box) - GAP)
        return end - place.left - 1

    def draw(self, pen: ImageDraw.ImageDraw, rows: Sequence[Row]) -> None:
        for head, top in self.heads:
            head.font.draw(pen, (head.left, top), head.text)
        font = self.font
        for number, (row, place) in enumerate(zip(rows, self.places, strict=True)):
            left, top, high = place.left, place.top, place.high
            line, block = high // self.lines, self.block * row.turn
            if block:
                pen.rectangle((left, top, block, top + high - 2), fill=255)
            for cell in self.cells[number]:
                own, box, x = cell.font, cell.box, cell.left
                y, tall = top + cell.low * line, line if own.height <= line else high
                if box is not None:
                    pen.rectangle((box, y, x + own.width(cell.text) + 1, y + tall - 1), fill=255)
                own.draw(pen, (x, y + (tall - own.height) // 2), cell.text, int(box is None and x >= block))
            name = row.mark + font.fit(row.name, self.room(number) - font.width(row.mark))
            if row.turn and not block:
                pen.rectangle((left, top, left + 1 + font.width(name), top + line - 1), fill=255)
            font.draw(pen, (left + 1, top + (line - font.height) // 2), name, int(not row.turn))


def places(
    count: int, left: int, top: int, bottom: int, *, most: int, right: int = WIDTH, halves: bool | None = None
) -> list[Place]:
    """Return the places of rows: evenly down the width, or down two halves if there are many; each so high at most."""
    across = 2 if (count > MOST_ROWS if halves is None else halves) else 1
    down, pitch = -(-count // across), (right - left + BETWEEN) // across
    step = (bottom - top) // down
    high = min(step, most)
    corners = [(left + row // down * pitch, top + row % down * step + (step - high) // 2) for row in range(count)]
    return [Place(x, y, x + pitch - BETWEEN, high) for x, y in corners]


def first_fitting(layouts: Iterable[Layout], rows: Sequence[Row], *, alike: bool = True) -> Layout:
    """Return the first layout in which all rows fit, or the last one.

    Args:
        alike: Whether all rows take their cells from one layout. Otherwise, each takes them from the first in which it
            fits; such layouts differ in nothing else.
    """
    taken = dict[int, list[Cell]]()
    for layout in layouts:
        fitting = {number: layout.cells[number] for number, row in enumerate(rows) if layout.fits(number, row)}
        if len(fitting) == len(rows) or not alike:
            taken = fitting | taken
        if len(taken) == len(rows):
            break
    return replace(layout, cells=[taken.get(number, cells) for number, cells in enumerate(layout.cells)])


# A game under way


def game(image: Image.Image, pen: ImageDraw.ImageDraw, body: OpenGame) -> None:
    """Draw the large symbol, the head line, and the seats with their cards, figures or piles."""
    text = face("text")
    if body.symbol is not None and not body.pile_signs:
        image.paste(large(body.symbol.picture, body.symbol.word), (1, 10))
        if body.symbol.figure:
            _figure(pen, body.symbol.figure)
        word = text.fit(body.symbol.word, SIDE)
        text.draw(pen, (max(0, (SIDE - 2 - text.width(word)) // 2), FOOT - 11), word)
    rows = [
        Row(seat.shown_name, glyph("lead") * seat.leads + f"{seat.key} ".lstrip(), seat.turn, whole=bool(seat.key))
        for seat in body.seats
    ]
    alike = bool(body.outcome) and len(rows) <= MOST_ROWS
    first_fitting(_seats(body, rows), rows, alike=alike).draw(pen, rows)
    left = 0 if body.pile_signs else SIDE
    if body.outcome:
        title(pen, body.outcome, left, [seat.name for seat in body.seats])
        return
    alone = body.symbol is None and not body.columns and not body.pile_signs
    status = body.status if text.width(body.status) <= (WIDTH if alone else SIDE) - 2 else body.brief
    status = text.fit(status, WIDTH - 2)  # the head that a game's file says may be longer
    text.draw(pen, (1, 0), status)
    if body.symbol is None and text.width(status) > SIDE + 10:  # the rule begins under no word
        left = 0
    pen.line((left, HEAD, WIDTH - 1, HEAD), fill=255)
    wide = (WIDTH - SIDE) // max(1, len(body.columns), len(body.pile_signs))
    for place, sign in enumerate(body.pile_signs):
        shown = text.fit(sign, wide - 1)
        text.draw(pen, (SIDE + place * wide + (wide - text.width(shown)) // 2, 0), shown)
    for place, column in enumerate(body.columns):
        named = text.fit(column.sign, max(GLYPH, wide - text.width(str(column.count)) - 1))
        after = text.draw(pen, (SIDE + 2 + place * wide, 0), f"{named}{column.count}")
        face("small").draw(pen, (after, 0), f"+{column.more}" if column.more else "")


def _figure(pen: ImageDraw.ImageDraw, figure: str) -> None:
    """Draw a figure on a dark plate in the middle of the large symbol."""
    numerals = face("numerals")
    wide = numerals.width(figure)
    left, top = 1 + (32 - wide) // 2, 10 + (32 - numerals.height) // 2
    pen.rectangle((left - 2, top - 2, left + wide, top + numerals.height + 1), fill=0)
    numerals.draw(pen, (left, top), figure)


def _seats(body: OpenGame, rows: Sequence[Row]) -> Iterator[Layout]:
    """Yield layouts of seats: with figures beside the cards, with cards alone, with small ones, in halves with none.

    After a trick, all seats have figures or none; if they have, names have the room that they need. Two players, and
    those with piles, have their cards below their names. Without a large symbol, names that need it have its room, too.
    """
    cards_of = [seat.laid for seat in body.seats]
    small, large, piles = face("small"), card_face(cards_of), len(body.pile_signs)
    halves, tall = len(rows) > MOST_ROWS, len(rows) == 2 or bool(piles)
    font = face("small" if len(rows) == MOST_ROWS or (body.symbol is not None and halves) else "text")
    needed = [
        font.width(row.mark + row.name) + small.width(seat.figures) + (0 if tall else large.width(laid))
        for row, seat, laid in zip(rows, body.seats, cards_of, strict=True)
    ]
    whole = not halves and max(needed) <= WIDTH - SIDE - 2 * APART
    left = SIDE + 1 if not piles and (body.symbol is not None or whole) else 0
    most, right = (FOOT - BODY, SIDE + GAP + APART) if piles else (2 * ROW if tall else ROW, WIDTH)
    spots = places(len(rows), left, BODY, FOOT, most=most, right=right)
    wide = spots[0].right - left - 4 - (0 if tall else APART + (IN_A_HALF if halves else BESIDE_CARDS))
    first = 0 if piles else WIDTH if body.outcome else NAME
    options: tuple[tuple[BitmapFont | None, bool, int], ...]
    options = ((large, True, first), (large, False, BESIDE_CARDS), (small, False, 0))
    if halves:
        options = ((small, False, 0), (None, False, 0))
    for cards, figures, least in options:
        layout = Layout(font, spots, [], least, 1 + tall, block=SIDE - 2 if piles else 0)
        for seat, all_laid, place in zip(body.seats, cards_of, spots, strict=True):
            end = SIDE - GAP - 1 if piles else place.right - 1
            laid, own = ("", small) if cards is None else (all_laid, cards)
            if own is small and not figures and small.width(laid) > wide:  # a joker's name says which one it is
                laid = small.fit(seat.cards.replace(glyph("joker"), ""), max(ONE_CARD, wide))
            shown = cards is not None and (figures or tall or not laid)
            figure = before(end, small.fit(seat.figures, wide) if shown else "", small, low=bool(piles))
            if tall:
                card = Cell(laid, own, place.left + (1 if piles else 3), low=True)
                hidden = piles and figure and card.left + own.width(laid) > figure[0].left
                layout.cells.append([*_piles(seat, piles), card, *(() if hidden else figure)])
            else:
                layout.cells.append([*figure, *before((figure[0].left if figure else end) - APART, laid, own)])
        yield layout


def _piles(seat: SeatRow, columns: int) -> list[Cell]:
    """Return the large figures of a seat's piles, each in the middle of its column."""
    numerals, wide = face("numerals"), (WIDTH - SIDE) // max(1, columns)
    counts = [(str(count), SIDE + place * wide) for place, count in enumerate(seat.piles)][::-1]
    return [Cell(count, numerals, start + (wide - numerals.width(count)) // 2) for count, start in counts]


def trick(
    pen: ImageDraw.ImageDraw, sentences: Sequence[str], laid: Sequence[tuple[str, str]], *, shorten: bool = True
) -> bool:
    """Draw sentences above the cards of a trick, so that no card is hidden.

    The cards are large if all fit side by side and leave room for the sentences.

    Args:
        shorten: Whether sentences that do not fit are shortened; otherwise nothing is drawn then.

    Returns:
        Whether it was drawn.
    """
    told, rows, halves = [*filter(None, sentences)], [Row(name) for name, _cards in laid], len(laid) > 2
    for cards in (card_face(cards for _name, cards in laid), face("small")):
        top = FOOT - 1 - -(-len(laid) // (1 + halves)) * (cards.height + (cards.height > SMALL_ROW))
        room = places(len(laid), 0, top, FOOT - 1, most=ROW, halves=halves)
        beside = [before(place.right - 1, own, cards) for (_name, own), place in zip(laid, room, strict=True)]
        layout = Layout(face("small"), room, beside, BESIDE_CARDS)
        text, lines = wrapped(told, WIDTH - 8, top - 4)
        if len(lines) * text.height <= top - 4 and all(map(layout.fits, range(len(rows)), rows)):
            break
    else:
        if not shorten:
            return False
        text, lines = shortened(told, WIDTH - 8, top - 4)
    layout.draw(pen, rows)
    boxed(pen, 0, 0, text, lines)
    return True


# Tables of figures


def table(pen: ImageDraw.ImageDraw, body: TableBody, notice: tuple[str, ...] = ()) -> bool:
    """Draw a table below its title, and what is told about it, if that has room there.

    Returns:
        Whether the notice was drawn. One that has no room below the figures takes their place if cards were laid.
    """
    down = len(body.rows)
    if down > MOST_ROWS:  # sparklines have no room in a half
        body, down = replace(body, lines=()), -(-down // 2)
    spare = FOOT - BODY - down * SMALL_ROW - 1
    rows = [Row(name, glyph("winner") + " " if row in body.marked else "") for row, name in enumerate(body.names)]
    text, lines = wrapped(notice, WIDTH - 2, spare)
    fits = len(lines) * text.height <= spare
    if not fits and body.laid:
        return trick(pen, (*notice, body.title), [*zip(body.names, body.laid, strict=True)])
    if not fits:
        lines = []
    elif not notice and body.told and spare >= SMALL_ROW:
        body = _first_told_as_title(body, rows)
        text, lines = shortened((" · ".join(body.told),), WIDTH - 2, spare)
    end = FOOT - len(lines) * text.height - bool(lines)
    title(pen, body.title, names=body.names)
    layout = first_fitting(_layouts(body, rows, end), rows)
    layout.draw(pen, rows)
    for row, line in enumerate(lines):
        text.draw(pen, (1, end + row * text.height), line)
    if body.lines:
        _sparklines(pen, body.lines, layout)
    return fits


def cut_names(body: TableBody) -> tuple[str, ...]:
    """Return the names of a table without columns that are shortened in it."""
    rows = [Row(name) for name in body.names]
    layout = first_fitting(_layouts(body, rows, FOOT), rows)
    return tuple(row.name for number, row in enumerate(rows) if layout.font.width(row.name) > layout.room(number))


def _first_told_as_title(body: TableBody, rows: Sequence[Row]) -> TableBody:
    """Return a table whose title is the first of what is told below it, if one line has no room for all of that."""
    first, *rest = body.told
    if not rest or body.changed or face("small").width(" · ".join(body.told)) <= WIDTH - 2 or len(rows) > MOST_ROWS:
        return body
    titled = replace(body, title=first, told=tuple(rest))
    heads = first_fitting(_layouts(titled, rows, FOOT - SMALL_ROW), rows).heads
    return titled if any(top < HEAD for _head, top in heads) else body


def _layouts(body: TableBody, rows: Sequence[Row], end: int) -> Iterator[Layout]:
    """Yield the ways to draw a table: with large cards, with small ones, or with as many columns as have room."""
    small, down = face("small"), -(-len(body.rows) // (1 + (len(body.rows) > MOST_ROWS)))
    fonts = [font for font in (face("text"), small) if font is small or down * font.height <= end - BODY]
    if body.laid:
        wheres = ("below", "beside") if len(body.rows) == 2 else ("beside",)
        for large, where, font in product((card_face(body.laid), None), wheres, fonts):
            yield _columns(body, end, font, large or font, where)
    for font in fonts:
        for shown in _shorter(body):
            yield (layout := _columns(shown, end, font))
            if all(map(layout.is_wide, range(len(rows)), rows)):
                break  # too low for these columns: smaller letters rather than fewer columns


def _shorter(body: TableBody) -> Iterator[TableBody]:
    """Yield a table, then tables in which the first columns are one or have gone, at last one column alone.

    The one column has the sum of the first ones in a score sheet, else their figures; in a half only for a whole sheet.
    The last columns matter most, but the column being filled in is always there.
    """
    yield body
    if body.lines or len(body.heads) < 2:
        return
    count, last = len(body.heads), len(body.heads) - 1 if body.cell is None else body.cell[1]
    whole = body.cell is None and not body.changed and not body.laid
    if whole and body.scores and all(map(_adds_up, body.rows)):
        yield from (_some(body, first - 1, count, REST, _sum) for first in range(2, count - 1))
    elif whole and not body.scores and (body.sheet or len(body.rows) <= MOST_ROWS):
        heads = [head[:1] for head in body.heads]
        yield from (_some(body, first - 1, count, "/".join(heads[:first]), "/".join) for first in range(2, count + 1))
    yield from (_some(body, first, count) for first in range(1, last))
    yield from (_some(body, last, end) for end in range(count, last, -1))


def _some(
    body: TableBody, first: int, end: int, head: str = "", join: Callable[[Sequence[str]], str] = "".join
) -> TableBody:
    """Return a table with some of its columns; with a head, the first of them joins those before it."""
    rows, heads = body.rows, body.heads[first:end]
    if head:
        heads = (head, *heads[1:])
        rows = tuple((*row[:first], join(row[: first + 1]), *row[first + 1 :]) for row in rows)
    cell = None if body.cell is None else (body.cell[0], body.cell[1] - first)
    changed = tuple((row, column - first) for row, column in body.changed if first <= column < end)
    return replace(body, heads=heads, rows=tuple(row[first:end] for row in rows), cell=cell, changed=changed)


def _adds_up(row: Sequence[str]) -> bool:
    """Return whether the figures of a row are numbers, and the total after them is their sum; a pair's may follow."""
    with suppress(ValueError):
        return row[-1] == _sum(row[:-1]) or row[-2] == _sum(row[:-2])
    return False


def _sum(figures: Sequence[str]) -> str:
    """Return the sum of figures; a star marks a figure of the declarer's side."""
    return tell(sum(int(figure.rstrip("*").replace("−", "-")) for figure in figures))


def _columns(body: TableBody, end: int, font: BitmapFont, cards: BitmapFont | None = None, where: str = "") -> Layout:
    """Return a layout of a table with all of its columns.

    The heads stand beside the title, the first one above names, too. If it leaves no room, they stand below it, or are
    left out if there are many rows or two halves.

    Args:
        font: The face of names and figures.
        cards: The face of the cards; None if they are not shown.
        where: Whether the cards are "below" the names or "beside" them.
    """
    small, halves = face("small"), len(body.rows) > MOST_ROWS
    starts, wide = ([0, (WIDTH + BETWEEN) // 2], (WIDTH - BETWEEN) // 2) if halves else ([0], WIDTH)
    down, apart = -(-len(body.rows) // len(starts)), 4 if font is small and where == "beside" else 5
    lit = {*body.changed, *filter(None, (body.cell,))}
    figures = [
        [figure or "?" * ((number, column) in lit) for column, figure in enumerate(row)]
        for number, row in enumerate(body.rows)
    ]
    columns = list[tuple[int, int, int]]()  # of each, from the right: number, end, left edge
    left, free = wide - 1, wide
    for column in range(len(body.heads))[::-1]:
        inner, head = max([font.width(row[column]) for row in figures]), small.width(body.heads[column])
        free, right = min(free, left - max(head, inner)), left
        left -= apart + max(inner, head if column else 0)
        columns.append((column, right, left))
    line = (0, 0)
    if body.lines:  # between its two columns
        named = max(map(font.width, body.names)) + bool(body.marked) * font.width(glyph("winner") + " ")
        spare = max(LEAST_LINE, left - max(small.width(body.title), named) - 2 * GAP)
        columns[1], free = (0, columns[1][1] - spare, left - spare), free - spare
        line = columns[1][1] + GAP - 1, columns[0][2]
    starts = [start for start in starts if small.width(body.title) + apart < start + free]
    top, head_top = BODY, 0
    if not halves and not starts and any(body.heads):
        if (end - BODY - SMALL_ROW - 1) // down < SMALL_ROW:
            return _columns(replace(body, heads=("",) * len(body.heads)), end, font, cards, where)
        starts, top, head_top = [0], BODY + SMALL_ROW + 1, BODY
    most = TALLEST if body.lines else 2 * ROW if where == "below" else ROW
    room = places(len(body.rows), 0, top, min(end, top + down * most), most=most)
    rows = list[list[Cell]]()
    for row, place in enumerate(room):
        cells = list[Cell]()
        for column, right, box in columns:
            if figure := figures[row][column]:
                start = place.left + right - 1 - font.width(figure)
                cells.append(Cell(figure, font, start, place.left + box + 3 if (row, column) in lit else None))
        if cards is not None and where == "below":
            cells.append(Cell(body.laid[row], cards, place.left + 3, low=True))
        elif cards is not None:
            cells += before((cells[-1].left if cells else place.right - 1) - APART, body.laid[row], cards)
        rows.append(cells)
    least = BESIDE_SMALL_CARDS if apart == 4 else JOINED if halves and len(columns) == 1 else NAME if columns else WIDTH
    heads = [
        (cell, head_top)
        for start in starts
        for column, right, _left in columns
        for cell in before(start + right, body.heads[column], small)
    ]
    return Layout(font, room, rows, least, 1 + (where == "below"), heads, line)


def _sparklines(pen: ImageDraw.ImageDraw, lines: Sequence[Sequence[int]], layout: Layout) -> None:
    """Draw a line of totals in each row, between its first figure and its last, with a dot at its end.

    All lines have one scale.
    """
    left, right = layout.line
    low, high = min(map(min, lines)), max(map(max, lines))
    for totals, place in zip(lines, layout.places, strict=True):
        edge = 2 if place.high >= ROW else 1  # pixel rows that keep the lines of two rows apart
        bottom, tall = place.top + place.high - 1 - edge, place.high - 1 - 2 * edge
        points = [
            (
                left + round((right - left) * number / (len(totals) - 1)),
                bottom - round(tall * (total - low) / max(1, high - low)),
            )
            for number, total in enumerate(totals)
        ]
        pen.line(points, fill=255)
        x, y = points[-1]
        pen.rectangle((x - 1, y - 1, x + 1, y + 1), fill=255)
