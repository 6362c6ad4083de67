"""Gathering what can be read of a damaged journal, row by row, and writing it down anew."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from . import files, schema, wal
from .files import beside
from .pages import Row, Tree, rows
from .schema import PAGE


@dataclass(frozen=True, slots=True)
class Game:
    """The row of a game."""

    header: str
    tracking: str
    over: int
    begun: float


@dataclass(slots=True)
class Found:
    """What was found of a journal.

    Attributes:
        games: The row of each game, by its number.
        lines: The lines of each game by their number, each with its time; there may be gaps.
        settings: What was chosen on the box, and where it was left.
    """

    games: dict[int, Game] = field(default_factory=dict)
    lines: dict[int, dict[int, tuple[str, float]]] = field(default_factory=dict)
    settings: dict[str, int | str] = field(default_factory=dict)

    def kept(self, game: int) -> int:
        """Return how many lines of a game there are before the first that is missing."""
        lines = self.lines.get(game, {})
        return next(number for number in range(len(lines) + 1) if number + 1 not in lines)

    @property
    def cut(self) -> list[int]:
        """Return the games that have lines beyond one that is missing."""
        return [game for game in self.games if self.kept(game) < len(self.lines.get(game, {}))]

    @property
    def all_games(self) -> int:
        """Return how many games are known of, by their row or by a line of theirs."""
        return len(self.games.keys() | self.lines.keys())

    def agrees(self, other: Found) -> bool:
        """Tell whether two findings can be of the same journal."""
        return all(
            self.games[game].header == other.games[game].header and self.games[game].begun == other.games[game].begun
            for game in self.games.keys() & other.games.keys()
        ) and all(
            self.lines[game][number] == other.lines[game][number]
            for game in self.lines.keys() & other.lines.keys()
            for number in self.lines[game].keys() & other.lines[game].keys()
        )

    def fill(self, other: Found) -> None:
        """Take from an earlier state of the same journal what is missing here."""
        self.games = {**other.games, **self.games}
        self.settings = {**other.settings, **self.settings}
        for game, lines in other.lines.items():
            self.lines[game] = {**lines, **self.lines.get(game, {})}


def gather(database: Path) -> Found:
    """Return what can be read of a database and its log, whatever became of them."""
    content = files.read(database)
    main = {place // PAGE + 1: content[place : place + PAGE] for place in range(PAGE, len(content), PAGE)}
    log = list(wal.frames(files.read(beside(database, "-wal"))))
    later = _ended([frame for frame in log if frame.salts == log[0].salts])
    # All of this has long been in the main file, but for the last of it, which a power cut may have undone.
    earlier = _ended(_ended([frame for frame in log if frame.salts != log[0].salts])[:-1])
    newest = {**main, **{frame.page: frame.content for frame in later}}
    sources = (
        [frame.content for frame in later],
        main.values(),
        [frame.content for frame in earlier],
    )
    sealed, bare = Found(), Found()
    for pages in sources:
        one, other = _found(pages, lambda page: newest.get(page, b""))
        sealed.fill(one)
        bare.fill(other)
    # Rows without a checksum are those of a journal that never had any; beside others they are damaged.
    return sealed if sealed.games or sealed.lines or sealed.settings else bare


def _ended(log: list[wal.Frame]) -> list[wal.Frame]:
    """Return frames without those at the end whose transaction was still on its way."""
    last = max((place for place, frame in enumerate(log, start=1) if frame.commits), default=0)
    return log[:last]


def _found(pages: Iterable[bytes], overflow: Callable[[int], bytes]) -> tuple[Found, Found]:
    """Return what is in pages, the oldest first: rows with a right checksum, and rows that bear none."""
    sealed, bare = Found(), Found()
    for page in pages:
        for tree, row in rows(page, overflow):
            _take(tree, row, sealed, bare)
    return sealed, bare


def _take(tree: Tree, row: Row, sealed: Found, bare: Found) -> None:
    """Put a row where it belongs, if it is one of ours and bears the right checksum, or none as in version 1."""
    match tree, row:
        case Tree.NUMBERED, (int(number), str(header), str(tracking), int(over), int() | float() as begun, *rest):
            found = _proven(rest, lambda: schema.of_game(number, header, tracking, over, begun), sealed, bare)
            if found is not None and number > 0 and over in (0, 1):
                found.games[number] = Game(header, tracking, over, float(begun))
        case Tree.KEYED, (int(game), int(sequence), str(line), int() | float() as at, *rest):
            found = _proven(rest, lambda: schema.of_line(game, sequence, line, at), sealed, bare)
            if found is not None and sequence > 0:  # a line never changes: the first that is read will do
                found.lines.setdefault(game, {}).setdefault(sequence, (line, float(at)))
        case Tree.KEYED, (str(name), int() | str() as value, *rest):
            found = _proven(rest, lambda: schema.of_setting(name, value), sealed, bare)
            if found is not None:
                found.settings[name] = value


def _proven(rest: Sequence[object], checksum: Callable[[], int], sealed: Found, bare: Found) -> Found | None:
    if not rest:
        return bare
    return sealed if rest[0] == checksum() else None


def write(found: Found, file: Path) -> None:
    """Write what was found as a journal of its own, in the place of whatever file bears the name."""
    files.make_anew(file)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE}")
        connection.execute("PRAGMA journal_mode = OFF")  # it is nobody's journal before it is whole
        connection.execute("PRAGMA synchronous = OFF")
        schema.teach(connection)
        connection.execute("BEGIN")
        schema.migrate(connection)
        for number, game in sorted(found.games.items()):
            connection.execute(
                "INSERT INTO games (number, header, tracking, over, begun) VALUES (?, ?, ?, ?, ?)",
                (number, game.header, game.tracking, game.over, game.begun),
            )
            schema.seal(connection, number)
            connection.executemany(
                "INSERT INTO lines (game, sequence, line, at, checksum) VALUES (?, ?, ?, ?, ?)",
                (
                    (number, sequence, line, at, schema.of_line(number, sequence, line, at))
                    for sequence in range(1, found.kept(number) + 1)
                    for line, at in [found.lines[number][sequence]]
                ),
            )
        for name, value in found.settings.items():
            schema.set_value(connection, name, value)
        connection.execute("COMMIT")
