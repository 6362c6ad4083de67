"""Titles of games. A game that is not one of ours, as in imported plays, is named by its title already."""

from __future__ import annotations

from companion.core.text import Text
from companion.games import GAMES


def title(game: str) -> str:
    """Return the title of a game.

    >>> title("eternity"), title("Chess")
    ('Eternity', 'Chess')
    """
    return str(GAMES.title(game)) if game in GAMES else game  # a title that brings its translations is no plain text


def title_text(game: str) -> Text:
    """Return the title of a game as a text; only titles of our games are translated.

    >>> str(title_text("eternity")), str(title_text("Go {9x9}"))
    ('Eternity', 'Go {9x9}')
    """
    return Text(GAMES.title(game)) if game in GAMES else Text("{title}", title=game)
