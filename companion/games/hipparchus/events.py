"""Hipparchus's events: plays, whole tricks and whole rounds."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from companion.core.events import Event

from .cards import Counts, SuitName


class Play(Event, frozen=True, tag="play"):
    """One to three cards of a suit."""

    player: int
    suit: SuitName
    count: int


class Stuck(Event, frozen=True, tag="stuck"):
    """The second player cannot lay anything; the round ends."""

    player: int


class Captured(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The cards of a trick; a suit that is not named has none."""

    sun: int = 0
    moon: int = 0
    earth: int = 0

    @property
    def counts(self) -> Counts:
        """Return the cards by suit."""
        return (self.sun, self.moon, self.earth)


class Trick(Event, frozen=True, tag="trick"):
    """A whole trick: its winner, and all its cards."""

    winner: int
    captured: Captured


class End(Event, frozen=True, tag="end"):
    """A round is over whose tricks were entered whole."""


class Pile(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player has captured in a round, every suit named."""

    sun: int
    moon: int
    earth: int

    @property
    def counts(self) -> Counts:
        """Return the cards by suit."""
        return (self.sun, self.moon, self.earth)


class Round(Event, frozen=True, tag="round"):
    """A whole round: both piles, and who laid second in the last completed trick if that was said."""

    captured: tuple[Pile, Pile]
    second: int | UnsetType = UNSET


EVENTS = (Play, Stuck, Trick, End, Round)
