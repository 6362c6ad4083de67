"""The wall: a page for a television or tablet that shows the table to everybody in the room.

There is nothing to press on it. The page consists of parts, each one element with an id; a stream replaces the parts
that changed. Their markup is plain: elements, double-quoted attributes, escaped text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from markupsafe import Markup

from companion.core.text import Text
from companion.history.chart import svg
from companion.ui.fonts import GLYPHS
from companion.ui.live_page.content import NativeContent
from companion.ui.live_page.pairing_code import pairing_svg
from companion.ui.live_page.suit_colours import PAPER, ROOM, readable
from companion.ui.live_page.symbols import glyphs, names_in, picture_path, sprite
from companion.ui.live_page.wall_texts import (
    COURSE,
    JOIN,
    NO_GAME,
    PILES,
    PIN,
    PLAYERS,
    TITLE,
    TRUMP_IN,
    question_shown,
)
from companion.ui.translations import Translator
from companion.ui.view import LargeSymbol, OpenGame

from . import page_templates

TEXTS = {
    "title": TITLE,
    "no-game": NO_GAME,
    "in": TRUMP_IN,
    "course": COURSE,
    "players": PLAYERS,
    "piles": PILES,
    "join": JOIN,
    "pin": PIN,
}
"""The words of the page, by their name in the template."""

ORDER = ("head", "trump", "columns", "seats", "course", "notice", "join")
"""The parts inside the page's main element, in reading order."""


def render(content: NativeContent) -> str:
    """Return the whole page.

    Args:
        content: What is shown, in one language.
    """
    marked = {name: Markup(html) for name, html in parts(content).items()}  # the parts are escaped
    return page_templates.render("wall.html", parts=marked, order=ORDER, **_shown(content))


def parts(content: NativeContent) -> dict[str, str]:
    """Return the markup of each part that changes, by its element's id."""
    shown = _shown(content)
    macros = page_templates.macros("wall_parts.html")
    made = {name: str(getattr(macros, name)(shown)).strip() for name in ("layout", *ORDER)}
    return {"layout": made.pop("layout"), "symbols": sprite(_signs(content)), **made}


def update(content: NativeContent) -> bytes:
    """Return the message of a stream that brings the page up to date, as one line of JSON."""
    return msgspec.json.encode({"number": content.number, "parts": parts(content)})


def _shown(content: NativeContent) -> dict[str, Any]:
    table = content.table
    words = Translator(content.language, () if table is None else tuple(seat.name for seat in table.seats))
    large = table is not None and table.over

    def drawn(text: str) -> Markup:
        return Markup(glyphs(text, words))  # it escapes everything else

    def say(name: str, **args: object) -> str:
        return words(Text(TEXTS[name], **args))

    totals = None if table is None else table.course
    chart = "" if totals is None else svg(totals, say("course"), (320, 190) if large else (380, 105))
    return {
        "content": content,
        "table": table,
        "layout": " ".join(_layout(content, chart)),
        "drawn": drawn,
        "say": say,
        "symbol": None if table is None else _symbol(table),
        "chart": Markup(chart),  # it escapes its texts
        "question": question_shown(content),
        "sheet": table is not None and table.over and not chart,
        "qr": Markup(pairing_svg(content.link)),
        "pin": f"{content.pin[:3]} {content.pin[3:]}",
        "lead": GLYPHS["lead"],
        "at_turn": GLYPHS["turn"],
        "winner": GLYPHS["winner"],
        "alerted": GLYPHS["alert"],
    }


def _layout(content: NativeContent, chart: str) -> Iterator[str]:
    """Yield the classes that choose where the parts stand."""
    table = content.table
    if table is None:
        yield "empty"
        return
    yield "over" if table.over else "play"
    yield f"seats-{len(table.seats)}"
    if chart:
        yield "charted"
    if table.columns and not table.over:
        yield "columned"
    if table.pile_signs:
        yield "piled"
    if content.link:
        yield "pairing"


def _symbol(table: OpenGame) -> dict[str, Any] | None:
    """Return the path and colours of the large symbol: the trump or, at the end, the winner's cup."""
    trump = LargeSymbol("winner", "", "#ffc400") if table.over else table.symbol
    if trump is None:
        return None
    path, width, height = picture_path(trump.picture, trump.word)
    return {
        "path": path,
        "box": f"{-width / 2:g} {-height / 2:g} {width * 2} {height * 2}",
        "middle": (f"{width / 2:g}", f"{height / 2:g}", f"{max(width, height):g}"),
        "dark": readable(trump.colour, ROOM),
        "light": readable(trump.colour, PAPER),
        "word": trump.word,
        "figure": trump.figure,
    }


def _signs(content: NativeContent) -> frozenset[str]:
    """Return the names of the glyphs that the page can contain."""
    table = content.table
    texts = [*content.notice, content.question.text, content.question.begun, content.unsaved]
    if table is not None:
        texts += [table.game, table.status, table.outcome, table.scores.title, *table.pile_signs, *table.scores.heads]
        texts += [column.sign for column in table.columns]
        for seat in table.seats:
            texts += [seat.name, seat.cards, seat.figures, seat.total]
        texts += [cell for row in table.scores.rows for cell in row]
    return names_in(*texts) | {"lead", "turn", "winner", "alert"}
