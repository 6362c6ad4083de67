"""Events of Gear: lots, bids, plays, and whole auctions, tricks and rounds."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from companion.core.cards import Card
from companion.core.game import Event

Lot = tuple[Card, Card, Card, Card, Card, Card]


class DealLots(Event, frozen=True, tag="lots"):
    """Event: the cards of each lot; in the easy game, each seat's open hand."""

    lots: tuple[Lot, ...]


class Bid(Event, frozen=True, tag="bid"):
    """Event: a player bids on a lot (lots are numbered from 0)."""

    player: int
    lot: int
    price: int


class Prices(Event, frozen=True, tag="prices"):
    """Event: a whole auction; each seat's price, and each seat's lot if lots were entered."""

    prices: tuple[int, ...]
    lots: tuple[int, ...] | UnsetType = UNSET


class Play(Event, frozen=True, tag="play"):
    """Event: one card, or a pair, is played to the trick."""

    player: int
    cards: tuple[Card, ...]


class Trick(Event, frozen=True, tag="trick"):
    """Event: a whole trick: its winner, the number of cards each player laid, and the aces in it."""

    winner: int
    cards: int
    aces: int


class Round(Event, frozen=True, tag="round"):
    """Event: a whole round; tricks and aces by seat, optionally last winner and prices."""

    tricks: tuple[int, ...]
    aces: tuple[int, ...]
    last: int
    prices: tuple[int, ...] | UnsetType = UNSET


EVENTS = (DealLots, Bid, Prices, Play, Trick, Round)
