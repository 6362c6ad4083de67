"""Drafts: an unfinished entry or set-up, as values. No restart, other board or import changes their meaning.

Answers, people and rules stand there by their names.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.correction import Correction, CorrectionKind
from companion.core.prompt import DetailLevel
from companion.gamelog import encode_line

from .name_typing import TypedName


class CorrectionDraft(Struct, frozen=True, omit_defaults=True):
    """A correction under way.

    Attributes:
        number: The number of the entry it began with.
        given: What was given since, for each entry asked for: its line, or None to leave it out.
    """

    edit: CorrectionKind
    number: int
    given: tuple[str | None, ...] = ()

    @classmethod
    def of(cls, correction: Correction) -> CorrectionDraft:
        given = (None if event is None else encode_line(event) for event in correction.given)
        return cls(correction.edit, correction.first, tuple(given))


class EntryDraft(Struct, frozen=True, omit_defaults=True, tag="entry"):
    """The unfinished entry of a game.

    Attributes:
        given: The name of each answer given, with the keys typed for it; no keys if it was chosen.
        typed: The keys of the unfinished answer.
        compares: Whether a round's figures are compared with the table.
        page: What of the correction is asked: "" for an entry, "conflict", or "review".
        top: The sentence at the top of the review.
    """

    given: tuple[tuple[str, str], ...] = ()
    typed: str = ""
    correction: CorrectionDraft | None = None
    tracking: DetailLevel | None = None
    compares: bool = False
    page: str = ""
    top: int = 0

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
    """The value of a rule.

    Attributes:
        value: The value, as in a log's header.
        agreed: Whether the players chose it.
    """

    value: Any
    agreed: bool = True


class RulesDraft(Struct, frozen=True, omit_defaults=True):
    """The rules, and the seats that stepping back leads to."""

    seats: SeatsDraft
    rules: dict[str, RuleDraft]
    tracking: DetailLevel
    row: int = 0
    back: SeatsDraft | None = None


class SetUpDraft(Struct, frozen=True, omit_defaults=True, tag="set-up"):
    """A set-up.

    Attributes:
        game: The game's name; empty while it is chosen.
        row: The highlighted game.
        seats: The players, while they are chosen.
        rules: The rules, while they are chosen.
        rule: The name of the rule whose number is typed; empty if none is.
        typed: The digits of that number.
    """

    game: str = ""
    row: int = 0
    seats: SeatsDraft | None = None
    name: TypedName | None = None
    rules: RulesDraft | None = None
    rule: str = ""
    typed: str = ""

    @property
    def answered(self) -> SetUpDraft:
        """Return the draft without the letters or digits of the unfinished answer."""
        return replace(self, name=self.name and TypedName(), typed="")


NOTHING = EntryDraft()
"""The draft when nothing is entered."""

ScreenDraft = EntryDraft | SetUpDraft
