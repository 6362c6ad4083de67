"""Eternity: the trump by longest column and leftmost tile, and its forecast, after every trick."""

from __future__ import annotations

import pytest

from companion.games.eternity.cards import DECK, SUITS
from companion.games.eternity.state import Columns, forecast, snapshot, trump_by
from companion.games.kit.options import Ending

from .tables import cards, dealt, table, tiles

LEFT_TO_RIGHT = {"sea sky earth": (0, 1, 2), "earth sky sea": (2, 1, 0), "sky earth sea": (1, 2, 0)}
COUNTS = [
    # columns of sea, sky, earth · tiles · trump · cards each suit needs to become trump
    ((0, 0, 0), "sea sky earth", None, (1, 1, 1)),
    ((0, 0, 0), "sky earth sea", None, (1, 1, 1)),
    ((1, 1, 0), "sea sky earth", "sea", (0, 1, 2)),
    ((1, 1, 0), "earth sky sea", "sky", (1, 0, 1)),
    ((1, 1, 1), "sky earth sea", "sky", (1, 0, 1)),
    ((2, 0, 0), "sea sky earth", "sea", (0, 3, 3)),
    ((2, 0, 0), "earth sky sea", "sea", (0, 2, 2)),
    ((0, 2, 0), "sky earth sea", "sky", (3, 0, 3)),
    ((0, 2, 0), "sea sky earth", "sky", (2, 0, 3)),
    ((3, 2, 4), "sea sky earth", "earth", (1, 2, 0)),
    ((3, 2, 4), "earth sky sea", "earth", (2, 3, 0)),
    ((5, 1, 2), "sea sky earth", "sea", (0, 5, 4)),
    ((2, 3, 3), "sky earth sea", "sky", (2, 0, 1)),
]


def columns(counts: tuple[int, ...]) -> Columns:
    """Return columns with these numbers of cards."""
    sea, sky, earth = (
        tuple(card for card in DECK if card.suit is suit)[:count] for suit, count in zip(SUITS, counts, strict=True)
    )
    return sea, sky, earth


@pytest.mark.parametrize(("counts", "order", "trump", "more"), COUNTS)
def test_the_longest_column_is_trump_and_the_forecast_says_what_the_others_lack(
    counts: tuple[int, ...], order: str, trump: str | None, more: tuple[int, ...]
) -> None:
    found = trump_by(columns(counts), LEFT_TO_RIGHT[order])
    assert (found and found.name) == trump
    assert forecast(columns(counts), LEFT_TO_RIGHT[order]) == more


@pytest.mark.parametrize("order", LEFT_TO_RIGHT.values())
@pytest.mark.parametrize("counts", [counts for counts, *_ in COUNTS])
def test_so_many_more_cards_and_not_one_fewer_make_a_suit_trump(
    counts: tuple[int, int, int], order: tuple[int, ...]
) -> None:
    for place, more in enumerate(forecast(columns(counts), order)):
        for extra, is_trump in ((more, True), (more - 1, False)):
            if extra >= 0 and sum(counts) + extra > 0:
                grown = tuple(count + extra * (other == place) for other, count in enumerate(counts))
                assert (trump_by(columns(grown), order) is SUITS[place]) == is_trump


def test_a_tie_goes_to_the_leftmost_tile() -> None:
    assert dealt(board="sky1 sea14").trump == "sea"
    assert dealt(board="sky1 sea14", tiles=tiles("sky sea earth")).trump == "sky"
    assert dealt(board="sky1 sea14", tiles=tiles("earth sky sea")).trump == "sky"


def test_ranks_never_matter_for_the_trump() -> None:
    assert dealt(board="earth1 sky14").trump == "sky"
    assert dealt(board="earth14 sky1").trump == "sky"


def test_before_the_deal_there_is_no_trump() -> None:
    opened = table().starts(0)
    assert opened.trump is None
    assert snapshot(table().state)["trump"] is None
    assert snapshot(opened.state)["forecast"] == {"sea": 1, "sky": 1, "earth": 1}


def test_the_cards_of_the_deal_lie_under_their_tiles_in_the_order_they_came() -> None:
    assert dealt(board="sky9 sky3").state.columns == ((), cards("sky9 sky3"), ())
    assert dealt(board="sky9 sea3").state.columns == (cards("sea3"), cards("sky9"), ())


def test_the_open_cards_of_three_players_are_in_no_column() -> None:
    shown = "earth1 earth2 earth3 earth4 earth5 earth6 earth7 earth8 earth9 earth10"
    opened = table(3).starts(0).deals("sea1 sky1", shown)
    assert opened.trump == "sea"
    assert opened.state.columns == (cards("sea1"), cards("sky1"), ())


def test_pledges_join_the_columns_after_the_trick_and_not_before() -> None:
    running = dealt(board="sea1 sky1").lays("sea4 +sky9 sea5")
    assert running.state.columns == (cards("sea1"), cards("sky1"), ())
    assert running.trump == "sea"
    done = running.lays("sea6")
    assert done.state.columns == (cards("sea1"), cards("sky1 sky9"), ())
    assert done.trump == "sky"


def test_cards_of_a_trick_never_join_the_columns() -> None:
    done = dealt(board="sea1 sky1").lays("earth4 earth5 earth6 earth7")
    assert done.state.columns == (cards("sea1"), cards("sky1"), ())
    assert done.trump == "sea"


def test_two_pledges_of_one_trick_join_in_the_order_made() -> None:
    done = dealt(5, board="sea1 sky1").lays("sea4 +earth9 sea5 +earth2 sea6")
    assert done.state.columns == (cards("sea1"), cards("sky1"), cards("earth9 earth2"))
    assert done.trump == "earth"


def test_a_trick_is_judged_by_the_trump_it_began_with() -> None:
    done = dealt(board="sea1 sky1", leader=1).lays("earth4 +sky9 sky14 sea2")
    assert done.trump == "sky"
    assert done.state.leader == 0  # sea was trump when the trick began


def test_the_pledges_of_a_whole_trick_join_the_columns_too() -> None:
    done = dealt(5, board="sea1 sky1").trick(0, "3 earth9", "1 earth2")
    assert done.state.columns[2] == cards("earth9 earth2")
    assert done.trump == "earth"


def test_the_columns_begin_anew_every_round() -> None:
    opened = dealt(board="sea1 sky1").trick(1, "2 sea5").round("3 3 2 2", "0 0 0 0", last=1)
    assert opened.state.columns == ((), (), ())
    assert opened.trump is None


# Two players


def test_the_first_neutral_pair_goes_into_the_columns_at_once() -> None:
    opened = table(2).starts(1)
    assert (opened.state.phase, opened.state.turn) == ("reveal", 1)
    turned = opened.turns_up("earth3 earth9")
    assert (turned.state.phase, turned.trump) == ("play", "earth")
    assert turned.state.columns == ((), (), cards("earth3 earth9"))


def test_later_neutral_pairs_are_set_aside() -> None:
    second = dealt(2).lays("sky4 sky5 sky6 sky7")
    assert second.state.phase == "play"
    turned = second.turns_up("earth1 earth2")
    assert turned.state.columns == second.state.columns
    after = turned.lays("sky8 sky9 sky10 sky11")
    assert after.state.columns == second.state.columns
    assert after.state.phase == "play"


def test_a_later_pair_may_be_left_face_down() -> None:
    assert dealt(2).lays("sky4 sky5 sky6 sky7").lays("sky8 sky9 sky10 sky11").state.trick == 3


def test_or_later_pairs_join_the_columns_when_the_trick_ends_after_its_pledges() -> None:
    second = dealt(2, neutral="columns").lays("sky4 sky5 sky6 sky7")
    assert second.state.phase == "reveal"
    turned = second.turns_up("earth1 earth2")
    assert turned.state.columns == (cards("sea1 sea2"), (), ())
    running = turned.lays("sky8 +earth9 sky10")
    assert (running.trump, running.state.columns[2]) == ("sea", ())
    after = running.lays("sky11")
    assert after.state.columns == (cards("sea1 sea2"), (), cards("earth9 earth1 earth2"))
    assert (after.state.phase, after.trump) == ("reveal", "earth")


def test_a_pair_joins_the_columns_after_a_whole_trick_too_and_only_once() -> None:
    third = dealt(2, neutral="columns").trick(0).turns_up("earth1 earth2").trick(1)
    assert third.state.columns[2] == cards("earth1 earth2")
    fourth = third.turns_up("sky1 sky2").trick(1)
    assert fourth.state.columns == (cards("sea1 sea2"), cards("sky1 sky2"), cards("earth1 earth2"))


def test_no_pair_lies_there_when_a_trick_begins() -> None:
    assert dealt(2).trick(0).state.pair == ()
    assert dealt(2, neutral="columns").trick(0).state.pair == ()
    assert dealt(2, neutral="columns").trick(0).turns_up("sky1 sky2").trick(0).state.pair == ()


def test_the_pair_of_the_first_trick_does_not_join_twice() -> None:
    assert dealt(2, neutral="columns").trick(0).state.columns == (cards("sea1 sea2"), (), ())


def test_the_pair_of_the_last_trick_joins_before_the_game_ends() -> None:
    ended = dealt(2, neutral="columns", ending=Ending(target=1))
    for number in range(2, 8):
        ended = ended.trick(0).turns_up(f"earth{number} sky{number}")
    over = ended.trick(0, "0 sea14")
    assert over.state.phase == "over"
    assert over.state.columns[0] == cards("sea1 sea2 sea14")
    assert over.state.pair == ()
    assert len(over.state.columns[1]) == len(over.state.columns[2]) == 6
    assert over.trump == "sky"


def test_the_trump_at_the_end_of_the_game_is_that_of_the_last_pledges_too() -> None:
    last = dealt(board="sea1 sky1", ending=Ending(target=1)).tricks(*[0] * 9)
    assert last.trump == "sea"
    over = last.trick(0, "1 sky2")
    assert (over.state.phase, over.trump) == ("over", "sky")
