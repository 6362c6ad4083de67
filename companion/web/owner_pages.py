"""Pages for a browser on the computer that runs the program alone: backups, and games of one's own.

A backup is downloaded, or looked over and restored when the program starts next, before it opens its journal. A game is
filled in or written, checked, added, removed.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from typing import Any
from zlib import crc32

from msgspec import Struct
from starlette.background import BackgroundTask
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.app.games import GameFinder, is_built_in, looked_over
from companion.app.inputs import PageRequest, SetUpGame
from companion.core.game import Game, LogHeader
from companion.core.games import FAMILIES, GameFaultError
from companion.core.prompt import Prompt
from companion.core.session import Session
from companion.core.text import COMMA, N_, Text, why
from companion.gamelog import name_key
from companion.games import shipped
from companion.games.toml_games import Finding, GameFileError, beginning, declared
from companion.games.toml_games.declaration import in_brief, players_of
from companion.games.toml_games.file import phrase, places
from companion.games.toml_games.form import (
    NEW,
    answers,
    filled,
    ignored,
    in_words,
    is_kept,
    no_numbers,
    slug,
    with_example,
    without_examples,
)
from companion.games.toml_games.form import form_of as game_form
from companion.games.toml_games.trial import endless, points_of, wrong_examples
from companion.journal import JournalError, added_game_files
from companion.journal.backup import WAITING, BackupContent, content_of_backup, write_backup
from companion.journal.disk import written_beside
from companion.ui.panel import draw
from companion.ui.screens.context import CurrentGame, ScreenContext, placeholder_names
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import Translator

from .access import phone_of, require_this_computer
from .error_answers import RequestError
from .page_templates import html_page, translator
from .requests import Put, answer_of, form_of, language_of

MEMORY_ONLY = N_("This box keeps its journal in memory only.")


def _own_folder(request: Request, folder: Path | None, sentence: str) -> Path:
    """Return the journal's folder; refuse everybody but a browser on this computer, with a sentence."""
    require_this_computer(request.scope, sentence)
    if folder is None:
        raise RequestError(404, MEMORY_ONLY)
    return folder


# Backups

BACKUP = "/backup"
LARGEST_BACKUP = 64 * 1024 * 1024  # the most bytes of a backup that a browser may send
ZIP = "application/zip"
THIS_FILE = Text(N_("This file"))


class _Looked(Struct, frozen=True):
    """A backup that was sent and is whole."""

    file: Path
    content: BackupContent


class BackupPage:
    """The routes of the backup page."""

    def __init__(self, folder: Path | None) -> None:
        """Serve the journal in a folder; None if it is kept in memory."""
        self._folder = folder
        self._looked: _Looked | None = None
        self.routes = [
            Route(BACKUP, self._show, methods=["GET"]),
            Route(f"{BACKUP}/file", self._download, methods=["GET"]),
            Route(f"{BACKUP}/look", self._look, methods=["POST"]),
            Route(f"{BACKUP}/restore", self._restore, methods=["POST"]),
            Route(f"{BACKUP}/drop", self._drop, methods=["POST"]),
        ]

    def close(self) -> None:
        """Forget a backup that was sent and is not to be restored."""
        if self._looked is not None:
            self._looked.file.unlink(missing_ok=True)
        self._looked = None

    def _journal(self, request: Request) -> Path:
        """Return the journal's folder; raise RequestError unless a browser on this computer asks."""
        sentence = N_("Only a browser on the computer that runs the program backs up and restores.")
        return _own_folder(request, self._folder, sentence)

    async def _show(self, request: Request) -> Response:
        waits = (self._journal(request) / WAITING).exists()
        found = None if self._looked is None else self._looked.content
        return html_page("backup.html", language_of(request.scope), {"found": found, "waits": waits})

    async def _download(self, request: Request) -> Response:
        folder, language = self._journal(request), language_of(request.scope)
        file = _new_file()
        try:
            written = await asyncio.to_thread(write_backup, folder, file)
        except (JournalError, OSError) as error:
            file.unlink(missing_ok=True)
            raise RequestError(503, _told(error, language)) from None
        name = f"companion-backup-{date.today()}{'-incomplete' if written.damaged else ''}.zip"
        return FileResponse(file, media_type=ZIP, filename=name, background=BackgroundTask(file.unlink, True))

    async def _look(self, request: Request) -> Response:
        """Look a backup over that a browser sends. Nothing is restored."""
        self._journal(request)
        if request.headers.get("content-type", "") != ZIP:  # no foreign page may send it
            raise RequestError(415, f"A backup is sent as {ZIP}.")
        file = _new_file()
        try:
            await _received(request, file)
            content = await asyncio.to_thread(content_of_backup, file)
        except (JournalError, OSError) as error:
            file.unlink(missing_ok=True)
            return JSONResponse({"why": _told(error, language_of(request.scope), THIS_FILE)})
        except BaseException:
            file.unlink(missing_ok=True)
            raise
        self.close()
        self._looked = _Looked(file, content)
        return JSONResponse({"why": ""})

    async def _restore(self, request: Request) -> Response:
        """Have the backup that was checked restored at the next start."""
        folder = self._journal(request)
        if self._looked is not None:
            await asyncio.to_thread(_copy, self._looked.file, folder / WAITING)
            self.close()
        return RedirectResponse(BACKUP, 303)

    async def _drop(self, request: Request) -> Response:
        """Forget the backup that was checked, and one that waits for the next start."""
        folder = self._journal(request)
        self.close()
        (folder / WAITING).unlink(missing_ok=True)
        return RedirectResponse(BACKUP, 303)


def _told(error: JournalError | OSError, language: str, file: Text | None = None) -> str:
    """Return why something fails, with other words in place of the name of its file, which only the program knows."""
    if isinstance(error, JournalError):
        args = error.text.args if file is None else {**error.text.args, "file": file}
        return translator(language).sentence(Text(error.text.template, **args))
    return translator(language).sentence(Text(N_("The backup cannot be read: {why}"), why=why(error)))


def _new_file() -> Path:
    descriptor, name = tempfile.mkstemp(prefix="companion-backup-", suffix=".zip")
    os.close(descriptor)
    return Path(name)


async def _received(request: Request, file: Path) -> None:
    """Write the body of a request to a file."""
    size = 0
    try:
        with file.open("wb") as writing:
            async for chunk in request.stream():
                size += len(chunk)
                if size > LARGEST_BACKUP:
                    most = LARGEST_BACKUP >> 20
                    raise RequestError(413, f"A backup has up to {most} MB here; use companion restore.")
                writing.write(chunk)
    except ClientDisconnect:
        raise RequestError(400, "The sender has gone.") from None  # nobody receives this


def _copy(file: Path, to: Path) -> None:
    """Copy a file in pieces; at every moment the earlier one or the new one is there."""
    with file.open("rb") as reading, written_beside(to) as writing:
        shutil.copyfileobj(reading, writing)


# Games of one's own

GAMES = "/games"
FORM_PATH = f"{GAMES}/game"
LARGEST_FORM = 4 * added_game_files.MOST_BYTES  # the most bytes of a form: a file, with what its encoding makes longer
MOST_FIELDS = 400
OUR_GAME = N_("Our game")
OURS = N_("Our {game}")
ADDS_UP = N_("A number for each player, added up")
AT_LINE = N_("line {line}: {wrong}")
ADDED = N_("Added: {game}. A new game at the table offers it under Other games")
CHANGED = N_("Changed: {game}. New games have these rules. A game that was begun has them once it is opened again")
REMOVED = N_("Removed: {game}. Games of it that were played stay, and open again once it is added again")
NO_NUMBER = N_("“{typed}” is no whole number")
NO_COUNT = N_("“{typed}” is no whole number from 1 to 99999, so the number before it stays")
TAKEN = N_("another of your games is {name}: give this one another name")
NOT_WRITTEN = N_("It cannot be written: {why}")
ONLY_TEXT = {
    "tricks": N_("playing card by card"),
    "ask": N_("conditions of questions"),
    "options": N_("rules that are chosen at set-up"),
    "define": N_("named formulas"),
    "score": N_("what is carried from round to round"),
    "end": N_("who wins at the end"),
    "sits_out": N_("who sits out"),
    "card": N_("the rules card"),
    "counts": N_("statistics"),
    "example": N_("worked rounds"),
    "words": N_("translations"),
}
"""The parts of a game that only the text shows, by the keys of the file."""


class GamesPage:
    """The routes of the pages of added games: the list, the form of one, the help."""

    def __init__(self, folder: Path | None, put: Put) -> None:
        """Serve the journal in a folder; None if it is kept in memory. ``put`` asks the application's loop."""
        self._folder = folder
        self._put = put
        self._pictures = 0  # how many were drawn; the number in an address lets no browser show an earlier one
        self._picture = b""
        self._replaced: set[str] = set()  # the names of games whose files were replaced
        self._removed: dict[str, str] = {}  # the titles of games that were removed, by name
        self.routes = [
            Route(GAMES, self._show, methods=["GET"]),
            Route(FORM_PATH, self._open, methods=["GET"]),
            Route(FORM_PATH, self._send, methods=["POST"]),
            Route(f"{GAMES}/picture", self._drawn, methods=["GET"]),
            Route(f"{GAMES}/help", self._help, methods=["GET"]),
            Route(f"{GAMES}/play", self._play, methods=["POST"]),
            Route(f"{GAMES}/remove", self._remove, methods=["POST"]),
        ]

    def _place(self, request: Request) -> Path:
        """Return the folder of added games; raise RequestError unless a browser on this computer asks."""
        sentence = N_("Only a browser on the computer that runs the program changes its games.")
        return _own_folder(request, self._folder, sentence) / added_game_files.FOLDER

    async def _show(self, request: Request) -> Response:
        """Show the added games, and the program's own as beginnings of new ones."""
        place, words = self._place(request), translator(language_of(request.scope))
        games = GameFinder(lambda: place.parent)
        titles = games.titles()
        listed = [(name, titles[name]) for name, file in games.files().items() if file.parent == place]
        added, removed, asked = (request.query_params.get(key, "") for key in ("added", "removed", "remove"))
        done, to_play = None, ""
        if added in dict(listed):
            to_play = added
            done = Text(CHANGED if added in self._replaced else ADDED, game=titles[added])
        elif removed in self._removed and removed not in dict(listed):
            done = Text(REMOVED, game=self._removed[removed])
        values = {
            "listed": listed,
            "asked": asked,
            "done": "" if done is None else words.sentence(done),
            "to_play": to_play,
            "families": await asyncio.to_thread(_gallery, words.language),
        }
        return html_page("games.html", words.language, values)

    async def _help(self, request: Request) -> Response:
        """Show what a formula and a text can say."""
        self._place(request)
        return html_page("games_help.html", language_of(request.scope), {})

    async def _open(self, request: Request) -> Response:
        """Show the form of an added game, or that of a new one: from a game of the program, or from next to nothing."""
        place, words = self._place(request), translator(language_of(request.scope))
        edit, model = (request.query_params.get(key, "") for key in ("edit", "from"))
        title = words(Text(OUR_GAME))
        text = beginning(_free_name(place, title), title, example=False)
        if edit in added_game_files.names(place):
            try:
                text = added_game_files.read(place / f"{edit}{added_game_files.SUFFIX}")
            except JournalError as error:
                raise RequestError(404, words.sentence(error.text)) from None
        elif model in shipped.names():
            edit, text = "", _taken(model, place, words)
        else:
            edit = ""
        return await self._form(text, {"edit": edit, "do": "open"}, words)

    async def _send(self, request: Request) -> Response:
        """Check a game whose fields or text were changed; add it if that is asked for and nothing is wrong."""
        place, words = self._place(request), translator(language_of(request.scope))
        sent = await form_of(request, "The page of games sends its form.", LARGEST_FORM, MOST_FIELDS)
        fields = {"do": "check"} | sent
        text = fields.get("text", "").replace("\r\n", "\n")
        if fields.get("of") == _mark(text) and fields["do"] != "text" and game_form(text) is not None:
            text = filled(text, fields, None if fields.get("edit") else partial(_free_name, place))
        return await self._form(text, fields, words, place)

    async def _form(self, text: str, fields: dict[str, str], words: Translator, place: Path | None = None) -> Response:
        """Show the form of a text with what was found in it; or add the game to a folder, and lead to the list."""
        shown, do = game_form(text), fields["do"]
        points: tuple[int, ...] | str = ()
        wrong_cells: list[str] = []
        kept = False
        if shown is not None:
            if do in ("open", "text"):
                fields = {**fields, **shown.worked}
            said, wrong_cells = answers(text, fields), [*no_numbers(text, fields)]
            if wrong_cells:
                points = words.sentence(Text(NO_NUMBER, typed=fields[wrong_cells[0]]))
            elif said:
                points = await asyncio.to_thread(_worked_points, text, said, shown.seats, words)
            if do == "keep" and points and isinstance(points, tuple):
                text = with_example(text, said, points)
                shown = game_form(text) or shown
            kept = isinstance(points, tuple) and is_kept(text, said, points)
        found = await asyncio.to_thread(_looked_at, text, words)
        if do == "drop-examples" and found.examples and shown is not None:
            text = without_examples(text, found.examples)
            shown = game_form(text) or shown
            found = await asyncio.to_thread(_looked_at, text, words)
        if do == "add" and place is not None and not found.wrong:
            file = place / f"{found.name}{added_game_files.SUFFIX}"
            try:
                if found.name == fields.get("edit") or not file.exists():
                    return await self._added(file, text)
                taken = [Finding(*places(text).values["name",], Text(TAKEN, name=found.name))]
                found = Found(_at_lines(taken, words), (), *_places(taken))
            except OSError as error:
                found = Found((words.sentence(Text(NOT_WRITTEN, why=why(error))),))
        left_out = [*ignored(fields)] if "of" in fields else []
        if found.picture:
            self._picture, self._pictures = found.picture, self._pictures + 1
        values = {
            "form": shown,
            "text": text,
            "of": _mark(text),
            "edit": fields.get("edit", ""),
            "fields": defaultdict(str, fields),
            "found": found,
            "left_out": [words.sentence(Text(NO_COUNT, typed=fields[name])) for name in left_out],
            "marked": set() if shown is None else {*_marked(text, found.lines), *wrong_cells, *left_out},
            "picture": f"{GAMES}/picture?{self._pictures}",
            "names": placeholder_names(words),
            "points": points,
            "kept": kept,
            "only_text": []
            if shown is None
            else [words(Text(ONLY_TEXT[key])) for key in shown.kept if key in ONLY_TEXT],
            "open": shown is None or do == "text",
        }
        return html_page("own_game.html", words.language, values | {"comma": words(COMMA)})

    async def _added(self, file: Path, text: str) -> Response:
        """Write a game's file, and lead to the list; raise OSError if it cannot be written."""
        replaced = file.exists()
        await asyncio.to_thread(added_game_files.write, file, text.encode())
        if replaced:
            self._replaced.add(file.stem)
        return RedirectResponse(f"{GAMES}?added={file.stem}", 303)

    async def _drawn(self, request: Request) -> Response:
        """Show the first question of the file that was checked last."""
        self._place(request)
        return Response(self._picture, media_type="image/png", headers={"Cache-Control": "no-store"})

    async def _play(self, request: Request) -> Response:
        """Have the table's page of this computer ask who plays a game, and lead there."""
        place = self._place(request)
        name = (await form_of(request, "A game is named.")).get("name", "")
        if name not in added_game_files.names(place):
            return RedirectResponse(GAMES, 303)
        why: Text | None = await answer_of(self._put, partial(PageRequest, SetUpGame(name), phone_of(request.scope)))
        if why is not None:
            raise RequestError(409, translator(language_of(request.scope)).sentence(why))
        return RedirectResponse("/table", 303)

    async def _remove(self, request: Request) -> Response:
        """Ask whether a game's file is to be removed, and then remove it; games of it that were played stay."""
        place = self._place(request)
        form = await form_of(request, "A game is named.")
        name = form.get("name", "")
        if not added_game_files.is_name(name):
            return RedirectResponse(GAMES, 303)
        if "sure" not in form:
            return RedirectResponse(f"{GAMES}?remove={name}", 303)
        self._replaced.discard(name)
        self._removed[name] = GameFinder(lambda: place.parent).titles().get(name, name)
        await asyncio.to_thread((place / f"{name}{added_game_files.SUFFIX}").unlink, True)
        return RedirectResponse(f"{GAMES}?removed={name}", 303)


def _mark(text: str) -> str:
    """Return a number that differs once somebody has changed the text by hand: then its fields count no more."""
    return str(crc32(text.encode(errors="replace")))


# Beginnings


@cache
def _gallery(language: str) -> list[tuple[str, list[dict[str, str]]]]:
    """Return the families with the program's games of files, told in a language: players, first line of the rules."""
    words, families = translator(language), {family: list[dict[str, str]]() for family in FAMILIES}
    for name, family in shipped.families().items():
        data = tomllib.loads(shipped.text(name))
        first, _, last = str(data["seats"]).partition("-")
        line = Text(phrase(data.get("card", [ADDS_UP])[0], data.get("words", {})))
        told = words(Text("{players} · {line}", players=players_of(int(first), int(last or first)), line=line))
        families[family].append({"name": name, "title": words(Text(shipped.titles()[name])), "told": told})
    for games in families.values():
        games.sort(key=lambda game: name_key(game["title"]))
    return [(words(Text(FAMILIES[family])), games) for family, games in families.items() if games]


LONGEST_TITLE = 24


def _taken(model: str, place: Path, words: Translator) -> str:
    """Return the text of a game of the program under another title and name, in the reader's language."""
    text = shipped.text(model)
    if words.language != "en":
        text = in_words(text, lambda phrase: words(Text(phrase)))
    title = words(Text(OURS, game=Text(shipped.titles()[model])))
    return filled(
        text.replace(f'name = "{model}"', f'name = "{NEW}"', 1),
        {"title": title if len(title) <= LONGEST_TITLE else words(Text(OUR_GAME))},
        partial(_free_name, place),
    )


def _free_name(place: Path, title: str) -> str:
    """Return the name of a new game: that of its title, with a number if there is one of that name."""
    made, number = slug(title) or NEW, 1
    name = made
    while is_built_in(name) or name in added_game_files.names(place):
        number += 1
        name = f"{made}-{number}"
    return name


# Checks


def _worked_points(text: str, said: Mapping[str, Any], seats: int, words: Translator) -> tuple[int, ...] | str:
    """Return the points of the worked round, or what is wrong with its answers; none unless the rules are right."""
    try:
        points = points_of(declared(text, NEW), said, seats)
    except GameFileError:
        return ()
    return points if isinstance(points, tuple) else words.sentence(points)


class Found(Struct, frozen=True):
    """The result of checking a text: what is wrong or doubtful in it, or what it declares."""

    wrong: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    lines: Sequence[int] = ()  # of each finding
    column: int = 1  # of the first
    name: str = ""
    examples: frozenset[int] = frozenset()  # the places of those that no longer hold, if nothing else is wrong
    told: str = ""
    picture: bytes = b""  # its first question on the panel


def _looked_at(text: str, words: Translator) -> Found:
    """Return what is wrong with a text, in sentences; or what it declares, with its first question."""
    try:
        text = added_game_files.text_of(text.encode(errors="replace"))
        found, game = looked_over(text, NEW)
        picture = preview(game, words.language)
        never_ends = endless(found, text)
    except GameFileError as error:
        lines = _places(error.findings)
        return Found(_at_lines(error.findings, words), (), *lines, examples=_wrong_examples(text))
    except GameFaultError as fault:
        return Found((words(fault.wrong),))
    except JournalError as error:
        return Found((words(error.text),))
    told = words(Text(N_("{name}: {value}"), name=Text(found.title), value=in_brief(found)))
    doubts = [] if never_ends is None else [never_ends]
    return Found((), _at_lines(doubts, words), *_places(doubts), found.name, told=told, picture=picture)


def _wrong_examples(text: str) -> frozenset[int]:
    """Return the places of the examples that no longer hold; none if anything else is wrong with a text."""
    try:
        return wrong_examples(declared(text, NEW))
    except GameFileError:
        return frozenset()


def _at_lines(findings: Sequence[Finding], words: Translator) -> tuple[str, ...]:
    return tuple(words(Text(AT_LINE, line=each.line, wrong=each.text)) for each in findings)


def _marked(text: str, lines: Sequence[int]) -> Iterator[str]:
    """Yield the fields of the form whose values stand in lines of a text in which something is wrong."""
    fields: dict[tuple[str | int, ...], str]
    fields = {("title",): "title", ("seats",): "f-players", ("score", "points"): "formula", ("sides",): "sides"}
    for path, place in places(text).values.items():
        if place.line in lines and path in fields:
            yield fields[path]
        elif place.line in lines and path[0] == "ask" and len(path) == len(("ask", 0, "most")):
            yield f"{path[2]}-{path[1]}"


def _places(findings: Sequence[Finding]) -> tuple[list[int], int]:
    """Return the lines of findings, and the column of the first."""
    return [each.line for each in findings], findings[0].column if findings else 1


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
