"""Eternity test helpers: games, events and answers from short strings (``sea4`` a card, ``+sky9`` a pledge)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from companion.core.cards import Card
from companion.core.prompt import Answer, LayCard, Prompt
from companion.games.eternity import ETERNITY
from companion.games.eternity.rules import (
    DECK,
    Deal,
    Play,
    Pledge,
    PledgeInTrick,
    Reveal,
    Round,
    Rules,
    State,
    SuitName,
    Trick,
    start,
)
from companion.games.kit import Ending
from tests.games.table import GameTable

TARGET = Ending(target=20)


def card(word: str) -> Card:
    """Return the card written ``sea4``."""
    found = re.fullmatch(r"([a-z]+)(\d+)", word)
    assert found, word
    return DECK.by_name[f"{found[1]}-{found[2]}"]


def cards(words: str) -> tuple[Card, ...]:
    """Return the cards written ``sea4 sky9``."""
    return tuple(card(word) for word in words.split())


def pair(words: str) -> tuple[Card, Card]:
    """Return the two cards of a neutral pair."""
    first, second = cards(words)
    return first, second


def trick(winner: int, *pledges: str) -> Trick:
    """Return a `Trick` event; ``1 sea4`` is a pledge of seat 1."""
    said = (pledge.split() for pledge in pledges)
    return Trick(winner, tuple(PledgeInTrick(int(seat), card(word)) for seat, word in said))


def whole(tricks: str, trees: str, last: int | None = None) -> Round:
    """Return a `Round` event; tricks and trees by seat are written ``3 2 5 0``."""
    won, pledged = (tuple(int(count) for count in counts.split()) for counts in (tricks, trees))
    return Round(won, pledged, UNSET if last is None else last)


@dataclass(frozen=True)
class Table(GameTable[State]):
    """A game of Eternity; each method enters an event and returns the table after it."""

    game = ETERNITY

    def deals(self, board: str, shown: str = "") -> Table:
        """Enter the first cards of the columns."""
        return self.enters(Deal(pair(board), cards(shown)))

    def turns_up(self, words: str) -> Table:
        return self.enters(Reveal(pair(words)))

    def lays(self, words: str) -> Table:
        """Lay cards, each by the seat whose turn it is."""
        table = self
        for word in words.split():
            kind = Pledge if word.startswith("+") else Play
            table = table.enters(kind(table.turn, card(word.removeprefix("+"))))
        return table

    def trick(self, winner: int, *pledges: str) -> Table:
        return self.enters(trick(winner, *pledges))

    def tricks(self, *winners: int) -> Table:
        """Enter whole tricks without pledges."""
        table = self
        for winner in winners:
            table = table.trick(winner)
        return table

    def round(self, tricks: str, trees: str, last: int | None = None) -> Table:
        return self.enters(whole(tricks, trees, last))

    @property
    def trump(self) -> str | None:
        return self.state.trump.name if self.state.trump else None


def table(seats: int = 4, **rules: Any) -> Table:
    return Table(start(seats, replace(Rules(), **rules)))


def dealt(seats: int = 4, board: str = "sea1 sea2", leader: int = 0, **rules: Any) -> Table:
    """Return a game before its first trick; by default sea is trump."""
    opened = table(seats, **rules).starts(leader)
    return opened.turns_up(board) if seats == 2 else opened.deals(board)


def tiles(words: str) -> tuple[SuitName, SuitName, SuitName]:
    """Return the tiles written ``sky sea earth``, from left to right."""
    return msgspec.convert(words.split(), tuple[SuitName, SuitName, SuitName])


def lays(words: str, aside: bool = False) -> tuple[Answer, ...]:
    return tuple(LayCard(found, aside) for found in cards(words))


def unseen(prompt: Prompt, aside: bool = False) -> set[str]:
    return {answer.card.name for answer in prompt.answers if isinstance(answer, LayCard) and answer.alternate == aside}
