"""The pages of all evenings: the ranking of a season, each past evening, and what is printed and saved of one."""

from __future__ import annotations

import asyncio
import time

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.history.csv_export import csv_bytes
from companion.web.error_answers import RequestError

from .evening import lists
from .evening.evening_state import ClubEvening
from .evening.evening_store import PastEvening
from .page_context import Club

SAVED = {"ranking": lists.ranking_table, "results": lists.result_table}


class SeasonPages:
    """The routes of the season, and of the lists of each evening."""

    def __init__(self, club: Club) -> None:
        self._club = club
        self.routes = [
            Route("/season", self._season),
            Route("/season.csv", self._season),
            Route("/evening/print/{what}", self._print),
            Route("/evening/{what}.csv", self._csv),
        ]

    async def _season(self, request: Request) -> Response:
        """Answer with the ranking over the evenings of a year, or of all years."""
        evenings = await asyncio.to_thread(self._club.evenings.all)
        years = sorted({time.localtime(each.begun).tm_year for each in evenings}, reverse=True)
        year = request.query_params.get("year", "")
        chosen = [each for each in evenings if not year or str(time.localtime(each.begun).tm_year) == year]
        rows = await asyncio.to_thread(lists.season_table, [each.evening for each in chosen])
        if request.url.path.endswith(".csv"):
            return _file("season", rows)
        values = {"rows": rows, "evenings": chosen[::-1], "years": years, "year": year}
        return self._club.page(request, "season", "Season", values, here="/season")

    async def _print(self, request: Request) -> Response:
        evening, number = await self._chosen(request)
        what = request.path_params["what"]
        if what in ("slips", "cards") and number:
            tables = [table for table in evening.round(number).tables if len(table.players) > 1]
            heading = f"{evening.name}, round {number}"
            values = {"evening": evening, "number": number, "tables": tables, "slips": what == "slips"}
            return self._club.page(request, "cards", heading, values)
        of = f"after round {len(evening.rounds)}" if what in SAVED else f"round {number}"
        rows = _rows(evening, number, what)
        heading = f"{evening.name}: {what}, {of}"
        return self._club.page(request, "evening_print", heading, {"rows": rows, "now": time.time()})

    async def _csv(self, request: Request) -> Response:
        evening, number = await self._chosen(request)
        return _file(request.path_params["what"], _rows(evening, number, request.path_params["what"]))

    async def _chosen(self, request: Request) -> tuple[ClubEvening, int]:
        """Return the evening and the number of the round that an address names: by default the last ones."""
        evenings: list[PastEvening] = await asyncio.to_thread(self._club.evenings.all)
        name, wanted = request.query_params.get("of", ""), request.query_params.get("round", "")
        found = [each for each in evenings if each.id == name] if name else evenings[-1:]
        if not found:
            raise RequestError(404, "There is no such evening." if name else "No evening is begun.")
        evening = found[0].evening
        number = int(wanted) if wanted.isdecimal() and len(wanted) < 5 else 0
        return evening, number if 1 <= number <= len(evening.rounds) else len(evening.rounds)


def _rows(evening: ClubEvening, number: int, what: str) -> lists.Rows:
    """Return the list that an address names."""
    if what in SAVED:
        return SAVED[what](evening)
    if what in ("seats", "names") and number:
        return lists.seat_table(evening, number, by_name=what == "names")
    raise RequestError(404, "There is no such list.")


def _file(name: str, rows: lists.Rows) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(csv_bytes(rows), media_type="text/csv", headers=headers)
