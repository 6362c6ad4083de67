"""Entries as answers: which answers make an event, and how closely a game must be followed for it."""

from __future__ import annotations

from typing import Any

from .errors import IllegalEvent
from .events import Event
from .game import Game
from .prompt import Answer, LayCard, Prompt, Tracking


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


def why_not(game: Game[Any], state: Any, tracking: Tracking, answers: tuple[Answer, ...]) -> IllegalEvent | None:
    """Return why some answers cannot be, whatever the next ones are; None where that cannot be told.

    The entry is completed with the first answers to what is asked next, and with impossible ones where there are none.
    """
    try:
        made = game.ask(state, tracking, answers)
        if isinstance(made, Event):
            game.apply(state, made)
    except IllegalEvent as refused:
        return refused
    following = (*made.answers, *map(LayCard, made.deck), *made.picks)[:1] if isinstance(made, Prompt) else ()
    return why_not(game, state, tracking, (*answers, *following)) if following else None
