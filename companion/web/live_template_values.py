"""Values for the templates of the live page and the wall: words, symbols, large drawings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from companion.core.text import N_, Text
from companion.history.chart import svg
from companion.ui.faces import Face
from companion.ui.live_page.content import LivePageContent
from companion.ui.live_page.svg import PAPER, ROOM, glyphs, is_vector, pairing_svg, picture, readable
from companion.ui.symbols import GLYPHS
from companion.ui.translations import Translator
from companion.ui.view import CodeBody, ListBody, OpenGame, TableBody, TextBody, TypingBody

COURSE = N_("The course of the game")

PAGE_GLYPHS = {
    "lead": GLYPHS["lead"],
    "at_turn": GLYPHS["turn"],
    "winner": GLYPHS["winner"],
    "alerted": GLYPHS["alert"],
}
"""The glyphs that any page may draw, by their name in the templates."""


def template_values(content: LivePageContent) -> dict[str, Any]:
    """Return what the templates of every live page are given."""
    suits = () if content.table is None else content.table.suits

    return {
        "content": content,
        "table": content.table,
        "say": words_of(content.language),
        "drawn": lambda text: drawn(text, content.language, suits),
        "face": lambda name: face(content.faces.of(name)),
        "pairing": isinstance(content.body, CodeBody),
        "qr": Markup(pairing_svg(content.link)),  # drawn by segno
        **PAGE_GLYPHS,
    }


def course_chart(content: LivePageContent, size: tuple[int, int], name: str = "course") -> str:
    """Return the course of the game as a chart, with a name unique in the page; empty before there is one."""
    totals = None if content.table is None else content.table.course
    if totals is None:
        return ""
    return svg(totals, words_of(content.language)(COURSE), size, name, content.faces.colours(totals.names))


@lru_cache(maxsize=64)
def face(of: Face) -> Markup:
    """Return a person's face as markup: letters in a circle of the person's colour, for eyes alone."""
    return Markup('<i class="face p{}" aria-hidden="true">{}</i>').format(of.colour, of.letters)


@lru_cache(maxsize=8)
def words_of(language: str) -> Any:
    """Return a function that translates a template of the pages and fills it in."""
    words = translator(language)
    return lambda template, **args: words(Text(template, **args))


@lru_cache(maxsize=2048)
def drawn(text: str, language: str, suits: tuple[tuple[str, str], ...] = ()) -> Markup:
    """Return a text with its signs drawn; those of suits in their colours, for a dark room and for a light one."""
    colours = {sign: (readable(colour, ROOM), readable(colour, PAPER)) for sign, colour in suits}
    return Markup(glyphs(text, translator(language), colours))  # it escapes everything else


@lru_cache(maxsize=8)
def translator(language: str) -> Translator:
    """Return a language's translator, without players."""
    return Translator(language)


@lru_cache(maxsize=64)
def symbol(name: str, word: str, colour: str) -> dict[str, Any]:
    """Return the drawing of a large sign, with its box, its size and its colours.

    The id is that of the sign's path where the page has it with those of its texts; else it is empty.
    """
    drawing = picture(name, word)
    return {
        "id": f"g-{name}" if is_vector(name) else "",
        "path": drawing.path,
        "box": drawing.box,
        "size": (drawing.width, drawing.height),
        "dark": readable(colour, ROOM),
        "light": readable(colour, PAPER),
    }


def texts_of(table: OpenGame) -> Iterator[str]:
    """Yield the texts of the table, but the word of its symbol."""
    yield from (table.game, table.status, table.outcome, *table.pile_signs)
    yield from (column.sign for column in table.columns)
    for seat in table.seats:
        yield from (seat.name, seat.cards, seat.figures, seat.total)
    yield from texts_in(table.scores)


def texts_in(body: object) -> list[str]:
    """Return the texts of a body that a page shows, but the rows of a list."""
    match body:
        case ListBody(title):
            return [title]
        case TextBody(title, sentences):
            return [title, *sentences]
        case TableBody(title, heads, names, rows, told=told):
            return [title, *heads, *names, *told, *(cell for row in rows for cell in row)]
        case TypingBody(title, text, pending, _help, matches):
            return [title, text, pending, *matches]
    return []
