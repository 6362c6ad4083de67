"""The journal in plain lists, for tests and pictures: the same promises, gone with the process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.core.text import Text
from companion.journal import DiskFault, JournalFault, Saved, check_text


@dataclass(slots=True)
class _Game:
    header: str
    tracking: str
    begun: float
    over: bool = False
    lines: list[str] = field(default_factory=list)


class MemoryJournal:
    """Keeps games in lists.

    Attributes:
        fault: While this is a sentence, every write fails with it, as on a full disk, and changes nothing.
        backups: How often a copy was asked for; lists need none.
    """

    fault: str | None
    backups: int

    def __init__(self) -> None:
        """Begin with no games."""
        self.fault = None
        self.backups = 0
        self._games: list[_Game] = []
        self._open_game: int | None = None
        self._draft: tuple[tuple[int, int], str] = ((0, 0), "")
        self._settings: dict[str, str] = {}
        self._closed = False

    def games(self) -> list[Saved]:
        """Return every game, the latest begun first."""
        self._check_open()
        return [
            Saved(number, game.header, game.tracking, game.over, len(game.lines), game.begun)
            for number, game in reversed(list(enumerate(self._games, start=1)))
        ]

    def lines(self, game: int) -> list[str]:
        """Return a game's lines below the header, in order."""
        return list(self._game(game).lines)

    def begin(self, header: str, tracking: str, now: float, number: int | None = None) -> int:
        """Write a new game down and return its number: the next, which is also the one it may be known by already."""
        self._check_writable(header, tracking)
        if number not in (None, len(self._games) + 1):
            raise JournalFault(f"game {number} is not the next: {len(self._games)} are in the journal")
        self._games.append(_Game(header, tracking, now))
        return len(self._games)

    def append(self, game: int, sequence: int, line: str, over: bool, now: float) -> None:
        """Write the line that is number ``sequence`` (from 1) of a game, and whether that ends it."""
        self.append_all(game, sequence, (line,), over, now)

    def append_all(self, game: int, sequence: int, lines: Sequence[str], over: bool, now: float) -> None:
        """Write lines, the first of them number ``sequence``, as `append` does: all of them or none."""
        self._check_writable(*lines)
        found = self._game(game)
        if sequence != len(found.lines) + 1:
            raise JournalFault(f"line {sequence} of game {game} is not the next: {len(found.lines)} are in the journal")
        found.lines.extend(lines)
        found.over = over

    def track(self, game: int, tracking: str) -> None:
        """Write down how closely a game is followed from now on."""
        self._check_writable(tracking)
        self._game(game).tracking = tracking

    def draft(self, game: int) -> str:
        """Return what was half entered after a game's last line, empty where nothing was."""
        lines = len(self._game(game).lines)
        return self._draft[1] if self._draft[0] == (game, lines) else ""

    def keep_draft(self, game: int, draft: str) -> None:
        """Write down what is half entered after a game's last line; it is gone with the next line."""
        self._check_writable(draft)
        self._draft = ((game, len(self._game(game).lines)), draft)

    def open_game(self) -> int | None:
        """Return the game the box was left in, if it was left in one."""
        self._check_open()
        return self._open_game

    def leave_in(self, game: int | None) -> None:
        """Write down which game the box is in."""
        self._check_writable()
        if game is not None:
            self._game(game)
        self._open_game = game

    def setting(self, name: str) -> str | None:
        """Return what was chosen on the box under a name, if anything was."""
        self._check_open()
        return self._settings.get(name)

    def keep_setting(self, name: str, value: str) -> None:
        """Write down what was chosen on the box."""
        self._check_writable(value)
        self._settings[name] = value

    def back_up(self) -> None:
        """Count that a copy was asked for."""
        self._check_writable()
        self.backups += 1

    def close(self) -> None:
        """Let go of the journal."""
        self._closed = True

    def _game(self, number: int) -> _Game:
        self._check_open()
        if not 1 <= number <= len(self._games):
            raise JournalFault(f"there is no game {number} in the journal")
        return self._games[number - 1]

    def _check_open(self) -> None:
        if self._closed:
            raise JournalFault("the journal is closed")

    def _check_writable(self, *texts: str) -> None:
        self._check_open()
        if self.fault is not None:
            raise DiskFault(self.fault, Text(self.fault))
        check_text(*texts)
