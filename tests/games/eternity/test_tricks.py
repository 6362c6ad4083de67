"""Eternity: a trick: turn order, pledges, winner."""

from __future__ import annotations

import pytest

from companion.core.events import Event
from companion.games.eternity.events import Play, Pledge, Reveal
from companion.games.eternity.state import Laid
from companion.games.kit.trick_report import LastTrick

from .tables import Table, card, dealt, pair, table

# Turns


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_players_lay_clockwise_from_the_leader(seats: int) -> None:
    running = dealt(seats, leader=seats - 1)
    turns = []
    for rank in range(3, 3 + seats):
        turns.append(running.state.turn)
        running = running.lays(f"sky{rank}")
    assert turns == [seats - 1, *range(seats - 1)]


@pytest.mark.parametrize(("leader", "turns"), [(0, [0, 1, 1, 0]), (1, [1, 0, 0, 1])])
def test_two_players_lay_four_cards_in_the_order_a_b_b_a(leader: int, turns: list[int]) -> None:
    running = dealt(2, leader=leader)
    found = []
    for rank in range(3, 7):
        found.append(running.state.turn)
        running = running.lays(f"sky{rank}")
    assert found == turns
    assert running.state.trick == 2


def test_it_is_nobodys_turn_before_the_deal() -> None:
    assert table().state.turn is None
    assert table().starts(2).state.turn is None
    assert table(2).starts(1).state.turn == 1  # who leads turns the neutral pair up


def test_the_winner_leads_the_next_trick() -> None:
    done = dealt().lays("sky4 sky9 sky5 sky6")
    assert (done.state.leader, done.state.turn, done.state.trick) == (1, 1, 2)
    assert done.state.dealer == 0


# The winner


@pytest.mark.parametrize(
    ("laid", "winner"),
    [
        ("sky4 sky9 sky5 sky6", 1),  # the highest card of the led suit
        ("sky4 earth14 earth13 sky3", 0),  # a high card of another suit is worth nothing
        ("sky14 sea3 sky13 sky12", 1),  # the lowest trump beats the led suit
        ("sky14 sea3 sea5 sea4", 2),  # the highest of several trumps
        ("sea3 sky14 earth14 sea4", 3),  # the trump was led
        ("sky4 +sky14 sky5 sky6", 3),  # a pledge is no part of the trick
        ("sky4 +sea14 sky5 sky6", 3),
        ("sky9 earth3 earth4 +sea9", 0),
    ],
)
def test_the_highest_trump_wins_else_the_highest_of_the_led_suit(laid: str, winner: int) -> None:
    done = dealt().lays(laid)
    assert done.state.leader == winner
    assert done.state.tricks == tuple(int(seat == winner) for seat in range(4))


@pytest.mark.parametrize(
    ("laid", "winner"),
    [
        ("sky4 sky9 sky5 sky10", 0),
        ("sky4 sky3 sky9 sky5", 1),
        ("sky4 sky9 +sky14 sky5", 1),
        ("sky9 +sea9 sky8 sky3", 0),
    ],
)
def test_with_two_players_the_best_of_four_cards_wins(laid: str, winner: int) -> None:
    assert dealt(2).lays(laid).state.leader == winner


def test_the_last_trick_stays_to_be_seen_and_the_table_is_empty() -> None:
    done = dealt(3).lays("sky4 +sky14 sky6")
    laid = (Laid(0, card("sky4"), False), Laid(1, card("sky14"), True), Laid(2, card("sky6"), False))
    assert done.state.last_trick == LastTrick(laid, 2)
    assert done.state.table == ()
    assert done.lays("sky7").state.last_trick == LastTrick(laid, 2)
    assert done.trick(0).state.last_trick is None


# Pledges


@pytest.mark.parametrize(("word", "trees"), [("sky4", 0), ("sky5", 1), ("sky9", 1), ("sky10", 2), ("sky14", 2)])
def test_a_pledge_takes_its_trees_at_once(word: str, trees: int) -> None:
    assert dealt().lays(f"sky3 +{word}").state.trees == (0, trees, 0, 0)


def test_trees_add_up_over_the_round() -> None:
    assert dealt().lays("sky3 +sky10 sky1 sky2").lays("sky4 +sky11 sky5 sky6").state.trees == (0, 4, 0, 0)


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


@pytest.mark.parametrize(
    ("laid", "trees"),
    [
        ("sky3 +sky9 sky4 sky5", (0, 1)),  # B's first card
        ("sky3 sky4 +sky9 sky5", (0, 1)),  # B's second
        ("sky3 sky4 sky5 +sky9", (1, 0)),  # A's second
    ],
)
def test_with_two_players_a_may_pledge_the_second_card_and_b_either(laid: str, trees: tuple[int, ...]) -> None:
    assert dealt(2).lays(laid).state.trees == trees


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


def test_a_new_round_begins_with_a_full_deck() -> None:
    again = dealt().lays("sky3").round("4 2 2 2", "0 0 0 0", last=0).deals("sky3 sea1")
    assert again.lays("sea2").state.turn == 1


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
