"""Records of one kind of game: highest and lowest score, longest game, closest win."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from .identity import Persons
from .renamed_and_hidden import People
from .results import GameResult
from .sides import margin


class Record(Struct, frozen=True):
    """A record: its value, its game, and who holds it."""

    value: float  # points, seconds, or points between the winners and the next
    game: str  # the name of the game in the journal
    names: tuple[str, ...]  # the current names of those who hold it: who had the score, who played, or who won


class Records(Struct, frozen=True):
    """The records of one kind of game; the earliest of equal ones. Each is None if there is none."""

    highest: Record | None  # the highest score of a player
    lowest: Record | None
    longest: Record | None  # the game played longest, without pauses
    closest: Record | None  # the win by the fewest points; by none where the win was shared, or a tie was broken


def records(results: Sequence[GameResult], people: People) -> Records:
    """Return the records of games of one kind. Hidden people hold none.

    The points of a game that the table ended early are those of fewer rounds, and no record.
    """
    persons = Persons(people)

    def record(value: float, result: GameResult, seats: Sequence[int]) -> Record | None:
        names, holders = persons.names(result), persons.of(result)
        visible = tuple(names[seat] for seat in seats if not persons.hides(holders[seat]))
        return Record(value, result.name, visible) if visible else None

    scores = [
        (points, result, (seat,))
        for result in results
        for seat, (points, person) in enumerate(zip(result.scores, persons.of(result), strict=True))
        if points is not None and not persons.hides(person) and not result.ended_early
    ]
    longest = max(results, key=lambda result: result.seconds, default=None)
    whole = (result for result in results if not result.ended_early)
    margins = [(points, result) for result in whole if (points := margin(result)) is not None]
    closest = min(margins, key=lambda each: each[0], default=None)
    return Records(
        record(*max(scores, key=_score)) if scores else None,
        record(*min(scores, key=_score)) if scores else None,
        record(longest.seconds, longest, range(len(longest.players))) if longest and longest.seconds else None,
        record(*closest, closest[1].winners) if closest else None,
    )


def _score(each: tuple[int, GameResult, tuple[int]]) -> int:
    return each[0]
