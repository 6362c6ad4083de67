"""Unfinished entries and set-ups as data that are saved, so that they are there after a restart.

Answers, people and rules stand there by their names.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.correction import Correction, CorrectionKind
from companion.core.prompt import DetailLevel
from companion.gamelog import encode_line


class CorrectionDraft(Struct, frozen=True, omit_defaults=True):
    """A correction under way."""

    edit: CorrectionKind
    number: int  # the number of the entry it began with
    # what was given since, for each entry asked for: its line, or None to leave it out
    given: tuple[str | None, ...] = ()

    @classmethod
    def of(cls, correction: Correction) -> CorrectionDraft:
        given = (None if event is None else encode_line(event) for event in correction.given)
        return cls(correction.edit, correction.first, tuple(given))


class EntryDraft(Struct, frozen=True, omit_defaults=True, tag="entry"):
    """The unfinished entry of a game."""

    # the name of each answer given, with the keys typed for it; no keys if it was chosen
    given: tuple[tuple[str, str], ...] = ()
    typed: str = ""  # the keys of the unfinished answer
    correction: CorrectionDraft | None = None
    tracking: DetailLevel | None = None
    compares: bool = False  # whether a round's figures are compared with the table
    page: str = ""  # what of the correction is asked: "" for an entry, "conflict", or "review"
    top: int = 0  # the sentence at the top of the review
    # what was given of the table's entry meanwhile; last, without a name, keys typed for the next answer
    aside: tuple[tuple[str, str], ...] = ()
    phones: dict[str, Any] = {}  # what phones have half entered, by their numbers

    @property
    def answered(self) -> EntryDraft:
        return replace(self, typed="", top=0)


class DraftError(ValueError):
    """A draft does not fit the game, or an earlier version wrote it."""


NOTHING = EntryDraft()
"""The draft when nothing is entered."""

ScreenDraft = Struct
"""The unfinished entry of a game, or a set-up, which is its own draft."""
