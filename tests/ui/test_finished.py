"""The trick or turn that has just ended stays on the panel in full until the next key."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest
from msgspec import structs

from companion.core.game import EventOutcome
from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.games import GAMES
from companion.ui.fonts import FaceName, face
from companion.ui.panel import draw
from companion.ui.screens.context import CurrentGame, ScreenContext
from companion.ui.screens.table import PlayScreen
from companion.ui.symbols import GLYPHS
from companion.ui.tables import FOOT
from companion.ui.translations import Translator, languages
from companion.ui.view import OpenGame, SeatRow, TableBody, View, seat_rows
from tests.app.boxes import view_of as shown
from tests.games.seeds import deal
from tests.ui.pixels import rows_of, stands

SHORT = ("Aki", "Bea", "Cyr", "はるな", "Eve")
LONG = ("Maximilian-Alexander", "Gigi Béjart-Quigley", "なまえのながいひとです", "Élodie Jacquemin-Pey", "W" * 20)
FACES: Final[tuple[FaceName, ...]] = ("text", "small")
LARGEST = 4
"""Most seats whose cards are drawn large."""


# Complete in the picture


@cache
def endings(game: str) -> tuple[tuple[str, Session, EventOutcome], ...]:
    """Return sessions that end a trick or turn, one of each kind for each number of players."""
    found: dict[tuple[object, ...], tuple[Session, EventOutcome]] = {}
    for seed in range(60):
        session = deal(game, seed, misplay=0.15, edits=0.0, most_rounds=2).session()
        for step in [*session.steps()][::-1]:
            assert step.before is not None
            assert step.event is not None
            report = session.header.game.outcome(step.before.state, step.event, step.state)
            if report.finished is not None:
                over = session.header.game.ask(step.state, DetailLevel.FULL, ()) is None
                kind = len(session.header.players), report.table is None, report.alert, report.new_trump is None, over
                found.setdefault(kind, (Session(session.header, step), report))
    return tuple((" ".join(map(str, kind)), *ending) for kind, ending in sorted(found.items()))


def view_of(session: Session, report: EventOutcome, names: tuple[str, ...], language: str) -> tuple[View, Translator]:
    """Return the view just after an entry, and its translator."""
    words = Translator(language, names[: len(session.header.players)])
    return shown(
        PlayScreen(), ScreenContext(words, game=CurrentGame("", session, DetailLevel.FULL), report=report)
    ), words


def body_of(view: View) -> list[bytes]:
    """Return the rows of pixels above the bottom line."""
    return rows_of(draw(view))[:FOOT]


def cards_of(view: View) -> Iterator[str]:
    """Yield the cards that each seat laid in the trick that has just ended."""
    match view.body:
        case OpenGame(seats=seats):
            yield from (seat.laid for seat in seats)
        case TableBody(laid=cards):
            yield from cards


PLAYED = pytest.mark.parametrize("game", ["eternity", "gear", "hipparchus"])


@pytest.mark.unmeasured
@pytest.mark.parametrize("names", [SHORT, LONG], ids=["short", "long"])
@PLAYED
def test_every_card_of_the_trick_is_on_the_panel_and_the_winners_with_its_sign(
    game: str, names: tuple[str, ...]
) -> None:
    for kind, session, report in endings(game):
        view, words = view_of(session, report, names, "en")
        assert report.finished is not None
        assert sum(place.won for place in report.finished.seats) == 1
        seats: tuple[SeatRow, ...] = words.told(tuple(seat_rows(report.finished)))
        wanted = [seat.laid for seat in seats]
        assert [*cards_of(view)] == wanted
        picture = body_of(view)
        tight = report.alert or report.table is not None  # a sentence or figures share the panel
        for cards in filter(None, wanted):
            large = len(wanted) <= LARGEST and stands(picture, cards, "cards")
            assert large or ((tight or len(wanted) > LARGEST) and stands(picture, cards, "small")), (kind, cards)


@pytest.mark.unmeasured
@PLAYED
def test_beside_the_cards_every_column_of_a_result_is_still_seen(game: str) -> None:
    for kind, session, report in endings(game):
        view, _words = view_of(session, report, LONG, "en")
        if isinstance(view.body, TableBody):
            columns = [*zip(view.body.heads, *view.body.rows, strict=True)]
            picture = body_of(structs.replace(view, notice=()))
            for figure in {figure for column in columns for figure in column[1:]}:
                assert stands(picture, figure, *FACES), (kind, figure)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_an_alert_that_comes_with_the_last_card_or_who_won_is_whole_above_the_cards(game: str, language: str) -> None:
    for kind, session, report in endings(game):
        view, _words = view_of(session, report, SHORT, language)
        if isinstance(view.body, OpenGame) and not view.body.pile_signs and len(view.notice) == 1:
            assert wrapped(body_of(view), f"{GLYPHS['alert']} {view.notice[0]}", *FACES), (kind, view.notice)
        if game == "eternity" and isinstance(view.body, OpenGame) and not view.notice:
            assert stands(body_of(view), view.body.outcome, "small"), (kind, view.body.outcome)


def wrapped(picture: list[bytes], sentence: str, *names: FaceName, width: int = 120) -> bool:
    """Return whether all lines of a sentence are drawn in one of some faces."""
    return any(all(stands(picture, line, name) for line in face(name).wrap(sentence, width)) for name in names)
