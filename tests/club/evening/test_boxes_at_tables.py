"""Boxes on the tables: who sits there, and a finished game as the table's result."""

from __future__ import annotations

import pytest

from companion.club.evening.boxes_at_tables import boxes_at, news_of_games, other_names, result_of_game, seat_calls
from companion.club.evening.evening_state import EntrantLeft, EveningError, TableResult, TablesMerged, TableVoid
from companion.club.evening.replay import follow
from companion.history.results import GameResult
from companion.ui.club import SeatCall
from tests.history.made import made

from .evenings import after, begun, replay, result, seated

ROUND = seated([3, 1, 2, 4], [5, 8, 6, 7])


def test_each_table_that_plays_is_called_with_its_names_by_seat() -> None:
    assert seat_calls(after()) == ()
    evening = after(ROUND, EntrantLeft(1))
    assert seat_calls(evening) == (
        SeatCall(1, 1, ("Cyr", "Bea", "Dai")),
        SeatCall(1, 2, ("Eve", "Hal", "Fay", "Gus")),
    )
    assert {call.ends for call in seat_calls(evening, ends=60.0)} == {60.0}
    assert [call.table for call in seat_calls(after(ROUND, result(1, 1, 2, 3, 4)))] == [2]


def test_a_finished_game_is_the_result_of_the_table_where_its_players_sit_in_any_order() -> None:
    game = made(players=("gus", "EVE", "Fay", "Hal"), scores=(4, 90, 30, 30), winners=(1,))
    moment = replay([*begun(), ROUND])
    entered = result_of_game(moment.evening, 1, game)
    assert entered == TableResult(1, 2, (90, 30, 30, 4), (1, 2, 2, 4))
    assert follow(moment, entered).evening.rounds[0].open_tables == (1,)


def test_partners_share_the_rank_of_their_side() -> None:
    game = made(
        game="gear",
        rules='{"teams":true}',
        players=("Aki", "Bea", "Cyr", "Dai"),
        scores=(10, 90, 10, 90),
        winners=(1, 3),
    )
    assert result_of_game(after(ROUND), 1, game).ranks == (2, 2, 1, 1)


def test_a_game_of_a_table_that_is_void_may_be_taken_as_its_result() -> None:
    game = made(players=("Eve", "Fay", "Gus", "Hal"), scores=(4, 3, 2, 1), winners=(0,))
    moment = replay([*begun(), ROUND, TableVoid(1, 2)])
    (proposed,) = news_of_games(moment.evening, {1: 5.0}, [(6.0, game)]).values()
    assert proposed.corrects  # so it is not among those that are taken all at once
    assert follow(moment, proposed).evening.rounds[0].table(2).points == proposed.points


def test_a_game_of_other_people_is_refused() -> None:
    for players in (("Aki", "Bea", "Cyr", "Eve"), ("Aki", "Bea", "Cyr")):
        with pytest.raises(EveningError, match=f"no table of round 1 has {', '.join(players)}"):
            result_of_game(after(ROUND), 1, made(players=players, scores=(1, 2, 3, 4)[: len(players)], winners=(0,)))


def test_a_game_that_is_corrected_after_its_result_was_taken_is_proposed_again() -> None:
    def game(points: int) -> GameResult:
        return made(players=("Cyr", "Aki", "Bea", "Dai"), scores=(points, 0, 0, 0), winners=(0,))

    taken = after(ROUND, result(1, 300, 0, 0, 0))
    assert news_of_games(taken, {1: 5.0}, [(6.0, game(300))]) == {}
    corrected = news_of_games(taken, {1: 5.0}, [(6.0, game(30))])
    assert corrected == {(1, 1): TableResult(1, 1, (30, 0, 0, 0), (1, 2, 2, 2), corrects=True)}
    after_it = [(6.0, game(300)), (7.0, game(4))]  # the same people go on for fun
    assert news_of_games(taken, {1: 5.0}, after_it) == {}
    assert news_of_games(taken, {1: 5.0}, [(4.0, game(30))]) == {}  # begun before the draw


def test_a_table_has_the_box_that_stands_there_else_the_next_that_is_free() -> None:
    shown = after(ROUND).rounds[0]
    assert boxes_at(shown, ["a", "b", "c"], {}) == {1: "a", 2: "b"}
    assert boxes_at(shown, ["a", "b", "c"], {2: "a"}) == {1: "b", 2: "a"}
    assert boxes_at(shown, ["a"], {2: "gone"}) == {1: "a"}
    assert boxes_at(shown, ["a", "b"], {1: ""}) == {1: "", 2: "a"}  # no box is to stand there
    merged = after(ROUND, EntrantLeft(1), EntrantLeft(2), EntrantLeft(3), TablesMerged(2, 1)).rounds[0]
    assert boxes_at(merged, ["a", "b"], {2: "a"}) == {1: "b", 2: "a"}  # it is still at the table that was the last
    assert boxes_at(shown, ["a", "b"], {9: "a"}) == {1: "a", 2: "b"}  # a table that this round does not have


def test_a_game_with_a_misspelt_name_is_a_hint_at_its_table() -> None:
    evening = after(ROUND)

    def hints(*players: str, at: float = 6.0) -> dict[int, str]:
        game = made(players=players, scores=(4, 90, 30, 30)[: len(players)], winners=(1,))
        return other_names(evening, {1: 5.0}, [(at, game)])

    assert hints("Cyr", "Akki", "Bea", "Dai") == {1: "Akki"}
    assert hints("Cyr", "Aki", "Bea", "Dai") == {}
    assert hints("Cyr", "Akki", "Bea", "Dai", at=4.0) == {}  # begun before the draw
    assert hints("Cyr", "Xia", "Yan", "Zoe") == {}  # other people
    assert hints("Cyr", "Akki", "Bea") == {}
