"""A journal and a record of what it was told: the lines, settings and keys that must survive any fault of the disk."""

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
    """A draft: the keys after a game's last line, and the tracking chosen there."""

    game: str | None
    lines: int
    keys: str = ""
    tracking: str | None = None


@dataclass(slots=True)
class Told:
    """Everything a journal was told, and how much of it the journal called safe.

    Attributes:
        games: The header and the lines of each game, by its name.
        trackings: The tracking of a game at each of these.
        settings: The values a setting had; the first is None.
        opens: The games that were open, in order.
        halves: The drafts, in order.
        saved_lines: How many lines of each game are safe.
        saved_settings: The index of a setting's oldest value that may be found.
        saved_open: The index of the oldest of ``opens`` that may be found.
        saved_half: The index of the oldest draft that may be found after a power cut.
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
    """Uses a journal as a box does, and records what it tells it.

    Attributes:
        told: What the journal was told until now, including a call under way.
    """

    def __init__(self, journal: Journal, told: Told | None = None) -> None:
        self.journal = journal
        self.told = Told() if told is None else told
        self._now = 1_700_000_000.0

    def _time(self) -> float:
        self._now += 1
        return self._now

    def begin(self, kind: str = "eternity", players: Sequence[str] = ("Aki", "Bea"), tracking: str = "full") -> str:
        header = f'{{"format":1,"game":"{kind}","players":["{players[0]}","{players[1]}"]}}'
        game = self.journal.name_for(kind)
        self.told.games[game], self.told.trackings[game] = [header], [tracking]
        self.journal.begin(game, header, tracking, self._time())
        self._answered()
        return game

    def append(self, game: str, line: str, *, tracking: str = "full", keys: str = "", over: bool = False) -> None:
        self.told.games[game].append(line)
        self.told.trackings[game].append(tracking)
        self.journal.append(game, line, now=self._time(), tracking=tracking, keys=keys, over=over)
        self._answered()

    def keep_draft(self, game: str | None, keys: str, *, sync: bool = False) -> None:
        """Save the typed keys of an entry."""
        self._half(game, keys=keys)
        self.journal.keep_draft(game, keys, sync=sync)
        self._answered(half=True, synced=sync)

    def track(self, game: str, tracking: str) -> None:
        self._half(game, tracking=tracking)
        self.journal.track(game, tracking)
        self._answered(half=True, synced=True)

    def keep_setting(self, name: str, value: str) -> None:
        self.told.settings.setdefault(name, [None]).append(value)
        self.journal.keep_setting(name, value)
        self._answered()

    def leave_in(self, game: str | None) -> None:
        self.told.opens.append(game)
        self.journal.set_open_game(game)
        self._answered()

    def save(self) -> bool:
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
        """Record what the journal calls saved."""
        told, journal = self.told, self.journal
        for name, lines in told.games.items():
            told.saved_lines[name] = len(lines) - journal.unsaved(name)
        if journal.fault is None:
            told.saved_settings = {name: len(values) - 1 for name, values in told.settings.items()}
        if journal.fault is None and journal.draft_fault is None:
            told.saved_open = len(told.opens) - 1
            if half:
                told.killed_half = len(told.halves) - 1
                if synced:
                    told.saved_half = told.killed_half


def half_of(halves: Sequence[Half], game: str | None) -> Half:
    return next((half for half in reversed(halves) if half.game == game), Half(game, 0))


def evening(teller: Teller, lines: Sequence[int] = (3, 5, 4), *, size: int = 0) -> list[str]:
    """Play some games as people do, all but the last to the end; return their names.

    Args:
        teller: The journal.
        lines: How many lines each game has.
        size: The least length of a line.
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
        teller.journal.update_index()
    teller.keep_setting("roster", '["Aki","Bea","Élodie","あき"]')
    teller.keep_setting("sounds", "on")
    teller.keep_draft(game, "34", sync=True)
    teller.keep_draft(game, "345")
    return games


def use(teller: Teller, chance: random.Random, steps: int = 40) -> None:
    """Use a journal at random: begin, continue, leave and reopen games, and do everything else a box does."""
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
                journal.update_index()
            case 7:
                journal.check_next()
            case _:
                pass


def evening_kept(folder: Path, lines: Sequence[int] = (3, 5, 4), *, killed: bool = False) -> tuple[Files, Told]:
    """Return the files of a journal after an evening, and what it was told; it was closed, or killed."""
    with closing(Journal(folder)) as journal:
        teller = Teller(journal)
        last = evening(teller, lines)[-1]
        journal.check_all()
        if killed:
            for number in range(3):
                teller.append(last, f'{{"type":"play","card":"sky-{number}"}}', keys="B1")
            return taken(folder), teller.told
    return taken(folder), teller.told
