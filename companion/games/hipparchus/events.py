"""Events of Hipparchus: plays, whole tricks and whole rounds."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from companion.core.events import Event

from .cards import Counts, SuitName


class Play(Event, frozen=True, tag="play"):
    """Event: a player lays one to three cards of a suit."""

    player: int
    suit: SuitName
    count: int


class Stuck(Event, frozen=True, tag="stuck"):
    """Event: the second player of a trick cannot lay anything; the round ends."""

    player: int


class Captured(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Cards captured in a trick, by suit; a suit not named has none."""

    sun: int = 0
    moon: int = 0
    earth: int = 0

    @property
    def counts(self) -> Counts:
        """Return the cards by suit."""
        return (self.sun, self.moon, self.earth)


class Trick(Event, frozen=True, tag="trick"):
    """Event: a whole trick: its winner and all its cards."""

    winner: int
    captured: Captured


class EndRound(Event, frozen=True, tag="end"):
    """Event: the end of a round of which tricks were entered as a whole."""


class CapturedInRound(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards a player has captured in a round, by suit; every suit is named."""

    sun: int
    moon: int
    earth: int

    @property
    def counts(self) -> Counts:
        """Return the cards by suit."""
        return (self.sun, self.moon, self.earth)


class Round(Event, frozen=True, tag="round"):
    """Event: a whole round: both piles and, if known, who laid second in the last completed trick."""

    captured: tuple[CapturedInRound, CapturedInRound]
    second: int | UnsetType = UNSET


EVENTS = (Play, Stuck, Trick, EndRound, Round)
