"""Ratings: Plackett and Luce's model, in order, for each kind of game and over all of them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from openskill.models import PlackettLuce, PlackettLuceRating

from companion.history.renamed_and_hidden import People
from companion.history.results import GameResult
from companion.history.statistics import MIN_GAMES, MU, NEW, SIGMA, Rating, rated
from tests.history import plain
from tests.history.random_results import random_results

COUNT = 150


@pytest.fixture(scope="module")
def results() -> list[GameResult]:
    return random_results(COUNT)


def plainly(results: list[GameResult]) -> dict[str, PlackettLuceRating]:
    """Return everybody's latest rating, worked out one call after the other."""
    model, latest = PlackettLuce(), dict[str, PlackettLuceRating]()
    for result in results:
        names = plain.who(result)
        of_sides = dict.fromkeys(frozenset(plain.partners(result, seat)) for seat in range(len(names)))
        seats = [sorted(side) for side in of_sides]
        teams = [[latest.get(names[seat]) or model.rating() for seat in side] for side in seats]
        after = model.rate(teams, ranks=[float(plain.rank(result, side[0])) for side in seats])
        for side, team in zip(seats, after, strict=True):
            latest |= zip([names[seat] for seat in side], team, strict=True)
    return latest


@pytest.mark.parametrize("game", [None, "gear", "eternity"])
def test_ratings_equal_a_plain_use_of_the_model(results: list[GameResult], game: str | None) -> None:
    ratings = rated(results, People())
    for name, rating in plainly([each for each in results if game in (None, each.game)]).items():
        (*_earlier, (_name, found)) = plain.rating_course(ratings, name, game)
        assert (found.mu, found.sigma) == pytest.approx((rating.mu, rating.sigma))
        assert found.games == len([each for each in results if name in plain.who(each) and game in (None, each.game)])


def test_the_course_of_a_rating_has_an_entry_for_each_game(results: list[GameResult]) -> None:
    ratings = rated(results, People())
    course = plain.rating_course(ratings, "zoë")
    assert [name for name, _rating in course] == [each.name for each, _seat in plain.games_of(results, "zoë")]
    assert [rating.games for _name, rating in course] == list(range(1, len(course) + 1))
    gear = plain.rating_course(ratings, "zoë", "gear")
    assert gear
    assert all(name.split("-")[1] == "gear" for name, _rating in gear)
    assert all(ratings.after(name, "zoë", one_game=True) == rating for name, rating in gear)


def test_winning_raises_and_losing_lowers_a_rating(results: list[GameResult]) -> None:
    ratings = rated(results, People())
    won = {each.name for each, seat in plain.games_of(results, "aki") if seat in each.winners}
    rises = {
        name for (_one, before), (name, after) in pairwise(plain.rating_course(ratings, "aki")) if after.mu > before.mu
    }
    assert len(rises & won) > len(won) / 2


def test_a_rating_is_shown_from_five_games_on() -> None:
    assert [Rating(MU, SIGMA, games).displayed for games in (0, MIN_GAMES - 1, MIN_GAMES)] == [None, None, 1000]


def test_a_stranger_and_an_unknown_game_have_a_newcomers_rating(results: list[GameResult]) -> None:
    ratings = rated(results, People())
    assert plain.rating_course(ratings, "nobody") == []
    assert ratings.after(results[0].name, "nobody") is NEW
    assert ratings.after("no game", "aki") is NEW


def test_a_renaming_keeps_the_rating(results: list[GameResult]) -> None:
    people = People().rename("Aki", "Akiko", COUNT // 2)
    before, after = rated(results[: COUNT // 2], People()), rated(results[: COUNT // 2], people)
    assert plain.rating_course(after, "akiko") == plain.rating_course(before, "aki")
