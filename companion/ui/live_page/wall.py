"""The wall as a picture in large pixels, for a screen without a browser."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from msgspec.structs import replace
from PIL import Image, ImageDraw

from companion.core.game import PileColumn
from companion.core.text import N_, NC_, Text
from companion.history.chart import DASHES, Course, round_figures, spread_out
from companion.ui.fonts import FaceName, face, fit_with_names
from companion.ui.live_page.content import LivePageContent
from companion.ui.live_page.svg import ROOM, pairing_code, parsed, readable
from companion.ui.pictures import has_drawing, large
from companion.ui.symbols import GLYPHS
from companion.ui.tables import FOOT as BODY_END
from companion.ui.tables import WIDTH
from companion.ui.tables import table as draw_table
from companion.ui.translations import Translator
from companion.ui.view import OpenGame, SeatRow

Colour = tuple[int, int, int]
Box = tuple[int, int, int, int]
"""Left, top, right and bottom; the last two are outside."""


@lru_cache(maxsize=256)
def _enlarged(text: str, name: FaceName, times: int) -> Image.Image:
    font = face(name)
    drawn = Image.new("1", (max(1, font.width(text)), font.height))
    font.draw(drawn, (0, 0), text)
    return drawn.resize((drawn.width * times, drawn.height * times), Image.Resampling.NEAREST)


class PixelCanvas:
    """A picture to draw on."""

    def __init__(self, size: tuple[int, int], ground: Colour) -> None:
        self.image = Image.new("RGB", size, ground)
        self._pen = ImageDraw.Draw(self.image)

    def fill(self, box: Box, colour: Colour) -> None:
        left, top, right, bottom = box
        self._pen.rectangle((left, top, right - 1, bottom - 1), fill=colour)

    def frame(self, box: Box, colour: Colour) -> None:
        """Draw a box's edge, two pixels wide."""
        left, top, right, bottom = box
        self._pen.rectangle((left, top, right - 1, bottom - 1), outline=colour, width=2)

    def stamp(self, picture: Image.Image, place: tuple[int, int], colour: Colour, times: int = 1) -> None:
        """Draw the lit pixels of a 1-bit picture in a colour, enlarged by a whole factor."""
        size = picture.width * times, picture.height * times
        self.image.paste(colour, place, picture.resize(size, Image.Resampling.NEAREST))

    def text(
        self,
        place: tuple[int, int],
        text: str,
        colour: Colour,
        times: int = 1,
        *,
        width: int | None = None,
        align: float = 0,
        name: FaceName = "text",
    ) -> int:
        """Draw a text and return the x at its end.

        Args:
            place: The top left of its line; with ``align``, the left end of the room it is aligned in.
            times: The factor by which it is enlarged.
            width: The room in pixels; a longer text is shortened.
            align: Where it stands in its room: 0 left, 0.5 in the middle, 1 right.
        """
        x, y = place
        if width is not None:
            text = face(name).fit(text, width // times)
            x += round((width - face(name).width(text) * times) * align)
        drawn = _enlarged(text, name, times)
        self.image.paste(colour, (x, y), drawn)
        return x + face(name).width(text) * times

    def line(self, points: Sequence[tuple[int, int]], colour: Colour, dashes: Sequence[int]) -> None:
        """Draw a line two pixels wide, with dashes and gaps of some lengths in turn; without any, it is whole."""
        pattern = [on % 2 == 0 for on, length in enumerate(dashes) for _pixel in range(length)] or [True]
        walked = 0
        for (x, y), (right, bottom) in pairwise(points):
            steps = max(abs(right - x), abs(bottom - y), 1)
            for step in range(steps):
                if pattern[walked % len(pattern)]:
                    left, top = x + round((right - x) * step / steps), y + round((bottom - y) * step / steps)
                    self._pen.rectangle((left, top, left + 1, top + 1), fill=colour)
                walked += 1


TITLE = N_("Tabletop Companion")
NO_GAME = N_("No game is open")
TRUMP_IN = N_("trump in {count}")
COURSE = N_("The course of the game")
JOIN = N_("Join with a phone")
PIN = NC_("pairing", "PIN")

COLON = ":： \u00a0\u202f"
"""A colon at the end of a question, with the spaces that French puts before it."""


def question_shown(content: LivePageContent) -> str:
    """Return the question about the game without its colon.

    It is empty while a menu is open, and if the question is only the name of a player, whose seat is highlighted.
    """
    table, text = content.table, content.question.text.rstrip(COLON)
    if table is None or content.body is not None:
        return ""
    bare = not content.question.begun and text in (seat.name for seat in table.seats)
    return "" if bare else text


CARD: Final[Colour] = (21, 25, 34)
TEXT: Final[Colour] = (232, 237, 245)
QUIET: Final[Colour] = (152, 163, 181)
TURN: Final[Colour] = (140, 196, 255)
WON: Final[Colour] = (255, 207, 90)
ALERT: Final[Colour] = (255, 156, 143)
GRID: Final[Colour] = (60, 68, 82)
LINES: Final[tuple[Colour, ...]] = (
    (125, 178, 255),
    (255, 155, 133),
    (111, 220, 140),
    (221, 162, 255),
    (255, 194, 89),
    (95, 220, 236),
    (255, 158, 213),
    (190, 200, 130),
)
"""The colours of people."""
DIM = 0.4
"""The brightness of a dimmed picture."""
LEAST_PITCH = 20
"""The least height of a seat; lower ones stand in two columns."""
MARGIN = 8
HEAD, FOOT = 28, 26
"""The heights of the lines at the top and at the bottom."""


def wall_picture(content: LivePageContent, size: tuple[int, int], *, dimmed: bool = False) -> Image.Image:
    """Return a picture of the table, mode "RGB".

    Args:
        size: Width and height in pixels, at least 320x200.
        dimmed: Whether it is dark, because nobody has pressed a key for a while.
    """
    canvas = PixelCanvas(size, ROOM)
    table = content.table
    words = Translator(content.language, () if table is None else tuple(seat.name for seat in table.seats))
    if table is None:
        _no_game(canvas, content, words)
    else:
        _game(canvas, content, table, words)
    return canvas.image.point([round(value * DIM) for value in range(256)] * 3) if dimmed else canvas.image


def _no_game(canvas: PixelCanvas, content: LivePageContent, words: Translator) -> None:
    width, height = canvas.image.size
    top = height // 2 - (80 if content.link else 40)
    canvas.text((0, top), words(Text(TITLE)), TEXT, 3, width=width, align=0.5)
    canvas.text((0, top + 34), words(Text(NO_GAME)), QUIET, 2, width=width, align=0.5)
    if content.link:
        _join(canvas, content, words, (max(MARGIN, width // 2 - 140), top + 62, width - MARGIN, top + 160))
    elif content.address:
        canvas.text((0, top + 66), content.address, TEXT, 2, width=width, align=0.5)


def _game(canvas: PixelCanvas, content: LivePageContent, table: OpenGame, words: Translator) -> None:
    width, height = canvas.image.size
    middle = width * 2 // 5
    left, right = (MARGIN, HEAD, middle - MARGIN, height - FOOT), (middle, HEAD, width - MARGIN, height - FOOT)
    _head(canvas, table)
    _foot(canvas, content)
    if table.over:
        _over(canvas, content, table, words, left, right)
        return
    floor = left[3]
    if table.columns:
        floor -= 38
        for place, column in enumerate(table.columns):
            room = (left[2] - left[0] + 4) // len(table.columns)
            box = (left[0] + place * room, floor, left[0] + (place + 1) * room - 4, left[3])
            _column(canvas, column, words, box)
    _trump(canvas, table, (left[0], left[1], left[2], floor))
    totals = table.course
    lower = 84 if content.link else 0 if totals is None else 66
    _seats(canvas, table, (right[0], right[1], right[2], right[3] - lower))
    box = (right[0], right[3] - lower, right[2], right[3])
    if content.link:
        _join(canvas, content, words, box)
    elif totals is not None:
        _chart(canvas, totals, box, content.faces.colours(totals.names))


def _over(
    canvas: PixelCanvas, content: LivePageContent, table: OpenGame, words: Translator, left: Box, right: Box
) -> None:
    """Draw the end of a game: the winner's star, the totals, and the chart in large."""
    seats = min(24, (left[3] - left[1]) // (len(table.seats) + 1)) * len(table.seats)
    _seats(canvas, table, (left[0], left[3] - seats, left[2], left[3]))
    room = min(left[2] - left[0], left[3] - seats - left[1])
    times = max(1, room // 12)
    star = Image.new("1", (9, 9))
    face("text").draw(star, (0, 0), GLYPHS["winner"])
    canvas.stamp(star, ((left[0] + left[2] - 9 * times) // 2, left[1] + (room - 9 * times) // 2), WON, times)
    totals = table.course
    if content.link:
        _join(canvas, content, words, (right[0], right[3] - 84, right[2], right[3]))
        right = (right[0], right[1], right[2], right[3] - 88)
    if totals is None:
        _sheet(canvas, table, right)
    else:
        _chart(canvas, totals, right, content.faces.colours(totals.names))


def _head(canvas: PixelCanvas, table: OpenGame) -> None:
    width = canvas.image.width
    end = canvas.text((MARGIN, 9), table.game, TEXT, width=width // 3)
    if table.symbol is not None and not table.over:
        canvas.text((end + 10, 9), table.brief or table.status, QUIET, width=width // 5)
    room = width * 3 // 5 - MARGIN
    said = table.scores.title if table.over else table.outcome
    said = fit_with_names(face("text"), said, [seat.name for seat in table.seats], room // 2)
    canvas.text((width * 2 // 5, 4), said, WON, 2, width=room, align=1)


def _foot(canvas: PixelCanvas, content: LivePageContent) -> None:
    """Draw the notice or the question, and what is not saved."""
    width, height = canvas.image.size
    said, colour = " · ".join(content.told), ALERT if content.alert else TEXT
    if content.alert:
        said = f"{GLYPHS['alert']} {said}"
    if not said:
        said, colour = f"{question_shown(content)} {content.question.begun}".strip(), QUIET
    room = width - 2 * MARGIN
    unsaved = face("text").width(content.unsaved)
    canvas.text((width - MARGIN - unsaved, height - 16), content.unsaved, ALERT)
    room -= unsaved + 8 * bool(unsaved)
    times = 2 if face("text").width(said) * 2 <= room else 1
    canvas.text((MARGIN, height - 11 - 5 * times), said, colour, times, width=max(0, room))


def _trump(canvas: PixelCanvas, table: OpenGame, box: Box) -> None:
    left, top, right, bottom = box
    trump, room = table.symbol, right - left
    if trump is None:
        canvas.text((left, (top + bottom) // 2 - 20), table.status, QUIET, 4, width=room, align=0.5)
        return
    colour = parsed(readable(trump.colour, ROOM))
    drawn = large(trump.picture, trump.word)
    times = max(1, min(room, bottom - top - 24) // 32)
    side = 32 * times
    canvas.stamp(drawn, ((left + right - side) // 2, top + (bottom - top - 24 - side) // 2), colour, times)
    figure = face("display").width(trump.figure)
    if not has_drawing(trump.picture):  # then the symbol is the word
        canvas.text((left, bottom - 27), trump.figure, TEXT, width=room, align=0.5, name="display")
        return
    named = min(room - figure - 6 * bool(figure), face("text").width(trump.word) * 2)
    start = left + (room - named - figure - 6 * bool(figure)) // 2
    canvas.text((start, bottom - 23), trump.word, TEXT, 2, width=named)
    canvas.text((start + named + 6, bottom - 28), trump.figure, TEXT, name="display")


def _column(canvas: PixelCanvas, column: PileColumn, words: Translator, box: Box) -> None:
    left, top, right, bottom = box
    canvas.fill(box, CARD)
    number, room = str(column.count), right - left
    both = face("text").width(column.sign) * 2 + 4 + face("numerals").width(number)
    start = canvas.text((left + (room - both) // 2, top + 3), column.sign, TEXT, 2)
    canvas.text((start + 4, top + 4), number, TEXT, name="numerals")
    if column.more:
        canvas.text((left, bottom - 13), words(Text(TRUMP_IN, count=column.more)), QUIET, width=room, align=0.5)


def _seats(canvas: PixelCanvas, table: OpenGame, box: Box) -> None:
    left, top, right, bottom = box
    across = 1 if (bottom - top) // len(table.seats) >= LEAST_PITCH else 2
    down, wide = -(-len(table.seats) // across), (right - left) // across
    pitch = min(34, (bottom - top) // down)
    top += (bottom - top - pitch * down) // 2
    for place, seat in enumerate(table.seats):
        column, row = divmod(place, down)
        start = left + column * wide
        end = right if column == across - 1 else start + wide - 3
        _seat(canvas, table, seat, (start, top + row * pitch, end, top + (row + 1) * pitch - 3))


def _seat(canvas: PixelCanvas, table: OpenGame, seat: SeatRow, box: Box) -> None:
    left, top, right, bottom = box
    canvas.fill(box, CARD)
    line = (top + bottom) // 2
    if seat.turn:
        canvas.frame(box, TURN)
    mark = GLYPHS["winner"] if seat.won else GLYPHS["turn"] if seat.turn else ""
    canvas.text((left + 6, line - 5), mark, WON if seat.won else TURN)
    ink = WON if seat.won else TEXT
    end = right - 6
    if seat.total:
        numeric = set(seat.total) <= set("0123456789+-−")
        name: FaceName = "numerals" if numeric else "text"
        times = 1 if numeric else 2
        room = face(name).width(seat.total) * times
        canvas.text((end - room, line - 8 - 2 * (not numeric)), seat.total, ink, times, name=name)
        end -= max(room, 26) + 8
    start = left + 20
    if not table.over:
        small = [seat.figures] if seat.figures else []
        small += [f"{sign}{count}" for sign, count in zip(table.pile_signs, seat.piles, strict=False)][::-1]
        for figures in small:
            room = face("text").width(figures)
            canvas.text((end - room, line - 5), figures, QUIET)
            end -= room + 8
        room = min(face("text").width(seat.cards) * 2, (end - start) // 2)
        canvas.text((end - room, line - 10), seat.cards, TEXT, 2, width=room)
        end -= room + 6
    sign = GLYPHS["lead"] if seat.leads and not table.over else ""
    room = max(0, end - start - 12 * bool(sign))
    times = 2 if face("text").width(seat.shown_name) * 2 <= room and bottom - top >= 20 else 1
    named = canvas.text((start, line - 5 * times), seat.shown_name, QUIET if seat.sits_out else ink, times, width=room)
    canvas.text((named + 4, line - 5), sign, QUIET)


def _chart(canvas: PixelCanvas, totals: Course, box: Box, colours: Sequence[int]) -> None:
    left, top, right, bottom = box[0] + 26, box[1] + 8, box[2] - 84, box[3] - 12
    figures = round_figures(min(map(min, totals.totals)), max(map(max, totals.totals)))
    low, high = figures[0], figures[-1]
    sparse = -(-len(figures) * 11 // max(11, bottom - top))  # figures that would overlap are left out
    for place, figure in enumerate(figures):
        y = bottom - round((bottom - top) * totals.above_floor(figure, low, high) / (high - low))
        canvas.fill((left, y, right, y + 1), GRID)
        if place % sparse == 0:
            canvas.text((box[0], y - 5), str(figure), QUIET, width=22, align=1)
    across = [left + round((right - left) * place / len(totals.rounds)) for place in range(len(totals.rounds) + 1)]
    step = -(-len(totals.rounds) // 6)
    for place, label in enumerate(totals.rounds, 1):
        if place % step == 0:
            canvas.text((across[place] - 20, bottom + 2), label, QUIET, width=40, align=0.5)
    heights = [
        [bottom - round((bottom - top) * totals.above_floor(total, low, high) / (high - low)) for total in line]
        for line in totals.totals
    ]
    for seat, line in enumerate(heights):
        colour = LINES[colours[seat]]
        dashes = [int(dash) * 2 for dash in DASHES[seat % len(DASHES)].split()]
        points = list(zip(across, line, strict=True))
        canvas.line(points, colour, dashes)
        for x, y in points[1:]:
            canvas.fill((x - 2, y - 2, x + 3, y + 3), colour)
    ends = spread_out([line[-1] for line in heights], 10, top - 4, box[3] - 6)
    for seat, y in enumerate(map(round, ends)):
        colour, total = LINES[colours[seat]], f" {totals.totals[seat][-1]}"
        room = box[2] - right - 12 - face("text").width(total)
        end = canvas.text((right + 12, y - 5), totals.names[seat], colour, width=room)
        canvas.text((end, y - 5), total, colour)


def _sheet(canvas: PixelCanvas, table: OpenGame, box: Box) -> None:
    """Draw the score sheet of a game without rounds as the panel does, as large as it fits."""
    left, top, right, bottom = box
    sheet = Image.new("1", (WIDTH, BODY_END))
    draw_table(ImageDraw.Draw(sheet), replace(table.scores, title=""), ())
    times = max(1, min((right - left) // WIDTH, (bottom - top) // BODY_END))
    place = (left + right - WIDTH * times) // 2, (top + bottom - BODY_END * times) // 2
    canvas.stamp(sheet, place, TEXT, times)


def _join(canvas: PixelCanvas, content: LivePageContent, words: Translator, box: Box) -> None:
    """Draw the QR code of the open pairing, the address, and the PIN if it can still be used."""
    left, top, right, bottom = box
    code = pairing_code(content.link)
    if code is not None:
        times = max(1, (bottom - top) // code.height)
        side = code.height * times
        top = (top + bottom - side) // 2
        canvas.fill((left, top, left + side, top + side), (255, 255, 255))
        canvas.stamp(code, (left, top), (0, 0, 0), times)
        left += side + 10
    canvas.text((left, top + 4), words(Text(JOIN)), QUIET, width=right - left)
    canvas.text((left, top + 20), content.address, TEXT, width=right - left)
    if content.pin:
        written = f"{words(Text(PIN))} {content.pin[:3]} {content.pin[3:]}"
        canvas.text((left, top + 38), written, TEXT, 2, width=right - left)
