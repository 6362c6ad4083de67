"""Gear test helpers: games, events and answers from short strings (``r7 bA`` two cards, ``r7+b7`` a pair)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from companion.core.cards import Card
from companion.core.prompt import Answer, LayCard, LayPair, Prompt
from companion.games.gear import GEAR
from companion.games.gear.rules import DECK, Bid, DealLots, Play, Prices, Round, Rules, State, Trick, start
from companion.games.kit import Ending
from tests.games.table import GameTable, counts

COLOURS = {"r": "red", "b": "black"}


def card(word: str) -> Card:
    """Return the card written ``r7``."""
    return DECK.by_name[f"{COLOURS[word[0]]}-{word[1:]}"]


def cards(words: str) -> tuple[Card, ...]:
    """Return the cards written ``r7 bA``, or ``r7+b7`` for one play."""
    return tuple(card(word) for word in words.replace("+", " ").split())


def lots(*words: str) -> DealLots:
    """Return a `Lots` event; each argument is a lot of six cards."""
    return DealLots(tuple(msgspec.convert(cards(six), tuple[Card, Card, Card, Card, Card, Card]) for six in words))


def paid(prices: str, who: str = "") -> Prices:
    """Return a `Prices` event; ``who`` is the seat that gets each lot, if the lots were entered."""
    return Prices(counts(prices), counts(who) if who else UNSET)


def whole(tricks: str, aces: str, last: int, prices: str = "") -> Round:
    return Round(counts(tricks), counts(aces), last, counts(prices) if prices else UNSET)


@dataclass(frozen=True)
class Table(GameTable[State]):
    """A game of Gear; each method enters an event and returns the table after it."""

    game = GEAR

    def bids(self, words: str) -> Table:
        """Enter bids, each by the seat to act: ``2=3`` bids 3 for lot 2."""
        table = self
        for word in words.split():
            lot, price = word.split("=")
            table = table.enters(Bid(table.turn, int(lot), int(price)))
        return table

    def pays(self, prices: str, who: str = "") -> Table:
        """Enter a whole auction."""
        return self.enters(paid(prices, who))

    def lays(self, words: str) -> Table:
        """Enter plays, each by the seat to act."""
        table = self
        for word in words.split():
            table = table.enters(Play(table.turn, cards(word)))
        return table

    def trick(self, winner: int, count: int = 1, aces: int = 0) -> Table:
        return self.enters(Trick(winner, count, aces))

    def tricks(self, *winners: int) -> Table:
        """Enter whole tricks of one card each, without aces."""
        table = self
        for winner in winners:
            table = table.trick(winner)
        return table

    def round(self, tricks: str, aces: str, last: int, prices: str = "") -> Table:
        return self.enters(whole(tricks, aces, last, prices))


def table(seats: int = 4, *, rounds: int | None = None, target: int | None = None, **rules: Any) -> Table:
    ending = Ending(rounds=4) if rounds is None else Ending(rounds=rounds)
    if target is not None:
        ending = Ending(target=target)
    return Table(start(seats, replace(Rules(), ending=ending, **rules)))


def easy(seats: int = 4, leader: int = 0, **rules: Any) -> Table:
    """Return an easy game before its first trick."""
    return table(seats, auction=False, **rules).starts(leader)


def sold(seats: int = 4, leader: int = 0, **rules: Any) -> Table:
    """Return a game before its first trick, after an auction at price 0."""
    return table(seats, **rules).starts(leader).pays(" ".join("0" * seats))


THREE_LOTS = ("r2 r3 r4 b5 b5 rA", "r2 b3 b4 b7 b8 r9", "r5 r6 r7 r8 b9 b10")


def open_hands(leader: int = 0) -> Table:
    """Return an easy game of three with known open hands: ``THREE_LOTS``, by seat."""
    return easy(3, leader).enters(lots(*THREE_LOTS))


# Questions and answers


def laid(words: str) -> tuple[Answer, ...]:
    """Return cards, and pairs such as ``r7+b7``, as answers."""
    return tuple(LayPair(*map(card, word.split("+"))) if "+" in word else LayCard(card(word)) for word in words.split())


def offered(prompt: Prompt) -> set[str]:
    """Return the single cards a prompt offers."""
    return {answer.card.name for answer in prompt.answers if isinstance(answer, LayCard)}


def pairs(prompt: Prompt) -> set[tuple[str, str]]:
    return {(answer.first.name, answer.second.name) for answer in prompt.answers if isinstance(answer, LayPair)}
