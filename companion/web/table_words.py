"""The words, glyphs and large symbols that the table's page and the wall share."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from companion.core.text import N_, NC_, Text
from companion.ui.fonts import GLYPHS
from companion.ui.live_page.suit_colours import PAPER, ROOM, readable
from companion.ui.live_page.symbols import glyphs, picture_path
from companion.ui.live_page.wall_texts import COURSE, JOIN, NO_GAME, PILES, PIN, PLAYERS, TITLE, TRUMP_IN
from companion.ui.translations import Translator
from companion.ui.view import ListBody, OpenGame, TableBody, TextBody, TypingBody

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
    "no-game": NO_GAME,
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

MARKS = {
    "lead": GLYPHS["lead"],
    "at_turn": GLYPHS["turn"],
    "winner": GLYPHS["winner"],
    "alerted": GLYPHS["alert"],
}
"""The glyphs that any page may draw, by their name in the templates."""


@lru_cache(maxsize=8)
def words_of(language: str) -> Any:
    """Return what fills in the words of the pages, by their names in `TEXTS`."""
    words = Translator(language)

    def say(name: str, **args: object) -> str:
        return words(Text(TEXTS[name], **args)) if args else words(Text(TEXTS[name]))

    return say


@lru_cache(maxsize=2048)
def drawn(text: str, language: str) -> Markup:
    """Return a text with its glyphs drawn."""
    return Markup(glyphs(text, translator(language)))  # it escapes everything else


@lru_cache(maxsize=8)
def translator(language: str) -> Translator:
    """Return a language's translator, without players."""
    return Translator(language)


@lru_cache(maxsize=64)
def symbol(picture: str, word: str, colour: str) -> dict[str, Any]:
    """Return the drawing of a large symbol, with its box, its size and its colours."""
    path, width, height = picture_path(picture, word)
    return {
        "path": path,
        "box": f"0 0 {width} {height}",
        "size": (width, height),
        "dark": readable(colour, ROOM),
        "light": readable(colour, PAPER),
    }


def texts_of(table: OpenGame) -> Iterator[str]:
    """Yield the texts of the table, but the word of its symbol."""
    yield from (table.game, table.status, table.outcome, *table.pile_signs)
    yield from (column.sign for column in table.columns)
    for seat in table.seats:
        yield from (seat.name, seat.cards, seat.figures, seat.total)
    yield from texts_in(table.scores)


def texts_in(body: object) -> list[str]:
    """Return the texts of a body that a page shows, but the rows of a list."""
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
