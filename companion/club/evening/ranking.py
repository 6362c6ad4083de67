"""The ranking of an evening, computed exactly. `docs/club.md` gives the reasons.

1. Rank share: (n − rank) / (n − 1) among n players of a table, ties share the mean of their ranks; added up.
2. Points share: the lead over the table's worst, divided by twice the mean lead of the table; added up. Only
   differences count, so negative figures and games that the fewest points win need nothing else. All equal: a half.
3. Direct meetings among those who are still level: how often somebody was ahead, less how often behind.
4. The best single table: its rank share, then its points share.

Those who are level then share the place. A bye, and a table that is void, counts a half in 1 and 2, which is the mean
of every table. A round that somebody misses counts nothing. A penalty is taken from 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.game import Best
from companion.gamelog.player_names import name_key

from .evening_state import ClubEvening, Entrant, Presence, SeatedTable

HALF = Fraction(1, 2)

T = TypeVar("T")
Share = tuple[Fraction, Fraction]  # the rank share and the points share of a player at a table


class RankingRow(Struct, frozen=True):
    """A player's row of the ranking."""

    place: int  # from 1; those who are level share it
    entrant: Entrant
    rank_share: Fraction
    points_share: Fraction
    direct: int  # the balance of the meetings with those who are level in both shares
    best_table: Share
    tables: int  # how many tables were played
    byes: int  # with tables that are void
    penalty: int = 0  # hundredths that were taken from the rank share


def ranking(evening: ClubEvening) -> tuple[RankingRow, ...]:
    """Return the ranking of everybody who is present or was seated, the best first."""
    shares: dict[int, list[Share]] = {}
    for table in evening.finished_tables():
        for player, share in table_shares(table, evening.best).items():
            shares.setdefault(player, []).append(share)
    byes = Counter(player for each in evening.rounds for player in each.halves)
    penalties: Counter[int] = Counter()
    for player, hundredths in evening.penalties:
        penalties[player] += hundredths
    seated = evening.seated
    rows = [
        _row(entrant, shares.get(entrant.number, []), byes[entrant.number], penalties[entrant.number])
        for entrant in evening.entrants
        if entrant.presence is Presence.PRESENT or entrant.number in seated
    ]
    direct = _direct_meetings(evening, rows)
    rows = [replace(row, direct=direct[row.entrant.number]) for row in rows]
    rows.sort(key=lambda row: (_merit(row), -row.entrant.number), reverse=True)
    return tuple(replace(row, place=place) for place, row in _placed(rows, _merit))


def table_shares(table: SeatedTable, best: Best) -> dict[int, Share]:
    """Return the shares of each player of a table that has its result.

    >>> shares = table_shares(SeatedTable(1, (7, 8, 9), points=(20, -10, 20)), Best.HIGHEST)
    >>> [(player, str(rank), str(points)) for player, (rank, points) in shares.items()]
    [(7, '3/4', '3/4'), (8, '0', '0'), (9, '3/4', '3/4')]
    """
    keys = table.ranks or tuple(best.key(points) for points in table.points)
    count, worst = len(keys), max(map(best.key, table.points))
    leads = [worst - best.key(points) for points in table.points]
    shares = {}
    for player, key, lead in zip(table.players, keys, leads, strict=True):
        ahead = sum(other > key for other in keys) + Fraction(sum(other == key for other in keys) - 1, 2)
        shares[player] = ahead / (count - 1), Fraction(lead * count, 2 * sum(leads)) if any(leads) else HALF
    return shares


def _row(entrant: Entrant, shares: Sequence[Share], byes: int, penalty: int) -> RankingRow:
    rank_share = sum((rank for rank, _points in shares), byes * HALF) - Fraction(penalty, 100)
    points_share = sum((points for _rank, points in shares), byes * HALF)
    best_table = max(shares, default=(Fraction(0), Fraction(0)))
    return RankingRow(0, entrant, rank_share, points_share, 0, best_table, len(shares), byes, penalty)


def _merit(row: RankingRow) -> tuple[Fraction, Fraction, int, Share]:
    return row.rank_share, row.points_share, row.direct, row.best_table


def _direct_meetings(evening: ClubEvening, rows: Iterable[RankingRow]) -> Counter[int]:
    """Return how often each player was ahead of players with the same shares, less how often behind."""
    shares = {row.entrant.number: (row.rank_share, row.points_share) for row in rows}
    balance: Counter[int] = Counter()
    for table in evening.finished_tables():
        rank_shares = {player: rank for player, (rank, _points) in table_shares(table, evening.best).items()}
        for one, other in combinations(table.players, 2):
            if shares[one] == shares[other] and rank_shares[one] != rank_shares[other]:
                ahead, behind = (one, other) if rank_shares[one] > rank_shares[other] else (other, one)
                balance[ahead] += 1
                balance[behind] -= 1
    return balance


class SeasonRow(Struct, frozen=True):
    """A player's row of the ranking over several evenings."""

    place: int  # from 1; those who are level share it
    name: str  # as on the latest evening
    rank_share: Fraction  # of all evenings
    points_share: Fraction
    evenings: int
    tables: int
    won: int  # evenings on which nobody was ahead


def season(evenings: Iterable[ClubEvening]) -> tuple[SeasonRow, ...]:
    """Return the ranking over evenings, the first evening first: the shares of all are added, by the players' names."""
    found: dict[str, SeasonRow] = {}
    for evening in evenings:
        for row in ranking(evening):
            if row.tables or row.byes:
                key = name_key(row.entrant.name)
                before = found.get(key, SeasonRow(0, "", Fraction(0), Fraction(0), 0, 0, 0))
                found[key] = SeasonRow(
                    0,
                    row.entrant.name,
                    before.rank_share + row.rank_share,
                    before.points_share + row.points_share,
                    before.evenings + 1,
                    before.tables + row.tables,
                    before.won + (row.place == 1),
                )
    rows = sorted(found.values(), key=lambda row: (-row.rank_share, -row.points_share, name_key(row.name)))
    return tuple(
        replace(row, place=place) for place, row in _placed(rows, lambda row: (row.rank_share, row.points_share))
    )


def _placed(rows: Sequence[T], merit: Callable[[T], object]) -> Iterator[tuple[int, T]]:
    """Yield rows with their places, the best first; rows with the same merit share one."""
    first: dict[object, int] = {}
    for number, row in enumerate(rows, 1):
        yield first.setdefault(merit(row), number), row
