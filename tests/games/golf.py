"""Example of a game by rounds for many seats: Golf. The fewest points win, and points can be below zero.

The figures are asked from the left of the dealer. With more than four players the dealer sits out.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.game import (
    Best,
    Event,
    EventOutcome,
    Game,
    GameView,
    OptionalParts,
    Progress,
    RuleOption,
    RuleValue,
    SeatLine,
    Start,
    Table,
)
from companion.core.prompt import Answer, ChooseSeat, DetailLevel, Prompt
from companion.core.text import N_, IllegalEventError, Seat, Text
from companion.games.kit import added, from_left, round_columns, seat_table, who_won
from companion.games.kit.rounds import Cell, Figures, Form, Walk, ask_start

SEATS = range(2, 9)
LEAST, MOST = -20, 60
POINTS = "points"
"""The column of a round."""


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """How many rounds are played."""

    rounds: int = 2


class Round(Event, frozen=True, tag="round"):
    """The points of a round by seat; 0 for a seat that sat out."""

    points: tuple[int, ...]


class State(Struct, frozen=True):
    """The rounds so far, and the dealer of the next."""

    seats: int
    rules: Rules
    rounds: tuple[tuple[int, ...], ...] = ()
    dealer: int | None = None

    @property
    def totals(self) -> tuple[int, ...]:
        """Return the points of each seat."""
        totals = (0,) * self.seats
        for points in self.rounds:
            totals = added(totals, points)
        return totals

    @property
    def winners(self) -> tuple[int, ...] | None:
        """Return who has the fewest points at the end."""
        return Best.LOWEST.seats(self.totals) if len(self.rounds) >= self.rules.rounds else None

    @property
    def out(self) -> tuple[int, ...]:
        """Return the seats that sit out this round."""
        return (self.dealer,) if self.seats > 4 and self.dealer is not None and self.winners is None else ()


def apply(state: State, event: Event) -> State:
    """Return the state after an event."""
    match event:
        case Start(player) if state.dealer is None and player < state.seats:
            return replace(state, dealer=player)
        case Round(points) if state.dealer is not None and state.winners is None and len(points) == state.seats:
            if all(LEAST <= own <= MOST for own in points) and not any(points[seat] for seat in state.out):
                return replace(state, rounds=(*state.rounds, points), dealer=(state.dealer + 1) % state.seats)
    raise IllegalEventError("impossible", N_("that cannot be entered now"))


def form(state: State, dealer: int) -> Form[Cell, Round]:
    """Return the form of a round: the points of each seat, from the left of the dealer."""

    def walk(_figures: Figures) -> Walk[Cell, Round]:
        points = [0] * state.seats
        for seat in from_left(dealer, state.seats, state.out):
            points[seat] = yield Cell(POINTS, seat, range(LEAST, MOST + 1))
        return Round(tuple(points))

    title, heads = Text(N_("Round {round}"), round=len(state.rounds) + 1), {POINTS: Text(N_("Points"))}

    def text(cell: Cell) -> Text:
        return Text(N_("Points: {player}"), player=Seat(cell.row))

    return Form(title, heads, state.seats, walk, text, shown=lambda _made: False)


def ask(state: State, tracking: DetailLevel, answers: tuple[Answer, ...]) -> Prompt | Event | None:
    """Return the next question."""
    if state.winners is not None:
        return None
    if state.dealer is None:
        return ask_start(range(state.seats), answers, N_("Who deals?"))
    return form(state, state.dealer).ask(answers)


def answers(state: State, event: Event) -> tuple[Answer, ...]:
    """Return the answers that make an event."""
    match event:
        case Start(player):
            return (ChooseSeat(player),)
        case Round(points) if state.dealer is not None:
            return form(state, state.dealer).answers({POINTS: points})
    raise TypeError(event)


def progress(state: State) -> Progress:
    """Return how far the game is."""
    return Progress(state.totals, state.winners, round=len(state.rounds) + 1, phase="round")


def snapshot(state: State) -> dict[str, Any]:
    """Return the state as plain data."""
    return {"totals": state.totals, "winners": state.winners}


def face(state: State) -> GameView:
    """Return what the panel shows."""
    lines = (
        SeatLine(Text(""), Text("{total}", total=total), seat == state.dealer, sits_out=seat in state.out)
        for seat, total in enumerate(state.totals)
    )
    return GameView(None, Text(N_("Round {round}"), round=len(state.rounds) + 1), (), tuple(lines))


def sheet(state: State) -> Table:
    """Return the score sheet."""
    columns = [*round_columns(state.rounds), (Text(N_("total")), state.totals)]
    return seat_table(who_won(state.winners, Text(N_("Scores"))), columns, state.winners)


def describe(event: Event) -> Text:
    """Return an event in words."""
    match event:
        case Start(player):
            return Text(N_("{player} deals"), player=Seat(player))
        case Round(points):
            return Text("{points}", points="/".join(map(str, points)))
    raise TypeError(event)


GOLF: Game[State] = Game(
    name="golf",
    title=N_("Golf"),
    seats=SEATS,
    rules=Rules,
    options=(RuleOption("rounds", Text(N_("Rounds")), (RuleValue(Text("2"), 2), RuleValue(Text("9"), 9)), SEATS),),
    events=(Round,),
    cards={},
    start=State,
    apply=apply,
    trackings={DetailLevel.ROUND: Text(N_("By rounds"))},
    ask=ask,
    answers=answers,
    progress=progress,
    snapshot=snapshot,
    view=face,
    outcome=lambda _before, event, after: EventOutcome(table=sheet(after) if isinstance(event, Round) else None),
    score_sheet=sheet,
    describe=describe,
    moment=lambda state: Text(N_("round {round}"), round=len(state.rounds) + 1),
    optional=OptionalParts(
        whole_round=(Round,),
        finished_rounds=lambda state: len(state.rounds),
        best=Best.LOWEST,
        keys=lambda _seats, _rules: (Text(N_("A: minus sign")),),
    ),
)
