"""The ranking of an evening: shares of ranks and points, direct meetings, the best single table, shared places."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.evening.evening_state import ClubEvening, EntrantLeft, Event, SeatedTable, TableResult
from companion.club.evening.ranking import ranking, table_shares
from companion.club.evening.replay import Moment
from companion.core.game import Best

from .evenings import NAMES, after, moments, replay, result, seated
from .test_replay import events_of

HALF, HIGHEST, LOWEST = Fraction(1, 2), Best.HIGHEST, Best.LOWEST


def places(evening: ClubEvening) -> dict[str, int]:
    return {row.entrant.name: row.place for row in ranking(evening)}


def shares(points: tuple[int, ...], best: Best, ranks: tuple[int, ...] = ()) -> list[tuple[str, str]]:
    found = table_shares(SeatedTable(1, tuple(range(len(points))), points, ranks), best)
    return [(str(rank), str(own)) for rank, own in found.values()]


@pytest.mark.parametrize(
    ("points", "best", "found"),
    [
        ((30, 20, 10), HIGHEST, [("1", "1"), ("1/2", "1/2"), ("0", "0")]),
        ((30, 20, 10), LOWEST, [("0", "0"), ("1/2", "1/2"), ("1", "1")]),
        ((-30, -20, -10), HIGHEST, [("0", "0"), ("1/2", "1/2"), ("1", "1")]),
        ((130, 120, 110), HIGHEST, [("1", "1"), ("1/2", "1/2"), ("0", "0")]),
        ((9, 0), HIGHEST, [("1", "1"), ("0", "0")]),
        ((20, 20, 0, -20), HIGHEST, [("5/6", "4/5"), ("5/6", "4/5"), ("1/3", "2/5"), ("0", "0")]),
        ((7, 7, 7, 7, 7), LOWEST, [("1/2", "1/2")] * 5),
        ((0, 8, 2, 2), LOWEST, [("1", "4/5"), ("0", "0"), ("1/2", "3/5"), ("1/2", "3/5")]),
    ],
)
def test_shares_of_a_table_worked_out_by_hand(
    points: tuple[int, ...], best: Best, found: list[tuple[str, str]]
) -> None:
    assert shares(points, best) == found


def test_ranks_that_do_not_follow_from_the_points_make_the_rank_share() -> None:
    ranks = [rank for rank, _points in shares((5, 9, 9), HIGHEST, (1, 2, 3))]
    assert ranks == ["1", "1/2", "0"]
    partners = [rank for rank, _points in shares((50, 10, 50, 10), HIGHEST, (1, 2, 1, 2))]
    assert partners == ["5/6", "1/6", "5/6", "1/6"]


@given(
    st.lists(st.integers(-1000, 1000), min_size=2, max_size=5),
    st.sampled_from(Best),
    st.integers(-500, 500),
    st.integers(1, 9),
)
def test_the_mean_of_every_table_is_a_half_wherever_its_points_begin_and_whatever_a_point_is_worth(
    points: list[int], best: Best, shift: int, worth: int
) -> None:
    found = table_shares(SeatedTable(1, tuple(range(len(points))), tuple(points)), best)
    moved = tuple(worth * own + shift for own in points)
    assert sum(rank for rank, _own in found.values()) == sum(own for _rank, own in found.values()) == len(points) * HALF
    assert table_shares(SeatedTable(1, tuple(range(len(points))), moved), best) == found


@given(moments(), st.randoms(use_true_random=False))
def test_the_ranking_does_not_depend_on_the_order_of_results(moment: Moment, random: Random) -> None:
    events, mixed, waiting = events_of(moment), list[Event](), list[Event]()
    for event in [*events, None]:
        if isinstance(event, TableResult):
            waiting.append(event)
            continue
        mixed += random.sample(waiting, len(waiting))
        waiting.clear()
        mixed += [] if event is None else [event]
    assert ranking(replay(mixed).evening) == ranking(moment.evening)


@given(moments())
def test_places_are_shared_by_those_who_are_level_and_others_are_counted_on(moment: Moment) -> None:
    rows = ranking(moment.evening)
    assert {row.entrant.number for row in rows} == set(moment.evening.present)
    merits = [(row.rank_share, row.points_share, row.direct, row.best_table) for row in rows]
    assert merits == sorted(merits, reverse=True)
    assert [row.place for row in rows] == [merits.index(merit) + 1 for merit in merits]


def test_the_rank_share_goes_before_the_points_share() -> None:
    evening = after(seated([1, 2, 3], [4, 5, 6]), result(1, 3, 2, 1), result(2, 10, 9, 0), players=NAMES[:6])
    assert places(evening) == {"Aki": 1, "Dai": 2, "Eve": 3, "Bea": 4, "Cyr": 5, "Fay": 5}


def test_a_direct_meeting_decides_between_equal_shares() -> None:
    evening = after(
        seated([1, 2, 3], [4, 5, 6]),
        result(1, 10, 5, 0),
        result(2, 10, 5, 0),
        seated([1, 5, 6], [2, 4, 3]),
        result(1, 5, 10, 0, round_=2),
        result(2, 10, 5, 0, round_=2),
        players=NAMES[:6],
    )
    # Aki, Bea, Dai and Eve have shares of 3/2 each. Aki beat Bea, Dai beat Eve, Eve beat Aki, Bea beat Dai: all level.
    assert places(evening) == {"Aki": 1, "Bea": 1, "Dai": 1, "Eve": 1, "Cyr": 5, "Fay": 5}
    met_once = after(
        seated([1, 2, 3], [4, 5, 6]),
        result(1, 10, 5, 0),
        result(2, 5, 10, 0),
        seated([2, 4, 6], [1, 5, 3]),
        result(1, 10, 0, 5, round_=2),
        result(2, 5, 5, 5, round_=2),
        players=NAMES[:6],
    )
    # Aki and Bea, and Eve, have 3/2; Aki beat Bea, and was level with Eve.
    assert [places(met_once)[name] for name in ("Aki", "Eve", "Bea")] == [1, 2, 3]


def test_a_direct_meeting_goes_before_the_best_single_table() -> None:
    evening = after(
        seated([3, 1, 2], [4, 5, 6]),
        result(1, 10, 5, 0),
        result(2, 10, 5, 0),
        seated([4, 1, 5], [2, 3, 6]),
        result(1, 10, 5, 0, round_=2),
        result(2, 10, 5, 0, round_=2),
        players=NAMES[:6],
    )
    # Aki came second twice, Bea last and first: shares of 1 each. Aki was ahead of Bea.
    assert (places(evening)["Aki"], places(evening)["Bea"]) == (3, 4)


def test_the_best_single_table_decides_between_those_who_are_level_in_their_meetings() -> None:
    evening = after(
        seated([1, 3, 4], [2, 5, 6]),
        result(1, 10, 5, 0),
        result(2, 5, 10, 0),
        seated([1, 5, 6], [2, 3, 4]),
        result(1, 0, 10, 5, round_=2),
        result(2, 5, 10, 0, round_=2),
        players=NAMES[:6],
    )
    # Aki came first and last, Bea second twice: shares of 1 each, and they never met.
    assert (places(evening)["Aki"], places(evening)["Bea"]) == (3, 4)


def test_a_bye_counts_a_half_and_a_missed_round_nothing() -> None:
    evening = after(seated([1, 2, 3, 4], byes=[5]), result(1, 4, 3, 2, 1), players=NAMES[:5])
    bye = next(row for row in ranking(evening) if row.byes)
    assert (bye.entrant.name, bye.place, bye.rank_share, bye.points_share, bye.tables) == ("Eve", 3, HALF, HALF, 0)
    left = after(seated([1, 2, 3, 4, 5]), EntrantLeft(1), result(1, 4, 3, 2, 1), players=NAMES[:5])
    assert places(left) == {"Bea": 1, "Cyr": 2, "Dai": 3, "Eve": 4}, "who leaves before the first result is not ranked"


def test_who_leaves_later_keeps_the_shares() -> None:
    evening = after(seated([1, 2, 3]), result(1, 4, 3, 2), EntrantLeft(1), players=NAMES[:3])
    assert places(evening)["Aki"] == 1
