"""Running totals of the open game, with labels in a language, for its chart."""

from __future__ import annotations

from functools import lru_cache

from companion.core.scores_and_turn import Best
from companion.core.session import Session
from companion.core.text import N_, Seat, Text
from companion.history.chart import Course
from companion.history.results import course_until, last_round_end
from companion.ui.translations import Translator

_totals = lru_cache(maxsize=4)(course_until)
"""The totals until a step; the same step is asked for after each entry until the next round ends."""


def game_course(words: Translator, session: Session, over: bool) -> Course | None:
    """Return the running totals of a game; None before the end of its first round."""
    end = last_round_end(session)
    if end is None:
        return None
    game = session.header.game
    totals = _totals(game, session.head if over else end)
    labels = [
        words(Text(N_("R{round}"), round=number)) for number in range(1, game.optional.finished_rounds(end.state) + 1)
    ]
    if len(totals) > len(labels) + 1:  # the game was not played to the end of a round
        labels.append(words(Text(N_("end"))))
    names = tuple(words(Seat(seat)) for seat in range(len(session.header.players)))
    return Course(names, tuple(labels), tuple(zip(*totals, strict=True)), session.header.best is Best.LOWEST)
