"""Routes by which the bridge on this computer delivers the messages of the club's hub."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from companion.app.bridge_secret import is_bridge
from companion.app.inputs import DirectorCorrection, HubNews, PageRequest
from companion.core.text import Text
from companion.gamelog import are_names
from companion.ui.club import HubMessage

from .access import is_from_here
from .error_answers import RequestError
from .page_templates import translator
from .requests import JSON, Put, answer_of, body_of, decoded

LARGEST = 64 * 1024  # bytes

Message = TypeVar("Message", bound=Struct)


class _Correction(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request that corrects."""

    game: str
    line: str
    was: tuple[str, ...]
    who: str


def hub_routes(put: Put, journal: Path | None) -> tuple[Route, Route]:
    """Return the routes, for the bridge of a journal alone.

    The answer says why a message does not count, in English; it is empty if it counts.
    """

    async def correction(request: Request) -> Response:
        wanted = 'A correction is sent as {"game": "", "line": "", "was": [], "who": ""}.'
        asked = await _read(request, journal, _Correction, wanted)
        return await _answered(put, DirectorCorrection(asked.game, asked.line, asked.was, asked.who))

    async def news(request: Request) -> Response:
        wanted = 'News is sent as {"seats": {"round": 1, "table": 1, "names": ["", ""], "ends": 0}, "attended": 0}.'
        message = await _read(request, journal, HubMessage, wanted)
        if message.seats is not None and not are_names(message.seats.names):
            raise RequestError(400, "A seat call names players as a game does: each once, in 1 to 20 characters.")
        return await _answered(put, HubNews(message))

    return Route("/correction", correction, methods=["POST"]), Route("/hub", news, methods=["POST"])


async def _read(request: Request, journal: Path | None, kind: type[Message], wanted: str) -> Message:
    """Return the body of a request; refuse everybody but the bridge."""
    told = request.headers.get("authorization", "").removeprefix("Bearer ")
    if not is_from_here(request.scope) or not is_bridge(journal, told):
        raise RequestError(403, "Only the bridge on this computer speaks for the hub.")
    return decoded(await body_of(request, JSON, LARGEST), kind, wanted)


async def _answered(put: Put, asked: DirectorCorrection | HubNews) -> Response:
    why: Text | None = await answer_of(put, partial(PageRequest, asked, None))
    return JSONResponse({"why": "" if why is None else translator("en").sentence(why)})
