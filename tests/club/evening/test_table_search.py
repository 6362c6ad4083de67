"""The search for tables: swaps never raise the penalty, and small evenings find the least there is."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.evening.seating import (
    Costs,
    Tables,
    greedy,
    improve,
    pair_costs,
    search,
    total_of,
)

Met = dict[frozenset[int], int]


@st.composite
def evenings_so_far(draw: st.DrawFn, players: int | None = None) -> tuple[list[int], Met]:
    """Draw the places of some players, the best first, and how often pairs have met."""
    count = players or draw(st.integers(4, 20))
    places = sorted(draw(st.lists(st.integers(1, count), min_size=count, max_size=count)))
    pairs = st.frozensets(st.integers(0, count - 1), min_size=2, max_size=2)
    return places, draw(st.dictionaries(pairs, st.integers(1, 4), max_size=3 * count))


def penalty(tables: Tables, met: Met, places: list[int]) -> int:
    """Return the penalty of some tables by the description alone."""
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    again = sum(1000 * met.get(frozenset(pair), 0) ** 2 for pair in pairs)
    return again + sum(abs(places[one] - places[other]) for one, other in pairs)


def split(count: int, size: int) -> list[int]:
    """Return sizes of tables for some players."""
    tables = max(1, count // size)
    return [count // tables + (number < count % tables) for number in range(tables)]


def least_of_all(costs: Costs) -> int:
    """Return the least penalty of 8 players at 2 tables of 4, from all 35 ways to seat them."""
    everybody = set(range(8))
    firsts = [{0, *others} for others in combinations(range(1, 8), 3)]
    assert len(firsts) == 35
    return min(total_of([sorted(first), sorted(everybody - first)], costs) for first in firsts)


@given(evenings_so_far(8), st.integers(0, 999))
def test_eight_players_get_the_least_penalty_of_all_ways_to_seat_them(so_far: tuple[list[int], Met], seed: int) -> None:
    places, met = so_far
    costs = pair_costs(met, places)
    assert total_of(search([4, 4], range(8), costs, Random(seed)), costs) == least_of_all(costs)


@given(evenings_so_far(), st.integers(2, 5), st.randoms(use_true_random=False))
def test_every_swap_lowers_the_penalty_by_what_it_says(
    so_far: tuple[list[int], Met], size: int, random: Random
) -> None:
    places, met = so_far
    costs = pair_costs(met, places)
    mixed = random.sample(range(len(places)), len(places))
    tables: Tables = []
    for one in split(len(places), size):
        tables.append([mixed.pop() for _seat in range(one)])
    sizes, before = [len(table) for table in tables], total_of(tables, costs)
    lowered = improve(tables, costs)
    assert all(step > 0 for step in lowered)
    assert total_of(tables, costs) == before - sum(lowered)
    assert [len(table) for table in tables] == sizes
    assert sorted(player for table in tables for player in table) == list(range(len(places)))
    for first, second in combinations(tables, 2):  # no single swap is left that lowers it
        for one, other in ((one, other) for one in first for other in second):
            swapped = [[other if each == one else one if each == other else each for each in table] for table in tables]
            assert total_of(swapped, costs) >= total_of(tables, costs)


@given(evenings_so_far(), st.integers(2, 5), st.integers(0, 99))
def test_the_penalty_of_a_search_is_that_of_its_pairs_and_no_more_than_the_greedy_one(
    so_far: tuple[list[int], Met], size: int, seed: int
) -> None:
    places, met = so_far
    costs, sizes, order = pair_costs(met, places), split(len(places), size), range(len(places))
    tables = search(sizes, order, costs, Random(seed))
    assert tables == search(sizes, order, costs, Random(seed)), "the same seed makes the same tables"
    assert penalty(tables, met, places) == total_of(tables, costs) <= total_of(greedy(sizes, order, costs), costs)


def test_players_of_near_places_sit_together_who_have_not_met() -> None:
    places = [1, 2, 3, 4, 5, 6]
    assert search([3, 3], range(6), pair_costs({}, places), Random(1)) == [[0, 1, 2], [3, 4, 5]]
    met = {frozenset([0, 1]): 1}
    tables = search([3, 3], range(6), pair_costs(met, places), Random(1))
    assert not any({0, 1} <= {*table} for table in tables)


@pytest.mark.parametrize(("meetings", "repeats"), [(0, 0), (1, 1000), (2, 4000), (3, 9000)])
def test_each_further_meeting_of_a_pair_weighs_more(meetings: int, repeats: int) -> None:
    met = {frozenset([0, 1]): meetings} if meetings else {}
    assert total_of([[0, 1, 2]], pair_costs(met, [1, 1, 4])) == repeats + 6
