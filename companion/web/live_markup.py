"""Writes the contents of a live page as markup: the table's page, its parts, the rules card; and what walls show, too.

A part is one element with an id; the stream sends the parts, and the page replaces those that changed. Their markup is
plain, because the page's script makes elements of it without ``innerHTML``: elements, double-quoted attributes, escaped
text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Any

import msgspec
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from companion.core.text import COMMA, N_, NC_, Text, isolated
from companion.history.chart import svg
from companion.history.results import figure
from companion.ui.live_page.content import Button, FigureField, LivePageContent, Question, SuitRow, SuitSign
from companion.ui.live_page.svg import names_in, pairing_svg
from companion.ui.screens.phones import Phone, Role, seat_of
from companion.ui.screens.questions import number
from companion.ui.symbols import GLYPHS
from companion.ui.symbols import NAMES as SIGNS
from companion.ui.translations import NAMES, languages
from companion.ui.view import CodeBody, ListBody, OpenGame, SeatRow, TableBody, TextBody, TypingBody

from .page_templates import drawn, face, macros, render, symbol, symbols_of, translator, word_of_sign, words_of

ORDER = ("head", "first", "seats", "notice", "ask", "offers", "acts", "join")
"""The parts of the page's main element, in reading order."""

TEMPLATES = {"sheet": "sheet_parts.html", "first": "first_run.html"}
"""The templates of the parts that are not in that of the table."""

KINDS: dict[type, str] = {ListBody: "list", TextBody: "text", TableBody: "figures", TypingBody: "typing"}
WEIGHTS = {
    **dict.fromkeys(("start", "again", "done", "install", "yes"), " primary"),
    **dict.fromkeys(("remove", "delete", "end"), " loss"),
}
"""The class of actions that are not plain buttons, by their names."""
CHART = (400, 180)  # width and height of the chart, in its own units
WIDE = 300  # where there are more numbers, the largest is hardly ever meant


def page(content: LivePageContent, phone: Phone) -> str:
    markup = {name: Markup(html) for name, html in parts(content).items()}  # the parts are escaped
    say = words_of(content.language)
    names = seat_names(content)
    seat = seat_of(phone.person, names) if phone.role is Role.SEAT else None
    if phone.role is Role.SEAT and phone.person and phone.person not in names:
        names.append(phone.person)
    # a phone on which nobody has said who holds it asks that first, and only shows the table until then
    enters = Role.SPECTATOR if content.question.text and names and not phone.chosen else phone.role
    roles = [
        ("scorer", say(N_("scorer, for everybody"))),
        *((f"seat {name}", name) for name in names),
        ("spectator", say(N_("watching only"))),
    ]
    return render(
        "table.html",
        content=content,
        phone=phone,
        enters=enters,
        guest=phone.number == 0 and phone.role is Role.SPECTATOR,
        parts=markup,
        order=ORDER,
        view=_view(content),
        say=say,
        roles=roles,
        signals=[("turn", say(N_("Your turn"))), ("trick", say(N_("Trick won"))), ("alert", say(N_("Alert")))],
        seat=seat,
        role=f"seat {phone.person}" if phone.role is Role.SEAT else phone.role.value,
        languages=[(code, NAMES[code]) for code in languages()],
    )


def update(content: LivePageContent) -> bytes:
    """Return the message of a stream that brings a page up to date, as one line of JSON."""
    names = seat_names(content)
    phones = {
        phone.number: (phone.role, phone.person, seat_of(phone.person, names), phone.chosen) for phone in content.phones
    }
    message = {
        "number": content.number,
        "seat": content.question.seat,
        "names": names,
        "phones": phones,
        "parts": parts(content),
        "said": content.said,
        "by": content.latest_by,
        "latest": content.latest_answer,
        "back": content.back,
        "away": content.away,
        "alert": content.alert,
        "undoOf": content.undo_of,
        "enteredBy": content.entered_by,
        "rules": bool(content.rules),
    }
    return msgspec.json.encode(message)


def seat_names(content: LivePageContent) -> list[str]:
    return [] if content.table is None else [seat.name for seat in content.table.seats]


def parts(content: LivePageContent) -> dict[str, str]:
    """Return the markup of each part, by its element's id."""
    values = _template_values(content)
    made = {
        name: str(getattr(macros(TEMPLATES.get(name, "table_parts.html")), name)(values)).strip()
        for name in (*ORDER, "sheet")
    }
    return {"symbols": symbols_of("".join(made.values())), **made}


def rules(content: LivePageContent) -> str:
    """Return the page with the rules card of the open game."""
    values = _template_values(content)
    figures = macros("sheet_parts.html").figures
    return render("rules.html", **values | {"figures": lambda table: Markup(figures(values, table))})


def _template_values(content: LivePageContent) -> dict[str, Any]:
    table, language = content.table, content.language
    ended, rows = round_result(content), _rows(content.actions)
    return template_values(content) | {
        "kind": KINDS.get(type(content.body), ""),
        "sheeted": is_shown_in_question(content),
        "score_sheet": score_sheet(content),
        "plain": translator(language).aloud,
        "page_view": _view(content),
        "weights": WEIGHTS,
        "rows": rows,
        "bar": _bar(content.actions, rows),
        # a round has just ended: what takes an entry back is among the answers, and its place stays empty
        "undo_away": bool(content.check) and table is not None and not table.over,
        "ended": ended,
        "standings": standings(table, ended) if table is not None and ended is not None else (),
        "long_totals": table is not None and _are_long([seat.total for seat in table.seats]),
        "hyphenated": hyphenated,
        "figures": figures,
        "pairs": {1, 2} == {len(row.signs) for row in content.question.suits},  # beside single cards
        "symbol": None
        if table is None or table.symbol is None
        else symbol(table.symbol.picture, table.symbol.word, table.symbol.colour)
        | {"word": table.symbol.word, "figure": table.symbol.figure, "kind": table.symbol.kind},
        "cards": lambda row, other, kind: _cards(row, other, kind, content.question.mode if other else "", language),
        "presets": _presets(content.question),
        "typed": f"{content.body.text}{content.body.pending}" if isinstance(content.body, TypingBody) else "",
        "chart": Markup(course_chart(content, CHART)),  # it escapes its texts
        "final_chart": Markup(course_chart(content, CHART, "final")) if table is not None and table.over else "",
        "result": _result(content),
    }


def _rows(actions: tuple[Button, ...]) -> list[Button]:
    """Return the actions that are rows of a list; what ends the game is the last row, apart from the others."""
    rows = [action for action in actions if action.name.startswith("row ")]
    return rows + [action for action in actions if rows and action.name == "end"]


def _bar(actions: tuple[Button, ...], rows: list[Button]) -> list[Button]:
    """Return the actions at the thumb, which are no rows; what leads back comes first."""
    return sorted((action for action in actions if action not in rows), key=lambda action: action.name != "back")


LONGEST_TOTAL = {2: 6, 3: 4, 4: 3}
"""The most signs of a total that has room beside a face in a tile on a phone, by the number of players."""


def _are_long(totals: list[str]) -> bool:
    """Return whether totals have a line of their own in the tiles on a phone."""
    return max(map(len, totals), default=0) > LONGEST_TOTAL.get(len(totals), 2)


_NUMBERS_FIRST = re.compile(f"(?:[0-9−]+[{''.join(SIGNS)}])+")
_NUMBER_FIRST = re.compile(f"([0-9−]+)([{''.join(SIGNS)}])")


def figures(text: str) -> list[str]:
    """Return a seat's figures one by one, each with its sign before it.

    >>> from companion.ui.symbols import glyph
    >>> tree, trick = glyph("tree"), glyph("peninsula")
    >>> figures(f"3{trick}10{tree}") == [f"{trick}3", f"{tree}10"]
    True
    >>> figures(f"× 4 {tree}12") == ["×", "4", f"{tree}12"]
    True
    """
    found = []
    for word in text.split(" "):
        turned = _NUMBERS_FIRST.fullmatch(word) is not None
        found += [sign + number for number, sign in _NUMBER_FIRST.findall(word)] if turned else [word]
    return found


HYPHEN = "\u00ad"
"""The soft hyphen: where a word may be divided, and shown only where it is."""

_VOWELS = "aeiouyàáâãäåæèéêëìíîïòóôõöøœùúûüýÿ"
_SYLLABLE = re.compile(f"(?:sch|ch|ph|sh|th|gh|qu|[^\\W\\d_{_VOWELS}])(?=[{_VOWELS}])", re.IGNORECASE)
_LATIN = re.compile("[A-Za-zÀ-ɏ]{6,}")


def hyphenated(name: str) -> str:
    """Return a name with soft hyphens before the syllables of its long words.

    >>> hyphenated("Maximilian von Lüdenscheid").replace(HYPHEN, "-")
    'Maxi-mi-lian von Lüden-scheid'
    """

    def divided(word: re.Match[str]) -> str:
        letters = word[0]
        starts = [found.start() for found in _SYLLABLE.finditer(letters)]
        kept = [0, *(start for start in starts if 2 < start < len(letters) - 2), len(letters)]
        return HYPHEN.join(letters[start:end] for start, end in pairwise(kept))

    return _LATIN.sub(divided, name)


def _view(content: LivePageContent) -> str:
    """Return what a page shows: the table with its question, the score sheet, a game's result, or another screen."""
    if is_shown_in_question(content):
        return "sheet"
    if content.table is not None and content.table.over and round_result(content) is not None:
        return "result"
    return "table" if content.table is not None and isinstance(content.body, TableBody | None) else "screen"


def _result(content: LivePageContent) -> str:
    """Return the result in a line to be shared: the game, then the players by their points."""
    table = content.table
    if table is None:
        return ""
    words = translator(content.language)
    points = words(COMMA).join(f"{seat.name} {words.aloud(seat.total)}" for seat in table.seats)
    return isolated(words(Text(N_("{name}: {value}"), name=table.game, value=f"{table.scores.title}. {points}")))


@lru_cache(maxsize=256)
def _cards(row: SuitRow, other: bool, kind: str, mode: str, language: str) -> Markup:
    """Return the markup of the cards of a suit; a tap changes one suit of several."""
    say = words_of(language)
    values = {
        "drawn": lambda text: drawn(text, language),
        "plain": translator(language).aloud,
        "word_of_sign": lambda text: word_of_sign(text, language),
        "suit": _suit,
        "say": say,
        "led": say(NC_("suit", "led")),
        "follows": say(NC_("card", "follows")),
        "comma": say(COMMA.template, one="", other=""),
        "gone": say(N_("gone")),
    }
    return Markup(macros("table_parts.html").cards(values, row, row.other if other else row.cards, kind, mode))


def _suit(suit: SuitSign) -> dict[str, Any]:
    return symbol(next(iter(names_in(suit.sign)), suit.sign), suit.word, suit.colour)


def _presets(question: Question) -> tuple[Button, ...]:
    """Return the numbers that one tap enters beside the field: nothing, and all. Any other might be half a number.

    The most that points can be is nobody's usual answer: where there may be losses, "all" is no number of things.
    """
    if question.numbers is None:
        return ()
    least, most, _step = question.numbers
    numbers = [*[0] * (least <= 0 < most), *[most] * (least >= 0 and most - least <= WIDE)]
    return tuple(Button(f"number {value}", number(value)) for value in numbers)


# The score sheet


class SheetRow(Struct, frozen=True):
    """A row of the sheet: a round, what is carried over, totals, or a question whose figures are being typed."""

    label: str
    cells: tuple[FigureField | str, ...]
    more: str = ""  # the rest of the label: what is asked
    running: tuple[str, ...] = ()  # the totals after the round, by seat
    round: int = 0  # the number of the round, if it can be tapped
    typed: bool = False  # whether its figures are being typed


class ScoreSheet(Struct, frozen=True):
    """The score sheet."""

    title: str
    names: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    totals: tuple[SheetRow, ...]
    marked: tuple[int, ...]  # the seats of the winners
    told: tuple[str, ...] = ()  # sentences on the figures


def is_shown_in_question(content: LivePageContent) -> bool:
    """Return whether the question shows the score sheet: its figures are typed there, or it is the result."""
    body = content.body
    return content.question.form is not None or (isinstance(body, TableBody) and body.scores)


def score_sheet(content: LivePageContent) -> ScoreSheet | None:
    """Return the score sheet of the open game; None while no game is open."""
    if content.table is None:
        return None
    scores, course, form = content.table.scores, content.table.course, content.question.form
    columns = [tuple(row[place] for row in scores.rows) for place in range(len(scores.heads))]
    rounds = scores.rounds or (0,) * len(columns)
    every = [*zip(scores.heads, columns, rounds, strict=True)]

    def running(number: int, cells: tuple[str, ...]) -> tuple[str, ...]:
        """Return the totals after a round where its figures add up to them, from the second round on."""
        if course is None or not 1 < number < len(course.totals[0]):
            return ()
        gains = tuple(figure(totals[number] - totals[number - 1]) for totals in course.totals)
        if gains != tuple(cell.rstrip("*") for cell in cells):
            return ()
        return tuple(figure(totals[number]) for totals in course.totals)

    rows = [SheetRow(head, cells, running=running(number, cells), round=number) for head, cells, number in every]
    rows, totals = rows[: scores.totals], rows[scores.totals :]
    if form is not None:
        asked = [
            SheetRow(form.label if place == 0 else "", cells, more=head, typed=True)
            for place, (head, cells) in enumerate(zip(form.heads, form.rows, strict=True))
        ]
        at = next((place for place, row in enumerate(rows) if row.round == form.round), len(rows))
        rows[at : at + form.corrects] = asked
        if form.totals and len(totals) == 1:
            totals = [replace(totals[0], cells=form.totals)]
    body = content.body
    title, told = scores.title, tuple[str, ...]()
    if isinstance(body, TableBody) and is_shown_in_question(content):
        title, told = body.title, body.told
    return ScoreSheet(title, scores.names, tuple(rows), tuple(totals), scores.marked, told)


# What the wall shows, too


def template_values(content: LivePageContent) -> dict[str, Any]:
    """Return what the templates of every live page are given."""
    suits = () if content.table is None else content.table.suits
    return {
        "content": content,
        "table": content.table,
        "say": words_of(content.language),
        "comma": words_of(content.language)(COMMA.template, one="", other=""),
        "drawn": lambda text: drawn(text, content.language, suits),
        "word_of_sign": lambda text: word_of_sign(text, content.language),
        "face": lambda name: face(content.faces.of(name)),
        "pairing": isinstance(content.body, CodeBody),
        "qr": Markup(pairing_svg(content.link)),  # drawn by segno
        "lead": GLYPHS["lead"],
        "at_turn": GLYPHS["turn"],
        "winner": GLYPHS["winner"],
        "alerted": GLYPHS["alert"],
    }


def course_chart(content: LivePageContent, size: tuple[int, int], name: str = "course") -> str:
    """Return the course of the game as a chart, with a name unique in the page; empty before there is one."""
    totals = None if content.table is None else content.table.course
    if totals is None:
        return ""
    assert content.table is not None  # it has the course
    ended = all(seat.total == figure(own[-1]) for seat, own in zip(content.table.seats, totals.totals, strict=False))
    return svg(
        totals,
        words_of(content.language)(N_("The course of the game")),
        size,
        name,
        content.faces.colours(totals.names),
        with_totals=ended,  # within a round other totals stand beside the names
    )


class Standing(msgspec.Struct, frozen=True):
    """A seat where a round or the game has ended.

    Attributes:
        seat: Its number.
        row: What the table shows of it.
        place: Its place, from 1; seats with equal points share one.
        figures: The figures of the round that has ended, without its points.
        gain: The points of that round.
        before: The total before that round, where it is a whole number, as the total is.
    """

    seat: int
    row: SeatRow
    place: int
    figures: tuple[str, ...] = ()
    gain: str = ""
    before: int | None = None


def round_result(content: LivePageContent) -> TableBody | None:
    """Return the figures of the round that has just ended, with everybody's total; None at any other moment."""
    table, body = content.table, content.body
    if table is None or not isinstance(body, TableBody) or body.sheet or body.scores or len(body.heads) < 2:
        return None
    if [row[-1] for row in body.rows if row] != [seat.total for seat in table.seats]:
        return None
    *columns, gains, totals = zip(body.heads, *body.rows, strict=True)
    told = [column for column in columns if any(map(_differ, column[1:], gains[1:]))]  # not the points once more
    heads, *rows = zip(*told, gains, totals, strict=True)
    return replace(body, heads=heads, rows=tuple(rows))


def standings(table: OpenGame, ended: TableBody | None) -> list[Standing]:
    """Return the seats by their places."""
    places = _places(table)
    made = []
    for seat, row in enumerate(table.seats):
        *figures, gain = ("",) if ended is None else ended.rows[seat][:-1]
        before = _total_before(table, seat, row.total)
        made.append(Standing(seat, row, places[seat], tuple(figures), gain, before))
    return sorted(made, key=lambda each: each.place)


def _places(table: OpenGame) -> list[int]:
    """Return everybody's place by seat: first who won the game, then by points."""
    won = [table.over and seat.won for seat in table.seats]
    if table.course is None:
        points: list[float] = [_number(seat.total) or 0 for seat in table.seats]
    else:
        sign = -1 if table.course.lowest else 1
        points = [sign * totals[-1] for totals in table.course.totals]
    ranks = list(zip(won, points, strict=True))
    return [1 if own[0] else 1 + sum(other > own for other in ranks) for own in ranks]


def _total_before(table: OpenGame, seat: int, total: str) -> int | None:
    """Return a seat's total before the last round, if the course knows the total that is shown."""
    totals = () if table.course is None else table.course.totals[seat]
    return totals[-2] if len(totals) > 1 and totals[-1] == _number(total) else None


def _differ(figure: str, gain: str) -> bool:
    return _number(figure) is None or _number(figure) != _number(gain)


def _number(figure: str) -> int | None:
    try:
        return int(figure.replace("−", "-"))
    except ValueError:
        return None
