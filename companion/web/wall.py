"""The wall: a page for a television or tablet that shows the table to everybody in the room.

There is nothing to press on it but a switch between dark and bright. The page consists of parts, each one element with
an id; a stream replaces the parts that changed. Their markup is plain: elements, double-quoted attributes, escaped
text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unicodedata import east_asian_width

import msgspec
from markupsafe import Markup

from companion.core.prompt import NOT_ASKED
from companion.core.text import N_
from companion.ui.live_page.content import FigureField, LivePageContent
from companion.ui.view import LargeSymbol, OpenGame, TableBody

from . import page_templates
from .live_markup import course_chart, round_result, standings, template_values
from .page_templates import symbol, symbols_of, words_of

COLON = ":： \u00a0\u202f"
"""A colon at the end of a question, with the spaces that French puts before it."""

ORDER = ("head", "trump", "columns", "seats", "course", "notice", "join")
"""The parts inside the page's main element, in reading order."""

MOST_CHARTED = 5
"""The most seats beside a trump that leave room for a chart below them."""

WIDEST_CHARTED = 9
"""The most letters of a round's figures that leave room for a chart beside them; a column of figures counts as two."""

MOST_LOW = 6
"""The most lines of a low chart where there is no trump; more need a higher one."""

MOST_BELOW = 4
"""The most seats that stand below each other where there is no trump; more stand in two columns."""


def render(content: LivePageContent) -> str:
    """Return the whole page."""
    markup = {name: Markup(html) for name, html in parts(content).items()}  # the parts are escaped
    return page_templates.render("wall.html", parts=markup, order=ORDER, **_template_values(content))


def parts(content: LivePageContent) -> dict[str, str]:
    """Return the markup of each part that changes, by its element's id."""
    values = _template_values(content)
    macros = page_templates.macros("wall_parts.html")
    markup = {name: str(getattr(macros, name)(values)).strip() for name in ("layout", *ORDER)}
    return {"layout": markup.pop("layout"), "symbols": symbols_of("".join(markup.values())), **markup}


def update(content: LivePageContent) -> bytes:
    """Return the message of a stream that brings the page up to date, as one line of JSON."""
    return msgspec.json.encode({"number": content.number, "parts": parts(content)})


def question_shown(content: LivePageContent) -> str:
    """Return the question about the game without its colon.

    It is empty while a menu is open, and if the question is only the name of a player, whose seat is highlighted.
    """
    table, text = content.table, content.question.text.rstrip(COLON)
    if table is None or content.body is not None:
        return ""
    turns = {words_of(content.language)(N_("{player}:"), player=seat.name).rstrip(COLON) for seat in table.seats}
    bare = not content.question.begun and text in turns
    return "" if bare else text


def entered(content: LivePageContent) -> list[list[tuple[str, str]]]:
    """Return by seat the figures of the running round that have been entered, such as bids, each with its head."""
    if content.table is None:
        return []
    found: list[list[tuple[str, str]]] = [[] for _seat in content.table.seats]
    form = content.question.form
    if form is not None:
        for head, row in zip(form.heads, form.rows, strict=True):
            for figures, cell in zip(found, row, strict=True):
                figure = cell.figure if isinstance(cell, FigureField) else cell
                if figure not in ("", NOT_ASKED):
                    figures.append((head, figure))
    return found


NAME_STEPS = (9, 14)
"""The widths of names, in Latin letters, above which they stand in smaller letters, step by step."""


def name_step(name: str) -> str:
    """Return the class of a name's size: the longer, the smaller.

    >>> name_step("Anna"), name_step("Zoé Lüdenscheid"), name_step("はるなさん")
    ('', ' long-2', ' long-1')
    """
    width = sum(2 if east_asian_width(letter) in "WF" else 1 for letter in name)
    step = sum(width > most for most in NAME_STEPS)
    return f" long-{step}" if step else ""


def _template_values(content: LivePageContent) -> dict[str, Any]:
    table, ended = content.table, round_result(content)
    chart = "" if table is None else course_chart(content, _chart_size(table, ended))
    return (
        template_values(content)
        | {
            "layout": " ".join(_layout(content, ended, chart)),
            "symbol": None if table is None else _symbol(table),
            "entered": entered(content),
            "ended": ended,
            "standings": [] if table is None or not (table.over or ended) else standings(table, ended),
            "name_step": name_step,
            "chart": Markup(chart),  # it escapes its texts
            "upright_chart": Markup(chart and course_chart(content, _upright_size(content.table), "course-upright")),
            "question": question_shown(content) if ended is None else content.question.text.rstrip(COLON),
            "sheet": table is not None and table.over and not chart,
            "pin": f"{content.pin[:3]} {content.pin[3:]}",
        }
    )


def _chart_size(table: OpenGame, ended: TableBody | None) -> tuple[int, int]:
    """Return width and height of the chart, in its own units: letters are 11 of them high."""
    if ended is not None and not table.over:
        return 230, 270
    height = max(112 if table.over else 80, 12 * len(table.seats) + 24)
    across = 8.3 if len(table.seats) <= MOST_LOW else 6.2
    return round(height * (3.8 if table.over else 5.2 if _has_trump(table) else across)), height


def _upright_size(table: OpenGame | None) -> tuple[int, int]:
    """Return width and height of the chart on a screen that stands upright, in the same units."""
    return 330, max(150, 12 * len(() if table is None else table.seats) + 24)


def _has_trump(table: OpenGame) -> bool:
    """Return whether a large symbol is shown that outlasts a trick."""
    return table.symbol is not None and table.symbol.kind != ""


def _layout(content: LivePageContent, ended: TableBody | None, chart: str) -> Iterator[str]:
    """Yield the classes that choose where the parts stand."""
    table = content.table
    if table is None:
        yield "empty"
        return
    yield "over" if table.over else "ended" if ended is not None else "play"
    yield f"seats-{len(table.seats)}"
    if chart and _has_room_for_chart(table, ended):
        yield "charted"
    if not table.over and ended is None:
        yield "trumped" if _has_trump(table) else "wide"
        if len(table.seats) > MOST_BELOW and not _has_trump(table):
            yield "two"
        if table.columns:
            yield "columned"
        if table.pile_signs:
            yield "piled"
    if content.link:
        yield "pairing"


def _has_room_for_chart(table: OpenGame, ended: TableBody | None) -> bool:
    """Return whether a chart takes no room from players and their figures."""
    if table.over:
        return True
    if ended is not None:
        widths = [2 * len(figures) + len(gain) + len(total) for *figures, gain, total in ended.rows]
        return max(widths) <= WIDEST_CHARTED
    return not _has_trump(table) or len(table.seats) <= MOST_CHARTED


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
