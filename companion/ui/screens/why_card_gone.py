"""Says why a card cannot be laid: who laid it before, and when."""

from __future__ import annotations

from companion.core.event_from_answers import refusal_of
from companion.core.text import Text
from companion.core.who_laid_card import seen_in, sentence
from companion.ui.answer_ids import answer_name
from companion.ui.key_grammar import AnswerCodes

from .context import CurrentGame
from .play_view import UnfinishedEntry


def why_gone(play: UnfinishedEntry, game: CurrentGame, codes: AnswerCodes, name: str) -> Text | None:
    """Return why the answer with a name is not offered; None if the question has no such answer, or nothing tells."""
    answer = next((each for each in codes.not_offered.values() if answer_name(each) == name), None)
    if answer is None:
        return None
    at = play.position(game)
    refused = refusal_of(at.game, at.state, at.tracking, (*play.answers, answer))
    step = game.session.head if play.correction is None else play.correction.step
    return None if refused is None else sentence(at.game, refused, seen_in(refused, step, play.answers))
