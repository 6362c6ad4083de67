"""The routes of the history: its pages and downloads.

Paired phones of every role see them, and this computer; guests do not. They only read: the place and the notes of a
game, which a phone that scores may change, are written by the box.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from urllib.parse import parse_qs

from msgspec import to_builtins
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.app.inputs import KeepRemark, PageRequest
from companion.core.games import GameFaultError
from companion.core.program_log import ProgramLog
from companion.core.text import N_, Text
from companion.history.bgstats import bgsplay
from companion.history.exports import csv_of, json_of
from companion.history.plays import Remark, Remarks
from companion.history.renamed_and_hidden import People
from companion.history.results import GameResult
from companion.history.selection import select
from companion.journal import JournalError
from companion.ui.screens.phones import Role

from .access import phone_of, require_scorer
from .error_answers import RequestError
from .history_game import game_page, log_of, play_and_path
from .history_lists import HistoryRequest, evening_page, evenings_page, games_page, read_selection
from .history_markup import PageNotFoundError, sentence_page
from .history_people import league_page, people_page, person_page
from .history_worker import ROOT, HistoryAccess, OpenHistory, StillReadingError
from .page_templates import translator
from .requests import FORM, Put, answer_of, body_of, check_origin, language_of

_LOG = ProgramLog(__name__)

LARGEST_REMARK = 16_384  # the most bytes of a form with a place and notes
AGAIN = "2"  # seconds after which a browser asks again while games are being read
MEMORY_ONLY = N_("This box keeps its journal in memory only, so it has no history.")
SAVE_AGAIN = N_("Games still to be read: {count}. Go back and save again in a moment.")
UNREADABLE = N_("The journal cannot be read: {why}")
Writer = Callable[[OpenHistory, HistoryRequest], Response]  # makes the answer to a request, in the history's thread

EXPORTS: dict[str, tuple[str, Callable[[list[GameResult], People, Remarks], bytes]]] = {
    "csv": ("text/csv; charset=utf-8", csv_of),
    "json": ("application/json", json_of),
    "bgsplay": ("application/octet-stream", bgsplay),
}
"""The media type of each download, and the function that makes it."""


class HistoryRoutes:
    """The routes of the history, and the thread that reads it."""

    def __init__(self, folder: Path | None, put: Put) -> None:
        """Make the routes on the journal in a folder; None if the journal is kept in memory.

        ``put`` asks the box to write.
        """
        self._put = put
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
        self.routes.append(Route(f"{ROOT}/games/{{named}}/remark", self._remark, methods=["POST"]))

    def close(self) -> None:
        if self._access is not None:
            self._access.close()

    def _endpoint(self, writer: Writer) -> Callable[[Request], object]:
        async def answer(request: Request) -> Response:
            query = dict(request.query_params)
            named = request.path_params.get("named") or query.get("name", "")
            phone = phone_of(request.scope)
            scores = phone is not None and phone.role is Role.SCORER
            wanted = HistoryRequest(language_of(request.scope), request.url.path, named.strip(), query, scores)
            again: dict[str, str] = {}
            try:
                if self._access is None:
                    raise PageNotFoundError(404, Text(MEMORY_ONLY))
                return await self._access.ask(lambda opened: writer(opened, wanted))
            except PageNotFoundError as error:
                refusal = error
            except StillReadingError as reading:
                text = Text(N_("Games still to be read: {count}. The page follows by itself."), count=reading.remaining)
                refusal, again = PageNotFoundError(503, text), {"Refresh": AGAIN, "Retry-After": AGAIN}
            except GameFaultError as fault:
                refusal = PageNotFoundError(500, fault.text)
            except JournalError as fault:
                refusal = PageNotFoundError(503, Text(UNREADABLE, why=fault.text))
            except Exception as error:
                _LOG.exception("companion: a page of the history: %r", error, error=error)
                refusal = PageNotFoundError(500, Text(N_("Something went wrong; nothing was lost")))
            return HTMLResponse(sentence_page(wanted.language, refusal), refusal.status, again)

        return answer

    async def _remark(self, request: Request) -> Response:
        """Have the place and the notes of a game written down, and lead back to its page."""
        require_scorer(request.scope)
        check_origin(request)
        body = await body_of(request, FORM, LARGEST_REMARK)
        try:
            form = parse_qs(body.decode(errors="replace"), max_num_fields=4)
        except ValueError:
            raise RequestError(400, "The page of a game sends a place and notes.") from None
        remark = Remark.of(*(form.get(field, [""])[0] for field in ("place", "notes")))
        words = translator(language_of(request.scope))
        if self._access is None:
            raise RequestError(404, words.sentence(Text(MEMORY_ONLY)))
        named = HistoryRequest(language_of(request.scope), request.url.path, request.path_params["named"])
        try:
            play, path = await self._access.ask(lambda opened: play_and_path(opened, named))
        except PageNotFoundError as error:
            raise RequestError(error.status, words.sentence(error.text)) from None
        except StillReadingError as reading:
            raise RequestError(503, words.sentence(Text(SAVE_AGAIN, count=reading.remaining)), int(AGAIN)) from None
        except JournalError as fault:
            raise RequestError(503, words.sentence(Text(UNREADABLE, why=fault.text))) from None
        keep = KeepRemark(play, to_builtins(remark))
        why: Text | None = await answer_of(self._put, partial(PageRequest, keep, phone_of(request.scope)))
        if why is not None:
            raise RequestError(409, words.sentence(why))
        return RedirectResponse(f"{path}#remark", 303)


def _page(write: Callable[[OpenHistory, HistoryRequest], str]) -> Writer:
    return lambda opened, request: HTMLResponse(write(opened, request))


def _log(opened: OpenHistory, request: HistoryRequest) -> Response:
    name, log = log_of(opened, request)
    return _file(name, "application/jsonl", log)


def _export(kind: str) -> Writer:
    media_type, made = EXPORTS[kind]

    def write(opened: OpenHistory, request: HistoryRequest) -> Response:
        found = select(opened.results, read_selection(opened, request), opened.people)
        return _file(f"games-{date.today()}.{kind}", media_type, made(found, opened.people, opened.remarks))

    return write


def _file(name: str, media_type: str, content: bytes) -> Response:
    return Response(content, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})
