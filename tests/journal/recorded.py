"""A journal and all that it was told: the lines, settings and keys that must be there, whatever happens to a disk."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from companion.journal import Journal

from .folders import Files, taken

SETTINGS = ("sounds", "roster")


@dataclass(frozen=True, slots=True)
class Half:
    """The keys half entered after a game's line, and the tracking chosen there."""

    game: str | None
    lines: int
    keys: str = ""
    tracking: str | None = None


@dataclass(slots=True)
class Told:
    """Everything a journal was told, and how much of it the journal said is safe.

    Attributes:
        games: The header and the lines of each game, by its name.
        trackings: How closely a game was followed at each of these.
        settings: The values a setting had, the first being none.
        opens: The games the box was in.
        halves: The drafts there were.
        saved_lines: How many lines of each game are safe.
        saved_settings: From which on one of a setting's values must be there.
        saved_open: From which on one of the games must be the one the box is in.
        saved_half: From which on one of the drafts must be there after a pulled plug.
        killed_half: The same after a kill.
    """

    games: dict[str, list[str]] = field(default_factory=dict)
    trackings: dict[str, list[str]] = field(default_factory=dict)
    settings: dict[str, list[str | None]] = field(default_factory=dict)
    opens: list[str | None] = field(default_factory=lambda: [None])
    halves: list[Half] = field(default_factory=lambda: [Half(None, 0)])
    saved_lines: dict[str, int] = field(default_factory=dict)
    saved_settings: dict[str, int] = field(default_factory=dict)
    saved_open: int = 0
    saved_half: int = 0
    killed_half: int = 0

    def copy(self) -> Told:
        """Return all of it as it is now."""
        return Told(
            {name: list(lines) for name, lines in self.games.items()},
            {name: list(each) for name, each in self.trackings.items()},
            {name: list(values) for name, values in self.settings.items()},
            list(self.opens),
            list(self.halves),
            dict(self.saved_lines),
            dict(self.saved_settings),
            self.saved_open,
            self.saved_half,
            self.killed_half,
        )


class Teller:
    """Uses a journal as a box does, and keeps what it was told.

    Attributes:
        told: What it was told until now, that which is on its way included.
    """

    def __init__(self, journal: Journal, told: Told | None = None) -> None:
        """Go on with a journal that was told something before."""
        self.journal = journal
        self.told = Told() if told is None else told
        self._now = 1_700_000_000.0

    def _time(self) -> float:
        self._now += 1
        return self._now

    def begin(self, kind: str = "eternity", players: Sequence[str] = ("Aki", "Bea"), tracking: str = "full") -> str:
        """Begin a game."""
        header = f'{{"format":1,"game":"{kind}","players":["{players[0]}","{players[1]}"]}}'
        game = self.journal.name_for(kind)
        self.told.games[game], self.told.trackings[game] = [header], [tracking]
        self.journal.begin(game, header, tracking, self._time())
        self._answered()
        return game

    def append(self, game: str, line: str, *, tracking: str = "full", keys: str = "", over: bool = False) -> None:
        """Enter a line."""
        self.told.games[game].append(line)
        self.told.trackings[game].append(tracking)
        self.journal.append(game, line, now=self._time(), tracking=tracking, keys=keys, over=over)
        self._answered()

    def keep_draft(self, game: str | None, keys: str, *, sync: bool = False) -> None:
        """Type keys of a line."""
        self._half(game, keys=keys)
        self.journal.keep_draft(game, keys, sync=sync)
        self._answered(half=True, synced=sync)

    def track(self, game: str, tracking: str) -> None:
        """Choose how closely a game is followed."""
        self._half(game, tracking=tracking)
        self.journal.track(game, tracking)
        self._answered(half=True, synced=True)

    def keep_setting(self, name: str, value: str) -> None:
        """Choose something on the box."""
        self.told.settings.setdefault(name, [None]).append(value)
        self.journal.keep_setting(name, value)
        self._answered()

    def leave_in(self, game: str | None) -> None:
        """Open a game, or put it away."""
        self.told.opens.append(game)
        self.journal.leave_in(game)
        self._answered()

    def save(self) -> bool:
        """Try to save everything that is not saved."""
        saved = self.journal.save()
        self._answered(half=True, synced=True)
        return saved

    def _half(self, game: str | None, keys: str | None = None, tracking: str | None = None) -> None:
        lines = 0 if game is None else len(self.told.games[game]) - 1
        last = half_of(self.told.halves, game)
        if last.lines != lines:
            last = Half(game, lines)
        keys = last.keys if keys is None else keys
        self.told.halves.append(Half(game, lines, keys, last.tracking if tracking is None else tracking))

    def _answered(self, *, half: bool = False, synced: bool = False) -> None:
        """Note what the journal says is saved."""
        told, journal = self.told, self.journal
        for name, lines in told.games.items():
            told.saved_lines[name] = len(lines) - journal.unsaved(name)
        if journal.fault is None:
            told.saved_settings = {name: len(values) - 1 for name, values in told.settings.items()}
            told.saved_open = len(told.opens) - 1
            if half:
                told.killed_half = len(told.halves) - 1
                if synced:
                    told.saved_half = told.killed_half


def half_of(halves: Sequence[Half], game: str | None) -> Half:
    """Return the last of some drafts that is a game's."""
    return next((half for half in reversed(halves) if half.game == game), Half(game, 0))


def evening(teller: Teller, lines: Sequence[int] = (3, 5, 4), *, size: int = 0) -> list[str]:
    """Play some games as people do, the last of them not to its end; return their names.

    Args:
        teller: The journal.
        lines: How many lines each game has.
        size: How many letters a line has at least.
    """
    games = []
    teller.keep_setting("sounds", "off")
    for number, count in enumerate(lines):
        teller.keep_draft(None, "2#", sync=True)
        game = teller.begin(("eternity", "gear", "east-rune")[number % 3])
        games.append(game)
        teller.leave_in(game)
        for line in range(count):
            teller.keep_draft(game, "1")
            teller.keep_draft(game, "12", sync=line % 2 == 0)
            last = line == count - 1 and number < len(lines) - 1
            teller.append(game, f'{{"type":"play","card":"sea-{line + 1}"}}'.ljust(size), keys="12A", over=last)
            if line == 1:
                teller.track(game, "quick")
        teller.journal.settle()
    teller.keep_setting("roster", '["Aki","Bea","Élodie","あき"]')
    teller.keep_setting("sounds", "on")
    teller.keep_draft(game, "34", sync=True)
    teller.keep_draft(game, "345")
    return games


def use(teller: Teller, chance: random.Random, steps: int = 40) -> None:
    """Use a journal by chance: games begun, gone on with, left and opened again, and everything else a box does."""
    journal = teller.journal
    for _ in range(steps):
        games = list(teller.told.games)
        game = chance.choice(games[-3:]) if games else None
        tracking = chance.choice(["full", "quick", "round"])
        match chance.choices(range(8), [2, 12, 8, 2, 2, 2, 2, 1])[0]:
            case 0:
                teller.begin(chance.choice(["eternity", "gear", "hipparchus"]), tracking=tracking)
            case 1 if game is not None:
                line = f'{{"type":"play","at":{chance.random()}}}' + " " * chance.choice([0, 0, 0, 300, 5000])
                teller.append(game, line, tracking=tracking, keys="12", over=chance.random() < 0.1)
            case 2:
                teller.keep_draft(chance.choice([game, game, None]), str(chance.random()), sync=chance.random() < 0.4)
            case 3 if game is not None:
                teller.track(game, tracking)
            case 4:
                teller.keep_setting(chance.choice(SETTINGS), str(chance.random()))
            case 5:
                teller.leave_in(chance.choice([game, None]))
            case 6:
                journal.settle()
            case 7:
                journal.check_next()
            case _:
                pass


def evening_kept(folder: Path, lines: Sequence[int] = (3, 5, 4), *, killed: bool = False) -> tuple[Files, Told]:
    """Return the files of a journal after an evening, and what it was told; it was ended in order, or by a kill."""
    with closing(Journal(folder)) as journal:
        teller = Teller(journal)
        last = evening(teller, lines)[-1]
        while journal.check_next():
            pass
        if killed:
            for number in range(3):
                teller.append(last, f'{{"type":"play","card":"sky-{number}"}}', keys="B1")
            return taken(folder), teller.told
    return taken(folder), teller.told
