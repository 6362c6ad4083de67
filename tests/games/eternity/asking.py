"""Questions and answers, short, for the tests of what the box asks."""

from __future__ import annotations

from companion.core.events import Event
from companion.core.prompt import Answer, ChooseSeat, EnterNumber, LayCard, Prompt, Tracking
from companion.core.text import tell
from companion.games.eternity.prompts import ask

from .tables import Table, cards

FULL, QUICK, ROUND = Tracking.FULL, Tracking.QUICK, Tracking.ROUND
NAMES = ("Aki", "Bea", "Cyr", "Dai", "Eve")


def asked(at: Table, tracking: Tracking, *given: Answer) -> Prompt:
    """Return the question."""
    prompt = ask(at.state, tracking, given)
    assert isinstance(prompt, Prompt)
    return prompt


def made(at: Table, tracking: Tracking, *given: Answer) -> Event:
    """Return the event."""
    event = ask(at.state, tracking, given)
    assert isinstance(event, Event)
    return event


def question(at: Table, tracking: Tracking, *given: Answer) -> str:
    """Return the question in words."""
    return tell(asked(at, tracking, *given).text, NAMES)


def lays(words: str, aside: bool = False) -> tuple[Answer, ...]:
    """Return cards as answers."""
    return tuple(LayCard(found, aside) for found in cards(words))


def numbers(values: str) -> tuple[Answer, ...]:
    """Return numbers as answers."""
    return tuple(EnterNumber(int(value)) for value in values.split())


def unseen(prompt: Prompt, aside: bool = False) -> set[str]:
    """Return the cards that are offered."""
    return {answer.card.name for answer in prompt.answers if isinstance(answer, LayCard) and answer.aside == aside}


def figures(prompt: Prompt) -> list[int]:
    """Return the numbers that are offered."""
    return [answer.value for answer in prompt.answers if isinstance(answer, EnterNumber)]


def seats(prompt: Prompt) -> list[int]:
    """Return the seats that are offered."""
    return [answer.seat for answer in prompt.answers if isinstance(answer, ChooseSeat)]
