"""East Rune's events: what is turned up, claimed, laid and passed, and the result of a game."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType, field

from companion.core.cards import Card
from companion.core.events import Event


class Reveal(Event, frozen=True, tag="reveal"):
    """A chair is turned up; with 2 players a monarch."""

    card: Card


class Claim(Event, frozen=True, tag="claim"):
    """Who lays a monarch on the chair, and which; or nobody."""

    player: int | None
    card: Card | UnsetType = UNSET


class Play(Event, frozen=True, tag="play"):
    """A character onto the field, from the hand or from the columns in front of the player."""

    player: int
    card: Card
    source: Literal["hand", "front"] = field(name="from")


class Stop(Event, frozen=True, tag="stop"):
    """A turn ends that could have been chained on."""

    player: int


class Pass(Event, frozen=True, tag="pass"):
    """Out for the round; in the extra turn: declined."""

    player: int


class Result(Event, frozen=True, tag="result"):
    """The end of the whole game: figures by seat, and who captured the last chair if that was said."""

    chairs: tuple[int, ...]
    monarchs: tuple[int, ...]
    hand: tuple[int, ...]
    last_chair: int | UnsetType | None = UNSET


EVENTS = (Reveal, Claim, Play, Stop, Pass, Result)
