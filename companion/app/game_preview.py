"""Draws the first question of a game that a file declares, as the panel would show it."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from companion.core.game import Game, LogHeader
from companion.core.prompt import Prompt
from companion.core.session import Session
from companion.ui.render import draw
from companion.ui.screens.context import CurrentGame, ScreenContext, placeholder_names
from companion.ui.screens.play import PlayScreen
from companion.ui.translations import Translator

SCALE = 3


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
    context = ScreenContext(Translator(language, names), game=CurrentGame("", session, tracking))
    picture = draw(PlayScreen().show(context).view)
    image, written = picture.convert("L"), BytesIO()
    image.resize((image.width * SCALE, image.height * SCALE), 0).save(written, "PNG")
    return written.getvalue()
