"""Evenings for tests: begun, with players, with rounds that are played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from hypothesis import strategies as st

from companion.club.evening.evening_state import (
    ClubEvening,
    Entrant,
    EntrantsAdded,
    EveningBegun,
    Event,
    RoundDrawn,
    Sizes,
    TableResult,
)
from companion.club.evening.replay import Moment, begin, follow
from companion.club.evening.seating import draw
from companion.core.game import Best

NAMES = ("Aki", "Bea", "Cyr", "Dai", "Eve", "Fay", "Gus", "Hal", "Ida", "Jan", "Kim", "Lee")
USUAL = Sizes(4, smallest=3, largest=5)


def begun(
    players: Sequence[str] = NAMES[:8], sizes: Sizes = USUAL, best: Best = Best.HIGHEST, seed: int = 1
) -> list[Event]:
    """Return the events of an evening before its first round; the players have the numbers 1, 2, …"""
    first = EveningBegun(1, "Friday club", sizes.wanted, sizes.smallest, sizes.largest, best, seed)
    return [first, EntrantsAdded(tuple(Entrant(number, name) for number, name in enumerate(players, 1)))]


def replay(events: Iterable[Event]) -> Moment:
    """Return the last moment of an evening, as its store computes it."""
    first, *others = events
    return reduce(follow, others, begin(first))


def after(
    *events: Event, players: Sequence[str] = NAMES[:8], sizes: Sizes = USUAL, best: Best = Best.HIGHEST
) -> ClubEvening:
    """Return an evening after its beginning and some events."""
    return replay([*begun(players, sizes, best), *events]).evening


def seated(*tables: Sequence[int], byes: Sequence[int] = ()) -> RoundDrawn:
    return RoundDrawn(tuple(map(tuple, tables)), tuple(byes))


def result(table: int, *points: int, round_: int = 1) -> TableResult:
    return TableResult(round_, table, points)


def with_round(moment: Moment, points: Sequence[int]) -> Moment:
    """Draw a round and enter all its results; the points are taken in turn, from the first again after the last."""
    moment = follow(moment, draw(moment.evening))
    number, entered = len(moment.evening.rounds), 0
    for table in moment.evening.rounds[-1].tables:
        own = tuple(points[(entered + seat) % len(points)] for seat in range(len(table.players)))
        entered += len(own)
        moment = follow(moment, TableResult(number, table.number, own))
    return moment


@st.composite
def moments(draw_: st.DrawFn, most: int = 14) -> Moment:
    """Draw an evening with 2 to ``most`` players, some sizes of tables, and up to four rounds played."""
    smallest, wanted, largest = sorted(draw_(st.lists(st.integers(2, 5), min_size=3, max_size=3)))
    count = draw_(st.integers(smallest, most))
    best, seed = draw_(st.sampled_from(Best)), draw_(st.integers(0, 99))
    names = [f"P{number}" for number in range(count)]
    moment = replay(begun(names, Sizes(wanted, smallest, largest), best, seed))
    for _round in range(draw_(st.integers(0, 4))):
        moment = with_round(moment, draw_(st.lists(st.integers(-30, 30), min_size=1, max_size=9)))
    return moment
