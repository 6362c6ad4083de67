"""Gear: illegal events raise a sentence that names player and card."""

from __future__ import annotations

import pytest

from companion.core.game import Event, Start
from companion.core.text import IllegalEventError, tell
from companion.games.gear.rules import Bid, Play, Rules, Trick, start
from companion.games.kit import Ending

from .tables import THREE_LOTS, Table, cards, easy, lots, open_hands, paid, sold, table, whole

ZERO = "0 0 0"


@pytest.mark.parametrize(
    ("at", "event", "reason", "says"),
    [
        (table(3, rounds=1).round("8 0 0", ZERO, 0, ZERO), Start(0), "over", "the game is over"),
        (table(3), Start(3), "seat", "there is no seat 3"),
        (table(3), Trick(0, 1, 0), "phase", "first say who starts"),
        (table(3).starts(0), Trick(0, 1, 0), "phase", "first comes the auction"),
        (sold(3), Bid(0, 0, 0), "phase", "the cards of a trick come next"),
        (table(3), lots(*THREE_LOTS), "phase", "first say who starts"),
        (table(3).starts(0), lots(*THREE_LOTS[:2]), "lots", "there are 3 lots, one for each player"),
        (
            table(2).starts(0),
            lots("r2 r3 r4 r5 r6 r7", "r2 r2 r4 r5 r6 r7"),
            "seen",
            "Red 2 is there twice, not more often",
        ),
        (open_hands(), lots(*THREE_LOTS), "lots-twice", "the lots of this round were entered already"),
        (table(3).starts(0).bids("0=0"), lots(*THREE_LOTS), "phase", "the lots are entered before the first bid"),
        (easy(3).lays("r2"), lots(*THREE_LOTS), "phase", "the open hands are entered before the first card"),
        (table(3).starts(0), Bid(2, 0, 0), "turn", "it is Bea's turn, not Cyr's"),
        (table(3).starts(0), Bid(1, 3, 0), "lot", "there is no lot 4"),
        (table(3).starts(0), Bid(1, 0, -1), "price", "a bid is 0 or more"),
        (table(3).starts(0).bids("0=2"), Bid(2, 0, 2), "too-low", "2 is not higher than 2"),
        (table(3).starts(0).bids("0=2"), paid(ZERO), "bids", "a whole auction is entered before its first bid"),
        (table(3).starts(0), paid("0 0"), "prices", "a price is said for each of the 3 seats"),
        (table(3).starts(0), paid("0 0 -1"), "prices", "a price is 0 or more"),
        (table(3).starts(0), paid(ZERO, "0 1 2"), "lots", "enter the lots before saying who gets which"),
        (table(3).starts(0).enters(lots(*THREE_LOTS)), paid(ZERO), "lots", "the lots were entered: say who gets which"),
        (
            table(3).starts(0).enters(lots(*THREE_LOTS)),
            paid(ZERO, "0 1 3"),
            "lots",
            "each lot goes to one player, and each player gets one",
        ),
        (table(3).starts(0).enters(lots(*THREE_LOTS)), paid(ZERO, "0 1 1"), "lots", "Bea has a lot already"),
        (easy(3), Play(0, ()), "count", "one card is laid, or two"),
        (easy(3).lays("r2+r2"), Play(1, cards("r3")), "count", "as many cards are laid as were led: 2"),
        (easy(2).tricks(0, 0, 0, 0, 0, 0, 1), Play(1, cards("r3 r3")), "count", "Bea has one card left"),
        (easy(3), Play(0, cards("r2 r3")), "no-pair", "two cards that lead are of one number"),
        (easy(3).trick(0, 1, 3).trick(0, 1, 1), Play(0, cards("rA")), "aces", "all four aces are gone already"),
        (
            easy(5).trick(0, 1, 2).tricks(0, 0, 0, 0, 0, 0).lays("r2 r3 r4"),
            Play(3, cards("r5")),
            "aces",
            "aces still to come: 2, as all forty cards are played",
        ),
        (easy(3).lays("r2 r2"), Play(2, cards("r2")), "seen", "Red 2 was already seen twice"),
        (open_hands(1), Play(1, cards("b5")), "not-theirs", "Black 5 lies in another's open hand"),
        (
            open_hands().lays("r10+r10 r9+b6 b9+r5"),
            Play(0, cards("bA")),
            "not-open",
            "Black A is not open there, and both hidden cards are laid",
        ),
        (easy(3).lays("r2"), Trick(0, 1, 0), "table", "a whole trick is entered where a trick begins"),
        (easy(3), Trick(0, 3, 0), "count", "a trick is of one card each or two, and of no more than are left"),
        (easy(3), Trick(0, 1, 4), "aces", "aces in this trick: 0 to 3, not 4"),
        (easy(5).tricks(0, 0, 0, 0, 0, 0, 0), Trick(0, 1, 3), "aces", "aces in this trick: 4, not 3"),
        (table(3), whole("4 4", ZERO, 0, ZERO), "sheet", "tricks and aces are said for each of the 3 seats"),
        (table(3), whole("9 -1 0", ZERO, 0, ZERO), "sheet", "no figure is below 0"),
        (table(3), whole("4 5 0", ZERO, 0, ZERO), "tricks-sum", "the tricks add up to 9, but there are 8"),
        (table(3), whole("4 4 0", "3 2 0", 0, ZERO), "aces-sum", "5 aces in all, but there are 4"),
        (
            table(5),
            whole("4 4 0 0 0", "3 0 0 0 0", 0, "0 0 0 0 0"),
            "aces-sum",
            "3 aces in all, but with 5 players all 4 are played",
        ),
        (table(3), whole("4 4 0", "0 0 1", 0, ZERO), "aces", "Cyr has no trick, so no ace"),
        (table(3), whole("7 1 0", "0 4 0", 0, ZERO), "aces", "Bea has not taken so many cards"),
        (table(3), whole("4 4 0", ZERO, 2, ZERO), "last", "Cyr has no trick, so not the last one"),
        (table(3), whole("4 4 0", ZERO, 0), "prices", "the price of each seat is missing"),
        (sold(3), whole("4 4 0", ZERO, 0, ZERO), "prices", "the prices of this round are known already"),
        (easy(3), whole("4 4 0", ZERO, 0, ZERO), "prices", "in the easy game nobody pays"),
    ],
)
def test_a_refusal_says_what_is_wrong(at: Table, event: Event, reason: str, says: str) -> None:
    assert at.refusal(event) == (reason, says)


@pytest.mark.parametrize(
    ("rules", "reason", "says"),
    [
        (Rules(teams=True), "teams", "the game of pairs is for 4 players"),
        (Rules(ending=Ending()), "ending", "the ending is either rounds or a target"),
        (Rules(ending=Ending(rounds=0)), "ending", "a game has 1 round or more"),
        (Rules(ending=Ending(target=0)), "ending", "the target is 1 or more"),
    ],
)
def test_so_does_a_refusal_of_rules(rules: Rules, reason: str, says: str) -> None:
    with pytest.raises(IllegalEventError) as caught:
        start(3, rules)
    assert (caught.value.reason, tell(caught.value.text)) == (reason, says)
