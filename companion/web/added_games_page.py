"""The page of added games, for a browser on this computer alone: write a game, look it over, add it, remove it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.app.games import GameFinder, looked_over
from companion.core.game import Game, LogHeader
from companion.core.games import GameFaultError
from companion.core.prompt import Prompt
from companion.core.session import Session
from companion.core.text import N_, Text, why
from companion.games.toml_games import Finding, GameFileError, beginning
from companion.games.toml_games.declaration import in_brief
from companion.games.toml_games.trial import endless
from companion.journal import JournalError, added_game_files
from companion.ui.panel import draw
from companion.ui.screens.context import CurrentGame, ScreenContext, placeholder_names
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import Translator

from .accepted_language import language_of
from .error_answers import RequestError
from .live_template_values import translator, words_of
from .page_templates import render
from .phone_checks import require_this_computer
from .request_bodies import FORM, body_of, decoded

PATH = "/games"
LARGEST = 2 * added_game_files.MOST_BYTES  # the most bytes of a request: a file, with what JSON escapes
NAME = "our-game"
AT_LINE = N_("line {line}: {wrong}")
ADDED = N_("Added: {game}. A new game at the table offers it under Other games")
CHANGED = N_("Changed: {game}. New games have these rules. A game that was begun has them once it is opened again")
REMOVED = N_("Removed: {game}. Games of it that were played stay, and open again once it is added again")
NOT_WRITTEN = N_("It cannot be written: {why}")


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request with a game's file."""

    text: str


class GamesPage:
    """The routes of the page of added games."""

    def __init__(self, folder: Path | None) -> None:
        """Serve the journal in a folder; None if it is kept in memory."""
        self._folder = folder
        self._pictures = 0  # how many were drawn; the number in an address lets no browser show an earlier one
        self._picture = b""
        self._replaced: set[str] = set()  # the names of games whose files were replaced
        self._removed: dict[str, str] = {}  # the titles of games that were removed, by name
        self.routes = [
            Route(PATH, self._show, methods=["GET"]),
            Route(f"{PATH}/picture", self._drawn, methods=["GET"]),
            Route(f"{PATH}/look", self._look, methods=["POST"]),
            Route(f"{PATH}/add", self._add, methods=["POST"]),
            Route(f"{PATH}/remove", self._remove, methods=["POST"]),
        ]

    def _place(self, request: Request) -> Path:
        """Return the folder of added games; raise RequestError unless a browser on this computer asks."""
        require_this_computer(request.scope, "Only a browser on the computer that runs the program changes its games.")
        if self._folder is None:
            raise RequestError(404, "This box keeps its journal in memory only.")
        return self._folder / added_game_files.FOLDER

    async def _show(self, request: Request) -> Response:
        """Show the added games, and the file of one of them or the beginning of a new one."""
        place, language = self._place(request), language_of(request.scope)
        games = GameFinder(lambda: place.parent)
        titles = games.titles()
        listed = [(name, titles[name]) for name, file in games.files().items() if file.parent == place]
        added, removed, asked, edited = (
            request.query_params.get(key, "") for key in ("added", "removed", "remove", "edit")
        )
        wanted = added or asked or edited
        text = beginning(NAME, "Our game")
        if wanted in dict(listed):
            try:
                text = added_game_files.read(place / f"{wanted}{added_game_files.SUFFIX}")
            except JournalError as error:
                raise RequestError(404, translator(language).sentence(error.text)) from None
        done = None
        if added in dict(listed):
            done = Text(CHANGED if added in self._replaced else ADDED, game=titles[added])
        elif removed in self._removed and removed not in dict(listed):
            done = Text(REMOVED, game=self._removed[removed])
        values = {
            "listed": listed,
            "text": text,
            "wanted": wanted,
            "asked": asked,
            "done": "" if done is None else translator(language).sentence(done),
        }
        return HTMLResponse(render("games.html", language=language, say=words_of(language), **values))

    async def _drawn(self, request: Request) -> Response:
        """Show the first question of the file that was checked last."""
        self._place(request)
        return Response(self._picture, media_type="image/png", headers={"Cache-Control": "no-store"})

    async def _look(self, request: Request) -> Response:
        """Say what a file declares and show its first question, or say what is wrong with it."""
        _text, found = await self._looked(request)
        return JSONResponse(found)

    async def _add(self, request: Request) -> Response:
        """Add a game, if its file has no fault."""
        text, found = await self._looked(request)
        if not found["wrong"]:
            try:
                file = self._place(request) / f"{found['name']}{added_game_files.SUFFIX}"
                self._replaced |= {found["name"]} if file.exists() else set()
                await asyncio.to_thread(added_game_files.write, file, text.encode())
            except OSError as error:
                told = translator(language_of(request.scope)).sentence(Text(NOT_WRITTEN, why=why(error)))
                found = {"wrong": [told]}
        return JSONResponse(found)

    async def _looked(self, request: Request) -> tuple[str, dict[str, Any]]:
        """Return the file that a request sends, and what was found in it."""
        self._place(request)
        text = decoded(await body_of(request, largest=LARGEST), _File, 'A game is sent as {"text": "name = …"}.').text
        found, picture = await asyncio.to_thread(_looked_at, text, language_of(request.scope))
        if picture:
            self._picture, self._pictures = picture, self._pictures + 1
            found["picture"] = f"{PATH}/picture?{self._pictures}"
        return text, found

    async def _remove(self, request: Request) -> Response:
        """Ask whether a game's file is to be removed, and then remove it; games of it that were played stay."""
        place = self._place(request)
        form = parse_qs((await body_of(request, FORM)).decode(errors="replace"))
        name = form.get("name", [""])[0]
        if not added_game_files.is_name(name):
            return RedirectResponse(PATH, 303)
        if "sure" not in form:
            return RedirectResponse(f"{PATH}?remove={name}", 303)
        self._replaced.discard(name)
        self._removed[name] = GameFinder(lambda: place.parent).titles().get(name, name)
        await asyncio.to_thread((place / f"{name}{added_game_files.SUFFIX}").unlink, True)
        return RedirectResponse(f"{PATH}?removed={name}", 303)


def _looked_at(text: str, language: str) -> tuple[dict[str, Any], bytes]:
    """Return what a file declares and a picture of its first question; or what is wrong with it, in sentences."""
    words = translator(language)
    try:
        text = added_game_files.text_of(text.encode(errors="replace"))
        found, game = looked_over(text, NAME)
        picture = preview(game, language)
        never_ends = endless(found, text)
    except GameFileError as error:
        return {"wrong": _at_lines(error.findings, words), **_place(error.findings[0])}, b""
    except GameFaultError as fault:
        return {"wrong": [words(fault.wrong)]}, b""
    except JournalError as error:
        return {"wrong": [words(error.text)]}, b""
    told = words(Text("{title}: {brief}", title=Text(found.title), brief=in_brief(found)))
    right = {"wrong": [], "name": found.name, "told": told}
    if never_ends is None:
        return right, picture
    return {**right, "doubtful": _at_lines([never_ends], words), **_place(never_ends)}, picture


def _at_lines(findings: Sequence[Finding], words: Translator) -> list[str]:
    return [words(Text(AT_LINE, line=each.line, wrong=each.text)) for each in findings]


def _place(finding: Finding) -> dict[str, int]:
    return {"line": finding.line, "column": finding.column}


SCALE = 3  # pixels of the picture for one of the panel


def preview(game: Game[Any], language: str) -> bytes:
    """Return the first question of a round as a PNG picture, for the fewest players and the usual rules."""
    names = placeholder_names(Translator(language))[: game.seats.start]
    rules = game.rules()
    session = Session(LogHeader(game, names, rules, game.start(len(names), rules), ""))
    tracking = next(iter(game.trackings))
    asked = game.ask(session.state, tracking, ())
    if isinstance(asked, Prompt) and game.progress(session.state).phase == "start":
        made = game.ask(session.state, tracking, asked.answers[:1])
        if made is not None and not isinstance(made, Prompt):
            session = session.add(made)
    words = Translator(language, names)
    context = ScreenContext(words, game=CurrentGame("", session, tracking))
    picture = draw(words.told(PlayScreen().show(context).view))
    image, written = picture.convert("L"), BytesIO()
    image.resize((image.width * SCALE, image.height * SCALE), 0).save(written, "PNG")
    return written.getvalue()
