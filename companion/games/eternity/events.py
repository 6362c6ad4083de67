"""Eternity's events: deals, cards, pledges, and whole tricks and rounds."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from companion.core.cards import Card
from companion.core.events import Event


class Deal(Event, frozen=True, tag="deal"):
    """The two cards that begin the columns; with 3 players perhaps the ten open ones."""

    board: tuple[Card, Card]
    shown: tuple[Card, ...] = ()


class Reveal(Event, frozen=True, tag="reveal"):
    """The neutral pair is turned up (2 players)."""

    cards: tuple[Card, Card]


class Play(Event, frozen=True, tag="play"):
    """A card into the trick."""

    player: int
    card: Card


class Pledge(Event, frozen=True, tag="pledge"):
    """A card pledged, sideways."""

    player: int
    card: Card


class Pledged(Struct, frozen=True, forbid_unknown_fields=True):
    """A pledge within a trick that is entered as a whole."""

    player: int
    card: Card


class Trick(Event, frozen=True, tag="trick"):
    """A whole trick: its winner, and its pledges in the order made."""

    winner: int
    pledges: tuple[Pledged, ...]


class Round(Event, frozen=True, tag="round"):
    """A whole round: tricks and trees by seat, and who won the last trick if that was said."""

    tricks: tuple[int, ...]
    trees: tuple[int, ...]
    last: int | UnsetType = UNSET


EVENTS = (Deal, Reveal, Play, Pledge, Trick, Round)
