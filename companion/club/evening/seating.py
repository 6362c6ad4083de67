"""Draws the tables of a round: who plays, at which table, and on which seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

from msgspec import Struct

from .evening_state import ClubEvening, EveningError, Sizes
from .events import RoundDrawn
from .ranking import ranking
from .replay import Moment
from .table_search import Costs, SeatingPenalty, Tables, pair_costs, penalty_of, search

APART = 10**6
"""The penalty of two players who are kept apart; a team's players have it as a gain."""


class Draw(Struct, frozen=True):
    """A round that was drawn, and its penalty."""

    event: RoundDrawn
    penalty: SeatingPenalty


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


def draw(evening: ClubEvening, seed: int | None = None) -> Draw:
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
    place = _places(evening)
    order = random.sample(evening.present, len(evening.present))
    order.sort(key=place.__getitem__)
    sizes = table_sizes(len(order), evening.sizes)
    if not sizes:
        raise EveningError(f"{len(order)} players are present; a table has at least {evening.sizes.smallest}")
    byes = _byes(evening, order, len(order) - sum(sizes))
    playing = [player for player in order if player not in byes]
    places, met = [place[player] for player in playing], _met(evening, playing)
    costs = pair_costs(met, places)
    index = {player: number for number, player in enumerate(playing)}
    for pair in evening.apart:
        if pair <= index.keys():
            one, other = (index[player] for player in pair)
            costs[one][other] = costs[other][one] = APART
    tables = _search(evening, playing, sizes, costs, random)
    seated = _seats(evening, [[playing[each] for each in table] for table in tables], random)
    return Draw(RoundDrawn(seated, byes), penalty_of(tables, met, places))


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
        for pair, count in meetings(evening).items()
        if pair <= index.keys() and len({teams.get(player, -player) for player in pair}) > 1
    }


def drawn_penalty(moment: Moment) -> SeatingPenalty:
    """Return the penalty of the last round as it was drawn; there is one."""
    while not isinstance(moment.event, RoundDrawn) and moment.before is not None:
        moment = moment.before
    assert isinstance(moment.event, RoundDrawn)  # it made the round
    assert moment.before is not None  # an evening begins with another event
    before, tables = moment.before.evening, moment.event.tables
    place = _places(before)
    players = sorted(place)
    index = {player: number for number, player in enumerate(players)}
    seated = [[index[player] for player in table] for table in tables]
    return penalty_of(seated, _met(before, players), [place[each] for each in players])


def _places(evening: ClubEvening) -> dict[int, int]:
    return {row.entrant.number: row.place for row in ranking(evening)}


def meetings(evening: ClubEvening) -> Counter[frozenset[int]]:
    """Return how often each pair of players sat at one table."""
    tables = (table.players for each in evening.rounds for table in each.tables)
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
