"""One game with one slip: what the box has, what was meant, and how it was noticed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.core.game import Event, LogHeader, Splice
from companion.core.prompt import Answer
from companion.core.session import Session

Slip = Literal["neighbour", "doubled", "omitted", "forgotten", "twice", "swapped", "mode", "suit"]
"""A kind of slip.

* neighbour: a neighbouring key on the 4x4 keypad instead of the right one
* doubled: a key twice
* omitted: a key left out
* forgotten: a card left out
* twice: a card entered twice
* swapped: two players' cards in the wrong order
* mode: a pledge as a play or the reverse; in East Rune a card from the hand instead of the front, or the reverse
* suit: the right rank (Hipparchus: the right number of cards), but the wrong suit
"""

SLIPS: tuple[Slip, ...] = ("neighbour", "doubled", "omitted", "forgotten", "twice", "swapped", "mode", "suit")

Noticed = Literal["at once", "refused", "alert", "kind", "round end", "never-harmless", "never-wrong"]
"""How a slip is noticed.

* at once: a key that means nothing, before anything wrong stood in the log; the person steps back and types it right
* refused: the game refused an entry
* alert: the box raised an alert that the honest game does not have
* kind: the box asks for something else than what the person has to say
* round end: the table of figures differs, or the round ends for the box only, or for the people only
* never-harmless: nobody noticed; the totals are right at the end
* never-wrong: nobody noticed; the totals are wrong at the end
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A game with one slip, up to where it was noticed.

    Attributes:
        header: The game.
        truth: The true events up to and including the one being entered when it was noticed.
        session: What the box has.
        typed: The keys typed for each entry of the box, by its number.
        alarm: How it was noticed.
        refused: The event that the game refused, with the seat the box believes; None if the answers made none.
        refused_answers: The answers that the game refused.
        refused_keys: The keys typed for them.
        result: The whole-round event with the true figures, at the end of a round.
        slip: The kind of slip.
        at: The number of the true entry it happened to.
        unasked: How it would have been noticed if nobody had compared the figures of a round.
    """

    header: LogHeader
    truth: tuple[Event, ...]
    session: Session
    typed: dict[int, str]
    alarm: Noticed
    refused: Event | None
    refused_answers: tuple[Answer, ...]
    refused_keys: str
    result: Event | None
    slip: Slip
    at: int
    unasked: Noticed

    @property
    def entries(self) -> tuple[Event, ...]:
        return entries(self.session)

    @property
    def right(self) -> bool:
        """Return whether there is nothing to correct: everything before the refused entry is right."""
        return self.entries in (self.truth, self.truth[:-1]) and self.alarm in ("at once", "refused")

    @property
    def correction(self) -> Splice[Event]:
        return correction(self.entries, self.truth)


def entries(session: Session) -> tuple[Event, ...]:
    """Return the events in force, first to last."""
    return tuple(step.event for step in session.steps() if step.event is not None)[::-1]


def correction(old: tuple[Event, ...], new: tuple[Event, ...]) -> Splice[Event]:
    """Return the smallest splice between two lists of events."""
    shorter = min(len(old), len(new))
    first = next((place for place in range(shorter) if old[place] != new[place]), shorter)
    last = next((back for back in range(shorter - first) if old[-1 - back] != new[-1 - back]), shorter - first)
    return Splice(first + 1, len(old) - first - last, new[first : len(new) - last])
