"""Events of Hipparchus: plays, whole tricks and whole rounds."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from companion.core.game import Event

from .cards import Counts, SuitName


class Play(Event, frozen=True, tag="play"):
    """Event: a player lays one to three cards of a suit."""

    player: int
    suit: SuitName
    count: int


class CannotPlay(Event, frozen=True, tag="stuck"):
    """Event: the second player of a trick cannot lay anything; the round ends."""

    player: int


class TrickCards(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The cards of a trick, counted by suit; a suit left out counts 0."""

    sun: int = 0
    moon: int = 0
    earth: int = 0

    @property
    def counts(self) -> Counts:
        return (self.sun, self.moon, self.earth)


class Trick(Event, frozen=True, tag="trick"):
    """Event: a whole trick: its winner and all its cards."""

    winner: int
    captured: TrickCards


class EndRound(Event, frozen=True, tag="end"):
    """Event: ends a round that was entered trick by trick."""


class RoundPile(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's captured cards in a round; every suit must be given."""

    sun: int
    moon: int
    earth: int

    @property
    def counts(self) -> Counts:
        return (self.sun, self.moon, self.earth)


class Round(Event, frozen=True, tag="round"):
    """Event: a whole round; both piles, optionally who laid second in the last complete trick."""

    captured: tuple[RoundPile, RoundPile]
    second: int | UnsetType = UNSET


EVENTS = (Play, CannotPlay, Trick, EndRound, Round)
