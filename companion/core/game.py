"""The declaration of a game: plain data and pure functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from msgspec import Struct

from .cards import Card
from .events import Event
from .game_view import GameView, Notes, Table
from .prompt import Answer, Prompt, Tracking
from .text import Text

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class RuleValue:
    """One value that a rule can take.

    Attributes:
        label: The value in words.
        value: The value as in a log's header.
        number: Makes the value from a number that is typed; ``value`` then is what is proposed.
    """

    label: Text
    value: Any
    number: Callable[[int], Any] | None = None


@dataclass(frozen=True, slots=True)
class RuleOption:
    """A rule that is chosen at set-up; the first value is the default.

    Attributes:
        name: The rule's key in a log's header.
        label: What it is called.
        choices: Its values.
        seats: For how many players it is asked.
        proposed: Makes the value proposed at set-up, where that is not always the first choice, from the language of
            the box and the values of the options before this one.
    """

    name: str
    label: Text
    choices: tuple[RuleValue, ...]
    seats: range
    proposed: Callable[[str, Mapping[str, Any]], Any] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an event brought about: sentences, and the figures of a round that it ended.

    Attributes:
        lines: Sentences, the most important first; none where the event speaks for itself.
        table: The result of a round or game.
        alert: Whether the table should look up: a revoke, tokens that ran out.
        won: Whether it ended a trick.
        turned: The place, among the suits as they lie on the table, of the one that has become trump.
        finished: The stage with the trick or turn that it ended, as that lay; shown until the next key.
    """

    lines: tuple[Text, ...] = ()
    table: Table | None = None
    alert: bool = False
    won: bool = False
    turned: int | None = None
    finished: GameView | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Game(Generic[S]):
    """The declaration of a game.

    Every function is pure; states and events are frozen.

    Attributes:
        name: As in a log's header.
        title: Its name for people.
        seats: How many can play.
        rules: The struct of its rules, every field with its default.
        events: The structs of its events, ``Start`` not among them.
        cards: Its cards by the name they bear in a log.
        trackings: How closely it can be followed, closest first, and what each way is called.
        options: What the table chooses at set-up.
        start: From the number of players and the rules to the first state; refuses rules that do not fit.
        apply: From a state and an event to the next state, or Refused and nothing happened.
        ask: What the box asks, given the answers so far to the entry under way: the next prompt, or the
            event when they make one, or None when the game is over. Refuses an answer that cannot be.
        answers: The answers that make an event in a state; ``ask`` turned round.
        snapshot: The state as the log format shows it.
        face: The stage of the panel.
        report: What an event brought about: from the state before, the event and the state after.
        sheet: The score sheet.
        alerts: Everything the table should know, in words.
        describe: An event in words, short.
        moment: When within its round a state is, in words: the trick.
        keys: How its entries are typed on the keypad, line by line.
        card: The pages of the rules card, from the number of players and the rules; None where there is none.
    """

    name: str
    title: str
    seats: range
    rules: type[Struct]
    events: tuple[type[Event], ...]
    cards: Mapping[str, Card]
    trackings: Mapping[Tracking, Text]
    options: tuple[RuleOption, ...]
    start: Callable[[int, Any], S]
    apply: Callable[[S, Event], S]
    ask: Callable[[S, Tracking, tuple[Answer, ...]], Prompt | Event | None]
    answers: Callable[[S, Event], tuple[Answer, ...]]
    snapshot: Callable[[S], dict[str, Any]]
    face: Callable[[S], GameView]
    report: Callable[[S, Event, S], Outcome]
    sheet: Callable[[S], Table]
    alerts: Callable[[S], tuple[Text, ...]]
    describe: Callable[[Event], Text]
    moment: Callable[[S], Text]
    keys: tuple[Text, ...] = ()
    card: Callable[[int, Any], tuple[Table | Notes, ...]] | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a log: game, players and rules.

    Attributes:
        game: The game.
        players: Names by seat, 1-20 characters each.
        rules: The game's own rules struct.
        first: The state before anything happened.
        written: The line of the log, as short as JSON can be.
    """

    game: Game[Any]
    players: tuple[str, ...]
    rules: Any
    first: Any = field(compare=False)
    written: str = field(compare=False)
