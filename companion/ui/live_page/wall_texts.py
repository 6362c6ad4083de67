"""Texts of the wall, a television or HDMI screen, for its web page and its drawn picture."""

from __future__ import annotations

from companion.core.text import N_, NC_

from .content import LivePageContent

TITLE = N_("Tabletop Companion")
NO_GAME = N_("No game is open")
TRUMP_IN = N_("trump in {count}")
COURSE = N_("The course of the game")
JOIN = N_("Join with a phone")
PIN = NC_("pairing", "PIN")

COLON = ":： \u00a0\u202f"
"""A colon at the end of a question, with the spaces that French puts before it."""


def question_shown(content: LivePageContent) -> str:
    """Return the question about the game without its colon.

    It is empty while a menu is open, and if the question is only the name of a player, whose seat is highlighted.
    """
    table, text = content.table, content.question.text.rstrip(COLON)
    if table is None or content.body is not None:
        return ""
    bare = not content.question.begun and text in (seat.name for seat in table.seats)
    return "" if bare else text
