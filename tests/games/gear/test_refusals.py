"""Gear: illegal events raise a sentence that names player and card."""

from __future__ import annotations

import pytest

from companion.core.errors import IllegalEventError
from companion.core.events import Event, Start
from companion.core.text import tell
from companion.games.gear.events import Bid, Play, Trick
from companion.games.gear.options import Rules
from companion.games.gear.state import start
from companion.games.kit.options import Ending
from tests.games.reports import NAMES

from .tables import THREE_LOTS, Table, cards, easy, lots, open_hands, paid, sold, table, whole

ZERO = "0 0 0"


@pytest.mark.parametrize(
    ("at", "event", "says"),
    [
        (table(3, rounds=1).round("8 0 0", ZERO, 0, ZERO), Start(0), "the game is over"),
        (table(3), Start(3), "there is no seat 3"),
        (table(3), Trick(0, 1, 0), "first say who starts"),
        (table(3).starts(0), Trick(0, 1, 0), "first comes the auction"),
        (sold(3), Bid(0, 0, 0), "the cards of a trick come next"),
        (table(3), lots(*THREE_LOTS), "first say who starts"),
        (table(3).starts(0), lots(*THREE_LOTS[:2]), "there are 3 lots, one for each player"),
        (table(2).starts(0), lots("r2 r3 r4 r5 r6 r7", "r2 r2 r4 r5 r6 r7"), "Red 2 is there twice, not more often"),
        (open_hands(), lots(*THREE_LOTS), "the lots of this round were entered already"),
        (table(3).starts(0).bids("0=0"), lots(*THREE_LOTS), "the lots are entered before the first bid"),
        (easy(3).lays("r2"), lots(*THREE_LOTS), "the open hands are entered before the first card"),
        (table(3).starts(0), Bid(2, 0, 0), "it is Bea's turn, not Cyr's"),
        (table(3).starts(0), Bid(1, 3, 0), "there is no lot 4"),
        (table(3).starts(0), Bid(1, 0, -1), "a bid is 0 or more"),
        (table(3).starts(0).bids("0=2"), Bid(2, 0, 2), "2 is not higher than 2"),
        (table(3).starts(0).bids("0=2"), paid(ZERO), "a whole auction is entered before its first bid"),
        (table(3).starts(0), paid("0 0"), "a price is said for each of the 3 seats"),
        (table(3).starts(0), paid("0 0 -1"), "a price is 0 or more"),
        (table(3).starts(0), paid(ZERO, "0 1 2"), "enter the lots before saying who gets which"),
        (table(3).starts(0).enters(lots(*THREE_LOTS)), paid(ZERO), "the lots were entered: say who gets which"),
        (
            table(3).starts(0).enters(lots(*THREE_LOTS)),
            paid(ZERO, "0 1 3"),
            "each lot goes to one player, and each player gets one",
        ),
        (table(3).starts(0).enters(lots(*THREE_LOTS)), paid(ZERO, "0 1 1"), "Bea has a lot already"),
        (easy(3), Play(0, ()), "one card is laid, or two"),
        (easy(3).lays("r2+r2"), Play(1, cards("r3")), "as many cards are laid as were led: 2"),
        (easy(2).tricks(0, 0, 0, 0, 0, 0, 1), Play(1, cards("r3 r3")), "Bea has one card left"),
        (easy(3), Play(0, cards("r2 r3")), "two cards that lead are of one number"),
        (easy(3).trick(0, 1, 3).trick(0, 1, 1), Play(0, cards("rA")), "all four aces are gone already"),
        (
            easy(5).trick(0, 1, 2).tricks(0, 0, 0, 0, 0, 0).lays("r2 r3 r4"),
            Play(3, cards("r5")),
            "aces still to come: 2, as all forty cards are played",
        ),
        (easy(3).lays("r2 r2"), Play(2, cards("r2")), "Red 2 was already seen twice"),
        (open_hands(1), Play(1, cards("b5")), "Black 5 lies in another's open hand"),
        (
            open_hands().lays("r10+r10 r9+b6 b9+r5"),
            Play(0, cards("bA")),
            "Black A is not open there, and both hidden cards are laid",
        ),
        (easy(3).lays("r2"), Trick(0, 1, 0), "a whole trick is entered where a trick begins"),
        (easy(3), Trick(0, 3, 0), "a trick is of one card each or two, and of no more than are left"),
        (easy(3), Trick(0, 1, 4), "aces in this trick: 0 to 3, not 4"),
        (easy(5).tricks(0, 0, 0, 0, 0, 0, 0), Trick(0, 1, 3), "aces in this trick: 4, not 3"),
        (table(3), whole("4 4", ZERO, 0, ZERO), "tricks and aces are said for each of the 3 seats"),
        (table(3), whole("9 -1 0", ZERO, 0, ZERO), "no figure is below 0"),
        (table(3), whole("4 5 0", ZERO, 0, ZERO), "the tricks add up to 9, but there are 8"),
        (table(3), whole("4 4 0", "3 2 0", 0, ZERO), "5 aces in all, but there are 4"),
        (
            table(5),
            whole("4 4 0 0 0", "3 0 0 0 0", 0, "0 0 0 0 0"),
            "3 aces in all, but with 5 players all 4 are played",
        ),
        (table(3), whole("4 4 0", "0 0 1", 0, ZERO), "Cyr has no trick, so no ace"),
        (table(3), whole("7 1 0", "0 4 0", 0, ZERO), "Bea has not taken so many cards"),
        (table(3), whole("4 4 0", ZERO, 2, ZERO), "Cyr has no trick, so not the last one"),
        (table(3), whole("4 4 0", ZERO, 0), "the price of each seat is missing"),
        (sold(3), whole("4 4 0", ZERO, 0, ZERO), "the prices of this round are known already"),
        (easy(3), whole("4 4 0", ZERO, 0, ZERO), "in the easy game nobody pays"),
    ],
)
def test_a_refusal_says_what_is_wrong(at: Table, event: Event, says: str) -> None:
    with pytest.raises(IllegalEventError) as caught:
        at.enters(event)
    assert tell(caught.value.text, NAMES) == says


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        (Rules(teams=True), "the game of pairs is for 4 players"),
        (Rules(ending=Ending()), "the ending is either rounds or a target"),
        (Rules(ending=Ending(rounds=0)), "a game has 1 round or more"),
        (Rules(ending=Ending(target=0)), "the target is 1 or more"),
    ],
)
def test_so_does_a_refusal_of_rules(rules: Rules, says: str) -> None:
    with pytest.raises(IllegalEventError) as caught:
        start(3, rules)
    assert tell(caught.value.text) == says
