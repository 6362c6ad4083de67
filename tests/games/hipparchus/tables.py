"""Hipparchus test helpers: games and events from short strings (``moon3`` a play, ``3 0 5`` a pile by suit)."""

from __future__ import annotations

import re
from dataclasses import dataclass

import msgspec
from msgspec import UNSET

from companion.core.game import LogHeader, Start
from companion.core.prompt import ChooseItem, Prompt
from companion.games.hipparchus import HIPPARCHUS
from companion.games.hipparchus.asks import pick
from companion.games.hipparchus.rules import (
    PLACE,
    CannotPlay,
    EndRound,
    Play,
    Round,
    RoundPile,
    Rules,
    State,
    SuitName,
    Trick,
    TrickCards,
    start,
)
from tests.games.reports import NAMES
from tests.games.table import GameTable

NEARLY = ((1, "sun3 moon3"), (0, "sun3 moon3"), (1, "sun3 moon3"), (1, "earth3 moon1"), (0, "earth3 sun1"))
"""Whole tricks and their winners, led by seat 0: all sun and moon, six earth, 26 cards."""
LEFT_2_5 = "sun3 earth2 earth3 moon3 moon3 sun1 moon3 sun3"
"""Plays that leave 2 and 5 cards; seat 0 leads, and has captured 3, 6, 3 of the suits, seat 1 4, 3, 2."""


def header() -> LogHeader:
    text = '{"format":1,"game":"hipparchus","players":["Aki","Bea"]}'
    return LogHeader(HIPPARCHUS, NAMES[:2], Rules(), start(2, Rules()), text)


def cards(word: str) -> tuple[SuitName, int]:
    """Return suit and number of cards of ``moon3``."""
    found = re.fullmatch(r"([a-z]+)(-?\d+)", word)
    assert found, word
    suit: SuitName = msgspec.convert(found[1], SuitName)
    return suit, int(found[2])


def play(player: int, word: str) -> Play:
    return Play(player, *cards(word))


def trick(winner: int, words: str) -> Trick:
    """Return a `Trick` event; its cards are written ``moon3 sun1``."""
    return Trick(winner, TrickCards(**dict(cards(word) for word in words.split())))


def pile(figures: str) -> RoundPile:
    return RoundPile(*map(int, figures.split()))


def whole(ours: str, theirs: str, second: int | None = None) -> Round:
    return Round((pile(ours), pile(theirs)), UNSET if second is None else second)


@dataclass(frozen=True)
class Table(GameTable[State]):
    """A game of Hipparchus; each method enters an event and returns the table after it."""

    game = HIPPARCHUS

    def lays(self, words: str) -> Table:
        """Enter plays, each by the seat to act."""
        table = self
        for word in words.split():
            table = table.enters(play(table.turn, word))
        return table

    def trick(self, winner: int, words: str) -> Table:
        return self.enters(trick(winner, words))

    def stuck(self) -> Table:
        """Enter that the second player is stuck."""
        assert self.state.leader is not None
        return self.enters(CannotPlay(1 - self.state.leader))

    def ends(self) -> Table:
        """Enter that the round is over."""
        return self.enters(EndRound())

    def round(self, ours: str, theirs: str, second: int | None = None) -> Table:
        return self.enters(whole(ours, theirs, second))


def table() -> Table:
    return Table(start(2, Rules()))


def led(leader: int = 0) -> Table:
    return table().enters(Start(leader))


# Questions and answers


def picks(words: str) -> tuple[ChooseItem, ...]:
    """Return plays as answers, ``moon3 sun1``."""
    return tuple(pick(PLACE[suit], count) for suit, count in map(cards, words.split()))


def offered(prompt: Prompt) -> str:
    """Return the digits of the plays a prompt offers."""
    return "".join(str(answer.value) for answer in prompt.answers if isinstance(answer, ChooseItem))
