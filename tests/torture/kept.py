"""All that a journal keeps, as a value: to be compared, and to make a journal from that keeps the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.journal import Journal
from companion.journal.memory import MemoryJournal

SETTINGS = ("language", "sounds", "roster")


class Game(NamedTuple):
    """A game that is kept; when it was begun is left out, for clocks differ."""

    header: str
    tracking: str
    over: bool
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """What a journal keeps.

    Attributes:
        games: Every game, the first begun first.
        drafts: What is half entered, by the game's number.
        open_game: The game the box was left in.
        settings: What was chosen on the box.
    """

    games: tuple[Game, ...] = ()
    drafts: tuple[tuple[int, str], ...] = ()
    open_game: int | None = None
    settings: tuple[tuple[str, str], ...] = ()

    def unlike(self, other: Kept) -> str:
        """Say in words where this and another part, for whoever has to find out why."""
        if len(self.games) != len(other.games):
            return f"{len(self.games)} games, not {len(other.games)}"
        for number, (mine, theirs) in enumerate(zip(self.games, other.games, strict=True), start=1):
            if mine != theirs:
                return f"game {number}: {len(mine.lines)} lines, not {len(theirs.lines)}; {mine[:3]}, not {theirs[:3]}"
        return (
            f"{self.drafts} {self.open_game} {self.settings} is not {other.drafts} {other.open_game} {other.settings}"
        )


def kept(journal: Journal) -> Kept:
    """Return what a journal keeps."""
    games = journal.games()[::-1]
    drafts = ((saved.number, journal.draft(saved.number)) for saved in games)
    settings = ((name, journal.setting(name)) for name in SETTINGS)
    return Kept(
        tuple(Game(saved.header, saved.tracking, saved.over, tuple(journal.lines(saved.number))) for saved in games),
        tuple((number, draft) for number, draft in drafts if draft),
        journal.open_game(),
        tuple((name, value) for name, value in settings if value is not None),
    )


class Witness(MemoryJournal):
    """A journal in memory that remembers how it was after each write: where a kill may have come between.

    Attributes:
        moments: What was kept when it was last asked to forget, and after each write since.
    """

    def __init__(self, already: Kept = Kept()) -> None:
        """Begin with what is kept already."""
        self.moments: list[Kept] = []
        super().__init__()
        for number, game in enumerate(already.games, start=1):
            super().begin(game.header, game.tracking, 0.0)
            super().append_all(number, 1, game.lines, game.over, 0.0)
        for number, draft in already.drafts:
            super().keep_draft(number, draft)
        for name, value in already.settings:
            super().keep_setting(name, value)
        super().leave_in(already.open_game)
        self.forget()

    def forget(self) -> None:
        """Begin anew to remember."""
        self.moments = [kept(self)]

    def begin(self, header: str, tracking: str, now: float, number: int | None = None) -> int:
        """Write a new game down, and remember."""
        given = super().begin(header, tracking, now, number)
        self.moments.append(kept(self))
        return given

    def append_all(self, game: int, sequence: int, lines: Sequence[str], over: bool, now: float) -> None:
        """Write lines, and remember."""
        super().append_all(game, sequence, lines, over, now)
        self.moments.append(kept(self))

    def track(self, game: int, tracking: str) -> None:
        """Write down how closely a game is followed, and remember."""
        super().track(game, tracking)
        self.moments.append(kept(self))

    def keep_draft(self, game: int, draft: str) -> None:
        """Write down what is half entered, and remember."""
        super().keep_draft(game, draft)
        self.moments.append(kept(self))

    def leave_in(self, game: int | None) -> None:
        """Write down which game the box is in, and remember."""
        super().leave_in(game)
        self.moments.append(kept(self))

    def keep_setting(self, name: str, value: str) -> None:
        """Write down what was chosen, and remember."""
        super().keep_setting(name, value)
        self.moments.append(kept(self))
