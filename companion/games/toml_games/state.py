"""The state of a declared game, and the figures that its formulas see in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from msgspec import Struct, defstruct
from msgspec.structs import asdict

from companion.core.cards import Card, Suit
from companion.core.game import Progress
from companion.games.kit import from_left
from companion.games.kit.tricks import Doubts, LastTrick, Revoke

from .cards import CardsOfRound, TrickRules
from .declaration import Answers, Declaration, Given
from .file import Question
from .formulas import Scope


def rules_of(game: Declaration) -> Any:
    """Return the class of a game's rules: a number for each option, the first one unless another is chosen."""
    numbers = [(name, int, option.values[0][1]) for name, option in game.options.items()]
    return defstruct("Rules", numbers, frozen=True, forbid_unknown_fields=True)


class LaidCard(Struct, frozen=True, gc=False):
    """A card on the table, and who laid it."""

    player: int
    card: Card


class RoundTricks(Struct, frozen=True, kw_only=True, gc=False):
    """The tricks of a round."""

    trump: Suit | None = None
    trump_known: bool = False
    leader: int | None = None
    hand: int = 0  # cards that each player got
    cards: CardsOfRound  # which cards beat which, and their points
    trick: int = 1
    table: tuple[LaidCard, ...] = ()
    last_trick: LastTrick[LaidCard] | None = None
    seen: int = 0  # all cards laid in this round, as `TrickRules.with_seen` keeps them
    tricks: tuple[int, ...]
    points: tuple[int, ...]
    named: tuple[tuple[str, int], ...] = ()  # who laid the cards that answer questions, with those questions
    cards_known: bool = True  # whether every card so far was entered
    doubts: Doubts


class State(Struct, frozen=True, kw_only=True, gc=False):
    """A declared game at one moment; immutable."""

    rules: Any
    seats: int
    phase: str = "start"  # start, trump, ask, lead, play or over
    asked: str | None = None  # the question that is next, in phase ask
    round: int = 1
    dealer: int | None = None
    given: Answers = {}
    entered: bool = False  # whether anything of this round was entered
    play: RoundTricks | None = None
    carry: tuple[tuple[int, ...], ...] = ()  # the figures carried to the next round, by name and seat
    rounds: tuple[tuple[int, ...], ...] = ()  # the points of the finished rounds, by seat
    past: tuple[Answers, ...] = ()  # the answers of the finished rounds
    dealers: tuple[int | None, ...] = ()  # who dealt them
    totals: tuple[int, ...]
    winners: tuple[int, ...] | None = None
    alerts: tuple[Revoke, ...] = ()


def side_numbers(game: Declaration, seats: int, given: Mapping[str, Given] = {}) -> tuple[int, ...]:
    """Return the number of each seat's side."""
    if game.sides == "partners" and seats > 2 and seats % 2 == 0:
        return tuple(seat % (seats // 2) for seat in range(seats))
    named = [given[name] for name in game.sides.split() if name in given]
    if not named:
        return tuple(range(seats))
    return tuple(int(any(seat in each for each in named)) for seat in range(seats))


def declarers_of(game: Declaration, given: Answers) -> Given:
    """Return the seats that a round's answers name as declarers: its sides, or among partners who is named first."""
    names = game.sides.split()
    if game.sides == "partners" and game.questions[0].kind == "seat":
        names = [game.questions[0].name]
    return tuple(dict.fromkeys(seat for name in names for seat in given.get(name, ())))


def declarers(game: Declaration, state: State) -> tuple[Given, ...]:
    """Return the declarers of each finished round."""
    return tuple(declarers_of(game, answers) for answers in state.past)


def by_seat(game: Declaration, question: Question, seats: int, given: Given | None) -> tuple[int, ...]:
    """Return an answer as a figure for each seat: of named seats 1, or their place in an order; of all others 0."""
    if given is None:
        return (0,) * seats
    if question.kind == "order":
        return tuple(given.index(seat) + 1 if seat in given else 0 for seat in range(seats))
    if question.names_seats:
        return tuple(int(seat in given) for seat in range(seats))
    if question.per == "round":
        return given * seats
    if question.per == "side":
        return tuple(given[side] for side in side_numbers(game, seats))
    return given


def _figures(game: Declaration, state: State, last: Sequence[int], name: str) -> tuple[int, ...]:
    """Return the figures by seat that a name means."""
    seats = state.seats
    if name in state.given:
        question = game.question(name)
        assert question is not None  # every answer is one to a question
        return by_seat(game, question, seats, state.given[name])
    if name in game.options:
        return (getattr(state.rules, name),) * seats
    match name:
        case "seats":
            return (seats,) * seats
        case "seat":
            return tuple(range(1, seats + 1))
        case "round":
            return (state.round,) * seats
        case "dealer":
            return tuple(int(seat == state.dealer) for seat in range(seats))
        case "asked_last":
            return tuple(int(seat in last) for seat in range(seats))
        case "total":
            return state.totals
    carried = dict(zip(game.score.carry, state.carry, strict=True))
    return carried[name] if name in carried or game.question(name) is None else (0,) * seats


def scope(game: Declaration, state: State, last: Sequence[int] = ()) -> Scope:
    """Return the figures that formulas see.

    Args:
        last: The seats that are the last to be asked.
    """
    sides = partial(side_numbers, game, state.seats, state.given)
    return Scope(state.seats, sides, partial(_figures, game, state, last), game.define)


def playing(game: Declaration, state: State) -> tuple[int, ...]:
    """Return the seats that play this round, clockwise from the left of the dealer."""
    return _playing(game, state.seats, state.rules, state.round, state.dealer, state.totals, state.carry)


@lru_cache(maxsize=64)
def _playing(
    game: Declaration,
    seats: int,
    rules: Any,
    number: int,
    dealer: int | None,
    totals: Given,
    carry: tuple[Given, ...],
) -> Given:
    """Return the seats that play a round, by all that tells who sits out."""
    around = from_left(-1 if dealer is None else dealer, seats)
    if game.sits_out is None:
        return around
    begun = State(rules=rules, seats=seats, round=number, dealer=dealer, totals=totals, carry=carry)
    figures = scope(game, begun)
    return tuple(seat for seat in around if not game.sits_out.value(figures, seat))


def laying(game: Declaration, state: State) -> tuple[int, ...]:
    """Return the seats that lay cards in this round, in the order of `playing`."""
    seats, rules = playing(game, state), game.trick_rules
    if rules is None or rules.said.sits_out is None:
        return seats
    figures = scope(game, state)
    return tuple(seat for seat in seats if not rules.said.sits_out.value(figures, seat)) or seats


def awaited(game: Declaration, state: State) -> tuple[TrickRules, RoundTricks]:
    """Return the rules of play and the tricks of a round in which cards are awaited."""
    rules, play = game.trick_rules, state.play
    assert rules is not None and play is not None  # only a game with tricks awaits cards  # noqa: PT018
    return rules, play


def turn(game: Declaration, state: State) -> int | None:
    """Return the seat that lays the next card."""
    play = state.play
    if state.phase != "play" or play is None or play.leader is None:
        return None
    seats = laying(game, state)
    return seats[(seats.index(play.leader) + len(play.table)) % len(seats)]


def progress(game: Declaration, state: State) -> Progress:
    leader = None if state.play is None else state.play.leader
    may_start = tuple(range(state.seats)) if state.phase == "start" else None
    return Progress(
        state.totals, state.winners, turn(game, state), state.round, state.asked or state.phase, leader, may_start
    )


@lru_cache(maxsize=64)
def questions_under(game: Declaration, rules: Any) -> tuple[Question, ...]:
    """Return the questions that the rules of a table let be asked: no option stands in the way of their ``when``."""
    options = asdict(rules)
    figures = Scope(1, lambda: (0,), lambda name: (options[name],))

    def can_be_asked(question: Question) -> bool:
        parts = () if question.when is None else question.when.conditions
        return all(part.value(figures, 0) for part in parts if options.keys() >= part.names.keys())

    return tuple(filter(can_be_asked, game.questions))


def snapshot(game: Declaration, state: State) -> dict[str, Any]:
    """Return the state as plain data for a log."""
    now = progress(game, state)
    play = state.play
    return {
        "game": game.name,
        "phase": now.phase,
        "round": state.round,
        "dealer": state.dealer,
        "turn": now.turn,
        "leader": now.leader,
        "answers": {each.name: list(state.given[each.name]) for each in game.questions if each.name in state.given},
        "trump": None if play is None or play.trump is None else play.trump.name,
        "table": [] if play is None else play.table,
        "last_trick": None if play is None else play.last_trick,
        "tricks": None if play is None else play.tricks,
        "carry": dict(zip(game.score.carry, state.carry, strict=True)),
        "rounds": state.rounds,
        "totals": state.totals,
        "winners": state.winners,
        "alerts": state.alerts,
    }
