"""The smallest possible game: counters are put on a heap that holds ten."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.game import Event, EventOutcome, Game, GameView, LogHeader, Progress, Table
from companion.core.prompt import Answer, DetailLevel, EnterNumber, Prompt
from companion.core.session import Session
from companion.core.text import IllegalEventError, Text

ROOM = 10


class NoRules(Struct, frozen=True):
    """The game has no rules to choose."""


class Put(Event, frozen=True, tag="put"):
    """Counters are put on the heap."""

    count: int


Heap = tuple[int, ...]


def put(heap: Heap, event: Event) -> Heap:
    """Return the heap with the counters added."""
    assert isinstance(event, Put)
    if sum(heap) + event.count > ROOM:
        raise IllegalEventError("full", "{count} more do not fit", count=event.count)
    return (*heap, event.count)


def _ask(heap: Heap, tracking: DetailLevel, answers: tuple[Answer, ...]) -> Prompt | Event | None:
    match answers:
        case (EnterNumber(count),):
            return Put(count)
    return Prompt(Text("how many?"), tuple(EnterNumber(count) for count in range(ROOM - sum(heap) + 1)))


def _answers(heap: Heap, event: Event) -> tuple[Answer, ...]:
    assert isinstance(event, Put)
    assert len(heap) <= ROOM  # what it was entered on
    return (EnterNumber(event.count),)


def _snapshot(heap: Heap) -> dict[str, Any]:
    return {"heap": heap}


HEAP: Game[Heap] = Game(
    name="heap",
    title="Heap",
    seats=range(1, 2),
    rules=NoRules,
    options=(),
    events=(Put,),
    cards={},
    start=lambda seats, rules: (),
    apply=put,
    trackings={DetailLevel.FULL: Text("all")},
    ask=_ask,
    answers=_answers,
    progress=lambda heap: Progress((sum(heap),), None),
    snapshot=_snapshot,
    view=lambda heap: GameView(None, Text("heap"), (), ()),
    outcome=lambda before, event, after: EventOutcome(),
    score_sheet=lambda heap: Table(Text("heap"), (), ()),
    describe=lambda event: Text("put"),
    moment=lambda heap: Text("now"),
)


def _ask_for_any(heap: Heap, tracking: DetailLevel, answers: tuple[Answer, ...]) -> Prompt | Event | None:
    match answers:
        case (EnterNumber(count),):
            return Put(count)
    return Prompt(Text("how many?"), tuple(EnterNumber(count) for count in range(ROOM + 1)))


CARELESS: Game[Heap] = replace(HEAP, ask=_ask_for_any)
"""The same game, but it offers answers that do not fit."""


def heap(*counts: int, game: Game[Heap] = HEAP) -> Session:
    """Return a session in which counters were put, one entry for each count."""
    session = Session(LogHeader(game, ("Aki",), NoRules(), (), "{}"))
    for count in counts:
        session = session.add(Put(count))
    return session
