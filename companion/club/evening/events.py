"""The events of an evening, and how each is written: as one line of JSON."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from companion.core.game import Best

from .evening_state import Entrant, EveningError, Number, Points, Size, Team


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
    game: str = ""
    deals: Annotated[int, Meta(ge=0, le=999)] = 0


class EntrantsAdded(EveningEvent, frozen=True, tag="players"):
    """Players are registered, before the first round or later."""

    players: tuple[Entrant, ...]


class EntrantCame(EveningEvent, frozen=True, tag="late"):
    """A player who was awaited or had gone plays from the next round on."""

    player: Number


class EntrantLeft(EveningEvent, frozen=True, tag="drop"):
    """A player leaves: the table, if its result is awaited, and all later rounds."""

    player: Number


class EntrantRenamed(EveningEvent, frozen=True, tag="rename"):
    """A player has another name, or another spelling of it."""

    player: Number
    name: str


class TeamMade(EveningEvent, frozen=True, tag="team"):
    """Players sit together from the next round on; team 0 lets each go alone."""

    team: Team
    players: tuple[Number, ...]


class PlayersApart(EveningEvent, frozen=True, tag="apart"):
    """No draw seats two players at one table; or one may again."""

    one: Number
    other: Number
    apart: bool = True


class PenaltyGiven(EveningEvent, frozen=True, tag="penalty"):
    """Hundredths of a rank share are taken from a player, or given where they are negative."""

    player: Number
    hundredths: Annotated[int, Meta(ge=-1000, le=1000)]


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


class TableVoid(EveningEvent, frozen=True, tag="void"):
    """The table of a round counts for none of its players: each has a half, as with the bye."""

    round: Number
    table: Number


class EventTakenBack(EveningEvent, frozen=True, tag="undo"):
    """The last event that stands is taken back."""


Event = (
    EveningBegun
    | EntrantsAdded
    | EntrantCame
    | EntrantLeft
    | EntrantRenamed
    | TeamMade
    | PlayersApart
    | PenaltyGiven
    | RoundDrawn
    | TablesMerged
    | TableResult
    | TableVoid
    | EventTakenBack
)

LONGEST_LINE = 1024 * 1024  # bytes

_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def encode(event: Event) -> bytes:
    """Return an event as a line.

    >>> encode(TablesMerged(3, into=2))
    b'{"event":"merge","table":3,"into":2}'
    """
    return msgspec.json.encode(event)


def decode(line: bytes) -> Event:
    """Return the event of a line; raise EveningError if it is none."""
    if len(line) > LONGEST_LINE:
        raise EveningError(f"the line is longer than {LONGEST_LINE >> 20} MB")
    try:
        return _decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise EveningError(f"this is no event of an evening: {error}") from None
