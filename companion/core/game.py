"""What a game is made of: the events of its log, where it stands, what it shows, and its declaration.

A game's own events are frozen structs with a ``type`` tag, declared beside its rules. What a game is like beside its
rules is said in `OptionalParts`:

- who is ahead: ``best``, the most points or the fewest, or the rule that says which;
- who plays together: nobody (``sides`` is None), partners for the whole game (``sides``, and ``shared_points`` if both
  have the points of their side), or a declarer's side against the rest, another in each round (``declarers``);
- how it ends: with winners, with none, or with losers (``one_loses``; `Progress.winners` are then all others).

Seats that sit out a round say so in `SeatLine.sits_out`, and a walk leaves them out. A question may ask for
numbers below zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from types import ModuleType
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct, json
from msgspec.structs import replace

from companion.decoding import from_json

from .cards import Card, Suit
from .prompt import Answer, DetailLevel, EnterNumber, LayCard, Prompt, Skip
from .text import N_, Glyph, IllegalEventError, Seat, Text


class Event(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True):
    """Something that happened at the table; each game declares its own."""


class Start(Event, frozen=True, tag="start"):
    """The event that names who starts."""

    player: int


class Finish(Struct, frozen=True, tag_field="type", tag="finish", forbid_unknown_fields=True):
    """Ends the game here: the running round counts for nothing. It is numbered like an event; no game knows of it."""


E = TypeVar("E", bound=Event | Finish)


class Undo(Struct, frozen=True, tag_field="type", tag="undo", forbid_unknown_fields=True):
    """Undoes the latest entry."""


class Redo(Struct, frozen=True, tag_field="type", tag="redo", forbid_unknown_fields=True):
    """Restores the entry undone last."""


class Amend(Struct, Generic[E], frozen=True, tag_field="type", tag="amend", forbid_unknown_fields=True):
    """Replaces one event by another."""

    drop: ClassVar[int] = 1
    event: int  # its number among the events in force, counted from 1
    to: E  # the new event

    @property
    def put(self) -> tuple[E]:
        return (self.to,)


class Splice(Struct, Generic[E], frozen=True, tag_field="type", tag="splice", forbid_unknown_fields=True):
    """Replaces any number of consecutive events by any number of events."""

    # the number of the first replaced event, counted from 1 among those in force; one beyond the last appends
    event: int
    drop: int  # how many events are replaced
    put: tuple[E, ...]


class Players(Struct, frozen=True, tag_field="type", tag="players", forbid_unknown_fields=True):
    """Says who really sits where, for the whole game from its first line; seats and events stay as they are."""

    names: tuple[str, ...]  # the names by seat


class Substitute(Struct, frozen=True, tag_field="type", tag="substitute", forbid_unknown_fields=True):
    """Says that somebody else sits in a seat from here on; seats and events stay as they are."""

    player: int
    name: str


CorrectionLine = Amend[Any] | Splice[Any]
Entry = Event | CorrectionLine | Players | Substitute | Finish
"""One step of undo and redo: an event, a correction, players' names, somebody else in a seat, or the finish."""

Line = Entry | Undo | Redo


# Where a game stands


class Best(Enum):
    """Which points are the best: the most, as in most games, or the fewest, as in Hearts."""

    HIGHEST = "highest"
    LOWEST = "lowest"

    def key(self, points: int) -> int:
        """Return the sort key of points: the best come first.

        >>> sorted((5, 24, 13), key=Best.LOWEST.key)
        [5, 13, 24]
        """
        return points if self is Best.LOWEST else -points

    def seats(self, points: Sequence[Any]) -> tuple[int, ...]:
        """Return all seats that have the best points, or the best of other things in an order.

        >>> Best.HIGHEST.seats((4, 7, 7)), Best.LOWEST.seats((4, 7, 7))
        ((1, 2), (0,))
        """
        best = (min if self is Best.LOWEST else max)(points)
        return tuple(seat for seat, own in enumerate(points) if own == best)


class Progress(Struct, frozen=True, gc=False):
    """The points, winners and position of a game."""

    totals: tuple[int, ...]  # the points by seat
    # the winning seats, none if nobody wins; None until the game is over, and where a game without rounds was ended
    # before its end
    winners: tuple[int, ...] | None
    turn: int | None = None  # the seat to act; None if nobody in particular
    round: int | None = None  # the number of the round, from 1; None in a game without rounds
    phase: str = ""  # what the game expects next, in one word
    leader: int | None = None  # the seat that leads the trick
    may_start: tuple[int, ...] | None = None  # the seats that may start, while the starter is asked for
    finished: bool = False  # whether the table has ended the game before its end

    @property
    def over(self) -> bool:
        return self.winners is not None or self.finished


# What a game shows


class PileColumn(Struct, frozen=True):
    """A counted pile: its suit, its height, and how many more cards would make it trump."""

    sign: Glyph
    count: int
    more: int = 0
    word: Text | str = ""  # what it holds, for pages, where the sign is not that of a suit


class SeatLine(Struct, frozen=True):
    """The line of one seat: cards laid, figures, leader and winner marks."""

    laid: Text  # the cards it laid in this trick, short
    figures: Text  # its figures with short words
    leads: bool  # whether this seat leads
    won: bool = False  # whether it won the trick that has just ended
    sits_out: bool = False  # whether it does not play this round; its name is then in brackets


class Headline(Struct, frozen=True):
    """The large central symbol, its word, and the lamp's colour."""

    picture: str  # the name of its large drawing; without a drawing, the word is shown in large letters
    word: Text  # its meaning
    colour: tuple[int, int, int]  # the lamp's colour: red, green, blue, each 0-255
    figure: str = ""  # a number drawn over it: the rank to beat
    trump: bool = False  # whether it is the trump; its picture is then the name of the suit


class Piles(Struct, frozen=True):
    """Counts of captured cards by seat and column, shown in large figures where other games have a headline."""

    signs: tuple[Glyph, ...]
    counts: tuple[tuple[int, ...], ...]


class GameView(Struct, frozen=True):
    """Everything a game shows: headline, columns and a line for each seat."""

    headline: Headline | None  # the headline; None if there is none yet
    status: Text  # the state of play, short
    columns: tuple[PileColumn, ...]  # the piles, in the order they lie on the table
    seats: tuple[SeatLine, ...]
    piles: Piles | None = None  # large figures in place of headline and columns
    result: Text | None = None  # how the last trick or turn ended, just after it, in place of status and columns
    suits: tuple[Suit, ...] = ()  # the suits of laid cards, whose signs pages draw in their colours


class Table(Struct, frozen=True):
    """A table of figures: the score sheet, a round's result, a page of the rules card."""

    title: Text
    columns: tuple[Text, ...]
    # the cells of each row, in words, one for each column; a row for each seat unless ``names`` is given
    rows: tuple[tuple[Text, ...], ...]
    marked: tuple[int, ...] = ()  # the seats to mark: winners, the best of a round
    names: tuple[Text, ...] = ()  # the names of the rows, if they are not the seats


class TextPage(Struct, frozen=True):
    """A page of sentences, as of the rules card; each fits one line of the panel where possible."""

    title: Text
    lines: tuple[Text, ...]


# The declaration


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

    # the import package of the game, in which ``drawings.txt`` lies, its large drawings; None if it has no such file
    package: str | None = None
    by_turn: tuple[type[Event], ...] = ()  # the structs of the events that the player to act makes
    # the structs of the events that replace everything entered in the running round; the actions of the replaced events
    # do not count
    whole_round: tuple[type[Event], ...] = ()
    # returns the round that an event has ended as one event of ``whole_round``, from the state before, the event and
    # the state after; None if the game has no such events
    as_whole_round: Callable[[S, Event, S], Event] | None = None
    # the level of detail at which a table usually begins; None for the most detailed
    usual_tracking: DetailLevel | None = None
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
    all_can_win: bool = False  # whether all can win together, so that this is no tie
    edition: str | None = None  # the rule that tells the edition; None if there is only one
    # returns the state of a game under other rules to which the next event of the recorded game is applied, from the
    # recorded state before the event, the event and the state under the other rules. It differs from the last where the
    # other rules let somebody else start a round. Raises IllegalEventError if nobody can know what the event would have
    # been. None if the rules never change either
    refit: Callable[[S, Event, S], S] | None = None
    # returns how likely an event is in a state, as far as the table can know (natural logarithm); people are taken to
    # choose at random among what they may do. None if the game cannot say
    log_likelihood: Callable[[S, Event], float] | None = None


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

    @classmethod
    def of(cls, *modules: ModuleType, **given: Any) -> Game[Any]:
        """Return a game. Functions that are not given are taken from modules, by the names of the fields.

        Args:
            modules: Where functions are looked for; if two modules have one, that of the first counts.
            given: The other parts by their fields' names: data, and functions that no module has.

        Raises:
            TypeError: A part that every game needs is missing, or a part is given that no game has.
        """
        needed, optional = cls.__struct_fields__, OptionalParts.__struct_fields__
        parts = dict(given)
        for module in modules:
            for name in (*needed, *optional):
                found = getattr(module, name, None)
                if name not in parts and callable(found) and not isinstance(found, type):
                    parts[name] = found
        beside = {name: parts.pop(name) for name in optional if name in parts}
        return cls(**parts, optional=OptionalParts(**beside))

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
        written = json.encode({**from_json(self.written), "players": names}).decode()
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


# What several games check


def check_seat(player: int, seats: int) -> None:
    """Raise unless 0 ≤ player < seats."""
    if not 0 <= player < seats:
        raise IllegalEventError("seat", N_("there is no seat {player}"), player=player)


def check_turn(player: int, turn: int | None, seats: int) -> None:
    """Raise unless it is this player's turn."""
    if player != turn:
        check_seat(player, seats)
        assert turn is not None  # callers check this only while it is somebody's turn
        raise IllegalEventError("turn", N_("it is {turn}'s turn, not {player}'s"), turn=Seat(turn), player=Seat(player))


# Who leads


class Standing(Struct, frozen=True):
    """The leaders, winners or losers of a game, and their points."""

    seats: tuple[int, ...]  # the leaders or winners; empty while nobody is ahead, and if nobody has won
    points: tuple[int, ...]  # their totals, without duplicates
    won: bool  # whether the game is over; not if the table has ended it early, and nobody has won
    lost: bool = False  # whether they are the losers of a game that ends with losers
    totals: tuple[int, ...] = ()  # the points by seat
    round: int | None = None  # the number of the round, from 1; None in a game without rounds


def standing(
    game: Game[Any], progress: Progress, best: Best = Best.HIGHEST, leaders: tuple[int, ...] | None = None
) -> Standing:
    """Return who leads, or has won; without ``leaders`` those lead who have the best total."""
    totals, winners = progress.totals, progress.winners
    leaders = best.seats(totals) if leaders is None else leaders
    ahead = leaders if len(leaders) < len(totals) else ()
    seats, lost = ahead if winners is None else winners, winners is not None and game.optional.one_loses
    if lost:
        seats = tuple(seat for seat in range(len(totals)) if seat not in seats)
    points = tuple(dict.fromkeys(totals[seat] for seat in seats))
    won = bool(winners) or (winners is not None and not progress.finished)
    return Standing(seats, points, won, lost, totals, progress.round)


# Questions and events


NOTHING = EnterNumber(0)


def tracking_of(game: Game[Any], present: DetailLevel, state: Any, event: Event) -> DetailLevel:
    """Return the tracking in which an event can be entered; the present one is preferred.

    Raises:
        LookupError: The event can be entered in no tracking of this game.
    """
    for tracking in (present, *game.trackings):
        if event_from_answers(game, state, tracking, game.answers(state, event)) == event:
            return tracking
    raise LookupError(event)


def event_from_answers(game: Game[Any], state: Any, tracking: DetailLevel, answers: tuple[Answer, ...]) -> Event | None:
    """Return the event that answers to successive prompts make; None if they do not make one."""
    for count, answer in enumerate(answers):
        prompt = game.ask(state, tracking, answers[:count])
        if not isinstance(prompt, Prompt) or not prompt.takes(answer):
            return None
    made = game.ask(state, tracking, answers)
    return made if isinstance(made, Event) else None


def questions_of(game: Game[Any], tracking: DetailLevel, state: Any, event: Event) -> list[tuple[Prompt, Answer]]:
    """Return the questions that lead to an event, each with its answer.

    Where all the rest of a row, a column or a sheet is said to be 0, each figure of the rest is a question, too.

    Raises:
        LookupError: The event can be entered in no tracking of this game.
    """
    tracking = tracking_of(game, tracking, state, event)
    given, said = list(game.answers(state, event)), list[Answer]()
    found: list[tuple[Prompt, Answer]] = []
    rest: int | None = None  # the row or column whose other figures are 0
    while isinstance(prompt := game.ask(state, tracking, tuple(said)), Prompt):
        line = None
        if prompt.sheet is not None and prompt.sheet.cell is not None:
            line = prompt.sheet.cell[0 if prompt.sheet.by_row else 1]
        if line is not None and line == rest:
            answer: Answer = NOTHING
        elif given:
            answer = given.pop(0)
            if line is not None and isinstance(answer, Skip) and NOTHING in prompt.answers:
                rest, answer = line, NOTHING
        elif line is not None and NOTHING in prompt.answers:  # the rest of the whole sheet was said to be 0
            answer = NOTHING
        else:
            break
        found.append((prompt, answer))
        said.append(answer)
    return found


def cells_of(game: Game[Any], tracking: DetailLevel, state: Any, event: Event) -> list[tuple[Text, int]]:
    """Return the cells of a sheet, column and row, among the questions that lead to an event.

    Raises:
        LookupError: The event can be entered in no tracking of this game.
    """
    cells = []
    for prompt, _answer in questions_of(game, tracking, state, event):
        if prompt.sheet is not None and prompt.sheet.cell is not None:
            row, column = prompt.sheet.cell
            cells.append((prompt.sheet.columns[column], row))
    return cells


def refusal_of(
    game: Game[Any], state: Any, tracking: DetailLevel, answers: tuple[Answer, ...]
) -> IllegalEventError | None:
    """Return why the answers so far cannot lead to a legal event; None if they still may.

    Each further prompt is given its first answer, or an impossible one if it has none.
    """
    try:
        made = game.ask(state, tracking, answers)
        if isinstance(made, Event):
            game.apply(state, made)
    except IllegalEventError as refused:
        return refused
    if not isinstance(made, Prompt) or made.note is not None:  # after a note another answer may still put it right
        return None
    agrees = tuple(answer for answer in made.answers if made.whole and isinstance(answer, Skip))
    following = (*agrees, *made.answers, *map(LayCard, made.deck), *made.picks)[:1]
    return refusal_of(game, state, tracking, (*answers, *following)) if following else None
