"""Test helpers for any game: enter events one after another, ask prompts, read answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Self, TypeVar

import pytest

from companion.core.game import Event, EventOutcome, Game, Start
from companion.core.prompt import Answer, ChooseSeat, DetailLevel, EnterNumber, Prompt, TakeAlternative
from companion.core.text import IllegalEventError

from .reports import told
from .seeds import written

FULL, QUICK, ROUND = DetailLevel.FULL, DetailLevel.QUICK, DetailLevel.ROUND

S = TypeVar("S")


@dataclass(frozen=True)
class GameTable(Generic[S]):
    """A game of any kind; each method enters an event and returns the table after it."""

    game: ClassVar[Game[Any]]
    state: S

    def enters(self, event: Event) -> Self:
        return type(self)(self.game.apply(self.state, event))

    def starts(self, seat: int) -> Self:
        return self.enters(Start(seat))

    @property
    def turn(self) -> int:
        turn = self.game.snapshot(self.state)["turn"]
        assert isinstance(turn, int)
        return turn

    def refusal(self, event: Event) -> tuple[str, str]:
        """Return reason and sentence of the error that an illegal event raises; assert that nothing changes."""
        before = written(self.state)
        with pytest.raises(IllegalEventError) as caught:
            self.game.apply(self.state, event)
        assert written(self.state) == before
        assert told(caught.value.text)
        return caught.value.reason, told(caught.value.text)

    def refuses(self, event: Event) -> str:
        """Return the reason of the error that an illegal event raises; assert that nothing changes."""
        return self.refusal(event)[0]


def said(at: GameTable[Any], event: Event) -> EventOutcome:
    return at.game.outcome(at.state, event, at.enters(event).state)


def asked(at: GameTable[Any], tracking: DetailLevel, *given: Answer) -> Prompt:
    prompt = at.game.ask(at.state, tracking, given)
    assert isinstance(prompt, Prompt)
    return prompt


def made(at: GameTable[Any], tracking: DetailLevel, *given: Answer) -> Event:
    event = at.game.ask(at.state, tracking, given)
    assert isinstance(event, Event)
    return event


def question(at: GameTable[Any], tracking: DetailLevel, *given: Answer) -> str:
    return told(asked(at, tracking, *given).text)


def numbers(values: str) -> tuple[Answer, ...]:
    """Return numbers as answers; ``+`` is the alternative answer."""
    return tuple(TakeAlternative() if value == "+" else EnterNumber(int(value)) for value in values.split())


def figures(prompt: Prompt) -> list[int]:
    return [answer.value for answer in prompt.answers if isinstance(answer, EnterNumber)]


def seats_of(prompt: Prompt) -> list[int]:
    return [answer.seat for answer in prompt.answers if isinstance(answer, ChooseSeat)]


def counts(words: str) -> tuple[int, ...]:
    """Return the figures by seat written ``3 2 3``."""
    return tuple(map(int, words.split()))
