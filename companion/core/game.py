"""The declaration of a game: plain data and pure functions.

What a game is like beside its rules is said in `OptionalParts`:

- who is ahead: ``best``, the most points or the fewest, or the rule that says which;
- who plays together: nobody (``sides`` is None), partners for the whole game (``sides``, and ``shared_points`` if both
  have the points of their side), or a declarer's side against the rest, another in each round (``declarers``);
- how it ends: with winners, or with losers (``one_loses``; `Progress.winners` are then all others).

Seats that sit out a round say so in `SeatLine.sits_out`, and are left out of ``Form.order``. A question may ask for
numbers below zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Any, Generic, TypeVar

from msgspec import Struct, json
from msgspec.structs import replace

from .cards import Card
from .events import Event
from .game_view import GameView, Table, TextPage
from .prompt import Answer, DetailLevel, Prompt
from .scores_and_turn import Best, Progress
from .text import Text

S = TypeVar("S")


INTERFACE = 1
"""The version of what games are made of. A package of games says for which version it was written."""


class RuleValue(Struct, frozen=True):
    """One value that a rule can take."""

    label: Text  # the value in words
    value: Any  # the value as in a log's header
    number: Callable[[int], Any] | None = None  # makes the value from a typed number; ``value`` is then only proposed
    counted: str = ""  # the template of the value with its number, ``count``

    def with_number(self, number: int) -> Text:
        """Return the value in words, with its number."""
        return Text(self.counted or "{label} {count}", label=self.label, count=number)


class RuleOption(Struct, frozen=True):
    """A rule that is chosen at set-up; the first value is the default."""

    name: str  # its key in a log's header
    label: Text
    choices: tuple[RuleValue, ...]
    seats: range  # the numbers of players for which it is asked
    # returns the value to propose at set-up, from the box's language and the values of earlier options; None to propose
    # the first
    proposed: Callable[[str, Mapping[str, Any]], Any] | None = None


class CardSound(Enum):
    """The kinds of laid cards that sound differently.

    A game without suits to follow says in its `outcome` function which of its cards count as which kind.
    """

    LEAD = auto()
    """The first card of a trick."""
    FOLLOW = auto()
    """A card of the led suit."""
    OFF_SUIT = auto()
    """A card of another suit."""
    ALTERNATE = auto()
    """A card laid in the prompt's alternate mode, such as a pledge."""


class EventOutcome(Struct, frozen=True):
    """The outcome of an event: sentences, and the score table of a round or game that it ended."""

    lines: tuple[Text, ...] = ()  # sentences, the most important first; empty if the event needs none
    table: Table | None = None
    alert: bool = False  # whether to draw attention to it: a revoke, tokens that ran out
    won: bool = False  # whether it ended a trick
    new_trump: int | None = None  # the index of the new trump among the suits as they lie on the table
    finished: GameView | None = None  # the view of the trick or turn it ended; shown until the next key
    laid_as: CardSound | None = None  # what kind of card it laid; None if it laid none, or a whole trick or round


class CountedAction(Struct, frozen=True):
    """Something countable that a player did: a trick won, a card captured, a price paid."""

    what: str  # its name; ``action_names`` of the game has it in words
    seat: int
    amount: int = 1  # how much of it


class OptionalParts(Struct, Generic[S], frozen=True, eq=False):
    """The parts of a declaration that a game may leave out."""

    # the import package of the game, in which its files lie: ``sample.jsonl``, a whole game that the self-check plays,
    # with the final snapshot ``sample.json``; and ``drawings.txt``, its large drawings. None if it has no files
    package: str | None = None
    by_turn: tuple[type[Event], ...] = ()  # the structs of the events that the player to act makes
    # the structs of the events that replace everything entered in the running round; the actions of the replaced events
    # do not count
    whole_round: tuple[type[Event], ...] = ()
    # returns the round that an event has ended as one event of ``whole_round``, from the state before, the event and
    # the state after; None if the game has no such events
    as_whole_round: Callable[[S, Event, S], Event] | None = None
    alerts: Callable[[S], tuple[Text, ...]] = lambda _state: ()  # returns all alerts so far, in words
    # returns ``moment`` short enough for the end of a line: round and trick; None to use ``moment``
    short_moment: Callable[[S], Text] | None = None
    # what the large symbol means if it stays from trick to trick, as the trump; None if it follows from the cards on
    # the table
    lasting: Text | None = None
    # returns the lines of help on typing its entries on the keypad, from the number of players and the rules
    keys: Callable[[int, Any], tuple[Text, ...]] = lambda _seats, _rules: ()
    # returns the pages of the rules card, from the number of players and the rules
    rules_card: Callable[[int, Any], tuple[Table | TextPage, ...]] | None = None
    finished_rounds: Callable[[S], int] = lambda _state: 0  # returns the number of rounds that are over
    # returns the points of each finished round by seat; None if they are what the totals grew by
    round_points: Callable[[S], tuple[tuple[int, ...], ...]] | None = None
    # returns what players did by an event, from the state before, the event and the state after
    counted_actions: Callable[[S, Event, S], tuple[CountedAction, ...]] = lambda _before, _event, _after: ()
    # the name of every counted action in words, in the order in which lists show them
    action_names: Mapping[str, Text] = {}
    lasting_action: str | None = None  # the action that changes the lasting symbol
    # the actions that the summary of an evening remarks on, each with the template of its sentence, in which ``names``
    # did it most often, ``count`` times
    remarkable: Mapping[str, str] = {}
    # which points are the best; or the name of the rule whose value, "highest" or "lowest", says so
    best: Best | str = Best.HIGHEST
    # returns the seats of each side, from the number of players and the rules as in a log's header: each seat is on one
    # side, and the sides last for the whole game. None if each player is alone
    sides: Callable[[int, Mapping[str, Any]], tuple[tuple[int, ...], ...]] | None = None
    # returns who wins if the game ends with the rounds that are finished, from the state after one of them; None if
    # whoever has the best total wins. A game says it that breaks ties, has partners or a loser
    winners_so_far: Callable[[S], tuple[int, ...]] | None = None
    # whether partners have equal totals, the points of their side; otherwise a side's points are the sum of its seats'
    shared_points: bool = False
    # returns for each finished round the seats of the side that played against all others, the declarer first; an empty
    # tuple for a round without. None if no round of the game has such sides
    declarers: Callable[[S], tuple[tuple[int, ...], ...]] | None = None
    one_loses: bool = False  # whether the game ends with a loser: whoever is not among the winners
    edition: str | None = None  # the rule that tells the edition; None if there is only one
    # returns the state of a game under other rules to which the next event of the recorded game is applied, from the
    # recorded state before the event, the event and the state under the other rules. It differs from the last where the
    # other rules let somebody else start a round. Raises IllegalEventError if nobody can know what the event would have
    # been. None if the rules never change either
    refit: Callable[[S, Event, S], S] | None = None
    # returns how likely an event is in a state, as far as the table can know (natural logarithm); people are taken to
    # choose at random among what they may do. None if the game cannot say
    odds: Callable[[S, Event], float] | None = None


class Game(Struct, Generic[S], frozen=True, eq=False):
    """The declaration of a game: its rules, its questions, what is shown, and what it may leave out.

    Every function is pure; states and events are frozen. Every part but ``optional`` is needed.
    """

    # rules
    name: str  # its name in a log's header
    title: str  # its name for people
    seats: range  # the possible numbers of players
    rules: type[Struct]  # the struct of its rules; every field has a default
    options: tuple[RuleOption, ...]  # the rules to choose at set-up
    events: tuple[type[Event], ...]  # the structs of its events, without ``Start``
    cards: Mapping[str, Card]  # its cards by their names in a log
    # returns the first state, from the number of players and the rules. Raises IllegalEventError if the rules do not
    # fit
    start: Callable[[int, Any], S]
    # returns the next state, from a state and an event. Raises IllegalEventError if the event is illegal
    apply: Callable[[S, Event], S]
    # questions
    trackings: Mapping[DetailLevel, Text]  # its levels of tracking with their names, the most detailed first
    # returns the next prompt, from the state, the tracking and the answers so far to the unfinished entry; the event if
    # the answers make one; None if the game is over. Raises IllegalEventError for an illegal answer
    ask: Callable[[S, DetailLevel, tuple[Answer, ...]], Prompt | Event | None]
    # returns the answers that make an event in a state; the inverse of ``ask``
    answers: Callable[[S, Event], tuple[Answer, ...]]
    # what is shown
    progress: Callable[[S], Progress]  # returns how far the game is, from a state: scores, winners, whose turn it is
    snapshot: Callable[[S], dict[str, Any]]  # returns the state as plain data in the form of the log format
    view: Callable[[S], GameView]  # returns the view of a state: what the panel shows
    # returns an event's outcome, from the state before, the event and the state after
    outcome: Callable[[S, Event, S], EventOutcome]
    score_sheet: Callable[[S], Table]  # returns the score sheet
    describe: Callable[[Event], Text]  # returns a short text for an event
    moment: Callable[[S], Text]  # returns the point in the round that a state is at, in words: the trick
    optional: OptionalParts[S] = OptionalParts()  # the parts that a game may leave out

    def short(self, state: S) -> Text:
        """Return the point in the round that a state is at, short enough for the end of a line."""
        return (self.optional.short_moment or self.moment)(state)

    def best(self, rules: Mapping[str, Any]) -> Best:
        """Return which points are the best, by the rules as in a log's header; a rule that is not there is as usual."""
        declared = self.optional.best
        if isinstance(declared, Best):
            return declared
        return Best(rules[declared] if declared in rules else getattr(self.rules(), declared))


class LogHeader(Struct, frozen=True, eq=False):  # noqa: PLW1641  # nothing looks headers up
    """The first line of a log: game, players and rules."""

    game: Game[Any]
    players: tuple[str, ...]  # names by seat, 1-20 characters each
    rules: Any
    first: Any  # the state before the first event
    written: str  # the line of the log as compact JSON

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LogHeader) and self._said == other._said

    def with_players(self, names: tuple[str, ...]) -> LogHeader:
        """Return the header with other names by seat."""
        written = json.encode({**json.decode(self.written), "players": names}).decode()
        return replace(self, players=names, written=written)

    @property
    def best(self) -> Best:
        """Return which points are the best."""
        declared = self.game.optional.best
        return declared if isinstance(declared, Best) else Best(getattr(self.rules, declared))

    def winners_so_far(self, state: Any, totals: tuple[int, ...]) -> tuple[int, ...]:
        """Return who wins if the game ends with the rounds that are finished, in the state after one of them."""
        declared = self.game.optional.winners_so_far
        return self.best.seats(totals) if declared is None else declared(state)

    @property
    def _said(self) -> tuple[Any, ...]:
        return self.game, self.players, self.rules
