"""The events of an evening, and how each is written: as one line of JSON."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from companion.core.game import Best

from .evening_state import Entrant, EveningError, Number, Points, Size


class EveningEvent(Struct, frozen=True, tag_field="event", forbid_unknown_fields=True, omit_defaults=True):
    """The base of all events."""


class EveningBegun(EveningEvent, frozen=True, tag="evening"):
    """The first event of each evening, and only the first."""

    format: Literal[1]
    name: str
    wanted: Size
    smallest: Size
    largest: Size
    best: Best
    seed: int


class EntrantsAdded(EveningEvent, frozen=True, tag="players"):
    """Players are registered, before the first round or later."""

    players: tuple[Entrant, ...]


class EntrantCame(EveningEvent, frozen=True, tag="late"):
    """A player who was awaited or had gone plays from the next round on."""

    player: Number


class EntrantLeft(EveningEvent, frozen=True, tag="drop"):
    """A player leaves: the table, if its result is awaited, and all later rounds."""

    player: Number


class RoundDrawn(EveningEvent, frozen=True, tag="round"):
    """A round begins: the players of table 1, table 2, … by seat, and who has the bye."""

    tables: tuple[tuple[Number, ...], ...]
    byes: tuple[Number, ...] = ()


class TablesMerged(EveningEvent, frozen=True, tag="merge"):
    """The players of a table sit down at another one, in the last round."""

    table: Number
    into: Number


class TableResult(EveningEvent, frozen=True, tag="result"):
    """A table has played; or its result, in any round, is corrected."""

    round: Number
    table: Number
    points: tuple[Points, ...]  # by seat
    ranks: tuple[Number, ...] = ()  # by seat, where they do not follow from the points
    corrects: bool = False


class EventTakenBack(EveningEvent, frozen=True, tag="undo"):
    """The last event that stands is taken back."""


Event = (
    EveningBegun | EntrantsAdded | EntrantCame | EntrantLeft | RoundDrawn | TablesMerged | TableResult | EventTakenBack
)

LONGEST_LINE = 1024 * 1024  # bytes

_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def encode(event: Event) -> bytes:
    r"""Return an event as a line.

    >>> encode(TablesMerged(3, into=2))
    b'{"event":"merge","table":3,"into":2}\n'
    """
    return msgspec.json.encode(event) + b"\n"


def decode(line: bytes) -> Event:
    """Return the event of a line; raise EveningError if it is none."""
    if len(line) > LONGEST_LINE:
        raise EveningError(f"the line is longer than {LONGEST_LINE >> 20} MB")
    try:
        return _decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise EveningError(f"this is no event of an evening: {error}") from None
