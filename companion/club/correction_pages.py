"""The pages on which a director corrects an entry of a game, question by question."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.core.session import Session
from companion.core.text import IllegalEventError
from companion.web.error_answers import RequestError

from . import page_markup
from .archive_search import StoredGame
from .corrections import CorrectionForm, draft, record
from .game_score import ENGLISH
from .page_context import ClubData, form_of

MOST_ANSWERS = 60  # answers that a correction may take


class CorrectionPages:
    """The route of corrections: a list of entries, the questions of one, and what is sent to the table."""

    def __init__(self, club: ClubData) -> None:
        self._club = club
        self.routes = [Route("/games/{id:int}/correct", self._answer, methods=["GET", "POST"])]

    async def _answer(self, request: Request) -> Response:
        who = await self._club.require(request, directs=True)
        game = await self._club.game_of(request)
        session = (await self._club.scored(game)).session
        if session is None:
            raise RequestError(404, "Without rules a game cannot be corrected.")
        query = request.url.query
        if request.method == "POST":
            given = await form_of(request)
            query = given.get("chosen", "")
            number, made = _chosen(session, query)
            if not made.line:
                raise RequestError(400, made.refusal or "This correction is not finished.")
            if given.get("was") != made.was[0]:
                raise RequestError(409, "The entry is another one by now.")
            await self._club.database.ask(lambda connection: record(connection, game, number, made, who.name))
            self._club.teller.send_corrections()
            return RedirectResponse(f"/games/{game.id}", 303)
        values = _entry(session, game, query) if query else _entries(session)
        return HTMLResponse(page_markup.page("correct", f"Correct {game.table}", visitor=who, id=game.id, **values))


def _entries(session: Session) -> dict[str, object]:
    """Return the list of all entries, the latest first."""
    words, game = ENGLISH.at(session.header.players), session.header.game
    entries = [(step.number, words.sentence(game.describe(step.event))) for step in session.steps()]
    return {"entries": entries, "made": None}


def _entry(session: Session, game: StoredGame, query: str) -> dict[str, object]:
    """Return what the page of one entry shows."""
    number, made = _chosen(session, query)
    here = f"/games/{game.id}/correct?"
    answers = [(label, here + query + "&" + urlencode({"a": name})) for name, label in made.answers]
    out = f"{here}entry={number}&out=yes"
    shown = {"made": made, "number": number, "answers": answers, "chosen": query, "pairs": parse_qsl(query), "out": out}
    return {"entries": [], **shown}


def _chosen(session: Session, query: str) -> tuple[int, CorrectionForm]:
    """Return the number of the entry and the correction that an address names."""
    pairs = parse_qsl(query)
    number = dict(pairs).get("entry", "")
    if not (number.isdecimal() and len(number) < 7) or len(pairs) > MOST_ANSWERS:
        raise RequestError(400, "An entry has a number, from 1.")
    try:
        typed = [value for name, value in pairs if name == "a"]
        chosen = [f"number {value}" if value.removeprefix("-").isdecimal() else value for value in typed]
        return int(number), draft(session, int(number), chosen, take_out="out" in dict(pairs))
    except IllegalEventError as error:
        raise RequestError(404, str(error)) from None
