"""An evening: its state, who takes part, who sat where with which points; and its events, each a line of JSON."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import chain
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from companion.core.game import Best
from companion.core.text import N_, SentenceError, Text
from companion.decoding import JsonDecoder, json_decoder
from companion.gamelog.player_names import name_key

Number = Annotated[int, Meta(ge=1, le=9999)]  # of a player, a table or a round
Size = Annotated[int, Meta(ge=2, le=5)]  # of a table
Team = Annotated[int, Meta(ge=0, le=9999)]
Points = Annotated[int, Meta(ge=-(10**9), le=10**9)]


class EveningError(SentenceError):
    """Something cannot be at an evening; the message is a sentence for people, in any language."""

    def __init__(self, template: str | Text, **args: object) -> None:
        self.text = template if isinstance(template, Text) else Text(template, **args)
        super().__init__(str(self.text))


NO_ROUND = N_("No round is drawn yet.")
NO_PLAYER = N_("There is no player “{name}”.")


class Presence(Enum):
    """The presence of a player: only those who are present play the next round."""

    PRESENT = "present"
    LATE = "late"  # registered, and awaited
    GONE = "gone"


class Entrant(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A registered player."""

    number: Number
    name: str
    presence: Presence = Presence.PRESENT
    team: Team = 0  # players of one team sit together; 0 for nobody's


class SeatedTable(Struct, frozen=True):
    """The players of one table in one round, and its result."""

    number: int
    players: tuple[int, ...]  # the players' numbers by seat; the first deals first
    points: tuple[int, ...] = ()  # by seat; empty before the result
    ranks: tuple[int, ...] = ()  # by seat, where they do not follow from the points; else empty
    void: bool = False  # whether the table counts as a bye for all its players

    @property
    def plays(self) -> bool:
        """Return whether a result is awaited. Somebody who is left alone at a table has the bye."""
        return len(self.players) > 1 and not self.points and not self.void


class SeatedRound(Struct, frozen=True):
    """One round: its tables, and who does not play."""

    tables: tuple[SeatedTable, ...]
    byes: tuple[int, ...]  # the players who were drawn for the bye
    drawn: int = 0  # how many tables there were, those included that were merged or left since

    @property
    def free(self) -> tuple[int, ...]:
        """Return the players with the bye: drawn, or left alone at a table."""
        return *self.byes, *(table.players[0] for table in self.tables if len(table.players) == 1)

    @property
    def halves(self) -> tuple[int, ...]:
        """Return the players who have a half for this round: those with the bye, and those of tables that are void."""
        void = (table.players for table in self.tables if table.void and len(table.players) > 1)
        return *self.free, *(player for players in void for player in players)

    @property
    def open_tables(self) -> tuple[int, ...]:
        """Return the numbers of the tables whose result is awaited."""
        return tuple(table.number for table in self.tables if table.plays)

    def table(self, number: int) -> SeatedTable:
        """Return a table by its number; raise EveningError if there is none."""
        for table in self.tables:
            if table.number == number:
                return table
        raise EveningError(N_("There is no table {number} in this round."), number=number)


class Sizes(Struct, frozen=True):
    """The sizes of tables: the wanted number of players, and the limits."""

    wanted: int
    smallest: int
    largest: int


class ClubEvening(Struct, frozen=True):
    """An evening after some of its events."""

    name: str
    sizes: Sizes
    best: Best  # whether the most or the fewest points win
    seed: int  # makes the draws; the same seed makes the same draws
    game: str = ""  # what is played, in words; empty if that is not said
    deals: int = 0  # how many deals a table plays in a round; 0 if that is not said
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[SeatedRound, ...] = ()
    apart: frozenset[frozenset[int]] = frozenset()  # pairs of players that no draw seats at one table
    penalties: tuple[tuple[int, int], ...] = ()  # a player's number and hundredths of a rank share, taken away

    @property
    def present(self) -> tuple[int, ...]:
        """Return the numbers of the players whom the next round seats."""
        return tuple(entrant.number for entrant in self.entrants if entrant.presence is Presence.PRESENT)

    @property
    def teams(self) -> dict[int, int]:
        """Return the teams of the players who have one, by the players' numbers."""
        return {entrant.number: entrant.team for entrant in self.entrants if entrant.team}

    @property
    def names(self) -> dict[int, str]:
        """Return the players' names by number."""
        return {entrant.number: entrant.name for entrant in self.entrants}

    @property
    def seated(self) -> frozenset[int]:
        """Return the numbers of the players who sat at a table or had the bye."""
        tables = (table.players for each in self.rounds for table in each.tables)
        return frozenset(chain.from_iterable((*tables, *(each.byes for each in self.rounds))))

    def entrant(self, number: int) -> Entrant:
        """Return a player by number; raise EveningError if there is none."""
        for entrant in self.entrants:
            if entrant.number == number:
                return entrant
        raise EveningError(NO_PLAYER, name=number)

    def find(self, written: str) -> Entrant | None:
        """Return the player whose name or number this is; None if there is none.

        A name goes before a number, unless that is written "#7".
        """
        for entrant in self.entrants:
            if name_key(entrant.name) == name_key(written):
                return entrant
        number = written.removeprefix("#")
        return next((entrant for entrant in self.entrants if str(entrant.number) == number), None)

    def round(self, number: int) -> SeatedRound:
        """Return a round by its number, from 1; raise EveningError if there is none."""
        if not self.rounds:
            raise EveningError(NO_ROUND)
        if not 1 <= number <= len(self.rounds):
            raise EveningError(
                N_("There is no round {number}; rounds drawn: {last}."), number=number, last=len(self.rounds)
            )
        return self.rounds[number - 1]

    def finished_tables(self) -> Iterator[SeatedTable]:
        """Yield the tables of all rounds that have a result."""
        return (table for each in self.rounds for table in each.tables if table.points)


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


class EveningSettled(EveningEvent, frozen=True, tag="settings"):
    """Replaces name, sizes, game and winning rule of the evening; the sizes count from the next draw on.

    Its fields are those of `EveningBegun`, which cannot inherit them: lines that exist have another order.
    """

    name: str
    wanted: Size
    smallest: Size
    largest: Size
    best: Best
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


class EntrantRemoved(EveningEvent, frozen=True, tag="remove"):
    """A player who was registered by mistake, and never sat, is not on the list any more."""

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
    | EveningSettled
    | EntrantsAdded
    | EntrantCame
    | EntrantLeft
    | EntrantRemoved
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

_decoder: JsonDecoder[Event] = json_decoder(Event)


def encode(event: Event) -> bytes:
    """Return an event as a line.

    >>> encode(TablesMerged(3, into=2))
    b'{"event":"merge","table":3,"into":2}'
    """
    return msgspec.json.encode(event)


def decode(line: bytes) -> Event:
    """Return the event of a line; raise EveningError if it is none."""
    if len(line) > LONGEST_LINE:
        raise EveningError(f"the line is longer than {LONGEST_LINE >> 20} MB")  # of a file, never of a form
    try:
        return _decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise EveningError("this is no event of an evening: {error}", error=str(error)) from None
