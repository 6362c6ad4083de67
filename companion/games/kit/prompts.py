"""Prompts that several games ask, and helpers that build prompts."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.core.cards import Card
from companion.core.game import Start
from companion.core.prompt import Answer, ChooseSeat, LayCard, Prompt, Skip, TakeAlternative
from companion.core.text import N_, Text


def with_others(prompt: Prompt) -> Prompt:
    """Return a prompt that also offers `TakeAlternative` and `Skip`, each if the prompt has a label for it."""
    others = (*(TakeAlternative(),) * (prompt.alternative is not None), *(Skip(),) * (prompt.skip is not None))
    return replace(prompt, answers=(*prompt.answers, *others))


def ask_start(
    may_start: Iterable[int] | None, answers: tuple[Answer, ...], text: str = N_("Who starts?")
) -> Prompt | Start:
    """Return the prompt "Who starts?", or the `Start` event once that is answered.

    >>> ask_start((0, 1), ()).answers
    (ChooseSeat(seat=0), ChooseSeat(seat=1))
    >>> ask_start((0, 1), (ChooseSeat(1),))
    Start(player=1)
    """
    match answers:
        case (ChooseSeat(player),):
            return Start(player)
    return Prompt(Text(text), sits(may_start or ()))


def sits(seats: Iterable[int]) -> tuple[Answer, ...]:
    """Return one `ChooseSeat` answer for each seat.

    >>> sits((0, 2))
    (ChooseSeat(seat=0), ChooseSeat(seat=2))
    """
    return tuple(map(ChooseSeat, seats))


def lays(cards: Iterable[Card], aside: bool = False) -> tuple[Answer, ...]:
    """Return one `LayCard` answer for each card; ``aside`` if in the prompt's alternate mode."""
    return tuple([LayCard(card, aside) for card in cards])


def cards_of(answers: Iterable[Answer]) -> tuple[Card, ...]:
    """Return the cards of the `LayCard` answers, in order; other answers are ignored."""
    return tuple(answer.card for answer in answers if isinstance(answer, LayCard))
