"""Journals with invalid content: the application starts, and readable games continue."""

from __future__ import annotations

import pytest

from companion.journal import Journal

from .boxes import new_box, playing, press, says


def _left(keys: str = "1A3B9") -> tuple[Journal, str]:
    """Return a journal with an open game, and the game's name."""
    journal = Journal()
    box = playing(keys, journal=journal)
    assert box.game is not None
    return journal, box.game.name


@pytest.mark.parametrize("tracking", ["", "FULL", "x" * 1000])
def test_a_game_that_is_followed_in_no_known_way_is_followed_as_closely_as_can_be(tracking: str) -> None:
    journal, name = _left()
    journal.track(name, tracking)
    box = new_box(journal)
    assert box.game is not None
    assert box.game.tracking.value == "full"
    assert press(box, "A4").lines == 3


@pytest.mark.parametrize("language", ["", "xx", "../fr", "e" * 300])
def test_a_language_there_are_no_words_in_is_english(language: str) -> None:
    journal, _ = _left()
    journal.keep_setting("language", language)
    assert says(new_box(journal)) == says(new_box(_left()[0]))
    assert new_box(journal).frame.language == "en"
