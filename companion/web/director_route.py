"""The route by which the bridge on this computer passes on the corrections of a club's director."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from companion.app.bridge_secret import is_bridge
from companion.app.ports import DirectorCorrection
from companion.core.text import Text

from .error_answers import RequestError
from .loop_requests import Put, answer_of
from .phone_checks import is_from_here
from .request_bodies import JSON, body_of, decoded
from .table_words import translator

LARGEST = 64 * 1024  # bytes


class _Correction(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request that corrects."""

    game: str
    line: str
    was: tuple[str, ...]
    who: str


def director_route(put: Put, journal: Path | None) -> Route:
    """Return the route, for the bridge of a journal alone.

    The answer says why a correction does not count, in English; it is empty if it counts.
    """

    async def answer(request: Request) -> Response:
        told = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not is_from_here(request.scope) or not is_bridge(journal, told):
            raise RequestError(403, "Only the bridge on this computer passes on corrections.")
        body = await body_of(request, JSON, LARGEST)
        asked = decoded(body, _Correction, 'A correction is sent as {"game": "", "line": "", "was": [], "who": ""}.')
        why: Text | None = await answer_of(
            put, partial(DirectorCorrection, asked.game, asked.line, asked.was, asked.who)
        )
        return JSONResponse({"why": "" if why is None else translator("en").sentence(why)})

    return Route("/correction", answer, methods=["POST"])
