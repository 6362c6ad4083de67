"""Writes the contents of a live page as markup: the whole page, its parts, the rules card.

A part is one element with an id; the stream sends the parts, and the page replaces those that changed. Their markup is
plain, because the page's script makes elements of it without ``innerHTML``: elements, double-quoted attributes, escaped
text.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
from markupsafe import Markup

from companion.core.text import N_, NC_, Text
from companion.history.chart import svg
from companion.ui.fonts import GLYPHS
from companion.ui.live_page.content import Choice, NativeContent, Question, SuitRow
from companion.ui.live_page.pairing_code import pairing_svg
from companion.ui.live_page.suit_colours import PAPER, ROOM, readable
from companion.ui.live_page.symbols import glyphs, names_in, picture_path, sprite
from companion.ui.live_page.wall_texts import COURSE, JOIN, NO_GAME, PILES, PIN, PLAYERS, TITLE, TRUMP_IN
from companion.ui.phones import Phone, Role
from companion.ui.translations import NAMES, Translator, languages
from companion.ui.view import ListBody, TableBody, TextBody, TypingBody

from .page_templates import macros, render

TEXTS = {
    "title": TITLE,
    "piles": PILES,
    "in": TRUMP_IN,
    "players": PLAYERS,
    "player": N_("Player"),
    "trick": N_("Cards of the trick"),
    "figures": N_("Figures of the round"),
    "total": N_("Total"),
    "course": COURSE,
    "or": N_("Or was it …?"),
    "less": N_("less"),
    "greater": N_("more"),
    "not-asked": N_("Somebody else is asked."),
    "actions": N_("Actions"),
    "scores": N_("Scores"),
    "more": N_("Settings and help"),
    "who": N_("I am"),
    "scorer": N_("scorer, for everybody"),
    "spectator": N_("watching only"),
    "voice": N_("Screen reader says"),
    "voice-short": N_("each entry"),
    "voice-all": N_("entry and question"),
    "voice-off": N_("nothing"),
    "again": N_("Say it again"),
    "light": N_("Room"),
    "light-auto": N_("as the phone"),
    "light-dark": N_("dark"),
    "light-bright": NC_("room", "light"),
    "rules": N_("Rules card"),
    "no-rules": NO_GAME,
    "back": N_("Back to the table"),
    "pair": N_("Pair this phone"),
    "device": N_("The box with its keys"),
    "wall": N_("For a television"),
    "history": N_("History of the games"),
    "help": N_(
        "One tap lays a card. To lay it another way, such as a pledge, tap that button first, or hold the card. "
        "A tap counts for the player who is asked."
    ),
    "share": N_("Share the result"),
    "copied": N_("The result is copied."),
    "join": JOIN,
    "pin": PIN,
    "lost": N_("Connection lost, trying again."),
    "unsent": N_("{choice} was not sent."),
    "unanswered": N_("No answer to {choice}."),
    "look": N_("Look at the table before you tap again."),
    "refused": N_("{choice} does not count:"),
    "unpaired": N_("This phone is no longer paired with the table"),
    "busy": N_("The box has not caught up. Try again in a moment."),
}
"""The words of the page, by their name in the templates."""

ORDER = ("head", "seats", "notice", "ask", "acts", "join")
"""The parts of the page's main element, in reading order."""

SHOWN_BY = {
    "notice": ("notice", "alert", "refused", "offers", "unsaved"),
    "ask": ("question", "body"),
    "acts": ("actions",),
    "join": ("address", "pin", "link"),
}
"""The fields of the contents that each part shows, besides the names of the players."""

OF_TABLE = {
    "head": ("game", "status", "symbol", "columns", "outcome"),
    "seats": ("seats", "pile_signs"),
    "ask": ("over", "scores", "course"),
    "sheet": ("scores", "course"),
}
"""The fields of the table that each part shows."""

_made: dict[tuple[str, str], tuple[object, str]] = {}
"""What each part showed last in each language, and its markup: a tap changes few of them."""

KINDS: dict[type, str] = {ListBody: "list", TextBody: "text", TableBody: "figures", TypingBody: "typing"}
PRESETS = 6
"""Numbers offered beside the steps."""


def page(content: NativeContent, phone: Phone) -> str:
    made = {name: Markup(html) for name, html in parts(content).items()}  # the parts are escaped
    names = dict(enumerate(seat_names(content)))
    if phone.seat is not None:
        names.setdefault(phone.seat, _translator(content.language)(Text("P{number}", number=phone.seat + 1)))
    say = _words(content.language)
    roles = [
        ("scorer", say("scorer")),
        *((f"seat {seat}", name) for seat, name in names.items()),
        ("spectator", say("spectator")),
    ]
    return render(
        "table.html",
        content=content,
        phone=phone,
        guest=phone.number == 0 and phone.role is Role.SPECTATOR,
        parts=made,
        order=ORDER,
        say=say,
        roles=roles,
        role=f"seat {phone.seat}" if phone.role is Role.SEAT else phone.role.value,
        languages=[(code, NAMES[code]) for code in languages()],
    )


def update(content: NativeContent) -> bytes:
    """Return the message of a stream that brings a page up to date, as one line of JSON."""
    news = {
        "number": content.number,
        "seat": content.question.seat,
        "names": seat_names(content),
        "parts": parts(content),
        "said": content.said,
    }
    return msgspec.json.encode(news)


def seat_names(content: NativeContent) -> list[str]:
    return [] if content.table is None else [seat.name for seat in content.table.seats]


def parts(content: NativeContent) -> dict[str, str]:
    """Return the markup of each part, by its element's id."""
    shown = _shown(content)
    return {"symbols": sprite(_signs(content)), **{name: _part(name, content, shown) for name in (*ORDER, "sheet")}}


def _part(name: str, content: NativeContent, shown: dict[str, Any]) -> str:
    """Return the markup of a part; the last one in this language if it shows the same."""
    table = content.table
    now = (
        seat_names(content),
        *(getattr(content, field) for field in SHOWN_BY.get(name, ())),
        *(getattr(table, field, None) for field in OF_TABLE.get(name, ())),
    )
    before = _made.get((name, content.language))
    if before is None or before[0] != now:
        markup = str(getattr(macros("table_parts.html"), name)(shown)).strip()
        _made[name, content.language] = before = now, markup
    return before[1]


def rules(content: NativeContent) -> str:
    """Return the page with the rules card of the open game."""
    shown = _shown(content)
    texts = [text for each in content.rules for text in _texts(each)]
    return render(
        "rules.html",
        content=content,
        say=shown["say"],
        drawn=shown["drawn"],
        figures=lambda table: Markup(macros("table_parts.html").figures(shown, table)),
        symbols=Markup(sprite(names_in(*texts))),
    )


@lru_cache(maxsize=8)
def _words(language: str) -> Any:
    words = Translator(language)

    def say(name: str, **args: object) -> str:
        return words(Text(TEXTS[name], **args)) if args else words(Text(TEXTS[name]))

    return say


@lru_cache(maxsize=2048)
def _drawn(text: str, language: str) -> Markup:
    return Markup(glyphs(text, _translator(language)))  # it escapes everything else


@lru_cache(maxsize=8)
def _translator(language: str) -> Translator:
    return Translator(language)


def _shown(content: NativeContent) -> dict[str, Any]:
    table, language = content.table, content.language
    return {
        "content": content,
        "table": table,
        "kind": KINDS.get(type(content.body), ""),
        "say": _words(language),
        "drawn": lambda text: _drawn(text, language),
        "plain": _translator(language).aloud,
        "symbol": None
        if table is None or table.symbol is None
        else _symbol(table.symbol.picture, table.symbol.word, table.symbol.colour)
        | {"word": table.symbol.word, "figure": table.symbol.figure},
        "cards": lambda row, aside, kind: _cards(row, aside, kind, content.question.mode if aside else "", language),
        "presets": _presets(content.question),
        "chart": Markup(_chart(content, "course")),  # it escapes its texts
        "final_chart": Markup(_chart(content, "final")) if table is not None and table.over else "",
        "result": _result(content),
        "qr": Markup(pairing_svg(content.link)),  # drawn by segno
        "lead": GLYPHS["lead"],
        "at_turn": GLYPHS["turn"],
        "winner": GLYPHS["winner"],
        "alerted": GLYPHS["alert"],
    }


def _chart(content: NativeContent, name: str) -> str:
    """Return the course of the game as a chart, with a name unique in the page; empty before there is one."""
    totals = None if content.table is None else content.table.course
    return "" if totals is None else svg(totals, _words(content.language)("course"), (400, 180), name)


def _result(content: NativeContent) -> str:
    """Return the result in a line to be shared: the game, then the players by their points."""
    table = content.table
    if table is None:
        return ""
    points = ", ".join(f"{seat.name} {_translator(content.language).aloud(seat.total)}" for seat in table.seats)
    return f"{table.game}: {table.scores.title}. {points}"


@lru_cache(maxsize=64)
def _symbol(picture: str, word: str, colour: str) -> dict[str, Any]:
    path, width, height = picture_path(picture, word)
    return {
        "path": path,
        "box": f"0 0 {width} {height}",
        "dark": readable(colour, ROOM),
        "light": readable(colour, PAPER),
    }


@lru_cache(maxsize=256)
def _cards(row: SuitRow, aside: bool, kind: str, mode: str, language: str) -> Markup:
    """Return the markup of the cards of a suit; a tap changes one suit of several."""
    shown = {"drawn": lambda text: _drawn(text, language), "plain": _translator(language).aloud, "suit": _suit}
    return Markup(macros("table_parts.html").cards(shown, row, row.other if aside else row.cards, kind, mode))


def _suit(row: SuitRow) -> dict[str, Any]:
    return _symbol(next(iter(names_in(row.sign)), row.sign), row.word, row.colour)


def _presets(question: Question) -> tuple[Choice, ...]:
    if question.numbers is None:
        return ()
    least, most, likely = question.numbers
    first = max(least, min(likely - PRESETS // 2, most - PRESETS + 1))
    numbers = {least, *range(first, min(first + PRESETS, most + 1)), most}
    return tuple(Choice(f"number {number}", str(number)) for number in sorted(numbers))


def _signs(content: NativeContent) -> frozenset[str]:
    """Return the names of the glyphs that the page can contain."""
    question, table = content.question, content.table
    texts = [*content.notice, question.text, question.begun, question.mode]
    choices = (*question.answers, *question.others, *content.actions, *content.offers)
    texts += [text for choice in choices for text in (choice.label, choice.value, choice.below)]
    texts += _texts(content.body)
    if table is not None:
        texts += [table.game, table.status, table.outcome, table.scores.title, *table.pile_signs, *table.scores.heads]
        texts += ["" if table.symbol is None else table.symbol.word, *(column.sign for column in table.columns)]
        texts += [text for seat in table.seats for text in (seat.name, seat.cards, seat.figures, seat.total)]
        texts += [cell for row in table.scores.rows for cell in row]
    for row in question.suits:
        cards = (*row.cards, *row.other)
        texts += [row.sign, *(card.label for card in cards if card is not None)]
    return names_in("".join(texts)) | {"lead", "turn", "winner", "alert"}


def _texts(body: object) -> list[str]:
    match body:
        case ListBody(title):
            return [title]
        case TextBody(title, sentences):
            return [title, *sentences]
        case TableBody(title, heads, names, rows):
            return [title, *heads, *names, *(cell for row in rows for cell in row)]
        case TypingBody(title, text, pending, _help, matches):
            return [title, text, pending, *matches]
    return []
