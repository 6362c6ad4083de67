"""East Rune: illegal events raise a reason and a sentence that names player and card, and change nothing."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.game import Event, Start
from companion.core.text import IllegalEventError
from companion.games.east_rune.rules import DECK, Claim, EndTurn, Pass, Play, Result, Reveal, Rules, start
from tests.games.reports import told

from .tables import Table, card, chair, claimed, pair, play, result, table, unclaimed

REVEAL = table().starts(0)
CLAIM = REVEAL.turns_up("light")
BLANK_UP = table(blank_chair=True).starts(0).turns_up("blank")
CHAIN = claimed().goes("dusk3")
EXTRA = claimed().goes("dusk1 - -")
CAPTURED = claimed().goes("dusk1 night2 dawn1 noon2 - - -").turns_up("light").unclaimed()
OVER = claimed().enters(result("1 2 3", "0 0 0", "0 0 0"))


def spent(at: Table, **counts: object) -> Table:
    """Return a table with these fields of the state replaced, e.g. the cards already seen."""
    return Table(replace(at.state, **counts))


@pytest.mark.parametrize(
    ("at", "event", "reason", "says"),
    [
        (OVER, Start(0), "over", "the game is over"),
        (OVER, result("1 2 3", "0 0 0", "0 0 0"), "over", "the game is over"),
        # phases
        (table(), Reveal(chair("light")), "phase", "first say who deals"),
        (table(), result("1 2 3", "0 0 0", "0 0 0"), "phase", "first say who deals"),
        (REVEAL, Start(0), "phase", "first say which card is turned up"),
        (REVEAL, Pass(0), "phase", "first say which card is turned up"),
        (CLAIM, play(0, "noon3"), "phase", "first say who lays a card on the chair"),
        (claimed(), EndTurn(0), "phase", "a turn begins: a card, or a pass"),
        (claimed(), Claim(None), "phase", "a turn begins: a card, or a pass"),
        (CHAIN, Pass(0), "phase", "the turn goes on: another card, or a stop"),
        (EXTRA, EndTurn(0), "phase", "the extra turn begins: a card, or a pass"),
        (EXTRA.goes("night1"), Pass(0), "phase", "the extra turn goes on: another card, or a stop"),
        # seats
        (table(), Start(3), "seat", "there is no seat 3"),
        (CLAIM, Claim(-1, card("noon36")), "seat", "there is no seat −1"),
        (claimed(), play(3, "dusk1"), "seat", "there is no seat 3"),
        (claimed(), play(1, "dusk1"), "turn", "it is Aki's turn, not Bea's"),
        (claimed(), Pass(2), "turn", "it is Aki's turn, not Cyr's"),
        (CHAIN, EndTurn(1), "turn", "it is Aki's turn, not Bea's"),
        # cards of the deck
        (REVEAL, Reveal(card("noon36")), "card", "a chair is turned up, not Noon animal, light"),
        (REVEAL, Reveal(chair("blank")), "card", "a chair is turned up, not Blank chair"),
        (
            REVEAL.turns_up("light").unclaimed().goes("- - -").turns_up("light").unclaimed().goes("- - -"),
            Reveal(chair("light")),
            "seen",
            "Chair of light was turned up already",
        ),
        (BLANK_UP.unclaimed().goes("- - -"), Reveal(chair("blank")), "seen", "Blank chair was turned up already"),
        (table(2).starts(0), Reveal(card("noon3")), "card", "with 2 players a monarch is turned up, not Noon animal"),
        (
            table(2).starts(0).turns_up("noon36").goes("- -").turns_up("noon36").goes("- -"),
            Reveal(card("dusk16")),
            "seen",
            "both monarchs of light were seen already",
        ),
        # claims
        (CLAIM, Claim(None, card("noon36")), "card", "a claim by nobody names no card"),
        (CLAIM, Claim(1), "card", "which card does Bea lay?"),
        (CLAIM, Claim(1, card("noon37")), "card", "Noon animal, beauty does not bear the virtue of the chair"),
        (CLAIM, Claim(1, card("noon3")), "card", "Noon animal does not bear the virtue of the chair"),
        (BLANK_UP, Claim(1, card("noon36")), "card", "a vassal is laid on the blank chair, not Noon animal, light"),
        (BLANK_UP, Claim(1, card("blank")), "blank", "nobody holds the blank character"),
        (spent(CLAIM, hand=(0, 8, 8)), Claim(0, card("noon36")), "hand", "Aki has no such card left in hand"),
        (
            spent(CLAIM, monarchs_seen=(card("dusk16"), card("dusk36"))),
            Claim(0, card("noon36")),
            "seen",
            "both monarchs of light were seen already",
        ),
        # plays
        (unclaimed(), Play(0, chair("light"), "hand"), "card", "Chair of light is not a character"),
        (claimed(), play(0, "dusk36"), "monarch", "a monarch is laid only on a chair of its virtue"),
        (
            claimed(monarchs="playable"),
            play(0, "+dusk36"),
            "monarch",
            "a monarch in front of a player is not laid again",
        ),
        (claimed(), play(0, "night3"), "domain", "Dusk must come next, not Night animal"),
        (CHAIN, play(0, "dusk3"), "domain", "Night must come next, not Dusk animal"),
        (spent(claimed(), hand=(0, 8, 8)), play(0, "dusk3"), "hand", "Aki has no such card left in hand"),
        (spent(claimed(), vassals_seen=18), play(0, "dusk3"), "seen", "all 18 vassals were seen already"),
        (claimed(), play(0, "blank"), "blank", "nobody holds the blank character"),
        (claimed(blank_character=True).goes("blank"), play(0, "blank"), "blank", "nobody holds the blank character"),
        (claimed(blank_character=True).goes("blank ."), play(1, "blank"), "blank", "nobody holds the blank character"),
        (
            spent(claimed(blank_character=True), hand=(0, 8, 8)),
            play(0, "blank"),
            "hand",
            "Aki has no such card left in hand",
        ),
        (claimed(), play(0, "+dusk3"), "front", "Dusk animal is not in front of Aki"),
        (CAPTURED.goes("noon3"), play(1, "+dusk2"), "front", "Dusk mineral is not in front of Bea"),
        (CAPTURED.goes("dawn3"), play(1, "+noon2"), "covered", "Noon mineral is covered by another card"),
        # results
        (claimed(), result("1 2", "0 0 0", "0 0 0"), "sheet", "every figure is said for each of the 3 seats"),
        (claimed(), result("1 2 0", "0 0", "0 0 0"), "sheet", "every figure is said for each of the 3 seats"),
        (claimed(), result("1 2 0", "0 0 0", "0 0 0 0"), "sheet", "every figure is said for each of the 3 seats"),
        (claimed(), result("1 2 -1", "0 0 0", "0 0 0"), "sheet", "no figure is below 0"),
        (claimed(), result("1 2 0", "0 -1 0", "0 0 0"), "sheet", "no figure is below 0"),
        (claimed(), result("1 2 0", "0 0 0", "-1 0 0"), "sheet", "no figure is below 0"),
        (claimed(), result("1 2 4", "0 0 0", "0 0 0"), "chairs-sum", "7 chairs in all, but there are 6"),
        (
            claimed(blank_chair=True),
            result("1 3 4", "0 0 0", "0 0 0"),
            "chairs-sum",
            "8 chairs in all, but there are 7",
        ),
        (pair(), result("1 0", "0 0", "0 0"), "chairs-sum", "1 chair in all, but there are 0"),
        (claimed(), result("1 2 0", "3 3 1", "0 0 0"), "monarchs-sum", "7 monarchs in all, but there are 6"),
        (claimed(), result("1 2 3", "0 0 0", "9 0 0"), "hand", "Aki cannot have more than 8 cards"),
        (claimed(blank_character=True), result("1 2 3", "0 0 0", "9 9 0"), "hand", "Bea cannot have more than 8 cards"),
        (pair(), result("0 0", "3 3", "13 0"), "hand", "Aki cannot have more than 12 cards"),
        (pair(), result("0 0", "3 3", "12 7"), "hand", "there are only 18 vassals"),
        (claimed(), result("1 2 3", "0 0 0", "0 0 0", 3), "seat", "there is no seat 3"),
        (claimed(), result("0 2 3", "0 0 0", "0 0 0", 0), "last", "Aki captured none, so not the last one"),
        (pair(), result("0 0", "0 3", "0 0", 0), "last", "Aki captured none, so not the last one"),
        (
            claimed(),
            result("2 2 2", "0 0 0", "0 0 0"),
            "tie",
            "who captured the last one breaks the tie: it must be said",
        ),
    ],
)
def test_a_refusal_says_what_is_wrong(at: Table, event: Event, reason: str, says: str) -> None:
    assert at.refusal(event) == (reason, says)


@pytest.mark.parametrize("also", [False, True])
@pytest.mark.parametrize("rules", [{"monarchs": "playable"}, {"blank_chair": True}, {"blank_character": True}])
def test_variants_but_sacred_is_mineral_are_not_for_two(rules: dict[str, object], also: bool) -> None:
    chosen = replace(Rules(), **rules, sacred_is_mineral=also)
    for seats in (3, 4):
        start(seats, chosen)
    with pytest.raises(IllegalEventError) as caught:
        start(2, chosen)
    assert (caught.value.reason, told(caught.value.text)) == (
        "variant",
        "for 2 players there is one variant: sacred = mineral",
    )


def test_a_card_may_be_seen_as_often_as_counts_allow() -> None:
    at = claimed().goes("dusk1 night1 . dawn2 noon1 dusk1 .")
    assert at.state.pile.count(DECK.by_name["dusk-sacred"]) == 2


def test_every_vassal_from_a_hand_is_counted_and_after_the_eighteenth_there_is_none() -> None:
    at = spent(claimed(), vassals_seen=17).goes("dusk1")
    assert at.refusal(play(1, "night2")) == ("seen", "all 18 vassals were seen already")


def test_a_whole_end_may_say_what_it_need_not() -> None:
    assert claimed().enters(Result((1, 2, 3), (0, 0, 0), (0, 0, 0), None)).state.winners == (2,)
