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
from companion.ui.screens.names import TypedName


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


class SeatsDraft(Struct, frozen=True, omit_defaults=True):
    """The players by seat, and the rules that were left by stepping back."""

    names: tuple[str, ...] = ()
    row: int = 0
    page: int = 0
    left: RulesDraft | None = None


class RuleDraft(Struct, frozen=True, omit_defaults=True):
    """The value of a rule."""

    value: Any  # the value, as in a log's header
    agreed: bool = True  # whether the players chose it


class RulesDraft(Struct, frozen=True, omit_defaults=True):
    """The rules chosen so far at set-up, and the seats, which the way back shows."""

    seats: SeatsDraft
    rules: dict[str, RuleDraft]
    tracking: DetailLevel
    row: int = 0
    back: SeatsDraft | None = None
    again: bool = False  # whether the way back leads home: an earlier game is played again


class SetUpDraft(Struct, frozen=True, omit_defaults=True, tag="set-up"):
    """A set-up."""

    game: str = ""  # the game's name; empty while it is chosen
    row: int = 0  # the highlighted game
    seats: SeatsDraft | None = None  # the players, while they are chosen
    name: TypedName | None = None
    rules: RulesDraft | None = None  # the rules, while they are chosen
    rule: str = ""  # the name of the rule whose number is typed; empty if none is
    place: int | None = None  # which of its values is typed; None in older drafts
    typed: str = ""  # the digits of that number
    phones: dict[str, Any] = {}  # what phones have half entered, by their numbers

    @property
    def answered(self) -> SetUpDraft:
        """Return the draft without the letters or digits of the unfinished answer."""
        return replace(self, name=self.name and TypedName(), typed="")


NOTHING = EntryDraft()
"""The draft when nothing is entered."""

ScreenDraft = EntryDraft | SetUpDraft
