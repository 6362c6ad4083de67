"""Says which box stands at which table and whom it shows as its players; takes its finished game as their result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from companion.gamelog.player_names import name_key
from companion.history.results import GameResult, seat_ranks
from companion.ui.club import SeatCall

from .evening_state import ClubEvening, EveningError, SeatedRound, SeatedTable, TableResult


def seat_calls(evening: ClubEvening, ends: float = 0.0) -> tuple[SeatCall, ...]:
    """Return the calls of the last round's tables that still play.

    Args:
        ends: When the round ends, in seconds since 1970; 0 without a clock.
    """
    if not evening.rounds:
        return ()
    names, number = evening.names, len(evening.rounds)
    return tuple(
        SeatCall(number, table.number, tuple(names[player] for player in table.players), ends)
        for table in evening.rounds[-1].tables
        if table.plays
    )


def boxes_at(seated: SeatedRound, boxes: Sequence[str], there: Mapping[int, str]) -> dict[int, str]:
    """Return the box of each table of a round: the one that stands there, else the next free one in their order.

    A table where none is to stand has the box ``""``. That of a table that was merged or left stays with it, so no
    other table has it.
    """
    kept = {table: box for table, box in there.items() if (box in boxes or not box) and table <= seated.drawn}
    free = (box for box in boxes if box not in kept.values())
    both = ((table, kept[table] if table in kept else next(free, None)) for table in range(1, seated.drawn + 1))
    return {table: box for table, box in both if box is not None}


def result_of_game(evening: ClubEvening, number: int, game: GameResult) -> TableResult:
    """Return a finished game as the result of the table where its players sat in a round, in any order.

    If the table has a result, or is void, this one corrects it.

    Raises:
        EveningError: No table of the round has these players.
    """
    seats = {name_key(name): seat for seat, name in enumerate(game.players)}
    ranks, names = seat_ranks(game), evening.names
    for table in evening.round(number).tables:
        keys = [name_key(names[player]) for player in table.players]
        if sorted(keys) == sorted(seats):
            points = tuple(game.scores[seats[key]] or 0 for key in keys)  # a log has all points
            of_seats = tuple(ranks[seats[key]] for key in keys)
            corrects = bool(table.points) or table.void
            return TableResult(number, table.number, points, of_seats, corrects=corrects)
    raise EveningError("no table of round {number} has {names}", number=number, names=", ".join(game.players))


def news_of_games(
    evening: ClubEvening, began: Mapping[int, float], games: Iterable[tuple[float, GameResult]]
) -> dict[tuple[int, int], TableResult]:
    """Return the results to take, by round and table: of tables that await one, and of games that were corrected since.

    Args:
        evening: The evening.
        began: When each round was drawn.
        games: When each finished game began, and its result; a later one of the same table replaces those before.
    """
    news, agreed = dict[tuple[int, int], TableResult](), set[tuple[int, int]]()
    for at, game in games:
        number = max((number for number, drawn in began.items() if drawn <= at), default=0)
        with suppress(EveningError):  # other people's
            result = result_of_game(evening, number, game)
            place = number, result.table
            news[place] = result
            if _agree(evening.round(number).table(result.table), result):
                agreed.add(place)
    return {place: result for place, result in news.items() if place not in agreed}


def other_names(
    evening: ClubEvening, began: Mapping[int, float], games: Iterable[tuple[float, GameResult]]
) -> dict[int, str]:
    """Return the names that keep a finished game from being a table's result, by the tables that await one.

    Such a game was begun after the draw by as many players, of whom one or two are called otherwise at the table.
    """
    hints = dict[int, str]()
    number = len(evening.rounds)
    for at, game in games:
        players = {name_key(name): name for name in game.players}
        for table in evening.rounds[-1].tables if at >= began.get(number, at + 1) else ():
            sitting = {name_key(evening.names[player]) for player in table.players}
            strange = [name for key, name in players.items() if key not in sitting]
            if table.plays and len(players) == len(sitting) and 1 <= len(strange) <= min(2, len(sitting) - 1):
                hints[table.number] = ", ".join(strange)
    return hints


def _agree(table: SeatedTable, result: TableResult) -> bool:
    """Return whether a table has a result already; ranks of a typed one are not known."""
    return table.points == result.points and table.ranks in ((), result.ranks)
