"""Shared by the pages of the history: words, glyphs, addresses, links to games and people, and the page for errors."""

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
from companion.history.days import date_and_time, date_of, day_at, day_of, duration, short_date, with_year, written
from companion.history.reports import Figure, when
from companion.history.results import GameResult, by_side, figure, margin, nobody_won
from companion.history.selection import title_text
from companion.ui.faces import Faces
from companion.ui.live_page.svg import glyphs, names_in, sprite
from companion.ui.symbols import GLYPHS
from companion.ui.translations import Translator
from companion.ui.view import colour_code

from .history_worker import ROOT, OpenHistory
from .page_templates import face, render, symbol

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


class Link(Struct, frozen=True):
    """A link: its words, a text or a string, which may contain glyphs, and its address; None where there is no page."""

    words: object
    path: str | None = None


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

    def __init__(self, language: str, opened: OpenHistory | None = None, players: Sequence[str] = ()) -> None:
        self.words = Translator(language, players)  # the language, and the names of the players of a game
        self._opened = opened
        self._faces = Faces() if opened is None else opened.faces(*players)  # of those whom the page shows
        self._glyph_names: set[str] = set()
        self._pictures: dict[str, str] = {}

    def told(self, text: object) -> str:
        """Return a text in the page's language; names from right to left move no figures."""
        return isolated(self.words(text))

    def say(self, template: str, /, **args: object) -> str:
        return self.told(Text(template, **args))

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

    def seat(self, seat: int) -> str:
        return self.words(Seat(seat))

    def page(self, template: str, heading: object, **values: object) -> str:
        """Return a page; the name of its template is without ``history_`` and the suffix."""
        return render(
            f"history_{template}.html",
            page=self,
            here=template,
            section=SECTIONS.get(template, template),
            navigation=NAVIGATION,
            say=self.say,
            told=self.told,
            drawn=self.drawn,
            face=self.face,
            points=figure,
            symbols=self._symbols,
            language=self.words.language,
            heading=self.words(heading),
            left_out=0 if self._opened is None else self._opened.unreadable,
            winner=GLYPHS["winner"],
            person_link=person_link,
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


# Links


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


def evening_link(day: date, words: Text | None = None) -> Link:
    """Return a link to an evening; by default its words are the day of the week and the date."""
    return Link(words or with_year(date_of(day), day.year), f"{ROOT}/evenings/{day}")


def short_day(day: date) -> Text:
    return with_year(short_date(day), day.year)


def made_at(opened: OpenHistory, made: Figure) -> Link | None:
    """Return a link to the game in which a figure was made, or to the end of a round of it; None if it is of many."""
    if made.at is None:
        return None
    words, path = when(opened.by_name[made.at]), opened.paths.get(made.at)
    if made.round is None:
        return Link(words, path)
    of_round = Text(N_("{when}, round {round}"), when=words, round=made.round)
    return Link(of_round, path and f"{with_query(path, round=made.round)}{STEPS_ANCHOR}")


# Lists of games


class GameLine(Struct, frozen=True):
    """A game in a list."""

    game: Link
    notes: Sequence[object]  # when, how long and where it was played, and how it ended
    sides: Sequence[
        tuple[Sequence[str], int | None, bool]
    ]  # the names, points and victory of each side, the best first


def by_day(opened: OpenHistory, results: Iterable[GameResult]) -> list[tuple[Link, list[GameLine]]]:
    """Return the games of each day, with a heading that links to the evening."""
    return [
        (
            Link(Text(N_("Date not known"))) if day is None else evening_link(day),
            [game_line(opened, result) for result in games],
        )
        for day, games in groupby(results, day_of)
    ]


def game_line(opened: OpenHistory, result: GameResult) -> GameLine:
    names = opened.people.names(result)
    after_midnight = written(result.begun, "%Y-%m-%d") != str(day_at(result.begun) or "")  # it belongs to the evening
    notes = (
        date_and_time(result.begun) if after_midnight else written(result.begun, "%H:%M"),
        duration(result.seconds) if result.seconds else None,
        _ending(result),
        opened.remarks.of(result).place,
    )
    listed = [([names[seat] for seat in side.seats], side.points, side.won) for side in by_side(result)]
    return GameLine(Link(title_text(result.game), opened.paths.get(result.name)), [*filter(None, notes)], listed)


def _ending(result: GameResult) -> Text | None:
    """Return how a game ended: early, with no winner, or by how many points."""
    if result.ended_early:
        return Text(N_("ended early"))
    if nobody_won(result):
        return Text(N_("nobody won"))
    ahead = margin(result)
    return Text(N_("won by {points}"), points=ahead) if ahead else None
