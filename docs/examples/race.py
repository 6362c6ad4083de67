"""Race: players enter points in turn; the first to reach the target wins."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.game import (
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
    check_turn,
)
from companion.core.prompt import Answer, ChooseSeat, DetailLevel, EnterNumber, Prompt
from companion.core.text import N_, IllegalEventError, Seat, Text

SEATS = range(2, 5)
MOST = 9  # points of one turn: a single key


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """What the table agrees on before the game; each rule has a default."""

    target: int = 20


class Score(Event, frozen=True, tag="score"):
    """A player scores points."""

    player: int
    points: int


class State(Struct, frozen=True):
    """The target, every player's total, and whose turn it is."""

    target: int
    totals: tuple[int, ...]
    turn: int | None = None

    @property
    def winner(self) -> int | None:
        """Return the seat that has reached the target."""
        return next((seat for seat, total in enumerate(self.totals) if total >= self.target), None)


def start(seats: int, rules: Rules) -> State:
    """Return the state before anything happened."""
    if rules.target < 1:
        raise IllegalEventError("target", N_("the target is at least 1"))
    return State(rules.target, (0,) * seats)


def apply(state: State, event: Event) -> State:
    """Return the state after an event, or refuse the event."""
    seats = len(state.totals)
    match event:
        case Start(player) if state.turn is None and 0 <= player < seats:
            return replace(state, turn=player)
        case Score(player, points) if state.turn is not None and state.winner is None and 0 <= points <= MOST:
            check_turn(player, state.turn, seats)
            totals = tuple(total + points * (seat == player) for seat, total in enumerate(state.totals))
            return replace(state, totals=totals, turn=(player + 1) % seats)
    raise IllegalEventError("impossible", N_("that cannot be entered now"))


def ask(state: State, tracking: DetailLevel, answers: tuple[Answer, ...]) -> Prompt | Event | None:
    """Return the next question, or the event that the answers make, or None when the game is over."""
    if state.winner is not None:
        return None
    match state.turn, answers:
        case None, (ChooseSeat(seat),):
            return Start(seat)
        case int(turn), (EnterNumber(points),):
            return Score(turn, points)
    if state.turn is None:
        return Prompt(Text(N_("Who starts?")), tuple(map(ChooseSeat, range(len(state.totals)))))
    numbers = tuple(map(EnterNumber, range(MOST + 1)))
    return Prompt(Text(N_("{player} scores"), player=Seat(state.turn)), numbers, seat=state.turn)


def answers(state: State, event: Event) -> tuple[Answer, ...]:
    """Return the answers that make an event: the opposite of `ask`."""
    match event:
        case Start(player):
            return (ChooseSeat(player),)
        case Score(_, points):
            return (EnterNumber(points),)
    raise TypeError(event)


def progress(state: State) -> Progress:
    """Return how far the game is: the points, the winners, whose turn it is."""
    if state.winner is not None:
        return Progress(state.totals, (state.winner,))
    return Progress(state.totals, None, state.turn)


def snapshot(state: State) -> dict[str, Any]:
    """Return the state as `companion replay` prints it."""
    now = progress(state)
    return {"totals": now.totals, "turn": now.turn, "winners": now.winners}


def view(state: State) -> GameView:
    """Return what the panel shows during the game: a line at the top, and each player's points."""
    places = tuple(SeatLine(Text(""), Text("{total}", total=total), leads=False) for total in state.totals)
    return GameView(None, Text(N_("To {target}"), target=state.target), (), places)


def score_sheet(state: State) -> Table:
    """Return the score sheet."""
    rows = tuple((Text("{total}", total=total),) for total in state.totals)
    return Table(Text(N_("Scores")), (Text(N_("total")),), rows, () if state.winner is None else (state.winner,))


def describe(event: Event) -> Text:
    """Return an event in words, for the list of entries."""
    match event:
        case Start(player):
            return Text(N_("{player} starts"), player=Seat(player))
        case Score(player, points):
            return Text(N_("{points}, {player}"), points=points, player=Seat(player))
    raise TypeError(event)


RACE: Game[State] = Game(
    name="race",
    title=N_("Race"),
    seats=SEATS,
    rules=Rules,
    options=(
        RuleOption(
            "target",
            Text(N_("Target")),
            (RuleValue(Text(N_("20 points")), 20), RuleValue(Text(N_("50 points")), 50)),
            SEATS,
        ),
    ),
    events=(Score,),
    cards={},
    start=start,
    apply=apply,
    trackings={DetailLevel.FULL: Text(N_("Every turn"))},
    ask=ask,
    answers=answers,
    progress=progress,
    snapshot=snapshot,
    view=view,
    outcome=lambda before, event, after: EventOutcome(),
    score_sheet=score_sheet,
    describe=describe,
    moment=lambda state: Text(N_("now")),
    optional=OptionalParts(by_turn=(Score,)),
)
