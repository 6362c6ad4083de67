"""Suits, cards and decks, whatever a game's cards are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .text import Speaks, Text


class Suit(Speaks):
    """A suit, colour or domain; one object each, so two are the same only if they are one.

    Attributes:
        name: As in the log; also the name of its glyph.
        word: Its template in the catalogues.
        colour: What the lamp shows for it, red, green, blue, each 0-255.
    """

    __slots__ = ("colour", "name", "word")

    def __init__(self, name: str, word: str, colour: tuple[int, int, int] = (255, 255, 255)) -> None:
        """Name the suit, in the log and for people."""
        self.name = name
        self.word = word
        self.colour = colour

    @property
    def label(self) -> Text:
        """Return the suit's name in words."""
        return Text(self.word)

    def __repr__(self) -> str:
        return self.name


class Card(Speaks):
    """A card; one object each. Not a dataclass: a log holds its name, never its fields.

    Attributes:
        name: As in the log, ``sea-4``.
        suit: Its suit.
        rank: Its number.
        bit: Its place in a deck as a mask of one bit, so that a set of cards is an integer.
    """

    __slots__ = ("bit", "name", "rank", "suit")

    def __init__(self, name: str, suit: Suit, rank: int, bit: int) -> None:
        """Make a card; a deck does it."""
        self.name = name
        self.suit = suit
        self.rank = rank
        self.bit = bit

    @property
    def label(self) -> Text:
        """Return the card's name in words."""
        return Text("{suit} {rank}", suit=self.suit, rank=self.rank)

    def __repr__(self) -> str:
        return self.name


class Deck:
    """Every card of a game once, in the order of its suits and ranks."""

    def __init__(self, suits: Iterable[Suit], ranks: Iterable[int]) -> None:
        """Make one card for each suit and rank."""
        self.suits = tuple(suits)
        ranks = tuple(ranks)
        pairs = [(suit, rank) for suit in self.suits for rank in ranks]
        self.cards = tuple(
            Card(f"{suit.name}-{rank}", suit, rank, 1 << place) for place, (suit, rank) in enumerate(pairs)
        )
        self.by_name = {card.name: card for card in self.cards}

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __len__(self) -> int:
        return len(self.cards)

    def outside(self, mask: int) -> tuple[Card, ...]:
        """Return the cards that are not in a set of cards, in the deck's order."""
        return tuple(card for card in self.cards if not card.bit & mask)
