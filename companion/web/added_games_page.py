"""The pages of added games, for a browser on this computer alone: fill in a game or write it, check, add, remove it."""

from __future__ import annotations

import asyncio
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs
from zlib import crc32

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.app.games import GameFinder, is_built_in, looked_over
from companion.app.inputs import PageRequest, SetUpGame
from companion.core.game import Game, LogHeader
from companion.core.games import FAMILIES, GameFaultError
from companion.core.prompt import Prompt
from companion.core.session import Session
from companion.core.text import COMMA, N_, Phrase, Text, why
from companion.gamelog import name_key
from companion.games import shipped
from companion.games.toml_games import Finding, GameFileError, beginning, declared
from companion.games.toml_games.declaration import in_brief, players_of
from companion.games.toml_games.file import phrase, places
from companion.games.toml_games.form import (
    NEW,
    answers,
    filled,
    form_of,
    ignored,
    is_kept,
    no_numbers,
    slug,
    with_example,
    without_examples,
)
from companion.games.toml_games.trial import endless, points_of, wrong_examples
from companion.journal import JournalError, added_game_files
from companion.ui.panel import draw
from companion.ui.screens.context import CurrentGame, ScreenContext, placeholder_names
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import Translator

from .accepted_language import language_of
from .error_answers import RequestError
from .live_template_values import translator, words_of
from .loop_requests import Put, answer_of
from .page_templates import render
from .phone_checks import phone_of, require_this_computer
from .request_bodies import FORM, body_of

PATH = "/games"
FORM_PATH = f"{PATH}/game"
LARGEST = 4 * added_game_files.MOST_BYTES  # the most bytes of a form: a file, with what its encoding makes longer
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
            Route(PATH, self._show, methods=["GET"]),
            Route(FORM_PATH, self._open, methods=["GET"]),
            Route(FORM_PATH, self._send, methods=["POST"]),
            Route(f"{PATH}/picture", self._drawn, methods=["GET"]),
            Route(f"{PATH}/help", self._help, methods=["GET"]),
            Route(f"{PATH}/play", self._play, methods=["POST"]),
            Route(f"{PATH}/remove", self._remove, methods=["POST"]),
        ]

    def _place(self, request: Request) -> Path:
        """Return the folder of added games; raise RequestError unless a browser on this computer asks."""
        require_this_computer(
            request.scope, N_("Only a browser on the computer that runs the program changes its games.")
        )
        if self._folder is None:
            raise RequestError(404, N_("This box keeps its journal in memory only."))
        return self._folder / added_game_files.FOLDER

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
            "families": _gallery(words, await asyncio.to_thread(_beginnings)),
        }
        return _page("games.html", words, **values)

    async def _help(self, request: Request) -> Response:
        """Show what a formula and a text can say."""
        self._place(request)
        return _page("games_help.html", translator(language_of(request.scope)))

    async def _open(self, request: Request) -> Response:
        """Show the form of an added game, or that of a new one: from a game of the program, or from next to nothing."""
        place, words = self._place(request), translator(language_of(request.scope))
        edit, model = (request.query_params.get(key, "") for key in ("edit", "from"))
        title = words(Text(OUR_GAME))
        text = beginning(_free_name(place, title), title)
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
        body = (await body_of(request, FORM, LARGEST)).decode(errors="replace")
        try:
            sent = parse_qs(body, keep_blank_values=True, max_num_fields=MOST_FIELDS)
        except ValueError:
            raise RequestError(400, "The page of games sends its form.") from None
        fields = {"do": "check"} | {key: values[0] for key, values in sent.items()}
        text = fields.get("text", "").replace("\r\n", "\n")
        if fields.get("of") == _mark(text) and fields["do"] != "text" and form_of(text) is not None:
            text = filled(text, fields, None if fields.get("edit") else partial(_free_name, place))
        return await self._form(text, fields, words, place)

    async def _form(self, text: str, fields: dict[str, str], words: Translator, place: Path | None = None) -> Response:
        """Show the form of a text with what was found in it; or add the game to a folder, and lead to the list."""
        shown, do = form_of(text), fields["do"]
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
                shown = form_of(text) or shown
            kept = isinstance(points, tuple) and is_kept(text, said, points)
        found = await asyncio.to_thread(_looked_at, text, words)
        if do == "drop-examples" and found.examples and shown is not None:
            text = without_examples(text, found.examples)
            shown = form_of(text) or shown
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
            "picture": f"{PATH}/picture?{self._pictures}",
            "names": placeholder_names(words),
            "points": points,
            "kept": kept,
            "only_text": []
            if shown is None
            else [words(Text(ONLY_TEXT[key])) for key in shown.kept if key in ONLY_TEXT],
            "open": shown is None or do == "text",
        }
        return _page("own_game.html", words, **values)

    async def _added(self, file: Path, text: str) -> Response:
        """Write a game's file, and lead to the list; raise OSError if it cannot be written."""
        replaced = file.exists()
        await asyncio.to_thread(added_game_files.write, file, text.encode())
        if replaced:
            self._replaced.add(file.stem)
        return RedirectResponse(f"{PATH}?added={file.stem}", 303)

    async def _drawn(self, request: Request) -> Response:
        """Show the first question of the file that was checked last."""
        self._place(request)
        return Response(self._picture, media_type="image/png", headers={"Cache-Control": "no-store"})

    async def _play(self, request: Request) -> Response:
        """Have the table's page of this computer ask who plays a game, and lead there."""
        place = self._place(request)
        form = parse_qs((await body_of(request, FORM)).decode(errors="replace"))
        name = form.get("name", [""])[0]
        if name not in added_game_files.names(place):
            return RedirectResponse(PATH, 303)
        why: Text | None = await answer_of(self._put, partial(PageRequest, SetUpGame(name), phone_of(request.scope)))
        if why is not None:
            raise RequestError(409, translator(language_of(request.scope)).sentence(why))
        return RedirectResponse("/table", 303)

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


def _page(template: str, words: Translator, **values: object) -> Response:
    say = words_of(words.language)
    comma = say(COMMA.template, one="", other="")
    return HTMLResponse(render(template, language=words.language, say=say, comma=comma, **values))


def _mark(text: str) -> str:
    """Return a number that differs once somebody has changed the text by hand: then its fields count no more."""
    return str(crc32(text.encode(errors="replace")))


# Beginnings


class GalleryGame(Struct, frozen=True):
    """A game of the program, as the gallery tells of it."""

    name: str
    seats: tuple[int, int]
    line: Phrase  # the first of its rules card


@cache
def _beginnings() -> Mapping[str, Sequence[GalleryGame]]:
    """Return the program's games of files by family."""
    found: dict[str, list[GalleryGame]] = {family: [] for family in FAMILIES}
    for name, family in shipped.families().items():
        data = tomllib.loads(shipped.text(name))
        first, _, last = str(data["seats"]).partition("-")
        line = data.get("card", [ADDS_UP])[0]
        found[family].append(GalleryGame(name, (int(first), int(last or first)), phrase(line, data.get("words", {}))))
    return found


def _gallery(
    words: Translator, families: Mapping[str, Sequence[GalleryGame]]
) -> list[tuple[str, list[dict[str, str]]]]:
    """Return the families with their games, told in a language."""
    titles = {name: words(Text(title)) for name, title in shipped.titles().items()}
    return [
        (
            words(Text(FAMILIES[family])),
            [
                {
                    "name": each.name,
                    "title": titles[each.name],
                    "told": words(Text("{players} · {line}", players=players_of(*each.seats), line=Text(each.line))),
                }
                for each in sorted(games, key=lambda each: name_key(titles[each.name]))
            ],
        )
        for family, games in families.items()
        if games
    ]


LONGEST_TITLE = 24


def _taken(model: str, place: Path, words: Translator) -> str:
    """Return the text of a game of the program under another title and name."""
    title = words(Text(OURS, game=Text(shipped.titles()[model])))
    return filled(
        shipped.text(model).replace(f'name = "{model}"', f'name = "{NEW}"', 1),
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
