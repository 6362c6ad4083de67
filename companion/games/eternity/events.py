"""Events of Eternity: deals, plays, pledges, and whole tricks and rounds."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from companion.core.cards import Card
from companion.core.game import Event


class Deal(Event, frozen=True, tag="deal"):
    """Event: the two cards that start the columns; with 3 players optionally the ten open cards."""

    board: tuple[Card, Card]
    shown: tuple[Card, ...] = ()


class Reveal(Event, frozen=True, tag="reveal"):
    """Event: the neutral pair is turned up (2 players)."""

    cards: tuple[Card, Card]


class Play(Event, frozen=True, tag="play"):
    """Event: a player lays a card in the trick."""

    player: int
    card: Card


class Pledge(Event, frozen=True, tag="pledge"):
    """Event: a player lays a card sideways, as a pledge."""

    player: int
    card: Card


class PledgeInTrick(Struct, frozen=True, forbid_unknown_fields=True):
    """One pledge, when a whole trick is entered at once."""

    player: int
    card: Card


class Trick(Event, frozen=True, tag="trick"):
    """Event: a whole trick: its winner, and its pledges in the order made."""

    winner: int
    pledges: tuple[PledgeInTrick, ...]


class Round(Event, frozen=True, tag="round"):
    """Event: a whole round; tricks and trees by seat, optionally who won the last trick."""

    tricks: tuple[int, ...]
    trees: tuple[int, ...]
    last: int | UnsetType = UNSET


EVENTS = (Deal, Reveal, Play, Pledge, Trick, Round)
