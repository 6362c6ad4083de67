"""The evening as its page shows it, read and rendered at most once a second for all browsers."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping

from msgspec import Struct

from companion.core.text import N_, Text, why
from companion.history.results import GameResult
from companion.web.error_answers import RequestError

from . import page_markup
from .evening import lists
from .evening.boxes_at_tables import news_of_games, other_names
from .evening.evening_state import ClubEvening, EveningError, SeatedRound, TableResult
from .evening.evening_store import EveningInHall
from .evening.seating import meet_again
from .game_score import TableRow
from .live import LiveParts
from .page_context import Club, RefusalError

FRESH = 1.0  # seconds for which everybody is shown what was read before
SEATS_SHOWN = 300.0  # seconds after the draw for which the projector shows who sits where

Place = tuple[int, int]  # the number of a round and that of a table


class EveningLook(Struct, frozen=True):
    """The evening with its boxes and the results that are not taken, as the page shows them."""

    state: EveningInHall
    boxes: tuple[TableRow, ...]  # all boxes that were ever online, in their order, without their games
    found: dict[Place, TableResult]  # results that boxes or phones tell and the director has not taken
    hints: dict[int, str]  # names of finished games that are others than at the table, by tables that await a result
    trouble: str  # why the boxes do not know the latest yet
    calls: int  # how many tables call the director
    damaged: bool  # whether something of the evening may be lost

    @property
    def evening(self) -> ClubEvening:
        return self.state.moment.evening

    @property
    def over(self) -> bool:
        """Return whether the time of the last round is over."""
        return bool(self.state.ends) and self.state.ends <= time.time()

    @property
    def latest(self) -> Text | None:
        """Return the event that can be taken back, in words; None if there is none."""
        moment = self.state.moment
        return None if moment.before is None else lists.in_words(moment.event, moment.before.evening)

    def number(self, wanted: int | None) -> int:
        """Return the number of the round to show: the wanted one if there is one, else the last."""
        return wanted if wanted is not None and 1 <= wanted <= self.state.last else self.state.last

    @property
    def phase(self) -> str:
        """Return what the projector shows: the seats, the clock or the ranking."""
        rounds = self.evening.rounds
        if not rounds or not rounds[-1].open_tables:
            return "ranking" if rounds else "players"
        drawn = self.state.hall.began.get(self.state.last, 0.0)
        return "seats" if not self.state.ends or time.time() - drawn < SEATS_SHOWN else "clock"


class EveningViews:
    """Reads and renders the evening.

    Args:
        club: The evenings and the boxes.
    """

    def __init__(self, club: Club) -> None:
        self._club, self._lock = club, asyncio.Lock()
        self._look: EveningLook | None = None
        self._looked: float | None = None  # when it was read
        self._failure: RequestError | None = None  # why it could not be
        self._done = 0  # how often something was done
        self._rendered: dict[object, LiveParts] = {}

    def forget(self) -> None:
        """Read everything anew: something was done."""
        self._looked = None
        self._done += 1

    async def look(self) -> EveningLook | None:
        """Return the evening; None if none was begun. Refuse the request if it cannot be read."""
        async with self._lock:
            return await self._fresh()

    async def _fresh(self) -> EveningLook | None:
        """Return the evening, read anew if that was long ago; a failure counts as long for all."""
        if self._looked is None or time.monotonic() - self._looked >= FRESH:
            done, self._failure = self._done, None
            try:
                self._look = await self._read()
            except RequestError as failure:
                self._failure, self._look = failure, None
            self._rendered.clear()
            self._looked = time.monotonic() if done == self._done else None  # something was done while it was read
        if self._failure is not None:
            raise self._failure
        return self._look

    async def parts(self, wanted: int | None, directs: bool, language: str) -> LiveParts | None:
        """Return the parts of the page for a round, by default the last; None if no evening was begun."""
        async with self._lock:  # others wait for what is rendered now
            look = await self._fresh()
            if look is None:
                return None
            key = look.number(wanted), directs, language
            if key not in self._rendered:
                self._rendered[key] = await asyncio.to_thread(rendered, look, *key)
            return self._rendered[key]

    async def projected(self, language: str) -> LiveParts:
        """Return the part of the projector's page."""
        async with self._lock:
            look = await self._fresh()
            if language not in self._rendered:
                ranked = () if look is None else lists.ranking_table(look.evening)
                values = {"look": look, "ranked": ranked, "address": self._club.address}
                self._rendered[language] = await asyncio.to_thread(page_markup.projector, values, language)
            return self._rendered[language]

    async def finished(self) -> dict[Place, TableResult]:
        """Return the results that are not taken, as they are now."""
        self.forget()
        look = await self.look()
        return {} if look is None else look.found

    async def _read(self) -> EveningLook | None:
        hub = self._club.hub
        try:
            state = await asyncio.to_thread(self._club.evenings.arranged, [] if hub is None else hub.boxes)
        except (EveningError, OSError) as error:
            reason = error.text if isinstance(error, EveningError) else why(error)
            raise RefusalError(500, Text(N_("The evening cannot be read: {why}"), why=reason)) from None
        if state is None:
            return None
        evening, began = state.moment.evening, state.hall.began
        games: list[tuple[float, GameResult]] = []
        if hub is not None and state.last:
            games = await hub.results(since=min(began.values(), default=time.time()))
        return EveningLook(
            state,
            () if hub is None else hub.rows_without_games,
            state.told | news_of_games(evening, began, games),
            other_names(evening, began, games) if state.last else {},
            "" if hub is None else hub.teller.trouble,
            self._club.calls,
            self._club.evenings.damaged,
        )


def rendered(
    look: EveningLook, number: int, directs: bool, language: str, given: Mapping[str, str] | None = None
) -> LiveParts:
    """Render a round and what stands beside it, with what was typed into a form that was refused."""
    evening, last = look.evening, look.state.last
    by_device = {box.device: box for box in look.boxes}
    values: dict[str, object] = {
        "look": look,
        "evening": evening,
        "number": number,
        "last": last,
        "hall": look.state.hall,
        "shown": evening.round(number) if number else SeatedRound((), ()),
        "given": defaultdict(str, given or {}),
        "again": meet_again(evening, number) if number else None,
        "ranked": lists.ranking_table(evening),
        "shares": lists.SHARES,
        "found": {
            table: (result.points, as_text([result])) for (its, table), result in look.found.items() if its == number
        },
        "hints": look.hints if number == last else {},
        "told_otherwise": look.state.told_otherwise,
        "all_found": [  # what was told in two ways is taken one by one
            as_text([each])
            for each in look.found.values()
            if not each.corrects and each.table not in look.state.told_otherwise
        ],
        "arranged": lists.arrangements(evening),
        "placed": {table: by_device[box] for table, box in look.state.hall.boxes.items() if box in by_device},
        "lost": [box.name for box in look.boxes if not box.note.online],
        "directs": directs,
    }
    return page_markup.evening_parts(values, language)


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
