"""Prompts that several games ask, and the parts prompts are made of."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.core.cards import Card
from companion.core.events import Start
from companion.core.prompt import Alternative, Answer, ChooseSeat, LayCard, Prompt, Skip
from companion.core.text import N_, Text

WHO = N_("Who starts?")


def with_others(prompt: Prompt) -> Prompt:
    """Return a prompt that offers the extra answer and going on without one, where it names them."""
    others = (*(Alternative(),) * (prompt.alternative is not None), *(Skip(),) * (prompt.skip is not None))
    return replace(prompt, answers=(*prompt.answers, *others))


def ask_start(
    may_start: Iterable[int] | None, answers: tuple[Answer, ...], text: str = N_("Who starts?")
) -> Prompt | Start:
    """Ask who starts, or return the event."""
    match answers:
        case (ChooseSeat(player),):
            return Start(player)
    return Prompt(Text(text), sits(may_start or ()))


def sits(seats: Iterable[int]) -> tuple[Answer, ...]:
    """Return seats as answers."""
    return tuple(map(ChooseSeat, seats))


def lays(cards: Iterable[Card], aside: bool = False) -> tuple[Answer, ...]:
    """Return cards as answers."""
    return tuple(LayCard(card, aside) for card in cards)


def cards_of(answers: Iterable[Answer]) -> tuple[Card, ...]:
    """Return the cards among some answers."""
    return tuple(answer.card for answer in answers if isinstance(answer, LayCard))
