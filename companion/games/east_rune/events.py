"""Events of East Rune: reveal, claim, play, stop, pass, and the result of a whole game."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType, field

from companion.core.cards import Card
from companion.core.events import Event


class Reveal(Event, frozen=True, tag="reveal"):
    """Event: a chair is turned up; with 2 players, a monarch."""

    card: Card


class Claim(Event, frozen=True, tag="claim"):
    """Event: a player lays a card on the chair, or the chair stays unclaimed."""

    player: int | None
    card: Card | UnsetType = UNSET


class Play(Event, frozen=True, tag="play"):
    """Event: a player lays a character on the field, from the hand or from the columns in front."""

    player: int
    card: Card
    source: Literal["hand", "front"] = field(name="from")


class EndTurn(Event, frozen=True, tag="stop"):
    """Event: a player ends a turn that could have gone on."""

    player: int


class Pass(Event, frozen=True, tag="pass"):
    """Event: a player passes and is out for the round; in the extra turn, declines it."""

    player: int


class Result(Event, frozen=True, tag="result"):
    """Event: final figures of the whole game by seat and, if known, who captured the last chair.

    With 2 players, ``last_chair`` is who captured the last monarch.
    """

    chairs: tuple[int, ...]
    monarchs: tuple[int, ...]
    hand: tuple[int, ...]
    last_chair: int | UnsetType | None = UNSET


EVENTS = (Reveal, Claim, Play, EndTurn, Pass, Result)
