"""A table of any game for tests: entries one after another, questions and answers, short."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Self, TypeVar

import pytest

from companion.core.errors import IllegalEvent
from companion.core.events import Event, Start
from companion.core.game import Game, Outcome
from companion.core.prompt import Alternative, Answer, ChooseSeat, EnterNumber, Prompt, Tracking

from .reports import told
from .seeds import written

FULL, QUICK, ROUND = Tracking.FULL, Tracking.QUICK, Tracking.ROUND

S = TypeVar("S")


@dataclass(frozen=True)
class GameTable(Generic[S]):
    """A game at one moment; every entry gives the table after it."""

    game: ClassVar[Game[Any]]
    state: S

    def enters(self, event: Event) -> Self:
        """Enter an event."""
        return type(self)(self.game.apply(self.state, event))

    def starts(self, seat: int) -> Self:
        """Name who starts."""
        return self.enters(Start(seat))

    @property
    def turn(self) -> int:
        """Return the seat that is to act."""
        turn = self.game.snapshot(self.state)["turn"]
        assert isinstance(turn, int)
        return turn

    def refusal(self, event: Event) -> tuple[str, str]:
        """Return why an event is refused, having seen that nothing happened: the reason and the sentence."""
        before = written(self.state)
        with pytest.raises(IllegalEvent) as caught:
            self.game.apply(self.state, event)
        assert written(self.state) == before
        assert told(caught.value.text)
        return caught.value.reason, told(caught.value.text)

    def refuses(self, event: Event) -> str:
        """Return the reason for which an event is refused, having seen that nothing happened."""
        return self.refusal(event)[0]


def said(at: GameTable[Any], event: Event) -> Outcome:
    """Return what an event brought about."""
    return at.game.outcome(at.state, event, at.enters(event).state)


def asked(at: GameTable[Any], tracking: Tracking, *given: Answer) -> Prompt:
    """Return the question."""
    prompt = at.game.ask(at.state, tracking, given)
    assert isinstance(prompt, Prompt)
    return prompt


def made(at: GameTable[Any], tracking: Tracking, *given: Answer) -> Event:
    """Return the event."""
    event = at.game.ask(at.state, tracking, given)
    assert isinstance(event, Event)
    return event


def question(at: GameTable[Any], tracking: Tracking, *given: Answer) -> str:
    """Return the question in words."""
    return told(asked(at, tracking, *given).text)


def numbers(values: str) -> tuple[Answer, ...]:
    """Return numbers as answers; ``+`` is the extra answer."""
    return tuple(Alternative() if value == "+" else EnterNumber(int(value)) for value in values.split())


def figures(prompt: Prompt) -> list[int]:
    """Return the numbers that are offered."""
    return [answer.value for answer in prompt.answers if isinstance(answer, EnterNumber)]


def seats_of(prompt: Prompt) -> list[int]:
    """Return the seats that are offered."""
    return [answer.seat for answer in prompt.answers if isinstance(answer, ChooseSeat)]


def counts(words: str) -> tuple[int, ...]:
    """Return figures by seat, ``3 2 3``."""
    return tuple(map(int, words.split()))
