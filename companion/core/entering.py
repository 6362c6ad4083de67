"""Entries as answers: which answers make an event, and how closely a game must be followed for it."""

from __future__ import annotations

from typing import Any

from .events import Event
from .game import Game
from .prompt import Answer, Prompt, Tracking


def tracking_of(game: Game[Any], present: Tracking, state: Any, event: Event) -> Tracking:
    """Return the way of following a game in which an event is entered; the present way if it can be.

    Raises:
        LookupError: No way of following it leads to this event.
    """
    for tracking in (present, *game.trackings):
        if entered(game, state, tracking, game.answers(state, event)) == event:
            return tracking
    raise LookupError(event)


def entered(game: Game[Any], state: Any, tracking: Tracking, answers: tuple[Answer, ...]) -> Event | None:
    """Return the event some answers make when each is offered in its turn, else None."""
    for count, answer in enumerate(answers):
        prompt = game.ask(state, tracking, answers[:count])
        if not isinstance(prompt, Prompt) or answer not in prompt.answers:
            return None
    made = game.ask(state, tracking, answers)
    return made if isinstance(made, Event) else None
