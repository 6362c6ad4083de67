"""The lists of an evening, as rows for pages, paper and CSV, and its events in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from companion.core.text import N_, NC_, Text, listed
from companion.history.exports import Cell, csv_bytes
from companion.history.reports import decimal
from companion.ui.screens.names import folded

from . import evening_state as events
from .evening_state import ClubEvening
from .ranking import HALF, ranking, season, table_shares

FEW = 3  # names of those who were registered together, in words
Rows = list[list[Cell | Text | Fraction]]  # the lines of a table, heads first; a fraction is a share
SHARES = N_(
    "Rank share: 1 for the first at a table, 0 for the last, added up. "
    "Points share, for those who are level: how far ahead of the table’s last, added up."
)
"""The sentences that explain both columns."""
SEATS = N_("round"), N_("table"), N_("seat"), N_("player")
RANKING = N_("place"), N_("number"), N_("player"), N_("rank share"), N_("points share"), N_("tables"), N_("byes, void")
SEASON = RANKING[0], *RANKING[2:5], N_("evenings"), RANKING[5], N_("evenings won")
RESULTS = N_("round"), N_("table"), N_("seat"), N_("number"), N_("player"), N_("points"), RANKING[3], RANKING[4]
"""The heads of the lists."""


def told(rows: Rows, words: Callable[[object], str], minus: str = "−") -> list[list[str]]:
    """Return a table in a language."""

    def cell_in(cell: Cell | Text | Fraction) -> str:
        if isinstance(cell, int):
            return str(cell).replace("-", minus)
        return words(_share(cell)).replace("-", minus) if isinstance(cell, Fraction) else words(cell)

    return [[words(Text(str(head))) for head in rows[0]], *([*map(cell_in, row)] for row in rows[1:])]


def csv_in(rows: Rows, words: Callable[[object], str]) -> bytes:
    r"""Return a table as spreadsheets of a language open it: semicolons stand between cells whose decimals have commas.

    >>> csv_in([["player", "rank share"], ["Aki", HALF]], str).decode("utf-8-sig")
    'player,rank share\r\nAki,0.500\r\n'
    """
    return csv_bytes(told(rows, words, minus="-"), ";" if "," in words(_share(HALF)) else ",")


def seat_table(evening: ClubEvening, number: int, *, by_name: bool = False) -> Rows:
    """Return who sits where in a round, by table or by name; table and seat of a bye are empty."""
    names, its_round = evening.names, evening.round(number)
    seats = [
        (each.number, seat, names[player])
        for each in its_round.tables
        if len(each.players) > 1
        for seat, player in enumerate(each.players, 1)
    ]
    seats += [(0, 0, names[player]) for player in its_round.free]
    if by_name:
        seats.sort(key=lambda row: folded(row[2]))  # Émile stands beside Emil
    rows: Rows = [[number, at or "", seat or "", who] for at, seat, who in seats]
    return [[*SEATS], *rows]


def ranking_table(evening: ClubEvening) -> Rows:
    """Return the ranking; with the penalties, if there are any."""
    rows: Rows = [
        [
            row.place,
            row.entrant.number,
            row.entrant.name,
            row.rank_share,
            row.points_share,
            row.tables,
            row.byes,
            Text(PRESENCES[row.entrant.presence.value]),
            *([Fraction(row.penalty, 100)] if evening.penalties else []),
        ]
        for row in ranking(evening)
    ]
    return [[*RANKING, N_("presence"), *([N_("penalty")] if evening.penalties else [])], *rows]


def season_table(evenings: Iterable[ClubEvening]) -> Rows:
    """Return the ranking over several evenings, the first evening first."""
    rows: Rows = [
        [row.place, row.name, row.rank_share, row.points_share, row.evenings, row.tables, row.won]
        for row in season(evenings)
    ]
    return [[*SEASON], *rows]


def result_table(evening: ClubEvening) -> Rows:
    """Return what makes the ranking: the points of each table that has its result, halves, penalties."""
    return [[*RESULTS], *_results(evening)]


def arrangements(evening: ClubEvening) -> list[Text]:
    """Return who plays together, who sits apart, and the penalties, as sentences for the director."""
    teams: dict[int, list[int]] = {}
    for number, team in evening.teams.items():
        teams.setdefault(team, []).append(number)
    apart = sorted(sorted(pair) for pair in evening.apart)
    made: list[events.Event] = [events.TeamMade(team, tuple(players)) for team, players in teams.items()]
    made += [events.PlayersApart(one, other) for one, other in apart]
    made += [events.PenaltyGiven(player, hundredths) for player, hundredths in evening.penalties]
    return [in_words(each, evening) for each in made]


PRESENCES = {"present": N_("present"), "late": N_("late"), "gone": NC_("a player", "gone")}
"""The words for the presence of a player."""


def in_words(event: events.Event, evening: ClubEvening) -> Text:
    """Return an event as a sentence for the director; the evening is the one before it."""
    names = evening.names
    match event:
        case events.EntrantsAdded(players):
            few = [player.name for player in players[:FEW]]
            return Text(N_("registered: {names}"), names=listed(few + ["…"] * (len(players) > FEW)))
        case events.EntrantCame(player):
            return Text(N_("{name} is here"), name=names[player])
        case events.EntrantLeft(player):
            return Text(N_("{name} has gone"), name=names[player])
        case events.EntrantRemoved(player):
            return Text(N_("taken off the list: {name}"), name=names[player])
        case events.EntrantRenamed(_player, name):
            return Text(N_("another name: {name}"), name=name)
        case events.TeamMade(team, players):
            said = N_("play together: {names}") if team else N_("play alone: {names}")
            return Text(said, names=listed(names[player] for player in players))
        case events.PlayersApart(one, other, apart):
            return Text(
                N_("sit apart: {names}") if apart else N_("may sit together: {names}"),
                names=listed((names[one], names[other])),
            )
        case events.PenaltyGiven(player, hundredths):
            return Text(N_("penalty of {name}: {share}"), name=names[player], share=_share(Fraction(hundredths, 100)))
        case events.TablesMerged(table, into):
            return Text(N_("table {table} sits down at table {other}"), table=table, other=into)
        case events.TableResult(number, table, points):
            return Text(
                N_("round {number}, table {table}: {points}"), number=number, table=table, points=listed(points)
            )
        case events.TableVoid(number, table):
            return Text(N_("table {table} of round {number} is void"), table=table, number=number)
        case events.EveningSettled(name):
            return Text(N_("changed: {name}"), name=name)
    return Text(N_("the draw of round {number}"), number=len(evening.rounds) + 1)


def _share(share: Fraction) -> Text:
    return decimal(float(share), 3)


def _results(evening: ClubEvening) -> Iterator[list[Cell | Text | Fraction]]:
    """Yield round, table, seat, number, name, points and shares of each seat that has its result.

    In place of points stands why somebody has a half, or that it is a penalty.
    """
    names = evening.names
    for number, each_round in enumerate(evening.rounds, 1):
        for each in each_round.tables:
            shares = table_shares(each, evening.best) if each.points else {}
            for seat, player in enumerate(each.players, 1):
                if each.points:
                    yield [number, each.number, seat, player, names[player], each.points[seat - 1], *shares[player]]
                elif each.void and len(each.players) > 1:
                    yield [number, each.number, seat, player, names[player], Text(N_("void")), HALF, HALF]
        for player in each_round.free:
            yield [number, "", "", player, names[player], Text(N_("bye")), HALF, HALF]
    for player, hundredths in evening.penalties:
        yield ["", "", "", player, names[player], Text(N_("penalty")), Fraction(-hundredths, 100), ""]
