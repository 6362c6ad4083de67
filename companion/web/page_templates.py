"""Renders the HTML pages that the server writes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from companion.core.text import NC_, isolated

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
    return made


_ENVIRONMENT = environment()


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
