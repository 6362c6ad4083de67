"""Plays as other programs know them: their ids, plays that were imported, and the place and the notes of games.

The journal keeps imported plays, which no log tells, and remarks by these ids: they stay with a game when a backup or
an import gives it another number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Annotated, Any

from msgspec import Meta, MsgspecError, Struct

from companion.core.game import Best
from companion.decoding import convert
from companion.gamelog import are_names
from companion.journal import Journal, JournalError

from .days import BEYOND
from .results import IMPORTED, GameResult

_NAMESPACE = "6f0f5a0e-0a3c-5d1e-9a55-2a3f6d1c7b10"  # never changes, or every play would be a new one


def play_id(result: GameResult) -> str:
    """Return the id of a play: its own if it was imported; of our logs the same on a box that imported the log."""
    if not result.number:
        return result.name.partition("-")[2]
    return log_id(result.name, result.begun)


def log_id(name: str, begun: float) -> str:
    """Return the id that a game of the journal has as a play, from the name of its log and when it began."""
    return id_of("play", name.partition("-")[2], int(begun))


def id_of(*named: object) -> str:
    """Return the id of a play, a player, a place or a game: upper-case, and always the same."""
    from uuid import UUID, uuid5

    return str(uuid5(UUID(_NAMESPACE), "/".join(map(str, named)))).upper()


# Imported plays


SOURCE_ID = re.compile(r"[0-9A-Za-z-]{1,64}")
"""The form of an id of a play. It becomes a part of a name, and of a page's address."""

MOST_PLAYERS = 100  # the most players of a play
LONGEST_TITLE = 100  # the most letters of a game's title
MOST_POINTS = 10**9  # the most points of a play
MOST_SECONDS = 6_000_000.0  # the longest play: 100,000 minutes


class ImportedGame(Struct, frozen=True, omit_defaults=True):
    """A finished game of another program, such as BG Stats.

    Plays that earlier versions imported have no ``best`` and no ``teams``, their times are UTC, unknown points are 0:
    they count as they are until their file is imported again.
    """

    # the name of one of our games, else the title of the game
    game: Annotated[str, Meta(max_length=LONGEST_TITLE)]
    players: Annotated[tuple[str, ...], Meta(min_length=2, max_length=MOST_PLAYERS)]  # the names, by seat
    # the final points, by seat; None where they are not known
    scores: tuple[Annotated[int, Meta(ge=-MOST_POINTS, le=MOST_POINTS)] | None, ...]
    winners: Annotated[tuple[int, ...], Meta(min_length=1)]  # the winning seats
    places: tuple[Annotated[int, Meta(ge=1)], ...]  # the rank of each seat, from 1
    begun: Annotated[float, Meta(ge=0, lt=BEYOND)] = 0  # in seconds since 1970; 0 if it is not known
    seconds: Annotated[float, Meta(ge=0, le=MOST_SECONDS)] = 0  # how long it was played; 0 if it is not known
    starter: int | None = None  # the seat that began; None if it is not known
    source: str = "BG Stats"  # the name of the program it is from
    best: Best | None = None  # which points are the best; None if its source does not say so
    teams: tuple[int, ...] = ()  # the number of each seat's team, from 0; empty if everybody played alone
    place: str = ""  # where it was played; it and the notes are read by `Remarks`
    notes: str = ""


def is_stored(value: Any, play: ImportedGame) -> bool:
    """Return whether a value of the journal is a play, with all that is known of it today."""
    with suppress(MsgspecError):
        return convert(value, ImportedGame) == play
    return False


def imported_results(
    plays: Mapping[str, Any], logs: Iterable[tuple[str, float]] = ()
) -> tuple[list[GameResult], set[str]]:
    """Return the results of imported plays, as the journal keeps them by the id of the source, and what is left out.

    Left out, by their names, are values in an unknown form, and plays that cannot be counted, as a file that was not
    written by this program may have them. Games whose logs are in the journal are no imported plays: ``logs`` are their
    names, each with when it began. The number of a play is 0: every renaming of people applies to it.

    >>> play = {"game": "gear", "players": ["Ann", "Bo"], "scores": [7, 9], "winners": [1], "places": [2, 1]}
    >>> [result.scores for result in imported_results({"A-1": play})[0]]
    [(7, 9)]
    """
    local = {log_id(name, begun) for name, begun in logs}
    found = {source_id: _result(source_id, value) for source_id, value in plays.items() if source_id not in local}
    left_out = {f"{IMPORTED}{source_id}" for source_id, result in found.items() if result is None}
    return [result for result in found.values() if result is not None], left_out


def _result(source_id: str, value: Any) -> GameResult | None:
    """Return the result of a play; None if it has no id, no names as in our games, or not all figures of each seat."""
    try:
        play = convert(value, ImportedGame)
    except MsgspecError:
        return None
    seats = range(len(play.players))
    named = SOURCE_ID.fullmatch(source_id) is not None and are_names(play.players) and play.game.isprintable()
    of_seats = len(play.scores) == len(play.places) == len(seats) and max(play.places) <= len(seats)
    of_teams = not play.teams or (len(play.teams) == len(seats) and len({*play.teams}) > 1)
    starter = () if play.starter is None else (play.starter,)
    if not (named and of_seats and of_teams and {*play.winners, *starter}.issubset(seats)):
        return None
    return GameResult(
        name=f"{IMPORTED}{source_id}",
        number=0,
        game=play.game,
        players=play.players,
        rules="{}",
        begun=play.begun,
        ended=play.begun + play.seconds if play.begun else 0,
        seconds=play.seconds,
        tracking="",
        starter=play.starter,
        scores=play.scores,
        winners=play.winners,
        rounds=(),
        course=(),
        counts={},
        entries=0,
        places=play.places,
        best=play.best,
        teams=play.teams,
    )


# Places and notes


LONGEST_PLACE, LONGEST_NOTES = 60, 1000  # the most letters
MOST_PLACES = 20  # the most places that are offered again


class Remark(Struct, frozen=True, omit_defaults=True):
    r"""The place and the notes of a game; both may be empty.

    >>> Remark.of("  the  café ", "late\r\nloud ")
    Remark(place='the café', notes='late\nloud')
    """

    place: str = ""
    notes: str = ""

    @classmethod
    def of(cls, place: str, notes: str) -> Remark:
        """Return a remark as it can be kept and shown: without control characters, not too long."""
        lines = (_printable(line) for line in notes.splitlines())
        return cls(_printable(place)[:LONGEST_PLACE].strip(), "\n".join(lines).strip()[:LONGEST_NOTES].strip())


NOTHING = Remark()


class Remarks:
    """The remarks on games: those of this box, and those that came with plays of other programs."""

    def __init__(self, kept: Mapping[str, Any] | None = None, imported: Mapping[str, Any] | None = None) -> None:
        """Use remarks and imported plays, both by the ids of plays, as the journal keeps them."""
        self._kept = kept or {}
        self._imported = imported or {}

    def of(self, result: GameResult) -> Remark:
        """Return the remark on a game; what was written here counts more than what was imported.

        >>> play = GameResult("imported-A-1", 0, "gear", ("Ann", "Bo"), "", 0, 0, 0, "", 0, (5, 9), (1,), (), (), {}, 0)
        >>> Remarks({}, {"A-1": {"place": "Lyon", "players": []}}).of(play)
        Remark(place='Lyon', notes='')
        """
        if not self._kept and not self._imported:
            return NOTHING
        play = play_id(result)
        return _read(self._kept[play] if play in self._kept else self._imported.get(play))

    def places(self) -> list[str]:
        """Return the places that were named, the latest first."""
        named = [_read(value).place for value in (*self._imported.values(), *self._kept.values())]
        return list(dict.fromkeys(filter(None, reversed(named))))[:MOST_PLACES]


NO_REMARKS = Remarks()


def read_remarks(journal: Journal) -> Remarks:
    """Return the remarks of a journal; those that cannot be read are left out."""
    kept: Mapping[str, Any] = {}
    imported: Mapping[str, Any] = {}
    with suppress(JournalError):
        kept = journal.remarks()
    with suppress(JournalError):
        imported = journal.imported()
    return Remarks(kept, imported)


def _read(value: Any) -> Remark:
    """Return a remark as the journal keeps it, alone or with an imported play; an empty one if its form is unknown."""
    with suppress(MsgspecError):
        return convert(value, Remark)
    return NOTHING


def _printable(line: str) -> str:
    shown = "".join(" " if unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") else letter for letter in line)
    return " ".join(shown.split())
