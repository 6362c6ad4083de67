"""Gear's events: lots, bids, cards, and whole auctions, tricks and rounds."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from companion.core.cards import Card
from companion.core.events import Event

Lot = tuple[Card, Card, Card, Card, Card, Card]


class Lots(Event, frozen=True, tag="lots"):
    """What lies in each lot; in the easy game each seat's open hand."""

    lots: tuple[Lot, ...]


class Bid(Event, frozen=True, tag="bid"):
    """One bid on one lot."""

    player: int
    lot: int
    price: int


class Prices(Event, frozen=True, tag="prices"):
    """A whole auction: the price by seat and, where the lots were entered, who gets each."""

    prices: tuple[int, ...]
    lots: tuple[int, ...] | UnsetType = UNSET


class Play(Event, frozen=True, tag="play"):
    """A card into the trick, or two."""

    player: int
    cards: tuple[Card, ...]


class Trick(Event, frozen=True, tag="trick"):
    """A whole trick: its winner, how many cards each laid, and the aces taken in it."""

    winner: int
    cards: int
    aces: int


class Round(Event, frozen=True, tag="round"):
    """A whole round: tricks and aces by seat, who won the last trick, and the prices if not known yet."""

    tricks: tuple[int, ...]
    aces: tuple[int, ...]
    last: int
    prices: tuple[int, ...] | UnsetType = UNSET


EVENTS = (Lots, Bid, Prices, Play, Trick, Round)
