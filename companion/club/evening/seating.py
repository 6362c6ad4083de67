"""Draws the tables of a round: who plays, at which table, and on which seat."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

from msgspec import Struct

from .evening_state import ClubEvening, EveningError, Sizes
from .events import RoundDrawn
from .ranking import ranking
from .replay import Moment
from .table_search import SeatingPenalty, pair_costs, penalty_of, search


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
    places = [place[player] for player in playing]
    index = {player: number for number, player in enumerate(playing)}
    met = {
        frozenset(index[player] for player in pair): count
        for pair, count in meetings(evening).items()
        if pair <= index.keys()
    }
    tables = search(sizes, range(len(playing)), pair_costs(met, places), random)
    seated = _seats(evening, [[playing[each] for each in table] for table in tables], random)
    return Draw(RoundDrawn(seated, byes), penalty_of(tables, met, places))


def drawn_penalty(moment: Moment) -> SeatingPenalty:
    """Return the penalty of the last round as it was drawn; there is one."""
    while not isinstance(moment.event, RoundDrawn) and moment.before is not None:
        moment = moment.before
    assert isinstance(moment.event, RoundDrawn)  # it made the round
    assert moment.before is not None  # an evening begins with another event
    before, tables = moment.before.evening, moment.event.tables
    place, met = _places(before), meetings(before)
    players = sorted(place)
    index = {player: number for number, player in enumerate(players)}
    pairs = {frozenset(index[player] for player in pair): count for pair, count in met.items()}
    return penalty_of(
        [[index[player] for player in table] for table in tables], pairs, [place[each] for each in players]
    )


def _places(evening: ClubEvening) -> dict[int, int]:
    return {row.entrant.number: row.place for row in ranking(evening)}


def meetings(evening: ClubEvening) -> Counter[frozenset[int]]:
    """Return how often each pair of players sat at one table."""
    tables = (table.players for each in evening.rounds for table in each.tables)
    return Counter(frozenset(pair) for players in tables for pair in combinations(players, 2))


def _byes(evening: ClubEvening, order: list[int], count: int) -> tuple[int, ...]:
    had = Counter(player for each in evening.rounds for player in each.free)
    lowest_first = order[::-1]
    lowest_first.sort(key=had.__getitem__)
    return tuple(lowest_first[:count])


def _seats(evening: ClubEvening, tables: list[list[int]], random: Random) -> tuple[tuple[int, ...], ...]:
    dealt = Counter(table.players[0] for each in evening.rounds for table in each.tables)
    seated = []
    for table in tables:
        mixed = random.sample(table, len(table))
        dealer = min(mixed, key=dealt.__getitem__)
        seated.append((dealer, *(player for player in mixed if player != dealer)))
    return tuple(seated)
