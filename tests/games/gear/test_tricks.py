"""Gear: tricks: following, winner, outcome, and illegal plays."""

from __future__ import annotations

import pytest

from companion.games.gear.events import Play
from companion.games.gear.state import Laid
from companion.games.kit.trick_report import LastTrick

from .tables import cards, easy

# Who wins


@pytest.mark.parametrize(
    ("words", "winner"),
    [
        ("r2 r3 r4 r5", 3),
        ("r9 r3 r4 r5", 0),
        ("r2 b10 b9 b8", 0),  # other colours do not follow
        ("r2 r7 r7 r3", 2),  # the later of equal ranks
        ("rA r2 b9 b8", 1),  # an ace is 1
        ("r9 r10 rA r8", 2),  # but 11 when a 10 follows
        ("rA r9 r10 b2", 0),
        ("rA r9 b10 b2", 1),  # but that one does not follow
        ("r10 rA bA rA", 3),
        ("r10 r10 r9 b2", 1),
        ("r5+r5 r6+r6 b9+b9 r8+b8", 1),  # pairs of other combinations do not follow
        ("r5+b5 r6+r6 b9+r9 r8+b8", 2),
        ("r5+b5 b5+r5 r9+b10 b2+b2", 1),
        ("r2+r2 r9+r10 r8+b8 b9+b9", 0),
        ("rA+rA r10+r10 bA+bA r9+r9", 0),
        ("rA+bA r10+b10 bA+rA r9+r9", 2),
        ("rA+rA bA+b2 r2+r2 b10+b10", 2),
        ("r10+r10 b10+b10 rA+rA r2+r2", 2),
    ],
)
def test_the_highest_that_follows_wins(words: str, winner: int) -> None:
    at = easy().lays(words)
    count = len(cards(words.split(maxsplit=1)[0]))
    assert at.state.tricks == tuple(count * (seat == winner) for seat in range(4))
    assert (at.state.leader, at.state.turn) == (winner, winner)
    assert at.state.left == (8 - count,) * 4


def test_the_winner_takes_every_ace_on_the_table() -> None:
    at = easy().lays("r2 bA r3 rA").lays("r4+r4 bA+r9 r5+r5 b8+b9")
    assert at.state.aces == (1, 0, 2, 0)
    assert at.state.tricks == (2, 0, 1, 0)


def test_the_trick_before_is_kept_as_it_lay() -> None:
    at = easy(2).lays("r2 r3")
    assert at.state.last_trick == LastTrick((Laid(0, cards("r2")), Laid(1, cards("r3"))), 1)
    assert at.state.table == ()
    assert at.lays("b2+r2").state.table == (Laid(1, cards("b2 r2")),)


# Illegal plays


@pytest.mark.parametrize(
    ("before", "words", "reason"),
    [
        ("", "r2+r3", "no-pair"),
        ("", "", "count"),
        ("", "r2+r2+b2", "count"),
        ("r2", "r3+r3", "count"),
        ("r2+r2", "r3", "count"),
        ("r2 r2", "r2", "seen"),
        ("r2 b3", "r2+r2", "count"),
        ("r2 b3 b4 b5", "r2+r2", "seen"),
        ("rA+rA", "bA+rA", "seen"),
    ],
)
def test_what_cannot_be_laid_is_refused(before: str, words: str, reason: str) -> None:
    assert easy().lays(before).refuses_cards(words) == reason


def test_two_cards_are_not_led_from_a_hand_of_one() -> None:
    at = easy(2).tricks(0, 0, 0, 0, 0, 0, 0)
    assert at.refuses_cards("r2+r2") == "count"


def test_a_card_is_laid_by_the_seat_to_act() -> None:
    assert easy().refuses(Play(1, cards("r2"))) == "turn"
    assert easy().refuses(Play(4, cards("r2"))) == "seat"


def test_a_fifth_ace_is_refused_however_the_others_were_entered() -> None:
    at = easy().trick(0, 1, 3)
    assert at.lays("rA").refuses_cards("bA") == "aces"
    assert easy().trick(0, 1, 3).refuses_cards("rA+rA") == "aces"
    assert at.lays("r2 rA").refuses_cards("bA") == "aces"


def test_five_players_play_all_four_aces() -> None:
    at = easy(5).trick(0, 1, 1).tricks(0, 0, 0, 0, 0, 0)
    assert at.lays("r2 r3 rA").refuses_cards("r4") == "aces"
    assert at.lays("r2 r3 rA rA bA").state.round == 2
    assert at.lays("r2").lays("r3").refuses_cards("r5") == "aces"
    assert easy(4).tricks(0, 0, 0, 0, 0, 0, 0).lays("r2 r3 r4 r5").state.round == 2
