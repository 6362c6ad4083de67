"""Events of East Rune: reveal, claim, play, stop, pass, and the result of a whole game."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType, field

from companion.core.cards import Card
from companion.core.game import Event


class Reveal(Event, frozen=True, tag="reveal"):
    """Event: the chair of a round (with 2 players the monarch) is turned up."""

    card: Card


class Claim(Event, frozen=True, tag="claim"):
    """Event: who claims the chair with a monarch, and which; or that nobody does."""

    player: int | None
    card: Card | UnsetType = UNSET


class Play(Event, frozen=True, tag="play"):
    """Event: a character card is played to the field, from the hand or from the player's columns."""

    player: int
    card: Card
    source: Literal["hand", "front"] = field(name="from")


class EndTurn(Event, frozen=True, tag="stop"):
    """Event: the player ends the turn though another card could have been chained."""

    player: int


class Pass(Event, frozen=True, tag="pass"):
    """Event: the player is out for the round, or declines the extra turn."""

    player: int


class Result(Event, frozen=True, tag="result"):
    """Event: the end of the game; figures by seat, optionally who captured the last chair.

    With 2 players, ``last_chair`` is who captured the last monarch.
    """

    chairs: tuple[int, ...]
    monarchs: tuple[int, ...]
    hand: tuple[int, ...]
    last_chair: int | UnsetType | None = UNSET


EVENTS = (Reveal, Claim, Play, EndTurn, Pass, Result)
