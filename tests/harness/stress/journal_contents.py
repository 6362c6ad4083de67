"""The content of a journal as a value: to compare, and to make a journal with the same content."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.journal import Journal, chain
from companion.journal.chain import typed_keys
from companion.journal.folder import StoredGame
from companion.journal.journal import LATEST_NUMBER

SETTINGS = ("language", "sounds", "roster")


@dataclass(frozen=True, slots=True)
class Game:
    """A stored game; its name and starting time do not count in comparisons."""

    number: int
    header: str
    tracking: str
    over: bool
    lines: tuple[str, ...]
    first_tracking: str
    empty: bool
    players: tuple[str, ...]
    begun: float = field(compare=False)
    keys: tuple[tuple[int, str], ...] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Kept:
    """The content of a journal.

    Attributes:
        games: Every game, the first begun first.
        drafts: The drafts as JSON, by the game's number; 0 is for no game.
        open_game: The number of the open game.
        settings: The values of the settings.
        removed: The games with entries that were removed.
        latest: The highest number of a game, put away or not.
    """

    games: tuple[Game, ...] = ()
    drafts: tuple[tuple[int, str], ...] = ()
    open_game: int | None = None
    settings: tuple[tuple[str, str], ...] = ()
    removed: tuple[Game, ...] = ()
    latest: int = 0

    def unlike(self, other: Kept) -> str:
        """Return the differences between this and another, in words."""
        if len(self.games) != len(other.games):
            return f"{len(self.games)} games, not {len(other.games)}"
        for mine, theirs in zip(self.games, other.games, strict=True):
            if mine != theirs:
                counted = f"{len(mine.lines)} lines, not {len(theirs.lines)}"
                follow = [(game.header, game.tracking, game.over) for game in (mine, theirs)]
                return f"game {mine.number}: {counted}; {follow[0]}, not {follow[1]}"
        return (
            f"{self.drafts} {self.open_game} {self.settings} is not {other.drafts} {other.open_game} {other.settings}"
        )


def kept(journal: Journal) -> Kept:
    journal.check_all()
    games = journal.games()[::-1]
    numbers: dict[str | None, int] = {None: 0} | {saved.name: saved.number for saved in games}
    drafts = {number: journal.draft(name) for name, number in numbers.items()}
    settings = ((name, journal.setting(name)) for name in SETTINGS)
    open_game = journal.open_game()
    removed, names = journal.removed()[::-1], (*numbers, *journal.removed_names())
    return Kept(
        tuple(_game(saved, journal.lines(saved.name), journal.keys(saved.name)) for saved in games),
        tuple((number, json.dumps(draft, sort_keys=True)) for number, draft in drafts.items() if draft),
        None if open_game is None else numbers.get(open_game),
        tuple((name, value) for name, value in settings if value is not None),
        tuple(_game(saved, *_removed_rows(journal, saved.name)) for saved in removed),
        max((int(name.partition("-")[0]) for name in names if name is not None), default=0),
    )


def _game(saved: StoredGame, lines: Iterable[str], keys: Mapping[int, str]) -> Game:
    return Game(
        saved.number,
        saved.header,
        saved.tracking,
        saved.over,
        tuple(lines),
        saved.first_tracking,
        saved.empty,
        saved.players,
        saved.begun,
        tuple(keys.items()),
    )


def _removed_rows(journal: Journal, name: str) -> tuple[list[str], dict[int, str]]:
    """Return lines and keys of a game that was removed."""
    rows = journal._removed.loaded(name).rows
    return [chain.text(row) for row in rows[1:]], typed_keys(rows)


class Witness(Journal):
    """A journal in memory that records its content after each write: the possible states after a kill.

    Attributes:
        moments: The content at the last `forget`, and after each write since.
    """

    def __init__(self, already: Kept = Kept()) -> None:
        self.moments: list[Kept] = []
        super().__init__()
        names: dict[int, str | None] = {0: None}
        for game in already.removed:
            super().put_away(self._enter(game))
        for game in already.games:
            names[game.number] = self._enter(game)
        super().keep_setting(LATEST_NUMBER, str(already.latest))
        for number, draft in already.drafts:
            super().keep_draft(names[number], json.loads(draft))
        for name, value in already.settings:
            super().keep_setting(name, value)
        super().set_open_game(names[already.open_game or 0])
        self.forget()

    def _enter(self, game: Game) -> str:
        """Enter a game as it was, under its number, and return its name."""
        name = f"{game.number:06d}-{json.loads(game.header)['game']}-{game.number:08x}"
        super().begin(name, game.header, game.first_tracking, game.begun)
        keys = dict(game.keys)
        for number, line in enumerate(game.lines, 2):  # the header is line 1
            last = number == 1 + len(game.lines)
            after: dict[str, Any] = {"over": game.over, "empty": game.empty, "players": game.players} if last else {}
            super().append(name, line, now=0.0, tracking=game.tracking, keys=keys.get(number), **after)
        super().track(name, game.tracking)
        return name

    def forget(self) -> None:
        """Begin a new record."""
        self.moments = [kept(self)]


def _recording(name: str) -> Callable[..., None]:
    write = getattr(Journal, name)

    def written(self: Witness, *arguments: Any, **options: Any) -> None:
        write(self, *arguments, **options)
        self.moments.append(kept(self))

    return written


for _name in ["begin", "append", "put_away", "bring_back", "track", "keep_draft", "set_open_game", "keep_setting"]:
    setattr(Witness, _name, _recording(_name))
