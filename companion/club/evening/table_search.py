"""Seats the players of a round at tables so that the penalty is small: greedily, then by swaps.

Players are numbers from 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random

from msgspec import Struct

REPEAT = 1000
"""The penalty of two players who met once and meet again; after k meetings it is k² as much."""

WINDOW = 32  # how far down the ranking the greedy search looks for a table's next player
_STARTS = 20_000  # divided by the square of the players: how many starts a small evening is searched from
_MOST_SWEEPS = 30

Costs = list[list[int]]  # the penalty of each pair that sits together
Tables = list[list[int]]


class SeatingPenalty(Struct, frozen=True):
    """The penalty of a seating; less is better."""

    pairs: int = 0  # how many pairs meet again
    repeats: int = 0  # the penalty of these pairs
    distance: int = 0  # how many places of the ranking are between the players of each pair, in all

    @property
    def total(self) -> int:
        return self.repeats + self.distance

    def __str__(self) -> str:
        pairs = "1 pair meets" if self.pairs == 1 else f"{self.pairs} pairs meet"
        return f"penalty {self.total}: {pairs} again ({self.repeats}), distance in the ranking {self.distance}"


def penalty_of(
    tables: Sequence[Sequence[int]], met: Mapping[frozenset[int], int], places: Sequence[int]
) -> SeatingPenalty:
    """Return the penalty of some tables.

    Args:
        tables: The players of each table.
        met: How often each pair has met.
        places: Each player's place in the ranking; equal places are shared.

    >>> print(penalty_of([[0, 1], [2, 3]], {frozenset([0, 1]): 2}, places=[1, 3, 1, 1]))
    penalty 4002: 1 pair meets again (4000), distance in the ranking 2
    """
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    again = [count for pair in pairs if (count := met.get(frozenset(pair), 0))]
    distance = sum(abs(places[one] - places[other]) for one, other in pairs)
    return SeatingPenalty(len(again), sum(REPEAT * count * count for count in again), distance)


def pair_costs(met: Mapping[frozenset[int], int], places: Sequence[int]) -> Costs:
    """Return the penalty of each pair; see `penalty_of`."""
    costs = [[abs(own - other) for other in places] for own in places]
    for pair, count in met.items():
        one, other = pair
        costs[one][other] = costs[other][one] = costs[one][other] + REPEAT * count * count
    return costs


def search(sizes: Sequence[int], order: Sequence[int], costs: Costs, random: Random) -> Tables:
    """Return tables of these sizes.

    Args:
        sizes: How many players sit at each table.
        order: The players, the best first; the first start seats them in this order.
        costs: The penalty of each pair.
        random: Makes the other starts.
    """
    best: Tables = []
    least: int | None = None
    for start in range(max(1, _STARTS // max(1, len(order)) ** 2)):
        tables = greedy(sizes, random.sample(order, len(order)) if start else order, costs)
        improve(tables, costs)
        total = total_of(tables, costs)
        if least is None or total < least:
            best, least = tables, total
        if not least:
            break
    return best


def total_of(tables: Tables, costs: Costs) -> int:
    return sum(costs[one][other] for table in tables for one, other in combinations(table, 2))


def greedy(sizes: Sequence[int], order: Sequence[int], costs: Costs) -> Tables:
    """Fill one table after the other: the first who stands, then always who costs least beside those who sit."""
    standing = list(order)
    tables = []
    for size in sizes:
        table = [standing.pop(0)]
        added = costs[table[0]]
        while len(table) < size:
            table.append(min(standing[:WINDOW], key=added.__getitem__))
            standing.remove(table[-1])
            added = [one + other for one, other in zip(added, costs[table[-1]], strict=True)]
        tables.append(table)
    return tables


def improve(tables: Tables, costs: Costs) -> list[int]:
    """Swap players of two tables as long as that lowers the penalty; return by how much each swap lowers it."""
    lowered: list[int] = []
    loads = [[sum(costs[player][other] for other in table) for table in tables] for player in range(len(costs))]
    for _sweep in range(_MOST_SWEEPS):
        before = len(lowered)
        for first, second in combinations(range(len(tables)), 2):
            lowered += _swap_best(tables, first, second, costs, loads)
        if len(lowered) == before:
            break
    return lowered


def _swap_best(tables: Tables, first: int, second: int, costs: Costs, loads: list[list[int]]) -> list[int]:
    """Make the best swap between two tables, if one lowers the penalty; keep the loads.

    A load is what a player costs, or would cost, beside all who sit at a table.
    """
    best, chosen = 0, None
    others = [(loads[other][first] - loads[other][second], seat) for seat, other in enumerate(tables[second])]
    for seat, player in enumerate(tables[first]):
        gain = loads[player][second] - loads[player][first]
        own = costs[player]
        for gain_of_other, other_seat in others:
            change = gain + gain_of_other - 2 * own[tables[second][other_seat]]
            if change < best:
                best, chosen = change, (seat, other_seat)
    if chosen is None:
        return []
    leaves, comes = tables[first][chosen[0]], tables[second][chosen[1]]
    tables[first][chosen[0]], tables[second][chosen[1]] = comes, leaves
    for load, without, with_ in zip(loads, costs[leaves], costs[comes], strict=True):
        load[first] += with_ - without
        load[second] += without - with_
    return [-best]
