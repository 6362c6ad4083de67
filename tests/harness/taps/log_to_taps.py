"""The taps on a live page that enter a game: names of choices, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Event, Line, Undo, tracking_of
from companion.core.prompt import DetailLevel, LayCard, Prompt
from companion.core.session import Session
from companion.ui.keys import answer_name
from companion.ui.live_page.build import stands_beside
from companion.ui.screens.game_menu import DETAIL, titles
from companion.ui.screens.round_form import before_last

UNDO = "undo"
MENU = "menu"


def taps_of(session: Session, line: Line, tracking: DetailLevel = DetailLevel.FULL) -> Iterator[tuple[str, int]]:
    """Yield each choice that enters a line, and how many taps it takes: a pledge takes a second one.

    Args:
        session: The game before the line.
        line: An entry, or an undo.
        tracking: The level of detail now; another one that the line needs is chosen in the menu first.
    """
    if isinstance(line, Undo):
        yield UNDO, 1
        for _answer in before_last(session, tracking):  # a sheet stays filled in but for its last answer
            yield "back", 1
        return
    assert isinstance(line, Event)
    game, state = session.header.game, session.state
    wanted = tracking_of(game, tracking, state, line)
    if wanted is not tracking:
        yield MENU, 1
        beside = 2 + (game.optional.rules_card is not None)  # rows that a page has not before it: scores, rules, redo
        yield f"row {titles(game).index(DETAIL) + 1 - beside}", 1
        yield f"row {list(game.trackings).index(wanted) + 1}", 1
        tracking = wanted
    answers = game.answers(state, line)
    for count, answer in enumerate(answers):
        prompt = game.ask(state, tracking, answers[:count])
        assert isinstance(prompt, Prompt)
        aside = isinstance(answer, LayCard) and answer.alternate
        yield answer_name(answer), 1 + (aside and not stands_beside(prompt))
