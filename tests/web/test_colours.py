"""The colours of the pages stand where they must stand more than once, and are the same there."""

from __future__ import annotations

import re

from companion.web import site

DESIGN = re.sub(r"/\*.*?\*/", "", (site.PAGE / "design.css").read_text("utf-8"), flags=re.DOTALL)


def colours(selector: str) -> dict[str, str]:
    """Return what a rule of the design sets, by name."""
    block = DESIGN.partition(f"{selector} {{")[2].partition("}")[0]
    return dict(re.findall(r"([-\w]+):\s*([^;]+);", block))


def test_a_room_that_is_bright_has_the_colours_of_a_phone_that_is() -> None:
    chosen = colours('\n[data-light="bright"]')
    assert chosen == colours(':root:not([data-light="dark"])')
    assert len(chosen) > 15
