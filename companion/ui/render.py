"""Draws views as 1-bit pictures of 128x64 pixels.

Views are plain data, so that a larger panel can have a renderer of its own.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace
from PIL import Image, ImageDraw

from companion.ui.screens.names import TAKE

from .fonts import face, glyph
from .panel_layout import (
    BODY,
    FOOT,
    HEAD,
    HEIGHT,
    ROW,
    SIDE,
    WIDTH,
    fit_with_names,
    names_shortened,
    shortened,
    title,
)
from .render_bottom_line import bottom, hint_fits
from .render_choices import Choices, choices
from .render_game import game, piles, trick
from .render_qr_code import code
from .render_score_tables import grid
from .render_sparklines import sparklines
from .render_test_picture import frame
from .screens.list_selection import NUMBERED
from .view import Body, CodeBody, ListBody, OpenGame, TableBody, TestPictureBody, TextBody, TypingBody, View

SHOWN = 4
"""Lines of a list that fit on the panel."""


def draw(view: View) -> Image.Image:
    """Draw a view as a picture: mode "1", 128x64, lit pixels 1."""
    listed = _listed(view)
    if listed is not None:
        view = replace(view, hint="", brief=None)
    image = _above_foot(listed or view.body, view.notice, view.alert, view.offers).copy()
    if isinstance(view.body, CodeBody) and view.body.rows and not view.notice:
        code(ImageDraw.Draw(image), view.body, view.question)
    elif isinstance(view.body, TestPictureBody):
        frame(ImageDraw.Draw(image), view.body)
    else:
        bottom(ImageDraw.Draw(image), view)
    return image


def _listed(view: View) -> Choices | None:
    """Return what can be chosen, to be listed above a bottom line that has no room for it; None if it has."""
    if not view.choices or view.choice or view.alert or not isinstance(view.body, OpenGame):
        return None
    told = " · ".join(view.notice)
    if hint_fits(view) or face("small").width(told) > WIDTH - 2:
        return None
    return Choices(told or view.body.status, view.choices)


@lru_cache(maxsize=4)
def _above_foot(body: Body | Choices, notice: tuple[str, ...], alert: bool, offers: tuple[str, ...]) -> Image.Image:
    """Draw all but the bottom line. It is cached because most keys change only the bottom line."""
    image = Image.new("1", (WIDTH, HEIGHT))
    pen = ImageDraw.Draw(image)
    if isinstance(body, Choices):
        choices(pen, body)
        return image
    view = View(body, notice=notice, alert=alert, offers=offers)
    notice_drawn = False
    sentences = _notice_sentences(view)
    match view.body:
        case ListBody():
            _list(pen, view.body)
        case TextBody():
            _page(pen, view.body)
        case TableBody() if view.body.lines:
            sparklines(pen, view.body)
        case TableBody():
            notice_drawn = grid(pen, view.body, sentences)
        case OpenGame() if view.body.pile_signs:
            piles(pen, view.body)
        case OpenGame(outcome=outcome, seats=seats):
            if sentences and (outcome or view.alert) and any(seat.laid for seat in seats):
                cards = [(seat.name, seat.laid) for seat in seats]
                notice_drawn = trick(pen, (*sentences, outcome), cards, shorten=bool(outcome))
            if not notice_drawn:
                game(image, pen, view.body)
        case TypingBody():
            _typing(pen, view.body)
        case CodeBody(code_title, _rows, words, figure):
            _page(pen, TextBody(code_title, tuple(filter(None, (*words, figure)))))
        case TestPictureBody():
            pass  # it fills the panel, and is drawn whole each time
    if view.notice and not notice_drawn:
        _notice(pen, view)
    return image


def _scroll(pen: ImageDraw.ImageDraw, first: int, shown: int, count: int) -> None:
    top, room = HEAD + 2, FOOT - HEAD - 4
    length = max(4, room * shown // count)
    place = top + (room - length) * first // (count - shown)
    pen.line((WIDTH - 1, place, WIDTH - 1, place + length), fill=255)
    pen.line((WIDTH - 2, place, WIDTH - 2, place + length), fill=255)


def window(count: int, chosen: int, shown: int) -> int:
    """Return the first row to show, so that the chosen row is visible, in the middle if possible."""
    return max(0, min(chosen - shown // 2, count - shown))


def _list(pen: ImageDraw.ImageDraw, body: ListBody) -> None:
    text, small = face("text"), face("small")
    title(pen, body.heading if small.width(body.heading) <= WIDTH - 2 else body.title, names=body.names)
    further = _further_lines(body)
    lines = _lines(body, further)
    first = window(len(lines), lines.index((body.chosen, 0)) if lines else 0, SHOWN)
    if lines and lines[first][1]:  # a row's second line
        first += 1
    right = WIDTH - 4 if len(lines) > SHOWN else WIDTH - 1
    for place, (row, part) in enumerate(lines[first : first + SHOWN]):
        words, value = _said(body, further, row, part)
        top = BODY + place * ROW
        ink = 1
        if row == body.chosen:
            pen.rectangle((0, top, right, top + ROW - 1), fill=255)
            ink = 0
        keyed = body.by_number and len(body.rows) <= NUMBERED
        # a number with a colon is no key
        number = str((row + body.start) % NUMBERED) if keyed else f"{row + 1}{body.colon}".rstrip()
        x = 3
        if not body.plain and (words or part):
            x = 6 + text.width(number)
            text.draw(pen, (2, top), "" if part else number, ink)
        room = right - 2 - x
        gap = 4 if value else 0
        most = room - min(text.width(words), room * 5 // 8) - gap
        valued = text if text.width(value) <= most else small
        shown = valued.fit(value, most)
        names = () if row in further else body.names  # the last of several lines is cut: names stay whole
        text.draw(pen, (x, top), fit_with_names(text, words, names, room - valued.width(shown) - gap), ink)
        valued.draw(pen, (right - 1 - valued.width(shown), top + (valued is small)), shown, ink)
    if len(lines) > SHOWN:
        _scroll(pen, min(first, len(lines) - SHOWN), SHOWN, len(lines))


def _further_lines(body: ListBody) -> dict[int, list[str]]:
    """Return the lines of each entry near the chosen one that does not fit on one line, even with short names."""
    text, found = face("text"), {}
    near = range(max(0, body.chosen - SHOWN), min(len(body.rows), body.chosen + SHOWN)) if body.counted else ()
    for row in near:
        words, value = body.rows[row]
        room = WIDTH - 12 - text.width(f"{row + 1}{body.colon}".rstrip())
        beside = text.width(value) + 4 if value else 0
        if text.width(names_shortened(text, words, body.names, room - beside)) > room - beside:
            whole = text.wrap(words, room - beside)
            rest = " ".join(whole[SHOWN - 2 :])
            found[row] = [*whole[: SHOWN - 2], *filter(None, (rest,))]
    return found


def _said(body: ListBody, further: dict[int, list[str]], row: int, part: int) -> tuple[str, str]:
    """Return what a line of a list says, left and right."""
    if row in further:
        return further[row][part], "" if part else body.rows[row][1]
    return body.below[row] if part else body.rows[row]


def _lines(body: ListBody, further: dict[int, list[str]]) -> list[tuple[int, int]]:
    """Return the row of each line of a list, and which of the row's lines it is, from 0."""
    under = [row < len(body.below) and any(body.below[row]) for row in range(len(body.rows))]
    return [
        (row, part) for row, two in enumerate(under) for part in range(len(further[row]) if row in further else 1 + two)
    ]


def _page(pen: ImageDraw.ImageDraw, body: TextBody) -> None:
    text = face("text")
    title(pen, body.title)
    lines = [line for sentence in body.sentences[body.first :] for line in text.wrap(sentence, WIDTH - 6)]
    for place, line in enumerate(lines[:SHOWN]):
        text.draw(pen, (2, BODY + place * ROW), line)
    if len(body.sentences) == 1 and len(lines) > SHOWN:
        _scroll(pen, 0, SHOWN, len(lines))
    elif body.first or len(lines) > SHOWN:
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
    text, lines = shortened(_notice_sentences(view), WIDTH - left - 7, FOOT - 5 if len(view.offers) > 1 else 40)
    top = FOOT - 4 - text.height * len(lines)
    pen.rectangle((left, top, WIDTH - 1, FOOT - 1), fill=0)
    pen.rectangle((left, top, WIDTH - 1, FOOT - 2), outline=255)
    for place, line in enumerate(lines):
        text.draw(pen, (left + 4, top + 2 + place * text.height), line)


def _notice_sentences(view: View) -> tuple[str, ...]:
    """Return the sentences of a notice, each with the alert sign if it is an alert, and the corrections offered."""
    said = tuple(f"{glyph('alert')} {sentence}" if view.alert else sentence for sentence in view.notice)
    if said and len(view.offers) == 1:  # only the key that asks for them
        return (*said[:-1], f"{said[-1]} {view.offers[0]}")
    return (*said, *view.offers)
