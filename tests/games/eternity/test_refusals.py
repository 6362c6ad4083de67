"""Eternity: illegal events raise a sentence that names player and card."""

from __future__ import annotations

import pytest

from companion.core.game import Event, Start
from companion.games.eternity.rules import Deal, Play, Pledge, Reveal

from .tables import Table, card, cards, dealt, pair, table, trick, whole

NONE = "0 0 0 0"
NAMES = ("Aki", "Bea", "Cyr", "Dai", "Eve")
OVER = table().round("10 0 0 0", NONE).round("10 0 0 0", NONE).round("10 0 0 0", NONE)


@pytest.mark.parametrize(
    ("at", "event", "reason", "says"),
    [
        (OVER, Start(0), "over", "the game is over"),
        (table(), Start(7), "seat", "there is no seat 7"),
        (table().round("5 0 5 0", NONE), Start(1), "may-not-start", "Bea has no trick, so not the last one"),
        (table(), trick(0), "phase", "first say who starts"),
        (table().starts(0), trick(0), "phase", "first enter the two cards that begin the columns"),
        (table(2).starts(0), trick(0), "phase", "first enter the neutral pair"),
        (dealt(), Start(0), "phase", "the cards of a trick come next"),
        (
            table().starts(0),
            Deal(pair("sea1 sky1"), cards("sea2")),
            "shown",
            "open cards above the tiles are for 3 players",
        ),
        (
            table(3).starts(0),
            Deal(pair("sea1 sky1"), cards("sea2")),
            "shown",
            "either all ten open cards are entered, or none",
        ),
        (table().starts(0), Deal(pair("sea1 sea1")), "seen", "Sea 1 was already seen in this round"),
        (dealt(), Reveal(pair("sky1 sky2")), "phase", "there is no neutral pile with more than 2 players"),
        (table(2), Reveal(pair("sky1 sky2")), "phase", "first say who starts"),
        (dealt(2), Reveal(pair("sky1 sky2")), "phase", "a neutral pair comes once, at the start of a trick"),
        (dealt(), Pledge(0, card("sky4")), "leader-pledges", "the leader's first card goes into the trick"),
        (
            dealt().lays("sky4 +sky5"),
            Pledge(2, card("sky6")),
            "no-pledge-left",
            "no more pledges are allowed in this trick",
        ),
        (dealt().lays("sky4"), Play(3, card("sky6")), "turn", "it is Bea's turn, not Dai's"),
        (dealt().lays("sky4"), trick(0), "table", "a whole trick is entered where a trick begins"),
        (dealt(), trick(0, "1 sky4", "2 sky5"), "no-pledge-left", "too many pledges for one trick"),
        (dealt(5), trick(0, "1 sky4", "1 sky5"), "pledges-twice", "Bea pledges once in a trick"),
        (dealt(), trick(1, "0 sky4"), "leader-pledges", "Aki leads, and cannot pledge"),
        (dealt(), trick(1, "1 sky4"), "winner-pledges", "Bea pledged, and cannot win the trick"),
        (table(), whole("5 5 0", NONE), "sheet", "tricks and trees are said for each of the 4 seats"),
        (table(), whole("11 -1 0 0", NONE), "sheet", "no figure is below 0"),
        (table(), whole("5 4 0 0", NONE), "tricks-sum", "the tricks add up to 9, but a round has 10"),
        (table(), whole("5 5 0 0", "9 9 3 0"), "trees-sum", "21 trees in all, but 20 is the most"),
        (table(tokens="limited"), whole("5 5 0 0", "9 9 1 0"), "trees-sum", "19 trees in all, but 18 is the most"),
        (table(), whole("5 4 1 0", "1 13 0 0"), "trees", "Bea won 4 of 10 tricks, so at most 12 trees"),
        (table(5), whole("0 8 0 0 0", "0 1 0 0 0"), "trees", "Bea won 8 of 8 tricks, so at most 0 trees"),
        (table(), whole("5 5 0 0", NONE, last=3), "last", "Dai has no trick, so not the last one"),
    ],
)
def test_a_refusal_says_what_is_wrong(at: Table, event: Event, reason: str, says: str) -> None:
    assert at.refusal(event) == (reason, says)
