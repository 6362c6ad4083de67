"""Journals of finished games, quickly made: short games of Hipparchus and Eternity, entered by rounds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import structs

from companion.history.days import UNSET
from companion.history.renamed_and_hidden import People, written
from companion.history.results import GameResult
from companion.journal import Journal, StoredGame
from tests.games.seeds import deal

FIRST = UNSET + 86_400 * 300


@dataclass
class Memory(Journal):
    """A journal in memory: its games can be changed at will, and it counts how often one is read."""

    listed: dict[str, StoredGame] = field(default_factory=dict)
    logs: dict[str, list[str]] = field(default_factory=dict)
    people: People = field(default_factory=People)
    plays: dict[str, Any] = field(default_factory=dict)
    reads: list[str] = field(default_factory=list)

    def add(self, seed: int, players: Sequence[str] = ("Ann", "Bo"), *, begun: float | None = None) -> str:
        header, lines = whole_game(seed)
        number = len(self.listed) + 1
        name = f"{number:06d}-hipparchus-{seed:08x}"
        moment = FIRST + 3600 * number if begun is None else begun
        self.logs[name] = list(lines)
        log = json.dumps(header | {"players": list(players)})
        self.listed[name] = StoredGame(name, number, log, "full", True, len(lines), moment)
        return name

    def change(self, name: str, seed: int) -> None:
        """Replace a game by another one, with one more line."""
        lines = whole_game(seed)[1]
        log = [lines[0], *('{"type":"undo"}', lines[0]) * len(self.logs[name]), *lines[1:]]
        self.logs[name] = log
        self.relist(name, lines=len(log))

    def relist(self, name: str, **changed: Any) -> None:
        self.listed[name] = structs.replace(self.listed[name], **changed)

    def names(self) -> list[str]:
        return list(self.listed)

    def games(self) -> list[StoredGame]:
        return list(self.listed.values())[::-1]

    def saved(self, game: str) -> StoredGame:
        return self.listed[game]

    def lines(self, game: str) -> list[str]:
        self.reads.append(game)
        return self.logs[game]

    def log(self, game: str) -> str:
        return "".join(f"{line}\n" for line in (self.listed[game].header, *self.lines(game)))

    def timed_lines(self, game: str) -> list[tuple[str, float]]:
        saved = self.listed[game]
        return [(line, saved.begun + 30.0 * place) for place, line in enumerate((saved.header, *self.lines(game)))]

    def setting(self, name: str) -> str | None:
        return written(self.people) if name == "roster" else None

    def imported(self) -> dict[str, Any]:
        return self.plays

    def remarks(self) -> dict[str, Any]:
        return {}

    def open_game(self) -> str | None:
        return None

    def read_recent(self) -> None:
        """Read nothing: everything is in memory."""


_WHOLE: dict[int, tuple[dict[str, object], list[str]]] = {}


def whole_game(seed: int) -> tuple[dict[str, object], list[str]]:
    """Return the header and the lines of a random game that is finished."""
    if seed not in _WHOLE:
        for attempt in range(seed * 1000, seed * 1000 + 1000):
            dealt = deal("hipparchus", attempt, coarse=1.0, edits=0.0, stop=0.0, misplay=0.0)
            session = dealt.session()
            if session.progress.over:
                _WHOLE[seed] = dealt.header, [json.dumps(line) for line in dealt.lines]
                break
    return _WHOLE[seed]


def filled(count: int) -> Memory:
    """Return a journal of some games of four people."""
    journal, people = Memory(), ("Ann", "Bo", "Cyr", "Dai")
    for place in range(count):
        journal.add(place % 7, (people[place % 4], people[(place + 1 + place // 4 % 3) % 4]))
    return journal


def names(results: Sequence[GameResult]) -> list[str]:
    return [each.name for each in results]
