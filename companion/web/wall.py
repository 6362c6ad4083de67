"""The wall: a page for a television or tablet that shows the table to everybody in the room.

There is nothing to press on it. The page consists of parts, each one element with an id; a stream replaces the parts
that changed. Their markup is plain: elements, double-quoted attributes, escaped text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from markupsafe import Markup

from companion.ui.live_page.content import LivePageContent
from companion.ui.live_page.svg import names_in, sprite
from companion.ui.live_page.wall import question_shown
from companion.ui.view import LargeSymbol, OpenGame

from . import page_templates
from .live_template_values import PAGE_GLYPHS, course_chart, symbol, template_values, texts_of

ORDER = ("head", "trump", "columns", "seats", "course", "notice", "join")
"""The parts inside the page's main element, in reading order."""


def render(content: LivePageContent) -> str:
    """Return the whole page."""
    markup = {name: Markup(html) for name, html in parts(content).items()}  # the parts are escaped
    return page_templates.render("wall.html", parts=markup, order=ORDER, **_template_values(content))


def parts(content: LivePageContent) -> dict[str, str]:
    """Return the markup of each part that changes, by its element's id."""
    values = _template_values(content)
    macros = page_templates.macros("wall_parts.html")
    markup = {name: str(getattr(macros, name)(values)).strip() for name in ("layout", *ORDER)}
    return {"layout": markup.pop("layout"), "symbols": sprite(_glyph_names(content)), **markup}


def update(content: LivePageContent) -> bytes:
    """Return the message of a stream that brings the page up to date, as one line of JSON."""
    return msgspec.json.encode({"number": content.number, "parts": parts(content)})


def _template_values(content: LivePageContent) -> dict[str, Any]:
    table = content.table
    chart = course_chart(content, (320, 190) if table is not None and table.over else (380, 105))
    return (
        template_values(content)
        | {
            "layout": " ".join(_layout(content, chart)),
            "symbol": None if table is None else _symbol(table),
            "chart": Markup(chart),  # it escapes its texts
            "question": question_shown(content),
            "sheet": table is not None and table.over and not chart,
            "pin": f"{content.pin[:3]} {content.pin[3:]}",
        }
    )


def _layout(content: LivePageContent, chart: str) -> Iterator[str]:
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
    drawing = symbol(trump.picture, trump.word, trump.colour)
    width, height = drawing["size"]
    return drawing | {
        "box": f"{-width / 2:g} {-height / 2:g} {width * 2} {height * 2}",
        "middle": (f"{width / 2:g}", f"{height / 2:g}", f"{max(width, height):g}"),
        "word": trump.word,
        "figure": trump.figure,
    }


def _glyph_names(content: LivePageContent) -> frozenset[str]:
    """Return the names of the glyphs that the page can contain."""
    texts = (*content.told, content.question.text, content.question.begun, content.unsaved)
    return names_in(*texts, *PAGE_GLYPHS.values(), *(() if content.table is None else texts_of(content.table)))
