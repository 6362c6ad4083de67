"""The actions of ``companion club evening``: each changes an evening's file, and returns lines to print.

All raise EveningError if the action cannot be, and OSError if the file cannot be used; the file is then unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.core.game import Best
from companion.core.text import tell

from . import lists
from .evening_state import ClubEvening, Entrant, EveningError, Presence
from .events import (
    EntrantCame,
    EntrantLeft,
    EntrantsAdded,
    EveningBegun,
    EventTakenBack,
    TableResult,
    TablesMerged,
    encode,
)
from .log_file import new_log, open_log
from .read_players import read_players, typed_players
from .seating import draw


def new(file: Path, name: str, sizes: tuple[int, int, int], best: Best, seed: int) -> list[str]:
    """Begin an evening; the sizes of a table are the wanted, the smallest and the largest."""
    wanted, smallest, largest = sizes
    try:
        new_log(file, EveningBegun(1, name, wanted, smallest, largest, best, seed))
    except FileExistsError:
        raise EveningError(f"{file} is there already; choose another name") from None
    return [f"{name}: tables of {wanted}, {smallest} to {largest}; the {best.value} points win; seed {seed}"]


def register(file: Path, names: Sequence[str], table: bytes | None, *, late: bool) -> list[str]:
    """Register the players of a CSV file and of typed names; those who are late are awaited."""
    presence = Presence.LATE if late else Presence.PRESENT
    with open_log(file) as log:
        known = log.moment.evening.entrants
        added = () if table is None else read_players(table, known, presence)
        added += typed_players(names, known + added, presence)
        evening = log.add(EntrantsAdded(added)).evening
    return [f"registered: {len(added)}; players: {len(evening.entrants)}, present: {len(evening.present)}"]


def draw_round(file: Path, seed: int | None) -> list[str]:
    """Draw the next round; return who sits where, and the penalty."""
    with open_log(file) as log:
        drawn = draw(log.moment.evening, seed)
        evening = log.add(drawn.event).evening
    return [*lists.seat_lines(evening, len(evening.rounds)), "", str(drawn.penalty)]


def enter_result(file: Path, table: int, points: Sequence[int], number: int | None, *, correct: bool) -> list[str]:
    """Enter the points of a table by seat, or correct them; without a number in the last round."""
    with open_log(file) as log:
        its_round = len(log.moment.evening.rounds) if number is None else number
        log.moment.evening.round(its_round)  # raises if there is none
        evening = log.add(TableResult(its_round, table, tuple(points), corrects=correct)).evening
    players = evening.round(its_round).table(table).players
    told = ", ".join(f"{evening.names[player]} {tell(own)}" for player, own in zip(players, points, strict=True))
    return [f"round {its_round}, table {table}: {told}"]


def take_results(file: Path, results: Sequence[TableResult]) -> list[str]:
    """Enter the results of finished games."""
    with open_log(file) as log:
        log.add(*results)
    return [f"finished games: {', '.join(f'round {one.round} table {one.table}' for one in results)}"]


def drop(file: Path, written: str) -> list[str]:
    """Let a player leave."""
    with open_log(file) as log:
        entrant = _found(log.moment.evening, written)
        log.add(EntrantLeft(entrant.number))
    return [f"{entrant.name} has gone"]


def arrive(file: Path, written: str) -> list[str]:
    """Let a player come late: one who was awaited or had gone, or somebody new."""
    with open_log(file) as log:
        entrants = log.moment.evening.entrants
        entrant = log.moment.evening.find(written)
        if entrant is None:
            (entrant,) = typed_players([written], entrants)
        log.add(EntrantCame(entrant.number) if entrant in entrants else EntrantsAdded((entrant,)))
    return [f"{entrant.name}, number {entrant.number}, plays from the next round on"]


def merge(file: Path, table: int, into: int) -> list[str]:
    """Let the players of a table sit down at another one."""
    with open_log(file) as log:
        evening = log.add(TablesMerged(table, into)).evening
    players = evening.rounds[-1].table(into).players
    return [f"table {into}: {', '.join(evening.names[player] for player in players)}"]


def undo(file: Path, length: int | None = None) -> list[str]:
    """Take the last event back that stands; refuse it if the file has another length than who does so has seen."""
    with open_log(file) as log:
        if length not in (None, log.length):
            raise EveningError("something has happened since: look again")
        taken = log.moment.event
        log.add(EventTakenBack())
    return [f"taken back: {encode(taken).decode().strip()}"]


def _found(evening: ClubEvening, written: str) -> Entrant:
    entrant = evening.find(written)
    if entrant is None:
        raise EveningError(f"there is no player {written!r}")
    return entrant
