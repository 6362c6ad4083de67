"""Hipparchus: illegal events raise a sentence that names player and cards."""

from __future__ import annotations

import pytest

from companion.core.game import Event, Start
from companion.games.hipparchus.rules import CannotPlay, EndRound

from .tables import Table, led, play, table, trick, whole

TWELVE_LAID = "sun3 sun2 moon3 moon2 earth3 earth2 sun3 sun1"
"""Seat 0 has laid twelve of its fourteen cards, seat 1 seven."""


def nearly_all() -> Table:
    """Return a round entered in whole tricks, with 26 of its 28 cards seen."""
    at = led()
    for words in ("sun5", "sun5", "moon5", "moon5", "earth5"):
        at = at.trick(0, words)
    return at.lays("earth1")


@pytest.mark.parametrize(
    ("at", "event", "reason", "says"),
    [
        (table().round("3 3 3", "2 2 2").round("3 3 3", "2 2 2"), Start(0), "over", "the game is over"),
        (led(), Start(1), "phase", "who leads is known already"),
        (table(), Start(2), "seat", "there is no seat 2"),
        (table(), play(0, "moon1"), "phase", "first say who starts"),
        (led(), play(1, "moon1"), "turn", "it is Aki's turn, not Bea's"),
        (led(), play(2, "moon1"), "seat", "there is no seat 2"),
        (led(), play(0, "moon4"), "count", "a play is 1 to 3 cards"),
        (led().lays("moon2"), play(1, "moon2"), "same", "not 2 moons again: another suit or number"),
        (led().lays(TWELVE_LAID), play(0, "moon3"), "hand", "Aki has only 2 left"),
        (led().lays(TWELVE_LAID).trick(0, "earth3"), play(0, "moon3"), "hand", "Aki has at most 2 left"),
        (led().lays("moon3 moon2 moon3 sun1"), play(1, "moon3"), "suit", "only 2 Moon left"),
        (led().lays("moon3 moon2 moon3 moon2"), play(0, "moon1"), "suit", "no Moon left"),
        (nearly_all(), play(1, "earth3"), "dealt", "cards left of the 28: 2"),
        (led(), CannotPlay(1), "lead", "nobody is stuck before something is led"),
        (led().lays("moon1"), CannotPlay(0), "turn", "it is Bea's turn, not Aki's"),
        (led().trick(1, "moon3"), CannotPlay(1), "turn", "Bea leads, and can always lay"),
        (led().lays("moon1"), trick(0, "moon3"), "table", "a whole trick is entered where a trick begins"),
        (led(), trick(0, "moon2"), "captured", "a trick is 3 to 5 cards of one suit, or 1 to 3 of each of two"),
        (led().trick(0, "sun5").trick(0, "sun3"), trick(0, "sun3"), "suit", "only 2 Sun left"),
        (led().lays(TWELVE_LAID), trick(1, "moon3 earth3"), "hand", "the hands do not hold so many cards"),
        (led(), trick(0, "moon3 sun1"), "winner", "by what both have captured, Aki did not win this trick"),
        (led().lays("moon3 moon1"), EndRound(), "known", "where every play is entered, a round ends by itself"),
        (table(), whole("-1 0 0", "0 0 0"), "sheet", "no figure is below 0"),
        (table(), whole("6 0 0", "5 0 0"), "suit-sum", "11 Sun in all, but there are 10"),
        (table(), whole("5 5 5", "5 5 4"), "sum", "29 cards in all, but 28 were dealt"),
        (table(), whole("3 0 0", "0 3 0", 2), "seat", "there is no seat 2"),
        (table(), whole("3 0 0", "0 3 0"), "second", "the points tie: say who laid second in the last trick"),
    ],
)
def test_a_refusal_says_what_is_wrong(at: Table, event: Event, reason: str, says: str) -> None:
    assert at.refusal(event) == (reason, says)
