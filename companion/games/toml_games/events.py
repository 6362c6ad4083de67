"""Events of games that files declare; their classes are made from the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from msgspec import UNSET, Struct, UnsetType, defstruct

from companion.core.cards import Card
from companion.core.game import Event

from .declaration import AskedFor, Declaration

Given = tuple[int, ...]
"""The answer to a question: a figure for each seat, for each side or for the round; or the seats that were named."""


class Play(Event, frozen=True, tag="play"):
    """Event: a player lays a card."""

    player: int
    card: Card


class Trick(Event, frozen=True, tag="trick"):
    """Event: a whole trick, of which only the winner is known."""

    winner: int


class Trump(Event, frozen=True, tag="trump"):
    """Event: the trump of this round; no suit if it is played without."""

    suit: str | None


class Lead(Event, frozen=True, tag="lead"):
    """Event: a player leads to the first trick of the round."""

    player: int


class GameEnded(Event, frozen=True, tag="end"):
    """Event: the game ends between two rounds, because the table says so."""


class EventClasses(Struct, frozen=True, eq=False):
    """The classes of a game's own events."""

    answers: tuple[type[Event], ...]  # by question
    round: type[Event] | None  # a whole round; None where one question is the round

    def place(self, event: Event) -> int | None:
        """Return the place of the question that an event answers; None if it is another event."""
        kind = type(event)
        return self.answers.index(kind) if kind in self.answers else None


def kinds(game: Declaration) -> EventClasses:
    """Return the classes of a game's own events."""
    answers = tuple(_answer_kind(question) for question in game.questions)
    if len(game.questions) == 1 and game.tricks is None:
        return EventClasses(answers, None)
    figures: list[tuple[str, Any, Any]] = [
        (question.name, _type(question) | UnsetType, UNSET) for question in game.questions
    ]
    return EventClasses(answers, _event("round", figures))


def _answer_kind(question: AskedFor) -> type[Event]:
    return _event(question.name, [(_field(question), _type(question))])


def _event(name: str, parts: Sequence[Any]) -> type[Event]:
    """Return the class of an event, made of its fields."""
    kind: Any = defstruct(name, parts, bases=(Event,), frozen=True, tag=name)
    return cast("type[Event]", kind)


def _field(question: AskedFor) -> str:
    if question.kind == "seat":
        return "player"
    if question.kind == "seats":
        return "players"
    return "figure" if question.per == "round" else "figures"


def _type(question: AskedFor) -> Any:
    if question.kind == "seat":
        return int | None
    if question.kind == "seats" or question.per != "round":
        return tuple[int, ...]
    return int


def written(question: AskedFor, given: Given) -> Any:
    """Return an answer as an event holds it."""
    if question.kind == "seats" or (question.kind != "seat" and question.per != "round"):
        return given
    return given[0] if given else None


def given(question: AskedFor, value: Any) -> Given:
    """Return an answer that an event holds: the opposite of `written`."""
    if isinstance(value, tuple):
        return value
    return () if value is None else (value,)


def made(kind: type[Event], question: AskedFor, answer: Given) -> Event:
    """Return the event that answers a question."""
    return kind(**{_field(question): written(question, answer)})


def told(question: AskedFor, event: Event) -> Given:
    """Return the answer in an event that answers a question."""
    return given(question, getattr(event, _field(question)))
