"""The evening as its page shows it, read and rendered at most once a second for all browsers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping
from functools import partial

import psycopg
from msgspec import Struct

from companion.web.error_answers import RequestError

from . import archive_search, page_markup
from .evening import lists
from .evening.boxes_at_tables import news_of_games
from .evening.evening_folder import EveningInHall
from .evening.evening_state import ClubEvening, EveningError, SeatedRound
from .evening.events import TableResult
from .evening.seating import drawn_penalty
from .overview import TableRow
from .page_context import ClubData
from .page_markup import RenderedEvening

FRESH = 1.0  # seconds for which everybody is shown what was read before


class EveningLook(Struct, frozen=True):
    """The evening with its boxes and the results of finished games, as the page shows them."""

    state: EveningInHall
    boxes: tuple[TableRow, ...]  # all boxes that were ever online, in their order, without their games
    found: dict[tuple[int, int], TableResult]  # results of finished games that are not taken, by round and table
    trouble: str  # why the boxes do not know the latest yet
    over: bool  # whether the time of the last round is over

    @property
    def evening(self) -> ClubEvening:
        return self.state.moment.evening

    @property
    def latest(self) -> str:
        """Return the event that can be taken back, in words; empty if there is none."""
        moment = self.state.moment
        return "" if moment.before is None else lists.in_words(moment.event, moment.evening.names)

    def number(self, wanted: int | None) -> int:
        """Return the number of the round to show: the wanted one if there is one, else the last."""
        return wanted if wanted is not None and 1 <= wanted <= self.state.last else self.state.last

    def same(self, other: EveningLook | None) -> bool:
        """Return whether the page would look the same."""
        if other is None or self.state.moment is not other.state.moment:  # the folder reads each moment once
            return False
        mine = self.state.hall, self.boxes, self.found, self.trouble, self.over
        return mine == (other.state.hall, other.boxes, other.found, other.trouble, other.over)


class EveningViews:
    """Reads and renders the evening.

    Args:
        club: The database, the evening's folder and the visitor.
    """

    def __init__(self, club: ClubData) -> None:
        self._club, self._lock = club, asyncio.Lock()
        self._look: EveningLook | None = None
        self._looked: float | None = None  # when it was read
        self._failure: RequestError | None = None  # why it could not be
        self._done = 0  # how often something was done
        self._rendered: dict[tuple[int, bool], RenderedEvening] = {}

    def forget(self) -> None:
        """Read everything anew: something was done."""
        self._looked = None
        self._done += 1

    async def look(self) -> EveningLook | None:
        """Return the evening; None if none was begun. Refuse the request if its file cannot be used."""
        async with self._lock:
            return await self._fresh()

    async def _fresh(self) -> EveningLook | None:
        """Return the evening, read anew if that was long ago; a failure counts as long for all."""
        if self._looked is None or time.monotonic() - self._looked >= FRESH:
            done, self._failure = self._done, None
            try:
                look = await self._read()
            except RequestError as failure:
                self._failure, look = failure, None
            if look is None or not look.same(self._look):
                self._look = look
                self._rendered.clear()
            self._looked = time.monotonic() if done == self._done else None  # something was done while it was read
        if self._failure is not None:
            raise self._failure
        return self._look

    async def parts(self, wanted: int | None, directs: bool) -> RenderedEvening | None:
        """Return the parts of the page for a round, by default the last; None if no evening was begun."""
        async with self._lock:  # others wait for what is rendered now
            look = await self._fresh()
            if look is None:
                return None
            number = look.number(wanted)
            known = self._rendered.get((number, directs))
            if known is None:
                known = self._rendered[number, directs] = await asyncio.to_thread(rendered, look, number, directs)
            return known

    async def finished(self) -> dict[tuple[int, int], TableResult]:
        """Return the results of finished games that are not taken, as they are now."""
        self.forget()
        look = await self.look()
        return {} if look is None else look.found

    async def _read(self) -> EveningLook | None:
        try:
            state = await asyncio.to_thread(self._club.evening.arranged, self._club.boxes)
        except (EveningError, OSError) as error:
            raise RequestError(500, f"The evening cannot be read: {error}.") from None
        if state is None:
            return None
        tables = self._club.scorer.by_device
        boxes = tuple(TableRow(box, tables[box].note) for box in self._club.boxes if box in tables)
        try:
            found = await self._found(state) if state.last else {}
        except psycopg.Error:
            raise RequestError(503, "The database does not answer.", again=5) from None
        return EveningLook(
            state, boxes, found, self._club.teller.trouble, bool(state.ends) and state.ends <= time.time()
        )

    async def _found(self, state: EveningInHall) -> dict[tuple[int, int], TableResult]:
        """Return the results of games that were begun since the first draw and are not taken."""
        began = state.hall.began
        since = min(began.values(), default=time.time())
        games = await self._club.results_database.ask(partial(archive_search.results, since=since))
        return news_of_games(state.moment.evening, began, games)


def rendered(look: EveningLook, number: int, directs: bool, given: Mapping[str, str] | None = None) -> RenderedEvening:
    """Render a round and what stands beside it, with what was typed into a form that was refused."""
    evening, last = look.evening, look.state.last
    shown = evening.round(number) if number else SeatedRound((), ())
    by_device = {box.device: box for box in look.boxes}
    values: dict[str, object] = {
        "evening": evening,
        "last": last,
        "hall": look.state.hall,
        "ends": look.state.ends,
        "over": look.over,
        "given": {"action": "", "table": "", "points": "", "into": ""} | dict(given or {}),
        "trouble": look.trouble,
        "penalty": drawn_penalty(look.state.moment) if number and number == last else "",
        "ranked": lists.ranking_table(evening),
        "shares": lists.SHARES,
        "found": {
            table: (result.points, as_text([result])) for (its, table), result in look.found.items() if its == number
        },
        "all_found": [as_text([each]) for each in look.found.values() if not each.corrects],
        "latest": look.latest,
        "length": look.state.length,
        "placed": {table: by_device[box] for table, box in look.state.hall.boxes.items() if box in by_device},
        "boxes": look.boxes,
        "lost": [box.name for box in look.boxes if not box.note.online],
        "directs": directs,
    }
    return page_markup.evening_parts(number, shown, values)


def as_text(results: Iterable[TableResult]) -> str:
    """Return results as a form sends them back.

    >>> as_text([TableResult(1, 2, (30, -7), (1, 2), corrects=True)])
    '1 2 30,-7 1,2 corrects'
    """
    return ";".join(
        f"{each.round} {each.table} {','.join(map(str, each.points))} {','.join(map(str, each.ranks))}"
        + " corrects" * each.corrects
        for each in results
    )
