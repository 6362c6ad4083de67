"""Gear: illegal plays."""

from __future__ import annotations

import pytest

from companion.games.gear.events import Play

from .tables import cards, easy


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
