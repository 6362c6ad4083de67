"""Texts of a correction of a whole round: they name the figures that differ, or the whole entry if many do."""

from __future__ import annotations

import json

import pytest

from companion.core.game import Amend, Start
from companion.core.session import Session
from companion.core.text import tell
from companion.gamelog import decode_header
from companion.games.eternity.rules import DECK, Play, Round
from companion.ui.offered_corrections import OfferedCorrections, SearchReason, Suggestion, whole_sheet

PLAYERS = ("Aki", "Bea", "Cyr", "Dai")
HEADER = decode_header(json.dumps({"format": 1, "game": "eternity", "players": PLAYERS, "rules": {}}))
STANDS = Round((4, 3, 2, 1), (9, 9, 2, 0))


@pytest.mark.parametrize(
    ("meant", "said", "instead_of"),
    [
        (Round((4, 3, 2, 1), (9, 6, 2, 0)), "Bea: trees 6", "R1: not 9"),
        (
            Round((3, 3, 2, 2), (9, 9, 2, 0)),
            "Aki: tricks 3, Dai: tricks 2",
            "R1: not Aki: tricks 4, Dai: tricks 1",
        ),
        (Round((3, 3, 2, 2), (9, 6, 2, 0)), "R: 3/9 3/6 2/2 2/0", "R1: not R: 4/9 3/9 2/2 1/0"),
    ],
)
def test_a_correction_of_a_round_names_the_figures_that_differ(meant: Round, said: str, instead_of: str) -> None:
    change = Suggestion(Amend(1, meant), 1.0, 1, (STANDS,), (meant,))
    found = OfferedCorrections(Session(HEADER).add(STANDS), SearchReason(), (change,))
    assert [tell(text, PLAYERS) for text in (*found.sentences, *found.instead_of)] == [said, instead_of]


def test_a_card_and_an_entry_that_cannot_be_made_have_no_sheet() -> None:
    game = HEADER.game
    new = game.start(4, HEADER.rules)
    assert whole_sheet(game, new, Start(0)) is None
    assert whole_sheet(game, new, Play(0, DECK.cards[0])) is None
