"""Rules cards of every game and option: all of them is on the panel. Transcripts say what they say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.game import LogHeader
from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.gamelog import LogError, decode_header
from companion.games import GAMES
from companion.ui.fonts import LINES, BitmapFont, face
from companion.ui.panel import draw
from companion.ui.screens.context import CurrentGame, ScreenContext
from companion.ui.screens.help import RulesCardScreen, pages
from companion.ui.screens.table import PlayScreen
from companion.ui.tables import WIDTH
from companion.ui.translations import Translator, languages
from companion.ui.view import TableBody, TextBody
from tests.app.boxes import new_box, press, says, view_of

from .fifth import LAST_STONE
from .told import NAMES


def headers(game: str) -> Iterator[LogHeader]:
    """Yield the header of every possible table: all numbers of players with all option values."""
    options = GAMES[game].options
    for seats in GAMES[game].seats:
        for values in product(*(option.choices for option in options)):
            rules = {option.name: choice.value for option, choice in zip(options, values, strict=True)}
            try:
                yield decode_header(
                    json.dumps({"format": 1, "game": game, "players": NAMES[:seats], "rules": rules}, default=list)
                )
            except LogError:  # a rule for another number of players
                continue


def context(header: LogHeader, language: str) -> ScreenContext:
    return ScreenContext(Translator(language, header.players), game=CurrentGame("", Session(header), DetailLevel.FULL))


@pytest.mark.unmeasured
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_all_of_every_page_is_on_the_panel(game: str, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    fit, put = BitmapFont.fit, BitmapFont.draw

    def fitting(self: BitmapFont, text: str, width: int) -> str:
        assert fit(self, text, width) == text, f"cut: {text}"
        return text

    def drawing(self: BitmapFont, target: Any, place: tuple[int, int], text: str, ink: int = 1) -> int:
        drawn.append(text)
        return put(self, target, place, text, ink)

    monkeypatch.setattr(BitmapFont, "fit", fitting)
    monkeypatch.setattr(BitmapFont, "draw", drawing)
    seen = set()
    for header in headers(game):
        at = context(header, language)
        count = len(pages(at))
        assert 2 <= count <= 6
        for number in range(count):
            view = view_of(RulesCardScreen(PlayScreen(), at=number), at)
            if view.body in seen:
                continue
            seen.add(view.body)
            drawn.clear()
            draw(view)
            if isinstance(view.body, TextBody):
                assert sum(len(face("text").wrap(line, WIDTH - 6)) for line in view.body.sentences) <= LINES, view.body
            else:
                assert isinstance(view.body, TableBody)
                assert {*view.body.heads, *view.body.names} <= {*drawn, ""}
                assert len(view.body.rows) <= LINES


def test_every_game_of_the_box_has_a_card_but_a_game_needs_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(game.optional.rules_card is not None for game in GAMES.values())
    for card in (LAST_STONE.optional.rules_card, None):
        optional = replace(LAST_STONE.optional, rules_card=card)
        monkeypatch.setitem(GAMES, LAST_STONE.name, replace(LAST_STONE, optional=optional))
        box = new_box()
        box.begin(decode_header('{"format":1,"game":"last-stone","players":["Aki","Bea"]}'), DetailLevel.FULL)
        assert ("Rules card" in says(press(box, "h#"))) is (card is not None)
        row = next(key for key, does in box.frame.labels.items() if does == "Redo")
        assert "There is nothing to bring back" in says(press(box, row))
