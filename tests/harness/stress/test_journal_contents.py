"""A journal made with the content of another has that content, and the keys that were typed for each line."""

from __future__ import annotations

from companion.journal import Journal
from tests.app.boxes import playing, press

from .journal_contents import Witness, kept


def test_a_witness_knows_the_keys_of_each_line() -> None:
    journal = Journal()
    press(playing("1 A3 B9 A4", journal=journal), "A5 A6")
    found = kept(journal)
    again = kept(Witness(found))
    assert again == found
    assert [game.keys for game in again.games] == [game.keys for game in found.games]
    assert found.games[0].keys
