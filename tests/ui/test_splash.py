"""The error sentence on the panel when the program cannot start."""

from __future__ import annotations

from companion.ui.fonts import face
from companion.ui.splash import LINES, SIZE, drawn_hello, hello, sentence

WORDS = "panel.chip cannot be read, and there is a good deal more to be said about it than has any room on this panel"


def first(count: int) -> str:
    return "\n".join(face("text").wrap(3 * f"{WORDS} ", SIZE[0] - 2)[:count])


def test_a_sentence_that_has_room_is_written_out() -> None:
    assert sentence(first(LINES)) != sentence(first(LINES)[:-1])


def test_a_sentence_that_has_no_room_says_that_it_goes_on() -> None:
    assert sentence(first(LINES + 1)) == sentence(first(LINES + 2)) != sentence(first(LINES))


def test_the_first_picture_is_kept_as_it_would_be_drawn() -> None:
    assert hello().mode == "1"
    assert hello() == drawn_hello(), "draw it anew: python -m companion.ui.splash"
