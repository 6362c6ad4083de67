"""The place and the notes of games, as people write them down; they are not in the logs.

The journal keeps both by the id that the game has as a play in other programs: they stay with the game when a backup
or an import gives it another number, and come along with plays of other programs.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from msgspec import MsgspecError, Struct, convert, to_builtins

from companion.journal import Journal, JournalError

from .play_ids import play_id
from .results import GameResult

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


def read_remarks(journal: Journal) -> Remarks:
    """Return the remarks of a journal; those that cannot be read are left out."""
    kept: Mapping[str, Any] = {}
    imported: Mapping[str, Any] = {}
    with suppress(JournalError):
        kept = journal.remarks()
    with suppress(JournalError):
        imported = journal.imported()
    return Remarks(kept, imported)


def stored_remark(remark: Remark) -> Any:
    """Return a remark as plain data, as the journal keeps it."""
    return to_builtins(remark)


def _read(value: Any) -> Remark:
    """Return a remark as the journal keeps it, alone or with an imported play; an empty one if its form is unknown."""
    with suppress(MsgspecError):
        return convert(value, Remark)
    return NOTHING


def _printable(line: str) -> str:
    shown = "".join(" " if unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") else letter for letter in line)
    return " ".join(shown.split())
