"""East Rune test helpers: games, events and answers from short strings.

``noon3`` is a vassal (domain and attribute key), ``noon36`` a monarch (and virtue key), ``blank`` the blank character,
``light`` or ``blank`` a chair. In a string of turns, ``+noon3`` is laid from the front, ``-`` is a pass and ``.`` a
stop.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from companion.core.cards import Card
from companion.core.game import LogHeader
from companion.core.prompt import LayCard, Prompt
from companion.games.east_rune import EAST_RUNE
from companion.games.east_rune.rules import (
    ATTRIBUTES,
    BLANK,
    BLANK_CHAIR,
    DECK,
    VIRTUES,
    Claim,
    EndTurn,
    Pass,
    Play,
    Result,
    Reveal,
    Rules,
    State,
    start,
)
from tests.games.reports import NAMES
from tests.games.table import GameTable

ICONS = {str(icon.key): icon.name for icon in (*ATTRIBUTES, *VIRTUES)}


def header(seats: int = 3, **rules: Any) -> LogHeader:
    chosen = replace(Rules(), **rules)
    return LogHeader(EAST_RUNE, NAMES[:seats], chosen, start(seats, chosen), "")


def card(word: str) -> Card:
    """Return the character written ``noon3``, ``noon36`` or ``blank``."""
    if word == "blank":
        return BLANK
    found = re.fullmatch(r"([a-z]+)(\d+)", word)
    assert found, word
    return DECK.by_name["-".join((found[1], *(ICONS[key] for key in found[2])))]


def chair(word: str) -> Card:
    """Return the chair written ``light`` or ``blank``."""
    return BLANK_CHAIR if word == "blank" else DECK.by_name[word]


def cards(words: str) -> tuple[Card, ...]:
    return tuple(map(card, words.split()))


def result(chairs: str, monarchs: str, hand: str, last: int | str | None = "unsaid") -> Result:
    """Return a `Result` event from figures by seat; ``last`` is a seat, None for nobody, or ``unsaid``."""
    taken, crowned, held = (tuple(map(int, counts.split())) for counts in (chairs, monarchs, hand))
    return Result(taken, crowned, held, UNSET if isinstance(last, str) else last)


def play(player: int, word: str) -> Play:
    """Return the `Play` event written ``noon3`` or ``+noon3``."""
    return Play(player, card(word.removeprefix("+")), "front" if word.startswith("+") else "hand")


@dataclass(frozen=True)
class Table(GameTable[State]):
    """A game of East Rune; each method enters an event and returns the table after it."""

    game = EAST_RUNE

    def turns_up(self, word: str) -> Table:
        """Turn up a chair; with 2 players, a monarch."""
        return self.enters(Reveal(card(word) if self.state.seats == 2 else chair(word)))

    def claims(self, player: int, word: str) -> Table:
        """Lay a card on the chair."""
        return self.enters(Claim(player, card(word)))

    def unclaimed(self) -> Table:
        """Nobody lays a card on the chair."""
        return self.enters(Claim(None))

    def goes(self, words: str) -> Table:
        """Enter several plays, passes and stops, each by the seat to act."""
        table = self
        for word in words.split():
            if word == "-":
                table = table.enters(Pass(table.turn))
            elif word == ".":
                table = table.enters(EndTurn(table.turn))
            else:
                table = table.enters(play(table.turn, word))
        return table

    @property
    def needs(self) -> str | None:
        return self.state.needs.name if self.state.needs else None

    def front(self, seat: int) -> list[str]:
        """Return the columns in front of a seat, each from bottom to top."""
        return [" ".join(short(each) for each in column) for column in self.state.front[seat]]


def short(found: Card) -> str:
    """Return a character in the notation of this module."""
    return "blank" if found is BLANK else f"{found.suit.name}{found.keys[0]}"


def table(seats: int = 3, **rules: Any) -> Table:
    return Table(start(seats, replace(Rules(), **rules)))


def claimed(seats: int = 3, monarch: str = "noon36", by: int = 0, **rules: Any) -> Table:
    """Return a game in which seat 0 turned up a chair of light and it was claimed."""
    return table(seats, **rules).starts(0).turns_up("light").claims(by, monarch)


def unclaimed(seats: int = 3, **rules: Any) -> Table:
    """Return a game in which seat 0 turned up a chair of light and nobody claimed it."""
    return table(seats, **rules).starts(0).turns_up("light").unclaimed()


def pair(monarch: str = "noon36", **rules: Any) -> Table:
    """Return a game for two in which seat 0 has turned up a monarch."""
    return table(2, **rules).starts(0).turns_up(monarch)


def lay(word: str, aside: bool = False) -> LayCard:
    return LayCard(card(word), aside)


def offered(prompt: Prompt, aside: bool = False) -> list[str]:
    return [answer.card.name for answer in prompt.answers if isinstance(answer, LayCard) and answer.alternate == aside]
