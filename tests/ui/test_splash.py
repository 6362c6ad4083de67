"""The error sentence on the panel when the program cannot start."""

from __future__ import annotations

import pytest

from companion.ui.fonts import face
from companion.ui.pictures import SIZE, drawn_hello, hello, sentence
from hardware import board as boards

LINES, SMALL_LINES = (SIZE[1] // face(name).height for name in ("text", "small"))
WORDS = "panel.chip cannot be read, and there is a good deal more to be said about it than has any room on this panel"


def first(count: int, font: str = "text") -> str:
    return "\n".join(face(font).wrap(3 * f"{WORDS} ", SIZE[0] - 2)[:count])


def test_a_sentence_that_has_room_is_written_out() -> None:
    assert sentence(first(LINES)) != sentence(first(LINES)[:-1])


def test_a_longer_sentence_is_written_out_in_small_text() -> None:
    assert sentence(first(SMALL_LINES, "small")) != sentence(first(SMALL_LINES, "small")[:-1])


def test_a_sentence_that_has_no_room_says_that_it_goes_on() -> None:
    longest, longer = (sentence(first(SMALL_LINES + more, "small")) for more in (1, 2))
    assert longest == longer != sentence(first(SMALL_LINES, "small"))


@pytest.mark.parametrize("wrong", ["keypad", "none"])
def test_a_board_that_does_not_exist_is_told_with_the_names_of_all_boards(wrong: str) -> None:
    with pytest.raises(boards.BoardError) as caught:
        boards.load(wrong)
    text = f"/etc/companion.toml: {caught.value}."
    assert len(face("small").wrap(text, SIZE[0] - 2)) <= SMALL_LINES
    assert sentence(text) != sentence(text[:-1])


def test_the_first_picture_is_kept_as_it_would_be_drawn() -> None:
    assert hello().mode == "1"
    assert hello() == drawn_hello(), "draw it anew: python -m companion.ui.pictures"
