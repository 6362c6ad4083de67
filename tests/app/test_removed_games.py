"""Games are removed and brought back from the list; unstarted ones vanish by themselves, or are set up anew."""

from __future__ import annotations

import pytest

from companion.core.text import Text
from companion.journal import Journal, JournalError
from tests.app.boxes import FOUR, key_of, new_box, playing, press

PUT_AWAY = "C"


def with_games(*players: tuple[str, ...]) -> Journal:
    """Return a journal with a game of each of these tables."""
    journal = Journal()
    for table in players:
        press(playing("1", table, journal=journal), "h#8")
    return journal


def test_a_disk_that_refuses_is_told_and_the_game_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = with_games(FOUR)
    box = new_box(journal)

    def refuse(_name: str) -> None:
        raise JournalError(Text("the disk fails"))

    monkeypatch.setattr(journal, "put_away", refuse)
    press(box, f"{key_of(box, 'All games')} {PUT_AWAY} 1 1")
    assert box.words() == "The disk fails"
    assert len(journal.names()) == 1
    press(box, "h* 1 1 1 h#8")  # a game without an entry stays, too, if the disk refuses
    assert len(journal.names()) >= 1
