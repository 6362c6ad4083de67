"""The bottom line shows the whole question, and the longest hint that fits."""

from __future__ import annotations

import pytest

from companion.ui.panel import bar_texts
from companion.ui.view import TextBody, View


def view(question: str, hint: str, brief: str | None = None) -> View:
    """Return a view with an empty body and a bottom line."""
    return View(TextBody("", ()), question, "", hint, brief)


@pytest.mark.parametrize(
    ("hint", "brief", "room", "shown"),
    [
        ("one two three", None, 200, "one two three"),
        ("one two three", None, 70, "three"),
        ("one two three", "short", 70, "short"),
        ("D one two", None, 30, ""),
        ("", None, 30, ""),
    ],
)
def test_what_else_can_be_done_gives_way_to_the_question(hint: str, brief: str | None, room: int, shown: str) -> None:
    assert bar_texts(view("Aki:", hint, brief), room) == ("Aki:", shown)


def test_an_option_too_long_for_the_line_stands_alone_and_is_shortened() -> None:
    seen = View(TextBody("", ()), "Aki:", choice="an option that is much too long for any line of a panel")
    assert bar_texts(seen, 60)[0] == ""
    assert bar_texts(seen, 60)[1].endswith("…")
