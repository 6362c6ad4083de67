"""Example of a fifth game in one file: Last Stone.

Ten stones lie on the table. In turn each player takes one to three. The player who takes the last stone loses.
Its headline "stone" deliberately has no glyph and no large drawing.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.cards import Suit
from companion.core.game import (
    Event,
    EventOutcome,
    Game,
    GameView,
    Headline,
    OptionalParts,
    PileColumn,
    Progress,
    RuleOption,
    RuleValue,
    SeatLine,
    Start,
    Table,
    TextPage,
)
from companion.core.prompt import Answer, ChooseSeat, DetailLevel, EnterNumber, Prompt
from companion.core.text import N_, IllegalEventError, Seat, Text
from companion.games.kit import changed, seat_table
from companion.games.kit.rounds import ask_start

STONE = Suit("stone", N_("Stone"), (120, 120, 120))


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of Last Stone: the number of stones."""

    stones: int = 10


class Take(Event, frozen=True, tag="take"):
    """Event: a player takes one to three stones."""

    player: int
    count: int


class State(Struct, frozen=True):
    """State of Last Stone: stones left, seat to act, stones taken by seat."""

    left: int
    taken: tuple[int, ...]
    turn: int | None = None

    @property
    def winners(self) -> tuple[int, ...]:
        """Return all seats but the one that took the last stone."""
        if self.left or self.turn is None:
            return ()
        return tuple(seat for seat in range(len(self.taken)) if seat == self.turn)


def start(seats: int, rules: Rules) -> State:
    return State(rules.stones, (0,) * seats)


def apply(state: State, event: Event) -> State:
    if state.turn is not None and not state.left:
        raise IllegalEventError("over", N_("the game is over"))
    match event:
        case Start(player) if state.turn is None:
            return replace(state, turn=player)
        case Take(player, count) if player == state.turn and 1 <= count <= min(3, state.left):
            return State(state.left - count, changed(state.taken, player, count), 1 - player)
    raise IllegalEventError("impossible", N_("that cannot be"))


def ask(state: State, tracking: DetailLevel, answers: tuple[Answer, ...]) -> Prompt | Event | None:
    """Return the prompt for the starter, then for the number of stones taken."""
    if state.turn is None:
        return ask_start((0, 1), answers)
    if not state.left:
        return None
    match answers:
        case (EnterNumber(count),):
            return Take(state.turn, count)
    offered = tuple(EnterNumber(count) for count in range(1, min(3, state.left) + 1))
    return Prompt(Text(N_("{player} takes"), player=Seat(state.turn)), offered, seat=state.turn)


def answers(state: State, event: Event) -> tuple[Answer, ...]:
    match event:
        case Start(player):
            return (ChooseSeat(player),)
        case Take(_, count):
            return (EnterNumber(count),)
    raise TypeError(event)


def progress(state: State) -> Progress:
    """Return how far the game is."""
    return Progress(state.taken, None, state.turn) if state.left else Progress(state.taken, state.winners)


def snapshot(state: State) -> dict[str, Any]:
    now = progress(state)
    return {"left": state.left, "turn": now.turn, "totals": now.totals, "winners": now.winners}


def face(state: State) -> GameView:
    """Return the game view: the heap as a column, and the stones taken by seat."""
    places = tuple(SeatLine(Text(""), Text("{count}", count=count), False) for count in state.taken)
    sign = Headline(STONE.name, STONE.label, STONE.colour) if state.left else None
    return GameView(sign, Text(N_("Stones")), (PileColumn(STONE.sign, state.left),), places)


def sheet(state: State) -> Table:
    """Return the score sheet: stones taken by seat."""
    title = Text(N_("{player} wins"), player=Seat(state.winners[0])) if state.winners else Text(N_("Stones"))
    return seat_table(title, [(Text(N_("taken")), state.taken)], state.winners)


def alerts(state: State) -> tuple[Text, ...]:
    """Return the alert that the seat to act has lost."""
    return (
        (Text(N_("{player} has lost"), player=Seat(state.turn)),) if state.turn is not None and state.left == 1 else ()
    )


def card(seats: int, rules: Rules) -> tuple[Table | TextPage, ...]:
    return (TextPage(Text(N_("Last Stone")), (Text(N_("Of {count} stones the last one loses"), count=rules.stones),)),)


def describe(event: Event) -> Text:
    match event:
        case Start(player):
            return Text(N_("{player} starts"), player=Seat(player))
        case Take(player, count):
            return Text(N_("{count}, {player}"), count=count, player=Seat(player))
    raise TypeError(event)


LAST_STONE: Game[State] = Game(
    name="last-stone",
    title=N_("Last Stone"),
    seats=range(2, 3),
    rules=Rules,
    options=(
        RuleOption(
            "stones",
            Text(N_("Stones")),
            (RuleValue(Text(N_("ten")), 10), RuleValue(Text(N_("as many as")), 15, lambda number: number)),
            range(2, 3),
        ),
    ),
    events=(Take,),
    cards={},
    start=start,
    apply=apply,
    trackings={DetailLevel.FULL: Text(N_("Every stone"))},
    ask=ask,
    answers=answers,
    progress=progress,
    snapshot=snapshot,
    view=face,
    outcome=lambda before, event, after: EventOutcome(table=sheet(after) if after.winners else None),
    score_sheet=sheet,
    describe=describe,
    moment=lambda state: Text(N_("now")),
    optional=OptionalParts(
        alerts=alerts,
        keys=lambda _seats, _rules: (Text(N_("1 to 3: stones taken")),),
        rules_card=card,
    ),
)
