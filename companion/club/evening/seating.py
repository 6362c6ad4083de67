"""Draws the tables of a round: who plays, at which table, and on which seat, so that the penalty is small."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random

from companion.core.text import N_

from .evening_state import ClubEvening, EveningError, RoundDrawn, Sizes
from .ranking import ranking

REPEAT = 1000
"""The penalty of two players who met once and meet again; after k meetings it is k² as much."""

WINDOW = 32  # how far down the ranking the greedy search looks for a table's next player
_STARTS = 20_000  # divided by the square of the players: how many starts a small evening is searched from
_MOST_SWEEPS = 30

Costs = list[list[int]]  # the penalty of each pair that sits together
Tables = list[list[int]]


def pair_costs(met: Mapping[frozenset[int], int], places: Sequence[int]) -> Costs:
    """Return the penalty of each pair: `REPEAT` times the square of its meetings, and the places between both.

    Args:
        met: How often each pair has met.
        places: Each player's place in the ranking; equal places are shared.

    >>> pair_costs({frozenset([0, 1]): 2}, places=[1, 3, 1])
    [[0, 4002, 0], [4002, 0, 2], [0, 2, 0]]
    """
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


APART = 10**6
"""The penalty of two players who are kept apart; a team's players have it as a gain."""


def table_sizes(players: int, sizes: Sizes) -> tuple[int, ...]:
    """Return the sizes of the tables for so many players: the fewest byes, then nearest to the wanted size.

    A player without a seat has the bye. There is no table if the players are too few for one.

    >>> table_sizes(9, Sizes(4, smallest=3, largest=5)), table_sizes(7, Sizes(4, smallest=4, largest=5))
    ((5, 4), (5,))
    """
    possible = []
    for tables in range(1, players // sizes.smallest + 1):
        seated = min(players, tables * sizes.largest)
        each, more = divmod(seated, tables)
        found = (each + 1,) * more + (each,) * (tables - more)
        possible.append((players - seated, sum((size - sizes.wanted) ** 2 for size in found), found))
    return min(possible)[2] if possible else ()


def draw(evening: ClubEvening, seed: int | None = None) -> RoundDrawn:
    """Draw the next round of an evening by its ranking; the same evening and seed make the same round.

    Nobody has the bye twice before everybody present has had it once; it goes to the lowest of those whose turn it is.
    At a table the first seat, which deals first, goes to a player who has had it least often.

    Args:
        evening: The evening; its last round is over.
        seed: Another seed than the evening's.

    Raises:
        EveningError: Too few players are present for a table.
    """
    random = Random(f"{evening.seed if seed is None else seed} {len(evening.rounds) + 1}")
    place = {row.entrant.number: row.place for row in ranking(evening)}
    order = random.sample(evening.present, len(evening.present))
    order.sort(key=place.__getitem__)
    sizes = table_sizes(len(order), evening.sizes)
    if not sizes:
        raise EveningError(
            N_("Players present: {players}; a table has at least {least}."),
            players=len(order),
            least=evening.sizes.smallest,
        )
    byes = _byes(evening, order, len(order) - sum(sizes))
    playing = [player for player in order if player not in byes]
    costs = pair_costs(_met(evening, playing), [place[player] for player in playing])
    index = {player: number for number, player in enumerate(playing)}
    for pair in evening.apart:
        if pair <= index.keys():
            one, other = (index[player] for player in pair)
            costs[one][other] = costs[other][one] = APART
    tables = _search(evening, playing, sizes, costs, random)
    return RoundDrawn(_seats(evening, [[playing[each] for each in table] for table in tables], random), byes)


def _search(evening: ClubEvening, playing: list[int], sizes: Sequence[int], costs: Costs, random: Random) -> Tables:
    """Return tables of players by their places in `playing`; a team sits together where the sizes allow it."""
    teams = evening.teams
    units: dict[tuple[int, int], list[int]] = {}
    for number, player in enumerate(playing):
        units.setdefault((teams[player], 0) if player in teams else (0, player), []).append(number)
    together = list(units.values())
    each = len(together[0])
    if each > 1 and all(len(unit) == each for unit in together) and not any(size % each for size in sizes):
        between = [[sum(costs[one][two] for one in own for two in unit) for unit in together] for own in together]
        found = search([size // each for size in sizes], range(len(together)), between, random)
        return [[number for unit in table for number in together[unit]] for table in found]
    for unit in together:
        for one, other in combinations(unit, 2):
            costs[one][other] = costs[other][one] = -APART
    return search(sizes, range(len(playing)), costs, random)


def _met(evening: ClubEvening, players: Sequence[int]) -> dict[frozenset[int], int]:
    """Return how often pairs of players have met, by their places in a list; a team's players do not count."""
    index, teams = {player: number for number, player in enumerate(players)}, evening.teams
    return {
        frozenset(index[player] for player in pair): count
        for pair, count in meetings(evening, len(evening.rounds)).items()
        if pair <= index.keys() and not _are_team(teams, pair)
    }


def meet_again(evening: ClubEvening, number: int) -> int:
    """Return how many pairs of a round had met before; a team's players do not count."""
    before, after, teams = meetings(evening, number - 1), meetings(evening, number), evening.teams
    return sum(after[pair] > count and not _are_team(teams, pair) for pair, count in before.items())


def _are_team(teams: Mapping[int, int], pair: frozenset[int]) -> bool:
    return len({teams.get(player, -player) for player in pair}) == 1


def meetings(evening: ClubEvening, rounds: int) -> Counter[frozenset[int]]:
    """Return how often each pair of players sat at one table in the first rounds."""
    tables = (table.players for each in evening.rounds[:rounds] for table in each.tables)
    return Counter(frozenset(pair) for players in tables for pair in combinations(players, 2))


def _byes(evening: ClubEvening, order: list[int], count: int) -> tuple[int, ...]:
    """Return who has the bye; a whole team where there are so many byes."""
    had = Counter(player for each in evening.rounds for player in each.free)
    lowest_first = order[::-1]
    lowest_first.sort(key=had.__getitem__)
    teams = evening.teams
    byes: list[int] = []
    for whole in (True, False):  # if teams do not fit, one is divided
        for player in lowest_first:
            team = [each for each in order if player in teams and teams.get(each) == teams[player]] if whole else []
            if player not in byes and len(byes) + max(1, len(team)) <= count:
                byes += team or [player]
    return tuple(byes)


def _seats(evening: ClubEvening, tables: list[list[int]], random: Random) -> tuple[tuple[int, ...], ...]:
    dealt = Counter(table.players[0] for each in evening.rounds for table in each.tables)
    seated = []
    for table in tables:
        mixed = random.sample(table, len(table))
        dealer = min(mixed, key=dealt.__getitem__)
        seated.append((dealer, *(player for player in mixed if player != dealer)))
    return tuple(seated)
