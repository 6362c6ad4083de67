"""A declared game, checked and ready: its file, with the deck, the play and the events that were made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, reduce
from typing import Any, cast

from msgspec import UNSET, Struct, UnsetType, defstruct

from companion.core.cards import Card
from companion.core.game import Best, Event
from companion.core.text import COMMA, N_, NN_, Text

from .cards import TrickRules
from .file import GameFile, Question

LARGEST = 100_000
"""The largest number that can be entered."""
MOST_LISTED = 2001
"""The most numbers that a question lists as answers; of more it lists those nearest to zero."""
MOST_SEATS = 8


# Answers and events


Given = tuple[int, ...]
"""The answer to a question: a figure for each seat, for each side or for the round; or the seats that were named.

Those of an order are in the order in which they finished, all others in that of the table.
"""
Answers = Mapping[str, Given]
"""The answers of a round, by the names of their questions; without those that are still to be asked."""


class Play(Event, frozen=True, tag="play"):
    """Event: a player lays a card."""

    player: int
    card: Card


class Trick(Event, frozen=True, tag="trick"):
    """Event: a trick that is entered by its winner alone, without its cards."""

    winner: int


class Trump(Event, frozen=True, tag="trump"):
    """Event: the trump of this round; no suit if it is played without."""

    suit: str | None


class Lead(Event, frozen=True, tag="lead"):
    """Event: a player leads to the first trick of the round."""

    player: int


class End(Event, frozen=True, tag="end"):
    """Event: the game ends between two rounds, because the table says so."""


class EventClasses(Struct, frozen=True, eq=False):
    """The classes of a game's own events."""

    answers: Mapping[str, type[Event]]  # by question
    questions: Mapping[type[Event], Question]  # by what answers them
    round: type[Event] | None  # a whole round; None where one question is the round
    others: tuple[type[Event], ...]  # those of cards, and of an end that the table says

    @property
    def every(self) -> tuple[type[Event], ...]:
        return (*self.answers.values(), *(() if self.round is None else (self.round,)), *self.others)


def _event(name: str, parts: Sequence[Any]) -> type[Event]:
    """Return the class of an event, made of its fields."""
    kind: Any = defstruct(name, parts, bases=(Event,), frozen=True, tag=name)
    return cast("type[Event]", kind)


def _field(question: Question) -> str:
    if question.kind == "seat":
        return "player"
    if question.names_seats:
        return "players"
    return "figure" if question.per == "round" else "figures"


def _type(question: Question) -> Any:
    if question.kind == "seat":
        return int | None
    if question.names_seats or question.per != "round":
        return tuple[int, ...]
    return int


def written(question: Question, given: Given) -> Any:
    """Return an answer as an event holds it."""
    one = question.kind == "seat" or (question.per == "round" and not question.names_seats)
    return (given[0] if given else None) if one else given


def _given(value: Any) -> Given:
    """Return an answer that an event holds: the opposite of `written`."""
    if isinstance(value, tuple):
        return value
    return () if value is None else (value,)


# The game


class Declaration(GameFile, frozen=True, eq=False, kw_only=True, dict=True):
    """A declared game: its file, and what was made of it."""

    trick_rules: TrickRules | None
    stopping: frozenset[str]  # the questions that their own figures can end: those after are not asked for
    all_can_win: bool = False  # whether the file says who wins; then it can be all, or nobody
    one_loses: bool = False  # whether only the last loses

    @property
    def best_points(self) -> Best:
        return Best(self.best)

    @cached_property
    def events(self) -> EventClasses:
        """Return the classes of its own events."""
        answers = {each.name: _event(each.name, [(_field(each), _type(each))]) for each in self.questions}
        whole: type[Event] | None = None
        if len(self.questions) > 1 or self.trick_rules is not None:
            whole = _event("round", [(each.name, _type(each) | UnsetType, UNSET) for each in self.questions])
        of_cards = () if self.trick_rules is None else (Play, Trick, Trump, Lead)
        ends = (End,) if self.end.when is None else ()
        questions = {answers[each.name]: each for each in self.questions}
        return EventClasses(answers, questions, whole, (*of_cards, *ends))

    def answered(self, question: Question, answer: Given) -> Event:
        """Return the event that answers a question."""
        return self.events.answers[question.name](**{_field(question): written(question, answer)})

    def said(self, event: Event) -> dict[str, Given] | None:
        """Return the answers in an event, by question; None if it answers none."""
        question = self.events.questions.get(type(event))
        if question is not None:
            return {question.name: _given(getattr(event, _field(question)))}
        if self.events.round is None or not isinstance(event, self.events.round):
            return None
        values = {each.name: getattr(event, each.name) for each in self.questions}
        return {name: _given(value) for name, value in values.items() if value is not UNSET}

    def round_of(self, answers: Answers) -> Event:
        """Return the event of a whole round, with the answers to the questions that are asked in it."""
        if self.events.round is None:
            return self.answered(self.questions[0], answers[self.questions[0].name])
        asked = [each for each in self.questions if each.name in answers]
        return self.events.round(**{each.name: written(each, answers[each.name]) for each in asked})

    def question(self, name: str) -> Question | None:
        """Return the question of a name."""
        return next((question for question in self.questions if question.name == name), None)


def players_of(least: int, most: int) -> Text:
    """Return how many can play a game: ``3 players or more``."""
    if least == most:
        return Text(N_("{count} players"), count=least)
    if most == MOST_SEATS:
        return Text(N_("{count} players or more"), count=least)
    return Text(N_("{least} to {most} players"), least=least, most=most)


def in_brief(game: Declaration) -> Text:
    """Return what a game declares in one line: ``3 players or more, 2 questions a round``."""
    parts = [
        players_of(game.seats.start, game.seats.stop - 1),
        Text(NN_("{count} question a round", "{count} questions a round"), count=len(game.questions)),
    ]
    if game.trick_rules is not None:
        parts.append(Text(N_("card by card")))
    if game.best_points is Best.LOWEST:
        parts.append(Text(N_("the fewest points win")))
    return reduce(lambda before, part: Text(COMMA.template, one=before, other=part), parts)
