"""Renders the HTML of the club's pages, and the parts of a page that are updated live."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from companion.core.games import GameFaultError
from companion.core.session import Session
from companion.core.text import COMMA, N_, Text
from companion.history.days import DAY_AND_TIME, short_date, with_year
from companion.ui.live_page.svg import glyphs, pairing_svg, sprite
from companion.ui.symbols import GLYPHS
from companion.ui.translations import Translator
from companion.ui.view import OpenGame, for_page, open_game
from companion.web.page_templates import environment

from .evening.lists import PRESENCES, told
from .game_score import ScoredGame, TableRow
from .live import LiveParts

PARTS = "club_parts.html"
PUBLIC_PARTS = ("heading", "links", "state", "ranking")
DIRECTOR_PARTS = ("calls", "trouble", "actions", "present", "presence", "arranged", "places", "ended")
MOST_ENTRIES = 40  # the latest entries that a game's page lists

Reasons = tuple[tuple[str, Text, float | None], ...]

_ENVIRONMENT = environment(Path(__file__).parent / "templates")


class GameInWords(Struct, frozen=True):
    """A game in words."""

    title: str
    players: tuple[str, ...]
    table: OpenGame | None  # None without rules
    sentences: tuple[str, ...]  # what is wrong with it
    alerts: tuple[str, ...]
    count: int  # how many entries stand
    entries: tuple[tuple[int, str], ...]  # the latest, with their numbers, the last first


def local(at: float) -> Text:
    """Return the local time of day, with the date if that is not of this evening.

    >>> str(local(1_700_000_000))[:12] in ("14 Nov 2023,", "15 Nov 2023,")
    True
    """
    moment, now = datetime.fromtimestamp(at), datetime.now()
    near = moment.date() == now.date() or abs(at - now.timestamp()) < 8 * 3600
    time = Text("{time}", time=f"{moment:%H:%M}")
    return time if near else Text(DAY_AND_TIME, day=day(at), time=time)


def day(at: float) -> Text:
    """Return the local day, with its year."""
    moment = datetime.fromtimestamp(at)
    return with_year(short_date(moment), moment.year)


_ENVIRONMENT.globals |= {"local": local, "day": day, "qr": lambda link: Markup(pairing_svg(link))}
_ENVIRONMENT.filters["minus"] = lambda figure: str(figure).replace("-", "−")
_ENVIRONMENT.filters["name_in"] = lambda player, names: names[player]


@cache
def _symbols() -> Markup:
    return Markup(sprite(GLYPHS))


words_of = cache(Translator)
"""Translators by their languages."""


@cache
def spoken(language: str) -> dict[str, object]:
    """Return the language of a page, and what translates its texts."""
    words = words_of(language)

    def say(template: str | Text, **args: object) -> str:
        return words(template if isinstance(template, Text) else Text(template, **args))

    def drawn(text: str) -> Markup:  # with its glyphs; everything else is escaped
        return Markup(glyphs(text, words))

    own = {"language": words.language, "comma": words(COMMA), "presences": PRESENCES}
    return own | {"say": say, "drawn": drawn, "told": lambda rows: told(rows, words)}


@cache
def _parts(language: str) -> Any:
    return _ENVIRONMENT.get_template(PARTS).make_module(spoken(language))


def row(table: TableRow, reasons: Reasons, language: str) -> str:
    """Return a table's row."""
    return str(_parts(language).row(table, _said(table, reasons, language)))


def _said(table: TableRow, reasons: Reasons, language: str) -> list[tuple[str, str, float | None]]:
    if not reasons:
        return []
    words = words_of(language).at([seat.name for seat in table.seats])
    return [(kind, words.sentence(text), since) for kind, text, since in reasons]


def rows(markup: Iterable[str], language: str) -> Markup:
    """Return the body of the list of tables; its rows are markup."""
    return Markup(_parts(language).rows(map(Markup, markup)))


def attention(waiting: Sequence[tuple[TableRow, Reasons]], language: str) -> Markup:
    """Return the list of tables that need attention."""
    calls = sum(table.note.called_at is not None for table, _reasons in waiting)
    said = [(table, _said(table, reasons, language)) for table, reasons in waiting]
    return Markup(_parts(language).attention(said, calls))


def game_part(game: ScoredGame, note: Text | None, language: str) -> Markup:
    """Return the part of a page that shows a game; the note is what is wrong besides its own fault."""
    return Markup(_parts(language).game(shown_game(game, note, language)))


def evening_parts(values: Mapping[str, Any], language: str) -> LiveParts:
    """Render the parts of an evening's page: a round, and what stands beside it."""
    given = {**values, **spoken(language)}
    own: Any = _ENVIRONMENT.get_template("club_evening_parts.html").make_module(given)
    rows = {f"t{table.number}": str(own.row(table)) for table in values["shown"].tables}
    names = PUBLIC_PARTS + DIRECTOR_PARTS * values["directs"]
    parts = {name: str(getattr(own, f"{name}_part")()) for name in names}
    return LiveParts(parts, "round", str(own.round(Markup("".join(rows.values())))), rows, values["number"])


def projector(values: Mapping[str, object], language: str) -> LiveParts:
    """Render the projector's page."""
    given = {**values, **spoken(language)}
    own: Any = _ENVIRONMENT.get_template("club_projector_part.html").make_module(given)
    return LiveParts({"projector": str(own.projector())})


def page(template: str, heading: str, values: Mapping[str, object], language: str) -> str:
    """Return a whole page; the name of its template is without ``club_`` and the suffix."""
    given = {**values, **spoken(language), "symbols": _symbols(), "heading": heading}
    return _ENVIRONMENT.get_template(f"club_{template}.html").render(given)


def shown_game(game: ScoredGame, note: Text | None = None, language: str = "en") -> GameInWords:
    """Return a game in words; one that fails is told instead of shown."""
    words, fault = words_of(language).at(game.players), note or game.fault
    title = words(game.title) or words.sentence(Text(N_("a game")))
    plain = GameInWords(title, game.players, None, () if fault is None else (words.sentence(fault),), (), 0, ())
    try:
        return plain if game.session is None else _with_table(plain, game.session, words)
    except Exception as error:  # what one game gives wrong stops no page
        failed = error if isinstance(error, GameFaultError) else GameFaultError(title, type(error).__name__)
        return replace(plain, sentences=(*plain.sentences, words.sentence(failed.text)))


def _with_table(plain: GameInWords, session: Session, words: Translator) -> GameInWords:
    rules = session.header.game
    progress = session.progress
    view = rules.view(session.state)
    table = open_game(view, progress.turn)
    table = words.told(for_page(table, rules.title, view.suits, session.score_sheet, progress.over))
    latest = session.entries(max(1, session.head.number - MOST_ENTRIES + 1))[::-1]
    return replace(
        plain,
        table=table,
        alerts=tuple(words(alert) for alert in rules.optional.alerts(session.state)),
        count=session.head.number,
        entries=tuple((step.number, words.sentence(rules.describe(step.event))) for step in latest),
    )
