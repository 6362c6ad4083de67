"""What a session of the heap says to lines, written short: ``1 2 / amend 1 4 / undo``."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.core.correction import line_between
from companion.core.game import (
    Amend,
    Event,
    Finish,
    Game,
    Line,
    OptionalParts,
    Players,
    Progress,
    Redo,
    Splice,
    Substitute,
    Undo,
)
from companion.core.session import Session
from companion.core.text import IllegalEventError
from tests.games.seeds import events

from .toy import HEAP, ROOM, Heap, Put, heap

IN_ROUNDS: Game[Heap] = replace(
    HEAP,
    progress=lambda heap: Progress((sum(heap),), (0,) if sum(heap) == ROOM else None, 0, len(heap) // 2 + 1, "put", 0),
    optional=OptionalParts(finished_rounds=lambda heap: len(heap) // 2),
)
"""The same game in rounds of two entries each; it is over when the heap is full."""


def entry(word: str) -> Event | Finish:
    return Finish() if word == "finish" else Put(int(word))


def lines(words: str) -> list[Line]:
    """Return the lines of ``1 2``, ``undo``, ``amend 1 4``, ``splice 1 2 finish`` or ``seat 0 Eva``."""
    verb, *rest = words.split()
    match verb:
        case "undo":
            return [Undo()]
        case "redo":
            return [Redo()]
        case "finish":
            return [Finish()]
        case "amend":
            return [Amend(int(rest[0]), entry(rest[1]))]
        case "splice":
            put: Any = tuple(map(entry, rest[2:]))
            return [Splice(int(rest[0]), int(rest[1]), put)]
        case "names":
            return [Players(tuple(rest))]
        case "seat":
            return [Substitute(int(rest[0]), rest[1])]
    return [Put(int(word)) for word in (verb, *rest)]


def in_words(line: Line | None) -> str:
    """Return a line as it is given; nothing for none."""
    match line:
        case Put(count):
            return str(count)
        case Amend(number, to):
            return f"amend {number} {in_words(to)}"
        case Splice(number, drop, put):
            return " ".join(("splice", str(number), str(drop), *map(in_words, put)))
        case Players(names):
            return f"names {' '.join(names)}"
        case Substitute(seat, name):
            return f"seat {seat} {name}"
    return "nothing" if line is None else type(line).__name__.lower()


def sessions(text: str | bytes) -> str:
    """Return what stands after lines; or why the last cannot be, when nothing has changed. ``rounds``: in rounds."""
    words = str(text).removeprefix("rounds ")
    session = heap(game=HEAP if words == text else IN_ROUNDS)
    for step in filter(None, words.split(" / ")):
        before = session
        try:
            for line in lines(step):
                session = session.add(line)
        except IllegalEventError as refused:
            assert (before.head, before.undone) == (session.head, session.undone)
            return f"no: {refused.reason}: {refused.text}"
    assert session.add(Undo()).add(Redo()).head is session.head if session.latest else session.head.number == 0
    return _told(session)


def names_at(session: Session, number: int) -> tuple[str, ...]:
    """Return the names by seat of those who sat there when an entry was made."""
    return next((each.names for each in session.sat_before if number <= each.until), session.header.players)


def _told(session: Session) -> str:
    stand = " ".join(str(event.count) for event in events(session) if isinstance(event, Put)) or "nothing"
    seats = " ".join(names_at(session, number)[0] for number in range(1, session.head.number + 1))
    told = [stand, f"latest {in_words(session.latest)}"]
    told += [f"counts {' '.join(map(str, session.state)) or 'nothing'}"] if session.finished else []
    told += [f"undone {in_words(session.undone)}"] if session.undone else []
    told += [f"of {seats}; now {session.header.players[0]}"] if session.header.players != ("Aki",) else []
    return " | ".join(told)


def lines_between(text: str | bytes) -> str:
    """Return the line that leads from some entries to others: ``1 2 > 1 3``."""
    old, _, new = str(text).partition(">")
    before, after = (heap(*map(int, part.split())) for part in (old, new))
    line = line_between(events(before), events(after))
    assert (before if line is None else before.add(line)).state == after.state
    return in_words(line)
