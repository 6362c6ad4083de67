"""After a round its figures have its number as title, and the question names the next round."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.games import GAMES
from companion.ui.fonts import face
from companion.ui.panel import bar_texts
from companion.ui.screens.context import CurrentGame, ScreenContext
from companion.ui.screens.table import PlayScreen
from companion.ui.tables import WIDTH
from companion.ui.translations import Translator, languages
from companion.ui.view import View
from tests.app.boxes import view_of
from tests.games.seeds import deal
from tests.ui.test_fit import shortened

NAMES = ("Aki", "Béatrice", "Cyr", "はるな", "Dai")


def ends(game: str) -> Iterator[tuple[Session, int]]:
    """Yield sessions just after each round but the last, with the round's number."""
    for seed in range(12):
        session = deal(game, seed, edits=0.0, most_rounds=3, stop=0.0).session()
        header = session.header
        for step in session.steps():
            assert step.before is not None
            over = header.game.ask(step.state, DetailLevel.FULL, ()) is None
            number = header.game.progress(step.before.state).round or 0
            if not over and (header.game.progress(step.state).round or 0) > number:
                yield Session(header, step), number


def seen(session: Session, tracking: DetailLevel, language: str) -> View | None:
    """Return the view after the last entry if it shows a round's figures, else None."""
    head, played = session.head, session.header.game
    assert head.before is not None
    assert head.event is not None
    words = Translator(language, NAMES[: len(session.header.players)])
    report = played.outcome(head.before.state, head.event, head.state)
    if report.table is None:
        return None
    return view_of(PlayScreen(), ScreenContext(words, game=CurrentGame("", session, tracking), report=report))


@pytest.mark.unmeasured
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_after_a_round_the_question_names_the_next_one_and_is_whole(game: str, language: str) -> None:
    tried = set()
    for session, number in ends(game):
        for tracking in GAMES[game].trackings:
            view = seen(session, tracking, language)
            if view is None:
                continue  # nothing was captured
            tried.add(tracking)
            named = view.ahead or view.following.split()[0]
            assert named == Translator(language)(f"{'M' if language == 'fr' else 'R'}{number + 1}")
            with shortened() as found:
                bar_texts(view, WIDTH - 8 - face("small").width(view.ahead))
            assert set(found) <= set(NAMES), view
    assert tried == set(GAMES[game].trackings)
