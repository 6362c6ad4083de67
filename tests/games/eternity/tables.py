"""A table of Eternity for tests: cards are written ``sea4``, pledges ``+sky9``, and seats numbers."""

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
from companion.games.eternity.cards import DECK, SuitName
from companion.games.eternity.events import Deal, Play, Pledge, Pledged, Reveal, Round, Trick
from companion.games.eternity.options import Rules
from companion.games.eternity.state import State, start
from companion.games.kit.options import Ending
from tests.games.table import GameTable

TARGET = Ending(target=20)


def card(word: str) -> Card:
    """Return a card, ``sea4``."""
    found = re.fullmatch(r"([a-z]+)(\d+)", word)
    assert found, word
    return DECK.by_name[f"{found[1]}-{found[2]}"]


def cards(words: str) -> tuple[Card, ...]:
    """Return cards, ``sea4 sky9``."""
    return tuple(card(word) for word in words.split())


def pair(words: str) -> tuple[Card, Card]:
    """Return two cards."""
    first, second = cards(words)
    return first, second


def trick(winner: int, *pledges: str) -> Trick:
    """Return a whole trick; its pledges ``1 sea4``."""
    said = (pledge.split() for pledge in pledges)
    return Trick(winner, tuple(Pledged(int(seat), card(word)) for seat, word in said))


def whole(tricks: str, trees: str, last: int | None = None) -> Round:
    """Return a whole round, tricks and trees by seat, ``3 2 5 0``."""
    won, pledged = (tuple(int(count) for count in counts.split()) for counts in (tricks, trees))
    return Round(won, pledged, UNSET if last is None else last)


@dataclass(frozen=True)
class Table(GameTable[State]):
    """A game of Eternity at one moment; every entry gives the table after it."""

    game = ETERNITY

    def deals(self, board: str, shown: str = "") -> Table:
        """Enter the cards that begin the columns."""
        return self.enters(Deal(pair(board), cards(shown)))

    def turns_up(self, words: str) -> Table:
        """Turn a neutral pair up."""
        return self.enters(Reveal(pair(words)))

    def lays(self, words: str) -> Table:
        """Lay cards, each by the seat whose turn it is."""
        table = self
        for word in words.split():
            kind = Pledge if word.startswith("+") else Play
            table = table.enters(kind(table.turn, card(word.removeprefix("+"))))
        return table

    def trick(self, winner: int, *pledges: str) -> Table:
        """Enter a whole trick."""
        return self.enters(trick(winner, *pledges))

    def tricks(self, *winners: int) -> Table:
        """Enter whole tricks without a pledge."""
        table = self
        for winner in winners:
            table = table.trick(winner)
        return table

    def round(self, tricks: str, trees: str, last: int | None = None) -> Table:
        """Enter a whole round."""
        return self.enters(whole(tricks, trees, last))

    @property
    def trump(self) -> str | None:
        """Return the trump's name."""
        return self.state.trump.name if self.state.trump else None


def table(seats: int = 4, **rules: Any) -> Table:
    """Open a game."""
    return Table(start(seats, replace(Rules(), **rules)))


def dealt(seats: int = 4, board: str = "sea1 sea2", leader: int = 0, **rules: Any) -> Table:
    """Open a game where the first trick is about to begin; without more words sea is trump."""
    opened = table(seats, **rules).starts(leader)
    return opened.turns_up(board) if seats == 2 else opened.deals(board)


def tiles(words: str) -> tuple[SuitName, SuitName, SuitName]:
    """Return tiles from left to right, ``sky sea earth``."""
    return msgspec.convert(words.split(), tuple[SuitName, SuitName, SuitName])


def lays(words: str, aside: bool = False) -> tuple[Answer, ...]:
    """Return cards as answers."""
    return tuple(LayCard(found, aside) for found in cards(words))


def unseen(prompt: Prompt, aside: bool = False) -> set[str]:
    """Return the cards that are offered."""
    return {answer.card.name for answer in prompt.answers if isinstance(answer, LayCard) and answer.alternate == aside}
