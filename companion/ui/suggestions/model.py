"""The values of a search for corrections: probabilities of slips, changes of a round, suggestions."""

from __future__ import annotations

from msgspec import Struct

from companion.core.events import CorrectionLine, Event


class Priors(Struct, frozen=True):
    """How often each kind of slip happens, and what else raises an alarm; only the ratios matter.

    Attributes:
        neighbour: A neighbouring key was pressed.
        doubled: A key was pressed twice.
        omitted: A key was left out.
        forgotten: An entry was forgotten.
        twice: An entry was made twice.
        swapped: Two neighbouring entries were made in the wrong order.
        mode: An entry was made in the other mode: a pledge as a play, from the hand instead of the front.
        suit: The rank was right, the suit wrong.
        other: Something else: a breach of the rules, or two slips. As a share of all the kinds above.
    """

    neighbour: float = 1.0
    doubled: float = 1.0
    omitted: float = 1.0
    forgotten: float = 1.0
    twice: float = 1.0
    swapped: float = 1.0
    mode: float = 1.0
    suit: float = 1.0
    other: float = 0.2


class RoundChange(Struct, frozen=True):
    """A single change to the entries of a round.

    Attributes:
        number: The number of the entry where it begins.
        was: The entries it replaces; None for one that the game refused.
        now: The entries that take their place.
    """

    number: int
    was: tuple[Event | None, ...]
    now: tuple[Event, ...]


class Suggestion(Struct, frozen=True):
    """A single correction that makes the round legal.

    Attributes:
        line: The correction as a line of the log.
        weight: Its probability; those of all suggestions add up to 1 at most.
        replacement: What it changes.
    """

    line: CorrectionLine
    weight: float
    replacement: RoundChange
