"""A table of Gear for tests: cards are written ``r7 bA``, pairs ``r7+b7``, and seats numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from companion.core.cards import Card
from companion.core.prompt import Answer, LayCard, LayPair, Prompt
from companion.games.gear import GEAR
from companion.games.gear.cards import DECK
from companion.games.gear.events import Bid, Lots, Play, Prices, Round, Trick
from companion.games.gear.options import Rules
from companion.games.gear.state import Overbid, Revoke, State, start
from companion.games.kit.options import Ending
from tests.games.table import GameTable, counts

COLOURS = {"r": "red", "b": "black"}


def card(word: str) -> Card:
    """Return a card, ``r7``."""
    return DECK.by_name[f"{COLOURS[word[0]]}-{word[1:]}"]


def cards(words: str) -> tuple[Card, ...]:
    """Return cards, ``r7 bA``, or those of one play, ``r7+b7``."""
    return tuple(card(word) for word in words.replace("+", " ").split())


def lots(*words: str) -> Lots:
    """Return lots, six cards each."""
    return Lots(tuple(msgspec.convert(cards(six), tuple[Card, Card, Card, Card, Card, Card]) for six in words))


def paid(prices: str, who: str = "") -> Prices:
    """Return a whole auction; ``who`` gets each lot, where the lots were entered."""
    return Prices(counts(prices), counts(who) if who else UNSET)


def whole(tricks: str, aces: str, last: int, prices: str = "") -> Round:
    """Return a whole round."""
    return Round(counts(tricks), counts(aces), last, counts(prices) if prices else UNSET)


@dataclass(frozen=True)
class Table(GameTable[State]):
    """A game of Gear at one moment; every entry gives the table after it."""

    game = GEAR

    def bids(self, words: str) -> Table:
        """Bid, each by the seat whose turn it is: ``2=3`` is 3 for lot 2."""
        table = self
        for word in words.split():
            lot, price = word.split("=")
            table = table.enters(Bid(table.turn, int(lot), int(price)))
        return table

    def pays(self, prices: str, who: str = "") -> Table:
        """Enter a whole auction."""
        return self.enters(paid(prices, who))

    def lays(self, words: str) -> Table:
        """Lay cards, each play by the seat whose turn it is."""
        table = self
        for word in words.split():
            table = table.enters(Play(table.turn, cards(word)))
        return table

    def trick(self, winner: int, count: int = 1, aces: int = 0) -> Table:
        """Enter a whole trick."""
        return self.enters(Trick(winner, count, aces))

    def tricks(self, *winners: int) -> Table:
        """Enter whole tricks of one card each without an ace."""
        table = self
        for winner in winners:
            table = table.trick(winner)
        return table

    def round(self, tricks: str, aces: str, last: int, prices: str = "") -> Table:
        """Enter a whole round."""
        return self.enters(whole(tricks, aces, last, prices))

    def refuses_cards(self, words: str) -> str:
        """Return why the seat whose turn it is cannot lay some cards."""
        return self.refuses(Play(self.turn, cards(words)))

    @property
    def revokes(self) -> list[tuple[int, int]]:
        """Return who revoked, and at which card."""
        return [(alert.player, alert.card_no) for alert in self.state.alerts if isinstance(alert, Revoke)]

    @property
    def overbids(self) -> list[tuple[int, int]]:
        """Return the round and seat of every bid above one's points."""
        return [(alert.round, alert.player) for alert in self.state.alerts if isinstance(alert, Overbid)]


def table(seats: int = 4, *, rounds: int | None = None, target: int | None = None, **rules: Any) -> Table:
    """Open a game."""
    ending = Ending(rounds=4) if rounds is None else Ending(rounds=rounds)
    if target is not None:
        ending = Ending(target=target)
    return Table(start(seats, replace(Rules(), ending=ending, **rules)))


def easy(seats: int = 4, leader: int = 0, **rules: Any) -> Table:
    """Open an easy game whose first trick is about to begin."""
    return table(seats, auction=False, **rules).starts(leader)


def sold(seats: int = 4, leader: int = 0, **rules: Any) -> Table:
    """Open a game whose first trick is about to begin; nobody paid anything."""
    return table(seats, **rules).starts(leader).pays(" ".join("0" * seats))


THREE_LOTS = ("r2 r3 r4 b5 b5 rA", "r2 b3 b4 b7 b8 r9", "r5 r6 r7 r8 b9 b10")


def open_hands(leader: int = 0) -> Table:
    """Open an easy game of three whose open hands are known: ``THREE_LOTS``, by seat."""
    return easy(3, leader).enters(lots(*THREE_LOTS))


# Questions and answers


def laid(words: str) -> tuple[Answer, ...]:
    """Return cards as answers, pairs ``r7+b7`` among them."""
    return tuple(LayPair(*map(card, word.split("+"))) if "+" in word else LayCard(card(word)) for word in words.split())


def offered(prompt: Prompt) -> set[str]:
    """Return the cards that are offered, pairs not among them."""
    return {answer.card.name for answer in prompt.answers if isinstance(answer, LayCard)}


def pairs(prompt: Prompt) -> set[tuple[str, str]]:
    """Return the pairs that are offered."""
    return {(answer.first.name, answer.second.name) for answer in prompt.answers if isinstance(answer, LayPair)}
