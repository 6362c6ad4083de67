"""Hipparchus: whole tricks, and rounds with unknown hands."""

from __future__ import annotations

import pytest

from companion.core.events import Event
from companion.games.hipparchus.events import CannotPlay, EndRound
from companion.games.hipparchus.state import snapshot

from .tables import LEFT_2_5, NEARLY, led, play, table, trick


def test_then_the_hands_are_not_known_any_more() -> None:
    at = led().lays("moon3 moon1").trick(1, "moon3")
    assert snapshot(at.state)["left"] == (None, None)
    after = at.lays("sun2 sun1")
    assert snapshot(after.state)["left"] == (None, None)
    assert after.state.last_trick is not None


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", "captured"),
        ("sun0", "captured"),
        ("sun2", "captured"),
        ("sun6", "captured"),
        ("sun4 moon1", "captured"),
        ("moon1 earth4", "captured"),
        ("sun1 moon1 earth1", "captured"),
        ("sun-1 moon3", "captured"),
        ("sun-1", "captured"),
    ],
)
def test_and_nothing_else(words: str, reason: str) -> None:
    assert led().refuses(trick(0, words)) == reason


def test_a_suit_has_ten_cards() -> None:
    at = led().trick(0, "sun5").trick(1, "sun3 moon1")
    assert at.refuses(trick(0, "sun3")) == "suit"
    assert at.refuses(trick(0, "sun3 moon1")) == "suit"
    assert at.refuses(play(1, "sun3")) == "suit"
    assert at.lays("sun2 moon1").state.captured[1] == (3, 1, 0)


def test_two_of_the_thirty_cards_were_not_dealt() -> None:
    at = led()
    for winner, words in NEARLY:
        at = at.trick(winner, words)
    assert at.refuses(trick(0, "earth3")) == "dealt"
    assert at.refuses(play(0, "earth3")) == "dealt"
    assert at.lays("earth2").refuses(play(1, "earth1")) == "dealt"
    assert at.lays("earth2").stuck().state.round == 2


def test_a_hand_that_is_known_bounds_what_a_trick_can_be() -> None:
    at = led().lays("sun3 sun2 moon3 moon2 earth3 earth2 sun3 sun1")
    assert at.state.left == (2, 7)
    assert at.refuses(trick(1, "moon3 earth3")) == "hand"
    assert at.refuses(trick(0, "moon4")) == "hand"  # more cards win: three of them
    assert at.trick(1, "moon4").state.leader == 1
    assert at.trick(1, "moon2 earth3").state.leader == 1


def test_of_four_cards_of_a_suit_who_lost_laid_one_and_who_won_three() -> None:
    at = led().lays("sun3 sun2 moon3 moon2 earth3 earth2 sun2 sun1 earth2 earth1")
    assert at.state.left == (1, 6)
    assert at.trick(1, "moon4").state.leader == 1
    assert at.refuses(trick(1, "moon5")) == "hand"  # two of them would be the loser's
    other = led().lays("sun3 sun2 moon3 moon2 earth3 earth2 sun2 sun1")
    assert other.state.left == (3, 7)
    assert other.trick(0, "moon4").state.leader == 0


@pytest.mark.parametrize("leader", [0, 1])
def test_of_two_suits_the_larger_number_may_be_anybodys_who_has_so_many(leader: int) -> None:
    at = led(leader).lays("sun3 sun2 moon3 moon2 earth3 earth2 sun2 sun1 earth2 earth1")
    assert at.state.left[leader] == 1
    assert at.trick(1 - leader, "sun1 moon3").state.leader == 1 - leader
    assert at.trick(1 - leader, "moon3 earth1").state.leader == 1 - leader
    assert at.refuses(trick(1 - leader, "moon3 earth2")) == "hand"


@pytest.mark.parametrize("leader", [0, 1])
@pytest.mark.parametrize("words", ["sun1 moon1", "moon3 earth3", "sun3 earth1"])
def test_who_would_have_lost_a_trick_by_the_piles_has_not_won_it(leader: int, words: str) -> None:
    assert led(leader).refuses(trick(leader, words)) == "winner"  # nobody has captured any: the second player wins
    assert led(leader).trick(1 - leader, words).state.leader == 1 - leader


def test_where_it_matters_who_laid_which_suit_either_can_have_won() -> None:
    at = led().trick(1, "sun5").trick(0, "moon3")
    assert at.state.captured == ((0, 3, 0), (5, 0, 0))
    assert at.trick(0, "sun1 earth1").state.leader == 0  # earth was led: 0 of it against 5 of the sun
    assert at.trick(1, "sun1 earth1").state.leader == 1  # the sun was led: 0 of it against 0 of the earth
    assert at.refuses(trick(0, "moon1 earth1")) == "winner"  # 3 to 0 or 0 to 0
    assert at.trick(1, "moon1 earth1").state.leader == 1


def test_the_piles_count_as_they_were_before_the_trick() -> None:
    at = led().trick(1, "sun3").trick(0, "moon3")
    assert at.state.captured == ((0, 3, 0), (3, 0, 0))
    assert at.refuses(trick(0, "moon3 sun3")) == at.refuses(trick(0, "moon3 sun1")) == "winner"  # 3 to 3, or 0 to 0
    assert at.trick(0, "earth1 sun3").state.captured == ((3, 3, 1), (3, 0, 0))


def test_who_laid_which_suit_is_bounded_by_the_piles_and_the_hands_together() -> None:
    at = led().lays(LEFT_2_5)
    assert (at.state.left, at.state.captured) == ((2, 5), ((3, 6, 3), (4, 3, 2)))
    assert at.trick(0, "sun3 earth2").state.leader == 0  # 3 of the earth against 4 of the sun
    assert at.refuses(trick(0, "sun2 earth3")) == "hand"
    assert at.trick(1, "sun2 earth3").state.leader == 1  # 3 of the sun against 2 of the earth
    assert at.refuses(trick(1, "sun3 earth2")) == "hand"


def test_the_plays_of_a_player_are_fourteen_at_most_with_whole_tricks_among_them() -> None:
    at = led().lays("sun3 sun2 moon3 moon2 earth3 earth2 sun3 sun1").trick(0, "earth3")
    assert at.refuses(play(0, "moon3")) == "hand"
    assert at.refuses(trick(0, "moon4")) == "hand"
    assert at.lays("moon2").state.turn == 1


# The end of such a round


@pytest.mark.parametrize("words", ["", "earth2"], ids=["before the lead", "after the lead"])
def test_stuck_serves_as_well(words: str) -> None:
    at = led(1).trick(0, "moon3 sun1").lays(words)
    assert at.stuck() == at.ends()
    assert at.stuck().state.sheets == (((1, 3, 0), (0, 0, 0)),)
    assert at.refuses(CannotPlay(0)) == "turn"  # the leader can always lay
    assert at.refuses(CannotPlay(2)) == "seat"


@pytest.mark.parametrize(("event", "reason"), [(EndRound(), "known"), (CannotPlay(0), "lead"), (CannotPlay(1), "lead")])
def test_the_next_round_is_followed_closely_again(event: Event, reason: str) -> None:
    at = table().round("3 3 3", "2 2 2").trick(0, "moon3").ends()
    assert at.state.round == 3
    assert at.refuses(event) == reason


@pytest.mark.parametrize("event", [EndRound(), CannotPlay(1)])
def test_a_lead_is_gone_when_the_game_is_over(event: Event) -> None:
    at = table().round("3 3 3", "2 2 2").trick(1, "sun3").trick(0, "sun5").lays("moon2")
    over = at.enters(event).state
    assert (over.phase, over.table, over.captured) == ("over", (), ((5, 0, 0), (3, 0, 0)))
    assert (over.leader, over.turn, snapshot(over)["left"]) == (None, None, (None, None))


def test_it_never_ends_by_itself() -> None:
    assert led(1).trick(0, "sun3 moon1").state.known is False
    at = led(1).trick(0, "sun3 moon1").lays("moon3 moon2 earth3 earth2 sun3 sun1 earth3 earth2 moon2 moon1")
    assert (at.state.round, at.state.left[0]) == (1, 0)
    assert at.ends().state.round == 2
