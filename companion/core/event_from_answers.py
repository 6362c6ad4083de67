"""Makes an event of the answers to prompts; finds a level of detail at which an event can be entered."""

from __future__ import annotations

from typing import Any

from .errors import IllegalEventError
from .events import Event
from .game import Game
from .prompt import Answer, DetailLevel, LayCard, Prompt, Skip


def tracking_of(game: Game[Any], present: DetailLevel, state: Any, event: Event) -> DetailLevel:
    """Return the tracking in which an event can be entered; the present one is preferred.

    Raises:
        LookupError: The event can be entered in no tracking of this game.
    """
    for tracking in (present, *game.trackings):
        if event_from_answers(game, state, tracking, game.answers(state, event)) == event:
            return tracking
    raise LookupError(event)


def event_from_answers(game: Game[Any], state: Any, tracking: DetailLevel, answers: tuple[Answer, ...]) -> Event | None:
    """Return the event that answers to successive prompts make; None if they do not make one."""
    for count, answer in enumerate(answers):
        prompt = game.ask(state, tracking, answers[:count])
        if not isinstance(prompt, Prompt) or answer not in prompt.answers:
            return None
    made = game.ask(state, tracking, answers)
    return made if isinstance(made, Event) else None


def refusal_of(
    game: Game[Any], state: Any, tracking: DetailLevel, answers: tuple[Answer, ...]
) -> IllegalEventError | None:
    """Return why the answers so far cannot lead to a legal event; None if they still may.

    Each further prompt is given its first answer, or an impossible one if it has none.
    """
    try:
        made = game.ask(state, tracking, answers)
        if isinstance(made, Event):
            game.apply(state, made)
    except IllegalEventError as refused:
        return refused
    if not isinstance(made, Prompt) or made.note is not None:  # after a note another answer may still put it right
        return None
    agrees = tuple(answer for answer in made.answers if made.whole and isinstance(answer, Skip))
    following = (*agrees, *made.answers, *map(LayCard, made.deck), *made.picks)[:1]
    return refusal_of(game, state, tracking, (*answers, *following)) if following else None
