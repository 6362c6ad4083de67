"""Renders the HTML pages that the server writes: words in the reader's language, faces, drawn signs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from companion.core.text import NC_, Text, isolated
from companion.ui.faces import Face
from companion.ui.live_page.svg import PAPER, ROOM, glyphs, is_vector, picture, readable, sprite
from companion.ui.symbols import NAMES
from companion.ui.translations import Translator

TEMPLATES = Path(__file__).parent / "templates"


def environment(*folders: Path) -> Environment:
    """Return what renders the templates in some folders; those of the box's pages can be used in them."""
    made = Environment(
        loader=FileSystemLoader([*folders, TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals["NC_"] = NC_
    made.filters["isolated"] = isolated
    made.filters["symbols"] = lambda markup: Markup(symbols_of(markup))
    return made


def html_page(
    template: str,
    language: str,
    values: Mapping[str, object],
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> HTMLResponse:
    """Return a page in a language as an answer; the values are those of `render`."""
    return HTMLResponse(render(template, language=language, say=words_of(language), **values), status, headers)


def render(template: str, **values: object) -> str:
    """Return a page. The values are what it shows, translated; each is escaped."""
    return _ENVIRONMENT.get_template(template).render(values)


@cache
def macros(template: str) -> Any:
    """Return the macros of a template, as functions by their names."""
    return _ENVIRONMENT.get_template(template).module


def compile_all() -> None:
    """Compile every template, so that a wrong one is noticed before it is needed."""
    for name in _ENVIRONMENT.list_templates():
        _ENVIRONMENT.get_template(name)


@lru_cache(maxsize=8)
def translator(language: str) -> Translator:
    """Return a language's translator, without players."""
    return Translator(language)


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


def word_of_sign(text: str, language: str) -> str:
    """Return the word for a text that is one sign alone; an empty string for any other."""
    return translator(language).aloud(text) if text in NAMES else ""


@lru_cache(maxsize=64)
def face(of: Face) -> Markup:
    """Return a person's face as markup: letters in a circle of the person's colour, for eyes alone."""
    return Markup('<i class="face p{}" aria-hidden="true">{}</i>').format(of.colour, of.letters)


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


def symbols_of(markup: str) -> str:
    """Return the element with the paths of the signs that are drawn in some markup."""
    return sprite(set(re.findall(r'href="#g-([\w-]+)"', markup)))


_ENVIRONMENT = environment()
