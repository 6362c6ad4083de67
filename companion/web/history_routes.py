"""The routes of the history: its pages and downloads.

They only read. Paired phones of every role see them, and this computer; guests do not.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.core.games import GameFaultError
from companion.core.program_log import ProgramLog
from companion.core.text import N_, Text
from companion.history.bgstats import bgsplay
from companion.history.csv_export import csv_of
from companion.history.json_export import json_of
from companion.history.renamed_and_hidden import People
from companion.history.results import GameResult
from companion.history.selection import select
from companion.journal import JournalError

from .accepted_language import language_of
from .history_game import game_page, log_of
from .history_lists import (
    HistoryRequest,
    evening_page,
    evenings_page,
    games_page,
    league_page,
    people_page,
    read_selection,
)
from .history_markup import ROOT, PageNotFoundError, sentence_page
from .history_person import person_page
from .history_worker import HistoryAccess, OpenHistory, StillReadingError

_LOG = ProgramLog(__name__)

AGAIN = "2"  # seconds after which a browser asks again while games are being read
Writer = Callable[[OpenHistory, HistoryRequest], Response]  # makes the answer to a request, in the history's thread

EXPORTS: dict[str, tuple[str, Callable[[list[GameResult], People], bytes]]] = {
    "csv": ("text/csv; charset=utf-8", csv_of),
    "json": ("application/json", json_of),
    "bgsplay": ("application/octet-stream", bgsplay),
}
"""The media type of each download, and the function that makes it."""


class HistoryRoutes:
    """The routes of the history, and the thread that reads it."""

    def __init__(self, folder: Path | None) -> None:
        """Make the routes on the journal in a folder; None if the journal is kept in memory."""
        self._access = None if folder is None else HistoryAccess(folder)
        pages: dict[str, Writer] = {
            "": _page(games_page),
            "/people": _page(lambda opened, request: (person_page if request.named else people_page)(opened, request)),
            "/people/{named:path}": _page(person_page),
            "/league": _page(league_page),
            "/evenings": _page(evenings_page),
            "/evenings/{named}": _page(evening_page),
            "/games/{named}.jsonl": _log,
            "/games/{named}": _page(game_page),
        }
        exports = {f"/games.{kind}": _export(kind) for kind in EXPORTS}
        self.routes = [
            Route(f"{ROOT}{path}", self._endpoint(writer), methods=["GET"])
            for path, writer in {**exports, **pages}.items()
        ]

    def close(self) -> None:
        if self._access is not None:
            self._access.close()

    def _endpoint(self, writer: Writer) -> Callable[[Request], object]:
        async def answer(request: Request) -> Response:
            query = dict(request.query_params)
            named = request.path_params.get("named") or query.get("name", "")
            wanted = HistoryRequest(language_of(request.scope), request.url.path, named.strip(), query)
            again: dict[str, str] = {}
            try:
                if self._access is None:
                    text = Text(N_("This box keeps its journal in memory only, so it has no history."))
                    raise PageNotFoundError(404, text)
                return await self._access.ask(lambda opened: writer(opened, wanted))
            except PageNotFoundError as error:
                refusal = error
            except StillReadingError as reading:
                text = Text(N_("Games still to be read: {count}. The page follows by itself."), count=reading.remaining)
                refusal, again = PageNotFoundError(503, text), {"Refresh": AGAIN, "Retry-After": AGAIN}
            except GameFaultError as fault:
                refusal = PageNotFoundError(500, fault.text)
            except JournalError as fault:
                refusal = PageNotFoundError(503, Text(N_("The journal cannot be read: {why}"), why=fault.text))
            except Exception as error:
                _LOG.exception("companion: a page of the history: %r", error, error=error)
                refusal = PageNotFoundError(500, Text(N_("Something went wrong; nothing was lost")))
            return HTMLResponse(sentence_page(wanted.language, refusal), refusal.status, again)

        return answer


def _page(write: Callable[[OpenHistory, HistoryRequest], str]) -> Writer:
    return lambda opened, request: HTMLResponse(write(opened, request))


def _log(opened: OpenHistory, request: HistoryRequest) -> Response:
    name, log = log_of(opened, request)
    return _file(name, "application/jsonl", log)


def _export(kind: str) -> Writer:
    media_type, made = EXPORTS[kind]

    def write(opened: OpenHistory, request: HistoryRequest) -> Response:
        found = select(opened.results, read_selection(opened, request), opened.people)
        return _file(f"games-{date.today()}.{kind}", media_type, made(found, opened.people))

    return write


def _file(name: str, media_type: str, content: bytes) -> Response:
    return Response(content, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})
