"""Suits, cards and decks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.core.text import N_, Glyph, HasLabel, Text


class Suit(HasLabel):
    """A suit, colour or domain of a game; compared by identity."""

    __slots__ = ("colour", "name", "sign", "word")

    def __init__(
        self, name: str, word: str, colour: tuple[int, int, int] = (255, 255, 255), sign: str | None = None
    ) -> None:
        self.name = name
        self.word = word  # the template of its name for people
        self.colour = colour  # the lamp's colour for it: red, green, blue, each 0-255
        self.sign = Glyph(sign or name)

    @property
    def label(self) -> Text:
        return Text(self.word)

    def __repr__(self) -> str:
        return self.name


class Card(HasLabel):
    """A card of a game; compared by identity. A log holds its name only."""

    __slots__ = ("_label", "bit", "figure", "keys", "name", "printed", "rank", "suit")

    def __init__(
        self,
        name: str,
        suit: Suit,
        rank: int,
        bit: int,
        keys: tuple[str, ...],
        label: Text | None = None,
        figure: Text | str | None = None,
        printed: Text | None = None,
    ) -> None:
        """Make a card; its default figure is its usual keys, its default label suit and figure."""
        self.name = name  # its name in a log, ``sea-4``
        self.suit = suit
        self.rank = rank  # its number within the suit
        self.bit = bit  # its bit in a deck's bit masks; a set of cards is an integer
        self.keys = keys  # the keys that can be typed for it after its suit, the usual ones first
        self.figure = keys[0] if figure is None else figure  # the text printed on it beside its suit
        self.printed = self.figure if printed is None else printed  # the same on pages, which have room for signs
        self._label = label or Text(N_("{suit} {rank}"), suit=suit, rank=self.figure)

    @property
    def label(self) -> Text:
        return self._label

    @property
    def sign(self) -> Text:
        """Return the shortest form of the card: its suit's glyph and its figure."""
        return Text("{suit}{figure}", suit=self.suit.sign, figure=self.figure)

    def __repr__(self) -> str:
        return self.name


class Deck:
    """All cards of a game, each once, by suit and rank.

    >>> deck = Deck.ranked((Suit("sea", "Sea"), Suit("sky", "Sky")), range(1, 4))
    >>> [card.name for card in deck.outside(0b000111)]
    ['sky-1', 'sky-2', 'sky-3']
    """

    def __init__(self, cards: Iterable[Card]) -> None:
        """Keep the cards in order; each card's bit must be ``1 << index``."""
        self.cards = tuple(cards)
        self.by_name = {card.name: card for card in self.cards}

    @classmethod
    def ranked(cls, suits: Iterable[Suit], ranks: Iterable[int]) -> Deck:
        """Make one card for each suit and rank; a 10 can also be typed as 0."""
        every = tuple(ranks)
        pairs = [(suit, rank) for suit in suits for rank in every]
        return cls(
            Card(f"{suit.name}-{rank}", suit, rank, 1 << place, ("10", "0") if rank == 10 else (str(rank),))
            for place, (suit, rank) in enumerate(pairs)
        )

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __len__(self) -> int:
        return len(self.cards)

    def outside(self, mask: int) -> tuple[Card, ...]:
        """Return the cards that are not in a set, in the deck's order; the set is a bit mask."""
        return tuple([card for card in self.cards if not card.bit & mask])
