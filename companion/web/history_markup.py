"""Shared by the pages of the history: words, glyphs, dates, addresses, and the page for errors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import Any
from urllib.parse import quote, urlencode

from markupsafe import Markup
from msgspec import Struct

from companion.core.game import Headline
from companion.core.text import COMMA, N_, Seat, Text, isolated
from companion.history.days import day_at, day_of, local, written
from companion.history.evenings import date_of, duration
from companion.history.game_titles import title_text
from companion.history.results import GameResult, figure
from companion.history.sides import by_side, margin, nobody_won
from companion.ui.faces import Faces
from companion.ui.live_page.svg import glyphs, names_in, sprite
from companion.ui.saved_games import day_of as short_day
from companion.ui.symbols import GLYPHS
from companion.ui.translations import Translator
from companion.ui.view import colour_code

from .history_worker import OpenHistory
from .live_template_values import face, symbol
from .page_templates import render

ROOT = "/history"  # the address of the list of games; all other pages are below

NAVIGATION = (
    ("games", N_("Games"), ROOT),
    ("evenings", N_("Evenings"), f"{ROOT}/evenings"),
    ("league", N_("League"), f"{ROOT}/league"),
    ("people", N_("People"), f"{ROOT}/people"),
)
"""The lists that every page leads to: the name of the template, the label, the address."""


SECTIONS = {"game": "games", "evening": "evenings", "person": "people"}
"""The list that a page of one thing belongs to."""

STEPS_ANCHOR = "#steps"
"""The place of the steps on a game's page."""

_DAY = N_("{day} {year}")


class Link(Struct, frozen=True):
    """A link: its words, which may contain glyphs, and its address; None where there is no page."""

    words: str
    path: str | None


class PageNotFoundError(Exception):
    """A page does not exist; a sentence and suggestions are shown instead."""

    def __init__(self, status: int, text: Text, suggestions: Sequence[Link] = ()) -> None:
        super().__init__(str(text))
        self.status = status  # the HTTP status
        self.text = text  # the sentence
        self.suggestions = suggestions  # links to what may be meant
        self.form: Mapping[str, object] | None = None  # the values of the form that was filled in wrongly


class PageWriter:
    """Writes one page: translates its texts and collects the glyphs that it needs."""

    def __init__(self, language: str, players: Sequence[str] = (), faces: Faces | None = None) -> None:
        self.words = Translator(language, players)  # the language, and the names of the players of a game
        self._faces = faces or Faces()  # of those whom the page shows
        self._glyph_names: set[str] = set()
        self._pictures: dict[str, str] = {}

    def say(self, template: str, /, **args: object) -> str:
        return isolated(self.words(Text(template, **args)))

    def drawn(self, text: object) -> Markup:
        words = self.words(text)
        self._glyph_names |= names_in(words)
        return Markup(glyphs(words, self.words))  # it escapes everything else

    def face(self, name: str) -> Markup:
        """Return a person's face."""
        return face(self._faces.of(name))

    def picture(self, headline: Headline) -> dict[str, Any]:
        """Return a large sign: the id and the box of its drawing, which the page has once, and its colours."""
        drawing = symbol(headline.picture, self.words(headline.word), colour_code(headline.colour))
        if drawing["id"]:
            self._glyph_names.add(headline.picture)
            return drawing
        name = f"large-{headline.picture}"
        self._pictures[name] = drawing["path"]
        return drawing | {"id": name}

    def _symbols(self) -> Markup:
        """Return the drawings of all signs so far; a page asks for them at its end."""
        return Markup(sprite(self._glyph_names, self._pictures))

    @property
    def comma(self) -> str:
        """What separates the parts of a list in the page's language, with its space."""
        return self.words(COMMA)

    def percent(self, share: float | None) -> str:
        return "–" if share is None else self.say(N_("{share}%"), share=round(100 * share))

    figure = staticmethod(figure)

    def decimal(self, number: float) -> str:
        whole, _point, part = f"{number:.1f}".partition(".")
        return self.say(N_("{whole}.{part}"), whole=whole, part=part)

    def day(self, day: date) -> str:
        return self.say(_DAY, day=short_day(day), year=day.year)

    def weekday(self, day: date) -> str:
        return self.say(_DAY, day=date_of(day), year=day.year)

    def evening(self, day: date) -> Link:
        return Link(self.weekday(day), evening_path(day))

    def date_and_time(self, seconds: float) -> str:
        """Return a local date and time; empty if it is not known."""
        shown = local(seconds) if seconds else None
        return "" if shown is None else self.say(N_("{day}, {time}"), day=self.day(shown), time=f"{shown:%H:%M}")

    def duration(self, seconds: float) -> str:
        """Return a time in hours and minutes; empty if it is not known."""
        return self.words(duration(seconds)) if seconds else ""

    def seat(self, seat: int) -> str:
        return self.words(Seat(seat))

    def when(self, result: GameResult) -> str:
        """Return when a game was played; its number if that is not known."""
        number = self.say(N_("Game {number}"), number=result.number) if result.number else self.say(N_("imported"))
        return self.date_and_time(result.begun) or number

    def title(self, game: str) -> str:
        return self.words(title_text(game))

    def page(self, template: str, heading: str, **values: object) -> str:
        """Return a page; the name of its template is without ``history_`` and the suffix."""
        return render(
            f"history_{template}.html",
            page=self,
            here=template,
            section=SECTIONS.get(template, template),
            navigation=NAVIGATION,
            say=self.say,
            drawn=self.drawn,
            face=self.face,
            symbols=self._symbols,
            language=self.words.language,
            heading=heading,
            winner=GLYPHS["winner"],
            **values,
        )


def sentence_page(language: str, refusal: PageNotFoundError) -> str:
    writer = PageWriter(language)
    return writer.page(
        "sentence", writer.words.sentence(refusal.text), suggestions=refusal.suggestions, form=refusal.form
    )


def with_query(path: str, **values: object) -> str:
    """Return an address with its query; values that are None or empty are left out.

    >>> with_query("/history", game="gear", person="Zoë", since=None)
    '/history?game=gear&person=Zo%C3%AB'
    """
    query = urlencode({name: str(value) for name, value in values.items() if value not in (None, "")})
    return f"{path}?{query}" if query else path


def person_path(name: str) -> str:
    """Return the address of a person's page.

    >>> person_path("Zoë / Bo"), person_path("..")
    ('/history/people/Zo%C3%AB%20%2F%20Bo', '/history/people?name=..')
    """
    if name in {".", ".."}:  # which browsers take for a folder
        return with_query(f"{ROOT}/people", name=name)
    return f"{ROOT}/people/{quote(name, safe='')}"


def person_link(name: str) -> Link:
    return Link(name, person_path(name))


def evening_path(day: date) -> str:
    return f"{ROOT}/evenings/{day}"


def game_paths(results: Iterable[GameResult]) -> dict[str, str]:
    """Return the addresses of games by their names. A number that several games have is not an address.

    Plays imported from other programs have no page, because they have no log.
    """
    named: dict[int, list[str]] = {}
    for result in results:
        named.setdefault(result.number, []).append(result.name)
    named.pop(0, None)
    return {
        name: f"{ROOT}/games/{number if len(names) == 1 else name}" for number, names in named.items() for name in names
    }


GameLine = tuple[Link, str, list[tuple[list[str], int | None, bool]]]
"""A game in a list: a link to it, when and how long it was played, and each side's names, points and victory."""


def game_line(writer: PageWriter, opened: OpenHistory, result: GameResult, paths: dict[str, str]) -> GameLine:
    """Return a game in a list, the best side first."""
    names = opened.persons.names(result)
    after_midnight = written(result.begun, "%Y-%m-%d") != str(day_at(result.begun) or "")  # it belongs to the evening
    notes = (
        writer.date_and_time(result.begun) if after_midnight else written(result.begun, "%H:%M"),
        writer.duration(result.seconds),
        _ending(writer, result),
        isolated(opened.remarks.of(result).place),
    )
    listed = [([names[seat] for seat in side.seats], side.points, side.won) for side in by_side(result)]
    return Link(writer.title(result.game), paths.get(result.name)), " · ".join(filter(None, notes)), listed


def _ending(writer: PageWriter, result: GameResult) -> str:
    """Return how a game ended: early, with no winner, or by how many points."""
    if result.ended_early:
        return writer.say(N_("ended early"))
    if nobody_won(result):
        return writer.say(N_("nobody won"))
    ahead = margin(result)
    return writer.say(N_("won by {points}"), points=ahead) if ahead else ""


def by_day(writer: PageWriter, opened: OpenHistory, results: Iterable[GameResult]) -> list[tuple[Link, list[GameLine]]]:
    """Return the games of each day, with a heading that links to the evening."""
    paths = game_paths(opened.results)
    return [
        (
            Link(writer.say(N_("Date not known")), None) if day is None else writer.evening(day),
            [game_line(writer, opened, result, paths) for result in games],
        )
        for day, games in groupby(results, day_of)
    ]
