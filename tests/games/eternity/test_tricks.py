"""Eternity: illegal plays and pledges."""

from __future__ import annotations

import pytest

from companion.core.events import Event
from companion.games.eternity.events import Play, Pledge, Reveal

from .tables import Table, card, dealt, pair, table

# Pledges


def test_the_leader_cannot_pledge_the_first_card() -> None:
    for seats in (2, 3, 4, 5):
        assert dealt(seats).refuses(Pledge(0, card("sky4"))) == "leader-pledges"


@pytest.mark.parametrize("seats", [3, 4])
def test_one_pledge_a_trick_with_three_or_four_players(seats: int) -> None:
    opened = dealt(seats)
    assert opened.state.pledges_left == 1
    pledged = opened.lays("sky3 +sky4")
    assert pledged.state.pledges_left == 0
    assert pledged.refuses(Pledge(2, card("sky5"))) == "no-pledge-left"
    assert pledged.lays("sky5" if seats == 3 else "sky5 sky6").state.pledges_left == 1


def test_two_pledges_a_trick_with_five_players_even_worthless_ones() -> None:
    opened = dealt(5)
    assert opened.state.pledges_left == 2
    pledged = opened.lays("sky3 +sky4 +sky2")
    assert pledged.state.pledges_left == 0
    assert pledged.refuses(Pledge(3, card("sky5"))) == "no-pledge-left"


@pytest.mark.parametrize("laid", ["sky3 +sky9", "sky3 +sky9 sky4", "sky3 sky4 +sky9"])
def test_with_two_players_one_pledge_a_trick(laid: str) -> None:
    running = dealt(2).lays(laid)
    turn = running.state.turn
    assert turn is not None
    assert running.refuses(Pledge(turn, card("sky10"))) == "no-pledge-left"


# Illegal plays


@pytest.mark.parametrize("kind", [Play, Pledge])
@pytest.mark.parametrize(
    ("seat", "reason"), [(0, "turn"), (2, "turn"), (3, "turn"), (4, "seat"), (-1, "seat"), (10**30, "seat")]
)
def test_only_the_seat_in_turn_lays(kind: type[Play | Pledge], seat: int, reason: str) -> None:
    assert dealt().lays("sky3").refuses(kind(seat, card("sky4"))) == reason


@pytest.mark.parametrize(
    "word", ["sea1", "sea2", "sky3", "sky4", "sky5", "sky6", "sky7"], ids=lambda word: f"{word}-lies-there"
)
def test_a_card_is_seen_once_a_round(word: str) -> None:
    running = dealt().lays("sky3 sky4 sky5 +sky6").lays("sky7")
    assert running.refuses(Play(3, card(word))) == "seen"
    assert running.refuses(Pledge(3, card(word))) == "seen"


def test_open_cards_and_neutral_pairs_are_seen_too() -> None:
    shown = "earth1 earth2 earth3 earth4 earth5 earth6 earth7 earth8 earth9 earth10"
    assert table(3).starts(0).deals("sea1 sky1", shown).refuses(Play(0, card("earth7"))) == "seen"
    second = dealt(2).lays("sky4 sky5 sky6 sky7").turns_up("earth1 earth2")
    turn = second.state.turn
    assert turn is not None
    assert second.refuses(Play(turn, card("earth2"))) == "seen"


@pytest.mark.parametrize(
    ("at", "event", "reason"),
    [
        (dealt(2), Reveal(pair("sky1 sky2")), "phase"),  # a pair was turned up already
        (dealt(2).lays("sky3"), Reveal(pair("sky1 sky2")), "phase"),
        (dealt(2).trick(0).turns_up("sky1 sky2"), Reveal(pair("sky3 sky4")), "phase"),
        (dealt(2).trick(0).lays("sky3"), Reveal(pair("sky1 sky2")), "phase"),
        (dealt(2).trick(0), Reveal(pair("sky1 sky1")), "seen"),
        (dealt(2).trick(0), Reveal(pair("sky1 sea1")), "seen"),
        (table(2).starts(0), Reveal(pair("sky1 sky1")), "seen"),
        (table(2), Reveal(pair("sky1 sky2")), "phase"),
        (dealt(3), Reveal(pair("sky1 sky2")), "phase"),
        (dealt(4), Reveal(pair("sky1 sky2")), "phase"),
        (dealt(5).lays("sky3"), Reveal(pair("sky1 sky2")), "phase"),
    ],
)
def test_a_neutral_pair_comes_once_where_a_trick_of_two_begins(at: Table, event: Event, reason: str) -> None:
    assert at.refuses(event) == reason
