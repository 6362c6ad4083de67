"""The types of the search for corrections: how likely slips are, a changed round, a suggestion."""

from __future__ import annotations

from msgspec import Struct

from companion.core.events import CorrectionLine, Event


class Priors(Struct, frozen=True):
    """How often each kind of slip happens, and what else raises an alarm; only the ratios matter."""

    neighbour: float = 1.0  # a neighbouring key was pressed
    doubled: float = 1.0  # a key was pressed twice
    omitted: float = 1.0  # a key was left out
    forgotten: float = 1.0  # an entry was forgotten
    twice: float = 1.0  # an entry was made twice
    swapped: float = 1.0  # two neighbouring entries were made in the wrong order
    mode: float = 1.0  # an entry was made in the other mode: a pledge as a play, from the hand instead of the front
    suit: float = 1.0  # the rank was right, the suit wrong
    other: float = 0.2  # something else: a breach of the rules, or two slips. As a share of all the kinds above


class RoundChange(Struct, frozen=True):
    """A single change to the entries of a round."""

    number: int  # the number of the entry where it begins
    was: tuple[Event | None, ...]  # the entries it replaces; None for one that the game refused
    now: tuple[Event, ...]  # the entries that take their place


class Suggestion(Struct, frozen=True):
    """A single correction that makes the round legal."""

    line: CorrectionLine  # the correction as a line of the log
    weight: float  # its probability; those of all suggestions add up to 1 at most
    replacement: RoundChange  # what it changes
