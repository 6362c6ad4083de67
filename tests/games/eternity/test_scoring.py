"""Eternity: harmony bonus, scores in a game to a target, next starter, end of the game."""

from __future__ import annotations

import pytest

from companion.games.eternity.options import Rules
from companion.games.eternity.round_end import bonus, points
from companion.games.kit.options import Ending

from .tables import TARGET, Table, dealt, table

NONE = "0 0 0 0"
LEVEL = "3 3 2 2"  # of four players, each with as many trees, everybody in harmony


@pytest.mark.parametrize(
    ("tricks", "trees", "earned"),
    [
        (5, 3, 3),  # more tricks than trees: the trees
        (5, 0, 0),
        (3, 5, 0),  # fewer: nothing
        (0, 1, 0),
        (4, 4, 6),  # as many: the trees and the bonus
        (1, 1, 3),
        (0, 0, 2),  # none and none are as many, too
    ],
)
def test_trees_count_where_tricks_bear_them(tricks: int, trees: int, earned: int) -> None:
    assert points(Rules(), 1, (tricks,), (trees,)) == (earned,)


def test_harmony_is_worth_more_every_round() -> None:
    assert [bonus(Rules(), number) for number in (1, 2, 3)] == [2, 4, 7]
    assert [bonus(Rules(ending=TARGET), number) for number in (1, 2, 3, 4, 12)] == [3, 3, 3, 3, 3]


def test_a_round_is_written_down_and_the_next_one_opens_at_once() -> None:
    done = table().round("4 3 2 1", "3 3 3 0", last=1)
    assert done.state.rounds == ((3, 5, 0, 0),)
    assert done.state.sheets == (((4, 3, 2, 1), (3, 3, 3, 0)),)
    assert (done.state.phase, done.state.round, done.state.trick) == ("deal", 2, 1)
    assert done.state.tricks == done.state.trees == (0, 0, 0, 0)
    assert (done.state.leader, done.state.dealer) == (1, 1)


def test_totals_are_the_sum_of_the_rounds() -> None:
    done = table().round(LEVEL, LEVEL, last=0).round("4 4 1 1", "3 4 2 1", last=0)
    assert done.state.rounds == ((5, 5, 4, 4), (3, 8, 0, 5))
    assert done.state.totals == (8, 13, 4, 9)


def test_a_round_played_card_by_card_is_scored_after_its_last_trick() -> None:
    running = dealt().trick(1, "2 sea5").tricks(1, 1, 1, 1, 3, 3, 3, 0)
    assert (running.state.round, running.state.trick) == (1, 10)
    done = running.lays("sky4 sky3 sky2 sky1")
    assert (done.state.round, done.state.trick) == (2, 1)
    assert done.state.rounds == ((0, 0, 0, 0),)
    assert done.state.sheets == (((2, 5, 0, 3), (0, 0, 1, 0)),)
    assert done.state.last_trick is None
    assert done.state.seen == 0


@pytest.mark.parametrize(("seats", "count"), [(2, 7), (3, 10), (4, 10), (5, 8)])
def test_a_round_ends_after_its_number_of_tricks(seats: int, count: int) -> None:
    running = dealt(seats).tricks(*[0] * (count - 1))
    assert (running.state.round, running.state.trick) == (1, count)
    assert running.tricks(0).state.round == 2


# Who starts the next round


def test_in_the_japanese_game_the_winner_of_the_last_trick_starts() -> None:
    by_tricks = dealt(leader=3).tricks(0, 0, 0, 0, 0, 0, 0, 0, 0, 2)
    assert (by_tricks.state.phase, by_tricks.state.leader) == ("deal", 2)
    by_round = table().round("1 2 3 4", NONE, last=1)
    assert (by_round.state.phase, by_round.state.leader) == ("deal", 1)


def test_where_nobody_said_who_won_it_those_with_a_trick_may_start() -> None:
    asked = table().round("4 0 3 3", NONE)
    assert (asked.state.phase, asked.state.may_start) == ("start", (0, 2, 3))
    assert (asked.state.leader, asked.state.dealer, asked.state.turn) == (None, None, None)
    assert asked.starts(3).state.dealer == 3


def test_who_has_all_the_tricks_won_the_last_one() -> None:
    done = table().round("0 10 0 0", NONE)
    assert (done.state.phase, done.state.leader, done.state.may_start) == ("deal", 1, None)


def test_in_the_french_game_the_fewest_points_of_the_round_start() -> None:
    done = table(edition="fr").round("4 3 2 1", "1 2 1 1", last=0)
    assert done.state.rounds == ((1, 2, 1, 3),)
    assert (done.state.phase, done.state.may_start) == ("start", (0, 2))
    alone = table(edition="fr").round("4 3 2 1", "2 2 1 1", last=0)
    assert (alone.state.phase, alone.state.leader) == ("deal", 2)


def test_the_round_before_counts_and_not_the_game() -> None:
    first = table(edition="fr").round("10 0 0 0", "0 1 0 0")
    assert first.state.may_start == (0, 1)
    second = first.round("4 3 2 1", "4 2 1 3")
    assert second.state.totals == (8, 2, 3, 2)
    assert second.state.rounds[1] == (8, 2, 1, 0)
    assert second.state.leader == 3


def test_a_round_where_all_are_level_may_be_started_by_anybody() -> None:
    assert table(edition="fr").round("4 3 2 1", NONE).state.may_start == (0, 1, 2, 3)


def test_before_a_targets_cut_it_is_judged_who_has_fewest() -> None:
    done = table(edition="fr", ending=TARGET).round("4 3 2 1", "4 2 1 1")
    assert done.state.rounds == ((7, 0, 0, 0),)  # 7, 2, 1, 4 before the cut
    assert done.state.leader == 2


def test_rounds_played_by_cards_find_their_french_starter_too() -> None:
    done = dealt(3, edition="fr").trick(0, "1 sea10").tricks(0, 0, 0, 0, 0, 0, 0, 0, 2)
    assert done.state.rounds == ((0, 0, 0),)
    assert done.state.may_start == (0, 1, 2)


# The end


def three_rounds(*rounds: tuple[str, str]) -> Table:
    """Return a Japanese game after these whole rounds."""
    played = table()
    for tricks, trees in rounds:
        played = played.round(tricks, trees)
    return played


def test_after_three_rounds_the_highest_total_wins() -> None:
    over = three_rounds((LEVEL, NONE), (LEVEL, NONE), (LEVEL, "3 0 0 0"))
    assert over.state.phase == "over"
    assert over.state.winners == (0,)
    assert (over.state.round, over.state.trick) == (3, 10)
    assert (over.state.turn, over.state.leader, over.state.may_start) == (None, None, None)
    assert over.state.tricks == (3, 3, 2, 2)
    assert over.state.trees == (3, 0, 0, 0)


def test_a_tie_is_broken_by_the_last_round() -> None:
    over = three_rounds((LEVEL, "2 0 0 1"), (LEVEL, "0 1 0 1"), (LEVEL, "0 1 0 0"))
    assert over.state.totals == (2, 2, 0, 2)
    assert over.state.winners == (1,)


def test_the_last_round_breaks_only_ties_of_the_highest() -> None:
    over = three_rounds((LEVEL, "2 0 0 0"), (LEVEL, NONE), (LEVEL, "0 1 0 0"))
    assert over.state.totals == (2, 1, 0, 0)
    assert over.state.winners == (0,)


def test_those_still_tied_share_the_win() -> None:
    over = three_rounds((LEVEL, "1 0 0 1"), (LEVEL, NONE), (LEVEL, "1 0 1 1"))
    assert over.state.totals == (2, 0, 1, 2)
    assert over.state.winners == (0, 3)


def test_without_any_points_all_share_the_win() -> None:
    assert three_rounds((LEVEL, NONE), (LEVEL, NONE), (LEVEL, NONE)).state.winners == (0, 1, 2, 3)


def test_the_third_round_can_end_by_its_cards() -> None:
    running = table().round(LEVEL, NONE, last=2).round(LEVEL, NONE, last=2)
    over = running.deals("sea1 sky1").tricks(*[2] * 9).lays("sea5 sea6 sea7 sea8")
    assert (over.state.phase, over.state.trick, over.state.dealer) == ("over", 10, 2)
    assert over.state.last_trick is not None
    assert over.state.tricks == (0, 1, 9, 0)


def test_in_a_game_to_a_target_only_the_best_of_a_round_keep_their_points() -> None:
    game = table(ending=TARGET).round(LEVEL, "3 3 1 1")
    assert game.state.rounds == ((6, 6, 0, 0),)
    assert game.round("6 1 2 1", "8 2 1 1").state.rounds[1] == (0, 0, 0, 4)


def test_it_goes_on_until_somebody_has_reached_the_target() -> None:
    game = table(ending=Ending(target=9))
    for _ in range(2):
        game = game.round(LEVEL, "2 0 0 1", last=0)
        game = game.round(LEVEL, "0 2 0 1", last=0)
    assert (game.state.round, game.state.totals) == (5, (4, 4, 0, 0))
    nearly = game.round("4 2 2 2", "4 3 0 0", last=0)
    assert nearly.state.totals == (11, 4, 0, 0)
    assert (nearly.state.phase, nearly.state.winners) == ("over", (0,))


@pytest.mark.parametrize(("target", "over"), [(4, True), (5, True), (6, False)])
def test_a_target_is_reached_when_it_is_met(target: int, over: bool) -> None:
    game = table(ending=Ending(target=target)).round("7 2 1 0", "5 3 2 1")
    assert (game.state.phase == "over") == over


def test_a_target_reached_by_several_goes_to_the_highest_then_to_the_last_round() -> None:
    game = table(ending=Ending(target=6)).round("4 2 2 2", "5 2 1 0", last=0)
    assert game.state.totals == (0, 5, 0, 0)
    both = game.round("4 4 1 1", "5 5 1 2", last=0).round("1 1 4 4", "1 1 2 2", last=0)
    assert both.state.totals == (4, 9, 4, 0)
    assert both.state.winners == (1,)
    shared = table(ending=Ending(target=6)).round("3 3 2 2", "3 3 0 0")
    assert (shared.state.totals, shared.state.winners) == ((6, 6, 0, 0), (0, 1))
