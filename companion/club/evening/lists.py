"""The lists of an evening, as text of at most 80 columns for a printer, and as rows for CSV and pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from companion.app.terminal import table
from companion.core.text import tell
from companion.gamelog.player_names import name_key
from companion.history.csv_export import Cell

from .evening_state import ClubEvening, Presence
from .events import EntrantCame, EntrantLeft, EntrantsAdded, Event, TableResult, TablesMerged
from .ranking import ranking, table_shares

Rows = list[list[Cell]]  # the lines of a table
SHARES = (
    "Rank share: 1 for the first at a table, 0 for the last, added up. "
    "Points share, for those who are level: how far ahead of the table’s last, added up."
)
"""The sentences that explain both columns."""


def player_lines(evening: ClubEvening) -> Iterator[str]:
    """Yield the players by number."""
    entrants = sorted(evening.entrants, key=lambda entrant: entrant.number)
    rows = [(str(each.number), each.name, each.presence.value) for each in entrants]
    yield from table(("number", "player", ""), rows, ">")


def seat_lines(evening: ClubEvening, number: int, *, by_name: bool = False) -> Iterator[str]:
    """Yield who sits where in a round, by table or by name; the first seat deals first."""
    rows = _seats(evening, number)
    if by_name:
        rows.sort(key=lambda row: name_key(row[2]))
    yield f"{evening.name}, round {number}"
    yield ""
    yield from table(("table", "seat", "player"), [(str(at or "bye"), str(seat or ""), who) for at, seat, who in rows])


def ranking_lines(evening: ClubEvening) -> Iterator[str]:
    """Yield the ranking after the results so far, and which tables are missing."""
    yield f"{evening.name}, after round {len(evening.rounds)}"
    if evening.rounds and (missing := evening.rounds[-1].open_tables):
        yield f"still playing: table {', '.join(map(str, missing))}"
    yield ""
    rows = [("", "", "share", "share", "", "", "")]
    rows += [
        (
            str(row.place),
            row.entrant.name,
            _share(row.rank_share),
            _share(row.points_share),
            str(row.tables),
            str(row.byes or ""),
            row.entrant.presence.value if row.entrant.presence is Presence.GONE else "",
        )
        for row in ranking(evening)
    ]
    yield from table(("place", "player", "rank", "points", "tables", "byes", ""), rows, "><>>>>")


def result_lines(evening: ClubEvening) -> Iterator[str]:
    """Yield the points of each table that has its result."""
    rows = [("", "", "", "", "", "share")]
    rows += [
        (str(row[0]), str(row[1]), str(row[2]), str(row[4]), tell(row[5]), str(row[6])) for row in _results(evening)
    ]
    yield from table(("round", "table", "seat", "player", "points", "rank"), rows, ">>><>>")


def seat_table(evening: ClubEvening, number: int, *, by_name: bool = False) -> Rows:
    """Return who sits where in a round, heads first; table and seat of a bye are empty."""
    rows = sorted(_seats(evening, number), key=lambda row: name_key(row[2])) if by_name else _seats(evening, number)
    return [["round", "table", "seat", "player"], *([number, at or "", seat or "", who] for at, seat, who in rows)]


def ranking_table(evening: ClubEvening) -> Rows:
    """Return the ranking, heads first."""
    heads: list[Cell] = ["place", "number", "player", "rank share", "points share", "tables", "byes", "presence"]
    rows: Iterator[list[Cell]] = (
        [
            row.place,
            row.entrant.number,
            row.entrant.name,
            _share(row.rank_share),
            _share(row.points_share),
            row.tables,
            row.byes,
            row.entrant.presence.value,
        ]
        for row in ranking(evening)
    )
    return [heads, *rows]


def result_table(evening: ClubEvening) -> Rows:
    """Return the points of each table that has its result, heads first."""
    heads: list[Cell] = ["round", "table", "seat", "number", "player", "points", "rank share", "points share"]
    return [heads, *_results(evening)]


def in_words(event: Event, names: Mapping[int, str]) -> str:
    """Return an event as a sentence for the director.

    >>> in_words(TablesMerged(3, into=2), {})
    'table 3 sits down at table 2'
    """
    match event:
        case EntrantsAdded(players):
            return f"registered: {len(players)}"
        case EntrantCame(player):
            return f"{names[player]} is here"
        case EntrantLeft(player):
            return f"{names[player]} has gone"
        case TablesMerged(table, into):
            return f"table {table} sits down at table {into}"
        case TableResult(number, table, points):
            return f"round {number}, table {table}: {', '.join(map(tell, points))}"
    return "the draw of the round"


def _share(share: Fraction) -> str:
    return f"{float(share):.3f}"


def _seats(evening: ClubEvening, number: int) -> list[tuple[int, int, str]]:
    """Return table, seat and name of each player in a round; a bye has table and seat 0."""
    its_round, names = evening.round(number), evening.names
    rows = [
        (each.number, seat, names[player])
        for each in its_round.tables
        if len(each.players) > 1
        for seat, player in enumerate(each.players, 1)
    ]
    return rows + [(0, 0, names[player]) for player in its_round.free]


def _results(evening: ClubEvening) -> Iterator[list[Cell]]:
    """Yield round, table, seat, number, name, points and shares of each seat that has its result."""
    names = evening.names
    for number, each_round in enumerate(evening.rounds, 1):
        for each in each_round.tables:
            if each.points:
                shares = table_shares(each, evening.best)
                for seat, (player, points) in enumerate(zip(each.players, each.points, strict=True), 1):
                    cells = map(_share, shares[player])
                    yield [number, each.number, seat, player, names[player], points, *cells]
