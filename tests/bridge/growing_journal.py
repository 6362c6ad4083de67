"""A journal of one game whose file grows, as the box writes it."""

from __future__ import annotations

from pathlib import Path

from companion.journal import chain
from tests.cli.finished_games import played, random_log

SPACE = 16 * 1024  # bytes; the box takes the space of a file ahead


class GrowingJournal:
    """A finished game, of which as many lines stand in the file as a test wants.

    Args:
        folder: An empty folder.
        game: The name of a game.
    """

    def __init__(self, folder: Path, game: str = "eternity", seed: int = 1) -> None:
        self.folder = folder / "journal"
        self.name = played(folder / "whole", random_log(game, seed))[0]
        self.rows = chain.rows((folder / "whole/games" / f"{self.name}.jsonl").read_bytes().rstrip(b"\0"))
        self.file, self.copy = (self.folder / part / f"{self.name}.jsonl" for part in ("games", "copies"))
        for each in (self.file, self.copy):
            each.parent.mkdir(parents=True)
        self.write(0)

    def write(self, lines: int, half: int = 0) -> None:
        """Let the file hold so many lines, and some bytes of the next."""
        content = b"".join(self.rows[:lines]) + b"".join(self.rows[lines : lines + 1])[:half]
        self.copy.write_bytes(b"".join(self.rows[:lines]))
        with self.file.open("r+b" if self.file.exists() else "wb") as file:
            file.truncate(0)
            file.write(content.ljust(-(-len(content) // SPACE) * SPACE, b"\0"))
