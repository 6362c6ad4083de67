"""Writes the contents of a live page as markup: the whole page, its parts, the rules card.

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

from companion.core.text import COMMA, N_, NC_, Text, isolated
from companion.ui.live_page.content import Button, LivePageContent, Question, SuitRow, SuitSign
from companion.ui.live_page.svg import names_in, sprite
from companion.ui.screens.phones import Phone, Role, seat_of
from companion.ui.screens.questions import number
from companion.ui.symbols import NAMES as SIGNS
from companion.ui.symbols import glyph
from companion.ui.translations import NAMES, languages
from companion.ui.view import ListBody, TableBody, TextBody, TypingBody

from .live_template_values import (
    PAGE_GLYPHS,
    course_chart,
    drawn,
    symbol,
    template_values,
    texts_in,
    texts_of,
    translator,
    words_of,
)
from .page_templates import macros, render
from .score_sheet import is_shown_in_question, score_sheet
from .wall import round_result, standings

ORDER = ("head", "first", "seats", "notice", "ask", "offers", "acts", "join")
"""The parts of the page's main element, in reading order."""

OTHER_TEMPLATES = {"sheet": "sheet_parts.html", "first": "first_run.html"}
"""The templates of the parts that are not in that of the table."""

CONTENT_FIELDS = {
    "head": ("question",),
    "first": ("first", "actions"),
    "notice": ("notice", "alert", "refused", "offers", "unsaved", "said", "question"),
    "ask": ("question", "body", "check"),
    "offers": ("offers",),
    "acts": ("actions", "alerts", "check", "as_scorer"),
    "join": ("address", "pin", "link", "body"),
}
"""The fields of the contents that each part shows, besides the names of the players."""

TABLE_FIELDS = {
    "head": ("game", "status", "symbol", "columns", "outcome", "over"),
    "seats": ("seats", "pile_signs", "over"),
    "ask": ("over", "scores", "course"),
    "sheet": ("scores", "course"),
}
"""The fields of the table that each part shows."""

SHEETED = ("seats", "ask", "sheet")
"""The parts that differ if the question shows the score sheet."""

AT_END = ("head", "seats")
"""The parts that differ where the figures of a round that has just ended are shown."""

_markup_cache: dict[tuple[str, str], list[tuple[object, str]]] = {}
"""What each part showed lately in each language, and its markup; a tap changes few parts."""

LATELY = 6  # how much of it is kept: phones at the table see the same, some have another page open

KINDS: dict[type, str] = {ListBody: "list", TextBody: "text", TableBody: "figures", TypingBody: "typing"}
WEIGHTS = {
    **dict.fromkeys(("start", "again", "done", "install"), " primary"),
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
        "back": content.back,
        "alert": content.alert,
        "undoOf": content.undo_of,
        "rules": bool(content.rules),
    }
    return msgspec.json.encode(message)


def seat_names(content: LivePageContent) -> list[str]:
    return [] if content.table is None else [seat.name for seat in content.table.seats]


def parts(content: LivePageContent) -> dict[str, str]:
    """Return the markup of each part, by its element's id."""
    values = _template_values(content)
    made = {name: _part(name, content, values) for name in (*ORDER, "sheet")}
    return {"symbols": sprite(_glyph_names(content)), **made}


def _part(name: str, content: LivePageContent, values: dict[str, Any]) -> str:
    """Return the markup of a part; one of the last in this language if it shows the same."""
    table = content.table
    inputs = (
        seat_names(content),
        content.faces,
        values["sheeted"] if name in SHEETED else None,
        values["ended"] is None if name in AT_END else None,
        values["standings"] if name == "ask" else None,
        getattr(table, "suits", ()),
        *(getattr(content, field) for field in CONTENT_FIELDS.get(name, ())),
        *(getattr(table, field, None) for field in TABLE_FIELDS.get(name, ())),
    )
    lately = _markup_cache.setdefault((name, content.language), [])
    for shown, markup in lately:
        if shown == inputs:
            return markup
    template = OTHER_TEMPLATES.get(name, "table_parts.html")
    made = str(getattr(macros(template), name)(values)).strip()
    _markup_cache[name, content.language] = [(inputs, made), *lately[: LATELY - 1]]
    return made


def rules(content: LivePageContent) -> str:
    """Return the page with the rules card of the open game."""
    values = _template_values(content)
    texts = [text for each in content.rules for text in texts_in(each)]
    return render(
        "rules.html",
        content=content,
        say=values["say"],
        drawn=values["drawn"],
        figures=lambda table: Markup(macros("sheet_parts.html").figures(values, table)),
        symbols=Markup(sprite(names_in(*texts))),
    )


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
    """Return the numbers that one tap enters beside the field: nothing, and all. Any other might be half a number."""
    if question.numbers is None:
        return ()
    least, most, _step = question.numbers
    numbers = [*[0] * (least <= 0 < most), *[most] * (most - least <= WIDE)]
    return tuple(Button(f"number {value}", number(value)) for value in numbers)


def _glyph_names(content: LivePageContent) -> frozenset[str]:
    """Return the names of the glyphs that the page can contain."""
    question, table = content.question, content.table
    texts = [*content.notice, question.text, question.begun, question.mode]
    choices = (*question.answers, *question.others, *content.actions, *content.offers)
    texts += [text for choice in choices for text in (choice.label, choice.value, choice.below)]
    texts += texts_in(content.body)
    if table is not None:
        texts += [*texts_of(table), *(() if table.symbol is None else (table.symbol.word, glyph(table.symbol.picture)))]
    for row in question.suits:
        texts += [*(each.sign for each in row.signs), *(card.label for card in row.deck)]
    return names_in("".join(texts), *PAGE_GLYPHS.values())
