"""Draws views as 1-bit pictures of 128x64 pixels: a head, a body and the bottom line.

Views are plain data, so that a larger panel can have a module of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import repeat

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageDraw

from companion.ui.view import Body, CodeBody, ListBody, OpenGame, TableBody, TestPictureBody, TextBody, TypingBody, View

from .fonts import LINES, BitmapFont, face, fit_with_names, names_shortened, page_lines, shortened, wrapped
from .pictures import MODULE
from .screens.list_selection import NUMBERED
from .screens.names import TAKE
from .symbols import glyph
from .tables import BODY, FOOT, HEAD, HEIGHT, ROW, SIDE, WIDTH, boxed, cut_names, game, table, title, trick

LEAST = 18
"""Minimum width of a shortened name in the bottom line, in pixels."""
APART_BY = "  "
"""The blanks between two parts of a hint; each part is a key and its word."""
INITIAL = re.compile(r"(?:^| )(\d+)(\S)")
"""A key and the first letter of what it chooses."""
MOST_CHOICES = 14
"""The most rows of a list of choices; the menu's keys name all."""
LIST = "#…"
"""The key that lists what can be chosen, where it has no room: it answers nothing, and says what does."""
APART = 6
"""Gap in pixels between the question and the hint."""
ARROWS = 15
"""Width of the arrows beside the selected option, in pixels."""
BESIDE = HEIGHT + 3
"""The left edge of the words beside a QR code."""
BESIDE_BOX, BOX = 7, 40
"""Pixels of a notice's box beside its words, and the height of the words in it."""
TIP = 5
"""Pixels from an edge of the test picture to the base of the triangle that points at it."""


def draw(view: View) -> Image.Image:
    """Draw a view as a picture: mode "1", 128x64, lit pixels 1."""
    listed = _listed(view)
    if listed is not None:
        view = replace(view, body=listed, notice=(), hint="", brief=None)
    image = _above_foot(view.body, view.notice, view.alert, view.offers).copy()
    pen = ImageDraw.Draw(image)
    if isinstance(view.body, CodeBody) and view.body.rows and not view.notice:
        _code(pen, view.body, view.question)
    elif isinstance(view.body, TestPictureBody):
        _test_picture(pen, view.body)
    else:
        _bar(pen, view)
    return image


def cut_choices(view: View) -> tuple[str, ...]:
    """Return what can be chosen whose words have no room where they are listed; nothing if they are not."""
    body = _listed(view)
    return () if body is None else cut_names(body)


def _listed(view: View) -> TableBody | None:
    """Return what can be chosen, to be listed above a bottom line that has no room for it; None if it has.

    A notice is then the title. One that is too long for that stands in its box instead; but of an alert that has no
    room there either, such as one that names all that can be chosen, the beginning is the title.
    """
    room = WIDTH - 4 - sum(map(_plate_width, _marks(view)))
    if not view.choices or view.choice or bar_texts(view, room)[1] == view.hint:
        return None
    told = " · ".join(_notice_sentences(view) if view.alert else view.notice)
    if view.alert and (view.offers or not _is_cut(view)):
        return None
    if not view.alert and (not isinstance(view.body, OpenGame) or face("small").width(told) > WIDTH - 2):
        return None
    status = view.body.status if isinstance(view.body, OpenGame) else ""
    shown = view.choices if len(view.choices) <= MOST_CHOICES else (*view.choices[: MOST_CHOICES - 1], "…")
    return TableBody(told or status, (), shown, ((),) * len(shown))


def _is_cut(view: View) -> bool:
    """Return whether an alert is too long for its box."""
    text, lines = wrapped(_notice_sentences(view), WIDTH - BESIDE_BOX, BOX)
    return len(lines) * text.height > BOX


@lru_cache(maxsize=4)
def _above_foot(body: Body, notice: tuple[str, ...], alert: bool, offers: tuple[str, ...]) -> Image.Image:
    """Draw all but the bottom line. It is cached because most keys change only the bottom line."""
    image = Image.new("1", (WIDTH, HEIGHT))
    pen = ImageDraw.Draw(image)
    view = View(body, notice=notice, alert=alert, offers=offers)
    notice_drawn = False
    sentences = _notice_sentences(view)
    match body:
        case ListBody():
            _list(pen, body)
        case TextBody():
            _page(pen, body)
        case TableBody():
            notice_drawn = table(pen, body, sentences)
        case OpenGame(outcome=outcome, seats=seats):
            if sentences and (outcome or alert) and not body.pile_signs and any(seat.laid for seat in seats):
                cards = [(seat.name, seat.laid) for seat in seats]
                notice_drawn = trick(pen, (*sentences, outcome), cards, shorten=bool(outcome))
            if not notice_drawn:
                game(image, pen, body)
        case TypingBody():
            _typing(pen, body)
        case CodeBody(code_title, _rows, words, figure):
            _page(pen, TextBody(code_title, tuple(filter(None, (*words, figure)))))
        case TestPictureBody():
            pass  # it fills the panel, and is drawn whole each time
    if notice and not notice_drawn:
        _notice(pen, view)
    return image


def _scroll(pen: ImageDraw.ImageDraw, first: int, shown: int, count: int) -> None:
    top, room = HEAD + 2, FOOT - HEAD - 4
    length = max(4, room * shown // count)
    place = top + (room - length) * first // (count - shown)
    pen.line((WIDTH - 1, place, WIDTH - 1, place + length), fill=255)
    pen.line((WIDTH - 2, place, WIDTH - 2, place + length), fill=255)


def _list(pen: ImageDraw.ImageDraw, body: ListBody) -> None:
    text, small = face("text"), face("small")
    title(pen, body.heading if small.width(body.heading) <= WIDTH - 2 else body.title, names=body.names)
    lines = [*_list_lines(body)]
    chosen = next((place for place, line in enumerate(lines) if line.row == body.chosen), 0)
    first = max(0, min(chosen - LINES // 2, len(lines) - LINES))
    if lines and not lines[first].begins:
        first += 1
    right = WIDTH - 4 if len(lines) > LINES else WIDTH - 1
    for place, line in enumerate(lines[first : first + LINES]):
        top, ink = BODY + place * ROW, int(line.row != body.chosen)
        if not ink:
            pen.rectangle((0, top, right, top + ROW - 1), fill=255)
        x = 3
        if not body.plain and (line.words or not line.begins):
            number = _number(body, line.row)
            x = 6 + text.width(number)
            text.draw(pen, (2, top), number if line.begins else "", ink)
        room = right - 2 - x
        gap = 4 if line.value else 0
        most = room - min(text.width(line.words), room * 5 // 8) - gap
        valued = text if text.width(line.value) <= most else small
        shown = valued.fit(line.value, most)
        names = () if line.divided else body.names  # the last of several lines is cut: names stay whole
        text.draw(pen, (x, top), fit_with_names(text, line.words, names, room - valued.width(shown) - gap), ink)
        valued.draw(pen, (right - 1 - valued.width(shown), top + (valued is small)), shown, ink)
    if len(lines) > LINES:
        _scroll(pen, min(first, len(lines) - LINES), LINES, len(lines))


def _number(body: ListBody, row: int) -> str:
    """Return the number before a row: its key, or its number with a colon."""
    keyed = body.by_number and len(body.rows) <= NUMBERED
    return str((row + body.start) % NUMBERED) if keyed else f"{row + 1}{body.colon}".rstrip()


class _Line(Struct, frozen=True):
    """A line of a list: what it says left and right, and whether its row begins there."""

    row: int
    words: str
    value: str
    begins: bool = True
    divided: bool = False  # whether it is one of several lines of an entry that does not fit on one


def _list_lines(body: ListBody) -> Iterator[_Line]:
    """Yield the lines of a list. A counted entry near the chosen one that does not fit has several."""
    text = face("text")
    for row, (words, value) in enumerate(body.rows):
        room = WIDTH - 12 - text.width(f"{row + 1}{body.colon}".rstrip()) - (text.width(value) + 4 if value else 0)
        near = body.counted and -LINES <= row - body.chosen < LINES
        if near and text.width(names_shortened(text, words, body.names, room)) > room:
            whole = text.wrap(words, room)
            for place, line in enumerate((*whole[: LINES - 2], " ".join(whole[LINES - 2 :]))):
                if line:
                    yield _Line(row, line, "" if place else value, begins=not place, divided=True)
            continue
        yield _Line(row, words, value)
        if row < len(body.below) and any(body.below[row]):
            yield _Line(row, *body.below[row], begins=False)


def _page(pen: ImageDraw.ImageDraw, body: TextBody) -> None:
    text = face("text")
    title(pen, body.title)
    lines = [line for sentence in body.sentences[body.first :] for line in page_lines(sentence)]
    for place, line in enumerate(lines[:LINES]):
        text.draw(pen, (2, BODY + place * ROW), line)
    if len(body.sentences) == 1 and len(lines) > LINES:
        _scroll(pen, 0, LINES, len(lines))
    elif body.first or len(lines) > LINES:
        _scroll(pen, body.first, 1, len(body.sentences))


def _typing(pen: ImageDraw.ImageDraw, body: TypingBody) -> None:
    text = face("text")
    title(pen, body.title)
    shown = body.text
    while text.width(shown + body.pending) > WIDTH - 8:  # keep the end of a long name, where letters are added
        shown = shown[1:]
    x = text.draw(pen, (2, BODY), shown)
    if body.pending:
        wide = text.width(body.pending)
        pen.rectangle((x, BODY, x + wide, BODY + ROW - 1), fill=255)
        text.draw(pen, (x, BODY), body.pending, 0)
    else:
        pen.rectangle((x, BODY, x + 1, BODY + text.height - 1), fill=255)
    _matches(pen, body.matches)
    for place, line in enumerate(body.help):
        face("small").draw(pen, (2, HEAD + 20 + place * 8), line)


def _matches(pen: ImageDraw.ImageDraw, matches: tuple[str, ...]) -> None:
    """Draw the matching names in one line; the first is highlighted and shows the key that takes it."""
    small, top, x = face("small"), HEAD + 12, 2
    for place, match in enumerate(matches):
        name = small.fit(match if place else f"{TAKE} {match}", WIDTH - 3 - x)
        if not place:
            pen.rectangle((0, top, x + small.width(name), top + 7), fill=255)
        x = small.draw(pen, (x, top), name, 1 if place else 0) + 6


def _notice(pen: ImageDraw.ImageDraw, view: View) -> None:
    """Draw the notice in a box over the body, above the bottom line and beside the large glyph if there is one.

    Over large figures it replaces the head line if it fits there and is not an alert.
    """
    body = view.body if isinstance(view.body, OpenGame) and not view.alert else None
    if body is not None and body.pile_signs and face("small").width(" ".join(view.notice)) <= WIDTH - 2:
        pen.rectangle((0, 0, WIDTH - 1, HEAD), fill=0)
        title(pen, " ".join(view.notice))
        return
    left = 0 if body is None else SIDE
    text, lines = shortened(
        _notice_sentences(view), WIDTH - left - BESIDE_BOX, FOOT - 5 if len(view.offers) > 1 else BOX
    )
    boxed(pen, left, FOOT - 4 - text.height * len(lines), text, lines)


def _notice_sentences(view: View) -> tuple[str, ...]:
    """Return the sentences of a notice, each with the alert sign if it is an alert, and the corrections offered."""
    said = tuple(f"{glyph('alert')} {sentence}" if view.alert else sentence for sentence in view.notice)
    if said and len(view.offers) == 1:  # only the key that asks for them
        return (*said[:-1], f"{said[-1]} {view.offers[0]}")
    return (*said, *view.offers)


# Pictures that fill the panel


def _code(pen: ImageDraw.ImageDraw, body: CodeBody, foot: str) -> None:
    """Draw a code dark on a lit patch with a margin, as cameras want it; beside it the words, last the keys."""
    pen.rectangle((0, 0, WIDTH - 1, HEIGHT - 1), fill=0)
    pen.rectangle((0, 0, HEIGHT - 1, HEIGHT - 1), fill=255)
    margin = (HEIGHT - MODULE * len(body.rows)) // 2
    for row, modules in enumerate(body.rows):
        for column, module in enumerate(modules):
            if module == "#":
                left, top = margin + MODULE * column, margin + MODULE * row
                pen.rectangle((left, top, left + MODULE - 1, top + MODULE - 1), fill=0)
    _words_beside(pen, body, foot)


def _words_beside(pen: ImageDraw.ImageDraw, body: CodeBody, foot: str) -> None:
    small, numerals, room = face("small"), face("numerals"), WIDTH - BESIDE
    top = 0
    for line in (line for word in body.words for line in _broken(word, room)):
        small.draw(pen, (BESIDE, top), line)
        top += small.height
    if body.figure:
        half = len(body.figure) // 2 if numerals.width(body.figure) > room else 0
        for part in filter(None, (body.figure[:half], body.figure[half:])):
            numerals.draw(pen, (BESIDE, top + 1), part)
            top += numerals.height + 1
    small.draw(pen, (BESIDE, HEIGHT - small.height), small.fit(foot, room))


def _broken(word: str, room: int) -> Iterator[str]:
    """Yield a long word in lines that fit, broken after a dot or colon where possible."""
    small = face("small")
    while small.width(word) > room:
        most = next(length for length in range(len(word), 0, -1) if small.width(word[:length]) <= room)
        cut = max(word.rfind(mark, 0, most) + 1 for mark in ".:-") or most
        yield word[:cut]
        word = word[cut:]
    yield word


def _test_picture(pen: ImageDraw.ImageDraw, body: TestPictureBody) -> None:
    """Draw a frame one pixel wide at the edges, a triangle in the middle of each edge, and sentences in the middle.

    A controller of another kind moves the picture by two columns or more: a side of the frame is missing then, and
    a triangle has lost its tip.
    """
    pen.rectangle((0, 0, WIDTH - 1, HEIGHT - 1), fill=0, outline=255)
    across, down = WIDTH // 2, HEIGHT // 2
    for step in range(TIP):
        pen.line((step, down - step, step, down + step), fill=255)
        pen.line((WIDTH - 1 - step, down - step, WIDTH - 1 - step, down + step), fill=255)
        pen.line((across - step, step, across + step, step), fill=255)
        pen.line((across - step, HEIGHT - 1 - step, across + step, HEIGHT - 1 - step), fill=255)
    text = face("text")
    lines = [line for sentence in body.sentences for line in text.wrap(sentence, WIDTH - 4 * TIP)]
    top = (HEIGHT - text.height * len(lines)) // 2
    for place, line in enumerate(lines):
        text.draw(pen, ((WIDTH - text.width(line)) // 2, top + place * text.height), line)


# The bottom line


def bar_texts(view: View, room: int) -> tuple[str, str]:
    """Return the question, and the selected option or the longest hint, as they fit beside the typed keys.

    Names are shortened and hints dropped; the question's words stay, unless only the selected option fits.
    """
    text, choice = face("text"), view.choice
    beside, apart = (text, 0) if choice else (face("small"), APART)
    room -= _typed_width(view)
    for question, shown in _bar_candidates(view, room):
        taken = beside.width(shown) + apart * bool(shown)
        if text.width(question) + taken <= room:
            return _squeezed(text, view.question, view.names, room - taken), shown
    if choice:
        return "", fit_with_names(text, choice, view.names, room)
    return text.fit(_squeezed(text, view.question, view.names, room), room), ""


def _bar_candidates(view: View, room: int) -> Iterator[tuple[str, str]]:
    """Yield the question with each option or hint, from the best; a whole name matters more than a long hint."""
    text = face("text")
    if not view.choice:  # most often the first hint fits
        yield from zip(repeat(view.question), _hints(view))
    least = _squeezed(text, view.question, view.names, 0)
    if not view.choice:
        yield from zip(repeat(least), _hints(view))
        return
    left = room - text.width(least)
    for option in filter(None, (view.choice, view.short)):
        yield least, _squeezed(text, option, view.names, left)


def _hints(view: View) -> Iterator[str]:
    """Yield the possible hints, longest first. A list of answers loses its first ones: the last matters most."""
    hint = view.hint
    yield hint
    if view.brief is not None:
        hint = view.brief
        yield from (hint,) if hint or not view.choices else ()
    if view.choices:  # some of them would look like all
        if view.ahead:  # the round that is over has the room in which they are listed
            keyed = any(choice.startswith("#") for choice in view.choices)
            yield from filter(None, (initials(hint), "" if keyed else LIST))
        yield (hint := "")
    if APART_BY in hint:  # the sign of numbers below zero comes first: without its key they cannot be typed
        yield (hint := hint.partition(APART_BY)[0])
    while hint and not hint.startswith(("#", "A −", "C ", "D ", "9 ")):  # keep a key together with its word
        hint = hint.partition(" ")[2]
        yield hint


def initials(hint: str) -> str:
    """Return what can be chosen with the first letter of each alone; nothing where two begin alike.

    >>> initials("0non 1sma 2gra")
    '0n 1s 2g'
    """
    found = dict(INITIAL.findall(hint))
    return " ".join(map("".join, found.items())) if len({*found.values()}) == len(hint.split()) else ""


def _typed_width(view: View) -> int:
    """Return the width in pixels of the typed keys and the cursor."""
    return face("text").width(view.typed) + 8 if view.typed else 0


def _squeezed(setting: BitmapFont, line: str, names: tuple[str, ...], room: int) -> str:
    """Return a line with its longest name shortened if the line is too wide. A name keeps at least `LEAST` pixels."""
    if setting.width(line) <= room:
        return line
    there = [name for name in names if name and name in line]
    if not there:
        return line
    name = max(there, key=setting.width)
    left = room - setting.width(line) + setting.width(name)
    return line.replace(name, setting.fit(name, max(LEAST, left)), 1)


def _bar(pen: ImageDraw.ImageDraw, view: View) -> None:
    """Draw the bottom line: marks, the question, what was typed, and the hint or the selected option in arrows."""
    text, beside = face("text"), face("text" if view.choice else "small")
    pen.line((0, FOOT - 1, WIDTH - 1, FOOT - 1), fill=0)
    pen.rectangle((0, FOOT, WIDTH - 1, HEIGHT - 1), fill=255)
    left = 0
    for mark in _marks(view):
        left += _plate(pen, left, mark)
    room = WIDTH - 4 - left - (ARROWS if view.choice else 0)
    question, shown = bar_texts(view, room)
    room -= text.width(question) + _typed_width(view) + beside.width(shown) + APART * (bool(shown) and not view.choice)
    if _plate_width(view.clock) <= room:
        left += _plate(pen, left, view.clock)
    top = _bar_top(question + view.typed)
    if view.choice:
        _selected(pen, shown)
    else:
        beside.draw(pen, (WIDTH - 2 - beside.width(shown), FOOT + 1), shown, ink=0)
    x = text.draw(pen, (2 + left, top), question, ink=0)
    if view.typed:
        x = text.draw(pen, (x + 4, top), view.typed, ink=0)
        if not view.choice:  # the cursor
            pen.rectangle((x, FOOT + 2, x + 3, HEIGHT - 3), fill=0)


def _marks(view: View) -> tuple[str, str]:
    """Return the marks at the left of the bottom line: how many entries are not saved, the question's round."""
    return "" if view.unsaved is None else f"{glyph('alert')}{view.unsaved or ''}", view.ahead


def _plate(pen: ImageDraw.ImageDraw, left: int, mark: str) -> int:
    """Draw a mark on a dark plate in the bottom line; return its width."""
    small, wide = face("small"), _plate_width(mark)
    if mark:
        pen.rectangle((left + 1, FOOT + 1, left + wide - 1, HEIGHT - 2), fill=0)
        small.draw(pen, (left + 3, FOOT + 1), mark)
    return wide


def _plate_width(mark: str) -> int:
    return face("small").width(mark) + 4 if mark else 0


def _bar_top(words: str) -> int:
    """Return the top of a text in the bottom bar: one pixel lower if no letter reaches the last row.

    A row that stays lit is a page of the panel's controller that need not be sent.
    """
    return FOOT if face("text").deep(words) else FOOT + 1


def _selected(pen: ImageDraw.ImageDraw, choice: str) -> None:
    """Draw the selected option in reverse between arrows."""
    text = face("text")
    left, top, middle = WIDTH - 2 - ARROWS - text.width(choice), _bar_top(choice), (FOOT + HEIGHT) // 2
    pen.rectangle((left, top, WIDTH - 2, HEIGHT - 1), fill=0)
    for tip, side in ((left + 2, 1), (WIDTH - 4, -1)):
        for step in range(4):
            pen.line((tip + side * step, middle - step, tip + side * step, middle + step), fill=255)
    text.draw(pen, (left + 8, top), choice)
